"""Teachers: what models too large to read say about rows that they have not learned from.

A forest answers for rows out of its bags, logistic (or ridge) regression for rows out of its folds.
Of these and their means the best on the labels is taken. A tree that learns from its answers beside
the labels is steadier: they tell apart what is rare from what is chance.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold

from treewright.base.workers import Report, Workers
from treewright.estimators import ForestClassifier, ForestRegressor
from treewright.estimators.training import TrainingRows
from treewright.exceptions import OutOfBagWarning
from treewright.readable.terms import Terms

__all__ = ["Taught", "best_of", "teach_classes", "teach_numbers"]

Numbers = NDArray[np.float64]

_FOLDS = 4
_LEAST_PROBABILITY = 1e-3
_STRENGTHS = (1.0, 100.0)  # of logistic regression, as scikit-learn's C
_RIDGE = 1.0


@dataclass(frozen=True)
class Taught:
    """What a teacher says.

    Parameters
    ----------
    name : str
        Who it is, in plain words.
    answers : ndarray of float64
        Probabilities of classes, or numbers, of every row.
    loss : float
        Mean logarithmic loss, or mean squared error.
    score : float
        Accuracy, or coefficient of determination.
    """

    name: str
    answers: Numbers
    loss: float
    score: float


def best_of(taught: Sequence[Taught]) -> Taught:
    """Give the one with the smallest loss, of equal ones the first."""
    return min(taught, key=lambda one: one.loss)


def teach_classes(
    rows: TrainingRows, terms: Terms, n_trees: int, seed: int, workers: Workers
) -> list[Taught]:
    """Let a forest and logistic regression answer for rows that they have not seen.

    Parameters
    ----------
    rows : TrainingRows
        The rows.
    terms : Terms
        What regression uses.
    n_trees : int
        Of the forest.
    seed : int
        Of the forest and of the folds.
    workers : Workers
        Threads of the forest, and who is told of progress.

    Returns
    -------
    list of Taught
        The answers of each, and of the mean of the forest and each other.
    """
    counts = np.bincount(rows.truth, minlength=len(rows.labels))
    forest = ForestClassifier(
        n_trees, min_samples_leaf=2, oob_score=True, random_state=seed, n_jobs=workers.n_threads
    )
    _plant(forest, rows, workers)
    of_forest = forest.oob_decision_function_
    prior = counts / counts.sum()
    found = {"a forest": np.where(np.isnan(of_forest), prior, of_forest)}
    if counts[counts > 0].min() > 1:
        n_folds = int(max(2, min(_FOLDS, counts[counts > 0].min())))
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
        matrix = _standardised(terms.matrix(rows.values).T)
        for strength in _STRENGTHS:
            name = f"logistic regression (C = {strength:g})"
            model = LogisticRegression(C=strength, max_iter=200)
            found[name] = np.zeros((len(matrix), len(counts)))
            for learn, ask in folds.split(matrix, rows.truth):
                fitted = _fitted(model, matrix[learn], rows.truth[learn], rows.weights[learn])
                places = np.ix_(ask, fitted.classes_.astype(np.intp))
                found[name][places] = fitted.predict_proba(matrix[ask])

    return [
        judged_classes(name, _probabilities(answers), rows) for name, answers in _with_means(found)
    ]


def teach_numbers(
    rows: TrainingRows, terms: Terms, n_trees: int, seed: int, workers: Workers
) -> list[Taught]:
    """Let a forest and ridge regression answer for rows that they have not seen.

    Parameters
    ----------
    rows : TrainingRows
        The rows.
    terms : Terms
        What regression uses.
    n_trees : int
        Of the forest.
    seed : int
        Of the forest and of the folds.
    workers : Workers
        Threads of the forest, and who is told of progress.

    Returns
    -------
    list of Taught
        The answers of each, and of their mean.
    """
    forest = ForestRegressor(
        n_trees,
        min_samples_leaf=2,
        max_features=0.5,
        oob_score=True,
        random_state=seed,
        n_jobs=workers.n_threads,
    )
    _plant(forest, rows, workers)
    mean = float(np.average(rows.truth, weights=rows.weights))
    found = {"a forest": np.where(np.isnan(forest.oob_prediction_), mean, forest.oob_prediction_)}
    if len(terms.columns) and len(rows.truth) >= 2 * _FOLDS:
        matrix = _standardised(terms.matrix(rows.values).T)
        answers = np.empty(len(matrix))
        for learn, ask in KFold(_FOLDS, shuffle=True, random_state=seed).split(matrix):
            model = Ridge(alpha=_RIDGE).fit(
                matrix[learn], rows.truth[learn], sample_weight=rows.weights[learn]
            )
            answers[ask] = model.predict(matrix[ask])
        found["ridge regression"] = answers

    return [judged_numbers(name, answers, rows) for name, answers in _with_means(found)]


def judged_classes(name: str, probabilities: Numbers, rows: TrainingRows) -> Taught:
    """Give answers with their loss and accuracy."""
    of_label = probabilities[np.arange(len(probabilities)), rows.truth]
    loss = np.average(-np.log(of_label), weights=rows.weights)
    hits = np.average(probabilities.argmax(axis=1) == rows.truth, weights=rows.weights)
    return Taught(name, probabilities, float(loss), float(hits))


def judged_numbers(name: str, answers: Numbers, rows: TrainingRows) -> Taught:
    """Give answers with their squared error and coefficient of determination."""
    mean = np.average(rows.truth, weights=rows.weights)
    alone = float(np.average((rows.truth - mean) ** 2, weights=rows.weights))
    loss = float(np.average((answers - rows.truth) ** 2, weights=rows.weights))
    return Taught(name, answers, loss, 1.0 - loss / alone if alone > 0.0 else 0.0)


def _plant(
    forest: ForestClassifier | ForestRegressor, rows: TrainingRows, workers: Workers
) -> None:
    """Grow the forest of a teacher, as one piece of work."""

    def grow(_: int, report: Report) -> None:
        forest.set_params(progress=report)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OutOfBagWarning)
            forest.fit_rows(rows)

    workers.run(grow, 1)


def _fitted(model: Any, X: Numbers, y: NDArray[Any], weights: Numbers) -> Any:
    with warnings.catch_warnings():  # a teacher need not be at its end
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y, sample_weight=weights)


def _with_means(found: dict[str, Numbers]) -> Iterator[tuple[str, Numbers]]:
    """Give each answer, and the mean of the forest's and each other."""
    (first, of_first), *others = found.items()
    yield from found.items()
    for name, answers in others:
        yield f"{first} and {name}", (of_first + answers) / 2.0


def _probabilities(answers: Numbers) -> Numbers:
    clipped = np.maximum(answers, _LEAST_PROBABILITY)
    return np.asarray(clipped / clipped.sum(axis=1, keepdims=True))


def _standardised(matrix: Numbers) -> Numbers:
    spread = matrix.std(axis=0)
    return np.asarray((matrix - matrix.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0))
