"""Conditions that split methods propose for a search: heuristics propose, the search disposes.

Each method grows trees on all rows and on bootstrap samples of them, by the Gini index or squared
error whatever mistakes cost, and every condition of these trees is collected. Growth rounds its
conditions first, unless ``readable=False``, and the rounded condition is what is offered, so that
what is searched over is what is printed. Conditions with more than two branches on levels are
offered as each branch against the rest.

Two conditions that send all training rows the same ways, or the opposite ways, are one; the one
with fewer terms stays. Of the conditions of one kind that only samples proposed, those stay whose
decrease of impurity, where they were proposed, was the largest proportion of the sample's weight: a
cheap stand-in for looking ahead, which favours conditions for large nodes. Conditions of trees on
all rows stay in any case: the search then holds the tree that growth would have given, and cannot
do worse.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.optimal.dictionary import ANYWHERE
from treewright.optimal.search import Search
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset, decode
from treewright.splits import Best, Categorical, Pairs, SplitMethod

__all__ = ["Collection", "Proposal", "Proposer"]

Rows = NDArray[np.intp]

_LONGEST_TIME = 1e9  # seconds; more limits nothing


@dataclass(frozen=True)
class Proposal:
    """A condition that a method proposes.

    Parameters
    ----------
    predicate : Predicate
        A condition with two branches.
    share : float
        Decrease of weighted impurity where it was proposed, as a proportion of all weight there
        was.
    is_kept : bool
        Whether it must not be left out for better ones.
    """

    predicate: Predicate
    share: float
    is_kept: bool


@dataclass(frozen=True)
class Proposer:
    """Grows trees with split methods and collects their conditions.

    Parameters
    ----------
    methods : sequence of SplitMethod
        Who is asked: each by itself, and all together for the better of their conditions at each
        node.
    search : Search
        What the conditions are for: the training rows, and how deep a tree may be.
    n_samples : int, default 10
        Bootstrap samples for each method; 0 asks on all rows only.
    max_terms : int or None, default None
        Most columns in a condition that is handed out.
    seed : int, default 0
        What samples and random methods draw from.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright.optimal.goals import ClassGoal
    >>> from treewright.optimal.search import Limits
    >>> from treewright.schema import Schema
    >>> from treewright.splits import MUST, Axis
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> schema, values = Schema.from_data(X)
    >>> goal = ClassGoal(y.to_numpy(np.int32), np.ones(150), 3)
    >>> table = _core.Table(values, schema.n_levels)
    >>> search = Search(goal, schema, table, Limits(max_depth=2))
    >>> for proposal in Proposer([Axis(), MUST(2)], search, n_samples=0).ask():
    ...     print(f"{proposal.share:.2f}", proposal.predicate.branches(schema)[0])
    0.33 petal length (cm) <= 2
    0.26 petal width (cm) <= 1.7
    0.33 petal length (cm) <= 2
    0.27 0.31 * sepal width (cm) - petal width (cm) <= -0.813
    0.33 petal length (cm) <= 2
    0.27 0.31 * sepal width (cm) - petal width (cm) <= -0.813
    """

    methods: Sequence[SplitMethod]
    search: Search
    n_samples: int = 10
    max_terms: int | None = None
    seed: int = 0

    def ask(
        self,
        rows: Rows | None = None,
        level: int = 0,
        number: int = 0,
        seconds: float = math.inf,
    ) -> Iterator[Proposal]:
        """Ask for conditions on some rows, or on all.

        Parameters
        ----------
        rows : ndarray of intp or None, default None
            The rows.
        level : int, default 0
            Level of the node that they stand at; trees grow from there.
        number : int, default 0
            Which time this is; another number draws other samples.
        seconds : float, default infinity
            Time there is; then no sample is drawn any more, and growth is cut short.

        Yields
        ------
        Proposal
            A condition; the same may come again.
        """
        deadline = time.perf_counter() + seconds
        weights = self.search.goal.weights
        if rows is not None:
            weights = np.where(np.isin(np.arange(len(weights)), rows), weights, 0.0)
        options, random = self._options(level), np.random.default_rng((self.seed, number))
        asked = [*self.methods, Best(*self.methods)] if len(self.methods) > 1 else self.methods
        for method in asked:
            for predicate, share in self._tests(method, weights, random, options, deadline):
                yield Proposal(predicate, share, is_kept=True)
        for _ in range(self.n_samples):
            if time.perf_counter() >= deadline:
                return
            drawn = weights * _bootstrap(weights, random)
            for method in self.methods:
                for predicate, share in self._tests(method, drawn, random, options, deadline):
                    yield Proposal(predicate, share, is_kept=False)

    def last_level(self, predicate: Predicate) -> int:
        """Give the deepest level for a condition: pairs only where `Pairs` tries them."""
        match predicate:
            case Pair():
                levels = [part.levels for part in _parts(self.methods) if isinstance(part, Pairs)]
                deepest = [ANYWHERE if level is None else level - 1 for level in levels]
                return max(deepest, default=ANYWHERE)
            case Axis() | Linear() | Subset() | Multiway() | Machine():
                return ANYWHERE
            case _:
                assert_never(predicate)

    def _tests(
        self,
        method: SplitMethod,
        weights: NDArray[np.float64],
        random: np.random.Generator,
        options: _core.GrowOptions,
        deadline: float,
    ) -> Iterator[tuple[Predicate, float]]:
        """Grow a tree; give its conditions, and the proportion of all weight that each gained."""
        goal = self.search.goal
        assert is_dataclass(goal)
        whole = method
        if self.search.schema.n_levels.any():
            whole = method.with_levels(Categorical())
        options.seed = int(random.integers(2**63))
        target = replace(goal, weights=weights).core()
        seconds = min(max(deadline - time.perf_counter(), 0.0), _LONGEST_TIME)
        tree, _ = _core.grow(self.search.table, target, whole.build(), options, time_limit=seconds)
        total = weights.sum()
        for node in np.flatnonzero(tree.n_branches).tolist():
            test = tree.test(node)
            assert test is not None
            for predicate in _two_way(decode(test), method):
                if self.max_terms is None or predicate.n_terms <= self.max_terms:
                    yield predicate, float(tree.gain[node] / total)

    def _options(self, level: int) -> _core.GrowOptions:
        options = _core.GrowOptions()
        options.measure = "gini" if self.search.goal.is_classification else "squared_error"
        options.max_depth = self.search.limits.expected_depth - level
        options.min_samples_leaf = float(self.search.limits.min_rows)
        options.readable = self.search.readable
        options.columns = self.search.limits.columns.of_conditions.core()
        return options


@dataclass
class Collection:
    """Conditions without doubles, and how good each looked.

    Parameters
    ----------
    table : treewright._core.Table
        The training rows, by which conditions are compared.
    """

    table: _core.Table
    _proposals: dict[bytes, Proposal] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._proposals)

    def add(self, proposal: Proposal) -> bool:
        """Add a condition, unless it is here already.

        Parameters
        ----------
        proposal : Proposal
            The condition.

        Returns
        -------
        bool
            Whether it is new: it parts the rows, and not as a condition did that was here.
        """
        branches = _core.route(proposal.predicate.encode(), self.table)
        is_known = branches >= 0
        known = branches[is_known]
        if not len(known) or (known == known[0]).all():
            return False
        # Complements are one test: the first row with a branch counts as taking branch 0.
        branches[is_known] = known != known[0]
        key = hashlib.blake2b(branches.astype(np.int8).tobytes()).digest()
        old = self._proposals.setdefault(key, proposal)
        if old is proposal:
            return True
        shorter = min(old.predicate, proposal.predicate, key=_n_terms)
        share, is_kept = max(old.share, proposal.share), old.is_kept or proposal.is_kept
        self._proposals[key] = Proposal(shorter, share, is_kept)
        return False

    def predicates(self, max_tests: int | None = None) -> list[Predicate]:
        """Give the conditions, those of few terms first.

        Parameters
        ----------
        max_tests : int or None, default None
            Most conditions of one kind; only conditions that must be kept can make it more.

        Returns
        -------
        list of Predicate
            The conditions.
        """
        by_kind: dict[type, list[Proposal]] = {}
        for proposal in self._proposals.values():
            by_kind.setdefault(type(proposal.predicate), []).append(proposal)
        chosen: list[Predicate] = []
        for proposals in by_kind.values():
            best_first = sorted(proposals, key=lambda one: (not one.is_kept, -one.share))
            n_kept = sum(one.is_kept for one in proposals)
            most = len(proposals) if max_tests is None else max(max_tests, n_kept)
            chosen += [one.predicate for one in best_first[:most]]
        return sorted(chosen, key=_n_terms)


def _parts(methods: Iterable[SplitMethod]) -> Iterator[SplitMethod]:
    """Give methods and those that they are made of."""
    for method in methods:
        yield method
        yield from _parts(method.parts)


def _n_terms(predicate: Predicate) -> int:
    return predicate.n_terms


def _bootstrap(weights: NDArray[np.float64], random: np.random.Generator) -> NDArray[np.float64]:
    """Draw as many of the rows that have a weight as there are, and count them."""
    present = np.flatnonzero(weights)
    drawn = random.choice(present, len(present))
    return np.bincount(drawn, minlength=len(weights)).astype(np.float64)


def _two_way(predicate: Predicate, method: SplitMethod) -> Iterator[Predicate]:
    """Give a condition as conditions with two branches."""
    match predicate:
        case Multiway():
            branch_of_level = np.array(predicate.branch_of_level)
            n_branches = 1 if predicate.n_branches == 2 else predicate.n_branches
            for branch in range(n_branches):
                inside, outside = (
                    tuple(np.flatnonzero(levels).tolist())
                    for levels in (branch_of_level == branch, branch_of_level != branch)
                )
                yield Subset(predicate.column, inside, outside)
        case Machine():
            raise ValueError(
                f"The 'dictionary' holds {method}, whose splits have one branch per class, which "
                "an optimal tree cannot use; take a method whose splits have two branches, such as "
                "MUST(2)."
            )
        case Axis() | Linear() | Subset() | Pair():
            yield predicate
        case _:
            assert_never(predicate)
