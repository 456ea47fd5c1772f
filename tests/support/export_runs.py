"""Exported code put to work: for each target that predicts, how to run it on rows.

A run takes a tree and rows by name and gives the predictions and, for classes, their shares. The
results of programs come back as bytes or JSON, which keep every digit.
"""

from __future__ import annotations

import json
import math
import shutil
import sqlite3
import struct
import subprocess
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from export_answers import Answers, Rows
from export_cases import named_rows, random_rows
from export_models import run_jpmml, run_onnx, run_pmml_twin

from treewright import _core
from treewright.exceptions import UnsupportedError
from treewright.export import as_exporter, export_tree
from treewright.export.c import C
from treewright.modelfile import model_from_text
from treewright.schema import Column
from treewright.tree import Tree


def run_python(tree: Tree, rows: Rows, folder: Path) -> Answers:
    module: dict[str, Any] = {}
    code = compile(export_tree(tree, "python"), "exported", "exec")
    exec(code, module)
    values = [module["predict"](row) for row in rows]
    shares = [module["predict_proba"](row) for row in rows] if tree.is_classification else None
    return Answers(values, shares)


def run_json(tree: Tree, rows: Rows, folder: Path) -> Answers:
    """Read the model again and use that tree, on the codes of the levels."""
    again = model_from_text(export_tree(tree, "json")).tree
    names = [column.name for column in tree.schema.columns]
    codes = [_code_of_level(column) for column in tree.schema.columns]
    values = np.array(
        [[code(row[name]) for code, name in zip(codes, names, strict=True)] for row in rows]
    )
    table = _core.Table(values, tree.schema.n_levels)
    shares = again.distribution(table).tolist() if again.is_classification else None
    return Answers(again.predict(table).tolist(), shares)


def _code_of_level(column: Column) -> Callable[[Any], float]:
    if column.kind == "numeric":
        return lambda value: math.nan if value is None else value
    codes = {(type(level), level): float(code) for code, level in enumerate(column.levels)}
    return lambda value: codes.get((type(value), value), math.nan)


_JAVASCRIPT = """
import { readFileSync, writeFileSync } from "node:fs";
import * as tree from "./tree.mjs";
const rows = JSON.parse(readFileSync("rows.json", "utf8"));
const answers = { values: rows.map(tree.predict) };
if (tree.predictProba) answers.shares = rows.map(tree.predictProba);
writeFileSync("answers.json", JSON.stringify(answers));
"""


def run_javascript(tree: Tree, rows: Rows, folder: Path) -> Answers:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node to run JavaScript")
    (folder / "tree.mjs").write_text(export_tree(tree, "javascript"), encoding="utf-8")
    (folder / "run.mjs").write_text(_JAVASCRIPT, encoding="utf-8")
    (folder / "rows.json").write_text(json.dumps(rows, allow_nan=False), encoding="utf-8")
    subprocess.run([node, "run.mjs"], cwd=folder, check=True)
    answers = json.loads((folder / "answers.json").read_text(encoding="utf-8"))
    return Answers(answers["values"], answers.get("shares"))


_C = """
#include <stdio.h>
#include <stdlib.h>
#include "tree.c"

static int take(void *place, size_t size) {{ return fread(place, 1, size, stdin) == size; }}

int main(void) {{
  double number{shares};
  int kind, length;
  char *text = malloc(1 << 20);
  struct tree_row row;
  memset(&row, 0, sizeof row);
  (void)number; (void)kind; (void)length;
  while (take(&kind, sizeof kind)) {{
{reading}
    {type} value = tree_predict(&row);
    fwrite(&value, sizeof value, 1, stdout);
{writing}
  }}
  free(text);
  return 0;
}}
"""


