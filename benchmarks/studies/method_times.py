"""How long every method takes to grow one tree, and how many times as long as CART.

    python -m benchmarks.studies.method_times [--only METHOD] [--repeats N] [--bundle]
        [--output FILE.md]

benchmarks/README.md says what is measured and how to read it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.common.fresh_process import run_apart
from benchmarks.common.made_data import Job
from benchmarks.common.options import make_parser, read
from benchmarks.common.report import (
    Table,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
    seconds,
    times,
)
from treewright import times as bundled
from treewright.base.progress import working
from treewright.splits import CARDS

WORKER = "benchmarks.studies.method_times_work"
METHODS = [card.command for card in CARDS if card.use == "trees"]
ROWS, COLUMNS, CLASSES = 1_000, 10, 2
QUICK_ROWS = 300
Found = dict[str, dict[str, Any]]  # by method


def measure(method: str, rows: int, repeats: int) -> dict[str, Any]:
    """Return the run that took the least time; runs of a method give the same tree."""
    job = Job("fit", method, rows, COLUMNS, CLASSES)
    return min((run_apart(WORKER, job) for _ in range(repeats)), key=lambda run: run["seconds"])


def to_table(found: Found, rows: int, repeats: int) -> Table:
    table = Table(
        "One tree by every method",
        f"Process CPU time of one fit, pruning included, the least of {repeats}, on {rows:,} made "
        f"rows of {COLUMNS} numeric columns and {CLASSES} classes; accuracy on as many other rows.",
        "method|time|of CART|leaves|accuracy",
    )
    base = found.get("cart", {}).get("seconds")
    for name, run in found.items():
        ratio = times(run["seconds"] / base if base else None)
        score = f"{100 * run['accuracy']:.1f} %"
        table.rows.append([name, seconds(run["seconds"]), ratio, str(run["leaves"]), score])
    return table


def main() -> None:
    parser = make_parser(__doc__.partition("\n")[0])
    parser.set_defaults(repeats=3)
    parser.add_argument(
        "--bundle", action="store_true", help="also write the file that treewright methods reads"
    )
    options = read(parser, METHODS)
    if options.bundle and (options.quick or options.only):
        parser.error("--bundle needs a whole run: leave out --quick and --only.")
    names = options.only or METHODS
    rows = QUICK_ROWS if options.quick else ROWS
    repeats = 1 if options.quick else options.repeats
    found: Found = {}
    with working(f"{len(names)} methods") as update:
        for done, name in enumerate(names, 1):
            found[name] = measure(name, rows, repeats)
            if update:
                update(done / len(names))
    table = to_table(found, rows, repeats)
    print_tables([table])
    facts = {"rows": rows, "columns": COLUMNS, "classes": CLASSES, "methods": found}
    if options.output:
        write(options.output, table, facts, is_quick=options.quick)
    if options.bundle:
        taken = {name: float(f"{run['seconds']:.3g}") for name, run in found.items()}
        bundled.PATH.write_text(json.dumps({**facts, "methods": taken}, indent=1) + "\n")


def write(path: Path, table: Table, facts: dict[str, Any], *, is_quick: bool) -> None:
    machine, packages = describe_machine(), describe_packages("treewright", "numpy", "scikit-learn")
    head = in_words(machine, packages)
    quick = " Quick run: its numbers mean nothing." if is_quick else ""
    words = (
        f"# The time of every method\n\n{head}{quick} Made by `python -m "
        "benchmarks.studies.method_times --bundle --output FILE.md`.\n"
    )
    path.write_text(f"{words}\n{table.to_markdown()}")
    whole = {"machine": machine, "packages": packages, **facts}
    path.with_suffix(".json").write_text(json.dumps(whole, indent=1) + "\n")


if __name__ == "__main__":
    main()
