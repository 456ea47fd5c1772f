"""Forests in the model file: what comes back, and what is refused."""

from __future__ import annotations

import json

import jsonschema
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from treewright import MUST, ForestClassifier, ForestRegressor, TreeClassifier, load
from treewright.exceptions import ModelFileError
from treewright.modelfile import model_from_text, model_schema, model_to_text, read_model

IRIS = load_iris()
TABLE = {"size": [1.0, 2.0, 3.0, None, 5.0, 6.0] * 5, "level": list("aabbcc") * 5}
LABELS = ["u", "v", "u", "v", "w", "w"] * 5
PUBLISHED = jsonschema.Draft202012Validator(model_schema())

MODELS = [
    ForestClassifier(n_estimators=3, random_state=0),
    ForestClassifier(2, MUST(1), voting="hard", max_features="rounded_sqrt", max_samples=0.5),
    ForestClassifier(n_estimators=2, class_weight={"u": 2.0}, missing="surrogate", n_jobs=2),
    ForestClassifier(n_estimators=2, cost_matrix=1 - np.eye(3), bootstrap=False),
]


def saved(model, tmp_path):
    path = tmp_path / "model.json"
    model.save(path)
    return path, json.loads(path.read_text())


@pytest.mark.parametrize("model", MODELS, ids=range(len(MODELS)))
def test_a_forest_comes_back_as_it_was(model, tmp_path):
    model = clone(model).fit(TABLE, LABELS)
    path, content = saved(model, tmp_path)
    PUBLISHED.validate(content)
    loaded = load(path)
    assert loaded.trees_ == model.trees_
    assert loaded.schema_ == model.schema_
    np.testing.assert_array_equal(loaded.classes_, model.classes_)
    np.testing.assert_array_equal(loaded.predict_proba(TABLE), model.predict_proba(TABLE))
    np.testing.assert_array_equal(loaded.predict(TABLE), model.predict(TABLE))
    for name, value in model.get_params(deep=False).items():
        np.testing.assert_equal(getattr(loaded, name), value)
    assert model_from_text(model_to_text(read_model(path))) == read_model(path)


def test_a_regression_forest_comes_back_as_it_was(tmp_path):
    model = ForestRegressor(n_estimators=3, random_state=0).fit(IRIS.data, IRIS.target)
    path, content = saved(model, tmp_path)
    PUBLISHED.validate(content)
    np.testing.assert_array_equal(load(path).predict(IRIS.data), model.predict(IRIS.data))


def test_trees_can_be_added_to_a_forest_from_a_file(tmp_path):
    model = ForestClassifier(n_estimators=2, warm_start=True).fit(TABLE, LABELS)
    loaded = load(saved(model, tmp_path)[0])
    for forest in (model, loaded):
        forest.set_params(n_estimators=6).fit(TABLE, LABELS)
    assert loaded.trees_ == model.trees_


def test_what_json_has_no_word_for(tmp_path):
    model = ForestRegressor(n_estimators=30, oob_score=lambda true, found: 0.25, progress=print)
    path, content = saved(model.fit(IRIS.data, IRIS.target), tmp_path)
    assert model.oob_score_ == 0.25
    assert content["parameters"]["oob_score"] is True
    assert "progress" not in content["parameters"]
    loaded = load(path)
    assert not hasattr(loaded, "oob_score_")


def test_one_node_stands_on_one_line(tmp_path):
    model = ForestClassifier(n_estimators=3, random_state=0).fit(TABLE, LABELS)
    path, _ = saved(model, tmp_path)
    lines = [line for line in path.read_text().splitlines() if '"statistics"' in line]
    assert len(lines) == sum(tree.n_nodes for tree in model.trees_)


def test_a_forest_too_large_for_a_file_says_what_to_do(tmp_path, monkeypatch):
    model = ForestClassifier(n_estimators=3, random_state=0).fit(TABLE, LABELS)
    monkeypatch.setattr("treewright.modelfile.MAX_BYTES", 100)
    with pytest.raises(ModelFileError, match="grow fewer or smaller trees"):
        model.save(tmp_path / "model.json")


