"""More thresholds where they matter: the tree is searched again with those around its own.

Each round offers, beside all that was offered before, the thresholds between each one the tree uses
and its offered neighbours. The tree of the last round stays possible, so rounds never do harm; they
end when nothing is left to offer, nothing was gained, the time is over, or somebody ends them.

Where all of too many thresholds are asked for, some are tried first: a tree that is as good as any
over all thresholds can be (often one without errors) needs no search among the rest.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from treewright.optimal.bounds import bound_over_all_thresholds
from treewright.optimal.certificate import Status, ending_of
from treewright.optimal.columns import TableTests
from treewright.optimal.deadline import OutOfTime
from treewright.optimal.dictionary import Dictionary
from treewright.optimal.found import Found
from treewright.optimal.search import Search
from treewright.optimal.thresholds import ColumnCuts

__all__ = ["search_table"]

_MOST_NEW = 32  # thresholds offered around one that is used


def search_table(tests: TableTests, search: Search, n_rounds: int, started: float) -> Found:
    """Search for the best tree over the conditions of a table, with rounds of refinement.

    Parameters
    ----------
    tests : TableTests
        The conditions of the table.
    search : Search
        How to search; its seconds are those of all rounds together.
    n_rounds : int
        Most rounds of refinement.
    started : float
        When these seconds began, by ``time.perf_counter``.

    Returns
    -------
    Found
        The best tree, with a bound over all thresholds.
    """
    began = time.perf_counter()
    deadline = started + search.limits.seconds
    # One tree over some thresholds would hide others over all that are as good and smaller.
    if tests.is_whole and not (search.limits.smallest or _is_quick(tests, search)):
        thinned = tests.thinned(search.goal, seconds=max(deadline - began, 0.0) / 4)
        best, status = _rounds(thinned, search, n_rounds, deadline)
        if best.certificate.is_complete and not _is_best_of_all(best):
            if ending_of(status).is_asked_for:
                best = _unfinished(best, tests, search, status)
            else:
                try:
                    best = _better(best, _run(tests, tests.dictionary(), search, deadline, best))
                except OutOfTime:
                    best = _unfinished(best, tests, search, "time_limit")
                except KeyboardInterrupt:
                    best = _unfinished(best, tests, search, "interrupted")
    else:
        best, _ = _rounds(tests, search, n_rounds, deadline)
    seconds = time.perf_counter() - began
    return best.with_proof(seconds=seconds)


def _is_quick(tests: TableTests, search: Search) -> bool:
    along_chains = search.limits.along_chains and not search.with_front
    return tests.is_quick(search.goal, search.limits.expected_depth, along_chains=along_chains)


def _rounds(
    tests: TableTests, search: Search, n_rounds: int, deadline: float
) -> tuple[Found, Status]:
    """Search, and again with more thresholds around those that are used; tell how that ended."""
    began = time.perf_counter()
    dictionary = tests.dictionary()
    best = found = _run(tests, dictionary, search, deadline)
    for _ in range(n_rounds):
        if not best.certificate.is_complete or time.perf_counter() >= deadline:
            break
        finer = _refined(tests, dictionary, best.tests)
        if finer is None:
            break
        if not search.goes_on(best, time.perf_counter() - began):
            return best, "stopped"
        try:
            tests, dictionary = finer, finer.dictionary()
            found = _run(tests, dictionary, search, deadline)
        except OutOfTime:
            return best, "time_limit"
        except KeyboardInterrupt:  # outside of a search, which would have come back with a tree
            return best, "interrupted"
        gained = best.certificate.objective - found.certificate.objective
        if gained > 0.0 or (gained == 0.0 and found.certificate.is_complete):
            best = found
        if not gained > 0.0:
            break
    return best, found.certificate.status


def _run(
    tests: TableTests,
    dictionary: Dictionary,
    search: Search,
    deadline: float,
    known: Found | None = None,
) -> Found:
    left = max(deadline - time.perf_counter(), 0.0)
    return _bounded(search.run(dictionary, tests.words(), left, known), tests, search)


def _is_best_of_all(found: Found) -> bool:
    """Tell whether no tree over all thresholds can be better."""
    return found.certificate.lower_bound_all_thresholds == found.certificate.objective


def _better(some: Found, whole: Found) -> Found:
    """Choose between the best tree over some thresholds and the best one found over all.

    What the search over all thresholds proved holds for the tree over some of them, too.
    """
    if whole.certificate.objective <= some.certificate.objective:
        return whole
    bounds = (whole.certificate.lower_bound, some.certificate.lower_bound_all_thresholds or 0.0)
    objective = some.certificate.objective
    bound = min(max(bounds), objective)
    certificate = replace(
        whole.certificate,
        objective=objective,
        lower_bound=bound,
        lower_bound_all_thresholds=bound,
    )
    return replace(some, certificate=certificate)


def _unfinished(some: Found, tests: TableTests, search: Search, status: Status) -> Found:
    """Say of the best tree over some thresholds that no search over all of them was made."""
    return some.with_proof(
        status=status,
        lower_bound=some.certificate.lower_bound_all_thresholds or 0.0,
        tests=search.words(tests.words()),
    )


def _bounded(found: Found, tests: TableTests, search: Search) -> Found:
    """Add the bound over all thresholds to the certificate, or make it one over all of them."""
    given = found.certificate
    # Moving thresholds may put leaves out of order: then a bound for trees in any order is needed.
    known = given.lower_bound if found.relaxed_bound is None else found.relaxed_bound
    bound = bound_over_all_thresholds(known, tests, search.goal, search.limits)
    if tests.is_whole:
        bound = given.lower_bound
    if tests.is_whole or bound != given.objective:
        return found.with_proof(lower_bound_all_thresholds=bound)
    words = search.words(tests.whole().words())
    return found.with_proof(lower_bound_all_thresholds=bound, tests=words)


def _refined(tests: TableTests, dictionary: Dictionary, used: Iterable[int]) -> TableTests | None:
    """Offer the thresholds around those that are used; None if there are no more."""
    if tests.is_whole:
        return None
    lows: dict[int, list[float]] = {}
    for test in used:
        if dictionary.column[test] >= 0:
            lows.setdefault(int(dictionary.column[test]), []).append(float(dictionary.low[test]))
    cuts = [
        _around(column, lows[column.column]) if column.column in lows else column
        for column in tests.cuts
    ]
    if all(len(new.offered) == len(old.offered) for new, old in zip(cuts, tests.cuts, strict=True)):
        return None
    return tests.offering(cuts)


def _around(cuts: ColumnCuts, lows: list[float]) -> ColumnCuts:
    """Offer the cuts around those whose lower value is given."""
    stops = np.concatenate([[-1], cuts.offered, [cuts.n_cuts]])
    new = [cuts.offered]
    for low in lows:
        at = int(np.searchsorted(cuts.values, low))
        place = int(np.searchsorted(stops, at))
        before = stops[max(place - 1, 0)]
        after = stops[min(place + 1, len(stops) - 1)]
        inside = np.arange(before + 1, after)
        if len(inside) > _MOST_NEW:
            inside = inside[np.linspace(0, len(inside) - 1, _MOST_NEW).astype(int)]
        new.append(inside)
    return cuts.offering(np.concatenate(new))
