"""A short look at an installed treewright, as users get it: needs nothing but required packages.

    python tests/smoke.py [WHEEL ...]

Grows, proves, prints, exports, saves and loads, on one thread and on two. Wheels that are named
must not be larger than 3 MB.
"""

from __future__ import annotations

import contextlib
import io
import sys
import sysconfig
import tempfile
from pathlib import Path

import numpy as np

import treewright
from treewright import OptimalTreeClassifier, TreeClassifier, TreeRegressor, datasets
from treewright.cli import main

LARGEST_WHEEL = 3_000_000  # bytes


def check_trees(folder: Path) -> None:
    columns = datasets.load_loans()
    target = columns.pop("repaid")
    columns.pop("interest_rate")
    for split in ("axis", "must(2)", "logistic"):
        model = TreeClassifier(split=split, max_depth=3, random_state=0).fit(columns, target)
        assert (model.predict(columns) == target).mean() > 0.75, split
    assert len(model.export("sql")) > 100
    path = folder / "model.json"
    model.save(path)
    again = treewright.load(path)
    assert again.tree_ == model.tree_
    assert str(again.tree_) == str(model.tree_)

    best = [OptimalTreeClassifier(max_depth=2, n_jobs=n).fit(columns, target) for n in (1, 2)]
    assert best[0].tree_ == best[1].tree_
    assert all(model.certificate_.status == "optimal" for model in best)
    assert "previous_defaults <= 1" in str(best[0].tree_)


def check_regression() -> None:
    X = np.random.default_rng(0).normal(size=(400, 3))
    y = np.where(X[:, 0] + X[:, 1] > 0, 2.0, -1.0)
    assert TreeRegressor(max_depth=6).fit(X, y).score(X, y) > 0.8


def check_command_line() -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        main(["methods"], standalone_mode=False)
    assert "which method?" in printed.getvalue()


def check_lock() -> None:
    """On an interpreter without the global lock, the core must not turn it on again."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert not sys._is_gil_enabled()


def check_size(wheel: Path) -> None:
    size = wheel.stat().st_size
    print(f"{wheel.name}: {size / 1e6:.2f} MB")
    assert size <= LARGEST_WHEEL, f"{wheel.name} is larger than {LARGEST_WHEEL / 1e6:.0f} MB"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        check_trees(Path(folder))
    check_regression()
    check_command_line()
    check_lock()
    for name in sys.argv[1:]:
        check_size(Path(name))
    print(f"treewright {treewright.__version__} works on Python {sys.version.split()[0]}.")
