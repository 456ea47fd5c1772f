"""Data frames read as plain arrays give what reading them with care gives."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import treewright
from treewright import TreeClassifier, recipes
from treewright.exceptions import DataError, SchemaError
from treewright.schema import Column, Schema, plain, rows

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

SCHEMA = Schema(
    (
        Column("number", "numeric"),
        Column("count", "numeric"),
        Column("member", "boolean"),
        Column("home", "categorical", ("own", "rent")),
        Column("code", "categorical", (1, 2, "x")),
    )
)
CONTAINERS = {
    "pandas": pandas.DataFrame,
    "polars": lambda table: polars.DataFrame(table, strict=False),
    "pyarrow": pyarrow.table,
    "pyarrow chunks": lambda table: pyarrow.concat_tables(
        [pyarrow.table(table).slice(0, 1), pyarrow.table(table).slice(1)]
    ),
}


def cells(*choices: Any) -> Any:
    return st.lists(st.sampled_from(choices), min_size=4, max_size=4)


TABLES = st.fixed_dictionaries(
    {
        "number": cells(1.5, -2.0, None) | cells(1, 2, 2**60) | cells(True, False),
        "count": cells(0.25, 7.0) | cells(3, -4),
        "member": cells(True, False) | cells(True, None) | cells(0, 1),
        "home": cells("own", "rent", None, "boat"),
        "code": cells(1, 2) | cells(1, 3, None),
    }
)


@pytest.mark.parametrize("container", CONTAINERS)
@given(
    table=TABLES,
    needed=st.sets(st.integers(0, 4), min_size=1).map(sorted),
    order=st.permutations(range(5)),
)
def test_the_quick_way_and_the_careful_one_agree(container, table, needed, order) -> None:
    names = list(table)
    X = CONTAINERS[container]({names[place]: table[names[place]] for place in order})
    with pytest.MonkeyPatch.context() as patch:
        quick = outcome(X, needed)
        patch.setattr(rows, "plain_array", lambda column: None)
        patch.setattr(plain.NativeColumns, "matrix", lambda *_: None)
        for library in (plain._PandasColumns, plain._PolarsColumns, plain._ArrowColumns):
            patch.setattr(library, "plain", lambda *_: None)
        assert outcome(X, needed) == quick


def outcome(X: Any, needed: list[int]) -> Any:
    """The values that are read with the warning, or the complaint."""
    values: Any
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            values = SCHEMA.encode(X, columns=needed)
        except (DataError, SchemaError) as error:
            values = error
    said = [str(warning.message) for warning in caught]
    if isinstance(values, Exception):
        return str(values), said
    return np.nan_to_num(values[:, needed], nan=-99.0).tolist(), said


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("n_rows", [3, 2_000, 20_000])
def test_numbers_of_any_size_are_read_alike(container, n_rows) -> None:
    chance = np.random.default_rng(0)
    table = {f"x{i}": chance.normal(size=n_rows) for i in range(8)}
    table["x3"][1] = np.nan
    schema, values = Schema.from_data(table)
    X = CONTAINERS[container](table)
    np.testing.assert_array_equal(schema.encode(X), values)
    part = schema.encode(X, columns=[1, 3])
    np.testing.assert_array_equal(part[:, [1, 3]], values[:, [1, 3]])
    table["x3"][2] = np.inf
    X = CONTAINERS[container](table)
    with pytest.raises(DataError, match=r"'x3' holds infinity: inf at position 2 \(1 value in"):
        schema.encode(X)
    schema.encode(X, columns=[1])  # not looked at


@pytest.mark.parametrize("container", CONTAINERS)
def test_numbers_where_booleans_were_are_looked_at(container) -> None:
    schema = Schema((Column("number", "numeric"), Column("member", "boolean")))
    for given_cells, codes in (([True, False], [1.0, 0.0]), ([0, 1], [0.0, 1.0])):
        X = CONTAINERS[container]({"number": [0.5, 1.5], "member": given_cells})
        assert schema.encode(X)[:, 1].tolist() == codes
    with pytest.raises(SchemaError, match="'member' held true and false"):
        schema.encode(CONTAINERS[container]({"number": [0.5, 1.5], "member": [1.0, 7.0]}))


def test_labels_of_pandas_that_are_no_text() -> None:
    schema, values = Schema.from_data({"0": [1.0, 2.0], "True": [3.0, 4.0], "(1, 2)": ["a", "b"]})
    X = pandas.DataFrame({0: [1.0, 2.0], True: [3.0, 4.0], (1, 2): ["a", "b"]})
    np.testing.assert_array_equal(schema.encode(X), values)


def test_a_frame_is_not_written_to() -> None:
    X = pandas.DataFrame(np.arange(8.0).reshape(4, 2), columns=["a", "b"])
    model = TreeClassifier().fit(X, [0, 0, 1, 1])
    before = X.copy()
    model.predict(X), model.apply(X)
    pandas.testing.assert_frame_equal(X, before)


# ---------------------------------------------------------------- kin of what was slow or missing


@pytest.mark.parametrize("container", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_a_frame_of_few_rows_took_a_thousand_calls(container) -> None:  # issue 21
    """Time is for benchmarks/studies/predict_frames.py; calls are the same on every machine."""
    X = np.random.default_rng(0).normal(size=(54, 13))
    frame = container({f"x{place}": column for place, column in enumerate(X.T)})
    model = TreeClassifier().fit(frame, X[:, 0] + X[:, 1] > 0)
    model.predict(frame)  # imports what it needs
    n_calls = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal n_calls
        n_calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        model.predict(frame)
    finally:
        sys.setprofile(before)
    assert n_calls < 300


def test_nodes_were_made_anew_at_every_call() -> None:  # issue 21
    tree = TreeClassifier().fit([[1.0], [2.0], [3.0]], [0, 1, 1]).tree_
    assert tree.node(1) is tree.node(1)
    assert tree.node(np.int64(1)) is tree.node(1)
    assert tree.with_label(1, "named").node(1).name == "named"
    assert tree.node(1).name == ""
    for wrong in (-1, 3, True, 1.0, "1"):
        with pytest.raises(IndexError, match="must be an int"):
            tree.node(wrong)


@pytest.mark.long
def test_rooms_were_not_found_from_the_top() -> None:  # issue 21
    names = ["prune", "explain", "splits", "recipes"]
    assert {*names, "plot", "datasets", "export", "evaluation"} <= set(dir(treewright))
    program = f"import treewright; print([getattr(treewright, n).__name__ for n in {names}])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == str([f"treewright.{name}" for name in names]), done.stderr
    for name in dir(treewright):
        getattr(treewright, name)


@pytest.mark.parametrize("name", [name for name in recipes.__all__ if "forest" not in name])
def test_tags_said_otherwise_than_fit(name) -> None:  # issue 21
    X = np.array([[0.0, 1.0], [1.0, np.nan], [2.0, 3.0], [3.0, 1.0], [4.0, 2.0], [5.0, 2.5]] * 4)
    y = [0, 0, 0, 1, 1, 1] * 4
    model = getattr(recipes, name)()
    if model.__sklearn_tags__().input_tags.allow_nan:
        model.fit(X, y).predict(X)
    else:
        with pytest.raises(DataError, match="NaN"):
            model.fit(X, y)


def test_no_recipe_refuses_missing_values() -> None:
    refusing = [
        name
        for name in recipes.__all__
        if not getattr(recipes, name)().__sklearn_tags__().input_tags.allow_nan
    ]
    assert refusing == []
