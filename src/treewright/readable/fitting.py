"""Finding the tree: teacher, pool, the best tree of every size, and the size that folds choose."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold

from treewright import _core
from treewright.base.workers import Report, Workers
from treewright.estimators.training import TrainingRows
from treewright.optimal.building import build_tree
from treewright.optimal.goals import ClassGoal, NumberGoal
from treewright.readable.families import proposed_by_families
from treewright.readable.pool import Budget, ParetoFront, search_front
from treewright.readable.soft import SoftClasses, SoftNumbers
from treewright.readable.terms import Terms
from treewright.tree import Tree

__all__ = ["Chosen", "Fit", "fit_front", "n_pieces"]

Numbers = NDArray[np.float64]
Goal = ClassGoal | NumberGoal
Soft = SoftClasses | SoftNumbers
Fold = tuple[NDArray[np.intp], NDArray[np.intp]]

_FEW_ROWS = 50  # then there are more folds
_FOLDS, _FOLDS_OF_FEW = 5, 10
_IN_DOUBT = 2.0  # standard errors by which a tree must be better than one leaf no teacher beats


@dataclass(frozen=True)
class Fit:
    """What a tree is found from.

    Parameters
    ----------
    rows : TrainingRows
        All rows, with the weights that they are learned with.
    goal : ClassGoal or NumberGoal
        Their true classes or numbers, with their own weights.
    learn : callable
        ``learn(rows, report)`` gives what trees learn of rows: what a teacher says of them who
        knows no others.
    target : SoftClasses or SoftNumbers
        The same of all rows.
    budget : Budget
        Which trees are allowed.
    seed : int
        Of samples and folds.
    is_learnable : bool
        Whether some teacher does better than one prediction for all rows.
    """

    rows: TrainingRows
    goal: Goal
    learn: Callable[[TrainingRows, Report], Soft]
    target: Soft
    budget: Budget
    seed: int
    is_learnable: bool


@dataclass(frozen=True)
class Chosen:
    """The best tree of every size, and the size that was chosen.

    Parameters
    ----------
    trees : dict of int to Tree
        By their number of leaves.
    leaves : int
        The chosen one.
    losses, errors : dict of int to float
        Mean loss on held-out rows and its standard error; empty where the size was given.
    scores : dict of int to float
        Mean accuracy, or coefficient of determination, on held-out rows.
    front : ParetoFront
        Plans over the pool.
    """

    trees: dict[int, Tree]
    leaves: int
    front: ParetoFront
    losses: dict[int, float] = field(default_factory=dict)
    errors: dict[int, float] = field(default_factory=dict)
    scores: dict[int, float] = field(default_factory=dict)


def fit_front(fit: Fit, size: int | None, simpler: float, workers: Workers) -> Chosen:
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

    Returns
    -------
    Chosen
        The trees.
    """
    folds = _folds(fit) if size is None else []
    n_jobs = workers.n_threads if not folds else 1

    def work(place: int, report: Report) -> tuple[Fit, ParetoFront]:
        part = fit if place == 0 else _part(fit, folds[place - 1][0], report)
        return part, _front(part, n_jobs, report)

    found = workers.run(work, 1 + len(folds))
    front = found[0][1]
    table = _core.Table(fit.rows.values, fit.rows.schema.n_levels)
    trees = {leaves: _tree(fit, front, leaves, table) for leaves in front.plans}
    if size is not None or len(trees) == 1:
        return Chosen(trees, front.at_most(size or 1), front)
    sizes = sorted(trees)
    losses, hits = _held_out(fit, sizes, folds, found[1:])
    return _choose(fit, trees, front, losses, hits, simpler)


def n_pieces(fit_size: int, size: int | None) -> int:
    """Say how many pieces of work a fit of so many rows has, that of the teacher included."""
    return 2 if size is not None else 2 + _n_folds(fit_size)


def _choose(
    fit: Fit,
    trees: dict[int, Tree],
    front: ParetoFront,
    losses: Numbers,
    hits: Numbers,
    simpler: float,
) -> Chosen:
    """Choose the smallest tree that is hardly worse on held-out rows than the best one."""
    weights, n_rows, sizes = fit.rows.weights, len(losses), sorted(trees)
    mean = np.average(losses, axis=0, weights=weights)
    best = int(np.argmin(mean))
    chosen = best
    for place in range(best):
        is_in_doubt = sizes[place] == 1 and not fit.is_learnable
        allowed = max(simpler, _IN_DOUBT) if is_in_doubt else simpler
        differences = losses[:, place] - losses[:, best]
        average = np.average(differences, weights=weights)
        spread = np.sqrt(np.average((differences - average) ** 2, weights=weights))
        if average <= allowed * spread / np.sqrt(n_rows):
            chosen = place
            break
    errors = np.sqrt(np.average((losses - mean) ** 2, axis=0, weights=weights) / n_rows)
    right = np.average(hits, axis=0, weights=weights)
    return Chosen(
        trees,
        sizes[chosen],
        front,
        dict(zip(sizes, mean.tolist(), strict=True)),
        dict(zip(sizes, errors.tolist(), strict=True)),
        dict(zip(sizes, right.tolist(), strict=True)),
    )


