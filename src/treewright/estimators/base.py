"""What classifiers and regressors share: parameters, growth, and reading the fitted tree."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.utils import check_random_state

from treewright import _core
from treewright.base.parameters import (
    Check,
    boolean,
    choice,
    fraction,
    integer,
    none,
    one_of,
)
from treewright.estimators.first_question import first_question
from treewright.estimators.fitted import FittedTree
from treewright.estimators.growing import Grower, RowsOrAll
from treewright.estimators.options import GrowthParameters, at_most_int
from treewright.exceptions import TimeLimitWarning, brief
from treewright.prune import (
    PRUNERS,
    Growth,
    Pruner,
    as_pruner,
    hold_out,
    merge_siblings,
)
from treewright.tree import Tree
from treewright.words import plural

__all__ = ["BaseTree"]


class BaseTree(GrowthParameters, FittedTree):
    """Common part of the tree estimators; not used by itself."""

    _checks: ClassVar[dict[str, Check]] = {
        **GrowthParameters._checks,
        "prune": one_of(
            none(), choice(*PRUNERS), Check("a Pruner", lambda value: isinstance(value, Pruner))
        ),
        "merge_siblings": boolean(),
        "honest_fraction": one_of(none(), fraction()),
        "validation_fraction": one_of(none(), fraction()),
        "patience": integer(1),
    }

    prune: str | Pruner | None
    merge_siblings: bool
    honest_fraction: float | None
    validation_fraction: float | None
    patience: int

    # ------------------------------------------------------------------ growth

    def _check_parameters(self) -> None:
        super()._check_parameters()
        pruner = as_pruner(self.prune)
        if pruner is not None:
            pruner.check()
            if not pruner.for_numbers and not is_classifier(self):
                raise ValueError(
                    f"The 'prune' parameter of {type(self).__name__} must be a pruner for numbers, "
                    f"such as 'cost_complexity'. Got {brief(self.prune)}."
                )

    def _restore(self, tree: Tree) -> None:
        """Become fitted with a tree that was loaded, after checking the parameters."""
        self._check_parameters()
        self.tree_, self.schema_, self._path = tree, tree.schema, None
        self._tell_columns()
        self._n_features_offered()  # refuses what fit would refuse

    def _first_question(
        self, X: Any, y: Any, truth: NDArray[Any]
    ) -> Callable[[NDArray[np.intp]], Tree] | None:
        return first_question(self, X, y, truth)

    def _options(self, n_rows: int, total_weight: float) -> _core.GrowOptions:
        options = super()._options(n_rows, total_weight)
        options.patience = at_most_int(self.patience)
        return options

    def _fit_tree(
        self,
        values: NDArray[np.float64],
        make_target: Callable[[RowsOrAll], _core.Target],
        options: _core.GrowOptions,
        strata: NDArray[Any],
        given_weights: NDArray[np.float64] | None,
    ) -> None:
        """Grow and prune the tree.

        ``make_target(rows)`` gives the target of some rows, or of all for None; `given_weights` are
        those of the user's rows, before any were left out.
        """
        random = check_random_state(self.random_state)
        options.seed = int(random.randint(0, 2**63 - 1, dtype=np.int64))
        pruner = as_pruner(self.prune)
        n_levels = self.schema_.n_levels
        grower = Grower(
            self.schema_,
            values,
            make_target,
            lambda: self._method(n_levels),
            options,
            strata if is_classifier(self) else None,
            self.validation_fraction,
            self.time_limit,
            self.progress,
            1 if pruner is None else pruner.n_growths(len(values)),
        )
        kept, n_given = None, len(values)
        if given_weights is not None and given_weights.size != 1:
            kept, n_given = np.flatnonzero(given_weights), given_weights.size
        growth = Growth(
            grow=grower.grow,
            data=lambda rows: (grower.table(rows), make_target(rows)),
            n_rows=len(values),
            strata=strata,
            random_state=None if self.random_state is None else random,
            measure=self.criterion,
            readable=bool(self.readable),
            n_given=n_given,
            kept=kept,
        )
        answers: tuple[_core.Table, _core.Target] | None = None
        if self.honest_fraction is not None:
            rows, held_out = hold_out(self.honest_fraction, growth)
            answers, growth = growth.data(held_out), growth.part(rows)
        tree, path = (growth.grow(None), None) if pruner is None else pruner.prune(growth)
        if self.merge_siblings:
            tree = merge_siblings(tree)
        if answers is not None:
            by_median = self.criterion == "absolute_error"
            tree = _refitted(tree, *answers, by_median=by_median)
            if path is not None:
                held_out_rows = answers
                path = path.mapped(lambda one: _refitted(one, *held_out_rows, by_median=by_median))
        self.tree_, self._path = tree, path
        self.stopped_by_time_limit_ = grower.out_of_time
        if grower.out_of_time:
            warnings.warn(
                f"Growth stopped at the time limit of {self.time_limit:g} s with "
                f"{plural(self.tree_.n_leaves, 'leaf')}; the tree is smaller than the data allow. "
                "Give it more time, fewer rows, or a smaller depth or number of leaves.",
                TimeLimitWarning,
                stacklevel=4,
            )


def _refitted(tree: Tree, table: _core.Table, target: _core.Target, *, by_median: bool) -> Tree:
    """Return the tree with statistics and answers from other rows."""
    return Tree(_core.refit(tree.core, table, target, by_median), tree.schema)
