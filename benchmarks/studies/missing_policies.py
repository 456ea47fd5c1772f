"""What each policy for missing values costs: time to fit and to predict, accuracy, leaves.

    python -m benchmarks.studies.missing_policies

Five hidden numbers decide the class. Each is measured four times with noise, so that columns can
stand in for one another, and a tenth of all cells is lost. Times are process CPU time, the least of
some repeats.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.common.made_data import signal
from benchmarks.common.report import Table, count, print_tables, seconds
from treewright import TreeClassifier
from treewright.tree.node import MISSING_POLICIES


def make_rows(n_rows: int, gaps: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return 20 columns with gaps, and two equally frequent classes."""
    random = np.random.default_rng(seed)
    hidden = random.standard_normal((n_rows, 5))
    X = np.tile(hidden, 4) + 0.3 * random.standard_normal((n_rows, 20))
    X[random.random(X.shape) < gaps] = np.nan
    return X, signal(hidden) > 1.1


def least_time(work: Callable[[], Any], repeats: int) -> float:
    """Return the CPU seconds of the fastest of some repeats."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def measure(n_rows: int, repeats: int) -> Table:
    """Fit and predict with every policy, and without gaps for comparison."""
    title = f"{count(n_rows)} rows x 20 columns, a tenth of the cells lost; as many new rows"
    table = Table(title, "", "policy|fit|predict|accuracy|leaves|values read a row")
    cases = [("(no gaps)", "default", 0.0), *((name, name, 0.1) for name in MISSING_POLICIES)]
    for label, missing, gaps in cases:
        X, y = make_rows(n_rows, gaps, seed=0)
        new, truth = make_rows(n_rows, gaps, seed=1)
        model = TreeClassifier(missing=missing, min_samples_leaf=50)
        fit = least_time(lambda model=model, X=X, y=y: model.fit(X, y), repeats)
        predict = least_time(lambda model=model, new=new: model.predict(new), repeats)
        accuracy = f"{100 * model.score(new, truth):.1f} %"
        tree = model.tree_
        sizes = [count(tree.n_leaves), f"{tree.reading_effort:.1f}"]
        table.rows.append([label, seconds(fit), seconds(predict), accuracy, *sizes])
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to see that it works")
    quick = parser.parse_args().quick
    print_tables([measure(1000 if quick else 100_000, repeats=1 if quick else 3)])


if __name__ == "__main__":
    main()
