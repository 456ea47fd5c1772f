"""ONNX models run by onnxruntime: they answer as the tree does, to the last digit."""

from __future__ import annotations

import sys
from pathlib import Path

import handmade
import numpy as np
import pytest
from export_models import run_onnx
from export_runs import check_agreement
from handmade import build, inner, leaf
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import coded_rows, named_rows, trees

from treewright import _core
from treewright.exceptions import MissingDependencyError
from treewright.export import export_tree
from treewright.predicates import Axis, Linear, Subset
from treewright.schema import Column, Schema

onnx = pytest.importorskip("onnx", reason="needs the extra 'onnx'")
onnxruntime = pytest.importorskip("onnxruntime", reason="needs onnxruntime, of the extra 'test'")


def session_of(tree):
    content = export_tree(tree, "onnx")
    return onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_agrees_with_predict_on_any_tree(data):
    tree = data.draw(trees())
    values = data.draw(coded_rows(tree.schema))
    table = _core.Table(values, tree.schema.n_levels)
    found = run_onnx(tree, named_rows(tree.schema, values), Path())
    assert list(map(repr, found.values)) == list(map(repr, tree.predict(table).tolist()))
    if tree.is_classification:
        assert found.shares == tree.distribution(table).tolist()


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
def test_labels_have_the_type_of_the_classes(classes, kind, tmp_path):
    schema = Schema((Column("x", "numeric"),), classes)
    tree = build(schema, inner(Axis(0, 0.0), leaf(1, 0), leaf(0, 1)))
    label, probabilities = session_of(tree).get_outputs()
    assert (label.name, label.type, label.shape) == ("label", kind, ["rows"])
    assert (probabilities.name, probabilities.type) == ("probabilities", "tensor(double)")
    check_agreement(tree, "onnx", "onnxruntime", tmp_path, 50)


def test_columns_may_be_named_like_outputs(tmp_path):
    schema = Schema(tuple(Column(name, "numeric") for name in ("label", "tree0", "")), (0, 1))
    below = inner(Axis(1, 0.1), leaf(1, 0), inner(Axis(2, 0.2), leaf(0, 1), leaf(1, 0)))
    tree = build(schema, inner(Axis(0, 0.0), below, leaf(0, 1)))
    check_agreement(tree, "onnx", "onnxruntime", tmp_path, 200)


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
