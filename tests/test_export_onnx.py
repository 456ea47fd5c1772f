"""ONNX models run by onnxruntime: they answer as the tree does, to the last digit."""

from __future__ import annotations

import sys
from typing import Any

import handmade
import numpy as np
import pytest
from export_cases import CASES, HOSTILE, expected, hostile_tree, rows_for
from handmade import build, inner, leaf
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import coded_rows, trees

from treewright.exceptions import MissingDependencyError
from treewright.export import export_tree
from treewright.export.carriers import carried, json_texts
from treewright.predicates import Axis, Linear, Subset
from treewright.schema import Column, Schema

onnx = pytest.importorskip("onnx", reason="needs the extra 'onnx'")
onnxruntime = pytest.importorskip("onnxruntime", reason="needs onnxruntime, of the extra 'test'")


def session_of(tree):
    content = export_tree(tree, "onnx")
    onnx.checker.check_model(onnx.load_from_string(content), full_check=True)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def inputs_of(session, tree, rows) -> dict[str, Any]:
    """The cells of users as the inputs say that they want them."""
    by_name = {column.name: column for column in tree.schema.columns}
    nameless = [column for column in tree.schema.columns if not column.name]
    inputs = {}
    for entry in session.get_inputs():
        (column,) = [by_name[entry.name]] if entry.name in by_name else nameless
        cells = rows[column.name]
        if entry.type == "tensor(double)":
            values = np.array([np.nan if cell is None else float(cell) for cell in cells])
        else:
            texts = dict(zip(map(repr, column.levels), carried(column.levels).texts, strict=True))
            values = np.array(
                [texts.get(repr(cell), "\ufffd not a level") for cell in cells], dtype=object
            )
        inputs[entry.name] = values.reshape(-1, 1)
    return inputs


def check_agreement(tree, values, rows):
    session = session_of(tree)
    found = session.run(None, inputs_of(session, tree, rows))
    answers, shares = expected(tree, values)
    if tree.is_classification:
        classes = tree.schema.classes
        said = found[0].tolist()
        if {type(label) for label in classes} != {type(label) for label in said}:
            said = [classes[json_texts(classes).index(label)] for label in said]
        assert list(map(repr, said)) == list(map(repr, answers))
        assert np.array_equal(found[1], shares)
    else:
        assert found[0].tolist() == answers


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_predict(name):
    tree = CASES[name]()
    check_agreement(tree, *rows_for(tree, 2_000))


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_agrees_with_predict_on_many_rows(name):
    tree = CASES[name]()
    check_agreement(tree, *rows_for(tree, 100_000, seed=1))


@pytest.mark.parametrize("name", handmade.ALL)
def test_agrees_with_predict_on_handmade_trees(name):
    tree = handmade.ALL[name]()
    check_agreement(tree, *rows_for(tree, 500))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_agrees_with_predict_on_any_tree(data):
    tree = data.draw(trees())
    values = data.draw(coded_rows(tree.schema))
    rows = {
        column.name: [
            None if np.isnan(x) else x if column.kind == "numeric" else column.levels[int(x)]
            for x in values[:, index].tolist()
        ]
        for index, column in enumerate(tree.schema.columns)
    }
    check_agreement(tree, values, rows)


@pytest.mark.parametrize("classification", [True, False])
def test_hostile_text_is_only_text(classification):
    tree = hostile_tree(classification=classification)
    values, rows = rows_for(tree, 2_000)
    check_agreement(tree, values, rows)
    if classification:
        assert set(expected(tree, values)[0]) >= set(HOSTILE[-3:])


def test_doubles_are_not_rounded_to_single_precision():
    threshold = 0.1 + 0.2
    schema = Schema((Column("x", "numeric"),))
    tree = build(schema, inner(Axis(0, threshold), leaf(1, 1.0, 0), leaf(1, 0.1, 0)))
    x = np.array([[threshold], [np.nextafter(threshold, 1.0)], [np.nextafter(threshold, 0.0)]])
    assert session_of(tree).run(None, {"x": x})[0].tolist() == [1.0, 0.1, 1.0]


def test_sums_are_added_in_stored_order():
    schema = Schema(tuple(Column(name, "numeric") for name in "abc"))
    test = Linear((0, 1, 2), (1.0, 1.0, 1.0), 0.6)  # 0.1 + 0.2 + 0.3 is more, 0.3 + 0.2 + 0.1 not
    tree = build(schema, inner(test, leaf(1, 1.0, 0), leaf(1, 2.0, 0)))
    row = {"a": np.array([[0.1]]), "b": np.array([[0.2]]), "c": np.array([[0.3]])}
    assert session_of(tree).run(None, row)[0].tolist() == [2.0]


@pytest.mark.parametrize(
    ("classes", "kind"),
    [
        (("a", "b"), "tensor(string)"),
        ((1, 2), "tensor(int64)"),
        ((0.5, 2.0), "tensor(double)"),
        ((False, True), "tensor(bool)"),
        ((1, True), "tensor(string)"),
        ((2**63, 2**63 + 1), "tensor(string)"),
    ],
)
def test_labels_have_the_type_of_the_classes(classes, kind):
    schema = Schema((Column("x", "numeric"),), classes)
    tree = build(schema, inner(Axis(0, 0.0), leaf(1, 0), leaf(0, 1)))
    label, probabilities = session_of(tree).get_outputs()
    assert (label.name, label.type, label.shape) == ("label", kind, ["rows"])
    assert (probabilities.name, probabilities.type) == ("probabilities", "tensor(double)")
    check_agreement(tree, *rows_for(tree, 50))


def test_columns_may_be_named_like_outputs():
    schema = Schema(tuple(Column(name, "numeric") for name in ("label", "tree0", "")), (0, 1))
    below = inner(Axis(1, 0.1), leaf(1, 0), inner(Axis(2, 0.2), leaf(0, 1), leaf(1, 0)))
    tree = build(schema, inner(Axis(0, 0.0), below, leaf(0, 1)))
    check_agreement(tree, *rows_for(tree, 200))


def test_levels_that_doubles_cannot_tell_apart_come_as_text():
    schema = Schema((Column("id", "categorical", (2**60, 2**60 + 1)),), ("a", "b"))
    tree = build(schema, inner(Subset(0, (0,), (1,)), leaf(1, 0), leaf(0, 1)))
    session = session_of(tree)
    ids = np.array([[str(2**60)], [str(2**60 + 1)]], dtype=object)
    assert session.run(["label"], {"id": ids})[0].tolist() == ["a", "b"]


def test_only_the_columns_that_are_read_are_inputs():
    names = [entry.name for entry in session_of(handmade.iris()).get_inputs()]
    assert names == ["petal length", "petal width"]


def test_the_same_tree_gives_the_same_bytes():
    assert export_tree(handmade.heart(), "onnx") == export_tree(handmade.heart(), "onnx")


def test_without_onnx_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingDependencyError, match=r"pip install \"treewright\[onnx\]\""):
        export_tree(handmade.iris(), "onnx")
