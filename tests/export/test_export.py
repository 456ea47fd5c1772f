"""Exported code does what the tree does, to the last digit, whatever the names are made of."""

from __future__ import annotations

import ast
import dataclasses
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import handmade
import numpy as np
import pytest
from export_cases import (
    COLUMNS,
    HOSTILE_TEXTS,
    KINDS,
    MIXED,
    TEXT_AND_NUMBERS,
    branching_over_missing,
    clashing_schema,
    hostile_schema,
    joined_over_missing,
    named_rows,
    random_rows,
    random_tree,
    schema_of,
    tree_of_all_columns,
)
from export_runs import RUNS, all_runs, check_agreement
from golden_files import check_golden
from hypothesis import given
from hypothesis import strategies as st
from strategies import coded_rows, trees
from strategies import named_rows as named

from treewright import TreeClassifier, TreeRegressor, _core
from treewright.exceptions import UnsupportedError
from treewright.export import EXPORTERS, as_exporter, decide, export_tree, targets
from treewright.export.c import C
from treewright.export.literals import comment_text, identifiers, quoted
from treewright.predicates import Axis
from treewright.predicates.pair import CONNECTIVES
from treewright.schema import Column, Schema
from treewright.tree import Tree
from treewright.tree.node import MISSING_POLICIES

N_ROWS = 1000
# Policies for missing values; numbers are mixed and told otherwise than classes.
CASES = [*((policy, "classes") for policy in MISSING_POLICIES)]
CASES += [("fraction", "numbers"), ("surrogate_or_stop", "numbers")]


def test_the_cases_hold_tests_of_every_kind():
    for policy, task in CASES:
        tree = random_tree(policy, schema_of(task), policies=(policy,))
        kinds = {type(node.predicate).__name__.lower() for node in tree.walk() if not node.is_leaf}
        assert kinds == set(KINDS)


def test_every_target_that_predicts_is_run():
    assert set(RUNS) == {name for name, exporter in EXPORTERS.items() if exporter.predicts}


