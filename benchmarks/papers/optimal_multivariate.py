"""Section 6 of Mălan (2022), optimal trees with tests of two features, beside greedy ones.

    python -m benchmarks.papers.optimal_multivariate [--quick] [--only SET] [--output FILE.md]

README.md in the folder above says what is measured and how to read it.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from benchmarks.common.binary_sets import PAPER_SETS, path_of, read_binary
from benchmarks.common.options import make_parser, read
from benchmarks.common.report import (
    Table,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
)
from benchmarks.papers.optimal_multivariate_tables import (
    accuracy_table,
    size_table,
    time_table,
    whole_table,
)
from benchmarks.papers.optimal_multivariate_work import DEPTHS, Tree, trees_of

QUICK_LIMIT = 1.0


def make_tables(folds: list[Tree], whole: list[Tree]) -> list[Table]:
    tables = [make(folds, depth) for depth in DEPTHS for make in (accuracy_table, time_table)]
    return [*tables, *(whole_table(whole, depth) for depth in DEPTHS), size_table(whole)]


def write(
    path: Path, folds: list[Tree], whole: list[Tree], tables: list[Table], notes: list[str]
) -> None:
    """Write the tables as Markdown, and every tree as JSON beside them."""
    machine, packages = describe_machine(), describe_packages("treewright", "numpy", "scikit-learn")
    words = (
        "# Mălan (2022), Devising multivariate splits for optimal decision trees\n\n"
        f"{in_words(machine, packages)} {' '.join(notes)} Made by "
        "`python -m benchmarks.papers.optimal_multivariate --output FILE.md`; "
        "`benchmarks/README.md` says what is measured.\n"
    )
    path.write_text("\n".join([words, *(table.to_markdown() for table in tables)]), "utf-8")
    about = json.dumps({"machine": machine, "packages": packages, "notes": notes})
    parts = [
        f'"{name}": [\n' + ",\n".join(json.dumps(asdict(tree)) for tree in trees) + "\n]"
        for name, trees in (("folds", folds), ("whole", whole))
    ]
    path.with_suffix(".json").write_text(f"{about[:-1]},\n" + ",\n".join(parts) + "\n}\n")


def main() -> None:
    parser = make_parser(__doc__.splitlines()[0])
    parser.add_argument("--limit", type=float, default=60.0, help="seconds of a tree (60)")
    options = read(parser, PAPER_SETS)
    limit = QUICK_LIMIT if options.quick else options.limit
    paths = {name: path_of(options.data, name) for name in options.only or PAPER_SETS}
    absent = [name for name, path in paths.items() if path is None]
    if len(absent) == len(paths):
        raise SystemExit("None of the data sets was found; --data names their folder.")
    notes = ["Quick run: the numbers mean nothing."] if options.quick else []
    notes += [f"A tree has {limit:g} s."]
    notes += [f"Not found: {', '.join(absent)}."] if absent else []
    for sentence in notes:
        print(sentence, file=sys.stderr)
    folds: list[Tree] = []
    whole: list[Tree] = []
    for name, path in paths.items():
        if path is None:
            continue
        print(name, file=sys.stderr, flush=True)
        X, y = read_binary(path)
        folds += trees_of(name, X, y, limit, whole=False)
        whole += trees_of(name, X, y, limit, whole=True)
    tables = make_tables(folds, whole)
    print_tables(tables)
    if options.output:
        write(options.output, folds, whole, tables, notes)


if __name__ == "__main__":
    main()
