"""PMML documents: valid, read alike by independent programs, honest about what they cannot say."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import handmade
import pytest
from export_cases import hostile_schema, random_tree, schema_of
from export_models import run_pmml_twin
from export_runs import check_agreement
from golden_files import check_golden
from handmade import build, inner, leaf
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import coded_rows, named_rows, trees

from treewright import _core
from treewright.exceptions import UnsupportedError
from treewright.export import export_tree
from treewright.export.xml_text import element, legal
from treewright.predicates import Axis, Linear, Multiway, Subset
from treewright.schema import Column, Schema
from treewright.tree.node import MISSING_POLICIES

POLICIES = tuple(policy for policy in MISSING_POLICIES if policy != "fraction")
SPACE = "{http://www.dmg.org/PMML-4_4}"


def test_golden():
    check_golden("iris.pmml", export_tree(handmade.iris(), "pmml").rstrip("\n"))


@pytest.mark.long
@settings(deadline=None)
@given(data=st.data(), tree=trees(policies=POLICIES))
def test_agrees_with_predict_on_any_tree(data, tree):
    values = data.draw(coded_rows(tree.schema))
    table = _core.Table(values, tree.schema.n_levels)
    try:
        found = run_pmml_twin(tree, named_rows(tree.schema, values), Path())
    except UnsupportedError as error:
        assert "control characters" in str(error)  # noqa: PT017
        return
    assert found.values == tree.predict(table).tolist()
    if tree.is_classification:
        assert found.shares == tree.distribution(table).tolist()


# ---------------------------------------------------------------------------- the standard


@pytest.fixture(scope="module")
def schema_of_the_standard():
    jpmml = pytest.importorskip("jpmml_evaluator", reason="has the XML Schema of PMML")
    lxml = pytest.importorskip("lxml.etree")
    (jar,) = Path(jpmml.__file__).parent.glob("dependencies/pmml-model-[0-9]*.jar")
    with zipfile.ZipFile(jar) as archive:
        return lxml.XMLSchema(lxml.fromstring(archive.read("pmml.xsd")))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_documents_are_valid(schema_of_the_standard, task, policy):
    lxml = pytest.importorskip("lxml.etree")
    for schema in (schema_of(task), hostile_schema(task)):
        text = export_tree(random_tree(policy, schema, policies=(policy,)), "pmml")
        schema_of_the_standard.assertValid(lxml.fromstring(text.encode()))


@pytest.mark.parametrize(
    ("policies", "strategy"),
    [
        (("default",), "defaultChild"),
        (("stop",), "lastPrediction"),
        (("surrogate",), "none"),
        (("default", "stop", "surrogate"), "none"),
    ],
)
def test_one_strategy_where_all_nodes_agree(policies, strategy):
    text = export_tree(random_tree(policies, schema_of("classes"), policies=policies), "pmml")
    assert f'missingValueStrategy="{strategy}"' in text
    assert ('booleanOperator="surrogate"' in text) == (strategy == "none")
    assert ("defaultChild=" in text) == (strategy == "defaultChild")


def test_surrogates_come_in_their_order_and_end_in_the_default():
    schema = Schema(tuple(Column(name, "numeric") for name in "abc"), ("no", "yes"))
    surrogates = [(Axis(1, 2.0), False, 0.9, 0.8), (Axis(2, 3.0), True, 0.8, 0.6)]
    root = inner(Axis(0, 1.0), leaf(3, 0), leaf(0, 3), missing="surrogate", surrogates=surrogates)
    text = export_tree(build(schema, root), "pmml")
    predicates = re.findall(r'field="(\w)" operator="(\w+)" value="([\d.]+)"|<(True|False)/>', text)
    assert ["".join(found) for found in predicates] == [
        "True",  # of the root
        *("alessOrEqual1.0", "blessOrEqual2.0", "cgreaterThan3.0", "True"),
        *("agreaterThan1.0", "bgreaterThan2.0", "clessOrEqual3.0", "False"),
    ]


def test_a_level_on_neither_side_is_missing_to_the_test():
    city = Column("city", "categorical", ("Oslo", "Paris", "Rome"))
    test = Subset(0, (0,), (2,))
    tree = build(Schema((city,), ("a", "b")), inner(test, leaf(3, 0), leaf(0, 3), default_branch=1))
    rows = [{"city": name} for name in ("Oslo", "Paris", "Rome", None, "Bergen")]
    assert run_pmml_twin(tree, rows, Path()).values == ["a", "b", "b", "b", "b"]
    assert 'SimplePredicate field="known city"' in export_tree(tree, "pmml")


def test_an_order_of_one_level_is_missing_where_it_is_missing():
    schema = Schema((Column("size", "ordinal", ("one",)),), ("a", "b"))
    tree = build(schema, inner(Axis(0, 0.5), leaf(3, 0), leaf(0, 3), default_branch=1))
    assert run_pmml_twin(tree, [{"size": "one"}, {"size": None}], Path()).values == ["a", "b"]


def test_only_the_columns_that_are_read_are_fields():
    root = ElementTree.fromstring(export_tree(handmade.iris(), "pmml"))
    names = [field.get("name") for field in root.iter(f"{SPACE}DataField")]
    assert names == ["petal length", "petal width", "species"]


def test_sums_are_said_in_words_too():
    tree = random_tree(1, schema_of("classes"), kinds=("linear",), policies=("default",))
    (first, *_) = (node for node in tree.walk() if node.predicate is not None)
    words = str(first.predicate.branches(tree.schema)[0]).rsplit(" <= ")[0]
    assert f'displayName="{words}"' in export_tree(tree, "pmml")


@pytest.mark.long
def test_a_deep_tree_is_written():
    assert export_tree(handmade.chain(3000), "pmml").count("<Node ") == 6001


# ---------------------------------------------------------------------------- refused and escaped


def test_rows_cannot_be_divided():
    with pytest.raises(
        UnsupportedError,
        match=r"Node 2 divides rows .* \(missing='fraction'\), which programs that read PMML "
        r"cannot do; fit the tree with another 'missing', or export it to 'onnx'\.",
    ):
        export_tree(handmade.heart(), "pmml")


@pytest.mark.parametrize(
    "text", ["a\x01b", "\x00", "\ufffe", "tab\there\r\nand there", "'\"<&>]]>"]
)
def test_xml_holds_any_text_or_shows_what_it_cannot_hold(text):
    found = ElementTree.fromstring(element("x", {"a": text}))
    assert found.get("a") == legal(text)
    assert (legal(text) == text) == (not re.search("[\x00\x01\ufffe]", text))


def test_names_that_differ_by_control_characters_only_are_refused():
    levels = ("a\x01", "a\\x01")
    tree = build(
        Schema((Column("city", "categorical", levels),), ("a", "b")),
        inner(Multiway(0, (0, 1)), leaf(1, 0), leaf(0, 1)),
    )
    with pytest.raises(
        UnsupportedError, match=r"PMML cannot tell 'a\\x01' and .* of column 'city'"
    ):
        export_tree(tree, "pmml")
    columns = tuple(Column(name, "numeric") for name in levels)
    tree = build(
        Schema(columns, ("a", "b")),
        inner(Axis(0, 0.0), inner(Axis(1, 0.0), leaf(1, 0), leaf(0, 1)), leaf(0, 1)),
    )
    with pytest.raises(UnsupportedError, match="of the columns apart"):
        export_tree(tree, "pmml")


@pytest.mark.parametrize("program", ["twin", "jpmml"])
@pytest.mark.parametrize(
    "classes", [(1, 2), (0.5, 2.0), (False, True), (1, "1"), (2**40, 1), ("a\x01", "b")]
)
def test_classes_of_every_type(classes, program, tmp_path):
    tree = random_tree(0, Schema(schema_of("classes").columns, classes), policies=POLICIES)
    check_agreement(tree, "pmml", program, tmp_path, 100)


@pytest.mark.parametrize(
    ("classes", "kind"),
    [
        ((1, 2), "integer"),
        ((0, 1 - 2**31), "integer"),
        ((0, 2**31 - 1), "integer"),
        ((0, 2**31), "double"),  # programs read integers of 32 bits
        ((1, 2.5), "double"),
        ((False, True), "boolean"),
    ],
)
def test_classes_have_the_type_that_holds_them_all(classes, kind):
    schema = Schema((Column("x", "numeric"),), classes, "y")
    tree = build(schema, inner(Axis(0, 0.0), leaf(1, 0), leaf(0, 1)))
    root = ElementTree.fromstring(export_tree(tree, "pmml"))
    (field,) = (one for one in root.iter(f"{SPACE}DataField") if one.get("name") == "y")
    assert field.get("dataType") == kind


def test_the_target_may_be_called_like_a_column():
    schema = Schema((Column("x", "numeric"), Column("rank of x", "numeric")), ("a", "b"), "x")
    tree = build(schema, inner(Axis(0, 0.0), leaf(1, 0), leaf(0, 1)))
    rows = [{"x": -1.0, "rank of x": 0.0}, {"x": 1.0, "rank of x": 0.0}]
    assert run_pmml_twin(tree, rows, Path()).values == ["a", "b"]
    assert 'name="x (2)" usageType="target"' in export_tree(tree, "pmml")


@pytest.mark.parametrize("program", ["twin", "jpmml"])
@pytest.mark.parametrize("target", ["predicted class", "probability of a", "weighted sum"])
def test_columns_and_targets_called_like_an_answer(target, program, tmp_path):
    names = ("predicted class", "probability of a", "weighted sum", "x")
    schema = Schema(tuple(Column(name, "numeric") for name in names), ("a", "b"), target)
    test = Linear((0, 1, 2, 3), (1.0, -1.0, 0.5, 2.0), 0.25)
    check_agreement(
        build(schema, inner(test, leaf(3, 1), leaf(1, 2))), "pmml", program, tmp_path, 50
    )