@pytest.mark.parametrize(("target", "program"), all_runs())
class TestAgreement:
    """Each target with each program that runs it."""

    @pytest.mark.parametrize(("policy", "task"), CASES)
    def test_tests_and_missing_values(self, policy, task, target, program, tmp_path):
        tree = random_tree(policy, schema_of(task), policies=(policy,))
        check_agreement(tree, target, program, tmp_path, N_ROWS)

    def test_policies_in_one_tree_and_many_classes(self, target, program, tmp_path):
        tree = random_tree("many", schema_of("classes", n_classes=11))
        check_agreement(tree, target, program, tmp_path, N_ROWS)

    @pytest.mark.parametrize("make", [handmade.stump, handmade.heart])
    def test_small_trees(self, make, target, program, tmp_path):
        check_agreement(make(), target, program, tmp_path, 200)

    @pytest.mark.parametrize("connective", CONNECTIVES)
    def test_pairs_of_a_search_over_missing_values(self, connective, target, program, tmp_path):
        check_agreement(joined_over_missing(connective), target, program, tmp_path, 300)

    def test_a_branch_per_level_of_a_search(self, target, program, tmp_path):
        check_agreement(branching_over_missing(), target, program, tmp_path, 300)

    def test_a_tree_that_is_one_number(self, target, program, tmp_path):
        schema = Schema((Column("x", "numeric"),))
        tree = handmade.build(schema, handmade.leaf(3.0, 0.1 + 0.2, 1.0))
        check_agreement(tree, target, program, tmp_path, 3)

    def test_a_deep_tree(self, target, program, tmp_path):
        check_agreement(handmade.chain(150), target, program, tmp_path, 200)

    def test_numbers_of_many_digits(self, target, program, tmp_path):
        schema = Schema((Column("x", "numeric"), Column("y", "numeric")))
        kinds, policies = ("axis", "linear"), ("default", "stop")
        tree = random_tree("digits", schema, kinds=kinds, policies=policies, depth=4)
        check_agreement(tree, target, program, tmp_path, N_ROWS)

    def test_hostile_names(self, target, program, tmp_path):
        policies = ("default", "surrogate")
        tree = random_tree(0, hostile_schema("classes"), depth=2, policies=policies)
        check_agreement(tree, target, program, tmp_path, 200)

    def test_columns_called_like_helpers_of_the_code(self, target, program, tmp_path):
        schema = clashing_schema()
        check_agreement(tree_of_all_columns(schema), target, program, tmp_path, 200)
        divided = random_tree("clash", schema, depth=2, policies=("fraction", "default"))
        check_agreement(divided, target, program, tmp_path, 50)

    @pytest.mark.parametrize("column", [MIXED, TEXT_AND_NUMBERS], ids=lambda column: column.name)
    def test_levels_of_several_types(self, column, target, program, tmp_path):
        schema = schema_of("classes", (column, COLUMNS[0]))
        tree = random_tree(column.name, schema, kinds=("subset", "multiway"), depth=2)
        if target == "sql" or (target == "javascript" and column is MIXED):
            with pytest.raises(UnsupportedError, match=f"column '{column.name}'"):
                export_tree(tree, target)
        else:
            check_agreement(tree, target, program, tmp_path, N_ROWS)

    def test_costs_of_wrong_answers(self, target, program, tmp_path):
        tree = random_tree("costs", schema_of("classes"), policies=("fraction",), costs=True)
        if target == "sql":
            with pytest.raises(UnsupportedError, match=r"Node 0 divides .* cost matrix"):
                export_tree(tree, "sql", table="rows")
        else:
            check_agreement(tree, target, program, tmp_path, N_ROWS)

    @pytest.mark.parametrize("best", range(3))
    def test_any_class_may_be_that_of_a_divided_row(self, best, target, program, tmp_path):
        """Most probable over both leaves, and in neither of them."""
        schema = Schema((Column("x", "numeric"),), ("a", "b", "c"))
        leaves = []
        for other in {0, 1, 2} - {best}:
            counts = [0.0, 0.0, 0.0]
            counts[other], counts[best] = 4.0, 3.0
            leaves.append(handmade.leaf(*counts))
        tree = handmade.build(schema, handmade.inner(Axis(0, 0.0), *leaves, missing="fraction"))
        table = _core.Table(np.array([[np.nan]]), schema.n_levels)
        assert tree.predict(table).tolist() == ["abc"[best]]
        check_agreement(tree, target, program, tmp_path, 20)

    @pytest.mark.parametrize("labels", [(False, True), (1, 2.5)], ids=repr)
    def test_classes_that_are_no_text(self, labels, target, program, tmp_path):
        schema = dataclasses.replace(schema_of("classes"), classes=labels)
        tree = random_tree(labels, schema, depth=2)
        check_agreement(tree, target, program, tmp_path, 200)


@pytest.mark.long
@given(data=st.data(), tree=trees())
def test_python_agrees_for_any_tree(data, tree):
    values = data.draw(coded_rows(tree.schema))
    table = _core.Table(values, tree.schema.n_levels)
    found = RUNS["python"]["python"](tree, named(tree.schema, values), Path())
    assert found.values == tree.predict(table).tolist()
    if tree.is_classification:
        assert [list(row) for row in found.shares] == tree.distribution(table).tolist()


@pytest.mark.long
@given(data=st.data(), tree=trees())
def test_a_decision_is_that_of_the_core(data, tree):
    """The first true case is the branch of the core; nothing but true and false is asked."""
    values = data.draw(coded_rows(tree.schema))
    table = _core.Table(values, tree.schema.n_levels)
    ends = tree.core.apply(table)
    for row, end in zip(named(tree.schema, values), ends.tolist(), strict=True):
        index = 0
        while (decision := decide(tree, index)) is not None:
            way = (case.child for case in decision.cases if case.condition.evaluate(row) is True)
            child = next(way, decision.otherwise)
            if child is None and decision.shares:
                child = max(decision.shares, key=lambda entry: entry[1])[0]
            if child is None:
                break
            index = child
        assert index == end


