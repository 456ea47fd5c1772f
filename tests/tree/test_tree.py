"""Tree: nodes, paths, sizes, surgery, prediction from any data frame, and carrying it about."""

from __future__ import annotations

import copy
import pickle
import warnings

import handmade
import numpy as np
import pandas as pd
import polars as pl
import pytest
from handmade import build, chain, inner, leaf

from treewright import _core
from treewright.exceptions import ModelFileError, SchemaError, UnseenLevelWarning
from treewright.predicates import Axis, Linear, Multiway, Pair, Subset
from treewright.schema import Column, Schema
from treewright.tree import Tree
from treewright.tree.node import Surrogate

PATIENTS = [
    {"age": 40, "smoker": False, "chest pain": "none", "activity": "low", "cholesterol": 200},
    {"age": 40, "smoker": True, "chest pain": "none", "activity": "low", "cholesterol": 200},
    {"age": 54.5, "smoker": True, "chest pain": "none", "activity": "high", "cholesterol": 200},
    {"age": 60, "smoker": True, "chest pain": "typical", "activity": "high", "cholesterol": 200},
    {"age": 60, "smoker": True, "chest pain": "atypical", "activity": "high", "cholesterol": 200},
    {"age": 60, "smoker": True, "chest pain": "not asked", "activity": "low", "cholesterol": 200},
]
LEAVES = [3, 5, 6, 7, 8, 9]


def test_a_node_tells_all():
    tree = handmade.heart()
    root = tree.node(0)
    assert (root.id, root.parent, root.branch, root.depth) == (0, None, None, 0)
    assert root.predicate == Axis(0, 54.5)
    assert root.children == (1, 2)
    assert root.rows == root.weight == 168.0
    assert root.statistics == (99.0, 69.0)
    assert (root.value, root.label, root.share) == (0.0, "healthy", 99 / 168)
    assert root.gain == 14.625
    assert (root.missing, root.default_branch) == ("surrogate", 0)
    assert root.surrogates == (
        Surrogate(Axis(4, 243.0), False, 0.746, 0.41),
        Surrogate(Subset(1, (1,), (0,)), True, 0.61, 0.08),
    )
    assert not root.is_leaf
    assert root.standard_deviation is None
    last = tree.node(9)
    assert (last.parent, last.branch, last.depth, last.children) == (2, 2, 2, ())
    assert last.is_leaf
    assert last.predicate is None
    assert last.default_branch is None
    assert last.label == "ill"
    assert np.isnan(last.share)


def test_a_node_of_numbers():
    node = handmade.rent().node(2)
    assert node.statistics == (33.0, 1930.25, 3e6)
    assert node.value == node.label == 1930.25
    assert node.share is None
    assert node.standard_deviation == pytest.approx(np.sqrt(3e6 / 33))


@pytest.mark.parametrize("index", [-1, 10, 10**9])
def test_a_node_that_is_not_there(index):
    with pytest.raises(IndexError, match=r"must be an int in \[0, 9\]"):
        handmade.heart().node(index)


def test_sizes():
    tree = handmade.heart()
    assert (tree.n_nodes, tree.n_leaves, tree.depth, tree.n_outputs) == (10, 6, 3, 2)
    assert tree.is_classification
    # every row looks at age; 96 at smoker, 31 of them at activity; 72 at chest pain
    assert tree.reading_effort == pytest.approx((168 + 96 + 31 + 72) / 168)
    assert tree.complexity == 5
    assert tree.training_score == pytest.approx((61 + 9 + 14 + 38 + 17) / 168)
    assert tree.n_leaves_below(2) == 3
    assert repr(tree) == "<Tree: classification, 10 nodes, 6 leaves, depth 3>"


def test_both_forms_of_complexity_on_the_example_of_the_thesis():
    # root with 3 attributes, left child with 1, three leaves: path-average 7, attributes 5
    schema = Schema(tuple(Column(name, "numeric") for name in "abc"), ("x", "y"))
    oblique = Linear((0, 1, 2), (1.0, 1.0, 1.0), 0.0)
    tree = build(schema, inner(oblique, inner(Axis(0, 1.0), leaf(1, 0), leaf(0, 1)), leaf(2, 1)))
    assert tree.path_complexity == 7.0
    assert tree.complexity == 5


def test_complexity_of_one_column_trees_is_the_number_of_leaves():
    tree = handmade.iris()
    assert tree.complexity == tree.path_complexity == tree.n_leaves == 3
    assert handmade.stump().complexity == handmade.stump().path_complexity == 1


