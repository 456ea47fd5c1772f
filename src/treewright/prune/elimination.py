r"""Trimming: a tree loses columns from its splits one at a time, and in the end whole splits.

From a tree T the next trees are those where one linear split has one column less (see
`treewright.prune.concise`), its rows sent down again, and those where a split on one column gives
way to a leaf. The step that raises the risk least for what it saves,

    g = (R(T') - R(T)) / (comp(T) - comp(T')),

is taken, until nothing is left to take (Truong 2009, section 5.4). Ties go to leaves before shorter
splits, and among those to the last node in the order of reading. Splits below a shortened one stay
as they are. A branch that no training row takes any more goes, together with its split.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.predicates.base import FlatKind
from treewright.prune.concise import ConciseTests, NodeFits, shorter_tests
from treewright.prune.risks import ending_risks, node_risks
from treewright.tree import Tree

__all__ = ["COMPLEXITIES", "Trimming", "Visited", "counted_on", "hull", "without_empty_branches"]

COMPLEXITIES: dict[str, Callable[[Tree], float]] = {
    "attributes": lambda tree: float(tree.complexity),
    "path_average": lambda tree: tree.path_complexity,
}
_TIE = 1e-9  # of the risk of a leaf for all rows


@dataclass(frozen=True)
class Visited:
    """A tree that trimming came by.

    Parameters
    ----------
    tree : Tree
        The tree.
    complexity, risk : float
        What it costs to read, and what it loses on its training rows.
    ratio : float
        The risk paid for each unit of complexity saved by the step that led here; NaN at the start.
    nodes : tuple of int
        Nodes of the first tree whose splits were shortened or dropped in that step.
    """

    tree: Tree
    complexity: float
    risk: float
    ratio: float = math.nan
    nodes: tuple[int, ...] = ()


@dataclass(frozen=True)
class _State:
    """A tree on the way: its nodes by their ids in the first tree, and the models in use."""

    tree: Tree
    origin: NDArray[np.int64]
    used: dict[int, int]  # how many columns each node has lost, by id in the first tree
    rows: dict[int, NDArray[np.uint32]]  # likewise; only where steps are local


@dataclass(frozen=True)
class _Step:
    """What could be done at one node, and what it would do."""

    node: int  # id in the first tree
    is_collapse: bool
    risk: float  # that it adds
    saved: float  # complexity

    @property
    def ratio(self) -> float:
        return self.risk / self.saved


class Trimming:
    """The neighbours of a tree: what can be taken from it next.

    Parameters
    ----------
    tree : Tree
        Any tree.
    table, target : treewright._core.Table, treewright._core.Target
        The rows it was grown on.
    tests : ConciseTests
        How splits are made shorter.
    risk : str
        A name that :func:`node_risks` knows.
    complexity : {"attributes", "path_average"}
        How complexity is counted.
    complete : bool
        Splits on one column may give way to leaves.
    drop_empty : bool, default True
        Branches that no training row takes any more go.
    absolute : bool, default False
        Leaves predict medians.
    """

    def __init__(
        self,
        tree: Tree,
        table: _core.Table,
        target: _core.Target,
        tests: ConciseTests,
        *,
        risk: str,
        complexity: str,
        complete: bool,
        drop_empty: bool = True,
        absolute: bool = False,
    ) -> None:
        tree = counted_on(tree, table, target, absolute=absolute)
        self.table: _core.Table = table
        self.target: _core.Target = target
        fits = NodeFits(tree, table, target, tests.tau)
        self.models: dict[int, list[_core.LogisticModel]] = shorter_tests(fits, tests)
        self.risk: str = risk
        self.complexity: Callable[[Tree], float] = COMPLEXITIES[complexity]
        self._tie = _TIE * float(node_risks(tree, risk)[0])
        # Otherwise what a step does cannot be told from the rows of its node.
        self.is_local: bool = complexity == "attributes" and not tree.core.divides_rows
        self.complete: bool = complete
        self.drop_empty: bool = drop_empty
        self.absolute: bool = absolute
        self.keeps_places: bool = tests.as_package
        rows = {node: fits[node] for node in range(tree.n_nodes)}
        self.start: _State = _State(
            tree, np.arange(tree.n_nodes), dict.fromkeys(self.models, 0), rows
        )

    def all_steps(self) -> Iterator[Visited]:
        """Take the cheapest step again and again, and give every tree on the way."""
        state = self.start
        here = self.visit(state)
        yield here
        known: dict[tuple[int, bool], _Step] = {}
        while True:
            steps = list(self._steps(state, here, known))
            if not steps:
                return
            taken = _cheapest(state, steps, self._tie)
            touched = {step.node for step in taken}
            following = self._apply(state, taken)
            there = self.visit(following)
            here = Visited(
                there.tree, there.complexity, there.risk, taken[0].ratio, tuple(sorted(touched))
            )
            yield here
            known = _still_valid(state, following, touched, known) if self.is_local else {}
            state = following

    def descent(self, alpha: float) -> Visited:
        """Go to the neighbour with the least ``R + alpha * comp`` while that falls."""
        state, known = self.start, dict[tuple[int, bool], _Step]()
        here = self.visit(state)
        while True:
            steps = list(self._steps(state, here, known))
            if not steps:
                return here
            best = min(steps, key=lambda step: step.risk - alpha * step.saved)
            if best.risk - alpha * best.saved >= -self._tie:
                return here
            following = self._apply(state, [best])
            here = self.visit(following)
            known = _still_valid(state, following, {best.node}, known) if self.is_local else {}
            state = following

    def visit(self, state: _State) -> Visited:
        """Count what a tree costs and loses."""
        tree = state.tree
        return Visited(tree, self.complexity(tree), float(ending_risks(tree, self.risk).sum()))

    def _steps(
        self, state: _State, here: Visited, known: dict[tuple[int, bool], _Step]
    ) -> Iterator[_Step]:
        """Give what can be done next; `known` are steps that were looked at before."""
        core = state.tree.core
        below = _Below(state.tree, self.risk)
        for node in np.flatnonzero(core.n_branches > 0).tolist():
            name = int(state.origin[node])
            # Where no shorter test can be fitted, the node can still go.
            is_collapse = core.kind[node] != FlatKind.LINEAR or state.used.get(name, 0) >= len(
                self.models.get(name, ())
            )
            if is_collapse and not self.complete:
                continue
            if (name, is_collapse) not in known:
                look = self._collapse if is_collapse else self._shorten
                known[name, is_collapse] = _Step(name, is_collapse, *look(state, node, here, below))
            step = known[name, is_collapse]
            if step.saved > 0.0:
                yield step

    def _collapse(
        self, state: _State, node: int, here: Visited, below: _Below
    ) -> tuple[float, float]:
        """Tell what it adds to the risk to make a leaf of a node, and what that saves."""
        lost = float(below.as_leaf[node] - below.risk[node])
        if self.is_local:
            return lost, float(below.terms[node])
        return lost, here.complexity - self.complexity(state.tree.collapse([node]))

    def _shorten(
        self, state: _State, node: int, here: Visited, below: _Below
    ) -> tuple[float, float]:
        """Tell what it adds to the risk to shorten a split, and what that saves."""
        if not self.is_local:
            there = self.visit(self._shortened(state, node))
            return there.risk - here.risk, here.complexity - there.complexity
        core, place, _ = self._with_next_test(state, node)
        risk, terms = _core.what_is_below(
            core,
            place,
            self.table,
            self.target,
            state.rows[int(state.origin[node])],
            self.risk,
            self.drop_empty,
        )
        return risk - float(below.risk[node]), float(below.terms[node] - terms)

    def _apply(self, state: _State, steps: Iterable[_Step]) -> _State:
        chosen = list(steps)
        place = {int(name): node for node, name in enumerate(state.origin)}
        if not chosen[0].is_collapse:
            return self._shortened(state, place[chosen[0].node])
        tree = state.tree.collapse([place[step.node] for step in chosen])
        return replace(state, tree=tree, origin=state.origin[tree.origin])

    def _with_next_test(
        self, state: _State, node: int
    ) -> tuple[_core.Tree, int, NDArray[np.int32]]:
        """Return the tree with the next shorter split at a node, that node, and the old ids."""
        name = int(state.origin[node])
        model = self.models[name][state.used[name]]
        swapped = model.is_swapped and not self.keeps_places
        core, moved = state.tree.core.with_tests({node: (model.test, swapped)})
        return core, int(np.flatnonzero(moved == node)[0]), moved

    def _shortened(self, state: _State, node: int) -> _State:
        """Return the tree with the next shorter split at a node, its rows sent down again."""
        name = int(state.origin[node])
        core, place, moved = self._with_next_test(state, node)
        origin, rows = state.origin[moved], state.rows
        if self.is_local:
            core, below = _core.refit_below(
                core, place, self.table, self.target, rows[name], self.absolute
            )
            rows = {**rows, **{int(origin[here]): ids for here, ids in below.items()}}
        else:
            core = _core.refit(core, self.table, self.target, self.absolute)
        if self.drop_empty:
            core, kept = without_empty_branches(core)
            origin = origin[kept]
        used = {**state.used, name: state.used[name] + 1}
        return _State(state.tree.with_core(core), origin, used, rows)


class _Below:
    """The risk of each node as a leaf, and risk and columns of what stands below it."""

    def __init__(self, tree: Tree, risk: str) -> None:
        core = tree.core
        self.as_leaf = node_risks(tree, risk)
        self.risk = ending_risks(tree, risk)
        self.terms = tree.node_terms.copy()
        parent = core.parent
        for node in range(core.n_nodes - 1, 0, -1):  # children stand behind their parents
            self.risk[parent[node]] += self.risk[node]
            self.terms[parent[node]] += self.terms[node]


def counted_on(tree: Tree, table: _core.Table, target: _core.Target, *, absolute: bool) -> Tree:
    """Return the tree with the statistics of these rows, if it was grown on other ones."""
    if tree.core.rows[0] == np.count_nonzero(target.case_weights):
        return tree
    return tree.with_core(_core.refit(tree.core, table, target, absolute))


def without_empty_branches(core: _core.Tree) -> tuple[_core.Tree, NDArray[np.int32]]:
    """Replace each node whose rows all go one way by the branch they take.

    Returns
    -------
    core : treewright._core.Tree
        The tree without them.
    origin : ndarray of int32
        The old id of each of its nodes.
    """
    count = core.statistics.sum(axis=1) if core.is_classification else core.statistics[:, 0]
    stand_in = np.arange(core.n_nodes, dtype=np.int32)
    for node in range(core.n_nodes - 1, -1, -1):  # children stand behind their parents
        first, n_branches = int(core.first_child[node]), int(core.n_branches[node])
        if n_branches == 0 or count[node] <= 0.0:
            continue
        taken = [child for child in range(first, first + n_branches) if count[child] > 0.0]
        if len(taken) == 1 and count[taken[0]] >= count[node]:
            stand_in[node] = stand_in[taken[0]]
    if np.array_equal(stand_in, np.arange(core.n_nodes)):
        return core, stand_in
    return core.splice(stand_in)


def hull(visited: list[Visited]) -> tuple[list[Visited], NDArray[np.float64]]:
    """Find the visited trees that are best at some price of a unit of complexity.

    Returns
    -------
    corners : list of Visited
        From the tree of least risk on, each less complex than the one before.
    alphas : ndarray of float
        The price from which on each is best; they ascend from 0.
    """
    least = min(one.risk for one in visited)
    noise = _TIE * max(one.risk for one in visited)
    best = min(
        (one for one in visited if one.risk <= least + noise), key=lambda one: one.complexity
    )
    corners, alphas = [best], [0.0]
    while True:
        last = corners[-1]
        below = [one for one in visited if one.complexity < last.complexity - _TIE]
        if not below:
            return corners, np.array(alphas)
        slopes = [(one.risk - last.risk) / (last.complexity - one.complexity) for one in below]
        flattest = min(slopes)
        tied = [one for one, slope in zip(below, slopes, strict=True) if slope <= flattest + noise]
        corners.append(min(tied, key=lambda one: one.complexity))
        alphas.append(max(flattest, alphas[-1]))


def _cheapest(state: _State, steps: list[_Step], tie: float) -> list[_Step]:
    """Choose among steps: all tied collapses, outermost first, or one shorter split."""
    least = min(step.ratio for step in steps)
    tied = [step for step in steps if step.ratio <= least + tie]
    place = {int(name): node for node, name in enumerate(state.origin)}
    collapses = [step for step in tied if step.is_collapse]
    if not collapses:
        order = _reading_order(state.tree.core)
        return [max(tied, key=lambda step: order[place[step.node]])]
    outer: list[_Step] = []
    gone: set[int] = set()
    parent = state.tree.core.parent
    for step in sorted(collapses, key=lambda step: place[step.node]):
        node = place[step.node]
        above = int(parent[node])
        while above >= 0 and above not in gone:
            above = int(parent[above])
        if above < 0:
            outer.append(step)
            gone.add(node)
    return outer


def _still_valid(
    before: _State, after: _State, touched: set[int], known: dict[tuple[int, bool], _Step]
) -> dict[tuple[int, bool], _Step]:
    """Keep what is known of nodes that lie neither above nor below a changed one."""
    touched = touched | (set(before.origin.tolist()) - set(after.origin.tolist()))
    parent = before.tree.core.parent
    place = {int(name): node for node, name in enumerate(before.origin)}
    changed = {place[name] for name in touched}
    stale: set[int] = set()
    for node in changed:
        above = node
        while above >= 0:
            stale.add(above)
            above = int(parent[above])
    is_below = np.zeros(len(parent), dtype=np.bool_)
    for node in range(len(parent)):  # parents stand before their children
        is_below[node] = node in changed or (parent[node] >= 0 and is_below[parent[node]])
    stale.update(np.flatnonzero(is_below).tolist())
    names = {int(before.origin[node]) for node in stale}
    return {key: step for key, step in known.items() if key[0] not in names}


def _reading_order(core: _core.Tree) -> NDArray[np.int64]:
    """Give the place of each node when branches are read one after the other."""
    order = np.empty(core.n_nodes, dtype=np.int64)
    pending, place = [0], 0
    while pending:
        node = pending.pop()
        order[node] = place
        place += 1
        first, n_branches = int(core.first_child[node]), int(core.n_branches[node])
        pending.extend(range(first + n_branches - 1, first - 1, -1))
    return order
