"""How well predictions fit, said beside the baseline of the most frequent class."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.cli.tables import Target
from treewright.evaluation import Scale
from treewright.words import name_text

__all__ = ["cross_validated_text", "score_text"]


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


def cross_validated_text(model: Any, *, ascii_only: bool = False) -> str:
    """Say how well trees like this one did on rows held out of their growth, where that is known.

    Parameters
    ----------
    model : estimator
        A fitted tree; cost-complexity pruning has cross-validated it.
    ascii_only : bool, default False
        Whether a superscript cannot be written.

    Returns
    -------
    str
        For example "Cross-validated accuracy 83.1 % (standard error 1.2 %; always yes: 66.0 %).";
        empty without cross-validation.
    """
    path = model.path_
    if path.chosen is None or path.cv_risks is None:
        return ""
    tree = model.tree_
    scale, weight = Scale.of(tree), float(tree.node_weights[0])
    if not weight or (tree.is_classification and scale.start != 1.0):
        return ""
    risk, error = (float(numbers[path.chosen]) / weight for numbers in path.cv_risks)
    score, spread = scale.start + scale.slope * risk, abs(scale.slope) * error
    if not tree.is_classification:
        name = "R2" if ascii_only else "R²"
        return f"Cross-validated {name} {score:.3f} (standard error {spread:.3f})."
    counts = tree.core.statistics[0]
    usual = name_text(str(tree.schema.classes[int(counts.argmax())]))
    return (
        f"Cross-validated accuracy {100 * score:.1f} % (standard error {100 * spread:.1f} %; "
        f"always {usual}: {100 * float(counts.max()) / weight:.1f} %)."
    )
