"""RuleSetClassifier: grows a tree, makes rules of it, and lets the rules predict."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright.base.parameters import Check, none, one_of
from treewright.estimators.class_predictions import ClassPredictions
from treewright.estimators.classifier import TreeClassifier
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.parameter_json import parameters_to_json
from treewright.estimators.settings import GrowthRules
from treewright.estimators.weights import check_weights, read_weights, totals_by_class
from treewright.modelfile import ModelFile, write_model
from treewright.rules import RuleSet, rule_set
from treewright.rules.making import CHECKS
from treewright.schema import encode_labels, keep_rows
from treewright.splits import Axis
from treewright.tree import Tree

__all__ = ["RuleSetClassifier", "c45_growth"]

_LEAST_WEIGHT = 2.0  # of two branches, in C4.5


def c45_growth() -> dict[str, Any]:
    """Return how C4.5 grows trees, but for the least weight of a branch."""
    return {
        "split": Axis(rules="c45"),
        "criterion": "entropy",
        "gain": "ratio",
        "categorical": "multiway",
        "missing": "fraction",
        "growth_rules": GrowthRules(collapse=True),
    }


class RuleSetClassifier(ClassifierMixin, ClassPredictions):  # type: ignore[misc]
    r"""Rules from a tree, as C4.5 makes them: an ordered list that can be read one by one.

    A rule from each leaf loses the conditions that do not make it more reliable; for each class the
    rules that describe it in the fewest bits are kept and put in order; rows that meet no rule get
    a default class. See :func:`treewright.rules.rule_set`.

    Parameters
    ----------
    tree : TreeClassifier or None, default None
        How the tree is grown, best without pruning, as the rules are simplified themselves. None
        grows as C4.5 does: gain ratio, a branch per level, fractional rows for missing values, a
        weight of 2 in two branches at least. Costs have no place in rules: use its `class_weight`.
        Set it when the rules shall come from another tree.
    confidence : float, default 0.25
        Confidence factor of the pessimistic error rate. Lower it to drop more conditions.
    bound : {"exact", "normal", "c45", "none"}, default "exact"
        How the pessimistic rate is found, see ``treewright.statistics.error_bounds``;
        ``"c45"`` as release 8 of C4.5 does. ``"none"`` takes the plain error rate, as textbooks do.
        Change it to repeat one of these.
    selection : {"description_length", "none"}, default "description_length"
        Which rules are kept: for each class those with the shortest description, less those that
        do harm where they stand; or all. Change it when no rule shall be lost.
    ordering : {"class", "accuracy"}, default "class"
        Rules of one class together, or the most accurate first. Change it when the first rules are
        read most; with ``selection="none"`` and ``bound="none"`` these are the rules of textbooks.
    interval : float, default 0.95
        Level of the interval that is printed for the probability of a rule. Change it when readers
        expect another.
    random_state : int, RandomState or None, default 0
        Seed of the search for a subset where a class has more than 20 rules. Change it to see
        whether the choice depends on chance.
    progress : callable or None, default None
        Called now and then, once the tree is grown, with the proportion of the rest that is done.
        Set it to show progress.

    Attributes
    ----------
    rules_ : RuleSet
        The rules; ``print(rules_)`` shows them.
    tree_ : Tree
        The tree they were made from.
    schema_ : Schema
        Columns, levels and classes.
    classes_ : ndarray
        Class labels in the order of their columns in ``predict_proba``.
    n_features_in_, feature_names_in_ : int, ndarray of str
        As in scikit-learn.

    See Also
    --------
    TreeClassifier : The tree itself, and its rules as they are.
    treewright.rules.rule_set : Rules of a tree that is there already.

    References
    ----------
    Quinlan (1993), *C4.5: Programs for Machine Learning*, chapter 5.

    Examples
    --------
    >>> from treewright import RuleSetClassifier
    >>> loans = {
    ...     "income": [20, 35, 50, 28, 61, 45, 22, 80],
    ...     "home": ["rent", "own", "own", "rent", "rent", "own", "rent", "own"],
    ... }
    >>> repaid = ["no", "yes", "yes", "no", "yes", "yes", "no", "yes"]
    >>> model = RuleSetClassifier().fit(loans, repaid)
    >>> print("\n".join(model.rules()))
    if income <= 30 then no (100 %, 3 rows, 95 % interval 43-100 %)
    if income > 30 then yes (100 %, 5 rows, 95 % interval 56-100 %)
    otherwise yes (0 rows)
    >>> model.predict([{"income": 30, "home": "own"}])
    array(['no'], dtype='<U3')
    """

    rules_: RuleSet
    tree_: Tree

    _checks: ClassVar[dict[str, Check]] = {
        "tree": one_of(
            none(), Check("a TreeClassifier", lambda value: isinstance(value, TreeClassifier))
        ),
        **CHECKS,
        "progress": Check("None or a callable", lambda value: value is None or callable(value)),
    }

    def __init__(
        self,
        tree: TreeClassifier | None = None,
        *,
        confidence: float = 0.25,
        bound: str = "exact",
        selection: str = "description_length",
        ordering: str = "class",
        interval: float = 0.95,
        random_state: Any = 0,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        self.tree = tree
        self.confidence = confidence
        self.bound = bound
        self.selection = selection
        self.ordering = ordering
        self.interval = interval
        self.random_state = random_state
        self.progress = progress

    @all_or_nothing
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RuleSetClassifier:
        """Grow the tree and make the rules.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            Training rows: numbers, booleans, categories and text; values may be missing.
        y : array-like or series
            One class label per row.
        sample_weight : array-like of float or None, default None
            Weight of each row, which counts as so many rows; rows of weight 0 are as if absent.

        Returns
        -------
        RuleSetClassifier
            The fitted estimator.
        """
        self._check_parameters()
        X, y, sample_weight = keep_rows(X, y, read_weights(sample_weight))
        codes, labels = encode_labels(y, estimator_name=type(self).__name__)
        weights = check_weights(sample_weight, len(codes))
        model = self._unfitted(float(weights.sum())).fit(X, y, sample_weight)
        totals = totals_by_class(codes, weights, labels)
        weights = weights * model._weighting.factors(totals)[codes]
        rules = rule_set(
            model.tree_,
            X,
            y,
            weights,
            confidence=self.confidence,
            bound=self.bound,
            selection=self.selection,
            ordering=self.ordering,
            interval=self.interval,
            random_state=self.random_state,
            progress=self.progress,
        )
        self._tell(model.tree_, rules)
        return self

    def _unfitted(self, total_weight: float) -> TreeClassifier:
        if self.tree is not None:
            given: TreeClassifier = clone(self.tree)
            return given
        least = min(_LEAST_WEIGHT / total_weight, 0.5)
        return TreeClassifier(**c45_growth(), min_weight_fraction_leaf=least)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.tree is not None and self.tree.cost_matrix is not None:
            raise ValueError(
                "The 'tree' parameter of RuleSetClassifier must have no 'cost_matrix', as rules "
                "are chosen by their errors; use its 'class_weight' instead."
            )

    def _tell(self, tree: Tree, rules: RuleSet) -> None:
        """Become fitted."""
        self.tree_, self.rules_ = tree, rules
        self._take_schema(tree.schema)

    def _restore(self, tree: Tree, rules: RuleSet) -> None:
        """Become fitted with what was loaded, after checking the parameters."""
        self._check_parameters()
        if self.tree is not None:
            clone(self.tree)._restore(tree)  # refuses what fit would refuse
        self._tell(tree, rules)

    def _columns_read(self) -> tuple[int, ...]:
        return self.rules_.columns_read

    def _labels(self, table: _core.Table) -> NDArray[Any]:
        return self.rules_.predict(table)

    def _probabilities(self, table: _core.Table) -> NDArray[np.float64]:
        return self.rules_.distribution(table)

    def apply(self, X: Any) -> NDArray[np.intp]:
        """Return the rule that decides each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        ndarray of int
            Positions in ``rules_.rules``, -1 for the default.
        """
        table = self._table(X)
        return self.rules_.apply(table)

    def rules(self) -> list[str]:
        """Return the rules in words, one line each, the default last."""
        check_is_fitted(self)
        return self.rules_.to_sentences()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file that :func:`treewright.load` reads.

        Parameters
        ----------
        path : str or path-like
            Where to write. The file appears whole or not at all.

        Notes
        -----
        What :meth:`treewright.TreeClassifier.save` does not write is not written here either.
        """
        check_is_fitted(self)
        parameters = parameters_to_json({**self.get_params(deep=False), "tree": None})
        if self.tree is not None:
            own = parameters_to_json(self.tree.get_params(deep=False))
            parameters["tree"] = {"estimator": "TreeClassifier", "parameters": own}
        model = ModelFile(self.tree_, type(self).__name__, parameters, rules=self.rules_)
        write_model(path, model)
