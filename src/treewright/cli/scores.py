"""How well predictions fit, said beside what the best single answer would reach."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli.tables import Target
from treewright.words import name_text

__all__ = ["score_text"]


def score_text(predicted: NDArray[Any], target: Target, *, ascii_only: bool = False) -> str:
    """Say how well predictions fit, in the rows where the truth is known.

    Parameters
    ----------
    predicted : ndarray
        Class labels, or numbers to compare with a numeric target.
    target : Target
        The truth.
    ascii_only : bool, default False
        Whether a superscript cannot be written.

    Returns
    -------
    str
        For example "accuracy 88.3 % on 300 rows (always yes: 66.0 %)".
    """
    known = target.is_known
    n_rows = int(known.sum())
    rows = "1 row" if n_rows == 1 else f"{n_rows:,} rows"
    is_regression = predicted.dtype.kind == "f"
    if is_regression and target.cells.kind == "numeric":
        truth = target.cells.numbers[known].astype(np.float64)
        errors = predicted[known] - truth
        spread = float(np.square(truth - truth.mean()).sum())
        name = "R2" if ascii_only else "R²"
        share = f"{name} {1.0 - float(np.square(errors).sum()) / spread:.3f}, " if spread else ""
        return f"{share}mean absolute error {float(np.abs(errors).mean()):.4g} on {rows}"
    labels = target.labels
    right = sum(a == b for a, b in zip(predicted[known].tolist(), labels, strict=True))
    (usual, count), *_ = Counter(labels).most_common(1)
    return (
        f"accuracy {100 * right / n_rows:.1f} % on {rows} "
        f"(always {name_text(str(usual))}: {100 * count / n_rows:.1f} %)"
    )
