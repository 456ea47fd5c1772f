"""What forests have in common: many trees, each grown on a bag of rows, that vote (Breiman 2001).

A forest is a reference for accuracy, not a model to read. Its trees are ordinary trees all the
same, of any split method, and each of them prints.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright.base.parameters import Check, boolean, integer, none, number, one_of
from treewright.base.workers import Workers
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.constraints import Constraints, check_constraints
from treewright.estimators.estimator import Estimator
from treewright.estimators.forest.bags import Bags
from treewright.estimators.forest.growth import ForestGrowth
from treewright.estimators.forest.out_of_bag import (
    LossOfRows,
    out_of_bag_votes,
    permutation_importances,
)
from treewright.estimators.forest.votes import mean_votes
from treewright.estimators.monotonic import MONOTONIC_CHECK, Monotonic, check_monotonic
from treewright.estimators.options import GROWTH_CHECKS, GrowthOptions, check_split
from treewright.estimators.parameter_json import parameters_to_json
from treewright.estimators.settings import GrowthRules
from treewright.estimators.targets import ClassTarget, NumberTarget
from treewright.estimators.training import TrainingRows
from treewright.exceptions import OutOfBagWarning, SchemaError, TimeLimitWarning
from treewright.modelfile import ForestFile, ModelFile, write_model
from treewright.schema import Schema
from treewright.tree import Tree
from treewright.words import name_text, plural

__all__ = ["FOREST_CHECKS", "Forest", "Planted", "describe"]

_JUDGED = (
    "oob_score_",
    "oob_decision_function_",
    "oob_prediction_",
    "permutation_importances_",
    "permutation_importances_std_",
)
_SEEDS = 2**53  # every reader of a model file has integers below it exactly


class Planted(NamedTuple):
    """The forest of an earlier fit, to which trees are added."""

    schema: Schema
    trees: list[Tree]
    bags: Bags


FOREST_CHECKS: dict[str, Check] = {
    **GROWTH_CHECKS,
    "n_estimators": integer(1),
    "bootstrap": boolean(),
    "max_samples": one_of(none(), integer(1), number(0, 1, above=True)),
    "oob_score": one_of(boolean(), Check("a callable", callable)),
    "permutation_repeats": integer(0),
    "warm_start": boolean(),
    "monotonic_cst": MONOTONIC_CHECK,
}
"""What the parameters of forests may be."""


class Forest(Estimator):
    """Common part of the forests; not used by itself."""

    trees_: list[Tree]
    oob_score_: float
    permutation_importances_: NDArray[np.float64]
    permutation_importances_std_: NDArray[np.float64]

    _bags: Bags
    _weighting: ClassWeighting | None = None  # of classifiers, once they are fitted

    stopped_by_time_limit_: bool
    n_estimators: int
    bootstrap: bool
    max_samples: int | float | None
    n_jobs: int | None
    oob_score: bool | Callable[[Any, Any], float]
    permutation_repeats: int
    warm_start: bool
    random_state: Any
    monotonic_cst: Monotonic
    constraints: Constraints | None
    growth_rules: GrowthRules | None
    time_limit: float | None
    progress: Callable[[float], None] | None

    # ------------------------------------------------------------------ growth

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_split(self)
        check_monotonic(self)
        check_constraints(self)
        if self.constraints is not None and self.constraints.max_columns is not None:
            raise ValueError(
                f"The 'constraints' parameter of {type(self).__name__} must have no 'max_columns', "
                "which is for estimators with one tree: trees of a forest read different columns."
            )
        if self.growth_rules is not None and self.growth_rules.early_stopping is not None:
            raise ValueError(
                f"The 'growth_rules' parameter of {type(self).__name__} must have no "
                "'early_stopping', which is for estimators with one tree; lower 'max_depth' or "
                "'max_leaf_nodes' instead."
            )
        needs_bags = {
            "max_samples": self.max_samples is not None,
            "oob_score": bool(self.oob_score),
            "permutation_repeats": self.permutation_repeats > 0,
        }
        for name, is_asked in needs_bags.items():
            if is_asked and not self.bootstrap:
                raise ValueError(
                    f"The {name!r} parameter of {type(self).__name__} is for bootstrap=True: "
                    "without bags every tree learns from all rows."
                )

    def _planted(self) -> Planted | None:
        """Return what trees are to be added to; fit asks before it changes anything."""
        if not self.warm_start or not hasattr(self, "trees_"):
            return None
        if self.n_estimators < len(self.trees_):
            raise ValueError(
                f"The 'n_estimators' parameter of {type(self).__name__} must be at least the "
                f"{plural(len(self.trees_), 'tree')} there are when warm_start=True. Got "
                f"{self.n_estimators} instead."
            )
        return Planted(self.schema_, self.trees_, self._bags)

    def fit_rows(self, rows: TrainingRows) -> Self:
        """Grow the forest on rows that have been read; for estimators that use a forest.

        Parameters
        ----------
        rows : TrainingRows
            The rows, with their target and weights.

        Returns
        -------
        Forest
            The fitted forest.
        """
        self._check_parameters()
        self._fit_rows(rows, None)
        return self

    def _fit_rows(self, rows: TrainingRows, planted: Planted | None) -> None:
        """Take what the rows say of columns and classes, and grow."""
        raise NotImplementedError

    def _fit_forest(
        self,
        rows: TrainingRows,
        target: ClassTarget | NumberTarget,
        planted: Planted | None,
    ) -> None:
        """Grow the trees, and judge them by the rows out of their bags."""
        values, n_given = rows.values, rows.n_given
        positions = np.arange(len(values)) if rows.kept is None else rows.kept
        # Rows of weight 0 are not drawn: a bag of nothing else would teach nothing.
        if not target.weights.all():
            counted = np.flatnonzero(target.weights)
            values, target, positions = values[counted], target.part(counted), positions[counted]
        self._bags = self._plan(len(values), planted)
        for name in _JUDGED if planted else ("trees_", *_JUDGED):  # of an earlier fit
            if name in vars(self):
                delattr(self, name)
        table = _core.Table(values, self.schema_.n_levels)
        old = [] if planted is None else planted.trees
        workers = Workers(self.n_jobs, self.progress)
        workers.expect(self.n_estimators - len(old))
        if self.oob_score:
            workers.expect(1)
        if self.permutation_repeats:
            workers.expect(self.n_estimators)
        self.trees_ = [*old, *self._grow_trees(table, target, len(old), workers)]
        if self.permutation_repeats:  # at the time limit there are fewer
            workers.expect(len(self.trees_) - self.n_estimators)
        if self.stopped_by_time_limit_:
            warnings.warn(
                f"Growth stopped at the time limit of {self.time_limit:g} s with "
                f"{plural(len(self.trees_), 'tree')} of the {self.n_estimators} asked for. Raise "
                "'time_limit', or lower 'n_estimators'.",
                TimeLimitWarning,
                stacklevel=5,
            )
        if self.oob_score:
            hard = self._votes_are_hard
            votes = out_of_bag_votes(self.trees_, self._bags, table, hard=hard, workers=workers)
            self.oob_score_ = self._tell_out_of_bag(votes, target, positions, n_given)
        if self.permutation_repeats:
            self.permutation_importances_, self.permutation_importances_std_ = (
                permutation_importances(
                    self.trees_,
                    self._bags,
                    table,
                    target.case_weights,
                    self._loss_of(target),
                    self.permutation_repeats,
                    workers,
                )
            )

    def _grow_trees(
        self, table: _core.Table, target: ClassTarget | NumberTarget, first: int, workers: Workers
    ) -> list[Tree]:
        """Grow the trees from number `first` on."""
        options, schema, weighting = GrowthOptions.of(self), self.schema_, self._weighting
        rules, trends = options.limits(schema).core(), options.trends(schema)

        def make_options(total_weight: float) -> _core.GrowOptions:
            core = options.core(table.n_rows, total_weight, schema.n_columns)
            core.columns = rules
            core.trends = trends
            if weighting is not None:
                weighting.put_costs(core)
            return core

        growth = ForestGrowth(
            table,
            self._bags,
            lambda number: self._target_of_bag(target, number),
            lambda: options.method(schema),
            make_options,
            self.time_limit,
        )
        grown, self.stopped_by_time_limit_ = growth.grow(first, self.n_estimators - first, workers)
        return [Tree(core, self.schema_) for core in grown]

    def _plan(self, n_rows: int, planted: Planted | None) -> Bags:
        """Return the bags of this fit, which are those of the forest that trees are added to."""
        n_draws = None
        if self.bootstrap:
            asked = 1.0 if self.max_samples is None else self.max_samples
            is_count = isinstance(asked, Integral)
            if is_count and asked > n_rows:
                raise ValueError(
                    f"The 'max_samples' parameter of {type(self).__name__} must be at most the "
                    f"number of rows, {n_rows}. Got {asked} instead."
                )
            n_draws = int(asked) if is_count else max(1, round(asked * n_rows))
        if planted is None:
            random = check_random_state(self.random_state)
            return Bags(int(random.randint(0, _SEEDS, dtype=np.int64)), n_rows, n_draws)
        if planted.schema != self.schema_:
            raise SchemaError(
                "Trees can be added (warm_start=True) for the columns, levels and classes of the "
                "first fit only; set warm_start=False to grow again."
            )
        if (planted.bags.n_rows, planted.bags.n_draws) != (n_rows, n_draws):
            raise ValueError(
                f"Trees can be added (warm_start=True) on the {planted.bags.n_rows} rows and with "
                "the 'bootstrap' and 'max_samples' of the first fit only; set warm_start=False to "
                "grow again."
            )
        return planted.bags

    @property
    def _votes_are_hard(self) -> bool:
        """Whether each tree has one vote; only classifiers may say so."""
        return False

    def _target_of_bag(self, target: Any, number: int) -> Any:
        """Return what one tree learns from."""
        return target if self._bags.n_draws is None else target.times(self._bags.counts(number))

    def _tell_out_of_bag(
        self,
        votes: NDArray[np.float64],
        target: Any,
        positions: NDArray[np.intp],
        n_given: int,
    ) -> float:
        """Keep what trees say of rows out of their bags, and give its score.

        `positions` are those of the rows among the `n_given` rows of the user.
        """
        raise NotImplementedError

    def _loss_of(self, target: Any) -> LossOfRows:
        """Return what a wrong prediction costs."""
        raise NotImplementedError

    def _answered(self, votes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell which rows some tree did not learn from, and warn if not all."""
        answered = ~np.isnan(votes[:, 0])
        if not answered.all():
            n_rows = int(np.count_nonzero(~answered))
            warnings.warn(
                f"{n_rows} of {plural(len(votes), 'row')} cannot be judged out of bag (NaN), being "
                f"in the bags of all {plural(len(self.trees_), 'tree')}. Raise 'n_estimators', or "
                "lower 'max_samples'.",
                OutOfBagWarning,
                stacklevel=7,
            )
        return answered

    # ------------------------------------------------------------------ reading

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "trees_")

    def _columns_read(self) -> list[int]:
        return sorted(set[int]().union(*(tree.columns_read for tree in self.trees_)))

    def _votes(self, table: _core.Table) -> NDArray[np.float64]:
        """Return the mean vote of the trees for each row."""
        return mean_votes(self.trees_, table, hard=self._votes_are_hard, n_jobs=self.n_jobs)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the node each row ends in, in each tree.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        ndarray of int32 of shape (n_rows, n_trees)
            Ids of nodes, see :meth:`treewright.TreeClassifier.apply`.
        """
        table = self._table(X)
        workers = Workers(self.n_jobs)
        nodes = workers.run(lambda number, _: self.trees_[number].apply(table), len(self.trees_))
        return np.stack(nodes, axis=1)

    def decision_path(self, X: Any) -> tuple[csr_matrix, NDArray[np.intp]]:
        """Return which nodes of all trees each row passes.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The rows.

        Returns
        -------
        passed : csr_matrix of shape (n_rows, n_nodes)
            1 where the row passes the node; the nodes of all trees stand side by side.
        starts : ndarray of int
            The nodes of tree ``i`` are the columns from ``starts[i]`` to ``starts[i + 1]``.
        """
        table = self._table(X)
        passed = [tree.decision_path(table) for tree in self.trees_]
        starts = np.cumsum([0, *(tree.n_nodes for tree in self.trees_)])
        return hstack(passed, format="csr"), starts

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean contribution of each column to the impurity decrease of the trees; they sum to 1."""
        check_is_fitted(self)
        mean: NDArray[np.float64] = np.mean(
            [tree.feature_importances() for tree in self.trees_], axis=0
        )
        total = mean.sum()
        return mean / total if total > 0.0 else mean

    def summary(self) -> str:
        """Return a few lines on the forest: its trees, and how well they do out of bag."""
        check_is_fitted(self)
        lines = describe(self.trees_)
        if hasattr(self, "oob_score_"):
            lines.append(f"Out-of-bag score: {self.oob_score_:.3f}")
        return "\n".join(lines)

    def _set_schema(self, schema: Schema) -> None:
        """Take other words for the same columns and classes."""
        self.schema_ = schema
        self.trees_ = [tree.with_schema(schema) for tree in self.trees_]

    # ------------------------------------------------------------------ files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a JSON file that :func:`treewright.load` reads.

        Parameters
        ----------
        path : str or path-like
            Where to write. The file appears whole or not at all.

        Notes
        -----
        Out-of-bag predictions and importances by shuffling are not written, nor is what
        :meth:`treewright.TreeClassifier.save` does not write; an `oob_score` that is a callable is
        written as True.
        """
        check_is_fitted(self)
        own = {**self.get_params(deep=False), "oob_score": bool(self.oob_score)}
        forest = ForestFile(
            tuple(self.trees_), self._bags.seed, self._bags.n_rows, self._bags.n_draws
        )
        parameters = parameters_to_json(own)
        model = ModelFile(self.trees_[0], type(self).__name__, parameters, forest=forest)
        write_model(path, model)

    def _restore(self, forest: ForestFile) -> None:
        """Become fitted with a forest that was loaded, after checking the parameters."""
        self._check_parameters()
        self.trees_ = list(forest.trees)
        self._bags = Bags(forest.seed, forest.n_rows, forest.n_draws)
        self._take_schema(forest.trees[0].schema)
        options = GrowthOptions.of(self)  # refuses what fit would refuse
        options.n_offered(self.n_features_in_)
        options.limits(self.schema_)
        options.trends(self.schema_)


def describe(trees: Sequence[Tree]) -> list[str]:
    """Say in a few lines how many trees a forest has and how large they are."""
    target = trees[0].schema.target
    task = "Classification" if trees[0].is_classification else "Regression"
    purpose = "" if target is None else f" for {name_text(target)}"
    lines = [f"{task} forest{purpose}: {plural(len(trees), 'tree')}"]
    sizes = {"Leaves": [tree.n_leaves for tree in trees], "Depth": [tree.depth for tree in trees]}
    for name, size in sizes.items():
        lines.append(
            f"{name} of a tree: {np.mean(size):.1f} on average, {min(size)} to {max(size)}"
        )
    return lines