# ---------------------------------------------------------------------------- every target


def exported(tree: Tree, target: str) -> str | bytes:
    if target == "onnx":
        pytest.importorskip("onnx", reason="needs onnx")
    return export_tree(tree, target)


@pytest.mark.parametrize("target", targets())
class TestEveryTarget:
    """What must hold of a target the day it is listed."""

    def test_its_description(self, target):
        exporter = EXPORTERS[target]
        assert exporter.name == target
        assert exporter.suffix.startswith(".")
        assert exporter.words
        assert exporter.__doc__

    @pytest.mark.parametrize("name", handmade.ALL)
    def test_the_same_each_time(self, target, name):
        def export() -> object:
            try:
                content = exported(handmade.ALL[name](), target)
            except UnsupportedError as error:
                return str(error)
            assert isinstance(content, str if EXPORTERS[target].is_text else bytes)
            assert content
            return content

        assert export() == export()

    def test_text_that_can_be_written_and_ends_in_a_line_feed(self, target):
        content = exported(handmade.iris(), target)
        if EXPORTERS[target].is_text:
            assert content.encode().decode() == content
            assert content.endswith("\n")

    def test_hostile_names_on_a_stump(self, target):
        schema = hostile_schema("classes")
        statistics = [1.0] * len(HOSTILE_TEXTS)
        assert exported(handmade.build(schema, handmade.leaf(*statistics)), target)

    def test_an_unknown_option(self, target):
        with pytest.raises(ValueError, match=f"Target '{target}' has no option 'colour'"):
            as_exporter(target, colour="red")


def test_there_is_no_such_target():
    with pytest.raises(ValueError, match="There is no target 'cobol'; there are json, sql"):
        export_tree(handmade.iris(), "cobol")


# ---------------------------------------------------------------------------- estimators


def test_an_estimator_exports_its_tree(tmp_path):
    model = TreeRegressor(max_depth=2).fit({"age": [1, 2, 3, 4]}, [1.0, 2.0, 2.5, 7.0])
    assert model.export("python") == export_tree(model.tree_, "python")
    assert model.export("c", prefix="risk") == export_tree(model.tree_, "c", prefix="risk")


def test_smoothed_shares_are_not_exported():
    table, labels = {"age": [1, 2, 3, 4]}, ["a", "a", "b", "a"]
    model = TreeClassifier(smoothing="laplace").fit(table, labels)
    with pytest.raises(UnsupportedError, match="smoothing='laplace' changes them"):
        model.export("python")
    assert TreeClassifier().fit(table, labels).export("python")


# ---------------------------------------------------------------------------- Python


def module_of(tree: Tree) -> dict[str, object]:
    module: dict[str, object] = {}
    exec(export_tree(tree, "python"), module)
    return module


def test_python_needs_math_only():
    for make in handmade.ALL.values():
        program = ast.parse(export_tree(make(), "python"))
        imports = [node for node in ast.walk(program) if isinstance(node, ast.Import)]
        assert [[alias.name for alias in node.names] for node in imports] == [["math"]]


def test_python_refuses_what_the_tree_refuses():
    predict = module_of(handmade.heart())["predict"]
    row = {"age": 50, "smoker": True, "chest pain": "none", "activity": "low", "cholesterol": 200}
    assert predict(row) == "ill"
    assert predict({**row, "smoker": 1, "age": float("nan"), "chest pain": "stranger"})
    for change, error in [
        ({"age": "old"}, TypeError),
        ({"age": float("inf")}, ValueError),
        ({"smoker": 2}, ValueError),
        ({"chest pain": 3}, TypeError),
    ]:
        with pytest.raises(error, match=f"Column '{next(iter(change))}'"):
            predict({**row, **change})
    del row["age"]
    with pytest.raises(KeyError, match="age"):
        predict(row)


