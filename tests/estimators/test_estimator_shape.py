"""How estimators are made: few own classes, every parameter explained, old words answered."""

from __future__ import annotations

import inspect
import json
import re

import pytest
from sklearn.base import clone

from treewright import (
    ForestClassifier,
    ForestRegressor,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    RuleSetClassifier,
    TreeClassifier,
    TreeRegressor,
    estimators,
    load,
)
from treewright.exceptions import ModelFileError
from treewright.prune import Honest

ESTIMATORS = [
    getattr(estimators, name)
    for name in estimators.__all__
    if inspect.isclass(getattr(estimators, name)) and hasattr(getattr(estimators, name), "fit")
]
VALUES = [
    *(getattr(estimators, name) for name in estimators.__all__ if name != "load"),
    Honest,
]


def own_classes(cls):
    return [one for one in cls.__mro__ if one.__module__.startswith("treewright")]


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_an_estimator_stands_on_three_own_classes_at_most(cls):
    assert len(ESTIMATORS) == 7
    assert len(own_classes(cls)) <= 4


def test_forests_begin_with_the_number_of_trees():
    for cls in (ForestClassifier, ForestRegressor):
        assert next(iter(inspect.signature(cls).parameters)) == "n_estimators"


@pytest.mark.parametrize("cls", dict.fromkeys(VALUES))
def test_every_parameter_has_an_entry_with_type_and_sentence(cls):
    text = inspect.getdoc(cls)
    sections = re.split(r"^(\w[\w ]*)\n-{3,}$", text, flags=re.MULTILINE)
    parts = dict(zip(sections[1::2], sections[2::2], strict=True))
    assert parts["See Also"].strip()
    assert ">>>" in parts["Examples"]
    entries = dict(
        re.findall(r"^(\w+) : \S.*\n((?:    .*\n?)+)", parts["Parameters"], re.MULTILINE)
    )
    parameters = inspect.signature(cls).parameters
    assert list(entries) == list(parameters)
    for name, sentence in entries.items():
        assert sentence.strip().endswith("."), name
        default = parameters[name].default
        if default is not inspect.Parameter.empty:
            head = re.search(rf"^{name} : (.*)$", parts["Parameters"], re.MULTILINE).group(1)
            assert "default " in head, name


OLD_WORDS = [
    (TreeClassifier, "measure", "criterion"),
    (TreeClassifier, "max_leaves", "max_leaf_nodes"),
    (TreeRegressor, "min_gain", "min_impurity_decrease"),
    (ForestClassifier, "measure", "criterion"),
    (ForestRegressor, "max_surrogates", "missing=Surrogates"),
    (TreeClassifier, "smoothing_m", "smoothing"),
    (TreeClassifier, "priors", "class_weight=Priors"),
    (TreeClassifier, "cost_in_split", "cost_matrix=Costs"),
    (TreeRegressor, "patience", "EarlyStopping"),
    (TreeRegressor, "validation_fraction", "EarlyStopping"),
    (TreeClassifier, "honest_fraction", "prune=treewright.prune.Honest"),
    (TreeClassifier, "merge_siblings", "merge_siblings"),
    (TreeClassifier, "zero_gain", "GrowthRules"),
    (ForestClassifier, "collapse", "GrowthRules"),
    (TreeRegressor, "gain", "plain decrease"),
    (OptimalTreeClassifier, "alpha", "pair_levels"),
    (OptimalTreeRegressor, "alpha", "pair_levels"),
    (OptimalTreeClassifier, "priors", "class_weight=Priors"),
]


@pytest.mark.parametrize(("cls", "old", "new"), OLD_WORDS)
def test_an_old_word_is_answered_with_the_new_one(cls, old, new, tmp_path):
    said = rf"^{cls.__name__} has no parameter '{old}' any more; use .*{new}"
    with pytest.raises(TypeError, match=said):
        cls(**{old: 1})
    with pytest.raises(ValueError, match=said):
        cls().set_params(**{old: 1})
    model = (
        cls(2).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
        if "Forest" in cls.__name__
        else (cls().fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]))
    )
    path = tmp_path / "model.json"
    model.save(path)
    content = json.loads(path.read_text())
    content["parameters"][old] = 1
    path.write_text(json.dumps(content))
    with pytest.raises(ModelFileError, match=rf"has no parameter '{old}' any more"):
        load(path)


def test_old_words_are_told_inside_of_a_rule_set_and_signatures_stay():
    with pytest.raises(ValueError, match="use criterion"):
        RuleSetClassifier(TreeClassifier()).set_params(tree__measure="gini")
    assert "criterion" in inspect.signature(TreeClassifier.__init__).parameters
    assert clone(TreeClassifier("must", max_depth=2)).get_params()["split"] == "must"
    with pytest.raises(TypeError, match="unexpected keyword argument 'depth'"):
        TreeClassifier(depth=3)


def test_a_forest_refuses_early_stopping():
    rules = estimators.GrowthRules(early_stopping=estimators.EarlyStopping())
    with pytest.raises(ValueError, match="must have no 'early_stopping'"):
        ForestClassifier(2, growth_rules=rules).fit([[1.0], [2.0]], [0, 1])