def _part(fit: Fit, some: NDArray[np.intp], report: Report) -> Fit:
    """Give what a tree of some rows is found from; their teacher knows no others."""
    rows = fit.rows.part(some)
    return replace(fit, rows=rows, goal=fit.goal.part(some), target=fit.learn(rows, report))


def _front(fit: Fit, n_jobs: int, report: Report) -> ParetoFront:
    """Find the best tree of every size."""
    values, n_levels = fit.rows.values, fit.rows.schema.n_levels
    return search_front(
        _core.Table(values, n_levels),
        values,
        Terms.of(values, n_levels, fit.rows.weights, fit.budget.min_weight),
        fit.target,
        fit.budget,
        given=proposed_by_families(
            fit.rows,
            is_classification=fit.target.is_classification,
            terms=fit.budget.terms,
            min_weight=fit.budget.min_weight,
        ),
        seed=fit.seed,
        n_jobs=n_jobs,
        report=report,
    )


def _tree(fit: Fit, front: ParetoFront, leaves: int, table: _core.Table) -> Tree:
    """Make the tree of a plan, with true counts and soft predictions."""
    plan, conditions = front.plans[leaves], front.conditions
    tree = build_tree(plan, conditions, fit.goal, fit.rows.schema, table)
    return tree.with_core(_with_soft_answers(tree.core, table, fit.target))


def _with_soft_answers(core: _core.Tree, table: _core.Table, target: Soft) -> _core.Tree:
    sums = _sums_of_nodes(core, core.apply(table), target.amounts())
    state = core.state()
    match target:
        case SoftClasses():
            probabilities = sums / sums.sum(axis=1, keepdims=True)
            state["value"] = (probabilities @ target.cost).argmin(axis=1).astype(np.float64)
            state["probabilities"] = np.ascontiguousarray(probabilities.ravel())
        case SoftNumbers():
            sums = _sums_of_nodes(
                core,
                core.apply(table),
                np.column_stack([target.weights, target.weights * target.numbers]),
            )
            state["value"] = sums[:, 1] / sums[:, 0]
    return _core.Tree.from_state(state)


def _sums_of_nodes(core: _core.Tree, leaf_of_row: NDArray[np.int32], amounts: Numbers) -> Numbers:
    """Add up the amounts of the rows of every node."""
    sums = np.zeros((core.n_nodes, amounts.shape[1]))
    np.add.at(sums, leaf_of_row, amounts)
    parents = core.parent
    for node in range(core.n_nodes - 1, 0, -1):
        sums[parents[node]] += sums[node]
    return sums


def _held_out(
    fit: Fit, sizes: list[int], folds: Sequence[Fold], found: Sequence[tuple[Fit, ParetoFront]]
) -> tuple[Numbers, Numbers]:
    """Give the losses of held-out rows with a tree of every size, and whether it is right."""
    n_rows = len(fit.rows.values)
    losses, hits = np.empty((n_rows, len(sizes))), np.empty((n_rows, len(sizes)))
    for (_, ask), (part, front) in zip(folds, found, strict=True):
        table = _core.Table(part.rows.values, fit.rows.schema.n_levels)
        asked = _core.Table(fit.rows.values[ask], fit.rows.schema.n_levels)
        known: dict[int, tuple[Numbers, Numbers]] = {}
        for place, size in enumerate(sizes):
            leaves = front.at_most(size)
            if leaves not in known:
                core = _tree(part, front, leaves, table).core
                known[leaves] = _losses(fit, core, asked, ask)
            losses[ask, place], hits[ask, place] = known[leaves]
    return losses, hits


def _losses(
    fit: Fit, core: _core.Tree, asked: _core.Table, ask: NDArray[np.intp]
) -> tuple[Numbers, Numbers]:
    """Give half the cost and a quarter of the Brier score, or the squared error."""
    nodes = core.apply(asked)
    truth = fit.rows.truth[ask]
    match fit.target:
        case SoftClasses(cost=cost):
            said = core.value[nodes].astype(np.intp)
            off = core.probabilities[nodes] - np.eye(len(cost))[truth]
            loss = 0.5 * cost[truth, said] + 0.25 * (off**2).sum(axis=1)
            return loss, (said == truth).astype(np.float64)
        case SoftNumbers():
            squares = (core.value[nodes] - truth) ** 2
            return squares, squares


def _n_folds(n_rows: int) -> int:
    return min(_FOLDS if n_rows >= _FEW_ROWS else _FOLDS_OF_FEW, n_rows)


def _folds(fit: Fit) -> list[Fold]:
    """Deal the rows to folds, classes evenly."""
    n_rows = len(fit.rows.values)
    n_folds, every = _n_folds(n_rows), np.zeros(n_rows)
    if n_folds < 2:
        return []
    match fit.goal:
        case ClassGoal(codes=codes):
            places = StratifiedKFold(n_folds, shuffle=True, random_state=fit.seed)
            if int(np.bincount(codes).max()) < n_folds:
                places = KFold(n_folds, shuffle=True, random_state=fit.seed)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # of classes with fewer rows
                return [*places.split(every, codes)]
        case NumberGoal():
            return [*KFold(n_folds, shuffle=True, random_state=fit.seed).split(every)]
