"""The best tree of every size for the rows of a fit: conditions, the search, and its trees."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.workers import Report, Workers, idle_threads
from treewright.estimators.training import TrainingRows
from treewright.optimal.building import Written
from treewright.predicates import Predicate
from treewright.readable.extension import Extension
from treewright.readable.families import proposed_by_families
from treewright.readable.fits import Fit, Goal
from treewright.readable.keeping import as_constraints, column_sets
from treewright.readable.order import in_order
from treewright.readable.pool import ParetoFront, Problem, search_front
from treewright.readable.recut import recut
from treewright.readable.soft import SoftClasses, SoftNumbers
from treewright.readable.soft_tree import soft_tree
from treewright.readable.terms import Terms
from treewright.tree import Tree

__all__ = [
    "EveryRow",
    "every_row",
    "find_front",
    "make_trees",
    "part_of",
    "problem_of",
    "recut_on",
]

_MOST_TERMS = 100  # of which conditions are proposed
_FEWEST_OF_A_SET = 25  # conditions among columns that may stand together

EveryRow: TypeAlias = tuple[TrainingRows, Goal] | None
"""All rows, where trees are searched on some of them; None where on all."""


def part_of(fit: Fit, some: NDArray[np.intp], report: Report) -> Fit:
    """Give what a tree of some rows is found from; their teacher knows no others.

    Parameters
    ----------
    fit : Fit
        What the tree of all rows is found from.
    some : ndarray of intp
        The rows.
    report : callable
        Told how far their teacher is.

    Returns
    -------
    Fit
        The same of these rows.
    """
    placed = fit.placed.part(some)
    target = fit.learn(placed, report)
    return replace(fit, placed=placed, goal=fit.goal.part(some), target=target, wide=None)


def problem_of(fit: Fit) -> Problem:
    """Give the search for conditions and trees over the rows of a fit.

    Parameters
    ----------
    fit : Fit
        Rows, what is learned of them, and the budget.

    Returns
    -------
    Problem
        With the terms that matter most.
    """
    rows = fit.rows
    terms = _terms(fit).leading(rows.values, fit.target.amounts(), _MOST_TERMS)
    return Problem(rows.values, terms, fit.target, fit.budget)


def _terms(fit: Fit) -> Terms:
    rows = fit.rows
    return Terms.of(rows.values, rows.schema.n_levels, rows.weights, fit.budget.min_weight)


def _proposed(fit: Fit, problem: Problem, report: Report) -> list[Predicate]:
    """Look for conditions, also among columns that constraints let stand together."""
    limits = fit.budget.limits
    families = proposed_by_families(
        fit.rows,
        is_classification=fit.target.is_classification,
        terms=fit.budget.terms,
        min_weight=fit.budget.min_weight,
        seed=fit.seed,
        constraints=as_constraints(limits),
        trends=fit.budget.trends,
    )
    proposed = problem.proposed(fit.seed, report)
    match fit.target:
        case SoftNumbers(weights=weights):  # of the numbers without a teacher as well
            own = SoftNumbers(fit.rows.truth, weights)
            proposed += replace(problem, target=own).proposed(fit.seed, report)
        case SoftClasses():
            pass
    sets = column_sets(limits, fit.rows.schema.n_columns)
    if limits.max_columns is not None:
        sets.append(frozenset(column for one in families for column in one.columns))
    for columns in sets:
        terms = _terms(fit).within(columns)
        terms = terms.leading(fit.rows.values, fit.target.amounts(), _MOST_TERMS)
        enough = max(problem.enough // len(sets), _FEWEST_OF_A_SET)
        some = replace(problem, terms=terms, enough=enough)
        proposed += some.proposed(fit.seed, report)
    return [*proposed, *families]


def find_front(
    fit: Fit, problem: Problem, n_jobs: int, report: Report, *, with_others: bool = False
) -> ParetoFront:
    """Find the best tree of every size.

    Parameters
    ----------
    fit : Fit
        What trees are found from.
    problem : Problem
        Its search.
    n_jobs : int
        Threads.
    report : callable
        Told how far it is.
    with_others : bool, default False
        Whether to find the best trees with other first questions, too.

    Returns
    -------
    ParetoFront
        Their plans.
    """
    proposed = _proposed(fit, problem, report)
    if fit.wide is not None:
        problem = replace(problem, values=fit.wide.rows.values, target=fit.wide.target)
    n_threads = n_jobs + idle_threads()  # those of other folds, which are done
    front = search_front(
        problem, proposed, n_jobs=n_threads, report=report, with_others=with_others
    )
    if fit.budget.is_exact:
        return front
    return Extension(front, problem).run(fit.budget.leaves, report)


def make_trees(fit: Fit, front: ParetoFront, sizes: Collection[int] = ()) -> dict[int, Tree]:
    """Make the trees of all plans, or of some, as the rows that were searched see them.

    Parameters
    ----------
    fit : Fit
        What they were found from.
    front : ParetoFront
        The plans.
    sizes : collection of int, default ()
        Numbers of leaves to make; all if empty.

    Returns
    -------
    dict of int to Tree
        By their number of leaves.
    """
    wide, schema = fit.wide, fit.schema_of_trees
    rows, goal, target = fit.rows, fit.goal, fit.target
    if wide is not None:
        rows, goal, target = wide.rows, wide.goal, wide.target
    table = _core.Table(rows.values, schema.n_levels)
    known: Written = {}
    is_read = fit.budget.limits.largest_whole is None  # otherwise sums are short already
    return {
        leaves: soft_tree(
            front,
            leaves,
            goal,
            target,
            schema,
            table,
            is_read=is_read,
            known=known,
            trends=fit.budget.trends,
        )
        for leaves in sizes or front.plans
    }


def every_row(fit: Fit) -> EveryRow:
    """Give all rows, where trees are searched on some; None where on all.

    Parameters
    ----------
    fit : Fit
        What trees are found from.

    Returns
    -------
    tuple of (TrainingRows, goal) or None
        All rows.
    """
    return None if fit.wide is None or fit.wide.is_all else fit.wide.everything()


def recut_on(fit: Fit, trees: Sequence[Tree], every: EveryRow, workers: Workers) -> list[Tree]:
    """Choose thresholds again on all rows and count them, where trees were searched on some.

    Parameters
    ----------
    fit : Fit
        What the trees were found from.
    trees : sequence of Tree
        The trees.
    every : tuple of (TrainingRows, goal) or None
        All rows.
    workers : Workers
        Threads, which take tree by tree.

    Returns
    -------
    list of Tree
        The same splits.
    """
    if every is None:
        return [*trees]
    (rows, goal), trends = every, fit.budget.trends
    target = fit.target if fit.wide is None else fit.wide.target
    table = _core.Table(rows.values, fit.schema_of_trees.n_levels)

    def count(place: int, _: Report) -> Tree:
        return in_order(recut(trees[place], rows.values, table, goal), trends, target)

    workers.expect(len(trees))
    return workers.run(count, len(trees))
