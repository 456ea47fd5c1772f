"""What belongs together among the parameters of growth, as one value each with its own defaults."""

from __future__ import annotations

from typing import ClassVar

from treewright.base.parameters import (
    Check,
    boolean,
    fraction,
    integer,
    none,
    number,
    one_of,
)
from treewright.base.settings import Settings

__all__ = ["EarlyStopping", "GrowthRules", "Surrogates"]


class Surrogates(Settings):
    """Missing values are sent by surrogate splits: on other columns, those that agree best (CART).

    Given as `missing` of an estimator. ``missing="surrogate"`` is ``Surrogates()``, and
    ``missing="surrogate_or_stop"`` is ``Surrogates(stop=True)``.

    Parameters
    ----------
    max_surrogates : int, default 5
        Most surrogates kept at a node. Lower it when the tree shall be short to print; raise it
        when rows lack values in many columns at once.
    stop : bool, default False
        What becomes of a row that no surrogate can place: it takes the heavier branch, or (True) it
        stops and the node where it stands predicts. Change it when a guess is worse than a coarse
        prediction.

    See Also
    --------
    treewright.TreeClassifier : Whose `missing` parameter takes it.

    References
    ----------
    Breiman, Friedman, Olshen, Stone (1984), *Classification and Regression Trees*, section 5.3.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> from treewright.estimators import Surrogates
    >>> patients = {
    ...     "age": [30, 40, 50, 60, 70, None],
    ...     "pressure": [110, 120, 125, 150, 160, 155],
    ... }
    >>> model = TreeClassifier(missing=Surrogates(max_surrogates=1), max_depth=1)
    >>> model = model.fit(patients, ["well", "well", "well", "ill", "ill", "ill"])
    >>> model.predict([{"age": 35, "pressure": None}])
    array(['well'], dtype='<U4')
    """

    _checks: ClassVar[dict[str, Check]] = {"max_surrogates": integer(0), "stop": boolean()}

    def __init__(self, max_surrogates: int = 5, *, stop: bool = False) -> None:
        self.max_surrogates = max_surrogates
        self.stop = stop


class EarlyStopping(Settings):
    """Growth stops where a validation set speaks against more leaves.

    Growth is then best-first, and the tree with the smallest loss on the validation set is kept.
    Given as `early_stopping` of :class:`GrowthRules`.

    Parameters
    ----------
    fraction : float, default 0.1
        Proportion of the rows in the validation set, which are not grown on. Raise it when there
        are few rows and the choice is unsteady.
    patience : int, default 10
        Expansions without a smaller validation loss before growth stops. Raise it when trees end
        too early on noisy data.

    See Also
    --------
    GrowthRules : Which takes it.
    treewright.prune.CostComplexity : Chooses the size by cross-validation, on all rows.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from treewright import TreeClassifier
    >>> from treewright.estimators import EarlyStopping, GrowthRules
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> rules = GrowthRules(early_stopping=EarlyStopping(0.3))
    >>> early = TreeClassifier(growth_rules=rules, random_state=0).fit(X, y)
    >>> early.tree_.n_leaves < TreeClassifier().fit(X, y).tree_.n_leaves
    True
    """

    _checks: ClassVar[dict[str, Check]] = {"fraction": fraction(), "patience": integer(1)}

    def __init__(self, fraction: float = 0.1, *, patience: int = 10) -> None:
        self.fraction = fraction
        self.patience = patience


class GrowthRules(Settings):
    """Rules of growth that few fits need: those of published systems, and early stopping.

    Parameters
    ----------
    zero_gain : bool, default False
        Also split where nothing is gained at once, as ID3 does. Change it when a split pays only
        together with the next one, or when the split method chooses by something else than gain.
    min_impurity_fraction : float, default 0.0
        A node whose weighted impurity is below this proportion of the root's stays a leaf. Raise it
        when growth shall end where little is left to explain.
    collapse : bool, default False
        Make a leaf of every inner node that corrects no training error, as C4.5 does. Change it
        when only the predicted class matters.
    early_stopping : EarlyStopping or None, default None
        Stop by a validation set; for estimators with one tree. Use it when there are many rows and
        growing is slow; otherwise prefer `prune`.

    See Also
    --------
    treewright.TreeClassifier : Whose `growth_rules` parameter takes it.
    treewright.recipes : Published systems with the rules they have.

    Examples
    --------
    An exclusive or: no first split gains anything by itself.

    >>> from treewright import TreeClassifier
    >>> from treewright.estimators import GrowthRules
    >>> switches = {"upstairs": [0, 0, 1, 1], "downstairs": [0, 1, 0, 1]}
    >>> light = ["off", "on", "on", "off"]
    >>> TreeClassifier().fit(switches, light).tree_.n_leaves
    1
    >>> TreeClassifier(growth_rules=GrowthRules(zero_gain=True)).fit(switches, light).tree_.n_leaves
    4
    """

    _checks: ClassVar[dict[str, Check]] = {
        "zero_gain": boolean(),
        "min_impurity_fraction": number(0, 1),
        "collapse": boolean(),
        "early_stopping": one_of(
            none(), Check("an EarlyStopping", lambda value: isinstance(value, EarlyStopping))
        ),
    }

    def __init__(
        self,
        *,
        zero_gain: bool = False,
        min_impurity_fraction: float = 0.0,
        collapse: bool = False,
        early_stopping: EarlyStopping | None = None,
    ) -> None:
        self.zero_gain = zero_gain
        self.min_impurity_fraction = min_impurity_fraction
        self.collapse = collapse
        self.early_stopping = early_stopping

    def check(self) -> None:
        """Refuse a parameter of a wrong value, here and in `early_stopping`."""
        super().check()
        if self.early_stopping is not None:
            self.early_stopping.check()
