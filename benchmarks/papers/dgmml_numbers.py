"""What Li and Chen (2022) printed, Tables III and IV, and what a reference found: dgmml.json.

The reference is an independent implementation of the method, whose numbers are means of as many
cross-validations as ours. Methods have the names of `dgmml_work`.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

SAME = {"dGMML-DT": "dGMML closest"}  # Table III's name of it
TREES = ("C4.5", "CART", "iHD", "dGMML-DT")  # the columns of Table III
FORESTS = ("C4.5-RF", "CART-RF", "iHD-RF", "dGMML-RF")


@functools.cache
def _kept() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(Path(__file__).with_name("dgmml.json").read_text("utf-8"))
    return kept


def printed(data: str, column: str) -> float:
    """Return an accuracy of Table III in per cent."""
    kept = _kept()
    _, accuracies, _ = kept["table_iii"][data]
    return float(accuracies[kept["accuracies"].index(column)])


def printed_time(data: str, column: str) -> float:
    """Return a time of Table III in milliseconds."""
    kept = _kept()
    _, _, milliseconds = kept["table_iii"][data]
    return float(milliseconds[kept["milliseconds"].index(column)])


def printed_means() -> dict[str, float]:
    """Return Table IV: accuracies over all sets of the paper, by method."""
    means: dict[str, float] = _kept()["table_iv"]
    return means


def reference(data: str, column: str) -> float | None:
    """Return what the reference found on a set: an accuracy, or the leaves of a method."""
    kept = _kept()["reference"]
    if column not in kept["columns"]:
        return None
    return float(kept["rows"][data][kept["columns"].index(column)])


def reference_means() -> dict[str, tuple[float, float]]:
    """Return accuracy and leaves over the 24 sets, by method."""
    return {method: tuple(pair) for method, pair in _kept()["reference"]["means"].items()}


def reference_pairs() -> list[tuple[str, str, str]]:
    """Return two methods and how the reference found the first beside the second."""
    return [tuple(pair) for pair in _kept()["reference"]["pairs"]]


def rewritten(data: str) -> tuple[float, float] | None:
    """Return the accuracy of a tree and a forest of the authors' code, written anew."""
    return _kept()["reference"]["authors_folds"].get(data)
