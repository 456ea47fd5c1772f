"""Searching for the optimal tree: from rows, goal and options to the best tree and its proof."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from treewright import _core
from treewright.estimators.search_options import MEGABYTE, SearchOptions
from treewright.exceptions import DataError, brief
from treewright.optimal.column_generation import search_proposals
from treewright.optimal.columns import TableTests, table_tests
from treewright.optimal.deadline import Deadline, OutOfTime
from treewright.optimal.dictionary import (
    Dictionary,
    predicate_tests,
    readable_predicate,
    search_bytes,
)
from treewright.optimal.found import Found
from treewright.optimal.goals import Goal
from treewright.optimal.refinement import search_table
from treewright.optimal.search import Search
from treewright.predicates import Predicate
from treewright.schema import Schema
from treewright.splits import Axis as AxisSplit
from treewright.splits import SplitMethod
from treewright.tree.checks import check_columns
from treewright.words import plural

__all__ = ["find_tree", "given_tests", "offered_tests"]


def find_tree(
    schema: Schema,
    values: NDArray[np.float64],
    goal: Goal,
    options: SearchOptions,
    began: float,
) -> Found:
    """Search for the best tree of some rows.

    Parameters
    ----------
    schema : Schema
        The columns.
    values : ndarray of shape (n_rows, n_columns)
        The rows, all of a weight above 0.
    goal : Goal
        What is made smallest.
    options : SearchOptions
        Which trees are searched, and for how long.
    began : float
        When the fit began (`time.perf_counter`); the time limit counts from there.

    Returns
    -------
    Found
        The tree, its certificate and, if asked for, the Pareto front.
    """
    limits = options.limits(goal, schema, values)
    search = Search(
        goal,
        schema,
        _core.Table(values, schema.n_levels),
        limits,
        bool(options.readable),
        bool(options.front),
        options.progress,
        Deadline(limits.seconds, began),
    )
    given = options.given()
    try:
        if given is None:
            tests = offered_tests(values, search, options)
            return search_table(tests, search, int(options.refine), began)
        search = search.with_less_time(time.perf_counter() - began)
        return _search_given(given, values, search, options)
    except OutOfTime:
        return search.leaf()


def _search_given(
    dictionary: Sequence[Predicate | SplitMethod],
    values: NDArray[np.float64],
    search: Search,
    options: SearchOptions,
) -> Found:
    """Search over given conditions and those that split methods propose."""
    methods = [item for item in dictionary if isinstance(item, SplitMethod)]
    predicates = [item for item in dictionary if not isinstance(item, SplitMethod)]
    given = []
    if predicates or not methods:
        given.append(given_tests(predicates, search, options))
    if not methods:
        return search.run(*given[0])
    for method in methods:
        method.check()
        method.check_depth(options.max_depth)
    if any(isinstance(method, AxisSplit) for method in methods):
        began = time.perf_counter()
        tests = offered_tests(values, search, options)
        given.append((tests.dictionary(), tests.words()))
        search = search.with_less_time(time.perf_counter() - began)
    number = 0
    if options.random_state is not None:
        number = int(check_random_state(options.random_state).randint(2**31 - 1))
    return search_proposals(methods, given, search, n_rounds=int(options.refine), seed=number)


def offered_tests(
    values: NDArray[np.float64], search: Search, options: SearchOptions
) -> TableTests:
    """Give the conditions of the columns, found in a quarter of the time."""
    limits = search.limits
    along_chains = limits.along_chains and not options.front
    tests = table_tests(
        values,
        search.schema.n_levels,
        search.goal,
        options.thresholds,
        depth=limits.expected_depth + limits.pair_levels + int(options.front),
        along_chains=along_chains,
        seconds=limits.seconds / 4,
        deadline=search.deadline,
    )
    if options.has_multiway:
        tests = tests.with_branchings(search.schema.n_levels)
    n_bytes = tests.n_bytes(along_chains=along_chains)
    sets = max(tests.on_levels, key=len, default=None)
    if sets is not None and len(sets) > tests.n_offered:
        name = brief(search.schema.names[sets.sets.column])
        what = f"The {plural(sets.n_sets, 'set')} of levels of column {name}"
        _check_memory(n_bytes, options, what, "leave the column out, join rare levels or raise it")
    what = f"The {plural(tests.n_offered, 'threshold')} of thresholds={options.thresholds!r}"
    # Along chains a column takes the same room, however many of its thresholds are offered.
    fewer = "use thresholds='auto' or " * (options.thresholds == "all" and not along_chains)
    _check_memory(n_bytes, options, what, f"{fewer}raise it")
    return tests


def _check_memory(n_bytes: int, options: SearchOptions, tests: str, mend: str) -> None:
    """Refuse conditions whose bits take more memory than there may be."""
    megabytes = n_bytes / MEGABYTE
    if megabytes > options.memory_limit:
        raise DataError(
            f"{tests} need {megabytes:.3g} megabytes, more than the 'memory_limit' parameter "
            f"of {options.owner} allows, {options.memory_limit:g}; {mend}."
        )


def given_tests(
    dictionary: Sequence[Predicate], search: Search, options: SearchOptions
) -> tuple[Dictionary, str]:
    """Give the conditions of the `dictionary` parameter, and what they are in words."""
    for predicate in dictionary:
        search.deadline.check()
        try:
            n_branches = _core.check_test(predicate.encode(), search.schema.n_levels)
            check_columns(predicate, search.schema, 0)
        except ValueError as error:
            raise DataError(
                f"The 'dictionary' parameter of {options.owner} must hold conditions for "
                f"these columns. Got {brief(predicate)}: {error}"
            ) from None
        if n_branches != 2:
            raise DataError(
                f"The 'dictionary' parameter of {options.owner} must hold conditions with two "
                f"branches. Got {brief(predicate)}, which has {n_branches}."
            )
    n_given = len(dictionary)
    _check_memory(
        search_bytes(search.goal.n_rows, n_given, n_given, along_chains=False),
        options,
        f"The {plural(n_given, 'condition')} in the 'dictionary' parameter",
        "give fewer or raise it",
    )
    limits = search.limits
    if options.readable and limits.columns.largest_whole is None:
        dictionary = [
            readable_predicate(predicate, search.table, search.deadline) for predicate in dictionary
        ]
    dictionary = [*filter(limits.allows, dictionary)]
    tests = predicate_tests(
        dictionary, search.table, price=options.term_penalty, deadline=search.deadline
    )
    return tests, f"{plural(len(dictionary), 'given condition')}"
