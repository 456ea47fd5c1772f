"""What classifiers may be told of their classes: costs of mistakes, frequencies, what is best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias

from numpy.typing import ArrayLike

from treewright.base.parameters import Check, anything, choice, count
from treewright.base.settings import Settings

__all__ = ["F1", "ClassWeight", "CostMatrix", "Costs", "LogLoss", "Priors"]


class Costs(Settings):
    """What mistakes cost, and how the costs reach the choice of splits.

    Given as `cost_matrix` of a classifier that grows; a matrix alone is ``Costs(matrix)``.

    Parameters
    ----------
    matrix : array-like of shape (n_classes, n_classes) or mapping
        Cost of predicting the column's class when the row's is true, in the order of `classes_`; or
        ``{true: {predicted: cost}}`` with every pair of classes.
    in_split : {"priors", "gini", "none"}, default "priors"
        How costs reach the choice of splits: as altered priors; inside the Gini index as in
        textbooks (with ``criterion="gini"``; only the symmetric part of the costs counts); or not,
        so that they choose the predictions of leaves alone. Change it when results of a textbook
        shall be repeated.

    See Also
    --------
    treewright.TreeClassifier : Whose `cost_matrix` parameter takes it.
    Priors : Where classes are more or less frequent than in training.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), *Classification and Regression Trees*, section 4.4.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> from treewright.estimators import Costs
    >>> missed = {"ill": {"well": 10}, "well": {"ill": 1}}
    >>> model = TreeClassifier(cost_matrix=Costs(missed, in_split="none"), max_depth=1)
    >>> model = model.fit([[36.5], [37.0], [37.2], [39.0]], ["well", "well", "ill", "ill"])
    >>> model.predict([[37.1]])
    array(['ill'], dtype='<U4')
    """

    _checks: ClassVar[dict[str, Check]] = {
        "matrix": anything("a matrix or a mapping"),
        "in_split": choice("priors", "gini", "none"),
    }

    def __init__(
        self, matrix: ArrayLike | Mapping[Any, Mapping[Any, float]], *, in_split: str = "priors"
    ) -> None:
        self.matrix = matrix
        self.in_split = in_split


class Priors(Settings):
    """How frequent each class is where the model will be used, if not as in training.

    Given as `class_weight`: the rows of each class are weighted to have these proportions.

    Parameters
    ----------
    probabilities : mapping or array-like of shape (n_classes,)
        Probability of each class by label, or in the order of `classes_`; they are divided by their
        sum.

    See Also
    --------
    treewright.TreeClassifier : Whose `class_weight` parameter takes it.
    Costs : Where one mistake is worse than another.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> from treewright.estimators import Priors
    >>> model = TreeClassifier(class_weight=Priors({"ill": 0.01, "well": 0.99}), max_depth=1)
    >>> model = model.fit([[36.5], [37.0], [37.0], [39.0]], ["well", "well", "ill", "ill"])
    >>> model.predict_proba([[37.0]]).round(3)
    array([[0.005, 0.995]])
    """

    _checks: ClassVar[dict[str, Check]] = {"probabilities": anything("numbers or a mapping")}

    def __init__(self, probabilities: ArrayLike | Mapping[Any, float]) -> None:
        self.probabilities = probabilities


class F1(Settings):
    """The F1 score of one class: the harmonic mean of its precision and recall.

    Given as `objective` of an estimator of optimal classification trees; ``"f1"`` is ``F1()``.

    Parameters
    ----------
    pos_label : class label or None, default None
        The class; None takes the second of two. Set it where there are more classes, or the first
        one matters.

    See Also
    --------
    treewright.OptimalTreeClassifier : Whose `objective` parameter takes it.

    References
    ----------
    Dinkelbach (1967), On nonlinear fractional programming, *Management Science* 13.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier
    >>> from treewright.estimators import F1
    >>> X, y = [[1], [2], [3], [4], [5], [6]], ["well", "well", "ill", "well", "well", "ill"]
    >>> model = OptimalTreeClassifier(1, objective=F1("ill")).fit(X, y)
    >>> print(model.certificate_)  # doctest: +ELLIPSIS
    Objective 0.3333333333 (F1 of ill 0.6667), proven optimal in ... s:
    none of the trees of depth 1 at most over all 5 thresholds of 1 numeric column does better.
    """

    _checks: ClassVar[dict[str, Check]] = {"pos_label": anything("a class label or None")}

    def __init__(self, pos_label: Any = None) -> None:
        self.pos_label = pos_label


class LogLoss(Settings):
    """The log loss of two classes, over leaves that state a probability in steps.

    Given as `objective` of an estimator of optimal classification trees; ``"log_loss"`` is
    ``LogLoss()``.

    Parameters
    ----------
    n_steps : int, default 20
        A leaf states a multiple of one over this, 5 % by default, but neither 0 nor 1. Raise it,
        up to 100, when probabilities shall be finer; the search takes longer.

    See Also
    --------
    treewright.OptimalTreeClassifier : Whose `objective` parameter takes it.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier
    >>> from treewright.estimators import LogLoss
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 1, 1, 1, 1]
    >>> model = OptimalTreeClassifier(1, objective=LogLoss(n_steps=10)).fit(X, y)
    >>> model.predict_proba([[1], [6]])
    array([[0.9, 0.1],
           [0.1, 0.9]])
    """

    _checks: ClassVar[dict[str, Check]] = {"n_steps": count(3, 100)}

    def __init__(self, n_steps: int = 20) -> None:
        self.n_steps = n_steps


CostMatrix: TypeAlias = Costs | ArrayLike | Mapping[Any, Mapping[Any, float]] | None
ClassWeight: TypeAlias = Priors | Mapping[Any, float] | str | None
