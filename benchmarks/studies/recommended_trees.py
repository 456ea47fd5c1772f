"""Whether the tree that a report recommends is ever dominated by another one of its page.

    python -m benchmarks.studies.recommended_trees --output benchmarks/results/recommended_trees.md

Five outer folds of each of twelve tables. On the rows of four of them the families of a report are
fitted as the report fits them, folds of their own included; the fifth evaluates the tree that each
family recommends. It is dominated if the tree of another family takes less reading and is
more accurate by more than one standard error of the paired differences.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.common.data_sets import DataSet, read_sets
from benchmarks.common.options import make_parser, read
from benchmarks.common.report import (
    Table,
    describe_machine,
    describe_packages,
    print_tables,
    verdict,
)
from treewright.reports import Settings
from treewright.reports.families import families
from treewright.reports.fitting import fit_family
from treewright.reports.parts import read_rows

SETS = (
    *("heart", "pima", "glass", "bupa", "balance_scale", "crabs", "blood_transfusion"),
    *("breast_cancer_wdbc", "parkinsons", "statlog_australian", "german_credit", "saheart"),
)
FOLDS = 5
SECONDS = 5.0  # of the search of each fold


def measure(data: DataSet) -> dict[str, dict[str, list[float]]]:
    """Give the accuracy on each held-out row, and effort and leaves of each fold, by family."""
    settings = Settings(time_limit=SECONDS)
    rows = read_rows(dict(data.columns), data.target, is_regression=False)
    found: dict[str, dict[str, list[float]]] = {}
    outer = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    n_numbers = len(data.columns) - len(data.categorical)
    for learn, ask in outer.split(rows.strata, rows.strata):
        training, held_out = rows.take(learn), rows.take(ask)
        for family in families(settings, n_numbers):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                fitted = fit_family(family, training, "target", settings, None)
                hits = fitted.estimator.predict(held_out.table) == held_out.answers
            tree = fitted.estimator.tree_
            of_family = found.setdefault(family.name, {"hits": [], "effort": [], "leaves": []})
            of_family["hits"] += hits.astype(float).tolist()
            of_family["effort"].append(tree.reading_effort)
            of_family["leaves"].append(tree.n_leaves)
    return found


def dominated_by(found: dict[str, dict[str, list[float]]]) -> list[str]:
    """Name the families that dominate the recommended one."""
    (_, ours), *others = found.items()
    names = []
    for name, other in others:
        differences = np.subtract(other["hits"], ours["hits"])
        error = differences.std() / np.sqrt(len(differences))
        is_shorter = np.mean(other["effort"]) < np.mean(ours["effort"])
        if is_shorter and differences.mean() > error:
            names.append(name)
    return names


def main() -> None:
    parser = make_parser("Whether recommended trees are dominated by another family of the page.")
    options = read(parser, SETS)
    sets, absent = read_sets(options.data, options.only or SETS)
    for name in absent:
        print(f"{name} is not in {options.data} and is left out.", file=sys.stderr)
    if options.quick:
        sets = [data.sample(60) for data in sets[:2]]
    table = Table(
        "Recommended trees beside the other families of their page",
        "Accuracy in per cent on held-out rows of five folds / values to read per row / leaves.",
        "",
    )
    results = {}
    for data in sets:
        found = results[data.name] = measure(data)
        table.header = "table|" + "|".join(found) + "|dominated"
        cells = [
            f"{100.0 * np.mean(one['hits']):.1f} / {np.mean(one['effort']):.1f} / "
            f"{np.mean(one['leaves']):.1f}"
            for one in found.values()
        ]
        table.rows.append([data.name, *cells, verdict([f"by {n}" for n in dominated_by(found)])])
        print(*table.rows[-1], sep=" | ", file=sys.stderr)
    print_tables([table])
    if options.output:
        write(options.output, table, results)


def write(path: Path, table: Table, results: dict[str, dict[str, dict[str, list[float]]]]) -> None:
    machine, packages = describe_machine(), describe_packages("treewright", "numpy")
    about = f"Python {machine['python']}, numpy {packages['numpy']}; no time is measured."
    path.write_text(f"# Recommended trees\n\n{about}\n\n{table.to_markdown()}", encoding="utf-8")
    summary = {
        name: {
            family: {kind: float(np.mean(numbers)) for kind, numbers in one.items()}
            for family, one in found.items()
        }
        for name, found in results.items()
    }
    everything = {"machine": machine, "packages": packages, "results": summary}
    path.with_suffix(".json").write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
