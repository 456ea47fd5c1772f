r"""Error-based pruning, the pruning of C4.5.

A leaf of weight N that gets e of it wrong is expected to make E = e + extra errors on new rows,
where extra comes from an upper confidence limit of its error rate (see
`treewright.statistics.error_bounds`). Children first, every inner node is compared with two
simpler forms:

    E_leaf    the node as a leaf
    E_tree    the sum over the leaves below it (rows that stop at a node count as one more leaf)
    E_branch  its heaviest branch alone (the last of equal ones), given all rows of the node

    leaf             if E_leaf <= E_tree + 0.1 and E_leaf <= E_branch + 0.1
    the branch       else if E_branch <= E_tree + 0.1; it is then pruned again with all these rows
    the node itself  otherwise

Putting a branch in the place of its parent is called subtree raising. It needs the training rows,
because the rows of the other branches have to be sent down again; without raising the statistics in
the tree suffice and E_branch is left out. Quinlan (1993), *C4.5: Programs for Machine Learning*,
section 4.2, and release 8 of the program.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.parameters import Check, boolean, choice, number
from treewright.prune.base import Growth, Pruner
from treewright.prune.simplify import simplify as without_decided_tests
from treewright.statistics.error_bounds import BOUNDS, extra_errors
from treewright.tree import Tree
from treewright.tree.use import table_of, target_of

__all__ = ["ErrorBased", "error_based", "estimated_errors"]

_SLACK = 0.1  # in errors: what a simpler tree may cost


def error_based(
    tree: Tree,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    *,
    confidence: float = 0.25,
    bound: str = "exact",
    raising: bool = True,
    simplify: bool = True,
) -> Tree:
    """Prune a tree by the errors its leaves are expected to make on new rows, as C4.5 does.

    Parameters
    ----------
    tree : Tree
        A classification tree without a cost matrix; its splits may be of any kind.
    X : data frame, array or treewright._core.Table, optional
        The rows the tree was grown on. Needed for `raising`; where given, the statistics of the
        pruned tree are counted from them.
    y : array-like or treewright._core.Target, optional
        Their classes.
    sample_weight : array-like of float, optional
        Their weights. A weight counts as so many rows, so give weights with a mean of 1.
    confidence : float, default 0.25
        The confidence factor, above 0 and at most 1. Smaller prunes more.
    bound : {"exact", "normal", "c45"}, default "exact"
        How the confidence limit is found; ``"normal"`` is Weka's J48, ``"c45"`` is release 8.
    raising : bool, default True
        Whether a branch may take the place of its parent. Without it pruning is faster, needs no
        rows, and leaves a tree in which every split stands where it was.
    simplify : bool, default True
        Drop splits that earlier splits on the path already decide, which raising can leave behind
        (see `treewright.prune.simplify`). False keeps them, as C4.5 and J48 do.

    Returns
    -------
    Tree
        The pruned tree; its `origin` gives the id of each node in `tree`.

    Raises
    ------
    TypeError
        If the tree predicts numbers.
    ValueError
        If a parameter is out of range, the tree has a cost matrix, or rows are needed and absent.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> table = {"size": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}
    >>> colour = ["red", "red", "red", "blue", "red", "blue", "blue", "blue", "blue", "blue"]
    >>> grown = TreeClassifier().fit(table, colour).tree_
    >>> pruned = error_based(grown, table, colour)
    >>> grown.n_leaves, pruned.n_leaves
    (4, 2)
    >>> for rule in pruned.rules():
    ...     print(rule)
    if size <= 5 then red (80 %, 5 rows)
    if size > 5 then blue (100 %, 5 rows)
    """
    ErrorBased(confidence, bound, raising, simplify).check()
    _check_tree(tree)
    extra = partial(extra_errors, confidence=confidence, bound=bound)
    rows = _rows_of(tree, X, y, sample_weight)
    if raising:
        if rows is None:
            raise ValueError(
                "Subtree raising sends training rows down again: give X and y, or raising=False."
            )
        pruned = tree.with_core(*_core.error_based(tree.core, *rows, extra))
    else:
        fitted = tree if rows is None else tree.with_core(_core.refit(tree.core, *rows))
        pruned = fitted.collapse(_nodes_to_cut(fitted, extra))
    simple = without_decided_tests(pruned) if simplify else pruned
    if simple is pruned:
        return pruned
    # Rows with missing values may reach other leaves than before.
    core = simple.core if rows is None else _core.refit(simple.core, *rows)
    return tree.with_core(core, pruned.origin[simple.origin])


def estimated_errors(tree: Tree, *, confidence: float = 0.25, bound: str = "exact") -> float:
    """Give the number of errors the tree is expected to make on as many new rows.

    Parameters
    ----------
    tree : Tree
        A classification tree.
    confidence : float, default 0.25
        The confidence factor, above 0 and at most 1. Smaller is more pessimistic.
    bound : {"exact", "normal", "c45"}, default "exact"
        How the confidence limit of each leaf is found.

    Returns
    -------
    float
        The sum over the leaves of training errors and extra errors, in units of weight; rows that
        stop at an inner node count as a leaf of their own.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> tree = TreeClassifier().fit({"size": [1, 2, 3, 4]}, ["red", "red", "blue", "blue"]).tree_
    >>> estimated_errors(tree)  # two leaves of two rows, none wrong: 2 * (1 - 0.25 ** 0.5) each
    2.0
    """
    ErrorBased(confidence, bound).check()
    _check_tree(tree)
    is_leaf = tree.core.n_branches[:, np.newaxis] == 0
    ends = np.where(is_leaf, tree.core.statistics, tree.core.stopped_statistics)
    extra = partial(extra_errors, confidence=confidence, bound=bound)
    return float(_expected_errors(tree, ends, extra).sum())


class ErrorBased(Pruner):
    """Prune by expected errors, as C4.5 does; see `error_based`.

    Parameters
    ----------
    confidence : float, default 0.25
        The confidence factor, above 0 and at most 1. Smaller prunes more.
    bound : {"exact", "normal", "c45"}, default "exact"
        How the confidence limit is found; ``"normal"`` is Weka's J48, ``"c45"`` is release 8.
    raising : bool, default True
        Whether a branch may take the place of its parent.
    simplify : bool, default True
        Drop splits that earlier splits on the path already decide.

    See Also
    --------
    error_based : The same for a tree that is there.
    DescriptionLength : Another pruner that holds out no rows.

    Examples
    --------
    >>> ErrorBased(confidence=0.1)
    ErrorBased(confidence=0.1)
    """

    for_numbers: ClassVar[bool] = False
    knows_costs: ClassVar[bool] = False
    _checks: ClassVar[dict[str, Check]] = {
        "confidence": number(0.0, 1.0, above=True),
        "bound": choice(*BOUNDS),
        "raising": boolean(),
        "simplify": boolean(),
    }

    def __init__(
        self,
        confidence: float = 0.25,
        bound: str = "exact",
        raising: bool = True,
        simplify: bool = True,
    ) -> None:
        self.confidence = confidence
        self.bound = bound
        self.raising = raising
        self.simplify = simplify

    @property
    def keeps_nodes(self) -> bool:
        """Whether no branch is put in the place of its parent."""
        return not self.raising

    def prune(self, growth: Growth) -> tuple[Tree, None]:
        """Grow on all rows and prune.

        Parameters
        ----------
        growth : Growth
            The data, and how to grow trees on them.

        Returns
        -------
        tree : Tree
            The pruned tree.
        path : None
            There is no path of trees.
        """
        self.check()
        table, target = growth.data(None) if self.raising else (None, None)
        return error_based(growth.grow(None), table, target, **self.get_params()), None


def _check_tree(tree: Tree) -> None:
    if not tree.is_classification:
        raise TypeError(
            "Error-based pruning counts wrong classes, and this tree predicts numbers: use "
            "cost_complexity or reduced_error."
        )
    if tree.core.cost.size:
        raise ValueError(
            "Error-based pruning counts errors, whatever they cost, and this tree has a cost "
            "matrix: use cost_complexity or reduced_error."
        )


def _rows_of(
    tree: Tree, X: Any, y: Any, sample_weight: Any
) -> tuple[_core.Table, _core.Target] | None:
    """Encode the rows, if there are any."""
    if X is None and y is None:
        return None
    if X is None or y is None:
        raise ValueError("Rows come as X and y together: give both, or neither.")
    table = table_of(X, tree.schema)
    return table, target_of(y, tree.schema, table.n_rows, sample_weight)


def _expected_errors(
    tree: Tree, statistics: NDArray[np.float64], extra: partial[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Give the expected errors of each node on rows with these class weights."""
    weight = statistics.sum(axis=1)
    wrong = weight - statistics[np.arange(tree.n_nodes), tree.core.value.astype(np.intp)]
    expected: NDArray[np.float64] = wrong + extra(weight, wrong)
    return expected


def _nodes_to_cut(tree: Tree, extra: partial[NDArray[np.float64]]) -> NDArray[np.intp]:
    """Find the inner nodes that become leaves when no branch is raised."""
    as_leaf = _expected_errors(tree, tree.core.statistics, extra).tolist()
    below = _expected_errors(tree, tree.core.stopped_statistics, extra).tolist()
    is_leaf, parent = (tree.core.n_branches == 0).tolist(), tree.core.parent.tolist()
    cut = np.zeros(tree.n_nodes, dtype=np.bool_)
    for node in range(tree.n_nodes - 1, -1, -1):  # children stand behind their parents
        cut[node] = not is_leaf[node] and as_leaf[node] <= below[node] + _SLACK
        if node > 0:
            stays = not is_leaf[node] and not cut[node]
            below[parent[node]] += below[node] if stays else as_leaf[node]
    return np.flatnonzero(cut)
