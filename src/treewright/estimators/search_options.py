"""The parameters of the optimal search as one value: what they may be, and what they limit."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from treewright.base.parameters import (
    Check,
    boolean,
    choice,
    fraction,
    integer,
    jobs,
    none,
    number,
    one_of,
    seed,
)
from treewright.base.workers import Workers
from treewright.estimators.constraints import CONSTRAINTS_CHECK, Constraints, column_limits
from treewright.estimators.monotonic import MONOTONIC_CHECK, Monotonic, trends_of
from treewright.estimators.options import at_most_int, count_of_rows
from treewright.estimators.tuning import TUNE_CHECK, Tuning
from treewright.exceptions import DataError, brief
from treewright.optimal import THRESHOLDS, SearchProgress
from treewright.optimal.branching import MOST_LEVELS
from treewright.optimal.goals import Goal
from treewright.optimal.search import Limits
from treewright.predicates import Axis, Predicate, Subset
from treewright.schema import Schema
from treewright.splits import SplitMethod, as_split

__all__ = ["MEGABYTE", "SEARCH_CHECKS", "SearchOptions"]

MEGABYTE = 1 << 20
_LARGEST_MEMORY = 1 << 60  # bytes; more limits nothing
_LONGEST_TIME = 1e9  # seconds; more limits nothing
_OF_PATHS = ("column_costs", "interactions", "forbidden_pairs", "first_columns")
# What must be as it is by default where levels may have a branch each.
_BESIDE_MULTIWAY: dict[str, object] = {
    "max_nodes": None,
    "pair_levels": 0,
    "dictionary": None,
    "smallest": False,
    "front": False,
    "tune": None,
    "constraints": None,
}
_DEEPEST = 30  # more tests on a path than a search can go through
_DEEPEST_THAT_PAYS = 100  # of trees of any depth
_SMALLEST = sys.float_info.min
_LIKELY_DEPTH = 6  # of trees of any depth, for what has to be guessed

SEARCH_CHECKS: dict[str, Check] = {
    "max_depth": one_of(
        none(),
        Check(
            f"an int in [1, {_DEEPEST}]",
            lambda value: integer(1).accepts(value) and value <= _DEEPEST,
        ),
    ),
    "max_nodes": one_of(none(), integer(0)),
    "pair_levels": integer(0),
    "pair_functions": Check("3 or 5", lambda value: integer(3).accepts(value) and value in (3, 5)),
    "penalty": number(0),
    "term_penalty": number(0),
    "dictionary": one_of(
        none(),
        Check(
            "a list of predicates and split methods or their names",
            lambda value: _is_dictionary(value),
        ),
    ),
    "thresholds": choice(*THRESHOLDS),
    "refine": integer(0),
    "min_samples_leaf": one_of(integer(1), fraction()),
    "min_weight_fraction_leaf": number(0, 0.5),
    "smallest": boolean(),
    "front": boolean(),
    "tune": TUNE_CHECK,
    "monotonic_cst": MONOTONIC_CHECK,
    "constraints": CONSTRAINTS_CHECK,
    "categorical": choice("subset", "multiway"),
    "readable": boolean(),
    "time_limit": one_of(none(), number(0)),
    "memory_limit": number(0, above=True),
    "n_jobs": jobs(),
    "random_state": seed(),
    "progress": Check("None or a callable", lambda value: value is None or callable(value)),
}
"""What the parameters of estimators of optimal trees may be."""


@dataclass(frozen=True)
class SearchOptions:
    """The parameters of one estimator of optimal trees, as they are named there.

    ``owner`` is the name of the estimator, for messages.
    """

    owner: str
    max_depth: int | None
    max_nodes: int | None
    pair_levels: int
    pair_functions: int
    penalty: float
    term_penalty: float
    dictionary: Sequence[Predicate | SplitMethod | str] | None
    thresholds: str
    refine: int
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    smallest: bool
    front: bool
    tune: str | Tuning | None
    monotonic_cst: Monotonic
    constraints: Constraints | None
    categorical: str
    readable: bool
    time_limit: float | None
    memory_limit: float
    n_jobs: int | None
    random_state: Any
    progress: Callable[[SearchProgress], bool | None] | None

    @classmethod
    def of(cls, model: Any) -> Self:
        """Take the parameters of an estimator."""
        return cls(type(model).__name__, *_parameters()(model))

    def check(self) -> None:
        """Refuse parameters that contradict each other.

        Raises
        ------
        ValueError
            With the parameters.
        """
        self._check_tune()
        self._check_multiway()
        if self.max_depth is None:
            self._check_any_depth()
        most = max(0, (_DEEPEST if self.max_depth is None else self.max_depth) - 2)
        if self.pair_levels > most:
            raise ValueError(
                f"The 'pair_levels' parameter of {self.owner} must be at most {most}, two "
                f"less than 'max_depth', which is {self.max_depth}. Got {self.pair_levels}; lower "
                "it or raise 'max_depth'."
            )
        self._check_constraints()
        given = self.given()
        if self.pair_levels and given is not None:
            for item in given:
                if isinstance(item, SplitMethod):
                    raise ValueError(
                        f"The 'pair_levels' parameter of {self.owner} must be 0 where "
                        "'dictionary' holds split methods, whose conditions are not joined. Got "
                        f"pair_levels={self.pair_levels} and the split method {brief(item)}; leave "
                        "out 'dictionary' to join conditions of the columns, or use Pairs() in it."
                    )
                if not isinstance(item, Axis | Subset):
                    raise ValueError(
                        f"The 'pair_levels' parameter of {self.owner} must be 0 with "
                        "conditions that cannot be joined in pairs; those of one column can. Got "
                        f"pair_levels={self.pair_levels} and {brief(item)} in 'dictionary'."
                    )

    def given(self) -> list[Predicate | SplitMethod] | None:
        """Return what `dictionary` holds, with split methods for their names."""
        if self.dictionary is None:
            return None
        who = f"Each text in the 'dictionary' parameter of {self.owner}"
        return [as_split(item, who) if isinstance(item, str) else item for item in self.dictionary]

    def rules_of_paths(self) -> list[str]:
        """Name the constraints that a search keeps path by path."""
        return [name for name in _OF_PATHS if getattr(self.constraints, name, None) is not None]

    def _check_tune(self) -> None:
        """Refuse what cross-validation would choose where it is given, too."""
        if self.tune is None:
            return
        if isinstance(self.tune, Tuning):
            self.tune.check()
        who = f"parameter of {self.owner} must be"
        if self.max_depth is None:
            raise ValueError(
                f"The 'max_depth' {who} an int with 'tune', which compares all depths up to it. "
                "Got None; set a depth."
            )
        if self.penalty > 0.0:
            raise ValueError(
                f"The 'penalty' {who} 0 with 'tune', which chooses it by cross-validation. Got "
                f"{self.penalty:g}; leave out one of the two."
            )

    @property
    def has_multiway(self) -> bool:
        """Whether levels may have a branch each."""
        return self.categorical == "multiway"

    def _check_multiway(self) -> None:
        """Refuse what the search does not do where levels may have a branch each."""
        if not self.has_multiway:
            return
        for name, allowed in _BESIDE_MULTIWAY.items():
            if getattr(self, name) != allowed:
                raise ValueError(
                    f"The {name!r} parameter of {self.owner} must be {allowed} with "
                    "categorical='multiway', whose search knows single trees of a given depth and "
                    f"splits of columns only. Got {brief(getattr(self, name))}."
                )
        if self.max_depth is None:
            raise ValueError(
                f"The 'max_depth' parameter of {self.owner} must be an int with "
                "categorical='multiway'. Got None; set a depth."
            )

    def _most_branches(self, schema: Schema) -> int:
        """Return how many branches a split may have."""
        if not self.has_multiway:
            return 2
        widest = int(schema.n_levels.argmax())
        n_levels = int(schema.n_levels[widest])
        if n_levels > MOST_LEVELS:
            raise DataError(
                f"Column {brief(schema.names[widest])} has {n_levels} levels, more than the "
                f"{MOST_LEVELS} branches that a split of {self.owner} may have; leave the column "
                "out, join rare levels, or use sets of levels (categorical='subset')."
            )
        return max(n_levels, 2)

    def _check_any_depth(self) -> None:
        """Refuse trees of any depth where nothing else limits them."""
        who = f"The 'max_depth' parameter of {self.owner} must be an int"
        if not self.penalty > 0.0:
            raise ValueError(
                f"{who} where 'penalty' is 0, as only a penalty ends trees of any depth. Got "
                "None; set 'penalty', or a depth."
            )
        if self.max_nodes is not None or self.front:
            other = "front" if self.front else "max_nodes"
            raise ValueError(
                f"{who} with '{other}', which keeps trees of all sizes apart. Got None; leave out "
                f"'{other}', or set a depth."
            )
        if self.constraints is not None:
            raise ValueError(f"{who} where there are 'constraints'. Got None; set a depth.")

    def limits(self, goal: Goal, schema: Schema, values: NDArray[np.float64]) -> Limits:
        """Return what limits the search for a goal over these columns and rows.

        Raises
        ------
        ValueError
            If trees of any depth are allowed and the penalty is too small for that, or a column
            has more levels than a split may have branches.
        """
        deepest = self.max_depth
        return Limits(
            max_depth=self._deepest_that_pays(goal, values) if deepest is None else deepest,
            likely_depth=_LIKELY_DEPTH if self.max_depth is None else None,
            max_tests=None if self.max_nodes is None else at_most_int(self.max_nodes),
            pair_levels=int(self.pair_levels),
            pair_functions=int(self.pair_functions),
            penalty=float(self.penalty),
            term_penalty=float(self.term_penalty),
            min_rows=int(count_of_rows(self.min_samples_leaf, goal.n_rows, least=1)),
            min_weight=float(self.min_weight_fraction_leaf),
            seconds=math.inf if self.time_limit is None else min(self.time_limit, _LONGEST_TIME),
            memory=int(min(self.memory_limit * MEGABYTE, _LARGEST_MEMORY)),
            n_jobs=Workers(self.n_jobs).n_threads,
            smallest=bool(self.smallest),
            columns=column_limits(self.owner, self.constraints, schema),
            most_branches=self._most_branches(schema),
            trends=tuple(trends_of(self.owner, self.monotonic_cst, schema)),
        )

    def _check_constraints(self) -> None:
        """Refuse what the search does not do under constraints of columns."""
        given = self.constraints
        if given is None:
            return
        of_paths = self.rules_of_paths()
        of_trees = [*of_paths, *(["max_columns"] if given.max_columns is not None else [])]
        refused: list[tuple[str, object, bool, list[str]]] = [
            ("max_nodes", None, self.max_nodes is not None, of_paths),
            ("pair_levels", 0, self.pair_levels > 0, of_paths),
            ("smallest", False, bool(self.smallest), of_trees),
            ("front", False, bool(self.front), of_trees),
            ("tune", None, self.tune is not None, of_trees),
        ]
        for name, allowed, is_asked, under in refused:
            if is_asked and under:
                raise ValueError(
                    f"The {name!r} parameter of {self.owner} must be {allowed} under the "
                    f"constraint {under[0]!r}, which the search keeps for single trees and splits "
                    f"only. Got {getattr(self, name)}."
                )
        if self.pair_levels and given.max_terms == 1:
            raise ValueError(
                f"The 'pair_levels' parameter of {self.owner} must be 0 under the constraint "
                f"max_terms=1, as a pair looks at two values. Got {self.pair_levels}."
            )

    def _deepest_that_pays(self, goal: Goal, values: NDArray[np.float64]) -> int:
        """Return how many splits, and so levels, a tree can have that is better than a leaf."""
        loss = goal.least_loss(np.zeros(goal.n_rows, dtype=np.intp))
        n_splits = math.ceil(loss / max(self.penalty * goal.price_unit, _SMALLEST)) + 1
        deepest = max(min(n_splits, goal.n_rows - 1), 1)
        if deepest > _DEEPEST_THAT_PAYS and self.dictionary is None:
            deepest = min(deepest, _longest_path(values) + self.pair_levels)
        if deepest > _DEEPEST_THAT_PAYS:
            least = loss / goal.price_unit / (_DEEPEST_THAT_PAYS - 2)
            raise ValueError(
                f"The 'penalty' parameter of {self.owner} must be at least {least:.3g} for these "
                f"rows where 'max_depth' is None. Got {self.penalty:g}; raise it, or set a depth."
            )
        return deepest


def _longest_path(values: NDArray[np.float64]) -> int:
    """Return how many questions about single columns can follow one another.

    Each divides the rows of its node, so that each part has fewer values of the column.
    """
    return sum(len(np.unique(column)) - 1 for column in values.T)


@cache
def _parameters() -> Callable[[Any], tuple[Any, ...]]:
    """Return what takes the parameters; to list them takes longer than to search a small table."""
    return attrgetter(*(field.name for field in fields(SearchOptions)[1:]))


def _is_dictionary(value: object) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(item, Predicate | SplitMethod | str) for item in value
    )
