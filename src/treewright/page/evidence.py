"""What rows that a tree has not seen say of it, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = [
    "CalibrationPoint",
    "ClassFigures",
    "Confusion",
    "Evidence",
    "GroupFigures",
    "Grouping",
    "OperatingPoint",
    "Ranking",
    "Residuals",
]


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often each class was taken for each.

    Parameters
    ----------
    counts : tuple of tuple of float
        A row for each true class, a column for each predicted one, in the order of the schema's
        classes.
    costs : tuple of tuple of float or None, default None
        What each prediction costs, laid out alike, if costs were given.
    """

    counts: tuple[tuple[float, ...], ...]
    costs: tuple[tuple[float, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """What the test rows say of one class.

    Parameters
    ----------
    rows : float
        Test rows that are of the class.
    recall : float
        Proportion of them that are predicted as the class; NaN if there are none.
    precision : float
        Proportion of the rows predicted as the class that are of it; NaN if there are none.
    """

    rows: float
    recall: float
    precision: float


@dataclass(frozen=True, slots=True)
class CalibrationPoint:
    """Rows of about the same predicted probability, and how often that class was true.

    Parameters
    ----------
    stated : float
        Mean predicted probability of the positive class; without one, of the second of two classes,
        of the predicted one of more.
    observed : float
        Proportion of the rows where that was true.
    low, high : float
        95 % interval of `observed`.
    rows : float
        Number of rows.
    """

    stated: float
    observed: float
    low: float
    high: float
    rows: float


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """What happens if the positive class is predicted from some probability on.

    Parameters
    ----------
    threshold : float
        The least probability.
    recall : float
        Proportion of the rows of the class that are found.
    precision : float
        Proportion of the rows predicted as the class that are of it.
    false_alarms : float
        Proportion of the other rows that are predicted as the class.
    """

    threshold: float
    recall: float
    precision: float
    false_alarms: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """How well predicted probabilities put rows of one class before all others.

    Parameters
    ----------
    positive : int
        Position of the class.
    prevalence : float
        Proportion of the rows that are of it.
    auc : float
        Area under the ROC curve: how often a row of the class has a higher probability than a row
        of another, ties counted half.
    average_precision : float
        Area under the steps of the precision-recall line.
    points : tuple of OperatingPoint
        One for each probability that the tree predicts, the highest first.
    """

    positive: int
    prevalence: float
    auc: float
    average_precision: float
    points: tuple[OperatingPoint, ...]


@dataclass(frozen=True, slots=True)
class Grouping:
    """Parts of the hold-out set by the values of one column.

    Parameters
    ----------
    column : int
        Position of the column in the schema.
    words : tuple of str
        What the values of each part are.
    rows : tuple of int
        How many rows each part has.
    """

    column: int
    words: tuple[str, ...]
    rows: tuple[int, ...]


class GroupFigures(NamedTuple):
    """What one part of the hold-out set says of a tree.

    Parameters
    ----------
    score : float
        Accuracy or mean cost; in regression the mean absolute error.
    low, high : float
        95 % interval of the score; NaN where it is unknown.
    observed, predicted : float
        Proportion of the rows that are of the positive class (without one, of the second of two
        classes) and that are predicted as it; in regression the means of true and predicted
        numbers; NaN where there are more classes and none is the positive one.
    recall : float
        Proportion of the rows of that class that are predicted as it; NaN where there are none.
    """

    score: float
    low: float
    high: float
    observed: float
    predicted: float
    recall: float


@dataclass(frozen=True, slots=True)
class Residuals:
    """How far predicted numbers are from the true ones.

    Parameters
    ----------
    mean_absolute : float
        Mean distance.
    root_mean_square : float
        Root of the mean squared distance.
    variance_explained : float
        One minus the squared distances over those from the mean.
    quantiles : tuple of (float, float)
        Pairs of a proportion and the distance that this proportion of the rows does not exceed.
    points : tuple of (float, float), default ()
        Pairs of a predicted and a true number for some test rows; none if no rows may be shown.
    """

    mean_absolute: float
    root_mean_square: float
    variance_explained: float
    quantiles: tuple[tuple[float, float], ...]
    points: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What rows that a tree has not seen say of it.

    Parameters
    ----------
    rows : float
        Number of test rows.
    score : float
        Score on them.
    low, high : float
        95 % interval of the score.
    confusion : Confusion or None, default None
        In classification.
    classes : tuple of ClassFigures, default ()
        In classification, in the order of the schema's classes.
    calibration : tuple of CalibrationPoint, default ()
        In classification, from the lowest predicted probability up.
    residuals : Residuals or None, default None
        In regression.
    balanced_accuracy : float or None, default None
        In classification: the mean recall of the classes that occur.
    ranking : Ranking or None, default None
        With two classes or a positive one, where both kinds of rows occur.
    groups : tuple of tuple of GroupFigures, default ()
        For each grouping of the page the figures of its parts.
    """

    rows: float
    score: float
    low: float
    high: float
    confusion: Confusion | None = None
    classes: tuple[ClassFigures, ...] = ()
    calibration: tuple[CalibrationPoint, ...] = ()
    residuals: Residuals | None = None
    balanced_accuracy: float | None = None
    ranking: Ranking | None = None
    groups: tuple[tuple[GroupFigures, ...], ...] = ()
