"""What is printed elsewhere, from must.json: Tables II, III and IV of Leroux, Boussard, Dès (2018).

Beside them stand the numbers of an independent implementation of OC1 and HHCART.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAME = {"QE": "MUST-1"}  # Table II's name of it
SMALL_SETS = ("heart", "pima", "glass", "wine", "survival", "bupa", "balance_scale")


@dataclass(frozen=True)
class Printed:
    """One row of a table; accuracies in per cent, each mean with the +- that stands beside it."""

    table: str
    data: str
    method: str
    accuracy: float
    accuracy_spread: float
    leaves: float
    leaves_spread: float


@dataclass(frozen=True)
class Reference:
    """What another implementation found, in how many cross-validations."""

    data: str
    method: str
    accuracy: float
    leaves: float
    repeats: int


def read_tables() -> dict[str, tuple[str, list[Printed]]]:
    """Return the title and the rows of each table."""
    return {
        table["table"]: (
            f"Table {table['table']} (section {table['section']}): {table['title']}",
            [Printed(table["table"], *row) for row in table["rows"]],
        )
        for table in _kept()["tables"]
    }


def read_reference() -> list[Reference]:
    """Return the numbers of the other implementation."""
    reference = _kept()["reference"]
    return [Reference(*row, repeats=reference["repeats"]) for row in reference["rows"]]


def _kept() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(Path(__file__).with_name("must.json").read_text("utf-8"))
    return kept
