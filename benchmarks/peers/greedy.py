"""Exact greedy trees beside their peers: time, growth, memory and prediction.

    python -m benchmarks.peers.greedy [--quick] [--only NAME] [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import statistics
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.common.fresh_process import run_apart
from benchmarks.common.made_data import Job
from benchmarks.common.report import (
    Table,
    count,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
    rows_in_short,
    seconds,
    slope,
    times,
    verdict,
)
from benchmarks.peers.greedy_work import do

SMALL_INPUT = 10_000_000  # bytes; below that peak memory is mostly Python's own

# What is asked of treewright.
FASTER_FIT, FASTER_PREDICT, MOST_MEMORY, HOOK_MICROSECONDS = 3.0, 2.0, 3.0, 5.0


@dataclass(frozen=True)
class Case:
    """The same work for several libraries, done `repeats` times."""

    group: str  # "fit", "predict", "argsort" or "hook"
    job: Job
    libraries: tuple[str, ...]
    repeats: int = 3

    @property
    def data(self) -> str:
        job = self.job
        kind = f"{job.classes} classes" if job.classes else "numbers"
        ties = "" if job.distinct is None else f", about {job.distinct} values a column"
        return f"{rows_in_short(job.rows)} x {job.columns}, {kind}{ties}"

    @property
    def depth(self) -> str:
        return "unlimited" if self.job.depth is None else str(self.job.depth)

    @property
    def name(self) -> str:
        """What `--only` looks in."""
        parts = [self.group, self.data, f"depth {self.depth}", self.job.measure]
        batch = [f"batch {rows_in_short(self.job.batch)}"] if self.job.batch else []
        return ", ".join([*parts, *batch])


@dataclass
class Result:
    """All repeats of a case, by library."""

    case: Case
    runs: dict[str, list[dict[str, Any]]]

    def median(self, library: str, what: str = "seconds") -> float | None:
        values = [run[what] for run in self.runs.get(library, []) if run[what] is not None]
        return statistics.median(values) if values else None

    def ratio(self, library: str) -> float | None:
        """Return how many times as long as treewright the library took."""
        ours, theirs = self.median("treewright"), self.median(library)
        return theirs / ours if ours and theirs else None

    def memory(self, library: str) -> float | None:
        """Return the peak over the data, in units of the data."""
        used, size = self.median(library, "memory"), self.median(library, "input_bytes")
        return used / size if used is not None and size and size >= SMALL_INPUT else None

    def leaves(self, library: str) -> str:
        found = self.median(library, "leaves")
        return count(None if found is None else int(found))


# --------------------------------------------------------------------------------------- cases


def full_cases(peers: tuple[str, ...]) -> Iterator[Case]:
    """Return what the whole benchmark runs."""
    both = ("treewright", *peers)
    shapes = ((10_000, 20, 2), (100_000, 20, 2), (100_000, 20, 10), (100_000, 50, 2))
    for rows, columns, classes in (*shapes, (100_000, 100, 2), (1_000_000, 20, 2)):
        job = Job("fit", "", rows, columns, classes)
        for depth in (6, None):
            repeats = 1 if rows * columns >= 1e7 and depth is None else 3
            yield Case("fit", replace(job, depth=depth), ("treewright-plain", *both), repeats)
        yield Case("argsort", replace(job, work="argsort"), ("numpy",))
    middle = Job("fit", "", 100_000, 20)
    for depth in (6, None):
        yield Case("fit", replace(middle, distinct=50, depth=depth), both)
        yield Case("fit", replace(middle, measure="entropy", depth=depth), both)
        number = replace(middle, classes=0, measure="squared_error", depth=depth)
        yield Case("fit", number, both)
        yield Case("fit", replace(number, rows=10_000), both)
    for depth in (6, None):
        job = replace(middle, work="predict", depth=depth)
        yield Case("predict", replace(job, batch=1_000_000, calls=5), both)
        yield Case("predict", replace(job, batch=100, calls=300), both)
    yield Case("hook", Job("hook", rows=2**16, columns=1), ("Python", "C++"))


def quick_cases(peers: tuple[str, ...]) -> Iterator[Case]:
    """Return small cases of every group: to see that all works, not for their numbers."""
    both = ("treewright", *peers)
    for rows in (500, 1000, 2000):
        yield Case("fit", Job("fit", "", rows, 5, depth=6), both, 1)
    yield Case("fit", Job("fit", "", 500, 5, 0, measure="squared_error"), both, 1)
    yield Case("argsort", Job("argsort", rows=2000, columns=5), ("numpy",), 1)
    yield Case("predict", Job("predict", "", 1000, 5, depth=6, batch=2000, calls=3), both, 1)
    yield Case("hook", Job("hook", rows=2**10, columns=1), ("Python", "C++"), 1)


# ----------------------------------------------------------------------------------- measuring


def run_case(case: Case, run: Callable[[Job], dict[str, Any]], repeats: int) -> Result:
    """Run all libraries in turn, several times over."""
    result = Result(case, {library: [] for library in case.libraries})
    for _ in range(min(repeats, case.repeats)):
        for library in case.libraries:
            result.runs[library].append(run(replace(case.job, library=library)))
    return result


# ---------------------------------------------------------------------------------------- tables


def fit_table(results: list[Result]) -> Table:
    table = Table(
        "Time to fit",
        f"Process CPU time, median. Asked: at least {FASTER_FIT:g} times as fast as scikit-learn, "
        "never slower than snapml.",
        "data|measure|depth|treewright|readable=False|scikit-learn|snapml|"
        "scikit-learn / treewright|snapml / treewright|verdict",
    )
    for result in results:
        behind, behind_snapml = result.ratio("scikit-learn"), result.ratio("snapml")
        misses = ["scikit-learn"] if behind is not None and behind < FASTER_FIT else []
        misses += ["snapml"] if behind_snapml is not None and behind_snapml < 1 else []
        libraries = ("treewright", "treewright-plain", "scikit-learn", "snapml")
        table.rows.append(
            [
                *(result.case.data, result.case.job.measure, result.case.depth),
                *(seconds(result.median(library)) for library in libraries),
                *(times(behind), times(behind_snapml), verdict(misses)),
            ]
        )
    return table


def memory_table(results: list[Result]) -> Table:
    table = Table(
        "Peak memory of fitting, and size of the tree",
        "How far the peak of the process rises over the data (float64) and the loaded libraries, "
        f"as a multiple of the data's bytes. Asked: at most {MOST_MEMORY:g}. "
        f"Inputs under {SMALL_INPUT // 1_000_000} MB are left out.",
        "data|measure|depth|treewright|scikit-learn|snapml|"
        "leaves, treewright|leaves, scikit-learn|verdict",
    )
    for result in results:
        ours = result.memory("treewright")
        if ours is not None:
            libraries = ("treewright", "scikit-learn", "snapml")
            table.rows.append(
                [
                    *(result.case.data, result.case.job.measure, result.case.depth),
                    *(times(result.memory(library)) for library in libraries),
                    *(result.leaves("treewright"), result.leaves("scikit-learn")),
                    verdict(["memory"] if ours > MOST_MEMORY else []),
                ]
            )
    return table


def limit_table(fits: list[Result], sorts: list[Result]) -> Table:
    table = Table(
        "Beside a physical limit",
        "One np.argsort of every column: an exact method must order each column at least once.",
        "data|depth|argsort|treewright|treewright / argsort|scikit-learn / argsort",
    )
    for sort in sorts:
        limit = sort.median("numpy")
        same = replace(sort.case.job, work="fit", library="", depth=None, measure="gini")
        for fit in fits:
            job = fit.case.job
            if replace(job, depth=None) == same and limit:
                ours, theirs = fit.median("treewright") or 0, fit.median("scikit-learn") or 0
                row = [fit.case.data, fit.case.depth, seconds(limit), seconds(ours)]
                table.rows.append([*row, times(ours / limit), times(theirs / limit)])
    return table


def growth_table(results: list[Result]) -> Table:
    table = Table(
        "Growth of the cost",
        "Slope of log time over log size, by least squares (1: proportional). Expected for rows: "
        "the slope of n log n over the same sizes; for columns: 1.",
        "sizes|depth|treewright|scikit-learn|expected",
    )
    plain = [r for r in results if (r.case.job.classes, r.case.job.measure) == (2, "gini")]
    plain = [r for r in plain if r.case.job.distinct is None]
    for what, other in (("rows", "columns"), ("columns", "rows")):
        for fixed in sorted({getattr(r.case.job, other) for r in plain}):
            for depth in (6, None):
                line = [r for r in plain if getattr(r.case.job, other) == fixed]
                line = [r for r in line if r.case.job.depth == depth]
                line.sort(key=lambda r: getattr(r.case.job, what))
                if len(line) < 3:
                    continue
                sizes = [getattr(r.case.job, what) for r in line]
                cost = [n * math.log(n) for n in sizes] if what == "rows" else sizes
                slopes = [
                    slope(sizes, [r.median(name) or math.nan for r in line])
                    for name in ("treewright", "scikit-learn")
                ]
                names = ", ".join(rows_in_short(size) for size in sizes)
                words = f"{names} {what} x {rows_in_short(fixed)} {other}"
                shown = (f"{value:.2f}" for value in (*slopes, slope(sizes, cost)))
                table.rows.append([words, line[0].case.depth, *shown])
    return table


def predict_table(results: list[Result]) -> Table:
    table = Table(
        "Time to predict",
        "One call of predict with a float64 array, process CPU time, median. Asked: at least "
        f"{FASTER_PREDICT:g} times scikit-learn's throughput.",
        "tree fitted on|depth|leaves|rows a call|treewright|scikit-learn|snapml|million rows/s|"
        "scikit-learn / treewright|verdict",
    )
    for result in results:
        behind, ours = result.ratio("scikit-learn"), result.median("treewright")
        misses = ["scikit-learn"] if behind is not None and behind < FASTER_PREDICT else []
        rate = f"{result.case.job.batch / ours / 1e6:.1f}" if ours else "-"
        libraries = ("treewright", "scikit-learn", "snapml")
        table.rows.append(
            [
                *(result.case.data, result.case.depth, result.leaves("treewright")),
                rows_in_short(result.case.job.batch),
                *(seconds(result.median(library)) for library in libraries),
                *(rate, times(behind), verdict(misses)),
            ]
        )
    return table


def hook_table(results: list[Result]) -> Table:
    table = Table(
        "A split method in Python",
        "The same tree of tiny nodes, halved by a method in Python that returns a ready test and "
        "by its twin in C++; the difference is what calling Python costs at a node. Asked: a few "
        f"microseconds (marked above {HOOK_MICROSECONDS:g}).",
        "nodes split|in Python|in C++|overhead a node|verdict",
    )
    for result in results:
        slow, fast = result.median("Python"), result.median("C++")
        nodes = result.median("Python", "nodes")
        if slow is not None and fast is not None and nodes:
            overhead = (slow - fast) / nodes
            misses = ["overhead"] if overhead > HOOK_MICROSECONDS * 1e-6 else []
            table.rows.append(
                [
                    *(count(int(nodes)), seconds(slow), seconds(fast)),
                    *(f"{overhead * 1e6:.2f} µs", verdict(misses)),
                ]
            )
    return table


def make_tables(results: list[Result]) -> list[Table]:
    """Return the tables that have rows."""
    groups: dict[str, list[Result]] = {"fit": [], "predict": [], "argsort": [], "hook": []}
    for result in results:
        groups[result.case.group].append(result)
    fits = groups["fit"]
    tables = [fit_table(fits), memory_table(fits), limit_table(fits, groups["argsort"])]
    tables += [growth_table(fits), predict_table(groups["predict"]), hook_table(groups["hook"])]
    return [table for table in tables if table.rows]


# ----------------------------------------------------------------------------------------- output


def write(path: Path, results: list[Result], tables: list[Table], *, quick: bool) -> None:
    """Write the tables as Markdown, and every measurement as JSON beside them."""
    machine = describe_machine()
    packages = describe_packages("treewright", "numpy", "scikit-learn", "snapml")
    most = max(len(runs) for result in results for runs in result.runs.values())
    repeats = "once" if most == 1 else f"up to {most} times"
    words = (
        "# Exact greedy trees beside their peers\n\n"
        f"{'Quick run: the numbers mean nothing. ' if quick else ''}"
        f"{in_words(machine, packages)} Each case was measured {repeats}. "
        "Made by `python -m benchmarks.peers.greedy --output FILE.md`; `benchmarks/README.md` says "
        "what is measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]))
    measured = [
        {"case": result.case.name, "job": asdict(result.case.job), "runs": result.runs}
        for result in results
    ]
    for case in measured:
        case["job"].pop("library")
    kept = {"machine": machine, "packages": packages, "quick": quick, "cases": measured}
    path.with_suffix(".json").write_text(json.dumps(kept, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it works")
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        help="cases whose name holds this, such as 'predict' or '100k x 20, 2 classes, depth 6'; "
        "may be repeated",
    )
    parser.add_argument("--repeats", type=int, default=3, help="at most so many (default 3)")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("--output", type=Path, metavar="FILE.md", help="also FILE.json")
    arguments = parser.parse_args()
    if arguments.output and arguments.output.suffix != ".md":
        parser.error(f"--output must end in .md; {arguments.output} does not.")

    has_snapml = importlib.util.find_spec("snapml") is not None
    peers = ("scikit-learn", "snapml") if has_snapml else ("scikit-learn",)
    cases = [*(quick_cases if arguments.quick else full_cases)(peers)]
    if arguments.only:
        cases = [case for case in cases if any(name in case.name for name in arguments.only)]
    if not cases:
        parser.error("no case has that in its name; --list prints the names.")
    if arguments.list:
        print(*(case.name for case in cases), sep="\n")
        return
    if not has_snapml:
        print("snapml: not installed, left out")
    results = []
    for i, case in enumerate(cases, 1):
        print(f"{i} of {len(cases)}: {case.name}", file=sys.stderr, flush=True)
        # A quick run does all in one process: most of the time would go into loading libraries.
        run = do if arguments.quick else partial(run_apart, "benchmarks.peers.greedy_work")
        results.append(run_case(case, run, arguments.repeats))
    tables = make_tables(results)
    print_tables(tables)
    if arguments.output:
        write(arguments.output, results, tables, quick=arguments.quick)


if __name__ == "__main__":
    main()
