"""What pruners, paths and edits say to arguments they cannot use."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, PredefinedSplit

from treewright import TreeClassifier, load
from treewright.exceptions import DataError, ModelFileError
from treewright.prune import (
    CostComplexity,
    Pruner,
    ReducedError,
    cost_complexity_path,
    critical_value,
)

X, Y = load_iris(return_X_y=True)
SOME = slice(0, 150, 5)


def fitted(**parameters):
    return TreeClassifier(**parameters).fit(X[SOME], Y[SOME])


@pytest.mark.parametrize(
    ("folds", "words"),
    [
        (GroupKFold(3), "'groups' parameter should not be None.*give the fold of each row"),
        (PredefinedSplit([0] * 30), "two folds at least"),
        (PredefinedSplit([0, 1] * 20), "hold out row 38, and there are only 30"),
        (list(KFold(4).split(X[SOME])), "must be an int >= 2, one fold a row, or a splitter"),
    ],
)
def test_folds_that_cannot_be_used_are_refused(folds, words):
    with pytest.raises(ValueError, match=words):
        fitted(prune=CostComplexity(folds=folds))


def test_a_splitter_that_counts_its_folds_by_the_rows(tmp_path):
    model = fitted(prune=CostComplexity(folds=LeaveOneOut()))
    one_a_row = fitted(prune=CostComplexity(folds=np.arange(30)))
    assert str(model.path_) == str(one_a_row.path_)
    assert model.prune.n_growths(30) == 31
    model.save(tmp_path / "model.json")
    assert load(tmp_path / "model.json").prune == CostComplexity()


def test_no_more_growths_are_counted_than_rows_allow():
    assert CostComplexity(folds=100).n_growths(30) == 31
    assert CostComplexity(alpha=1.0).n_growths(30) == 1


def test_pruners_are_equal_by_their_parameters_also_with_given_folds():
    folds = np.arange(30) % 3
    assert CostComplexity(folds=folds) == CostComplexity(folds=folds.copy())
    assert CostComplexity(folds=folds) != CostComplexity(folds=folds[::-1])
    assert CostComplexity(folds=folds) != CostComplexity()
    assert CostComplexity(se=1) != CostComplexity(se=0)
    assert CostComplexity() != ReducedError()


def test_parameters_from_a_search_over_numpy_numbers_are_saved(tmp_path):
    model = fitted(
        prune=CostComplexity(se=np.float64(0.5)), min_impurity_decrease=np.linspace(0, 0.1, 3)[1]
    )
    model.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert (loaded.prune.se, loaded.min_impurity_decrease) == (0.5, 0.05)


class ToTheRoot(Pruner):
    """A pruner from elsewhere."""

    def prune(self, growth):
        return growth.grow(None).collapse([0]), None


def test_a_pruner_from_elsewhere_is_not_written_where_it_could_not_be_read(tmp_path):
    model = fitted(prune=ToTheRoot())
    assert model.tree_.n_leaves == 1
    with pytest.raises(ModelFileError, match=r"ToTheRoot .*set_params\(prune=None\)"):
        model.save(tmp_path / "model.json")
    model.set_params(prune=None).save(tmp_path / "model.json")
    assert load(tmp_path / "model.json").tree_ == model.tree_


@pytest.mark.parametrize("leaves", [0, 2.5, math.nan, "2", True])
def test_a_number_of_leaves_is_a_whole_number(leaves):
    with pytest.raises(ValueError, match="'leaves' must be an int >= 1"):
        fitted().at(leaves=leaves)


@pytest.mark.parametrize("alpha", [-1.0, math.nan, "x", [1.0]])
def test_an_alpha_is_a_number(alpha):
    with pytest.raises(ValueError, match="'alpha' must be a number >= 0"):
        fitted().at(alpha=alpha)


@pytest.mark.parametrize("node", [-1, 1.5, "a", None, True, 10**20])
def test_ids_of_nodes_are_whole_numbers(node):
    tree = fitted().tree_
    for use in (tree.node, tree.prune_at, lambda at: tree.with_label(at, "name")):
        with pytest.raises(IndexError, match="The id of a node must be an int in"):
            use(node)


def test_a_threshold_beyond_all_doubles_is_refused():
    with pytest.raises(ValueError, match="must be a finite number"):
        fitted().tree_.with_threshold(0, 10**400)


def test_risks_and_limits_of_paths_are_checked():
    tree = fitted().tree_
    with pytest.raises(ValueError, match="'cp' parameter of CostComplexity must be a finite"):
        cost_complexity_path(tree, cp=math.nan)
    with pytest.raises(ValueError, match="'risk' of every node must be a finite number"):
        cost_complexity_path(tree, risk=np.full(tree.n_nodes, math.nan))
    with pytest.raises(ValueError, match="'value' parameter of CriticalValue must be a finite"):
        critical_value(tree, math.nan)


def test_weights_of_held_out_rows_are_numbers():
    with pytest.raises(DataError, match="Weights must be numbers"):
        fitted().tree_.refit_leaves(X, Y, ["heavy"] * 150)
