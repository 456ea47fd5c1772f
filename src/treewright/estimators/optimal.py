"""What the estimators of optimal trees share: their parameters, the search, the certificate."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright.base.parameters import (
    Check,
    boolean,
    check_parameters,
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
from treewright.estimators.fitted import FittedTree
from treewright.estimators.options import at_most_int, count_of_rows
from treewright.exceptions import DataError, NotProvenWarning, brief
from treewright.modelfile import ModelFile
from treewright.optimal import THRESHOLDS, Certificate, SearchProgress
from treewright.optimal.certificate import reason_of
from treewright.optimal.column_generation import search_proposals
from treewright.optimal.columns import TableTests, table_tests
from treewright.optimal.deadline import Deadline, OutOfTime
from treewright.optimal.dictionary import (
    Dictionary,
    predicate_tests,
    readable_predicate,
    search_bytes,
)
from treewright.optimal.front import front_of
from treewright.optimal.goals import Goal
from treewright.optimal.refinement import search_table
from treewright.optimal.search import Found, Limits, Search
from treewright.predicates import Axis, Predicate, Subset
from treewright.prune import TreeSequence
from treewright.schema import Schema
from treewright.splits import Axis as AxisSplit
from treewright.splits import SplitMethod, as_split
from treewright.tree import Tree
from treewright.tree.checks import check_columns
from treewright.words import plural

__all__ = ["OptimalTree"]

_MEGABYTE = 1 << 20
_LARGEST_MEMORY = 1 << 60  # bytes; more limits nothing
_LONGEST_TIME = 1e9  # seconds; more limits nothing
_DEEPEST = 30  # more tests on a path than a search can go through
_SMALL_GAP = 1e-3  # by rounding; the certificate says it, no warning does


class OptimalTree(FittedTree):
    """Common part of the estimators of optimal trees; not used by itself."""

    tree_: Tree
    certificate_: Certificate | None
    front_: TreeSequence

    _checks: ClassVar[dict[str, Check]] = {
        "max_depth": Check(
            f"an int in [1, {_DEEPEST}]",
            lambda value: integer(1).accepts(value) and value <= _DEEPEST,
        ),
        "max_nodes": one_of(none(), integer(0)),
        "pair_levels": integer(0),
        "pair_functions": Check(
            "3 or 5", lambda value: integer(3).accepts(value) and value in (3, 5)
        ),
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
        "readable": boolean(),
        "time_limit": one_of(none(), number(0)),
        "memory_limit": number(0, above=True),
        "n_jobs": jobs(),
        "random_state": seed(),
        "progress": Check("None or a callable", lambda value: value is None or callable(value)),
    }

    max_depth: int
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
    readable: bool
    time_limit: float | None
    memory_limit: float
    n_jobs: int | None
    random_state: Any
    progress: Callable[[SearchProgress], bool | None] | None

    # ------------------------------------------------------------------ search

    def _check_parameters(self) -> None:
        check_parameters(self, self._checks)
        most = max(0, self.max_depth - 2)
        if self.pair_levels > most:
            raise ValueError(
                f"The 'pair_levels' parameter of {type(self).__name__} must be at most {most}, two "
                f"less than 'max_depth', which is {self.max_depth}. Got {self.pair_levels}; lower "
                "it or raise 'max_depth'."
            )
        dictionary = self._dictionary()
        if self.pair_levels and dictionary is not None:
            for item in dictionary:
                if isinstance(item, SplitMethod):
                    raise ValueError(
                        f"The 'pair_levels' parameter of {type(self).__name__} must be 0 where "
                        "'dictionary' holds split methods, whose tests are not joined. Got "
                        f"pair_levels={self.pair_levels} and the split method {brief(item)}; leave "
                        "out 'dictionary' to join the tests of the columns, or use Pairs() in it."
                    )
                if not isinstance(item, Axis | Subset):
                    raise ValueError(
                        f"The 'pair_levels' parameter of {type(self).__name__} must be 0 with "
                        "tests that cannot be joined in pairs; only those of one column can. Got "
                        f"pair_levels={self.pair_levels} and {brief(item)} in 'dictionary'."
                    )

    def _fit_tree(self, values: NDArray[np.float64], goal: Goal, began: float) -> None:
        """Search for the tree; the schema is learned. The time counts since fitting began."""
        if self.pair_levels:
            self._check_gaps(values)
        table = _core.Table(values, self.schema_.n_levels)
        limits = self._limits(goal.n_rows)
        search = Search(
            goal,
            self.schema_,
            table,
            limits,
            bool(self.readable),
            bool(self.front),
            self.progress,
            Deadline(limits.seconds, began),
        )
        dictionary = self._dictionary()
        try:
            if dictionary is None:
                tests = self._table_tests(values, search)
                search = search.with_less_time(time.perf_counter() - began)
                found = search_table(tests, search, int(self.refine))
            else:
                search = search.with_less_time(time.perf_counter() - began)
                found = self._search_dictionary(dictionary, values, search)
        except OutOfTime:
            found = search.leaf()
        self._take(found)

    def _dictionary(self) -> list[Predicate | SplitMethod] | None:
        """Return what `dictionary` holds, with split methods for their names."""
        if self.dictionary is None:
            return None
        who = f"Each text in the 'dictionary' parameter of {type(self).__name__}"
        return [as_split(item, who) if isinstance(item, str) else item for item in self.dictionary]

    def _search_dictionary(
        self,
        dictionary: Sequence[Predicate | SplitMethod],
        values: NDArray[np.float64],
        search: Search,
    ) -> Found:
        """Search over given tests and those that split methods propose."""
        methods = [item for item in dictionary if isinstance(item, SplitMethod)]
        predicates = [item for item in dictionary if not isinstance(item, SplitMethod)]
        given = []
        if predicates or not methods:
            given.append(self._given_tests(predicates, search))
        if not methods:
            return search.run(*given[0])
        for method in methods:
            method.check()
            method.check_depth(self.max_depth)
        if any(isinstance(method, AxisSplit) for method in methods):
            began = time.perf_counter()
            tests = self._table_tests(values, search)
            given.append((tests.dictionary(), tests.words()))
            search = search.with_less_time(time.perf_counter() - began)
        number = 0
        if self.random_state is not None:
            number = int(check_random_state(self.random_state).randint(2**31 - 1))
        return search_proposals(methods, given, search, n_rounds=int(self.refine), seed=number)

    def _take(self, found: Found) -> None:
        self.tree_, self.certificate_ = found.tree, found.certificate
        self._set_front(found.front)
        certificate = found.certificate
        if not (certificate.is_complete and certificate.gap <= _SMALL_GAP):
            is_limit = certificate.status in ("time_limit", "memory_limit")
            mend = f" Raise '{certificate.status}' or lower 'max_depth'." if is_limit else ""
            if certificate.is_complete:
                mend = " Give them fewer digits, or less different sizes."
            warnings.warn(
                f"The tree is not proven to be the best: {certificate.reason} after "
                f"{certificate.seconds:.2g} s. Its objective is {certificate.objective:.6g}, and "
                f"none can go below {certificate.lower_bound:.6g}.{mend}",
                NotProvenWarning,
                stacklevel=5,
            )
        elif found.status_of_size != "optimal":
            warnings.warn(
                "The tree is proven to be the best, but not to be the smallest of those as good: "
                f"{reason_of(found.status_of_size)}.",
                NotProvenWarning,
                stacklevel=5,
            )

    def _set_front(self, front: TreeSequence | None) -> None:
        """Keep the best trees of all sizes, which are the path of the model, or have none."""
        self._path = front
        if hasattr(self, "front_"):
            del self.front_
        if front is not None:
            self.front_ = front

    def _set_schema(self, schema: Schema) -> None:
        super()._set_schema(schema)
        if hasattr(self, "front_"):
            self.front_ = self.front_.mapped(lambda tree: tree.with_schema(schema))
            self._path = self.front_

    def _limits(self, n_rows: int) -> Limits:
        return Limits(
            max_depth=int(self.max_depth),
            max_tests=None if self.max_nodes is None else at_most_int(self.max_nodes),
            pair_levels=int(self.pair_levels),
            pair_functions=int(self.pair_functions),
            penalty=float(self.penalty),
            term_penalty=float(self.term_penalty),
            min_rows=int(count_of_rows(self.min_samples_leaf, n_rows, least=1)),
            min_weight=float(self.min_weight_fraction_leaf),
            seconds=math.inf if self.time_limit is None else min(self.time_limit, _LONGEST_TIME),
            memory=int(min(self.memory_limit * _MEGABYTE, _LARGEST_MEMORY)),
            n_jobs=Workers(self.n_jobs).n_threads,
            smallest=bool(self.smallest),
        )

    def _table_tests(self, values: NDArray[np.float64], search: Search) -> TableTests:
        """Give the tests of the columns, found in a quarter of the time."""
        limits = search.limits
        along_chains = limits.along_chains and not self.front
        tests = table_tests(
            values,
            self.schema_.n_levels,
            search.goal,
            self.thresholds,
            depth=limits.max_depth + limits.pair_levels + int(self.front),
            along_chains=along_chains,
            seconds=limits.seconds / 4,
            deadline=search.deadline,
        )
        n_bytes = tests.n_bytes(along_chains=along_chains)
        sets = max(tests.on_levels, key=len, default=None)
        if sets is not None and len(sets) > tests.n_offered:
            name = brief(self.schema_.names[sets.sets.column])
            what = f"The {plural(sets.n_sets, 'set')} of levels of column {name}"
            self._check_memory(n_bytes, what, "leave the column out, join rare levels or raise it")
        what = f"The {plural(tests.n_offered, 'threshold')} of thresholds={self.thresholds!r}"
        mend = "use thresholds='auto' or raise it" if self.thresholds == "all" else "raise it"
        self._check_memory(n_bytes, what, mend)
        return tests

    def _check_memory(self, n_bytes: int, tests: str, mend: str) -> None:
        """Refuse tests whose bits take more memory than there may be."""
        megabytes = n_bytes / _MEGABYTE
        if megabytes > self.memory_limit:
            raise DataError(
                f"{tests} need {megabytes:.3g} megabytes, more than the 'memory_limit' parameter "
                f"of {type(self).__name__} allows, {self.memory_limit:g}; {mend}."
            )

    def _given_tests(
        self, dictionary: Sequence[Predicate], search: Search
    ) -> tuple[Dictionary, str]:
        """Give the tests of the `dictionary` parameter, and what they are in words."""
        for predicate in dictionary:
            search.deadline.check()
            try:
                n_branches = _core.check_test(predicate.encode(), self.schema_.n_levels)
                check_columns(predicate, self.schema_, 0)
            except ValueError as error:
                raise DataError(
                    f"The 'dictionary' parameter of {type(self).__name__} must hold tests for "
                    f"these columns. Got {brief(predicate)}: {error}"
                ) from None
            if n_branches != 2:
                raise DataError(
                    f"The 'dictionary' parameter of {type(self).__name__} must hold tests with two "
                    f"branches. Got {brief(predicate)}, which has {n_branches}."
                )
        n_bytes = len(dictionary) * (search.goal.n_rows // 8 + 1)
        self._check_memory(
            search_bytes(n_bytes, len(dictionary), len(dictionary), along_chains=False),
            f"The {plural(len(dictionary), 'test')} in the 'dictionary' parameter",
            "give fewer or raise it",
        )
        if self.readable:
            dictionary = [
                readable_predicate(predicate, search.table, search.deadline)
                for predicate in dictionary
            ]
        tests = predicate_tests(
            dictionary, search.table, price=self.term_penalty, deadline=search.deadline
        )
        return tests, f"{plural(len(dictionary), 'given test')}"

    def _check_gaps(self, values: NDArray[np.float64]) -> None:
        """Refuse gaps in columns whose tests may be joined."""
        gaps = np.isnan(values).sum(axis=0)
        if gaps.any():
            column = int(np.flatnonzero(gaps)[0])
            raise DataError(
                f"The 'pair_levels' parameter of {type(self).__name__} must be 0 where values are "
                "missing (NaN), as a pair of tests has one default branch. Got "
                f"pair_levels={self.pair_levels}, and column {brief(self.schema_.names[column])} "
                f"lacks {plural(gaps[column], 'value')}; fill them or leave the column out."
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.pair_levels == 0  # see _check_gaps
        return tags

    # ------------------------------------------------------------------ reading

    def summary(self) -> str:
        """Return the tree as text, with what was proved about it."""
        check_is_fitted(self)
        if self.certificate_ is None:
            return self.tree_.to_text()
        return f"{self.tree_.to_text()}\n\n{self.certificate_}"

    def with_tree(self, tree: Tree) -> Self:
        """Return a copy of this model with another tree, for example one edited by hand.

        Parameters
        ----------
        tree : Tree
            A tree over the same columns and classes.

        Returns
        -------
        OptimalTreeClassifier or OptimalTreeRegressor
            A fitted model; this one stays as it is. It has no certificate and no front, unless the
            tree is the one that was certified.

        Raises
        ------
        SchemaError
            If the tree is for other data.
        """
        model = super().with_tree(tree)
        if tree == self.tree_:
            model._path = self._path
        else:
            model.certificate_ = None
            model._set_front(None)
        return model

    # ------------------------------------------------------------------ files

    def _model_file(self) -> ModelFile:
        certificate = None if self.certificate_ is None else self.certificate_.to_json()
        front = [entry.tree for entry in reversed(getattr(self, "front_", ()))]
        return super()._model_file().with_search(certificate, front)

    def _restore(
        self, tree: Tree, certificate: Certificate | None, front: Sequence[Tree] = ()
    ) -> None:
        """Become fitted with a tree that was loaded, after checking the parameters."""
        self._check_parameters()
        sizes = [one.n_leaves for one in front]
        if front and (sizes != sorted(set(sizes)) or tree not in front):
            raise ValueError(
                "The trees of the front must have more and more leaves, and the tree must be one "
                "of them."
            )
        self.tree_, self.schema_, self.certificate_ = tree, tree.schema, certificate
        self._set_front(front_of(front, tree) if front else None)
        self._tell_columns()


def _is_dictionary(value: object) -> bool:
    return isinstance(value, list | tuple) and all(
        isinstance(item, Predicate | SplitMethod | str) for item in value
    )