def test_python_holds_characters_that_nobody_sees():
    classes = ("a\u200b", "b\U000e0001", "c\x07")
    below = handmade.inner(Axis(0, 1.0), handmade.leaf(0, 1, 0), handmade.leaf(0, 0, 1))
    root = handmade.inner(Axis(0, 0.0), handmade.leaf(1, 0, 0), below)
    program = export_tree(
        handmade.build(Schema((Column("x", "numeric"),), classes), root), "python"
    )
    assert program.replace("\n", "").isprintable()
    module: dict[str, object] = {}
    exec(program, module)
    assert [module["predict"]({"x": x}) for x in (0.0, 1.0, 2.0)] == [*classes]


def test_python_of_a_very_deep_tree_runs(tmp_path):
    file = tmp_path / "tree.py"
    program = "\nprint(predict({'x': -1.0, 'y': -1.0}), predict({'x': 1e9, 'y': None}))\n"
    file.write_text(export_tree(handmade.chain(1500), "python") + program)
    result = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True)
    assert result.stdout == "b a\n"


# ---------------------------------------------------------------------------- SQL


def test_sql_of_a_divided_row_needs_a_table():
    with pytest.raises(
        UnsupportedError, match=r"Node 2 divides rows .* give the name of a 'table'"
    ):
        export_tree(handmade.heart(), "sql")


def test_sql_options():
    with pytest.raises(ValueError, match="'table' parameter of SQL must be None or a name as text"):
        as_exporter("sql", table=3)
    with pytest.raises(ValueError, match="'schema' parameter of SQL must be None or a name as"):
        as_exporter("sql", table="t", schema="")
    with pytest.raises(ValueError, match="'schema' needs a 'table'"):
        export_tree(handmade.iris(), "sql", schema="s")
    with pytest.raises(ValueError, match="'probabilities' need a 'table'"):
        export_tree(handmade.iris(), "sql", probabilities=True)
    with pytest.raises(ValueError, match="A regression tree has no 'probabilities'"):
        export_tree(handmade.rent(), "sql", table="t", probabilities=True)


def test_sql_reads_numbers_that_are_text():
    query = export_tree(handmade.iris(), "sql", table="flowers")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute('CREATE TABLE flowers ("petal length" TEXT, "petal width" TEXT)')
        connection.execute("INSERT INTO flowers VALUES ('10', '1.75'), ('2.4', '9')")
        found = [row[-1] for row in connection.execute(query)]
    assert found == ["versicolor", "setosa"]


def test_sql_of_a_table_in_a_schema():
    query = export_tree(handmade.iris(), "sql", table="flowers", schema="main")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute('CREATE TABLE flowers ("petal length" REAL, "petal width" REAL)')
        connection.execute("INSERT INTO flowers VALUES (2.4, 9)")
        assert [row[-1] for row in connection.execute(query)] == ["setosa"]
    assert query.endswith('FROM "main"."flowers" AS source\n')


def test_sql_of_a_column_that_is_not_there():
    query = export_tree(handmade.iris(), "sql", table="flowers")
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute('CREATE TABLE flowers ("petal length" REAL)')
        connection.execute("INSERT INTO flowers VALUES (10)")
        with pytest.raises(sqlite3.OperationalError, match="petal width"):
            connection.execute(query)


