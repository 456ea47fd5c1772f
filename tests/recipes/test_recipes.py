"""Recipes: the settings of each published system, and that they may be changed."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris

from treewright import Axis, TreeClassifier, TreeRegressor, load, recipes
from treewright.prune import CriticalValue

ALL = [
    recipes.id3,
    recipes.c45,
    recipes.cart,
    recipes.cart_alpha,
    recipes.j48,
    recipes.rpart,
    recipes.quest,
    lambda **more: recipes.quest(linear=True, **more),
    recipes.cruise,
    lambda **more: recipes.cruise(linear=True, **more),
    recipes.fact,
    recipes.fisher_tree,
    recipes.lmdt,
    recipes.pbot,
    recipes.linear_program,
    recipes.oc1,
    recipes.oc1_ap,
    recipes.hhcart,
    recipes.cart_lc,
    lambda **more: recipes.sadt(patience=100, **more),
    recipes.wodt,
    lambda **more: recipes.cart(task="regression", **more),
    lambda **more: recipes.rpart(task="regression", **more),
    lambda **more: recipes.cart_lc(**{"max_depth": 3, **more}, task="regression"),
    lambda **more: recipes.cart_alpha(**{"max_depth": 4, **more}, alpha=2, task="regression"),
]
TENNIS = {
    "sky": [
        "sun",
        "sun",
        "cloud",
        "rain",
        "rain",
        "rain",
        "cloud",
        "sun",
        "sun",
        "rain",
        "sun",
        "cloud",
        "cloud",
        "rain",
    ],
    "windy": [bool(int(w)) for w in "01000110001101"],
    "warmth": [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71],
}
PLAY = ["no", "no", "yes", "yes", "yes", "no", "yes", "no", "yes", "yes", "yes", "yes", "yes", "no"]


@pytest.mark.parametrize("recipe", ALL)
def test_every_recipe_is_an_ordinary_estimator(recipe, tmp_path):
    model = recipe()
    assert isinstance(model, TreeClassifier | TreeRegressor)
    assert repr(clone(model)) == repr(model)
    data = load_iris() if isinstance(model, TreeClassifier) else load_diabetes()
    model.fit(data.data, data.target)
    assert model.score(data.data, data.target) > 0.3
    model.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert loaded.tree_ == model.tree_
    assert repr(loaded) == repr(model)


@pytest.mark.parametrize("recipe", ALL)
def test_parameters_can_be_changed_and_added(recipe):
    model = recipe(max_depth=2, readable=True)
    assert (model.max_depth, model.readable) == (2, True)
    with pytest.raises(TypeError, match="depth"):
        recipe(depth=2)


@pytest.mark.parametrize(
    ("recipe", "part", "own"),
    [
        *((recipe, "prune", {"confidence": 0.1}) for recipe in (recipes.c45, recipes.j48)),
        (recipes.j48, "prune", {"raising": False}),
        *((recipe, "prune", {"se": 0}) for recipe in (recipes.cart, recipes.must, recipes.wodt)),
        *((recipe, "prune", {"se": 0}) for recipe in (recipes.quest, recipes.cruise)),
        *((recipe, "prune", {"se": 0}) for recipe in (recipes.cart_lc, recipes.linear_program)),
        (recipes.rpart, "prune", {"cp": 0}),
        *((recipe, "prune", {"confidence": 0.1}) for recipe in (recipes.dgmml, recipes.dgmml_mdt)),
        (recipes.fisher_tree, "prune", {"confidence": 0.1}),
        *((recipe, "split", {"features": 3}) for recipe in (recipes.oc1, recipes.sadt)),
        *((recipe, "split", {"features": 3}) for recipe in (recipes.cart_lc, recipes.wodt)),
        *((recipe, "split", {"features": 3}) for recipe in (recipes.must, recipes.must_paper)),
        (recipes.dgmml_mdt, "split", {"features": 3}),
        (recipes.must_forest, "split", {"features": 3}),
        (recipes.oc1, "split", {"n_restarts": 3}),
        (recipes.hhcart, "split", {"variant": "dominant"}),
        (recipes.dgmml, "split", {"threshold": "best"}),
        (recipes.dgmml_paper, "split", {"threshold": "best"}),
        (recipes.dgmml_forest, "split", {"threshold": "best"}),
        *((recipe, "split", {"linear": True}) for recipe in (recipes.quest, recipes.cruise)),
        (recipes.fact, "split", {"components": 0.5}),
        *((r, "split", {"mode": "axis"}) for r in (recipes.oblique_logistic, recipes.oblique_tree)),
        (recipes.logistic_forest, "split", {"mixture": True}),
        (recipes.lmdt, "split", {"elimination": None}),
        (recipes.pbot, "split", {"ridge": 1.0}),
        (recipes.linear_program, "split", {"loss": "mean"}),
        (recipes.cart_alpha, "split", {"alpha": 2}),
    ],
)
def test_nothing_is_given_to_a_part_that_the_caller_replaces(recipe, part, own):
    (name,) = own
    replacement = {part: Axis() if part == "split" else None}
    assert getattr(recipe(**replacement), part) is replacement[part]
    with pytest.raises(ValueError, match=rf"{recipe.__name__}\(\) .*{name}=.* and a '{part}'"):
        recipe(**own, **replacement)


def test_what_a_recipe_makes_itself_may_be_said_beside_a_part_of_the_callers():
    assert recipes.cart(se=1, prune=None).prune is None
    assert recipes.must(2, split=Axis()).split == Axis()
    with pytest.raises(ValueError, match="features=array"):
        recipes.oc1(np.array([1, 2]), split=Axis())
    with pytest.raises(TypeError, match=r"oc1\(\) takes"):
        recipes.oc1("all", 2, split=Axis())


def test_id3_has_a_branch_a_level_and_grows_to_the_end():
    model = recipes.id3().fit(TENNIS, PLAY)
    assert model.score(TENNIS, PLAY) == 1.0
    root = model.tree_.node(0)
    assert type(root.predicate).__name__ == "Multiway"
    # Splits even where nothing is gained at once.
    square = {"a": ["0", "0", "1", "1"], "b": ["0", "1", "0", "1"]}
    assert recipes.id3().fit(square, [0, 1, 1, 0]).score(square, [0, 1, 1, 0]) == 1.0


def test_c45_cuts_at_values_of_the_data():
    model = recipes.c45()
    assert model.split == Axis("c45")
    data = load_iris()
    model.fit(data.data, data.target)
    for node in model.tree_.walk():
        if node.predicate is not None:
            assert node.predicate.threshold in data.data[:, node.predicate.column]
    assert model.tree_.core.rows[model.tree_.core.n_branches == 0].min() >= 2


def test_c45_divides_rows_with_missing_values():
    table = {**TENNIS, "sky": [None, *TENNIS["sky"][1:]]}
    model = recipes.c45(prune=None).fit(table, PLAY)
    shares = model.tree_.leaf_shares(table).toarray()
    assert np.allclose(shares.sum(axis=1), 1.0)
    assert ((shares > 0) & (shares < 1)).any()


def test_cart_grows_to_the_end_and_rpart_stops_early():
    data = load_iris()
    grown = recipes.cart(prune=None).fit(data.data, data.target)
    assert grown.score(data.data, data.target) == 1.0
    assert grown.tree_.node(0).surrogates
    core = recipes.rpart(cp=0.0).fit(data.data, data.target).tree_.core
    assert core.rows[core.n_branches == 0].min() >= 7
    assert core.rows[core.n_branches > 0].min() >= 20
    assert recipes.cart(task="regression").criterion == "squared_error"


def test_cart_has_two_tasks():
    with pytest.raises(ValueError, match=r"'classification' or 'regression'\. Got 'ranking'"):
        recipes.cart(task="ranking")


FORESTS = [
    recipes.cart_forest,
    recipes.c45_forest,
    recipes.ihd_forest,
    recipes.dgmml_forest,
    recipes.must_forest,
    recipes.logistic_forest,
    lambda **more: recipes.logistic_forest(mixture=True, concise="bic", **more),
]


@pytest.mark.parametrize("recipe", FORESTS)
def test_forests_of_the_published_trees(recipe, tmp_path):
    data = load_iris()
    model = recipe(n_estimators=5, random_state=0)
    assert clone(model).get_params().keys() == model.get_params().keys()
    assert (model.max_features, model.voting) == ("rounded_sqrt", "soft")
    assert model.fit(data.data, data.target).score(data.data, data.target) > 0.95
    model.save(tmp_path / "model.json")
    assert load(tmp_path / "model.json").trees_ == model.trees_
    assert recipe().n_estimators == 100
    paper = recipe(paper=True)
    assert (paper.n_estimators, paper.voting, paper.min_samples_split) == (20, "hard", 2)
    assert recipe(paper=True, n_estimators=7).n_estimators == 7


@pytest.mark.parametrize("recipe", [recipes.cart_forest, recipes.must_forest])
def test_forests_for_numbers(recipe):
    X, y = load_diabetes(return_X_y=True)
    model = recipe(task="regression", n_estimators=20, random_state=0, oob_score=True)
    assert model.fit(X, y).oob_score_ > 0.3
    with pytest.raises(ValueError, match=r"'task' parameter of \w+_forest .* Got 'ranking'"):
        recipe(task="ranking")
    with pytest.raises(ValueError, match=r"'paper' parameter .* for classification only"):
        recipe(task="regression", paper=True)


def test_fisher_tree_takes_the_largest_class_against_the_others():
    data = load_iris()
    kept = np.r_[0:20, 50:100, 100:130]  # versicolor is the largest class, between the others
    X, y = data.data[kept], data.target[kept]
    root = recipes.fisher_tree(prune=None).fit(X, y).tree_.node(0).predicate
    two = recipes.fisher_tree(prune=None).fit(X, y == 1).tree_.node(0).predicate
    assert len(root.columns) == 4
    np.testing.assert_allclose(np.abs(root.coefficients), np.abs(two.coefficients))


def test_what_quest_cruise_and_fact_are_cut_back_by():
    assert recipes.quest(se=0.5).prune.se == 0.5
    assert recipes.cruise(linear=True).split.linear
    assert recipes.fact().prune == CriticalValue()
    assert recipes.fact(f_to_enter=2).split.f_to_enter == 2
