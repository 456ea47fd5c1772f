"""Choosing a size: what trees say of held-out rows, and the smallest that is good enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.readable.soft import SoftClasses, SoftNumbers
from treewright.tree import Tree

__all__ = ["HeldOut", "Judged", "Thresholds", "choose_size", "judge"]

Numbers = NDArray[np.float64]

_FREE = 0.0125  # of the loss, for a smaller tree that is right as often: a Brier score of 0.05
_MUCH_THE_SAME = 0.1  # difference of probabilities in leaves that predict the same class
_WORTH_A_TREE, _IN_DOUBT = 1.0, 2.0  # standard errors better than one leaf; if no teacher beats it


class Judged(NamedTuple):
    """What is lost on held-out rows with one tree.

    Parameters
    ----------
    losses, risks, hits : ndarray of float64
        Of each row: as sizes are chosen by it, as the cost of a wrong prediction or its squared
        error, and whether the prediction is right; where rows may be referred, 1 less the cost.
    tree : Tree
        The tree.
    """

    losses: Numbers
    risks: Numbers
    hits: Numbers
    tree: Tree


class Thresholds(NamedTuple):
    """What thresholds of the probability of the second of two classes do on held-out rows.

    Parameters
    ----------
    probabilities : tuple of float
        From which on the class is predicted, the highest first.
    found, false_alarms : tuple of float
        Weight of rows of the class, and of the other one, that are then predicted as it.
    """

    probabilities: tuple[float, ...]
    found: tuple[float, ...]
    false_alarms: tuple[float, ...]

    @classmethod
    def of(cls, stated: Numbers, is_true: NDArray[np.bool_], weights: Numbers) -> Thresholds:
        """Gather the rows of each probability.

        Parameters
        ----------
        stated : ndarray of float64
            The probability of the class for each row.
        is_true : ndarray of bool
            Whether each row is of the class.
        weights : ndarray of float64
            Of the rows.

        Returns
        -------
        Thresholds
            One for each probability.

        Examples
        --------
        >>> Thresholds.of(np.array([0.9, 0.2, 0.9]), np.array([True, True, False]), np.ones(3))
        Thresholds(probabilities=(0.9, 0.2), found=(1.0, 2.0), false_alarms=(1.0, 1.0))
        """
        levels, level_of_row = np.unique(stated.round(6), return_inverse=True)
        found, alarms = (
            np.bincount(level_of_row, weights * side, len(levels))[::-1].cumsum()
            for side in (is_true, ~is_true)
        )
        return cls(*(tuple(one.tolist()) for one in (levels[::-1], found, alarms)))


def judge(
    tree: Tree,
    target: SoftClasses | SoftNumbers,
    truth: NDArray[np.intp] | Numbers,
    asked: _core.Table,
) -> Judged:
    """Ask a tree for rows that it did not learn from.

    Parameters
    ----------
    tree : Tree
        The tree.
    target : SoftClasses or SoftNumbers
        What kind of target it learned.
    truth : ndarray
        What is true of the rows.
    asked : treewright._core.Table
        The rows.

    Returns
    -------
    Judged
        Their losses: half the cost and a quarter of the Brier score, or squared errors.
    """
    core = tree.core
    nodes = core.apply(asked)
    match target:
        case SoftClasses(cost=cost):
            said = core.value[nodes].astype(np.intp)
            off = core.probabilities[nodes] - np.eye(cost.shape[1])[truth]
            brier, risk = (off**2).sum(axis=1), cost[truth, said]
            hit = (said == truth).astype(np.float64)
            if target.may_refer:  # what is said of rows that are referred does not matter
                brier[said == len(cost)] = target.referred_impurity
                hit = 1.0 - risk
            return Judged(0.5 * risk + 0.25 * brier, risk, hit, tree)
        case SoftNumbers():
            squares = (core.value[nodes] - truth) ** 2
            return Judged(squares, squares, squares, tree)


class HeldOut(NamedTuple):
    """What trees that did not learn from rows say of them.

    Parameters
    ----------
    sizes : list of int
        Numbers of leaves: those of the trees there are, then larger ones.
    losses, risks, hits : ndarray of shape (n_rows, n_sizes)
        As in `Judged`, with a tree of every size.
    trees : dict of int to list of Tree
        The trees of the folds by size.
    """

    sizes: list[int]
    losses: Numbers
    risks: Numbers
    hits: Numbers
    trees: dict[int, list[Tree]]

    @classmethod
    def of(
        cls,
        sizes: list[int],
        folds: Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]],
        judged: Sequence[dict[int, Judged]],
    ) -> HeldOut:
        """Gather the largest trees of each fold up to each size.

        Parameters
        ----------
        sizes : list of int
            Numbers of leaves.
        folds : sequence of pairs of ndarray
            Rows that were learned from, and rows held out.
        judged : sequence of dict of int to Judged
            For each fold what is known of its trees, by their numbers of leaves.

        Returns
        -------
        HeldOut
            All rows.
        """
        n_rows = sum(len(ask) for _, ask in folds)
        losses, risks, hits = (np.empty((n_rows, len(sizes))) for _ in range(3))
        trees: dict[int, list[Tree]] = {}
        for place, size in enumerate(sizes):
            ones = [of_fold[max(k for k in of_fold if k <= size)] for of_fold in judged]
            trees[size] = [one.tree for one in ones]
            for (_, ask), one in zip(folds, ones, strict=True):
                losses[ask, place], risks[ask, place], hits[ask, place] = one[:3]
        return cls(sizes, losses, risks, hits, trees)

    def joined(self, other: HeldOut) -> HeldOut:
        """Add trees of other sizes."""
        return HeldOut(
            self.sizes + other.sizes,
            np.hstack([self.losses, other.losses]),
            np.hstack([self.risks, other.risks]),
            np.hstack([self.hits, other.hits]),
            self.trees | other.trees,
        )


def choose_size(
    held_out: HeldOut,
    trees: dict[int, Tree],
    target: SoftClasses | SoftNumbers,
    weights: Numbers,
    simpler: float,
    *,
    is_learnable: bool,
) -> int:
    """Choose the smallest tree that is hardly worse on held-out rows than the best one.

    Parameters
    ----------
    held_out : HeldOut
        What trees of the folds lose; the first sizes are those of `trees`.
    trees : dict of int to Tree
        The trees of all rows, by their numbers of leaves.
    target : SoftClasses or SoftNumbers
        What they learned.
    weights : ndarray of float64
        Of the rows.
    simpler : float
        Standard errors that a smaller tree may lose on the best one.
    is_learnable : bool
        Whether some teacher does better than one prediction for all rows.

    Returns
    -------
    int
        The number of leaves.
    """
    losses, sizes = held_out.losses, held_out.sizes
    mean = np.average(losses, axis=0, weights=weights)
    risks = np.average(held_out.risks, axis=0, weights=weights)
    useful = [place for place in range(len(trees)) if not _has_idle_split(trees[sizes[place]])]
    best = min(useful, key=lambda place: mean[place])
    near = [best]
    for place in useful:
        allowed = simpler
        if sizes[place] == 1:
            allowed = max(simpler, _WORTH_A_TREE if is_learnable else _IN_DOUBT)
        differences = losses[:, place] - losses[:, best]
        average = np.average(differences, weights=weights)
        spread = np.sqrt(np.average((differences - average) ** 2, weights=weights))
        is_as_right = target.is_classification and risks[place] <= risks[best]
        free = _FREE if is_as_right and sizes[place] > 1 else 0.0
        if average <= max(allowed * spread / np.sqrt(len(losses)), free):
            near.append(place)
    return sizes[min(near, key=lambda place: (not _is_worthy(trees[sizes[place]]), place))]


def _is_worthy(tree: Tree) -> bool:
    """Tell whether no split parts rows of which much the same is said, or that are all referred."""
    core = tree.core
    said, held = core.probabilities, core.statistics[0]
    return not any(
        np.abs(said[first] - said[first + 1]).max() < _MUCH_THE_SAME
        or held[int(core.value[first])] == 0.0  # no row has the label of referral
        for first in _alike(tree)
    )


def _has_idle_split(tree: Tree) -> bool:
    """Tell whether a split parts rows that are all of one class."""
    held = tree.core.statistics
    return any(np.count_nonzero(held[first] + held[first + 1]) == 1 for first in _alike(tree))


def _alike(tree: Tree) -> list[int]:
    """Give the first of each two leaves of one split that predict the same class."""
    if not tree.is_classification:
        return []
    core = tree.core
    found = core.first_child[np.flatnonzero(core.n_branches)].tolist()
    return [
        first
        for first in found
        if not core.n_branches[first : first + 2].any()
        and core.value[first] == core.value[first + 1]
    ]