def run_c(tree: Tree, rows: Rows, folder: Path) -> Answers:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    (folder / "tree.c").write_text(export_tree(tree, "c"), encoding="utf-8")
    fields = C().fields(tree)
    used = [column for column in tree.schema.columns if column.name in fields]
    classes = tree.schema.classes
    code = _C.format(
        shares=f", shares[{len(classes)}]" if classes else "",
        reading="\n".join(_reading(column, fields[column.name]) for column in used),
        type="int" if classes else "double",
        writing="tree_predict_proba(&row, shares);\nfwrite(shares, sizeof shares, 1, stdout);"
        if classes
        else "",
    )
    (folder / "run.c").write_text(code, encoding="ascii")
    # Optimised, in GNU mode: compilers then fuse products and sums unless the code prevents it.
    strict = ["-O2", "-std=gnu99", "-Wall", "-Wextra", "-Werror", "-trigraphs"]
    subprocess.run([compiler, *strict, "run.c", "-o", "run", "-lm"], cwd=folder, check=True)
    data = b"".join(_c_row(used, row) for row in rows)
    output = subprocess.run([folder / "run"], input=data, stdout=subprocess.PIPE, check=True).stdout
    if not classes:
        return Answers([value for (value,) in struct.iter_unpack("<d", output)])
    found = list(struct.iter_unpack(f"<i{len(classes)}d", output))
    return Answers([classes[row[0]] for row in found], [row[1:] for row in found])


def _reading(column: Column, field: str) -> str:
    if column.kind == "numeric":
        return f"take(&row.{field}, sizeof(double));"
    by_text = f"tree_{field}_of_text(text)" if _has(column, str) else "-1"
    by_number = f"tree_{field}_of_number(number)" if _has(column, int, float) else "-1"
    return (
        f"row.{field} = -1; take(&kind, 4);\n"
        f"if (kind == 1) {{ take(&length, 4); take(text, length); text[length] = 0; "
        f"row.{field} = {by_text}; }}\n"
        f"if (kind == 2) {{ take(&number, 8); row.{field} = {by_number}; }}\n"
        f"if (kind == 3) take(&row.{field}, 4);\n"
    )


def _has(column: Column, *types: type) -> bool:
    return any(isinstance(level, types) for level in column.levels)


def _c_row(columns: Sequence[Column], row: dict[str, Any]) -> bytes:
    parts = [struct.pack("<i", 0)]
    for column in columns:
        value = row[column.name]
        if column.kind == "numeric":
            parts.append(struct.pack("<d", math.nan if value is None else value))
        elif value is None:
            parts.append(struct.pack("<i", 0))
        elif isinstance(value, str):
            text = value.encode()
            parts.append(struct.pack("<ii", 1, len(text)) + text)
        elif len(set(column.levels)) < len(column.levels):
            # Numbers that differ by their types only: a program in C says which it means.
            code = _code_of_level(column)(value)
            parts.append(struct.pack("<ii", 3, -1 if math.isnan(code) else int(code)))
        else:
            parts.append(struct.pack("<id", 2, value))
    return b"".join(parts)


_ROW = "number of the row"


def run_sqlite(tree: Tree, rows: Rows, folder: Path) -> Answers:
    connection = sqlite3.connect(":memory:")
    types = {"numeric": "REAL", "boolean": "INTEGER"}
    columns = [f'"{_ROW}" INTEGER']
    for column in tree.schema.columns:
        of_levels = "TEXT" if _has(column, str) else "NUMERIC"
        columns.append(f"{_quoted(column.name)} {types.get(column.kind, of_levels)}")
    connection.execute(f"CREATE TABLE {_quoted(_TABLE)} ({', '.join(columns)})")
    places = ", ".join("?" * len(columns))
    connection.executemany(
        f"INSERT INTO {_quoted(_TABLE)} VALUES ({places})",
        ([number, *row.values()] for number, row in enumerate(rows)),
    )
    answers = _select(tree, lambda query: connection.execute(query))
    connection.close()
    return answers


