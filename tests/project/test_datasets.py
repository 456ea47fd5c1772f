"""The bundled tables: the script that made them is the truth about them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewright.datasets
from treewright.datasets import load_loans, names, units
from treewright.exceptions import DataError, MissingDependencyError
from treewright.schema import Schema, encode_labels, encode_numbers

TOOL = Path(__file__).parents[2] / "tools" / "make_loans.py"
TABLE = Path(treewright.datasets.__file__).parent / "data" / "loans.csv"


def test_the_table_is_what_the_script_makes() -> None:
    specification = importlib.util.spec_from_file_location("make_loans", TOOL)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    assert module.make_text() == TABLE.read_bytes().decode()


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
    assert names() == ("loans",)


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


def test_what_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match="no table 'iris'; there is loans"):
        units("iris")
    with pytest.raises(DataError, match="'as_frame' parameter of load_loans"):
        load_loans(as_frame="numpy")  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingDependencyError, match="pip install polars"):
        load_loans(as_frame="polars")
