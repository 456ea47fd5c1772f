"""Only the columns that a model reads are asked for, looked at and warned of."""

from __future__ import annotations

import warnings
from typing import Any

import handmade
import numpy as np
import pytest
from command_line import succeeded
from handmade import build, inner, leaf

import treewright
from treewright import (
    ForestClassifier,
    ForestRegressor,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    RuleSetClassifier,
    TreeClassifier,
    TreeRegressor,
)
from treewright.exceptions import SchemaError
from treewright.explain import explain_row
from treewright.predicates import Axis, Linear, Subset
from treewright.schema import Column, Schema

AGES = [23, 31, 38, 45, 52, 58, 61, 67, 29, 70]
TABLE = {
    "town": ["Ulm", "Bonn"] * 5,  # tells nothing
    "age": AGES,
    "height": [1.7, 1.6, 1.8, 1.7, 1.6, 1.8, 1.7, 1.6, 1.8, 1.7],
}
ANSWERS = ["no" if age <= 50 else "yes" for age in AGES]
NUMBERS = [1.0 if age <= 50 else 5.0 for age in AGES]
NEW = {"age": [30, 60]}


def frames(table: dict[str, list[Any]]) -> dict[str, Any]:
    """The same rows in every form that names columns."""
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    return {
        "dict": table,
        "records": [
            dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)
        ],
        "pandas": pandas.DataFrame(table),
        "polars": polars.DataFrame(table, strict=False),
        "pyarrow": pytest.importorskip("pyarrow").table(table),
    }


MODELS = {
    "tree": (TreeClassifier(), ANSWERS),
    "regression tree": (TreeRegressor(), NUMBERS),
    "optimal tree": (OptimalTreeClassifier(1), ANSWERS),
    "optimal regression tree": (OptimalTreeRegressor(1), NUMBERS),
    "rules": (RuleSetClassifier(), ANSWERS),
    "forest": (ForestClassifier(3, bootstrap=False, max_features=None), ANSWERS),
    "regression forest": (ForestRegressor(3, bootstrap=False, max_features=None), NUMBERS),
}


@pytest.mark.parametrize("name", MODELS)
def test_columns_that_no_test_reads_were_demanded(name, tmp_path):  # issue 21
    model, y = MODELS[name]
    model.fit(TABLE, y)
    model.save(tmp_path / "model.json")
    expected = [y[0], y[4]]
    verbs = ["predict", "apply"]
    verbs += [verb for verb in ("predict_proba", "decision_path") if hasattr(model, verb)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for each in (model, treewright.load(tmp_path / "model.json")):
            for X in frames(NEW).values():
                assert each.predict(X).tolist() == expected
                for verb in verbs:
                    getattr(each, verb)(X)


@pytest.mark.parametrize("name", MODELS)
def test_levels_of_a_column_that_no_test_reads_were_warned_of(name):  # issue 21
    model, y = MODELS[name]
    model.fit(TABLE, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        new = {**NEW, "town": ["Rome", "Pisa"], "height": ["tall", "small"]}
        for X in frames(new).values():
            assert model.predict(X).tolist() == [y[0], y[4]]
        with pytest.raises(
            SchemaError, match=r"'age' is missing .* with 3 columns, reads 1 of the"
        ):
            model.predict({"town": ["Ulm"]})


@pytest.mark.parametrize("name", MODELS)
def test_arrays_are_as_wide_as_in_training(name):
    model, y = MODELS[name]
    X = np.array([AGES, np.ones(10), np.zeros(10)]).T
    model.fit(X, y)
    assert model.predict(X).tolist() == y
    with pytest.raises(SchemaError, match=r"X has 1 features, but .* is expecting 3 features"):
        model.predict(X[:, :1])


def test_trees_are_asked_as_models_are():
    model = TreeClassifier().fit(TABLE, ANSWERS)
    assert model.tree_.columns_read == (1,)
    assert model.tree_.predict(NEW).tolist() == ["no", "yes"]
    assert model.tree_.refit_leaves(NEW, ["no", "yes"]).node(0).rows == 2
    assert model.schema_.encode(NEW, columns=[1])[:, 1].tolist() == [30.0, 60.0]


def test_every_kind_of_test_and_surrogates_are_read():
    schema = Schema(
        (
            *(Column(f"x{i}", "numeric") for i in range(4)),
            Column("home", "categorical", ("own", "rent")),
            Column("idle", "numeric"),
        ),
        ("a", "b"),
    )
    tree = build(
        schema,
        inner(
            Linear((2, 1), (1.0, -2.0), 0.5),
            inner(Subset(4, (1,), (0,)), leaf(5, 1), leaf(1, 5)),
            inner(
                Axis(1, 3.0),
                leaf(5, 1),
                leaf(1, 5),
                missing="surrogate",
                surrogates=((Axis(3, 1.0), False, 0.9, 0.5),),
            ),
        ),
    )
    assert tree.columns_read == (1, 2, 3, 4)
    assert handmade.stump().columns_read == ()


def test_explaining_asks_for_what_is_read_only():
    model = TreeClassifier().fit(TABLE, ANSWERS)
    full = explain_row(model.tree_, {"age": 30, "town": "Ulm", "height": 1.7})
    for row in (
        {"age": 30},
        {"age": 30, "town": "Rome", "mood": "good"},
        frames({"age": [30]})["pandas"],
        frames({"age": [30]})["pyarrow"],
        {"age": 30, "height": "tall"},
    ):
        assert str(explain_row(model.tree_, row)) == str(full)
    with pytest.raises(SchemaError, match="no column 'Age'"):
        explain_row(model.tree_, {"Age": 30})


def test_a_missing_cell_that_is_not_read_leaves_the_note_alone():
    model = TreeClassifier().fit(TABLE, ANSWERS)
    words = [
        explain_row(model.tree_, {"age": 30, "town": town}, fixed=["age"]).note
        for town in ("Ulm", None)
    ]
    assert words[0] == words[1]


def test_the_commands_ask_for_what_is_read_only(tmp_path):
    model = TreeClassifier().fit(TABLE, ANSWERS)
    model.save(tmp_path / "model.json")
    (tmp_path / "new.csv").write_text("age,mood\n30,good\n60,bad\n")
    paths = [str(tmp_path / name) for name in ("model.json", "new.csv")]
    succeeded("predict", *paths, "-o", str(tmp_path / "out.csv"))
    assert (tmp_path / "out.csv").read_text().split() == ["row,prediction", "1,no", "2,yes"]
    assert "yes" in succeeded("explain", *paths, "--number", "2")


def test_drawing_rows_asks_for_what_is_read_only():
    pytest.importorskip("matplotlib")
    model = TreeClassifier().fit(TABLE, ANSWERS)
    model.plot_split(0, NEW, ["no", "yes"])
    with pytest.raises(SchemaError, match="are missing from the data"):
        model.plot_regions(NEW)  # may draw any column
