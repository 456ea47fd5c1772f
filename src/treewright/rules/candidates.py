r"""A rule from each leaf, without the conditions that do not make it more reliable.

The path to a leaf of weight 1 or more gives a rule for the class of the leaf (Quinlan 1993, *C4.5:
Programs for Machine Learning*, section 5.1). With N the weight of the rows that meet the conditions
and e that of the wrong ones among them, its pessimistic error rate is the upper limit of section
4.2 (see `error_bounds`), (e + extra errors) / N. For each condition the same is found without it,
that is over the rows that fail at most this one. As long as some condition can go without raising
the pessimistic rate or the plain rate e / N, the one that leaves the lowest pessimistic rate goes
(of equal ones the last).

A rule is given up if no condition is left, if it covers no row, or if its rate is not below
D = 1 - (weight of the class + 1) / (total weight + 2), what the class has without any rule; D is
also the rate of conditions that no row meets. Of rules with the same conditions one is kept: that
with the higher rate if they say the same class, that with the lower if they contradict each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.expressions import Expression, merge_conditions
from treewright.rules.condition import Condition
from treewright.rules.sample import Sample
from treewright.schema import Schema
from treewright.statistics.error_bounds import extra_errors
from treewright.tree import Tree

__all__ = ["TOLERANCE", "Candidate", "Rate", "candidates", "class_rate", "error_rate"]

Numbers: TypeAlias = NDArray[np.float64]
Rate: TypeAlias = Callable[[Numbers, Numbers], Numbers]

# Sums of the same weights in another order, and rates from them, differ by less than this.
TOLERANCE = 1e-10
_LEAST_WEIGHT = 1.0  # of a leaf that gives a rule


@dataclass(frozen=True)
class Candidate:
    """A simplified rule with the rows it covers.

    Parameters
    ----------
    conditions : tuple of Condition
        What must hold, in the order of the columns.
    value : int
        Position of its class.
    rows : ndarray of int32
        Positions of the training rows it covers, rising.
    rate : float
        Pessimistic error rate.
    accuracy : float
        Plain proportion of covered rows that are of its class.
    """

    conditions: tuple[Condition, ...]
    value: int
    rows: NDArray[np.int32]
    rate: float
    accuracy: float


def error_rate(confidence: float, bound: str) -> Rate:
    """Give the function from weights and errors, above 0, to pessimistic error rates."""
    if bound == "none":
        return lambda weight, errors: errors / weight
    return lambda weight, errors: (
        (errors + extra_errors(weight, errors, confidence=confidence, bound=bound)) / weight
    )


def class_rate(sample: Sample, value: int) -> float:
    """Give the error rate D of a class without any rule."""
    return 1.0 - (float(sample.class_weights[value]) + 1.0) / (sample.total + 2.0)


def candidates(
    tree: Tree, sample: Sample, rate: Rate, tell: Callable[[float], None]
) -> list[Candidate]:
    """Make the simplified rules of a tree, in the order of its leaves.

    Parameters
    ----------
    tree : Tree
        A tree that predicts classes.
    sample : Sample
        The training rows.
    rate : callable
        Pessimistic error rates from weights and errors.
    tell : callable
        Called with the fraction of leaves done.

    Returns
    -------
    list of Candidate
        Different rules, none of which contradicts another with the same conditions.
    """
    wrong = [sample.weights * (sample.codes != value) for value in range(tree.n_outputs)]
    kept: dict[frozenset[Expression], Candidate] = {}
    for done, (value, path) in enumerate(_paths(tree, sample.table)):
        found = _simplify(
            path, value, sample.weights, wrong[value], rate, class_rate(sample, value)
        )
        if found is not None:
            identity = _identity(found, tree.schema)
            rival = kept.get(identity)
            kept[identity] = found if rival is None else _one_of(rival, found)
        tell((done + 1) / tree.n_leaves)
    return list(kept.values())


@dataclass(frozen=True)
class _Path:
    """The path to a node, and how each row fares on it."""

    conditions: tuple[Condition, ...]
    fails: tuple[NDArray[np.bool_], ...]  # whether each row fails each condition
    n_failed: NDArray[np.int32]  # how many conditions each row fails
    failed_sum: NDArray[np.int32]  # sum of their positions: which one, where it is one

    def then(self, condition: Condition, branches: NDArray[np.int32]) -> _Path:
        """Go on by one branch of a split that sends each row into one of `branches`."""
        fails = branches != condition.branch
        return _Path(
            (*self.conditions, condition),
            (*self.fails, fails),
            self.n_failed + fails,
            self.failed_sum + fails * np.int32(len(self.conditions)),
        )


def _paths(tree: Tree, table: _core.Table) -> Iterator[tuple[int, _Path]]:
    """Give class and path of each leaf that makes a rule, in reading order."""
    nothing = np.zeros(table.n_rows, dtype=np.int32)
    # Paths are made when their turn comes, so that only those on one way are in memory.
    start = partial(_Path, (), (), nothing, nothing)
    pending: list[tuple[int, Callable[[], _Path]]] = [(0, start)]
    while pending:
        index, make = pending.pop()
        node = tree.node(index)
        if node.predicate is None:
            if node.weight >= _LEAST_WEIGHT - TOLERANCE and node.parent is not None:
                yield int(node.value), make()
            continue
        path, branches = make(), _core.route(node.predicate.encode(), table)
        for branch in range(len(node.children) - 1, -1, -1):
            condition = Condition(node.predicate, branch)
            pending.append((node.children[branch], partial(path.then, condition, branches)))


def _simplify(
    path: _Path,
    value: int,
    weights: Numbers,
    wrong: Numbers,
    rate: Rate,
    worst: float,
) -> Candidate | None:
    """Drop conditions; None if nothing worth keeping is left."""
    kept = list(range(len(path.conditions)))
    n_failed, failed_sum = path.n_failed.copy(), path.failed_sum.copy()
    none_failed = len(kept)
    while True:
        near = np.flatnonzero(n_failed <= 1)
        failed = np.where(n_failed[near] == 0, none_failed, failed_sum[near])
        totals = np.bincount(failed, weights[near], none_failed + 1)
        errors = np.bincount(failed, wrong[near], none_failed + 1)
        # One entry for each condition left out, and the last for all conditions.
        totals = totals[none_failed] + np.append(totals[kept], 0.0)
        errors = errors[none_failed] + np.append(errors[kept], 0.0)
        plain, pessimistic = _rates(totals, errors, rate, worst)
        better = pessimistic[:-1] <= pessimistic[-1] + TOLERANCE
        better |= plain[:-1] <= plain[-1] + TOLERANCE
        if not better.any():
            break
        lowest = pessimistic[:-1].min()
        gone = kept.pop(int(np.flatnonzero(pessimistic[:-1] <= lowest + TOLERANCE)[-1]))
        if not kept:
            return None
        n_failed -= path.fails[gone]
        failed_sum -= path.fails[gone] * np.int32(gone)
    if not totals[-1] > 0.0 or pessimistic[-1] >= worst:
        return None
    conditions = sorted((path.conditions[index] for index in kept), key=lambda c: c.sort_key)
    rows = near[failed == none_failed].astype(np.int32)
    return Candidate(tuple(conditions), value, rows, float(pessimistic[-1]), 1.0 - float(plain[-1]))


def _rates(totals: Numbers, errors: Numbers, rate: Rate, worst: float) -> tuple[Numbers, Numbers]:
    """Give plain and pessimistic error rates; 0 and D where there are no rows."""
    filled = totals > 0.0
    plain, pessimistic = np.zeros(len(totals)), np.full(len(totals), worst)
    plain[filled] = errors[filled] / totals[filled]
    pessimistic[filled] = rate(totals[filled], errors[filled])
    return plain, pessimistic


def _identity(candidate: Candidate, schema: Schema) -> frozenset[Expression]:
    """Give what makes the conditions of two rules the same: what they say, merged."""
    expressions = [condition.expression(schema) for condition in candidate.conditions]
    return frozenset(merge_conditions(expressions))


def _one_of(first: Candidate, second: Candidate) -> Candidate:
    """Choose between two rules with the same conditions; the earlier if they are alike."""
    if first.value == second.value:
        return replace(first, rate=max(first.rate, second.rate))
    return second if second.rate < first.rate - TOLERANCE else first
