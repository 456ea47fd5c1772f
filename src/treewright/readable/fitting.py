"""Fitting: the best tree of every size of all rows and of folds, and the size that folds choose."""

from __future__ import annotations

import math
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.workers import Report, Workers
from treewright.optimal.building import Written
from treewright.optimal.deadline import Deadline, OutOfTime
from treewright.readable.choosing import HeldOut, Judged, Thresholds, choose_size, judge
from treewright.readable.extension import Extension
from treewright.readable.finding import (
    EveryRow,
    every_row,
    find_front,
    make_trees,
    part_of,
    problem_of,
    recut_on,
)
from treewright.readable.fits import Chosen, Fit
from treewright.readable.folds import FEWEST_FOLDS, Fold, deal, usual_folds
from treewright.readable.pool import ParetoFront, search_front
from treewright.readable.soft_tree import soft_tree
from treewright.tree import Tree

__all__ = ["fit_front", "n_pieces", "within"]

Numbers = NDArray[np.float64]
_NEXT_SIZES = (16, 32)  # of trees that are tried in the folds, while larger is clearly better
_MOST_OTHERS = 5  # first questions that are shown beside the best one
_WITHOUT_FOLDS = 4  # leaves, where the time does not allow to choose
_WITH_SAMPLES, _WITHOUT_SAMPLES = 4.0, 2.0  # a fold, in times of what all rows took without either


def within(report: Report, deadline: Deadline) -> Report:
    """Give a report that ends the work when the time is over."""

    def told(proportion: float) -> None:
        report(proportion)
        deadline.check()

    return told


def fit_front(
    fit: Fit,
    size: int | None,
    simpler: float,
    workers: Workers,
    deadline: Deadline,
    *,
    alone: bool = False,
) -> Chosen:
    """Find the best tree of every size, and choose one.

    Parameters
    ----------
    fit : Fit
        Rows, targets and budget.
    size : int or None
        The number of leaves; None: chosen by folds.
    simpler : float
        Standard errors that a smaller tree may lose on the best one.
    workers : Workers
        Threads, which take the folds; they expect the pieces that `n_pieces` says.
    deadline : Deadline
        When there is no time left.
    alone : bool, default False
        Whether to make the tree of the given number of leaves only.

    Returns
    -------
    Chosen
        The trees.
    """
    n_folds = usual_folds(len(fit.rows.values)) if size is None else 0
    sacrificed = list(fit.sacrificed)
    known: ParetoFront | None = None
    if deadline.is_set:
        quick = replace(fit, budget=replace(fit.budget, samples=0))
        began = time.perf_counter()
        try:
            (known,) = workers.run(
                lambda _, report: find_front(
                    quick, problem_of(quick), workers.n_threads, within(report, deadline)
                ),
                1,
            )
        except OutOfTime:
            return _one_leaf(fit, (*sacrificed, "the search"), workers)
        n_folds, has_samples = _affordable(
            n_folds, time.perf_counter() - began, deadline, workers.n_threads
        )
        if not has_samples:
            sacrificed.append("bootstrap samples")
            fit = quick
        if size is None and n_folds < usual_folds(len(fit.rows.values)):
            sacrificed.append("some folds" if n_folds else "the folds")
    folds = deal(fit.goal, len(fit.rows.values), n_folds, fit.seed)
    n_jobs = workers.n_threads if not folds else 1

    larger = [one for one in _NEXT_SIZES if one > fit.budget.leaves]

    ready: deque[_Learned] = deque()

    def learn(fold: Fold, report: Report) -> _Learned:
        part = part_of(fit, fold[0], report)
        problem = problem_of(part)
        front = find_front(part, problem, n_jobs, report)
        learned = _Learned(fit, part, fold[1], Extension(front, problem))
        learned.judge([*front.plans])
        ready.append(learned)
        return learned

    def grow(report: Report) -> None:
        try:
            learned = ready.popleft()
        except IndexError:  # others are still at it, and all folds go on together below
            return
        learned.grow_while_better(larger, report)

    def search(report: Report) -> _Whole:
        front = find_front(fit, problem_of(fit), n_jobs, report, with_others=size is None)
        wanted = [front.at_most(size)] if alone and size is not None else ()
        return _Whole(front, make_trees(fit, front, wanted))

    pieces: list[Callable[[Report], Any]] = [lambda _: every_row(fit), search]  # the longest
    pieces += [partial(learn, fold) for fold in folds]
    larger_trees = [] if deadline.is_set else [grow for _ in folds]
    workers.expect(len(larger_trees))
    pieces += larger_trees[:1]
    first_asked = len(pieces)
    compare = fit.compare
    if compare is not None:
        workers.expect(len(compare.folds))
        pieces += [partial(compare.ask, fold) for fold in compare.folds]
    n_asked = len(pieces) - first_asked
    # Larger trees are mostly Python, and wait for one another: compiled work stands between them.
    pieces += larger_trees[1:]
    try:
        found = workers.run(
            lambda place, report: pieces[place](within(report, deadline)), len(pieces)
        )
    except OutOfTime:
        if known is None:
            raise
        folds, found = [], [every_row(fit), _Whole(known, make_trees(fit, known))]
        if "the folds" not in sacrificed and size is None:
            sacrificed.append("the folds")
    every: EveryRow = found[0]
    front, trees = found[1]
    learned: list[_Learned] = found[2 : 2 + len(folds)]
    asked = found[first_asked : first_asked + n_asked]
    ceilings = () if compare is None else compare.ceilings(asked)
    trees = dict(zip(trees, recut_on(fit, [*trees.values()], every, workers), strict=True))
    if not folds:
        return Chosen(
            trees,
            front.at_most(size or _WITHOUT_FOLDS),
            front,
            sacrificed=tuple(sacrificed),
            ceilings=ceilings,
        )
    held_out = HeldOut.of(sorted(trees), folds, [one.judged for one in learned])
    held_out = _with_larger_trees(fit, larger, held_out, folds, learned, workers, deadline)
    chosen = _choose(fit, trees, front, held_out, simpler)
    return replace(
        chosen,
        sacrificed=tuple(sacrificed),
        thresholds=_thresholds(fit, folds, held_out, sorted(trees)),
        others=_others(fit, front, chosen.leaves, every, workers),
        ceilings=ceilings,
    )