def changed(content, **forest):
    return {**content, "forest": {**content["forest"], **forest}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: changed(c, trees=[]), "the forest has no trees"),
        (lambda c: changed(c, trees={}), "the trees of the forest must be a list"),
        (lambda c: changed(c, trees=[None]), "the tree must be an object"),
        (lambda c: changed(c, seed=2**53), "the seed of the forest must be an integer from 0"),
        (lambda c: changed(c, seed=1.0), "the seed of the forest"),
        (lambda c: changed(c, rows=-1), "the rows of the forest"),
        (lambda c: changed(c, draws="all"), "the draws of the forest"),
        (lambda c: changed(c, more=1), "the forest has an unknown key: 'more'"),
        (lambda c: {**c, "forest": []}, "the forest must be an object"),
        (lambda c: {**c, "forest": {"trees": []}}, "the forest lacks 'seed'"),
        (lambda c: {**c, "tree": c["forest"]["trees"][0]}, "unknown key: 'tree'"),
        (lambda c: {**c, "rules": {}}, "unknown key: 'rules'"),
        (lambda c: {**c, "estimator": "ForestRegressor"}, "does not fit ForestRegressor"),
        (
            lambda c: {**c, "estimator": "TreeClassifier", "parameters": {}},
            "a forest, and TreeClassifier has none",
        ),
        (
            lambda c: {
                **{key: value for key, value in c.items() if key != "forest"},
                "tree": c["forest"]["trees"][0],
            },
            "it lacks the forest of ForestClassifier",
        ),
        (lambda c: {key: c[key] for key in c if key != "forest"}, "the file lacks 'tree'"),
    ],
)
def test_broken_files_are_refused_in_words(change, message, tmp_path):
    model = ForestClassifier(n_estimators=2, random_state=0).fit(TABLE, LABELS)
    path, content = saved(model, tmp_path)
    path.write_text(json.dumps(change(content)))
    with pytest.raises(ModelFileError, match=message) as caught:
        load(path)
    assert "\n" not in str(caught.value)


def test_trees_of_another_kind_are_refused(tmp_path):
    numbers = ForestRegressor(n_estimators=1).fit(IRIS.data, IRIS.target)
    _, other = saved(numbers, tmp_path)
    path, content = saved(ForestClassifier(n_estimators=2).fit(TABLE, LABELS), tmp_path)
    content["forest"]["trees"][1] = other["forest"]["trees"][0]
    path.write_text(json.dumps(content))
    with pytest.raises(ModelFileError, match="cannot be used"):
        load(path)


ROTTEN = [
    [], {}, "x", "", 0, -1, 2**63, 1e308, -0.5, True, None, {"mapping": []},
    {"split": "Axis", "parameters": {}}, {"split": "os.system", "parameters": {}}, [[0, 1], [1, 0]],
]  # fmt: skip


def load_or_message(path):
    try:
        return load(path), ""
    except ModelFileError as error:
        return None, str(error)


@pytest.mark.long
@pytest.mark.parametrize("forest", [ForestClassifier, ForestRegressor])
def test_rotten_parameters_give_one_clear_error_or_a_valid_model(forest, tmp_path):
    labels = [0, 1, 0, 1, 2, 2] * 5
    model = forest(n_estimators=2).fit(TABLE, labels)
    path, content = saved(model, tmp_path)
    refused = 0
    for name in [*content["parameters"], "unknown", "progress", "trees_"]:
        for value in ROTTEN:
            rotten = {**content, "parameters": {**content["parameters"], name: value}}
            path.write_text(json.dumps(rotten))
            loaded, message = load_or_message(path)
            if loaded is None:
                refused += 1
                assert "\n" not in message
                assert len(message.replace(str(path), "")) < 400
                continue
            loaded.predict(TABLE)
    assert refused > 8 * len(content["parameters"])


def test_a_tree_file_is_still_a_tree_file(tmp_path):
    path, content = saved(TreeClassifier().fit(TABLE, LABELS), tmp_path)
    assert "forest" not in content
    assert read_model(path).forest is None
    PUBLISHED.validate(content)
    both = {**content, "forest": {"seed": 1, "rows": 1, "draws": None, "trees": [content["tree"]]}}
    assert not PUBLISHED.is_valid(both)
    assert not PUBLISHED.is_valid({key: content[key] for key in content if key != "tree"})
