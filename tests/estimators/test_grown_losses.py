"""Trees that are grown by what actions cost each row."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

from treewright import OptimalTreeClassifier, TreeClassifier, load
from treewright.exceptions import DataError
from treewright.prune import CostComplexity, Honest

AGES = {"age": [20.0, 25.0, 30.0, 60.0, 65.0, 70.0]}
LOSSES = {"call": [1, 2, 1, 5, 6, 4], "letter": [4, 3, 3, 2, 1, 2]}


def drawn(seed):
    random = np.random.default_rng(seed)
    n_rows, n_actions = int(random.integers(4, 60)), int(random.integers(2, 6))
    X = random.integers(0, int(random.integers(2, 9)), size=(n_rows, int(random.integers(1, 4))))
    losses = random.normal(scale=10.0, size=(n_rows, n_actions))
    if seed % 2:
        losses = losses.round(int(random.integers(0, 3)))
    if seed % 5 == 0:
        losses[random.random(n_rows) < 0.3] = 1.0
    weights = random.choice([0.5, 1.0, 3.0], size=n_rows) if seed % 3 == 0 else np.ones(n_rows)
    return X.astype(float), losses, weights


def loss_of_groups(groups, losses):
    return sum(losses[group].sum(axis=0).min() for group in groups)


def check_stump(seed):
    """The best of all cuts, by summing up what either side loses."""
    X, losses, weights = drawn(seed)
    weighted = weights[:, None] * losses
    model = TreeClassifier(max_depth=1, criterion="misclassification")
    model.fit(X, losses=losses, sample_weight=weights)
    at_stake = (losses != losses[:, :1]).any(axis=1)
    cuts = [X[:, j] <= value for j in range(X.shape[1]) for value in np.unique(X[at_stake, j])[:-1]]
    alone = loss_of_groups([np.full(len(X), True)], weighted)
    best = min((loss_of_groups([cut, ~cut], weighted) for cut in cuts), default=alone)
    said = model.predict(X)
    lost = weighted[np.arange(len(X)), said].sum()
    scale = np.abs(weighted).sum()
    # Proportions are rounded to 2**-16, and rows that lose the same by all see no cut.
    assert min(best, alone) - 1e-9 * scale <= lost <= min(best, alone) + 1e-3 * scale
    assert model.action_losses_.mean_loss == pytest.approx(lost / weights.sum(), abs=1e-9)


def check_decisions(seed):
    """Every node decides for what its rows lose least by, and nothing is invented."""
    X, losses, weights = drawn(seed)
    weighted = weights[:, None] * losses
    model = TreeClassifier(max_depth=3).fit(X, losses=losses, sample_weight=weights)
    for rows, node in zip(rows_of_nodes(model.tree_, X), nodes_of(model.tree_), strict=True):
        sums = weighted[rows].sum(axis=0)
        decision = int(node.value)
        assert sums[decision] <= sums.min() + 1e-9 * np.abs(weighted).sum()
        assert node.rows == rows.sum()


def rows_of_nodes(tree, X):
    found = [np.zeros(len(X), dtype=bool) for _ in range(tree.n_nodes)]
    for row, leaf in enumerate(tree.apply(X).tolist()):
        while leaf >= 0:
            found[leaf][row] = True
            leaf = int(tree.core.parent[leaf])
    return found


def nodes_of(tree):
    return [tree.node(number) for number in range(tree.n_nodes)]


@pytest.mark.parametrize("seed", range(40))
def test_a_stump_loses_as_little_as_the_best_cut(seed):
    check_stump(seed)


@pytest.mark.parametrize("seed", range(40))
def test_nodes_decide_for_the_action_that_loses_least(seed):
    check_decisions(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40, 1040))
def test_many_tables(seed):
    check_stump(seed)
    check_decisions(seed)


@pytest.mark.parametrize(
    ("losses", "labels"),
    [
        (LOSSES, ["call", "letter"]),
        (pd.DataFrame(LOSSES), ["call", "letter"]),
        (pl.DataFrame(LOSSES)[["letter", "call"]], ["letter", "call"]),
        (np.column_stack([*LOSSES.values()]), [0, 1]),
    ],
)
def test_columns_name_the_actions(losses, labels):
    model = TreeClassifier(max_depth=1).fit(AGES, losses=losses)
    assert model.classes_.tolist() == labels
    young, old = ("call", "letter") if isinstance(labels[0], str) else (0, 1)
    assert model.predict(AGES).tolist() == [young] * 3 + [old] * 3
    assert model.tree_.node(0).predicate.threshold == 40.0


def test_two_actions_are_classes_weighted_by_what_is_at_stake():
    X, _, _ = drawn(7)
    losses = np.random.default_rng(7).integers(0, 9, size=(len(X), 2)).astype(float)
    apart = losses[:, 1] - losses[:, 0]
    model = TreeClassifier(max_depth=3).fit(X, losses=losses)
    twin = TreeClassifier(max_depth=3)
    twin.fit(X[apart != 0], (apart < 0)[apart != 0], sample_weight=np.abs(apart[apart != 0]))
    assert [one.predicate for one in nodes_of(model.tree_)] == [
        one.predicate for one in nodes_of(twin.tree_)
    ]


def test_a_search_never_loses_more_than_growth_of_the_same_depth():
    for seed in range(10):
        X, losses, weights = drawn(seed)
        grown = TreeClassifier(max_depth=2).fit(X, losses=losses, sample_weight=weights)
        best = OptimalTreeClassifier(2).fit(X, losses=losses, sample_weight=weights)
        assert best.action_losses_.mean_loss <= grown.action_losses_.mean_loss + 1e-9


def test_rewards_constants_and_scales_do_not_matter():
    X, losses, _ = drawn(3)
    plain = TreeClassifier(max_depth=3).fit(X, losses=losses).tree_
    moved = TreeClassifier(max_depth=3).fit(X, losses=8.0 * losses - 64.0).tree_
    assert moved == plain


def test_the_order_of_rows_does_not_matter_and_weights_are_repeated_rows():
    X, losses, _ = drawn(11)
    plain = TreeClassifier(max_depth=3).fit(X, losses=losses).tree_
    order = np.random.default_rng(0).permutation(len(X))
    assert TreeClassifier(max_depth=3).fit(X[order], losses=losses[order]).tree_ == plain
    weights = np.random.default_rng(1).integers(0, 4, len(X))
    weighted = TreeClassifier(max_depth=3).fit(X, losses=losses, sample_weight=weights)
    repeated = np.repeat(np.arange(len(X)), weights)
    again = TreeClassifier(max_depth=3).fit(X[repeated], losses=losses[repeated])
    assert weighted.rules()[0].split("(")[0] == again.rules()[0].split("(")[0]
    np.testing.assert_array_equal(weighted.predict(X), again.predict(X))


def test_where_nothing_is_at_stake_the_tree_is_one_leaf():
    model = TreeClassifier().fit(AGES, losses=np.ones((6, 3)))
    assert model.tree_.n_leaves == 1
    assert model.action_losses_.mean_loss == 1.0


def test_the_path_weighs_leaves_by_what_they_lose_and_pruning_goes_along():
    random = np.random.default_rng(2)
    X = random.normal(size=(300, 2))
    losses = np.column_stack([X[:, 0], np.zeros(300), -X[:, 1]]) + random.normal(size=(300, 3))
    regret = losses.sum(axis=0).min() - losses.min(axis=1).sum()
    whole = TreeClassifier(min_samples_leaf=5).fit(X, losses=losses)
    assert whole.path_[-1].risk == pytest.approx(regret)
    lost = losses[np.arange(300), whole.predict(X)].sum() - losses.min(axis=1).sum()
    assert whole.path_[0].risk == pytest.approx(lost)
    assert whole.at(leaves=3).n_leaves <= 3
    pruned = TreeClassifier(min_samples_leaf=5, prune="cost_complexity").fit(X, losses=losses)
    assert 1 < pruned.tree_.n_leaves < whole.tree_.n_leaves
    assert str(pruned.action_losses_) in pruned.summary()


def test_a_policy_is_saved_and_pickled_and_forgotten_by_the_next_fit(tmp_path):
    model = TreeClassifier(max_depth=1).fit(AGES, losses=LOSSES)
    model.save(tmp_path / "policy.json")
    assert load(tmp_path / "policy.json").tree_ == model.tree_
    assert str(pickle.loads(pickle.dumps(model)).action_losses_) == str(model.action_losses_)
    assert not hasattr(model.fit(AGES, [0, 0, 0, 1, 1, 1]), "action_losses_")


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"cost_matrix": [[0, 1], [2, 0]]}, "cost_matrix"),
        ({"class_weight": "balanced"}, "class_weight"),
        ({"abstain_cost": 0.1}, "abstain_cost"),
        ({"smoothing": "laplace"}, "smoothing"),
        ({"min_weight_fraction_leaf": 0.1}, "min_weight_fraction_leaf"),
        ({"split": "must"}, "split"),
        ({"missing": "fraction"}, "missing"),
        ({"monotonic_cst": {"age": 1}}, "monotonic_cst"),
        ({"prune": Honest(0.5)}, "prune"),
    ],
)
def test_what_does_not_go_with_losses_is_refused_by_name(parameters, words):
    with pytest.raises(ValueError, match=f"'{words}' parameter .* beside 'losses'"):
        TreeClassifier(**parameters).fit(AGES, losses=LOSSES)


def test_bad_losses_get_one_sentence():
    with pytest.raises(ValueError, match="either 'y' or 'losses'"):
        TreeClassifier().fit(AGES, [0, 0, 0, 1, 1, 1], losses=LOSSES)
    with pytest.raises(ValueError, match="either 'y' or 'losses'"):
        TreeClassifier().fit(AGES, soft_target=[[0.5, 0.5]] * 6, losses=LOSSES)
    with pytest.raises(DataError, match="finite"):
        TreeClassifier().fit(AGES, losses={"a": [1, 2, 3, 4, 5, float("inf")], "b": [0] * 6})
    with pytest.raises(DataError, match="two actions"):
        TreeClassifier().fit(AGES, losses={"a": [1, 2, 3, 4, 5, 6]})


def test_pruning_by_folds_may_be_given_as_an_object():
    X, losses, _ = drawn(8)
    model = TreeClassifier(prune=CostComplexity(folds=3)).fit(X, losses=losses)
    assert model.tree_.n_leaves >= 1
