"""Finding the tree: teacher, pool, the best tree of every size, and the size that folds choose."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.workers import Report, Workers
from treewright.estimators.training import TrainingRows
from treewright.optimal.building import Written
from treewright.optimal.deadline import Deadline, OutOfTime
from treewright.optimal.goals import ClassGoal, NumberGoal
from treewright.predicates import Predicate
from treewright.readable.choosing import HeldOut, Judged, Thresholds, choose_size, judge
from treewright.readable.extension import Extension
from treewright.readable.families import proposed_by_families
from treewright.readable.folds import FEWEST_FOLDS, Fold, deal, usual_folds
from treewright.readable.given import PlacedRows
from treewright.readable.keeping import as_constraints, column_sets
from treewright.readable.order import in_order
from treewright.readable.pool import Budget, ParetoFront, Problem, search_front
from treewright.readable.recut import recut
from treewright.readable.soft import SoftClasses, SoftNumbers
from treewright.readable.soft_tree import soft_tree
from treewright.readable.teacher import Ceiling
from treewright.readable.terms import Terms
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["Chosen", "Fit", "Wide", "fit_front", "n_pieces", "within"]

Numbers = NDArray[np.float64]
Goal = ClassGoal | NumberGoal
Soft = SoftClasses | SoftNumbers
_MOST_TERMS = 100  # of which conditions are proposed
_NEXT_SIZES = (16, 32)  # of trees that are tried in the folds, while larger is clearly better
_FEWEST_OF_A_SET = 25  # conditions among columns that may stand together
_MOST_OTHERS = 5  # first questions that are shown beside the best one
_WITHOUT_FOLDS = 4  # leaves, where the time does not allow to choose
_WITH_SAMPLES, _WITHOUT_SAMPLES = 4.0, 2.0  # a fold, in times of what all rows took without either


@dataclass(frozen=True)
class Wide:
    """More rows than teachers, proposals and folds see.

    Parameters
    ----------
    rows, goal : TrainingRows, ClassGoal or NumberGoal
        Those that the final tree is searched on.
    learn : callable
        Gives what it learns of them, which takes a while.
    n_rows : int
        How many rows there are.
    everything : callable
        Gives all of them, which are counted in its leaves, in an order that does not depend on how
        they were given.
    """

    rows: TrainingRows
    goal: Goal
    learn: Callable[[], Soft]
    n_rows: int
    everything: Callable[[], tuple[TrainingRows, Goal]]

    @cached_property
    def target(self) -> Soft:
        """What the final tree learns of its rows."""
        return self.learn()

    @property
    def is_all(self) -> bool:
        """Whether these are all rows."""
        return len(self.rows.values) == self.n_rows


@dataclass(frozen=True)
class Fit:
    """What a tree is found from.

    Parameters
    ----------
    placed : PlacedRows
        The rows that are taught and folded, with the weights that they are learned with.
    goal : ClassGoal or NumberGoal
        Their true classes or numbers, with their own weights.
    learn : callable
        ``learn(placed, report)`` gives what trees learn of rows: what a teacher says of them who
        knows no others.
    target : SoftClasses or SoftNumbers
        The same of all these rows.
    budget : Budget
        Which trees are allowed.
    seed : int
        Of samples and folds.
    is_learnable : bool
        Whether some teacher does better than one prediction for all rows.
    wide : Wide or None
        More rows, where there are many.
    sacrificed : tuple of str
        What the time limit has cost so far.
    compare : callable or None
        Asks models too large to read that teach nothing how good they are.
    schema : Schema or None
        That of the trees, where they have a label more than the rows: that of referral.
    """

    placed: PlacedRows
    goal: Goal
    learn: Callable[[PlacedRows, Report], Soft]
    target: Soft
    budget: Budget
    seed: int
    is_learnable: bool
    wide: Wide | None = None
    sacrificed: tuple[str, ...] = ()
    compare: Callable[[], tuple[Ceiling, ...]] | None = None
    schema: Schema | None = None

    @property
    def schema_of_trees(self) -> Schema:
        """Columns, and what leaves may say."""
        return self.rows.schema if self.schema is None else self.schema

    @property
    def rows(self) -> TrainingRows:
        """The rows that are taught and folded."""
        return self.placed.rows

    @property
    def rows_searched(self) -> tuple[int, int] | None:
        """How many rows trees are searched on, and how many there are; None if on all."""
        if self.wide is None or self.wide.is_all:
            return None
        return len(self.wide.rows.values), self.wide.n_rows


@dataclass(frozen=True)
class Chosen:
    """The best tree of every size, and the size that was chosen.

    Parameters
    ----------
    trees : dict of int to Tree
        By their number of leaves.
    leaves : int
        The chosen one.
    front : ParetoFront
        Plans over the pool.
    risks, errors : dict of int to float
        Mean cost of wrong predictions, or squared error, on held-out rows and its standard error;
        empty where the size was given.
    scores : dict of int to float
        Mean accuracy, or coefficient of determination, on held-out rows.
    columns : dict of int to int
        How many of the trees of all rows and of the folds read each column.
    n_trees : int
        How many trees these are.
    sacrificed : tuple of str
        What the time limit cost.
    thresholds : dict of int to Thresholds
        Of two classes, what other thresholds than one half do on held-out rows.
    others : tuple of Tree
        The best trees of at most as many leaves whose roots read other columns.
    ceilings : tuple of Ceiling
        How good models too large to read are that teach nothing.
    """

    trees: dict[int, Tree]
    leaves: int
    front: ParetoFront
    risks: dict[int, float] = field(default_factory=dict)
    errors: dict[int, float] = field(default_factory=dict)
    scores: dict[int, float] = field(default_factory=dict)
    columns: dict[int, int] = field(default_factory=dict)
    n_trees: int = 1
    sacrificed: tuple[str, ...] = ()
    thresholds: dict[int, Thresholds] = field(default_factory=dict)
    others: tuple[Tree, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()


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
                lambda _, report: _front(
                    quick, _problem(quick), workers.n_threads, within(report, deadline)
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

    def learn(fold: Fold, report: Report) -> _Learned:
        part = _part(fit, fold[0], report)
        problem = _problem(part)
        front = _front(part, problem, n_jobs, report)
        learned = _Learned(fit, part, fold[1], Extension(front, problem))
        learned.judge([*front.plans])
        if not deadline.is_set:
            for next_size in larger[:1]:
                learned.grow(next_size, report)
        return learned

    def search(report: Report) -> _Whole:
        front = _front(fit, _problem(fit), n_jobs, report, with_others=size is None)
        wanted = [front.at_most(size)] if alone and size is not None else ()
        return _Whole(front, _trees(fit, front, wanted))

    pieces: list[Callable[[Report], Any]] = [lambda _: _every_row(fit), search]  # the longest
    pieces += [partial(learn, fold) for fold in folds]
    if fit.compare is not None:
        compare = fit.compare
        pieces.append(lambda _: compare())
    try:
        found = workers.run(
            lambda place, report: pieces[place](within(report, deadline)), len(pieces)
        )
    except OutOfTime:
        if known is None:
            raise
        folds, found = [], [_every_row(fit), _Whole(known, _trees(fit, known))]
        if "the folds" not in sacrificed and size is None:
            sacrificed.append("the folds")
    every: _EveryRow = found[0]
    front, trees = found[1]
    learned: list[_Learned] = found[2 : 2 + len(folds)]
    ceilings: tuple[Ceiling, ...] = tuple(chain(*found[2 + len(folds) :]))
    trees = dict(zip(trees, _recut(fit, [*trees.values()], every, workers), strict=True))
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
    fit: Fit, front: ParetoFront, leaves: int, every: _EveryRow, workers: Workers
) -> tuple[Tree, ...]:
    """Give the best trees with other first questions, of at most so many leaves."""
    able = [plans for plans in front.others if min(plans) <= leaves]
    largest = [plans[max(size for size in plans if size <= leaves)] for plans in able]
    largest.sort(key=lambda one: one.cost)
    plans = [one.tree for one in largest[: _MOST_OTHERS + 1]]

    def make(place: int, _: Report) -> Tree:
        return _trees(fit, replace(front, plans={leaves: plans[place]}))[leaves]

    workers.expect(len(plans))
    return tuple(_recut(fit, workers.run(make, len(plans)), every, workers))


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


_EveryRow: TypeAlias = tuple[TrainingRows, Goal] | None


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
        self._truth = whole.rows.truth[ask]
        self._known: Written = {}

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
        """Ask a larger tree, if there is one."""
        largest = self._extension.run(leaves, report).at_most(leaves)
        if largest not in self.judged:
            self.judge([largest])


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
    for place, size in enumerate(sizes):
        if place > 0 or deadline.is_set:

            def grow(number: int, report: Report, size: int = size) -> None:
                learned[number].grow(size, within(report, deadline))

            workers.expect(len(learned))
            try:
                workers.run(grow, len(learned))
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

    The trees of 32 leaves, which are tried if those of 16 are clearly better, come on top.
    """
    if size is not None:
        return 3
    return 4 + usual_folds(n_rows)


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
    problem = _problem(replace(fit, budget=budget))
    front = search_front(problem, ())
    trees = _recut(fit, [*_trees(fit, front).values()], _every_row(fit), workers)
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