def test_r_squared_comes_from_the_statistics():
    # two groups 0,0 and 4,4: all of the variance is explained
    schema = Schema((Column("x", "numeric"),))
    tree = build(schema, inner(Axis(0, 0.0), leaf(2, 0, 0), leaf(2, 4, 0)))
    assert tree.training_score == 1.0
    assert build(schema, inner(Axis(0, 0.0), leaf(2, 0, 8), leaf(2, 4, 8))).training_score == 0.5
    assert np.isnan(build(schema, leaf(3, 1, 0)).training_score)


def test_a_tree_that_saw_no_row():
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    tree = build(schema, inner(Axis(0, 0.0), leaf(0, 0), leaf(0, 0)))
    assert tree.reading_effort == 0.0
    assert np.isnan(tree.training_score)
    assert tree.feature_importances().tolist() == [0.0]
    assert "training" not in str(tree)
    assert tree.rules()[0] == "if x <= 0 then a (0 rows)"


def test_walk_is_in_reading_order():
    tree = handmade.heart()
    assert [node.id for node in tree.walk()] == [0, 1, 3, 4, 5, 6, 2, 7, 8, 9]
    assert [node.id for node in tree.leaves()] == LEAVES


def test_paths_and_rules():
    tree = handmade.heart()
    paths = [(leaf.id, [str(branch) for branch in path]) for leaf, path in tree.paths()]
    assert paths[2] == (6, ["age <= 54.5 years", "smoker", "activity > low"])
    assert [number for number, _ in paths] == LEAVES
    assert tree.rules()[2] == (
        "if age <= 54.5 years and smoker and activity > low then healthy (82 %, 17 rows)"
    )


def test_rules_merge_conditions_on_one_column():
    schema = Schema((Column("age", "numeric"), Column("city", "categorical", tuple("ABC"))), (0, 1))
    tree = build(
        schema,
        inner(
            Axis(0, 55.0),
            inner(
                Multiway(1, (0, 0, 1)),
                inner(
                    Axis(0, 18.0), leaf(9, 1), inner(Subset(1, (0,), (1,)), leaf(3, 38), leaf(1, 0))
                ),
                leaf(2, 2),
            ),
            leaf(5, 4),
        ),
    )
    assert tree.rules() == [
        "if age <= 18 and city is not C then 0 (90 %, 10 rows)",
        "if 18 < age <= 55 and (city is A or unseen) then 1 (93 %, 41 rows)",
        "if 18 < age <= 55 and city is B then 0 (100 %, 1 row)",
        "if age <= 55 and city is C then 0 (50 %, 4 rows)",
        "if age > 55 then 0 (56 %, 9 rows)",
    ]


def test_a_level_that_no_row_of_the_node_had_was_printed_on_the_branch_it_does_not_take():
    jobs = ("army", "clerk", "cook", "driver", "guard", "sales", "pilot", "smith")
    schema = Schema((Column("job", "categorical", jobs),), ("no", "yes"))
    tree = build(schema, inner(Subset(0, (1, 2, 3, 4, 7), (5, 6)), leaf(9, 1), leaf(0, 4)))
    assert tree.predict([{"job": "army"}]).tolist() == ["no"]
    assert tree.rules() == [
        "if job not in {sales, pilot} then no (90 %, 10 rows)",
        "if job in {sales, pilot} then yes (100 %, 4 rows)",
    ]


def test_a_tree_without_a_test_has_one_rule():
    assert handmade.stump().rules() == ["always b (62 %, 8 rows)"]


@pytest.mark.parametrize(
    "frame", [list, pd.DataFrame, pl.DataFrame, lambda rows: pd.DataFrame(rows)[::-1][::-1]]
)
def test_any_table_finds_its_leaves(frame):
    assert handmade.heart().apply(frame(PATIENTS)).tolist() == LEAVES


def test_columns_are_found_by_name():
    frame = pd.DataFrame(PATIENTS)[["cholesterol", "activity", "smoker", "age", "chest pain"]]
    assert handmade.heart().apply(frame.assign(more=1)).tolist() == LEAVES
    with pytest.raises(SchemaError, match="'smoker' is missing"):
        handmade.heart().apply(frame.drop(columns="smoker"))


def test_predicted_labels():
    tree = handmade.heart()
    assert tree.predict(PATIENTS).tolist() == ["healthy", "ill", "healthy", "ill", "healthy", "ill"]
    assert tree.distribution(PATIENTS)[3].tolist() == [0.05, 0.95]
    assert tree.distribution(PATIENTS)[5].tolist() == [0.0, 1.0]