_TABLE = 'it\'s "the" table; --'


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def run_duckdb(tree: Tree, rows: Rows, folder: Path) -> Answers:
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    types = {"numeric": pyarrow.float64(), "boolean": pyarrow.bool_()}
    arrays = [pyarrow.array(range(len(rows)))]
    for column in tree.schema.columns:
        of_levels = pyarrow.string() if _has(column, str) else pyarrow.float64()
        cells = [row[column.name] for row in rows]
        arrays.append(pyarrow.array(cells, type=types.get(column.kind, of_levels)))
    table = pyarrow.table(arrays, names=[_ROW, *tree.schema.names])
    with duckdb.connect() as connection:
        connection.register("given", table)
        connection.execute(f"CREATE TABLE {_quoted(_TABLE)} AS SELECT * FROM given")
        return _select(tree, lambda query: connection.execute(query))


def _select(tree: Tree, execute: Callable[[str], Any]) -> Answers:
    """Run the SELECT, and the expression alone where there is one."""
    with_shares = as_exporter("sql", table=_TABLE, probabilities=tree.is_classification)
    cursor = execute(f'{with_shares.export(tree)} ORDER BY source."{_ROW}"')
    names = [entry[0] for entry in cursor.description]
    n_added = 1 + len(tree.schema.classes or ())
    assert names[:-n_added] == [_ROW, *tree.schema.names]  # nothing else is returned
    assert len({name.casefold() for name in names}) == len(names)
    first = len(names) - n_added
    found = cursor.fetchall()
    values = [row[first] for row in found]
    if not tree.core.divides_rows:
        query = f'SELECT {export_tree(tree, "sql")} FROM {_quoted(_TABLE)} ORDER BY "{_ROW}"'
        assert [row[0] for row in execute(query).fetchall()] == values
    return Answers(values, [row[first + 1 :] for row in found] if tree.is_classification else None)


# By target; some run in several programs.
RUNS: dict[str, dict[str, Callable[[Tree, Rows, Path], Answers]]] = {
    "json": {"json": run_json},
    "python": {"python": run_python},
    "javascript": {"node": run_javascript},
    "c": {"gcc": run_c},
    "sql": {"sqlite3": run_sqlite, "duckdb": run_duckdb},
    "onnx": {"onnxruntime": run_onnx},
    "pmml": {"twin": run_pmml_twin, "jpmml": run_jpmml},
}


def all_runs() -> list[tuple[str, str]]:
    """Every target with each of its programs."""
    return [(target, program) for target, programs in RUNS.items() for program in programs]


@lru_cache(maxsize=1)  # the programs that run one tree come one after the other
def _expected(tree: Tree, n_rows: int) -> tuple[Rows, Answers]:
    """Random rows, and what the tree says of them."""
    values = random_rows(repr(tree), tree, n_rows)
    table = _core.Table(values, tree.schema.n_levels)
    shares = tree.distribution(table).tolist() if tree.is_classification else None
    rows = named_rows(0, tree.schema, values)
    return rows, Answers(tree.predict(table).tolist(), shares)


def check_agreement(tree: Tree, target: str, program: str, folder: Path, n_rows: int) -> None:
    """Run exported code on random rows and compare with the tree row by row."""
    if target == "pmml" and tree.core.divides_rows:
        with pytest.raises(UnsupportedError, match=r"Node \d+ divides rows .* export it to 'onnx'"):
            export_tree(tree, target)
        tree = _undivided(tree)
    rows, expected = _expected(tree, n_rows)
    found = RUNS[target][program](tree, rows, folder)
    assert found.values == expected.values
    if expected.shares is not None:
        assert [list(row) for row in found.shares] == expected.shares


def _undivided(tree: Tree) -> Tree:
    """The same tree, where rows end that would be divided."""
    content = tree.to_json()
    for node in content["nodes"]:
        if node.get("missing") == "fraction":
            node["missing"] = "stop"
    return Tree.from_json(content, tree.schema)