def _part(fit: Fit, some: NDArray[np.intp], report: Report) -> Fit:
    """Give what a tree of some rows is found from; their teacher knows no others."""
    placed = fit.placed.part(some)
    target = fit.learn(placed, report)
    return replace(fit, placed=placed, goal=fit.goal.part(some), target=target, wide=None)


def _problem(fit: Fit) -> Problem:
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


def _front(
    fit: Fit, problem: Problem, n_jobs: int, report: Report, *, with_others: bool = False
) -> ParetoFront:
    """Find the best tree of every size."""
    proposed = _proposed(fit, problem, report)
    if fit.wide is not None:
        problem = replace(problem, values=fit.wide.rows.values, target=fit.wide.target)
    front = search_front(problem, proposed, n_jobs=n_jobs, report=report, with_others=with_others)
    if fit.budget.is_exact:
        return front
    return Extension(front, problem).run(fit.budget.leaves, report)


def _trees(fit: Fit, front: ParetoFront, sizes: Collection[int] = ()) -> dict[int, Tree]:
    """Make the trees of all plans, or of some, as the rows that were searched see them."""
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


def _every_row(fit: Fit) -> _EveryRow:
    """Give all rows, where trees are searched on some; None where on all."""
    return None if fit.wide is None or fit.wide.is_all else fit.wide.everything()


def _recut(fit: Fit, trees: Sequence[Tree], every: _EveryRow, workers: Workers) -> list[Tree]:
    """Choose thresholds again on all rows and count them, where trees were searched on some."""
    if every is None:
        return [*trees]
    (rows, goal), trends = every, fit.budget.trends
    target = fit.target if fit.wide is None else fit.wide.target
    table = _core.Table(rows.values, fit.schema_of_trees.n_levels)

    def count(place: int, _: Report) -> Tree:
        return in_order(recut(trees[place], rows.values, table, goal), trends, target)

    workers.expect(len(trees))
    return workers.run(count, len(trees))
