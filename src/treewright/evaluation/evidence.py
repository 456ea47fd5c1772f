r"""How well a tree predicts rows it has not seen: score, interval, and what stands behind it.

The score of a tree on n rows, with its 95 % interval:

    accuracy             proportion of correct predictions; Wilson's interval
    mean cost            mean of cost(true, predicted), where costs are given; Student's interval
    explained variance   R^2 = 1 - A / B with A = mean (y - f)^2, B = mean (y - mean y)^2

The interval of R^2 is R^2 +- 1.96 s / sqrt(n) with s^2 the variance of
((y - f)^2 - (A / B) (y - mean y)^2) / B over the rows, the usual one for a ratio of two means.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.evaluation.calibration import calibration_points
from treewright.evaluation.groups import figures_of_classes, figures_of_numbers
from treewright.evaluation.ranking import ranking_of
from treewright.evaluation.rows import JudgedRows
from treewright.page import (
    ClassFigures,
    Confusion,
    Evidence,
    Measure,
    Residuals,
    Trivial,
)
from treewright.statistics.intervals import mean_interval, share_interval
from treewright.tree import Tree
from treewright.words import level_texts

__all__ = ["evidence_of", "measure_of", "score_of", "trivial_of"]

_NORMAL = 1.959964  # quantile of a 95 % interval
_QUANTILES = (0.5, 0.8, 0.9, 0.95)
_MOST_POINTS = 300


def measure_of(rows: JudgedRows) -> Measure:
    """Name what the scores of these rows mean.

    Parameters
    ----------
    rows : JudgedRows
        The rows that trees are judged on.

    Returns
    -------
    Measure
        Its name, and whether higher is better.
    """
    if rows.schema.classes is None:
        return Measure("explained variance")
    if rows.costs is not None:
        return Measure("mean cost", is_share=False, higher_is_better=False)
    return Measure("accuracy")


def score_of(answers: NDArray[Any], rows: JudgedRows) -> tuple[float, float, float]:
    """Give the score of some predictions, and its 95 % interval.

    Parameters
    ----------
    answers : ndarray
        One class code or number per row.
    rows : JudgedRows
        The rows.

    Returns
    -------
    score, low, high : float
        The limits are NaN where there are too few rows to tell.
    """
    nowhere = (math.nan, math.nan)
    if rows.schema.classes is None:
        return _explained_variance(answers, rows.truth)
    if rows.costs is None:
        share = float(np.mean(answers == rows.truth))
        return (share, *(share_interval(share, rows.n_rows) or nowhere))
    costs = rows.costs[rows.truth, answers]
    mean = float(costs.mean())
    limits = mean_interval(mean, float(np.square(costs - mean).sum()), rows.n_rows)
    return (mean, *(limits or nowhere))


def trivial_of(tree: Tree, rows: JudgedRows) -> Trivial:
    """Give the baseline, the prediction of the root alone, and its score.

    Parameters
    ----------
    tree : Tree
        A tree grown on the training rows.
    rows : JudgedRows
        Other rows.

    Returns
    -------
    Trivial
        The majority (or cheapest) class of the training rows, or their mean.
    """
    answer = tree.core.value[0]
    if tree.schema.classes is None:
        return Trivial("always predicting the mean", 0.0)
    code = int(answer)
    words = level_texts([tree.schema.classes[code]], tree.schema.classes, in_set=False)[0]
    answers = np.full(rows.n_rows, code)
    return Trivial(f"always predicting {words}", score_of(answers, rows)[0])


def evidence_of(tree: Tree, rows: JudgedRows, *, with_points: bool = True) -> Evidence:
    """Evaluate a tree on rows it has not seen.

    Parameters
    ----------
    tree : Tree
        The tree.
    rows : JudgedRows
        The rows, read by the schema of the tree.
    with_points : bool, default True
        Whether single rows may be shown.

    Returns
    -------
    Evidence
        The score and what stands behind it.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier().fit([[1], [2], [3], [4]], ["no", "no", "yes", "yes"])
    >>> rows = JudgedRows.read([[1], [2], [9], [9]], ["no", "yes", "yes", "yes"], model.schema_)
    >>> evidence = evidence_of(model.tree_, rows)
    >>> evidence.score, evidence.confusion.counts
    (0.75, ((1.0, 0.0), (1.0, 2.0)))
    """
    if tree.schema.classes is None:
        numbers = tree.core.predict_values(rows.table)
        score, low, high = score_of(numbers, rows)
        residuals = _residuals(numbers, rows.truth, score, with_points)
        groups = tuple(figures_of_numbers(one, rows.truth, numbers) for one in rows.grouped)
        return Evidence(rows.n_rows, score, low, high, residuals=residuals, groups=groups)
    answers = tree.core.predict_classes(rows.table)
    score, low, high = score_of(answers, rows)
    pairs = rows.truth.astype(np.int64) * rows.n_classes + answers
    counts = np.bincount(pairs, minlength=rows.n_classes**2)
    matrix = counts.reshape(rows.n_classes, rows.n_classes).astype(np.float64)
    figures = _class_figures(matrix)
    values = np.eye(rows.n_classes) if rows.costs is None else rows.costs
    alike, times = _alike(tree, rows)
    # The label of referral comes behind the classes and has no rows.
    n_classes = int(np.flatnonzero(tree.core.statistics[0])[-1]) + 1
    probabilities = tree.core.distribution(rows.table)[alike, :n_classes]
    said, truth = answers[alike], rows.truth[alike]
    decided = said < n_classes
    return Evidence(
        rows.n_rows,
        score,
        low,
        high,
        confusion=Confusion(_nested(matrix), None if rows.costs is None else _nested(rows.costs)),
        classes=figures,
        calibration=calibration_points(
            probabilities[decided], said[decided], truth[decided], rows.positive, times[decided]
        ),
        balanced_accuracy=float(np.mean([one.recall for one in figures if one.rows])),
        ranking=ranking_of(probabilities, truth, rows.positive, times),
        groups=tuple(figures_of_classes(one, pairs, values, rows.stated) for one in rows.grouped),
    )


def _alike(tree: Tree, rows: JudgedRows) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Give one row for each leaf and true class, and how many rows are like it."""
    if tree.core.divides_rows:
        return np.arange(rows.n_rows), np.ones(rows.n_rows, dtype=np.int64)
    kinds = tree.core.apply(rows.table).astype(np.intp) * rows.n_classes + rows.truth
    times = np.bincount(kinds)
    some = np.zeros(len(times), dtype=np.intp)
    some[kinds] = np.arange(rows.n_rows)
    present = np.flatnonzero(times)
    return some[present], times[present]