def _others(
    fit: Fit, front: ParetoFront, leaves: int, every: EveryRow, workers: Workers
) -> tuple[Tree, ...]:
    """Give the best trees with other first questions, of at most so many leaves."""
    able = [plans for plans in front.others if min(plans) <= leaves]
    largest = [plans[max(size for size in plans if size <= leaves)] for plans in able]
    largest.sort(key=lambda one: one.cost)
    plans = [one.tree for one in largest[: _MOST_OTHERS + 1]]

    trees = [make_trees(fit, replace(front, plans={leaves: plan}))[leaves] for plan in plans]
    return tuple(recut_on(fit, trees, every, workers))


def _thresholds(
    fit: Fit, folds: Sequence[Fold], held_out: HeldOut, sizes: Sequence[int]
) -> dict[int, Thresholds]:
    """Gather what the trees of the folds say of held-out rows, where there are two classes."""
    if len(fit.rows.labels) != 2 or fit.schema is not None:
        return {}
    tables = [_core.Table(fit.rows.values[ask], fit.rows.schema.n_levels) for _, ask in folds]
    is_true = fit.rows.truth == 1
    found = {}
    for size in sizes:
        stated = np.empty(len(is_true))
        for (_, ask), tree, table in zip(folds, held_out.trees[size], tables, strict=True):
            stated[ask] = tree.core.probabilities[tree.core.apply(table), 1]
        found[size] = Thresholds.of(stated, is_true, fit.rows.weights)
    return found


class _Whole(NamedTuple):
    """The best trees of all rows, and those of them that were made."""

    front: ParetoFront
    trees: dict[int, Tree]


class _Learned:
    """The trees of a fold, and what they say of its held-out rows.

    Parameters
    ----------
    whole, part : Fit
        What all trees are found from, and those of the fold.
    ask : ndarray of intp
        The rows held out.
    extension : Extension
        Grows further trees of the fold.

    Attributes
    ----------
    judged : dict of int to Judged
        What is known of the trees, by their numbers of leaves.
    """

    def __init__(self, whole: Fit, part: Fit, ask: NDArray[np.intp], extension: Extension) -> None:
        self.judged: dict[int, Judged] = {}
        self._whole, self._part, self._extension = whole, part, extension
        n_levels = whole.rows.schema.n_levels
        self._table = _core.Table(part.rows.values, n_levels)
        self._asked = _core.Table(whole.rows.values[ask], n_levels)
        self._truth, self._weights = whole.rows.truth[ask], whole.rows.weights[ask]
        self._known: Written = {}
        self._largest = 0

    def judge(self, sizes: Sequence[int]) -> None:
        """Ask trees for the rows held out."""
        part, front = self._part, self._extension.front
        for leaves in sizes:
            tree = soft_tree(
                front,
                leaves,
                part.goal,
                part.target,
                part.schema_of_trees,
                self._table,
                is_read=False,
                known=self._known,
                trends=part.budget.trends,
            )
            self.judged[leaves] = judge(tree, self._whole.target, self._truth, self._asked)

    def grow(self, leaves: int, report: Report) -> None:
        """Ask a larger tree, if there is one that was not asked yet."""
        if leaves <= self._largest:
            return
        self._largest = leaves
        largest = self._extension.run(leaves, report).at_most(leaves)
        if largest not in self.judged:
            self.judge([largest])

    def grow_while_better(self, sizes: Sequence[int], report: Report) -> None:
        """Ask larger trees, while they do better on the rows held out here.

        All folds together decide how large the trees become; this one guesses, while others work.
        """
        for size in sizes:
            before = min(self._loss_of(one) for one in self.judged.values())
            self.grow(size, report)
            if self._loss_of(self.judged[max(self.judged)]) >= before:
                break

    def _loss_of(self, one: Judged) -> float:
        return float(self._weights @ one.losses)


