"""From a family of trees to the steps that a page shows, each with a cross-validated score.

Trees count all training rows. Where there are very many, cross-validation works on a sample, and a
tree has the score that it found for trees of as many leaves: a little too low, as they were grown
on fewer rows. (Trees of the same complexity parameter would be larger on fewer rows, which
have more chance in them.) Among trees of at most `max_leaves` leaves, the smallest within one
standard error of the best is recommended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from treewright.evaluation.evidence import evidence_of
from treewright.evaluation.rows import JudgedRows
from treewright.page import Step
from treewright.prune import Path, TreeSequence, choose_by_standard_errors
from treewright.tree import Tree

__all__ = ["JudgedPath", "Scale", "judged_path", "shown_steps"]

_MOST_STEPS = 12
_MOST_LEAVES_SHOWN = 60
# With more classes pages have fewer trees, and only the recommended one has its confusion matrix.
_MANY_CLASSES, _FEW_STEPS = 10, 6


@dataclass(frozen=True)
class Scale:
    """How a mean loss of rows becomes a score: ``start + slope * loss``.

    Attributes
    ----------
    start, slope : float
        1 and -1 for an accuracy, 0 and 1 for a mean cost, 1 and -1 / variance for R squared.
    """

    start: float
    slope: float

    @classmethod
    def of(cls, tree: Tree) -> Scale:
        """Return the scale of what a tree predicts, from the rows it was grown on.

        Parameters
        ----------
        tree : Tree
            The tree.

        Returns
        -------
        Scale
            For accuracy, mean cost or R squared.
        """
        if tree.is_classification:
            return cls(0.0, 1.0) if len(tree.core.cost) else cls(1.0, -1.0)
        weight, _, squares = tree.core.statistics[0].tolist()
        return cls(1.0, -weight / squares if squares > 0.0 else 0.0)


@dataclass(frozen=True, eq=False)
class JudgedPath:
    """Trees of a path with their losses on held-out rows, the largest first.

    Attributes
    ----------
    path : Path or TreeSequence
        The trees.
    losses, standard_errors : ndarray of float or None
        Mean loss of a row that was held out, and its standard error; None if there was no
        cross-validation, as for a path of one tree.
    fitted : tuple of (int, Tree) or None
        A tree to show in the place of another.
    """

    path: Path | TreeSequence
    losses: NDArray[np.float64] | None
    standard_errors: NDArray[np.float64] | None
    fitted: tuple[int, Tree] | None = None

    def with_fitted(self, tree: Tree) -> JudgedPath:
        """Return the path with a tree in the place of the one that is next to it in size.

        Parameters
        ----------
        tree : Tree
            The tree of an estimator.

        Returns
        -------
        JudgedPath
            The path with it.
        """
        place = int(np.argmax(self.path.leaves <= tree.n_leaves))
        return replace(self, fitted=(place, tree))

    def tree(self, position: int) -> Tree:
        """Return one of the trees.

        Parameters
        ----------
        position : int
            Its position in the path.

        Returns
        -------
        Tree
            The tree.
        """
        if self.fitted is not None and position == self.fitted[0]:
            return self.fitted[1]
        return self.path[position].tree

    def choose(self, max_leaves: int) -> int:
        """Return the position of the tree to recommend.

        Parameters
        ----------
        max_leaves : int
            The most leaves that the tree may have.

        Returns
        -------
        int
            Its position in the path.
        """
        small = int(np.argmax(self.path.leaves <= max_leaves))
        if self.losses is None or self.standard_errors is None:
            return small
        return small + choose_by_standard_errors(
            self.losses[small:], self.standard_errors[small:], 1.0
        )

    def steps(
        self,
        chosen: int,
        scale: Scale,
        test: JudgedRows | None,
        *,
        with_rows: bool,
        thresholds: Mapping[int, Sequence[Sequence[float]]] = MappingProxyType({}),
    ) -> tuple[tuple[Step, ...], int]:
        """Give the trees that a page shows, the smallest first.

        Parameters
        ----------
        chosen : int
            Position of the recommended tree.
        scale : Scale
            How losses become scores.
        test : JudgedRows or None
            Rows that the trees have not seen.
        with_rows : bool
            Whether values of single rows may be shown.
        thresholds : mapping of int to three sequences of float, default {}
            By leaves, what thresholds do in cross-validation, as of :class:`treewright.page.Step`.

        Returns
        -------
        steps : tuple of Step
            Some of the trees.
        place : int
            Where among them the recommended one is.
        """
        has_many = self.tree(chosen).n_outputs > _MANY_CLASSES
        positions = shown_steps(self.path.leaves, chosen, _FEW_STEPS if has_many else _MOST_STEPS)
        steps = []
        for position in positions:
            tree, score, error = self.tree(position), None, None
            if self.losses is not None and self.standard_errors is not None:
                score = scale.start + scale.slope * float(self.losses[position])
                error = abs(scale.slope) * float(self.standard_errors[position])
            evidence = None
            if test is not None:
                evidence = evidence_of(tree, test, with_points=with_rows)
                if position != chosen and test.n_classes > _MANY_CLASSES:
                    evidence = replace(evidence, confusion=None, classes=(), groups=())
            known = zip(*thresholds.get(tree.n_leaves, ()), strict=True)
            steps.append(Step(tree, score, error, evidence, tuple(known)))
        return tuple(steps), positions.index(chosen)


def judged_path(
    path: Path | TreeSequence, n_rows: int, sample_path: Path | None = None, n_sample: int = 0
) -> JudgedPath:
    """Read off a path what cross-validation found.

    Parameters
    ----------
    path : Path or TreeSequence
        The trees, grown on `n_rows` rows; with held-out risks unless there is a sample.
    n_rows : int
        Number of rows.
    sample_path : Path or None, default None
        The path of trees that were grown on a sample, with cross-validated risks.
    n_sample : int, default 0
        Rows in the sample.

    Returns
    -------
    JudgedPath
        The trees with their mean losses.
    """
    source, count = (path, n_rows) if sample_path is None else (sample_path, n_sample)
    if source.cv_risks is None:
        return JudgedPath(path, None, None)
    losses, errors = (numbers / count for numbers in source.cv_risks)
    if sample_path is not None:
        # Leaves fall along a path: the first tree that has at most as many.
        places = np.searchsorted(-source.leaves, -path.leaves)
        losses, errors = losses[places], errors[places]
    return JudgedPath(path, losses, errors)


def shown_steps(leaves: NDArray[np.int64], chosen: int, most_steps: int = _MOST_STEPS) -> list[int]:
    """Choose which trees of a path to show: the chosen one and others in equal ratios of size.

    Parameters
    ----------
    leaves : ndarray of int
        Leaves of each tree, the largest first.
    chosen : int
        Position of the recommended tree.
    most_steps : int, default 12
        How many trees to show.

    Returns
    -------
    list of int
        Positions, the smallest tree first.

    Examples
    --------
    >>> leaves = np.array([900, 500, 200, 60, 30, 17, 9, 8, 7, 6, 5, 4, 3, 2, 1])
    >>> leaves[shown_steps(leaves, 6)].tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 30, 60]
    """
    most = max(_MOST_LEAVES_SHOWN, int(leaves[chosen]))
    small = np.flatnonzero(leaves <= most)
    if len(small) > most_steps:
        sizes = np.geomspace(leaves[small[0]], leaves[small[-1]], most_steps - 1)
        nearest = np.abs(np.log(leaves[small][:, np.newaxis] / sizes)).argmin(axis=0)
        small = np.unique(np.append(small[nearest], chosen))
    positions: list[int] = small[::-1].tolist()
    return positions
