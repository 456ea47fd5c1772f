"""Published and measured optima of the optimal-tree literature and of other solvers, proved again.

`optimal.json` holds the numbers and says where they come from. Every answer must be proved, cost
what it says when all rows are sent through its tree, and keep its limits. The boards of tic-tac-toe
and the wines are tables that everybody has; the others are skipped where they are absent.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from optimal_twin import Problem, cost_of
from search_cases import ask
from shared_data import data_folder

from oracles import data, open_tables
from treewright import OptimalTreeClassifier

pytestmark = pytest.mark.oracle

OPTIMA: dict[str, Any] = json.loads(Path(__file__).with_name("optimal.json").read_text("utf-8"))
FIRST_DEPTH = 2  # of the lists of errors
SLOW = {  # longer than a third of a second, by depth
    4: ("ionosphere", "splice-1"),
    5: (
        *("australian-credit", "diabetes", "german-credit", "hypothyroid", "ionosphere"),
        *("pendigits", "vehicle", "yeast"),
    ),
}
SLOW_PAIRS = ("diabetes", "yeast")
SLOW_NUMBERS = ("glass", "pima", "wilt")  # at depth 4


@functools.cache
def read(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The tests, one a row, and the classes."""
    if name == "tic-tac-toe":
        return open_tables.tic_tac_toe()
    data.skip_without_data()
    path = data_folder() / "binary" / f"{name}.txt"
    table = np.loadtxt(path if path.is_file() else f"{path}.gz", dtype=np.uint8)
    return table[:, 1:].T.astype(bool), table[:, 0].astype(np.int64)


def check_optimum(name: str, errors: int, **limits: int) -> None:
    problem = Problem(*read(name), **limits)
    result = ask(problem)
    assert result.status == "optimal"
    assert result.objective == result.lower_bound == errors
    assert cost_of(result.tree, problem).cost == errors


def cases(*, slow: bool) -> list[Any]:
    """Names and depths of those that take seconds, or of the others."""
    found = []
    for name, known in OPTIMA["errors"].items():
        for depth, errors in enumerate(known["errors"], FIRST_DEPTH):
            if errors is not None and (name in SLOW.get(depth, ())) == slow:
                found.append(pytest.param(name, depth, errors, id=f"{name}-{depth}"))
    return found


@data.needs_all
def test_the_files_have_the_rows_and_columns_they_are_known_for() -> None:
    for name, known in OPTIMA["errors"].items():
        assert read(name)[0].shape == (known["columns"], known["rows"])


@pytest.mark.parametrize(("name", "depth", "errors"), cases(slow=False))
def test_errors_of_optimal_trees(name: str, depth: int, errors: int) -> None:
    check_optimum(name, errors, max_depth=depth)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth", "errors"), cases(slow=True))
def test_errors_of_optimal_trees_that_take_longer(name: str, depth: int, errors: int) -> None:
    check_optimum(name, errors, max_depth=depth)


@pytest.mark.parametrize(("name", "errors"), OPTIMA["leaves_of_50"].items())
def test_errors_with_leaves_of_50_rows(name: str, errors: int) -> None:
    check_optimum(name, errors, max_depth=2, min_rows=50)


@pytest.mark.parametrize("name", [name for name in OPTIMA["pairs"] if name not in SLOW_PAIRS])
def test_errors_with_a_pair_at_the_root(name: str) -> None:
    for depth, errors in zip((3, 4), OPTIMA["pairs"][name], strict=False):
        check_optimum(name, errors, max_depth=depth, pair_levels=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW_PAIRS)
def test_errors_with_a_pair_at_the_root_that_take_longer(name: str) -> None:
    for depth, errors in zip((3, 4), OPTIMA["pairs"][name], strict=False):
        check_optimum(name, errors, max_depth=depth, pair_levels=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "errors"),
    [(name, known[2]) for name, known in OPTIMA["pairs"].items() if known[2] is not None],
)
def test_errors_with_pairs_at_two_levels(name: str, errors: int) -> None:
    check_optimum(name, errors, max_depth=4, pair_levels=2, pair_functions=5)


def numbers(name: str) -> pd.DataFrame:
    data.skip_without_data()
    return pd.read_csv(data_folder() / f"{name}.csv")


def check_numbers(name: str, depth: int) -> None:
    frame = open_tables.wine() if name == "wine" else numbers(name)
    X, y = frame.drop(columns="target"), frame["target"].astype(str)
    model = OptimalTreeClassifier(depth).fit(X, y)
    errors = OPTIMA["numbers"][name][depth - FIRST_DEPTH]
    assert model.certificate_.proven
    assert model.certificate_.lower_bound_all_thresholds == errors
    assert round((1.0 - model.score(X, y)) * len(y)) == errors


@pytest.mark.parametrize("name", OPTIMA["numbers"])
def test_errors_over_all_thresholds_of_numbers(name: str) -> None:
    for depth in (2, 3) if name in SLOW_NUMBERS else (2, 3, 4):
        check_numbers(name, depth)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW_NUMBERS)
def test_errors_over_all_thresholds_of_numbers_that_take_longer(name: str) -> None:
    check_numbers(name, 4)
