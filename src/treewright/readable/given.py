"""Teachers that the user brings: predictions of the rows, or a model that makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.utils.validation import has_fit_parameter

from treewright.estimators.training import TrainingRows
from treewright.exceptions import brief
from treewright.schema.selection import take_rows

__all__ = ["GivenTeacher", "PlacedRows", "check_teacher", "given_teacher"]

Numbers = NDArray[np.float64]

_FOLDS = 4


@dataclass(frozen=True)
class PlacedRows:
    """Rows with their places in the table of the user.

    Parameters
    ----------
    rows : TrainingRows
        The rows.
    places : ndarray of int
        Where each of them stands.
    """

    rows: TrainingRows
    places: NDArray[np.intp]

    def part(self, some: NDArray[np.intp]) -> PlacedRows:
        """Give some of the rows."""
        return PlacedRows(self.rows.part(some), self.places[some])


class GivenTeacher(Protocol):
    """One who says something about rows."""

    @property
    def name(self) -> str:
        """Who it is."""

    def answers(self, placed: PlacedRows, seed: int) -> Numbers:
        """Predict rows without learning from them."""

    def predict(self, learned: PlacedRows, asked: PlacedRows) -> Numbers:
        """Predict rows after learning from others."""


@dataclass(frozen=True)
class GivenAnswers:
    """Predictions that are there already.

    Parameters
    ----------
    table : ndarray of float64
        Of every row of the user's table: probabilities of the classes, or a number.
    """

    table: Numbers

    @property
    def name(self) -> str:
        """Who it is."""
        return "the predictions that were given"

    def answers(self, placed: PlacedRows, seed: int) -> Numbers:
        """Give those of some rows."""
        return self.table[placed.places]

    def predict(self, learned: PlacedRows, asked: PlacedRows) -> Numbers:
        """Give those of some rows."""
        return self.table[asked.places]


@dataclass(frozen=True)
class GivenModel:
    """A model of scikit-learn's kind.

    Parameters
    ----------
    model : estimator
        It is not fitted itself; copies of it are.
    table : data frame or 2-D array
        All rows as the user gave them.
    """

    model: Any
    table: Any

    @property
    def name(self) -> str:
        """Who it is."""
        return type(self.model).__name__

    def answers(self, placed: PlacedRows, seed: int) -> Numbers:
        """Predict rows by copies that learned from the other folds."""
        rows = placed.rows
        classes = len(rows.labels)
        answers = np.zeros((len(rows.values), classes) if classes else len(rows.values))
        folds: KFold | StratifiedKFold = KFold(_FOLDS, shuffle=True, random_state=seed)
        if classes and int(np.bincount(rows.truth).min()) >= _FOLDS:
            folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=seed)
        for learn, ask in folds.split(rows.values, rows.truth):
            answers[ask] = self.predict(placed.part(learn), placed.part(ask))
        return answers

    def predict(self, learned: PlacedRows, asked: PlacedRows) -> Numbers:
        """Predict rows by a copy that learned from others."""
        rows = learned.rows
        labels = np.asarray(rows.labels, dtype=object if _are_mixed(rows.labels) else None)
        truth = labels[rows.truth] if len(labels) else rows.truth
        settings = {}
        if has_fit_parameter(self.model, "sample_weight"):
            settings["sample_weight"] = rows.weights
        model = clone(self.model)
        model.fit(take_rows(self.table, learned.places), truth, **settings)
        table = take_rows(self.table, asked.places)
        if not len(labels):
            return np.asarray(model.predict(table), dtype=np.float64)
        places = {label: place for place, label in enumerate(rows.labels)}
        answers = np.zeros((len(asked.places), len(labels)))
        own = [places[label] for label in np.asarray(model.classes_).tolist()]
        answers[:, own] = model.predict_proba(table)
        return answers


def check_teacher(value: Any) -> bool:
    """Tell whether something can be a teacher: "auto", None, an estimator or predictions."""
    if value is None or isinstance(value, str):
        return value in (None, "auto")
    return hasattr(value, "fit") or hasattr(value, "__array__") or isinstance(value, list)


def given_teacher(teacher: Any, X: Any, rows: TrainingRows) -> GivenTeacher | None:
    """Give the teacher that the user brings.

    Parameters
    ----------
    teacher : "auto", None, estimator or array-like
        As the parameter has it.
    X : object
        The table of the user.
    rows : TrainingRows
        The rows that are learned from.

    Returns
    -------
    GivenTeacher or None
        None where the user brings none.

    Raises
    ------
    TypeError
        If a model cannot predict what is needed, or cannot read the table.
    ValueError
        If predictions do not fit the table.
    """
    if teacher is None or isinstance(teacher, str):
        return None
    classes = len(rows.labels)
    if hasattr(teacher, "fit"):
        verb = "predict_proba" if classes else "predict"
        if not hasattr(teacher, verb):
            raise TypeError(
                f"The teacher {type(teacher).__name__} has no method {verb!r}; give an estimator "
                "that has it, or its predictions as an array."
            )
        if isinstance(X, (dict, list)):
            raise TypeError(
                "A teacher that is an estimator needs X as an array or data frame. "
                f"Got {type(X).__name__}."
            )
        return GivenModel(teacher, X)
    table = np.asarray(teacher, dtype=np.float64)
    shape = (rows.n_given, classes) if classes else (rows.n_given,)
    if table.shape != shape:
        raise ValueError(
            f"The teacher's predictions must have shape {shape}"
            f"{' (a column per class, in the order of classes_)' if classes else ''}. "
            f"Got {table.shape}."
        )
    bad = ~np.isfinite(table) if not classes else ~(table >= 0.0) | ~np.isfinite(table)
    if bad.any():
        place = tuple(int(one) for one in np.argwhere(bad)[0])
        raise ValueError(
            f"The teacher's predictions must be {'probabilities' if classes else 'finite numbers'}."
            f" Got {brief(float(table[place]))} in row {place[0]}."
        )
    if classes:
        sums = table.sum(axis=1, keepdims=True)
        if not sums.all():
            place = (int(np.flatnonzero(sums[:, 0] == 0.0)[0]),)
            raise ValueError(f"The teacher's probabilities of row {place[0]} are all 0.")
        table = table / sums
    return GivenAnswers(table)


def _are_mixed(labels: tuple[Any, ...]) -> bool:
    return len({type(label) for label in labels}) > 1
