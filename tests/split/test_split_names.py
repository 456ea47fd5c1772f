"""Split methods by name, wherever one is asked for."""

from __future__ import annotations

import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

import treewright
from treewright import (
    CARTLC,
    HHCART,
    MUST,
    Axis,
    Best,
    Climb,
    ForestClassifier,
    ForestRegressor,
    FTest,
    Logistic,
    OptimalTreeClassifier,
    TreeClassifier,
    TreeRegressor,
    recipes,
)
from treewright.exceptions import ModelFileError
from treewright.splits import as_split, split_names

X, y = load_iris(return_X_y=True)


def test_methods_had_no_names():  # issue 21
    for split in ("must", MUST()):
        model = TreeClassifier(split=split, max_leaf_nodes=4).fit(X, y)
        assert model.tree_ == TreeClassifier(MUST(), max_leaf_nodes=4).fit(X, y).tree_
    forest = ForestClassifier(3, "must(1)", random_state=0).fit(X, y)
    assert forest.trees_ == ForestClassifier(3, MUST(1), random_state=0).fit(X, y).trees_
    assert TreeRegressor("must", max_leaf_nodes=3).fit(X[:, :3], X[:, 3]).tree_.n_leaves == 3
    assert recipes.cart(split="must", max_leaf_nodes=3).fit(X, y).tree_.n_leaves == 3


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("axis", Axis()),
        (" MUST ", MUST()),
        ("must(3)", MUST(3)),
        ("must(all)", MUST("all")),
        ("must('all', selection=mahalanobis)", MUST("all", selection="mahalanobis")),
        ("logistic(None)", Logistic(None)),
        ("cart-lc", CARTLC()),
        ("cart_lc(beta=-0.5)", CARTLC(beta=-0.5)),
        ("f_test", FTest()),
        ("hhcart(dominant, features=2, standardize=True)", HHCART("dominant", features=2)),
        ("best(axis, must(2))", Best(Axis(), MUST(2))),
        ("climb(must)", Climb(MUST())),
    ],
)
def test_names_take_arguments(text, method):
    found = as_split(text)
    assert type(found) is type(method)
    if "standardize" in text:
        method.standardize = True
    assert found == method


def test_an_unknown_name_lists_those_there_are():
    with pytest.raises(ValueError, match=r"'split' parameter of TreeClassifier .*'musst'") as error:
        TreeClassifier(split="musst").fit(X, y)
    assert ", ".join(split_names()) in str(error.value)
    assert "Did you mean 'must'?" in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("must(", "must have its arguments written as in"),
        ("must(5", "must have its arguments written as in"),
        ("must(3);print(1)", "must have its arguments written as in"),
        ("must(" + "(" * 300 + ")", "must have its arguments written as in"),
        ("must(" + "1," * 900 + ")", "must have its arguments written as in"),
        ("must(size=3)", "unexpected keyword argument 'size'. MUST takes features, "),
        ("climb", "missing a required argument: 'method'"),
        ("must(open('x'))", "must be a number, a word or a split method"),
        ("must((1, 2))", "must be a number, a word or a split method"),
        ("must(*a)", "must be a number, a word or a split method"),
        ("must(" + "-" * 480 + "x)", "must be a number, a word or a split method"),
        ("must(3)(2)", "must have its arguments written as in"),
        ("must(features=3, features=2)", "do not fit: an argument is given twice"),
        ("must(0)", "'features' parameter of MUST must be"),
        ("", "must be the name of a split method (axis, "),
    ],
)
def test_hostile_names_are_refused_in_one_sentence(text, words):
    with pytest.raises(ValueError, match=words.replace("(", r"\(")) as error:
        TreeClassifier(split=text).fit(X, y)
    assert "\n" not in str(error.value)


def test_scikit_learn_goes_through_names():
    search = GridSearchCV(TreeClassifier(), {"split": ["axis", "must", "must(1)"]}, cv=3).fit(X, y)
    assert search.best_params_["split"] in ("axis", "must", "must(1)")
    model = clone(TreeClassifier(split="must(3)"))
    assert model.get_params()["split"] == "must(3)"
    assert model.set_params(split="axis").split == "axis"
    best = clone(Best("axis", "must"))
    assert best.set_params(method_1__features=3) == Best("axis", MUST(3))


def test_model_files_keep_the_name(tmp_path):
    path = tmp_path / "model.json"
    for split in ("must(3)", Best("axis", "must(2)"), Climb("must")):
        model = TreeClassifier(split=split, max_leaf_nodes=3).fit(X, y)
        model.save(path)
        again = treewright.load(path)
        assert again.split == split
        assert clone(again).fit(X, y).tree_ == model.tree_
    TreeClassifier(split="must(3)", max_leaf_nodes=3).fit(X, y).save(path)
    saved = path.read_text()
    for hostile in ("must(open)", "must(open('x'))", "mist"):
        path.write_text(saved.replace("must(3)", hostile))
        with pytest.raises(ModelFileError, match="cannot be used"):
            treewright.load(path)


def test_dictionaries_take_names():
    named = OptimalTreeClassifier(1, dictionary=["axis", "must(2)"]).fit(X, y)
    given = OptimalTreeClassifier(1, dictionary=[Axis(), MUST(2)]).fit(X, y)
    assert named.tree_ == given.tree_
    with pytest.raises(ValueError, match="Did you mean 'must'"):
        OptimalTreeClassifier(1, dictionary=["musst"]).fit(X, y)


@pytest.mark.parametrize("forest", [ForestClassifier, ForestRegressor])
def test_the_first_parameter_of_a_forest_was_no_number_of_trees(forest):  # issue 21
    assert len(forest(2).fit(X, y).trees_) == 2
    assert forest(5, "must").split == "must"


def test_first_parameters_are_those_of_the_contract():
    assert TreeClassifier("must").split == TreeRegressor("must").split == "must"
    assert OptimalTreeClassifier(2).max_depth == 2
