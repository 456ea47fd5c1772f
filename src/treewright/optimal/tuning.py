"""Choosing depth and size of an optimal tree by cross-validation.

For every depth d up to the largest one search gives the best tree of each number of leaves k, on
all rows and once without each fold. What the rows of the folds lose by the tree (d, k) of the
search that did not see them, summed over all rows, is the cross-validated risk of (d, k). A deeper
tree of the same size is compared only where it costs less on the training rows. The rule of k
standard errors then takes the smallest tree, and of equally small ones the shallowest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.certificate import Certificate, is_closed
from treewright.optimal.found import Found
from treewright.optimal.search import Limits
from treewright.prune import TreeSequence, choose_by_standard_errors
from treewright.prune.held_out import Losses, losses_of
from treewright.prune.path import aligned
from treewright.tree import Tree
from treewright.words import plural

__all__ = ["TunedSize", "TunedSizes", "candidates_of", "choose", "losses_of_sizes", "of_size"]


@dataclass(frozen=True)
class TunedSize:
    """One depth and number of leaves that cross-validation has judged.

    Parameters
    ----------
    max_depth : int
        Most splits on a path.
    leaves : int
        Number of leaves.
    penalty : float
        The `penalty` from which on, among trees of this depth, the tree is the best.
    training_error : float
        Error of the tree on the rows it was found on, per unit of weight.
    cv_error, cv_standard_error : float
        Error on the held-out rows of all folds, per unit of weight, and its standard error.

    See Also
    --------
    TunedSizes : All of them.

    Examples
    --------
    >>> TunedSize(2, 4, 0.01, 0.12, 0.15, 0.02).cv_error
    0.15
    """

    max_depth: int
    leaves: int
    penalty: float
    training_error: float
    cv_error: float
    cv_standard_error: float


@dataclass(frozen=True)
class TunedSizes:
    """Depths and sizes that cross-validation has compared, and which it chose.

    Parameters
    ----------
    sizes : tuple of TunedSize
        The largest first.
    chosen : int
        Position of the chosen one.
    n_folds : int
        Folds that were held out, one after another.
    se : float
        How many standard errors above the least error were allowed.
    is_complete : bool
        Whether every search came to its end; if not, some folds have judged trees that may not be
        the best of their size.

    See Also
    --------
    treewright.OptimalTreeClassifier : Has one as ``tuning_`` where `tune` is given.

    Examples
    --------
    >>> small, large = TunedSize(1, 2, 0.2, 0.2, 0.22, 0.03), TunedSize(2, 4, 0.0, 0.1, 0.2, 0.03)
    >>> tuned = TunedSizes((large, small), chosen=1, n_folds=10, se=1.0, is_complete=True)
    >>> print(tuned)
    depth  leaves  penalty  training  cross-validated    +-
        2       4        0       0.1              0.2  0.03
        1       2      0.2       0.2             0.22  0.03  <- chosen
    >>> tuned.parameters
    {'max_depth': 1, 'max_nodes': 1}
    """

    sizes: tuple[TunedSize, ...]
    chosen: int
    n_folds: int
    se: float
    is_complete: bool

    @property
    def best(self) -> TunedSize:
        """The chosen one."""
        return self.sizes[self.chosen]

    @property
    def parameters(self) -> dict[str, int]:
        """Parameters of an estimator that searches for such a tree without cross-validation."""
        return {"max_depth": self.best.max_depth, "max_nodes": self.best.leaves - 1}

    @property
    def claim(self) -> str:
        """What was chosen, as a sentence.

        Examples
        --------
        >>> one = TunedSize(1, 2, 0.2, 0.2, 0.22, 0.03)
        >>> TunedSizes((one,), chosen=0, n_folds=10, se=1.0, is_complete=True).claim
        'Depth 1 and 2 leaves were chosen by 10 folds: cross-validated error 0.22 +- 0.03.'
        """
        best = self.best
        return (
            f"Depth {best.max_depth} and {plural(best.leaves, 'leaf')} were chosen by "
            f"{self.n_folds} folds: cross-validated error {best.cv_error:.4g} +- "
            f"{best.cv_standard_error:.2g}."
        )

    def __str__(self) -> str:
        rows = [["depth", "leaves", "penalty", "training", "cross-validated", "+-"]]
        rows += [
            [
                str(size.max_depth),
                str(size.leaves),
                f"{size.penalty:.3g}",
                f"{size.training_error:.4g}",
                f"{size.cv_error:.4g}",
                f"{size.cv_standard_error:.2g}",
            ]
            for size in self.sizes
        ]
        table = aligned(rows, self.chosen)
        return table if self.is_complete else f"{table}\nSome searches ended before their proof."


def candidates_of(fronts: Sequence[TreeSequence]) -> list[tuple[int, int]]:
    """List what is compared, the largest first: places of depths, and of their trees.

    Parameters
    ----------
    fronts : sequence of TreeSequence
        The best trees of every size for depth 1, 2 and so on, each the largest first.

    Returns
    -------
    list of tuple of int
        Pairs of positions; a tree that a smaller depth has, too, is left out.
    """
    least: dict[int, float] = {}
    found = []
    for depth, front in enumerate(fronts):
        for place, entry in enumerate(front):
            known = least.get(entry.leaves)
            if known is None or not is_closed(known, entry.risk):
                least[entry.leaves] = entry.risk
                found.append((depth, place))
    return sorted(found, key=lambda pair: (-fronts[pair[0]][pair[1]].leaves, -pair[0]))


def losses_of_sizes(
    fronts: Sequence[TreeSequence],
    without_fold: Sequence[TreeSequence],
    table: _core.Table,
    target: _core.Target,
) -> Losses:
    """Sum what the rows of a fold lose by the trees of every depth and size found without it.

    Parameters
    ----------
    fronts : sequence of TreeSequence
        Those of all rows, which tell the sizes.
    without_fold : sequence of TreeSequence
        Those of the rows of other folds.
    table, target : treewright._core.Table, treewright._core.Target
        The rows of the fold.

    Returns
    -------
    tuple of ndarray
        Summed losses and summed squared losses, one of each a tree of `fronts`, in their order.
    """
    trees = [
        other.at(leaves=size).tree
        for front, other in zip(fronts, without_fold, strict=True)
        for size in front.leaves.tolist()
    ]
    return losses_of(trees, table, target, "errors", absolute=False)


def choose(
    fronts: Sequence[TreeSequence],
    losses: Losses,
    se: float,
    weight: float,
    price_unit: float,
) -> tuple[tuple[TunedSize, ...], int, TreeSequence]:
    """Choose among all depths and sizes.

    Parameters
    ----------
    fronts : sequence of TreeSequence
        The best trees of every size for depth 1, 2 and so on.
    losses : tuple of ndarray
        Cross-validated risk and its standard error of each of their trees.
    se : float
        How many standard errors above the least risk are allowed.
    weight : float
        Of all rows.
    price_unit : float
        What a penalty of 1 stands for.

    Returns
    -------
    sizes : tuple of TunedSize
        Those that were compared, the largest first.
    chosen : int
        Position of the chosen one.
    front : TreeSequence
        That of its depth, with its cross-validated risks.
    """
    starts = np.cumsum([0, *map(len, fronts)])
    candidates = candidates_of(fronts)
    risk, error = losses
    places: NDArray[np.intp] = np.array(
        [starts[depth] + place for depth, place in candidates], dtype=np.intp
    )
    chosen = choose_by_standard_errors(risk[places], error[places], se)
    sizes = []
    for (depth, place), at in zip(candidates, places.tolist(), strict=True):
        entry = fronts[depth][place]
        penalty = entry.alpha / price_unit if price_unit > 0.0 else 0.0
        errors = (entry.risk / weight, float(risk[at]) / weight, float(error[at]) / weight)
        sizes.append(TunedSize(depth + 1, entry.leaves, penalty, *errors))
    depth, place = candidates[chosen]
    front, own = fronts[depth], slice(int(starts[depth]), int(starts[depth + 1]))
    front = front.with_cross_validation(risk[own], error[own], place, front.root_risk)
    return tuple(sizes), chosen, front


def of_size(found: Found, tree: Tree, objective: float, limits: Limits) -> Certificate:
    """Certify a tree of the Pareto front among those of its size.

    Parameters
    ----------
    found : Found
        What the search for trees of all sizes found.
    tree : Tree
        One of its trees.
    objective : float
        What it costs.
    limits : Limits
        Those of the search.

    Returns
    -------
    Certificate
        That no tree with so many splits costs less. Where the search ended early, the bound for
        larger trees is what is known.
    """
    whole, n_tests = found.certificate, tree.n_leaves - 1
    words, status = whole.tests, whole.status
    bound, of_all = min(whole.lower_bound, objective), whole.lower_bound_all_thresholds
    if found.sizes is not None and tree.n_leaves in found.sizes.bounds:
        is_over_all = whole.tests == found.sizes.tests and of_all == whole.lower_bound
        words, bound = found.sizes.tests, min(found.sizes.bounds[tree.n_leaves], objective)
        status = "optimal" if is_closed(objective, bound) else "rounded"
        if of_all is not None:
            of_all = bound if is_over_all else min(of_all, bound)
    elif whole.proven and not is_closed(objective, bound):
        status = "rounded"
    if n_tests < limits.most_tests:
        words = words.replace(limits.words(), replace(limits, max_tests=n_tests).words(), 1)
    return replace(
        whole,
        objective=objective,
        lower_bound=bound,
        status=status,
        tests=words,
        lower_bound_all_thresholds=of_all,
    )
