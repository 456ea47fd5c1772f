"""Exported models put to work: ONNX in onnxruntime, PMML in a twin and in the JPMML evaluator."""

from __future__ import annotations

import atexit
import functools
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from export_answers import Answers, Rows
from pmml_twin import SPACE, Document

from treewright.export import export_tree
from treewright.export.carriers import carried, json_texts
from treewright.export.xml_text import legal
from treewright.schema import Column, Level
from treewright.tree import Tree

STRANGER = "\ufffd no level is called this"


def run_onnx(tree: Tree, rows: Rows, folder: Path) -> Answers:
    """Check the model and run it in onnxruntime."""
    onnx = pytest.importorskip("onnx", reason="needs the extra 'onnx'")
    runtime = pytest.importorskip("onnxruntime")
    content = export_tree(tree, "onnx")
    onnx.checker.check_model(onnx.load_from_string(content), full_check=True)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    by_name = {column.name: column for column in tree.schema.columns}
    inputs = {
        entry.name: _tensor(by_name[entry.name if entry.name in by_name else ""], rows)
        for entry in session.get_inputs()
    }
    found = session.run(None, inputs)
    if not tree.is_classification:
        return Answers(found[0].tolist())
    return Answers(_labels(tree, found[0].tolist()), found[1].tolist())


def _tensor(column: Column, rows: Rows) -> Any:
    """The cells of a column as its input wants them."""
    cells = [row[column.name] for row in rows]
    if column.kind == "numeric" or carried(column.levels).form == "number":
        return np.array([[np.nan if cell is None else float(cell)] for cell in cells])
    text = _text_of_level(column)
    return np.array([[text(cell)] for cell in cells], dtype=object)


def _text_of_level(column: Column) -> Callable[[Any], str]:
    texts = dict(zip(map(repr, column.levels), carried(column.levels).texts, strict=True))
    return lambda cell: texts.get(repr(cell), STRANGER)


def _labels(tree: Tree, said: list[Any], harmless: Callable[[str], str] = str) -> list[Level]:
    """Classes that are carried as JSON are read back."""
    classes = tree.schema.classes or ()
    texts = classes if all(isinstance(label, str) for label in classes) else json_texts(classes)
    known = {harmless(str(text)): label for text, label in zip(texts, classes, strict=True)}
    return [known.get(label, label) if isinstance(label, str) else label for label in said]


def run_pmml_twin(tree: Tree, rows: Rows, folder: Path) -> Answers:
    """Read the model with the twin."""
    document = Document(export_tree(tree, "pmml"))
    found = [document.evaluate(row) for row in _fields(tree, rows)]
    values = [value for value, _ in found]
    if not tree.is_classification:
        return Answers(values)
    shares = [list(distribution.values()) for _, distribution in found]
    return Answers(_labels(tree, values, legal), shares)


def _fields(tree: Tree, rows: Rows) -> Rows:
    """The rows by the names of fields, with levels as PMML carries them."""
    names = {column.name: legal(column.name) or '""' for column in tree.schema.columns}
    readers = {column.name: _reader(column) for column in tree.schema.columns}
    return [
        {names[name]: None if cell is None else readers[name](cell) for name, cell in row.items()}
        for row in rows
    ]


def _reader(column: Column) -> Callable[[Any], Any]:
    if column.levels and all(isinstance(level, bool) for level in column.levels):
        return lambda cell: cell
    if column.kind == "numeric" or carried(column.levels).form == "number":
        return float
    text = _text_of_level(column)
    return lambda cell: legal(text(cell))


_SERVER = """
import json, sys
from jpmml_evaluator import make_evaluator
import pandas
for line in sys.stdin:
    task = json.loads(line)
    evaluator = make_evaluator(task["model"]).verify()
    rows = json.load(open(task["rows"], encoding="utf-8"))
    table = pandas.DataFrame(
        {name: pandas.Series([row[name] for row in rows], dtype=object) for name in rows[0]}
    )
    found = evaluator.evaluateAll(table)
    answers = {name: found[name].tolist() for name in found}
    with open(task["answers"], "w", encoding="utf-8") as file:
        json.dump(answers, file)
    print("done", flush=True)
"""


@functools.cache
def _jpmml() -> subprocess.Popen[str]:
    """Start the evaluator once: Java takes its time, and may not share a process with pytest."""
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    atexit.register(server.kill)
    return server


def run_jpmml(tree: Tree, rows: Rows, folder: Path) -> Answers:
    """Read the model with JPMML, which needs Java."""
    pytest.importorskip("jpmml_evaluator", reason="needs the package jpmml_evaluator")
    pytest.importorskip("jpype", reason="needs the package jpype1")
    if shutil.which("java") is None:
        pytest.skip("needs Java to evaluate PMML")
    files = {name: str(folder / f"{name}.json") for name in ("rows", "answers")}
    files["model"] = str(folder / "tree.pmml")
    Path(files["model"]).write_text(export_tree(tree, "pmml"), encoding="utf-8")
    Path(files["rows"]).write_text(json.dumps(_fields(tree, rows)), encoding="utf-8")
    server = _jpmml()
    server.stdin.write(json.dumps(files) + "\n")
    server.stdin.flush()
    if server.stdout.readline() != "done\n":
        _jpmml.cache_clear()
        raise AssertionError(server.stderr.read()[-2000:])
    answers = json.loads(Path(files["answers"]).read_text(encoding="utf-8"))
    outputs = ElementTree.parse(files["model"]).iter(f"{SPACE}OutputField")
    value, *shares = (answers[output.get("name")] for output in outputs)
    if not tree.is_classification:
        return Answers(value)
    return Answers(_labels(tree, value, legal), list(zip(*shares, strict=True)))
