"""Search over conditions that split methods propose, in rounds: column generation.

The first round asks the methods on all rows and on samples of them. Each further round asks them
again on the rows of every node of the best tree so far, offers other cuts along the sums that the
tree uses, and searches over all conditions for a tree that is better. Rounds never do harm; they
end when nothing new is proposed, nothing is gained, a search is not brought to its end, the
progress callback asks for it, or Ctrl-C comes while the methods are asked.

What a round proves holds for the conditions of that round: no tree over *these* conditions is
better.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from treewright.optimal.deadline import OutOfTime
from treewright.optimal.dictionary import Dictionary, predicate_tests, threshold_between
from treewright.optimal.found import Found
from treewright.optimal.proposals import Collection, Proposal, Proposer
from treewright.optimal.search import Search
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Subset
from treewright.splits import SplitMethod
from treewright.tree import Tree, decision_path
from treewright.words import plural

__all__ = ["search_proposals"]

_MOST_CUTS = 16  # along a sum that the tree uses


def search_proposals(
    methods: Sequence[SplitMethod],
    given: Sequence[tuple[Dictionary, str]],
    search: Search,
    *,
    n_samples: int = 10,
    max_terms: int | None = None,
    max_tests: int = 200,
    n_rounds: int = 10,
    seed: int = 0,
) -> Found:
    """Search for the best tree over given conditions and those that split methods propose.

    Parameters
    ----------
    methods : sequence of SplitMethod
        Who proposes.
    given : sequence of (Dictionary, str)
        Conditions that are offered in any case, and which they are in words.
    search : Search
        How to search; its seconds are those of all rounds together.
    n_samples : int, default 10
        Bootstrap samples, at the root and at each node of a round.
    max_terms : int or None, default None
        Most columns in a proposed condition.
    max_tests : int, default 200
        Most proposed conditions of one kind that are searched over.
    n_rounds : int, default 10
        Most rounds after the first.
    seed : int, default 0
        What samples and random methods draw from.

    Returns
    -------
    Found
        The best tree.

    Raises
    ------
    ValueError
        If conditions are to be joined in pairs, or a method has conditions of more than two
        branches.
    OutOfTime
        If no condition was proposed in time.
    """
    if search.limits.pair_levels > 0:
        raise ValueError(
            "The 'pair_levels' parameter must be 0 where the 'dictionary' holds split methods, "
            f"whose conditions cannot be joined. Got {search.limits.pair_levels}; Pairs() among "
            "them proposes pairs."
        )
    began = time.perf_counter()
    deadline = began + search.limits.seconds
    proposer = Proposer(methods, search, n_samples, max_terms, seed)
    names = " and ".join(map(repr, methods))
    collection = Collection(search.table)
    is_interrupted = False
    try:
        for proposal in proposer.ask(seconds=_half_of(deadline)):
            collection.add(proposal)
            if search.deadline.is_over:
                break
    except KeyboardInterrupt:  # only the first trees are looked at, over what was proposed
        is_interrupted, deadline = True, began
    if not given and not len(collection) and time.perf_counter() >= deadline:
        raise OutOfTime

    def run(known: Found | None = None) -> Found:
        predicates = [*filter(search.limits.allows, collection.predicates(max_tests))]
        price = search.limits.term_penalty
        proposed = predicate_tests(
            predicates,
            search.table,
            price=price,
            last_level=proposer.last_level,
            deadline=search.deadline,
        )
        offered = [*given, (proposed, f"{plural(len(predicates), 'test')} proposed by {names}")]
        dictionary = Dictionary.joined([tests for tests, _ in offered], search.table.n_rows)
        words = " and ".join(words for _, words in offered)
        return search.run(dictionary, words, max(deadline - time.perf_counter(), 0.0), known)

    best = run()
    if is_interrupted:
        best = best.with_proof(status="interrupted")
    for number in range(1, n_rounds + 1):
        now = time.perf_counter()
        if (
            not best.certificate.is_complete
            or now >= deadline
            or not search.goes_on(best, now - began)
        ):
            break
        around = _around(best.tree, proposer, number, _half_of(deadline))
        try:
            n_new = 0
            for proposal in around:
                search.deadline.check()
                n_new += collection.add(proposal)
            if n_new == 0:
                break
            found = run(None if search.limits.smallest else best)
        except (KeyboardInterrupt, OutOfTime):
            break
        gained = best.certificate.objective - found.certificate.objective
        # Equally good over more tests says more; worse it can be by rounding, or out of time.
        if gained > 0.0 or (gained == 0.0 and found.certificate.is_complete):
            best = found
        if not gained > 0.0:
            break
    seconds = time.perf_counter() - began
    return best.with_proof(seconds=seconds)


def _half_of(deadline: float) -> float:
    """Leave as much time to the search as to the methods."""
    return (deadline - time.perf_counter()) / 2.0


def _around(tree: Tree, proposer: Proposer, number: int, seconds: float) -> Iterator[Proposal]:
    """Propose conditions for the nodes of a tree."""
    table, inner = proposer.search.table, np.flatnonzero(tree.core.n_branches).tolist()
    rows_of_node = decision_path(tree.core, table).tocsc()
    for place in inner:
        rows = rows_of_node.indices[rows_of_node.indptr[place] : rows_of_node.indptr[place + 1]]
        node = tree.node(place)
        assert node.predicate is not None
        yield Proposal(node.predicate, share=0.0, is_kept=True)
        match node.predicate:
            case Linear():
                yield from _other_cuts(node.predicate, table.values[rows], proposer.search.readable)
            case Axis() | Subset() | Multiway() | Pair() | Machine():
                pass
            case _:
                assert_never(node.predicate)
        if place > 0:
            draw = number * tree.n_nodes + place
            yield from proposer.ask(rows, node.depth, draw, seconds / len(inner))


def _other_cuts(
    predicate: Linear, values: NDArray[np.float64], readable: bool
) -> Iterator[Proposal]:
    """Propose other cuts along a sum: half of them around its own, half spread over the rows."""
    scores = predicate.factors(values) @ np.array(predicate.coefficients)
    steps = np.unique(scores[~np.isnan(scores)])
    n_cuts = len(steps) - 1
    if n_cuts < 1:
        return
    own = int(np.searchsorted(steps, predicate.threshold, side="right")) - 1
    near = np.arange(own - _MOST_CUTS // 4, own + _MOST_CUTS // 4 + 1)
    spread = np.linspace(0, n_cuts - 1, _MOST_CUTS // 2).astype(int)
    for cut in np.unique(np.clip(np.concatenate([near, spread]), 0, n_cuts - 1)).tolist():
        low, high = float(steps[cut]), float(steps[cut + 1])
        threshold = threshold_between(low, high, readable=readable)
        yield Proposal(replace(predicate, threshold=threshold), share=0.0, is_kept=True)
