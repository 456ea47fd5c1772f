"""The best tree with few columns: branch and bound over sets of columns.

A tree over more columns than allowed is a bound for all trees over fewer of them. Where the best
tree over some columns reads too many, one of those it reads is taken out in one branch, and is sure
to be read in the other; once as many are sure as may be read, only these are left.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from treewright.optimal.certificate import ending_of, is_closed
from treewright.optimal.dictionary import Dictionary
from treewright.optimal.found import Found
from treewright.tree.column_limits import columns_on_paths

__all__ = ["search_few_columns"]

Run = Callable[[Dictionary, float], Found]


@dataclass(order=True)
class _Open:
    """Columns that may be read, those among them that are sure, and the best tree over them."""

    bound: float
    number: int
    allowed: frozenset[int] = field(compare=False)
    sure: frozenset[int] = field(compare=False)
    found: Found = field(compare=False)


def search_few_columns(
    run: Run, dictionary: Dictionary, n_columns: int, most: int, seconds: float
) -> Found:
    """Search for the best tree that reads so many columns at most.

    Parameters
    ----------
    run : callable
        ``run(dictionary, seconds)`` finds the best tree whatever it reads.
    dictionary : Dictionary
        The conditions.
    n_columns : int
        Columns of the table.
    most : int
        Most columns.
    seconds : float
        Time there is.

    Returns
    -------
    Found
        The best tree found; its bound holds for trees of so many columns.
    """
    began = time.perf_counter()
    columns = dictionary.columns_read()

    def best_over(allowed: frozenset[int]) -> Found:
        is_kept = np.array([read <= allowed for read in columns], dtype=np.bool_)
        places = np.flatnonzero(is_kept)
        left = max(seconds - (time.perf_counter() - began), 0.0)
        found = run(dictionary.taken(is_kept), left)
        used = tuple(int(places[test]) for test in found.tests)
        return replace(found, tests=used, n_tests=len(dictionary))

    everything = frozenset(range(n_columns))
    first = best_over(everything)
    open_nodes = [_Open(first.certificate.lower_bound, 0, everything, frozenset(), first)]
    best: Found | None = None
    status, number = first.certificate.status, 0
    while open_nodes and ending_of(status).is_complete:
        node = heapq.heappop(open_nodes)
        if best is not None and is_closed(best.certificate.objective, node.bound):
            break
        read = frozenset(node.found.tree.columns_read)
        if len(read) <= most:
            best = _better(best, node.found)
            continue
        column = min(read - node.sure)
        sure = node.sure | {column}
        for allowed, kept in ((node.allowed - {column}, node.sure), (node.allowed, sure)):
            few = kept if len(kept) == most else allowed
            found = node.found if few == node.allowed else best_over(few)
            if not ending_of(found.certificate.status).is_complete:
                status = found.certificate.status
            number += 1
            bound = max(node.bound, found.certificate.lower_bound)
            heapq.heappush(open_nodes, _Open(bound, number, few, kept, found))
    for node in open_nodes:
        if len(node.found.tree.columns_read) <= most:
            best = _better(best, node.found)
    if best is None:  # out of time: a tree over the columns that are read first
        best = best_over(frozenset(_read_first(first, most)))
    objective = best.certificate.objective
    bound = min([objective, *(node.bound for node in open_nodes)])
    if ending_of(status).is_complete:
        closed = is_closed(objective, bound)
        bound, status = (objective, "optimal") if closed else (bound, "rounded")
    seconds_taken = time.perf_counter() - began
    return best.with_proof(lower_bound=bound, status=status, seconds=seconds_taken)


def _better(best: Found | None, found: Found) -> Found:
    if best is None or found.certificate.objective < best.certificate.objective:
        return found
    return best


def _read_first(found: Found, most: int) -> list[int]:
    """Name the columns that a tree reads, from its root on, as long as there are few enough."""
    read: list[int] = []
    for _, _, own in columns_on_paths(found.tree):
        new = sorted(own - set(read))
        if len(read) + len(new) <= most:
            read += new
    return read