def _with_larger_trees(
    fit: Fit,
    sizes: Sequence[int],
    held_out: HeldOut,
    folds: Sequence[Fold],
    learned: Sequence[_Learned],
    workers: Workers,
    deadline: Deadline,
) -> HeldOut:
    """Add what trees beyond the budget would say, up to the first that is not clearly better."""
    weights = fit.rows.weights
    # Of few rows mostly in Python: threads would wait for one another.
    at_once = len(learned) if fit.wide is None else 1
    n_parts = len(learned) // at_once
    for size in sizes:

        def grow(place: int, report: Report, size: int = size) -> None:
            for one in learned[place * at_once : (place + 1) * at_once]:
                one.grow(size, within(report, deadline))

        workers.expect(n_parts)
        try:
            workers.run(grow, n_parts)
        except OutOfTime:
            break
        best = int(np.average(held_out.losses, axis=0, weights=weights).argmin())
        held_out = held_out.joined(HeldOut.of([size], folds, [one.judged for one in learned]))
        decrease = held_out.losses[:, best] - held_out.losses[:, -1]
        mean = np.average(decrease, weights=weights)
        variance = np.average((decrease - mean) ** 2, weights=weights)
        if mean <= np.sqrt(variance / len(decrease)):
            break
    return held_out


def n_pieces(n_rows: int, size: int | None) -> int:
    """Say how many pieces of work a fit of so many rows has at least, those of teachers included.

    Boosted trees, and trees of 32 leaves, tried if those of 16 are clearly better, come on top.
    """
    if size is not None:
        return 3
    return 3 + usual_folds(n_rows)


def _affordable(
    n_folds: int, seconds: float, deadline: Deadline, n_threads: int
) -> tuple[int, bool]:
    """Say how many folds, and whether samples, the time that is left allows.

    A fold takes about as long as the trees of all rows did, `seconds`, and its teacher once more;
    samples take twice that again.
    """
    pieces = math.ceil((n_folds + 1) / n_threads)
    if deadline.left > _WITH_SAMPLES * seconds * pieces:
        return n_folds, True
    for fewer in (n_folds, FEWEST_FOLDS):
        pieces = math.ceil((fewer + 1) / n_threads)
        if fewer <= n_folds and deadline.left > _WITHOUT_SAMPLES * seconds * pieces:
            return fewer, False
    return 0, False


def _one_leaf(fit: Fit, sacrificed: tuple[str, ...], workers: Workers) -> Chosen:
    """Predict the same for all rows."""
    budget = replace(fit.budget, leaves=1)
    problem = problem_of(replace(fit, budget=budget))
    front = search_front(problem, ())
    trees = recut_on(fit, [*make_trees(fit, front).values()], every_row(fit), workers)
    return Chosen({1: trees[0]}, 1, front, sacrificed=sacrificed)


def _choose(
    fit: Fit, trees: dict[int, Tree], front: ParetoFront, held_out: HeldOut, simpler: float
) -> Chosen:
    """Choose a size, and say what is known of all of them."""
    weights, sizes = fit.rows.weights, held_out.sizes
    leaves = choose_size(
        held_out, trees, fit.target, weights, simpler, is_learnable=fit.is_learnable
    )
    risks = np.average(held_out.risks, axis=0, weights=weights)
    squares = np.average((held_out.risks - risks) ** 2, axis=0, weights=weights)
    right = np.average(held_out.hits, axis=0, weights=weights)
    read = [tree.columns_read for tree in (*held_out.trees.get(leaves, []), trees[leaves])]
    return Chosen(
        trees,
        leaves,
        front,
        dict(zip(sizes, risks.tolist(), strict=True)),
        dict(zip(sizes, np.sqrt(squares / len(weights)).tolist(), strict=True)),
        dict(zip(sizes, right.tolist(), strict=True)),
        dict(Counter(column for columns in read for column in columns)),
        len(read),
    )