@pytest.mark.parametrize("classes", [(1, "1", True), (-1, 1, 2**63), ("a", "a\0", "b")])
def test_labels_stay_what_they_are(classes):
    schema = Schema((Column("x", "numeric"),), classes, named=False)
    root = inner(Axis(0, 0.0), leaf(1, 0, 0), inner(Axis(0, 1.0), leaf(0, 1, 0), leaf(0, 0, 1)))
    labels = build(schema, root).predict(np.array([[0.0], [1.0], [2.0]])).tolist()
    assert list(map(repr, labels)) == list(map(repr, classes))


def test_labels_of_one_type_are_an_array_of_it():
    plain = Schema((Column("x", "numeric"),), (10, 20), named=False)
    assert build(plain, leaf(1, 2)).predict(np.zeros((2, 1))).dtype.kind == "i"


def test_predicted_numbers():
    rows = [{"size": 50, "city": "Oslo"}, {"size": 50, "city": "Voss"}, {"size": 80, "city": None}]
    tree = handmade.rent()
    assert tree.predict(rows).tolist() == [1420.5, 1010.0, 1930.25]
    with pytest.raises(TypeError, match="no class probabilities"):
        tree.distribution(rows)


def test_missing_values_follow_the_policy_of_the_node():
    tree = handmade.heart()
    patient = {**PATIENTS[1], "age": None}
    # the surrogate on cholesterol decides; without it, being a smoker counts as the other side
    assert tree.apply([{**patient, "cholesterol": 300, "chest pain": "typical"}]).tolist() == [7]
    assert tree.apply([{**patient, "cholesterol": 243}]).tolist() == [5]
    assert tree.apply([{**patient, "cholesterol": None, "chest pain": "typical"}]).tolist() == [7]
    assert tree.apply([{**patient, "smoker": None, "cholesterol": None}]).tolist() == [3]
    # a fraction of the row goes down each branch of the test on chest pain
    unknown = [{**PATIENTS[3], "chest pain": None}]
    shares = tree.leaf_shares(unknown).toarray()[0]
    assert shares[7:].tolist() == pytest.approx([40 / 72, 32 / 72, 0.0])
    assert tree.apply(unknown).tolist() == [7]
    expected = [(2 + 17) / 72, (38 + 15) / 72]
    assert tree.distribution(unknown)[0].tolist() == pytest.approx(expected)
    assert tree.predict(unknown).tolist() == ["ill"]
    assert tree.decision_path(unknown).toarray()[0].tolist() == [1, 0, 1, 0, 0, 0, 0, 1, 1, 0]


def test_a_divided_row_gets_the_class_with_the_largest_share():
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    root = inner(Axis(0, 0.0), leaf(21, 19), leaf(0, 35), missing="fraction")
    tree = build(schema, root)
    rows = [{"x": -1.0}, {"x": 1.0}, {"x": None}]
    assert tree.apply(rows).tolist() == [1, 2, 1]
    assert tree.distribution(rows)[2].tolist() == pytest.approx([21 / 75, 54 / 75])
    assert tree.predict(rows).tolist() == ["a", "b", "b"]


def test_an_unseen_level_is_missing_and_named():
    with pytest.warns(UnseenLevelWarning, match=r"'chest pain' \('burning': 1\)"):
        shares = handmade.heart().leaf_shares([{**PATIENTS[3], "chest pain": "burning"}])
    assert shares.nnz == 2


def test_decision_path_marks_the_nodes_on_the_way():
    path = handmade.heart().decision_path(PATIENTS)
    assert path.shape == (6, 10)
    assert path.has_sorted_indices
    assert np.flatnonzero(path.toarray()[2]).tolist() == [0, 1, 4, 6]
    assert path.toarray().max() == 1


def test_a_table_of_the_core_is_taken_as_it_is():
    tree = handmade.heart()
    table = _core.Table(tree.schema.encode(PATIENTS), tree.schema.n_levels)
    assert tree.apply(table).tolist() == LEAVES


def test_importances():
    tree = handmade.heart()
    raw = tree.feature_importances(normalized=False)
    assert raw.tolist() == pytest.approx(np.array([14.625, 5.25, 8.5, 3.9, 0.0]) / 168)
    assert tree.feature_importances().tolist() == pytest.approx((raw / raw.sum()).tolist())


