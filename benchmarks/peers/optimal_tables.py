"""What optimal.py says of its measurements.

A ratio is the peer's process CPU time over ours. Where the peer was stopped by the limit the ratio
is only known to be larger, and is marked by ">".
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.common.report import Table, seconds, times, verdict
from benchmarks.peers.optimal_work import Case

OURS, REFERENCE = "treewright", "pystreed"
ASKED = {"depth 4": 40.0, "depth 5": 15.0}  # geometric mean of the ratios
MOST_MEGABYTES = 200  # that a search adds to what is loaded
MOST_SECONDS_OF_PAIRS = 5.0
LEAST_BY_TWO_THREADS = 1.6
END_TO_END = {("anneal", 4): 0.010}  # most seconds


def ratio(case: Case, peer: str = REFERENCE) -> float | None:
    """How many times longer a peer takes."""
    if peer not in case.runs:
        return None
    return float(case.runs[peer]["busy"] / case.runs[OURS]["busy"])


def spent(run: Mapping[str, Any] | None) -> str:
    """Process CPU time, marked where the search did not end."""
    if run is None:
        return "-"
    return ("" if run["proven"] else "> ") + seconds(run["busy"])


def errors(runs: Mapping[str, Mapping[str, Any]]) -> str:
    """Errors of the tree, and those of peers that proved another number."""
    words = str(runs[OURS]["errors"]) + ("" if runs[OURS]["proven"] else ", not proved")
    others = [
        f"{peer}: {run['errors']}"
        for peer, run in runs.items()
        if run["proven"] and run["errors"] != runs[OURS]["errors"]
    ]
    return "; ".join([words, *others])


def misses_of(case: Case) -> list[str]:
    """What a tree of ours misses beside what others proved."""
    own = case.runs[OURS]
    found = [] if own["proven"] else ["not proved"]
    proved = [run["errors"] for run in case.runs.values() if run["proven"]]
    if proved and min(proved) != own["errors"]:
        found.append("another value")
    return found


def means_table(cases: Mapping[str, Sequence[Case]]) -> Table:
    table = Table(
        "Times faster than pystreed",
        "Geometric means over the sets that both proved, and over all sets with the time until the "
        "limit for those that only treewright proved.",
        "depth|proved by both|mean|least|proved by us|mean, at least|asked|verdict",
    )
    for part, found in cases.items():
        ours = [case for case in found if case.runs[OURS]["proven"] and REFERENCE in case.runs]
        both = [ratio(case) for case in ours if case.runs[REFERENCE]["proven"]]
        every = [ratio(case) for case in ours]
        if not both:
            continue
        mean, least = statistics.geometric_mean(both), min(both)
        misses = [f"below {ASKED[part]:g}x"] if mean < ASKED[part] else []
        misses += ["a set is slower"] if least < 1 else []
        table.rows.append(
            [
                *(part, str(len(both)), times(mean), times(least), str(len(every))),
                *(times(statistics.geometric_mean(every)), times(ASKED[part]), verdict(misses)),
            ]
        )
    return table


def depth_table(part: str, cases: Sequence[Case]) -> Table:
    peers = [peer for peer in (REFERENCE, "pydl8.5") if any(peer in case.runs for case in cases)]
    columns = "".join(f"|{peer}|ratio" for peer in peers)
    table = Table(
        f"Trees of {part}",
        "Process CPU time of fit, the least of some repeats; > marks a search that was stopped by "
        "the limit. Peak memory is that of the whole process with Python and all it has loaded; "
        "rise is what the search adds.",
        f"data|rows x columns|errors|treewright{columns}|peak, MB|rise, MB|verdict",
    )
    for case in cases:
        own = case.runs[OURS]
        misses = misses_of(case)
        row = [case.name, f"{own['rows']} x {own['columns']}", errors(case.runs), spent(own)]
        for peer in peers:
            known = ratio(case, peer)
            marked = "" if peer not in case.runs or case.runs[peer]["proven"] else "> "
            row += [spent(case.runs.get(peer)), marked + times(known)]
        reference = case.runs.get(REFERENCE)
        if reference is not None and reference["proven"] and (ratio(case) or 1.0) < 1:
            misses.append("slower")
        if own["rise"] > MOST_MEGABYTES * 1e6 and part == "depth 4":
            misses.append(f"more than {MOST_MEGABYTES} MB")
        most = END_TO_END.get((case.name, case.job.depth))
        if most and own["busy"] > most:
            misses.append(f"more than {seconds(most)}")
        row += [f"{own['memory'] / 1e6:.0f}", f"{own['rise'] / 1e6:.0f}", verdict(misses)]
        table.rows.append(row)
    return table


def pairs_table(cases: Sequence[Case]) -> Table:
    of_two = any(case.job.alpha == 2 for case in cases)
    where = "the root and the level below it" if of_two else "the root"
    asked = "proved" if of_two else f"proved in less than {MOST_SECONDS_OF_PAIRS:g} s"
    table = Table(
        f"A pair of tests at {where}",
        f"Trees of depth 4 with pairs of tests at {where}, joined by and, or, xor. Asked: {asked}.",
        "data|rows x columns|errors|time|peak, MB|verdict",
    )
    for case in cases:
        own = case.runs[OURS]
        slow = not of_two and own["busy"] > MOST_SECONDS_OF_PAIRS
        misses = misses_of(case) + ([f"{MOST_SECONDS_OF_PAIRS:g} s"] if slow else [])
        table.rows.append(
            [
                *(case.name, f"{own['rows']} x {own['columns']}", errors(case.runs), spent(own)),
                *(f"{own['memory'] / 1e6:.0f}", verdict(misses)),
            ]
        )
    return table


def thresholds_table(cases: Sequence[Case]) -> Table:
    table = Table(
        "Every threshold, beside pycontree",
        "The tables that pycontree was published with, over all thresholds. Asked: proved, the "
        "same errors as pycontree where it proves them, and never slower.",
        "data|rows x columns|depth|errors|time|rise, MB|errors, pycontree|time|ratio|verdict",
    )
    for case in cases:
        own, peer = case.runs["every threshold"], case.runs.get("pycontree")
        misses = [] if own["proven"] else ["not proved"]
        row = [case.name, f"{own['rows']} x {own['columns']}", str(case.job.depth)]
        row += [str(own["errors"]), spent(own), f"{own['rise'] / 1e6:.0f}"]
        if peer is None:
            table.rows.append([*row, "-", "-", "-", verdict(misses)])
            continue
        misses += ["another value"] if peer["proven"] and peer["errors"] != own["errors"] else []
        misses += ["slower"] if peer["busy"] < own["busy"] else []
        marked = "" if peer["proven"] else "> "
        row += [str(peer["errors"]), spent(peer), marked + times(peer["busy"] / own["busy"])]
        table.rows.append([*row, verdict(misses)])
    return table


def threads_table(cases: Sequence[Case]) -> Table:
    table = Table(
        "Two threads",
        "Searches of more than a second again, on two threads: seconds that passed. Asked: "
        f"{LEAST_BY_TWO_THREADS:g} times faster, with the same number of errors.",
        "data|depth|alpha|one thread|two threads|faster|verdict",
    )
    for case in cases:
        alone, together = case.runs["one thread"], case.runs[OURS]
        faster = alone["elapsed"] / together["elapsed"]
        misses = [] if faster >= LEAST_BY_TWO_THREADS else [times(faster)]
        misses += ["another value"] if alone["errors"] != together["errors"] else []
        table.rows.append(
            [
                *(case.name, str(case.job.depth), str(case.job.alpha)),
                *(seconds(alone["elapsed"]), seconds(together["elapsed"]), times(faster)),
                verdict(misses),
            ]
        )
    return table


def numbers_table(cases: Sequence[Case]) -> Table:
    table = Table(
        "Tables of numbers",
        'treewright chooses which thresholds to try (thresholds="auto"); beside it the search over '
        "every threshold of every column, and pycontree, which does the same. > marks a search "
        "that was stopped. Asked: proved, and no more errors than pycontree.",
        "data|rows x columns|depth|errors|time|errors, every threshold|time|errors, pycontree|"
        "time|verdict",
    )
    for case in cases:
        own = case.runs[OURS]
        row = [case.name, f"{own['rows']} x {own['columns']}", str(case.job.depth)]
        for library in (OURS, "every threshold", "pycontree"):
            run = case.runs.get(library)
            row += ["-" if run is None else str(run["errors"]), spent(run)]
        misses = [] if own["proven"] else ["not proved"]
        least = min(run["errors"] for run in case.runs.values())
        misses += [f"{own['errors'] - least} more"] if own["errors"] > least else []
        table.rows.append([*row, verdict(misses)])
    return table
