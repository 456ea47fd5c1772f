"""The search for an optimal tree whose depth and size cross-validation chooses inside of `fit`."""

from __future__ import annotations

import itertools
import math
import threading
import time
import warnings
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from treewright import _core
from treewright.base.workers import Workers, check_interrupt
from treewright.estimators.search import find_tree
from treewright.estimators.search_options import SearchOptions
from treewright.estimators.training import TrainingRows
from treewright.estimators.tuning import Tuning
from treewright.exceptions import DataError, NotProvenWarning
from treewright.measures import MEASURES
from treewright.optimal import SearchProgress
from treewright.optimal.certificate import ending_of
from treewright.optimal.found import Found
from treewright.optimal.goals import Goal
from treewright.optimal.search import cost_of
from treewright.optimal.tuning import TunedSizes, choose, losses_of_sizes, of_size
from treewright.prune import Growth, TreeSequence
from treewright.prune.folds import assign_folds
from treewright.prune.held_out import Losses, cross_validated
from treewright.schema import Schema

__all__ = ["find_tuned_tree"]

Rows = NDArray[np.intp]


@dataclass
class _Searches:
    """The searches of one fit, which have its time, its progress and Ctrl-C in common."""

    schema: Schema
    values: NDArray[np.float64]
    goal: Goal
    options: SearchOptions
    began: float
    is_complete: bool = True
    _is_stopped: bool = False

    def __post_init__(self) -> None:
        self._lock = threading.Lock()

    def of_depth(self, depth: int) -> SearchOptions:
        """Give the parameters of the search for all sizes of one depth."""
        pairs = min(self.options.pair_levels, max(0, depth - 2))
        return replace(
            self.options, max_depth=depth, pair_levels=pairs, front=True, tune=None, n_jobs=1
        )

    def seconds_for(self, n_left: int) -> float:
        """Divide the time that is left among so many parts of the work."""
        if self.options.time_limit is None:
            return math.inf
        ends = self.began + self.options.time_limit
        return max(ends - time.perf_counter(), 0.0) / n_left

    def run(self, rows: Rows | None, seconds: float) -> list[Found]:
        """Search on some rows, all if None, for every depth from 1 on."""
        values = self.values if rows is None else self.values[rows]
        goal = self.goal if rows is None else self.goal.part(rows)
        ends = time.perf_counter() + seconds
        found, deepest = [], self.options.max_depth or 0
        for depth in range(1, deepest + 1):
            now = time.perf_counter()
            limit = None if math.isinf(seconds) else max(ends - now, 0.0) / (deepest - depth + 1)
            options = replace(self.of_depth(depth), time_limit=limit, progress=self._report)
            found.append(find_tree(self.schema, values, goal, options, now))
            ending = ending_of(found[-1].certificate.status)
            if ending.is_asked_for and not self._is_stopped:
                raise KeyboardInterrupt  # nothing is chosen yet
            self.is_complete = self.is_complete and ending.is_complete
        return found

    def _report(self, progress: SearchProgress) -> bool:
        """Tell how far the search of some depth and fold is, from one thread at a time."""
        check_interrupt()
        if self.options.progress is None:
            return True
        with self._lock:
            if not self._is_stopped:
                elapsed = time.perf_counter() - self.began
                goes_on = self.options.progress(replace(progress, elapsed=elapsed))
                self._is_stopped = not (goes_on is None or bool(goes_on))
            return not self._is_stopped


def find_tuned_tree(
    rows: TrainingRows, goal: Goal, options: SearchOptions, tuning: Tuning, began: float
) -> tuple[Found, TunedSizes]:
    """Search for the best trees of every depth and size, and choose one by cross-validation.

    Parameters
    ----------
    rows : TrainingRows
        The rows.
    goal : Goal
        What is made smallest.
    options : SearchOptions
        Which trees are searched, and for how long.
    tuning : Tuning
        The folds, and how to choose.
    began : float
        When the fit began (`time.perf_counter`).

    Returns
    -------
    found : Found
        The tree with its certificate and the trees of other sizes.
    tuned : TunedSizes
        What was compared.

    Raises
    ------
    DataError
        If there is one row only, or given folds do not fit the rows.
    """
    if goal.n_rows < 2:
        raise DataError(
            f"The 'tune' parameter of {options.owner} must be None for 1 sample, which cannot be "
            "divided into folds; give more rows."
        )
    searches = _Searches(rows.schema, rows.values, goal, options, began)

    def data(part: Rows | None) -> tuple[_core.Table, _core.Target]:
        chosen = slice(None) if part is None else part
        table = _core.Table(rows.values[chosen], rows.schema.n_levels)
        return table, (goal if part is None else goal.part(part)).core()

    random = options.random_state
    growth = Growth(
        grow=lambda part: searches.run(part, math.inf)[-1].tree,
        data=data,
        n_rows=goal.n_rows,
        strata=rows.truth,
        random_state=None if random is None else check_random_state(random),
        measure=MEASURES["gini" if goal.is_classification else "squared_error"],
        readable=options.readable,
        n_given=rows.n_given,
        kept=rows.kept,
        n_jobs=options.n_jobs,
    )
    fold = assign_folds(tuning.folds, growth)
    n_folds, n_threads = int(fold.max()) + 1, Workers(options.n_jobs).n_threads
    rounds_left = itertools.count(math.ceil(n_folds / n_threads) * n_threads, -1)
    whole = searches.run(None, searches.seconds_for(math.ceil(n_folds / n_threads) + 1))
    fronts = [_front(found) for found in whole]

    def judge(searched: Rows, held_out: Rows) -> Losses:
        seconds = searches.seconds_for(math.ceil(next(rounds_left) / n_threads))
        without = [_front(found) for found in searches.run(searched, seconds)]
        return losses_of_sizes(fronts, without, *data(held_out))

    losses = cross_validated(growth, fold, None, judge)
    weight = float(goal.weights.sum())
    sizes, chosen, front = choose(fronts, losses, tuning.se, weight, goal.price_unit)
    tuned = TunedSizes(sizes, chosen, n_folds, float(tuning.se), searches.is_complete)
    found = whole[tuned.best.max_depth - 1]
    tree = front.at(leaves=tuned.best.leaves).tree
    limits = searches.of_depth(tuned.best.max_depth).limits(goal, rows.schema, rows.values)
    objective = cost_of(tree, goal, data(None)[0], limits)
    certificate = of_size(found, tree, objective, limits)
    certificate = replace(certificate, seconds=time.perf_counter() - began)
    if not searches.is_complete:
        warnings.warn(
            "The sizes were compared by trees that are not all proven to be the best of their "
            "size, as some searches ended early. Give them more time, or lower 'max_depth'.",
            NotProvenWarning,
            stacklevel=5,
        )
    return replace(found, tree=tree, certificate=certificate, front=front), tuned


def _front(found: Found) -> TreeSequence:
    assert found.front is not None
    return found.front