def _nested(matrix: NDArray[np.float64]) -> tuple[tuple[float, ...], ...]:
    return tuple(map(tuple, matrix.tolist()))


def _class_figures(matrix: NDArray[np.float64]) -> tuple[ClassFigures, ...]:
    figures = []
    for code, right in enumerate(np.diagonal(matrix).tolist()):
        rows, answered = float(matrix[code].sum()), float(matrix[:, code].sum())
        figures.append(
            ClassFigures(
                rows,
                recall=right / rows if rows else math.nan,
                precision=right / answered if answered else math.nan,
            )
        )
    return tuple(figures)


def _explained_variance(
    answers: NDArray[np.float64], truth: NDArray[np.float64]
) -> tuple[float, float, float]:
    missed, spread = np.square(truth - answers), np.square(truth - truth.mean())
    total = float(spread.mean())
    if not total > 0.0:
        return math.nan, math.nan, math.nan
    ratio = float(missed.mean()) / total
    deviations = (missed - ratio * spread) / total
    half = _NORMAL * float(deviations.std()) / math.sqrt(len(truth))
    return 1.0 - ratio, 1.0 - ratio - half, min(1.0 - ratio + half, 1.0)


def _residuals(
    answers: NDArray[np.float64], truth: NDArray[np.float64], explained: float, with_points: bool
) -> Residuals:
    distances = np.abs(truth - answers)
    step = max(1, -(-len(truth) // _MOST_POINTS))
    points = zip(answers[::step].tolist(), truth[::step].tolist(), strict=True)
    return Residuals(
        mean_absolute=float(distances.mean()),
        root_mean_square=float(np.sqrt(np.square(distances).mean())),
        variance_explained=explained,
        quantiles=tuple(zip(_QUANTILES, np.quantile(distances, _QUANTILES).tolist(), strict=True)),
        points=tuple(points) if with_points else (),
    )