def test_a_test_on_several_columns_counts_in_equal_parts():
    schema = Schema(tuple(Column(name, "numeric") for name in "abc"), ("x", "y"))
    pair = Pair("and", Axis(0, 1.0), Axis(0, 2.0))
    linear = Linear((1, 2), (5.0, 1.0), 0.0)
    root = inner(pair, inner(linear, leaf(1, 0), leaf(0, 1), gain=4.0), leaf(2, 1), gain=2.0)
    assert build(schema, root).feature_importances().tolist() == pytest.approx([1 / 3] * 3)


def test_collapse_makes_a_new_tree():
    tree = handmade.heart()
    cut = tree.collapse([1])
    assert (tree.n_nodes, cut.n_nodes) == (10, 6)
    assert cut.origin.tolist() == [0, 1, 2, 7, 8, 9]
    assert tree.origin.tolist() == list(range(10))
    assert cut.node(1).label == "healthy"
    assert cut.node(1).is_leaf
    assert cut.apply(PATIENTS).tolist() == [1, 1, 1, 3, 4, 5]
    assert tree.collapse([0]).n_nodes == 1
    assert tree.collapse([]) == tree
    assert tree.collapse(range(10)) == tree.collapse([0])


def test_collapse_names_a_node_that_is_not_there():
    with pytest.raises(IndexError, match=r"in \[0, 9\]. Got 10"):
        handmade.heart().collapse([10])


def test_equality_and_hash():
    assert handmade.heart() == handmade.heart()
    assert hash(handmade.heart()) == hash(handmade.heart())
    assert handmade.heart() != handmade.heart().collapse([1])
    assert handmade.heart() != handmade.iris()
    assert handmade.heart() != "a tree"
    schema = handmade.heart().schema.with_units({"age": "months"})
    assert Tree(handmade.heart().core, schema) != handmade.heart()


@pytest.mark.parametrize("make", handmade.ALL.values(), ids=handmade.ALL)
def test_copies_are_equal(make):
    tree = make()
    tree.validate()
    for other in (pickle.loads(pickle.dumps(tree)), copy.copy(tree), copy.deepcopy(tree)):
        assert other == tree
        assert str(other) == str(tree)
    assert Tree.from_json(tree.to_json(), tree.schema) == tree


def test_a_pickled_cut_tree_remembers_its_origin():
    cut = pickle.loads(pickle.dumps(handmade.heart().collapse([1])))
    assert cut.origin.tolist() == [0, 1, 2, 7, 8, 9]


def test_tree_and_schema_must_fit():
    core = handmade.iris().core
    numeric = tuple(Column(f"x{i}", "numeric") for i in range(4))
    assert Tree(core, Schema(numeric, ("a", "b", "c"))).n_nodes == 5
    with pytest.raises(SchemaError, match="columns of the schema are not those"):
        Tree(core, Schema(numeric[:3], ("a", "b", "c")))
    with pytest.raises(SchemaError, match="2 classes, but the tree has 3"):
        Tree(core, Schema(numeric, ("a", "b")))
    with pytest.raises(SchemaError, match="exactly when it predicts classes"):
        Tree(core, Schema(numeric))


def test_a_comparison_of_levels_does_not_validate():
    # What the core stores as numbers may not be compared as such.
    state = dict(handmade.iris().core.state())
    state["n_levels"] = np.array([0, 0, 9, 0], np.int32)
    levels = tuple(f"level {i}" for i in range(9))
    columns = [Column(f"x{i}", "numeric") for i in range(4)]
    columns[2] = Column("x2", "categorical", levels)
    with pytest.raises(ValueError, match=r"."):
        Tree(_core.Tree.from_state(state), Schema(tuple(columns), ("a", "b", "c"))).validate()


@pytest.mark.long
def test_deep_trees_are_read_without_recursion():
    tree = chain(5_000)
    assert (tree.depth, tree.n_leaves) == (5_000, 5_001)
    assert sum(1 for _ in tree.walk()) == tree.n_nodes == 10_001
    assert Tree.from_json(tree.to_json(), tree.schema) == tree
    assert pickle.loads(pickle.dumps(tree)) == tree
    tree.validate()
    assert tree.n_leaves_below(0) == 5_001
    assert len(tree.rules()) == 5_001
    assert "and" in tree.rules()[0]
    # Indentation must not make the text grow with the square of the depth.
    assert len(str(tree)) < 200 * tree.n_nodes
    assert len(tree.to_text(max_depth=2).splitlines()) == 10
    assert tree.collapse([5]).depth == 3
    assert tree.path_complexity == tree.n_leaves


