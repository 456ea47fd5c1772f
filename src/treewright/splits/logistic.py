"""Oblique splits by logistic regression over bipartitions of the classes."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, boolean, choice, count, none, number, one_of
from treewright.splits.base import SplitMethod

__all__ = ["Logistic"]


class Logistic(SplitMethod):
    """Ideal splits: the decision boundary of a logistic regression on the numeric columns.

    The classes of a node are divided in two in several ways. For each a logistic regression of
    "the class is inside" is fitted, and the boundary that is best for the original classes is
    taken. ``Best(Axis(), Logistic())`` lets splits on one column compete with it.

    Parameters
    ----------
    concise : {"aic", "bic", "l1_aic", "l1_bic"} or None, default "bic"
        How columns that do not matter are left out of a split: step by step by an information
        criterion, or by the best one along an L1 path. None keeps all columns, and the next five
        parameters have no part.
    scope : {"best", "all"}, default "best"
        Make only the best boundary concise, or all of them before the best is chosen.
    direction : {"backward", "forward", "both"}, default "backward"
        For "aic" and "bic": whether steps drop columns, add some, or both.
    events : float or None, default 5
        Rows of the smaller group of classes that each column of a concise split must stand on,
        unless only longer splits leave enough rows on both sides. Where groups can be separated,
        information criteria keep columns without end. None sets no limit.
    max_terms : int or None, default None
        Most columns in a split. Where no boundary of so few columns leaves rows on both sides, the
        best threshold on one column is taken. Not with ``concise=None``.
    relaxed : bool, default True
        For "l1_aic" and "l1_bic": refit the columns chosen along the path without the penalty.
    bipartitions : {"auto", "exhaustive", "one_vs_rest", "clustered", "random"}, default "auto"
        Ways of dividing the classes. "auto" tries all of them if there are at most
        `max_bipartitions`, and otherwise each class against the others, clusters of classes,
        classes in order along principal directions, and ways drawn from a stream that is the same
        in every fit. "random" draws them by the estimator's `random_state`.
    max_bipartitions : int, default 127
        Ways tried at a node; "exhaustive" tries all.
    threshold : {"boundary", "best"}, default "boundary"
        Cut where both sides are as likely, or where it is best for the classes. "best" finds a cut
        nearly everywhere, so it wants pruning.
    solver : {"ridge", "irls"}, default "ridge"
        "irls" is what R's ``glm`` does, for comparison with programs built on it: it divides all
        classes, also those that are not in a node, and has no unique solution where groups can be
        separated.
    tau : float, default 1e-4
        The ridge, on standardised columns. Not with "irls".
    climb : bool, default False
        Move the coefficients of the chosen split, one at a time, as long as the impurity of the
        node falls. They are then no longer those of maximum likelihood. Not with "irls".

    See Also
    --------
    MUST : Linear combinations of a few columns by discriminant analysis.
    Climb : The same climb from any method.
    treewright.recipes.oblique_logistic : The whole system, with pruning.

    Notes
    -----
    For classification only. Rows with a missing value take no part in the fits; columns join in the
    order of their missing values while half of a node is known in all of them. Weights count as so
    many rows; if they sum to less than the rows, as proportions of them. With one numeric column
    the split is the best threshold on it.

    References
    ----------
    Truong (2009), Fast growing and concise oblique trees via logistic regression models,
    DPhil thesis, University of Oxford.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = TreeClassifier(split=Logistic(), criterion="deviance", min_samples_leaf=5)
    >>> model.fit(X, y).tree_.n_leaves
    3
    """

    _checks: ClassVar[dict[str, Check]] = {
        "concise": one_of(none(), choice("aic", "bic", "l1_aic", "l1_bic")),
        "scope": choice("best", "all"),
        "direction": choice("backward", "forward", "both"),
        "events": one_of(none(), number(0, above=True)),
        "max_terms": one_of(none(), count(1)),
        "relaxed": boolean(),
        "bipartitions": choice("auto", "exhaustive", "one_vs_rest", "clustered", "random"),
        "max_bipartitions": count(1),
        "threshold": choice("boundary", "best"),
        "solver": choice("ridge", "irls"),
        "tau": number(0, above=True),
        "climb": boolean(),
    }

    def __init__(
        self,
        concise: str | None = "bic",
        *,
        scope: str = "best",
        direction: str = "backward",
        events: float | None = 5.0,
        max_terms: int | None = None,
        relaxed: bool = True,
        bipartitions: str = "auto",
        max_bipartitions: int = 127,
        threshold: str = "boundary",
        solver: str = "ridge",
        tau: float = 1e-4,
        climb: bool = False,
    ) -> None:
        self.concise = concise
        self.scope = scope
        self.direction = direction
        self.events = events
        self.max_terms = max_terms
        self.relaxed = relaxed
        self.bipartitions = bipartitions
        self.max_bipartitions = max_bipartitions
        self.threshold = threshold
        self.solver = solver
        self.tau = tau
        self.climb = climb

    @property
    def for_classes_only(self) -> bool:
        """Whether the method has no form for a numeric target."""
        return True

    def check(self) -> None:
        """Refuse parameters of wrong values, and those that do not go together."""
        super().check()
        if self.climb and self.solver == "irls":
            raise ValueError("Logistic(climb=True) needs solver='ridge'. Got 'irls'.")
        if self.max_terms is not None and self.concise is None:
            raise ValueError("Logistic(max_terms=) needs a criterion in 'concise'. Got None.")

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = {
            "concise": self.concise or "none",
            "scope": self.scope,
            "direction": self.direction,
            "events": float(self.events or 0.0),
            "max_terms": float(self.max_terms or 0),
            "relaxed": float(self.relaxed),
            "bipartitions": self.bipartitions,
            "max_bipartitions": float(self.max_bipartitions),
            "threshold": self.threshold,
            "solver": self.solver,
            "tau": float(self.tau),
            "climb": float(self.climb),
        }
        return _core.make_method("logistic", parameters, [])
