"""The bundled tables: the script that made them is the truth about them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewright.datasets
from treewright.datasets import load_households, load_loans, names, units
from treewright.exceptions import DataError, MissingDependencyError
from treewright.schema import Schema, encode_labels, encode_numbers

TOOLS = Path(__file__).parents[2] / "tools"
DATA = Path(treewright.datasets.__file__).parent / "data"


@pytest.mark.parametrize("name", names())
def test_the_table_is_what_the_script_makes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(TOOLS)
    made = importlib.import_module(f"make_{name}").make_text()
    assert made == (DATA / f"{name}.csv").read_bytes().decode()
    assert set(units(name)) < set(made.partition("\n")[0].split(","))


def test_the_columns_are_of_every_kind() -> None:
    loans = load_loans()
    schema, values = Schema.from_data(loans)
    assert values.shape == (1000, 13)
    assert {column.kind for column in schema.columns} == {"numeric", "boolean", "categorical"}
    has_missing = {name for name, cells in loans.items() if None in cells}
    assert has_missing == {"income", "employment", "years_at_address", "savings"}
    assert encode_labels(loans["repaid"])[1] == ("no", "yes")
    assert np.ptp(encode_numbers(loans["interest_rate"])) > 5
    assert schema.with_units(units("loans")).columns[0].unit == "years"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(library: Any) -> None:
    pytest.importorskip(library)
    frame = load_loans(as_frame=library)
    assert type(frame).__module__.startswith(library)
    expected_schema, expected = Schema.from_data(load_loans())
    schema, values = Schema.from_data(frame)
    assert schema == expected_schema
    np.testing.assert_array_equal(values, expected)


def test_a_short_tree_explains_most_of_it() -> None:
    from sklearn.model_selection import cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    loans = load_loans()
    y = loans.pop("repaid")
    _, X = Schema.from_data(loans)
    tree = DecisionTreeClassifier(max_depth=5, min_samples_leaf=5, random_state=0)
    assert 0.85 <= cross_val_score(tree, X, y, cv=10).mean() <= 0.9


@pytest.mark.long
def test_one_linear_combination_beats_univariate_trees_of_any_size() -> None:
    from sklearn.model_selection import cross_val_score
    from sklearn.tree import DecisionTreeClassifier

    households = load_households()
    y = households.pop("behind")
    schema, X = Schema.from_data(households)

    def score(X: np.ndarray, leaves: int) -> float:
        tree = DecisionTreeClassifier(max_leaf_nodes=leaves, min_samples_leaf=5, random_state=0)
        return float(cross_val_score(tree, X, y, cv=10).mean())

    names = [column.name for column in schema.columns]
    income, housing, instalment = (
        X[:, names.index(name)] for name in ("income", "housing", "instalment")
    )
    left = income - housing - instalment
    univariate = max(score(X, leaves) for leaves in (2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128))
    assert score(np.column_stack([X, left]), 4) > univariate + 0.06


def test_what_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="no table 'iris'; there are loans, households"):
        units("iris")
    with pytest.raises(DataError, match="'as_frame' parameter of load_loans"):
        load_loans(as_frame="numpy")  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingDependencyError, match="pip install polars"):
        load_loans(as_frame="polars")
