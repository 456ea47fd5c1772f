"""Parameters of estimators in the model file: they come back as they were; nothing is trusted."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import MUST, Axis, Best, Categorical, TreeClassifier, TreeRegressor, load
from treewright.estimators import Costs, EarlyStopping, GrowthRules, Priors, Surrogates
from treewright.estimators.parameter_json import parameters_from_json, parameters_to_json
from treewright.exceptions import ModelFileError
from treewright.prune import CostComplexity, Honest
from treewright.splits import Climb

TABLE = {"x": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "level": list("aabbcc")}
LABELS = {
    "text": ["u", "v", "u", "v", "w", "w"],
    "int": [0, 1, 0, 1, 2, 2],
    "bool": [True, False] * 3,
}


def saved(model, tmp_path):
    path = tmp_path / "model.json"
    model.save(path)
    return path, json.loads(path.read_text())


@pytest.mark.parametrize(
    "parameters",
    [
        {"class_weight": Priors({"u": 0.2, "v": 0.3, "w": 0.5})},
        {"class_weight": {"u": 2, "w": 0.5}},
        {"class_weight": Priors(np.array([1, 2, 3])), "max_depth": np.int64(3)},
        {
            "class_weight": Priors(pd.Series([0.2, 0.3, 0.5])),
            "readable": np.False_,
            "min_impurity_decrease": np.float32(0),
        },
        {"cost_matrix": {a: {b: 2.5 for b in "uvw" if b != a} for a in "uvw"}},
        {"cost_matrix": Costs(1 - np.eye(3), in_split="gini")},
        {"missing": Surrogates(2, stop=True), "prune": Honest(0.3, CostComplexity(folds=2))},
        {"growth_rules": GrowthRules(early_stopping=EarlyStopping(0.5), collapse=True)},
        {"split": Best(Axis("c45"), Best(Categorical("multiway"), "axis")), "gain": "ratio"},
        {"split": Climb(Best(Axis(), MUST(2)), n_jumps=2)},
        {"random_state": np.random.RandomState(3), "max_features": "sqrt"},
        {"progress": print, "smoothing": 3, "missing": "fraction"},
    ],
)
def test_parameters_come_back(parameters, tmp_path):
    model = TreeClassifier(**parameters).fit(TABLE, LABELS["text"])
    path, _ = saved(model, tmp_path)
    loaded = load(path)
    for name, value in model.get_params(deep=False).items():
        found = getattr(loaded, name)
        if name in ("progress", "random_state"):
            assert found is None
        elif hasattr(value, "__array__"):
            np.testing.assert_array_equal(found, value)
        else:
            assert found == value
    np.testing.assert_array_equal(loaded.predict_proba(TABLE), model.predict_proba(TABLE))
    loaded.set_params(random_state=0).fit(TABLE, LABELS["text"])
    again, _ = saved(loaded, tmp_path)
    assert load(again).tree_ == loaded.tree_


@pytest.mark.parametrize("kind", LABELS)
def test_labels_of_any_type_are_keys(kind, tmp_path):
    labels = LABELS[kind]
    weights = {label: 1.0 + index for index, label in enumerate(dict.fromkeys(labels))}
    path, _ = saved(TreeClassifier(class_weight=weights).fit(TABLE, labels), tmp_path)
    loaded = load(path)
    assert loaded.class_weight == weights
    assert [type(label) for label in loaded.class_weight] == [type(label) for label in weights]
    assert loaded.classes_.dtype.kind == np.array(labels).dtype.kind


def test_an_object_that_json_cannot_hold_is_refused(tmp_path):
    model = TreeClassifier().fit(TABLE, LABELS["int"])
    model.set_params(class_weight=object())
    with pytest.raises(ModelFileError, match="'class_weight' cannot be written"):
        model.save(tmp_path / "model.json")
    assert not (tmp_path / "model.json").exists()


ROTTEN = [
    [], [[]], [[[]]], {}, {"a": 1}, "x", "", 0, -1, 2**63, 1e308, -0.5, True, False, None,
    {"mapping": []}, {"mapping": [[[], 1]]}, {"mapping": [[{}, 1]]}, {"mapping": [1, 2]},
    {"mapping": [["u", 1], ["u", 2]]}, {"mapping": [["u", 1, 2]]}, {"mapping": "uv"},
    {"mapping": [["u", {"mapping": [["v", []]]}]]}, {"mapping": [], "more": 1},
    {"split": "Axis"}, {"split": "Axis", "parameters": []},
    {"split": "Axis", "parameters": {"rules": 3}},
    {"split": "Axis", "parameters": {"depth": 3}}, {"split": "os.system", "parameters": {}},
    {"split": "Axis", "parameters": {"rules": {"split": "Axis", "parameters": {}}}},
    {"split": "Best", "methods": []}, {"split": "Best", "methods": [3]}, {"split": "Best"},
    {"split": "Best", "methods": {"a": 1}}, {"split": "Python"}, {"split": "Python", "name": 3},
    {"split": "Climb", "parameters": {}}, {"split": "Climb", "parameters": {"method": 3}},
    {"split": "Climb", "parameters": {"method": {"split": "Axis", "parameters": {}}}},
    {"split": "BaseEstimator", "parameters": {}}, {"split": None}, {"split": ["Axis"]},
    [[0, 1, 1], [1, 0, 1], [1, 1, "x"]], [[0, 1], [1, 0]], [1, [2], 3], ["a", "b", "c"],
]  # fmt: skip


def load_or_message(path):
    try:
        return load(path), ""
    except ModelFileError as error:
        return None, str(error)


@pytest.mark.long
@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_rotten_parameters_give_one_clear_error_or_a_valid_model(kind, tmp_path):
    model = kind().fit(TABLE, LABELS["int"])
    path, content = saved(model, tmp_path)
    refused = 0
    for name in [*content["parameters"], "unknown", "progress", "tree_", "__class__"]:
        for value in ROTTEN:
            rotten = {**content, "parameters": {**content["parameters"], name: value}}
            path.write_text(json.dumps(rotten))
            loaded, message = load_or_message(path)
            if loaded is None:
                refused += 1
                assert "\n" not in message
                assert len(message) < 500
                continue
            # Whatever is let in is a parameter that fit accepts too.
            np.testing.assert_array_equal(loaded.predict(TABLE), model.predict(TABLE))
            if not isinstance(loaded.split, str) and "Absent" in repr(loaded.split):
                continue
            loaded.fit(TABLE, LABELS["int"])
    assert refused > 20 * len(content["parameters"])


def test_deeply_nested_parameters_are_refused(tmp_path):
    path, content = saved(TreeClassifier().fit(TABLE, LABELS["int"]), tmp_path)
    for depth in (60, 100, 5000):
        split = '{"split": "Axis", "parameters": {}}'
        for _ in range(depth):
            split = '{"split": "Best", "methods": [' + split + "]}"
        content["parameters"]["split"] = "here"
        path.write_text(json.dumps(content).replace('"here"', split))
        with pytest.raises(ModelFileError, match="deep"):
            load(path)


def test_estimator_and_tree_must_fit(tmp_path):
    path, content = saved(TreeClassifier().fit(TABLE, LABELS["int"]), tmp_path)
    for name, words in {
        "TreeRegressor": "its tree does not fit TreeRegressor",
        "Forest": "an estimator 'Forest', which this version does not know",
        "": "an estimator ''",
    }.items():
        path.write_text(json.dumps({**content, "estimator": name}))
        with pytest.raises(ModelFileError, match=words):
            load(path)


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**40), 2**40)
    | st.floats(allow_nan=False)
    | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.integers() | st.booleans(), inner)
    ),
    max_leaves=8,
)


@pytest.mark.long
@given(st.dictionaries(st.text(), plain))
def test_plain_parameters_survive(parameters):
    parameters.pop("progress", None)
    assert (
        parameters_from_json(json.loads(json.dumps(parameters_to_json(parameters)))) == parameters
    )