@pytest.mark.parametrize("policy", ["default", "stop", "fraction"])
def test_sql_over_a_table_with_columns_called_like_helpers_scored_rows_twice(policy):
    schema = Schema((Column("age", "numeric"), Column("city", "categorical", ("A", "B"))), (0, 1))
    tree = random_tree("helpers", schema, depth=2, policies=(policy,), kinds=("axis", "subset"))
    extra = ["treewright node", "step", "branch 0", "share 1", "class 0", "rows", "node", "source"]
    values = random_rows("helpers", tree, 100)
    expected = tree.predict(_core.Table(values, schema.n_levels)).tolist()
    with closing(sqlite3.connect(":memory:")) as connection:
        names = ", ".join(f'"{name}"' for name in (*extra, *schema.names))
        connection.execute(f"CREATE TABLE t ({names})")
        for row in named_rows(0, schema, values):
            cells = [7] * len(extra) + list(row.values())
            connection.execute(f"INSERT INTO t VALUES ({', '.join('?' * len(cells))})", cells)
        cursor = connection.execute(export_tree(tree, "sql", table="t", probabilities=True))
        returned = [entry[0] for entry in cursor.description]
        assert returned[:-3] == [*extra, *schema.names]
        assert [row[-3] for row in cursor.fetchall()] == expected


@pytest.mark.parametrize(
    ("threshold", "text"),
    [
        (0.3, "0.3"),
        (0.000123456789012345, "0.000123456789012345"),
        (0.1 + 0.2, "0.30000000000000004e0"),
        (-1234567890123456.0, "-1234567890123456e0"),
    ],
)
def test_sql_numbers_that_decimals_may_round_are_doubles_at_once(threshold, text):
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    root = handmade.inner(Axis(0, threshold), handmade.leaf(1, 0), handmade.leaf(0, 1))
    query = export_tree(handmade.build(schema, root), "sql")
    assert query.splitlines()[1].split()[-3:] == [text, "THEN", "'b'"]


def test_sql_names_shares_apart_where_case_does_not_count():
    schema = Schema((Column("x", "numeric"),), ("A", "a"))
    tree = handmade.build(schema, handmade.leaf(3, 1))
    query = export_tree(tree, "sql", table="t", probabilities=True)
    assert '"probability of A"' in query
    assert '"probability of a (2)"' in query


def test_sql_refuses_a_column_without_a_name():
    tree = random_tree(0, Schema((Column("", "numeric"),), ("a", "b")), kinds=("axis",), depth=1)
    with pytest.raises(UnsupportedError, match="needs a name"):
        export_tree(tree, "sql")


def test_sql_refuses_a_tree_deeper_than_databases_read():
    with pytest.raises(UnsupportedError, match="this tree of depth 151; prune it to a depth of"):
        export_tree(handmade.chain(151), "sql")


@pytest.mark.parametrize(
    ("column", "words"),
    [
        (Column("x", "categorical", ("a\0b", "c")), "holds the character 0"),
        (Column("x", "categorical", (2**60, 1)), "no exact double"),
        (Column("x", "categorical", (1, True)), "differ by their types only"),
        (Column("x", "categorical", (1, "1")), "are text and numbers"),
    ],
)
def test_sql_refuses_levels_that_no_column_holds(column, words):
    tree = random_tree(0, Schema((column, COLUMNS[0]), ("a", "b")), kinds=("subset",), depth=1)
    with pytest.raises(UnsupportedError, match=words):
        export_tree(tree, "sql")


# ---------------------------------------------------------------------------- JavaScript and C


@pytest.mark.parametrize("target", ["javascript", "c"])
def test_a_number_that_a_double_cannot_hold(target):
    column = Column("x", "categorical", (2**60 + 1, 1))
    tree = random_tree(0, Schema((column, COLUMNS[0]), ("a", "b")), kinds=("subset",), depth=1)
    with pytest.raises(UnsupportedError, match="cannot hold the whole number 1152921504606846977"):
        export_tree(tree, target)


def test_fields_in_c_are_no_words_of_the_language_or_its_library(tmp_path):
    names = ("NAN", "linux", "int", "row", "NULL", "M_PI", "nan", "times", "values")
    schema = Schema(tuple(Column(name, "numeric") for name in names), ("a", "b"))
    tree = random_tree("c", schema, kinds=("axis", "linear"), policies=("default",), depth=6)
    check_agreement(tree, "c", "gcc", tmp_path, 200)