def test_trees_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for make in handmade.ALL.values():
            tree = make()
            str(tree), tree.rules(), tree.feature_importances(), hash(tree)


def nodes() -> list[dict[str, object]]:
    return handmade.iris().to_json()["nodes"]


def changed(index: int, **changes: object) -> dict[str, object]:
    data = handmade.iris().to_json()
    data["nodes"][index].update(changes)
    return data


def without(index: int, key: str) -> dict[str, object]:
    data = handmade.iris().to_json()
    del data["nodes"][index][key]
    return data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "The tree must be an object. Got null"),
        ({"task": "classification"}, "The tree lacks 'nodes'"),
        ({"task": "poetry", "nodes": []}, "Got 'poetry'"),
        ({"task": "regression", "nodes": nodes()}, "must not have classes"),
        ({"task": "classification", "nodes": []}, "The tree has no nodes"),
        ({"task": "classification", "nodes": {}}, "must be a list. Got an object"),
        ({"task": "classification", "nodes": [7]}, "Node 0 must be an object. Got 7"),
        ({"task": "classification", "nodes": nodes()[:4]}, "children of node 2"),
        ({"task": "classification", "nodes": [*nodes(), {**nodes()[1], "id": 5}]}, "no parent"),
        (changed(1, id=2), "Node 1 must have the id 1"),
        (changed(1, id=True), "Node 1 must have the id 1"),
        (changed(1, id=1.0), "Node 1 must have the id 1"),
        (changed(1, colour="red"), "Node 1 has an unknown key: 'colour'"),
        (changed(1, gain=1.0), "Node 1 has an unknown key: 'gain'"),
        (changed(1, missing="default"), "Node 1 has an unknown key: 'missing'"),
        (without(0, "gain"), "Node 0 lacks 'gain'"),
        (without(0, "test"), "Node 0 has an unknown key"),
        (without(3, "rows"), "Node 3 lacks 'rows'"),
        (changed(1, rows=-1), "The rows of node 1 must be a finite number at least 0"),
        (changed(1, rows=1e301), "at most 1e[+]300"),
        (changed(1, rows=None), "Got null"),
        (changed(1, statistics=[1, 2]), "The statistics of node 1 must be 3 numbers"),
        (changed(1, statistics=[1, 2, -3]), "at least 0"),
        (changed(1, statistics=[1, 2, float("inf")]), "finite"),
        (changed(1, statistics="123"), "must be a list. Got '123'"),
        (changed(1, value=3), "The value of node 1 must be an integer from 0 to 2. Got 3"),
        (changed(1, value=1.0), "must be an integer"),
        (changed(0, missing="maybe"), "The missing policy of node 0 must be one of"),
        (changed(0, gain=float("nan")), "The gain of node 0"),
        (changed(0, default_branch=2), "The default branch of node 0"),
        (changed(0, default_branch=-1), "The default branch of node 0"),
        (changed(0, children=[1]), "The children of node 0 must be 2, one per branch. Got 1"),
        (changed(0, children=[1, 3]), "neighbouring ids"),
        (changed(0, children=[2, 1]), "neighbouring ids"),
        (changed(0, children=[1, 5]), "must be an integer from 0 to 4"),
        (changed(0, children=[0, 1]), "The tree is broken: Node 0"),
        (changed(0, children=[3, 4]), "The tree is broken: Node 0"),
        (changed(2, children=[1, 2]), "The tree is broken: Node 2"),
        (changed(0, surrogates={}), "must be a list"),
        (changed(0, surrogates=[1]), "A surrogate of node 0 must be an object"),
        (
            changed(
                0,
                surrogates=[
                    {"test": nodes()[2]["test"], "swapped": 1, "agreement": 1, "adjusted": 1}
                ],
            ),
            "'swapped' in a surrogate of node 0 must be true or false. Got 1",
        ),
        (
            changed(
                0,
                surrogates=[
                    {"test": nodes()[2]["test"], "swapped": True, "agreement": 2, "adjusted": 1}
                ],
            ),
            "at most 1. Got 2",
        ),
        (
            changed(
                0,
                surrogates=[
                    {
                        "test": Linear((0,), (1.0,), 1.0).to_json(),
                        "swapped": True,
                        "agreement": 1,
                        "adjusted": 1,
                    }
                ],
            ),
            "surrogate",
        ),
    ],
)
def test_broken_json_is_refused_in_words(data, message):
    with pytest.raises(ModelFileError, match=message):
        Tree.from_json(data, handmade.iris().schema)
