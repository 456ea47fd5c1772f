"""More thresholds where they matter: the tree is searched anew with those around its own.

Each round offers, beside all that was offered before, the thresholds between each one the tree uses
and its offered neighbours. The tree of the last round stays possible, so rounds never do harm; they
end when nothing is left to offer, nothing was gained, or the time is over.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from treewright.optimal.bounds import bound_over_all_thresholds
from treewright.optimal.columns import TableTests
from treewright.optimal.dictionary import Dictionary
from treewright.optimal.search import Found, Search
from treewright.optimal.thresholds import ColumnCuts

__all__ = ["search_table"]

_MOST_NEW = 32  # thresholds offered around one that is used


def search_table(tests: TableTests, search: Search, n_rounds: int) -> Found:
    """Search for the best tree over the tests of a table, with rounds of refinement.

    Parameters
    ----------
    tests : TableTests
        The tests of the table.
    search : Search
        How to search; its seconds are those of all rounds together.
    n_rounds : int
        Most rounds of refinement.

    Returns
    -------
    Found
        The best tree, with a bound over all thresholds.
    """
    deadline = time.perf_counter() + search.limits.seconds
    dictionary = tests.dictionary()
    best = _bounded(search.run(dictionary, tests.words()), tests, search)
    for _ in range(n_rounds):
        finer = _refined(tests, dictionary, best.tests)
        left = deadline - time.perf_counter()
        if finer is None or not best.certificate.proven or left <= 0.0:
            break
        tests, dictionary = finer, finer.dictionary()
        found = _bounded(search.run(dictionary, tests.words(), left), tests, search)
        gained = best.certificate.objective - found.certificate.objective
        if (gained >= 0.0 and found.certificate.proven) or gained > 0.0:
            best = found
        if not gained > 0.0:
            break
    return best


def _bounded(found: Found, tests: TableTests, search: Search) -> Found:
    """Add the bound over all thresholds to the certificate."""
    certificate = found.certificate
    bound = bound_over_all_thresholds(certificate.lower_bound, tests, search.goal, search.limits)
    return replace(found, certificate=replace(certificate, lower_bound_all_thresholds=bound))


def _refined(tests: TableTests, dictionary: Dictionary, used: Iterable[int]) -> TableTests | None:
    """Offer the thresholds around those that are used; None if there are no more."""
    lows: dict[int, list[float]] = {}
    for test in used:
        if dictionary.column[test] >= 0:
            lows.setdefault(int(dictionary.column[test]), []).append(float(dictionary.low[test]))
    cuts = [_around(column, lows.get(column.column, [])) for column in tests.cuts]
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