def test_levels_in_c_are_named_apart(tmp_path):
    """Of other columns too, and from the functions and types of the file."""
    columns = (
        Column("a", "categorical", ("b c", "of text", "b of_text")),
        Column("a b", "categorical", ("c", "d")),
        Column("row", "categorical", ("x", "y")),
        Column("predict", "categorical", ("proba", "x")),
        Column("nullptr", "numeric"),
    )
    tree = random_tree("c", Schema(columns, ("a", "b")), kinds=("subset", "axis"), depth=5)
    assert len(C().fields(tree)) == len(columns)
    check_agreement(tree, "c", "gcc", tmp_path, 200)


def test_costs_are_left_out_where_no_row_is_divided(tmp_path):
    """A table that nothing reads is a warning to compilers."""
    tree = random_tree("costs", schema_of("classes"), policies=("default",), costs=True)
    check_agreement(tree, "c", "gcc", tmp_path, 200)
    assert "COSTS" not in export_tree(tree, "python")


def test_c_refuses_the_character_that_ends_a_text():
    tree = handmade.build(Schema((COLUMNS[0],), ("a\0", "b")), handmade.leaf(1, 2))
    with pytest.raises(UnsupportedError, match="cannot hold the character 0"):
        export_tree(tree, "c")


@pytest.mark.parametrize("prefix", ["", "1st", "a b", "x" * 32, None])
def test_a_prefix_that_is_no_name_in_c(prefix):
    with pytest.raises(ValueError, match="'prefix' parameter of C must be a name in C"):
        as_exporter("c", prefix=prefix)


# ---------------------------------------------------------------------------- how it looks


@pytest.mark.parametrize("target", ["sql", "python", "javascript", "c"])
def test_a_tree_of_many_kinds_looks_as_it_did(target):
    """Reviewed like prose: surrogates, shares, ordered levels and truth values."""
    options = {"table": "patients"} if target == "sql" else {}
    content = export_tree(handmade.heart(), target, **options)
    check_golden(f"export_{target}.txt", content.removesuffix("\n"))


def test_case_expressions_look_as_they_did():
    check_golden("iris.sql", export_tree(handmade.iris(), "sql").removesuffix("\n"))
    schema = Schema(tuple(Column(name, "numeric") for name in "abc"), ("no", "yes"))
    below = handmade.inner(Axis(2, 3.0), handmade.leaf(3, 0), handmade.leaf(0, 3))
    surrogates = [(Axis(1, 2.0), True, 0.9, 0.8)]
    root = handmade.inner(
        *(Axis(0, 1.0), handmade.leaf(0, 3), below), missing="surrogate", surrogates=surrogates
    )
    text = export_tree(handmade.build(schema, root), "sql")
    check_golden("surrogate.sql", text.removesuffix("\n"))


# ---------------------------------------------------------------------------- text made harmless


@given(st.text())
def test_a_literal_reads_back(text):
    literal = quoted(text, lambda point: f"\\U{point:08x}")
    assert ast.literal_eval(literal) == text
    assert literal.isprintable()


@given(st.text())
def test_a_comment_is_one_line_that_ends_nothing(text):
    comment = comment_text(text)
    assert comment.isprintable()
    assert len(comment) < 1000
    assert not comment.endswith("\\")
    for mark in ("*/", "/*", "//", "--", "</", "?>", "??", "]]>"):
        assert mark not in comment


@given(
    st.lists(st.text(max_size=60) | st.sampled_from(["class", "a b", "a_b", "a-b"]), unique=True)
)
def test_identifiers_are_names_and_differ(names):
    found = identifiers(names, ["class"], stem="column")
    assert len(set(found)) == len(names)
    assert all(name.isidentifier() and name.isascii() and name != "class" for name in found)
