"""Trees that are grown by what a teacher says of each row, and count what is true."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from treewright import TreeClassifier, TreeRegressor, _core, load
from treewright.estimators import Costs, EarlyStopping, GrowthRules
from treewright.exceptions import DataError
from treewright.prune import CostComplexity
from treewright.splits import split_names

STEP = 2.0**-16
SPLITS = ["axis", "best_subset", "best(axis, categorical)"]


def table(random: np.random.Generator, n_rows: int = 90) -> pd.DataFrame:
    """Return numbers with ties, levels, and some missing values."""
    frame = pd.DataFrame(
        {
            "size": random.integers(0, 9, n_rows).astype(float),
            "age": random.normal(size=n_rows).round(1),
            "dose": random.normal(size=n_rows),
            "home": random.choice(["rent", "own", "other"], n_rows),
        }
    )
    frame.loc[random.random(n_rows) < 0.1, "age"] = np.nan
    return frame


def proportions(random: np.random.Generator, n_rows: int, n_classes: int) -> np.ndarray:
    """Return rows of steps that add up to 1 exactly."""
    steps = random.dirichlet(np.full(n_classes, 0.7), n_rows) // STEP
    steps[:, 0] += 1 / STEP - steps.sum(axis=1)
    return steps * STEP


def stacked(
    frame: pd.DataFrame, shares: np.ndarray, weights: np.ndarray
) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Return every row once for each class, weighing as much as the row is of it."""
    n_classes = shares.shape[1]
    rows = frame.loc[frame.index.repeat(n_classes)].reset_index(drop=True)
    return rows, np.tile(np.arange(n_classes), len(frame)), (shares * weights[:, None]).ravel()


def splits_of(model: TreeClassifier | TreeRegressor) -> list[str]:
    return [str(node.predicate) for node in model.tree_.walk() if not node.is_leaf]


def truth_of(random: np.random.Generator, shares: np.ndarray) -> np.ndarray:
    """Return a class of every row, all of them there."""
    labels = np.array([random.choice(shares.shape[1], p=row / row.sum()) for row in shares])
    labels[: shares.shape[1]] = np.arange(shares.shape[1])
    return labels


@pytest.mark.parametrize("criterion", ["gini", "entropy", "hellinger", "twoing"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_row_of_several_classes_is_as_several_rows(criterion: str, n_classes: int) -> None:
    for seed in range(8):
        random = np.random.default_rng(seed)
        frame = table(random)
        shares = proportions(random, len(frame), n_classes)
        weights = random.integers(1, 4, len(frame)).astype(float)
        settings = {"criterion": criterion, "max_depth": 4, "min_weight_fraction_leaf": 0.05}
        soft = TreeClassifier(**settings).fit(frame, truth_of(random, shares), weights, shares)
        hard = TreeClassifier(**settings).fit(*stacked(frame, shares, weights))
        assert splits_of(soft) == splits_of(hard)
        assert np.allclose(soft.predict_proba(frame), hard.predict_proba(frame), atol=1e-12)


@pytest.mark.parametrize("alpha", [0.5, 2.0, 6.0])
def test_pruning_follows_the_teacher(alpha: float) -> None:
    random = np.random.default_rng(3)
    frame = table(random)
    shares = proportions(random, len(frame), 3)
    one = np.ones(len(frame))
    settings = {"prune": CostComplexity(alpha=alpha), "min_weight_fraction_leaf": 0.02}
    soft = TreeClassifier(**settings).fit(frame, truth_of(random, shares), soft_target=shares)
    hard = TreeClassifier(**settings).fit(*stacked(frame, shares, one))
    assert splits_of(soft) == splits_of(hard)
    assert soft.path_[0].risk == pytest.approx(hard.path_[0].risk)


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("prune", [None, "cost_complexity", CostComplexity(se=0, folds=5)])
def test_certain_teachers_change_nothing(split: str, prune: object) -> None:
    random = np.random.default_rng(1)
    frame = table(random, 150)
    labels = np.where(frame["dose"] + random.normal(size=150) > 0, "yes", "no")
    shares = np.column_stack([labels == "no", labels == "yes"]).astype(float)
    settings = {"split": split, "prune": prune, "random_state": 0, "max_depth": 5}
    plain = TreeClassifier(**settings).fit(frame, labels)
    soft = TreeClassifier(**settings).fit(frame, labels, soft_target=shares)
    assert splits_of(plain) == splits_of(soft)
    assert np.array_equal(plain.predict_proba(frame), soft.predict_proba(frame))
    assert np.array_equal(plain.tree_.core.statistics, soft.tree_.core.statistics)


def test_counts_are_true_and_predictions_are_the_teachers() -> None:
    random = np.random.default_rng(5)
    frame = table(random)
    shares = proportions(random, len(frame), 3)
    labels = truth_of(random, shares)
    model = TreeClassifier(max_leaf_nodes=5, prune="cost_complexity").fit(
        frame, labels, soft_target=shares
    )
    assert model.path_[0].leaves > 3
    values = model.schema_.encode(frame)
    for tree in (model.tree_, *[entry.tree for entry in model.path_]):
        leaves = tree.core.apply(_core.Table(values, model.schema_.n_levels))
        for leaf in np.unique(leaves):
            inside = leaves == leaf
            counted = tree.core.statistics[leaf]
            assert counted.tolist() == np.bincount(labels[inside], minlength=3).tolist()
            said = tree.core.probabilities[leaf]
            assert np.allclose(said, shares[inside].mean(axis=0))
            assert tree.core.value[leaf] == said.argmax()


def test_rows_in_another_order_give_the_same_tree() -> None:
    random = np.random.default_rng(7)
    frame = table(random, 200)
    shares = random.dirichlet(np.ones(3), 200)
    labels = truth_of(random, shares)
    weights = random.random(200) + 0.1
    order = random.permutation(200)
    first = TreeClassifier(max_depth=5).fit(frame, labels, weights, shares)
    second = TreeClassifier(max_depth=5).fit(
        frame.iloc[order], labels[order], weights[order], shares[order]
    )
    assert first.tree_.core.state().keys() == second.tree_.core.state().keys()
    assert str(first.tree_) == str(second.tree_)
    assert np.array_equal(first.predict_proba(frame), second.predict_proba(frame))


def test_class_weights_count_each_share() -> None:
    random = np.random.default_rng(2)
    frame = table(random)
    shares = proportions(random, len(frame), 2)
    labels = truth_of(random, shares)
    soft = TreeClassifier(max_depth=3, class_weight={0: 1.0, 1: 4.0}).fit(
        frame, labels, soft_target=shares
    )
    rows, codes, weights = stacked(frame, shares, np.ones(len(frame)))
    hard = TreeClassifier(max_depth=3, class_weight={0: 1.0, 1: 4.0}).fit(rows, codes, weights)
    assert splits_of(soft) == splits_of(hard)
    assert np.allclose(soft.predict_proba(frame), hard.predict_proba(frame), atol=1e-4)


def test_a_frame_names_the_classes() -> None:
    random = np.random.default_rng(2)
    frame = table(random)
    shares = proportions(random, len(frame), 2)
    labels = np.array(["ill", "well"])[truth_of(random, shares)]
    named = pd.DataFrame({"well": shares[:, 1], "ill": shares[:, 0]})
    by_name = TreeClassifier(max_depth=3).fit(frame, labels, soft_target=named)
    by_place = TreeClassifier(max_depth=3).fit(frame, labels, soft_target=shares)
    assert str(by_name.tree_) == str(by_place.tree_)


def test_a_frame_may_name_classes_that_are_numbers_by_text() -> None:
    random = np.random.default_rng(2)
    frame = table(random)
    shares = proportions(random, len(frame), 2)
    labels = truth_of(random, shares)
    named = pd.DataFrame({"1": shares[:, 1], "0": shares[:, 0]})
    by_name = TreeClassifier(max_depth=3).fit(frame, labels, soft_target=named)
    by_place = TreeClassifier(max_depth=3).fit(frame, labels, soft_target=shares)
    assert str(by_name.tree_) == str(by_place.tree_)


def test_rows_that_weigh_nothing_are_as_if_absent() -> None:
    random = np.random.default_rng(4)
    frame = table(random)
    shares = proportions(random, len(frame), 2)
    labels = truth_of(random, shares)
    weights = np.ones(len(frame))
    weights[5::7] = 0.0
    kept = weights > 0
    some = TreeClassifier(max_depth=4).fit(frame, labels, weights, shares)
    few = TreeClassifier(max_depth=4).fit(frame[kept], labels[kept], soft_target=shares[kept])
    assert str(some.tree_) == str(few.tree_)


def test_numbers_of_a_teacher() -> None:
    random = np.random.default_rng(6)
    frame = table(random)
    truth = frame["dose"].to_numpy() + random.normal(size=len(frame))
    taught = frame["dose"].to_numpy() * 0.8
    for split in ("axis", "must", "best_subset"):
        soft = TreeRegressor(split=split, max_depth=3).fit(frame, truth, soft_target=taught)
        plain = TreeRegressor(split=split, max_depth=3).fit(frame, taught)
        assert splits_of(soft) == splits_of(plain)
        assert np.array_equal(soft.predict(frame), plain.predict(frame))
        leaves = soft.apply(frame)
        for leaf in np.unique(leaves):
            weight, mean, _ = soft.tree_.core.statistics[leaf]
            assert weight == (leaves == leaf).sum()
            assert mean == pytest.approx(truth[leaves == leaf].mean())


def test_models_are_saved_with_what_they_predict(tmp_path) -> None:
    random = np.random.default_rng(8)
    frame = table(random)
    shares = proportions(random, len(frame), 2)
    model = TreeClassifier(max_depth=3).fit(frame, truth_of(random, shares), soft_target=shares)
    model.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert np.array_equal(again.predict_proba(frame), model.predict_proba(frame))
    assert np.array_equal(again.tree_.core.statistics, model.tree_.core.statistics)


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        (np.full((3, 2), 0.5), "shape"),
        (np.full((4, 3), 1 / 3), "shape"),
        ([[0.5, 0.5], [0.4, 0.4], [1, 0], [1, 0]], "Row 1 of 'soft_target'"),
        ([[0.5, 0.5], [1.5, -0.5], [1, 0], [1, 0]], "Row 1 of 'soft_target'"),
        ([[0.5, 0.5], [1, 0], [1, 0], [np.nan, 0]], "Row 3 of 'soft_target'"),
        (pd.DataFrame({"a": [1.0] * 4, "<b>": [0.0] * 4}), "columns of 'soft_target'"),
        ("soft", "matrix of proportions"),
    ],
)
def test_what_is_no_proportion_is_refused(shares, words: str) -> None:
    model = TreeClassifier()
    with pytest.raises(DataError, match=words):
        model.fit([[1], [2], [3], [4]], list("abab"), soft_target=shares)
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize(
    "settings",
    [
        *({"split": name} for name in ("must", "oc1", "hhcart", "logistic", "pairs", "f_test")),
        {"missing": "fraction"},
        {"prune": "reduced_error"},
        {"growth_rules": GrowthRules(early_stopping=EarlyStopping())},
        {"monotonic_cst": [1]},
        {"smoothing": "laplace"},
        {"cost_matrix": [[0, 1], [2, 0]]},
    ],
    ids=str,
)
def test_what_knows_no_proportions_is_refused_by_name(settings: dict) -> None:
    (parameter,) = settings
    shares = [[0.5, 0.5], [0.4, 0.6], [1, 0], [0.2, 0.8]]
    with pytest.raises(ValueError, match=parameter):
        TreeClassifier(**settings).fit([[1], [2], [3], [4]], list("abab"), soft_target=shares)


def test_costs_choose_predictions() -> None:
    costs = Costs([[0, 1], [9, 0]], in_split="none")
    shares = [[0.8, 0.2]] * 4
    model = TreeClassifier(cost_matrix=costs).fit([[1], [1], [1], [1]], list("aaab"), None, shares)
    assert model.predict([[1]]).tolist() == ["b"]
    assert model.predict_proba([[1]]).tolist() == [pytest.approx([0.8, 0.2], abs=STEP)]


def test_numbers_that_are_none_are_refused() -> None:
    with pytest.raises(DataError, match="Row 1 of 'soft_target'"):
        TreeRegressor().fit([[1], [2]], [1.0, 2.0], soft_target=[1.0, np.inf])
    with pytest.raises(DataError, match="one number for each"):
        TreeRegressor().fit([[1], [2]], [1.0, 2.0], soft_target=[[1.0], [2.0]])


def test_every_method_says_whether_it_knows_proportions() -> None:
    random = np.random.default_rng(9)
    frame = table(random)[["size", "age", "dose"]]
    shares = proportions(random, len(frame), 2)
    labels = truth_of(random, shares)
    able = {"axis", "categorical", "best_subset"}
    for name in sorted({*split_names()} - {"best", "climb"}):  # those are made of others
        model = TreeClassifier(split=name, max_depth=2)
        if name in able:
            assert model.fit(frame, labels, soft_target=shares).tree_.n_nodes >= 1
            continue
        with pytest.raises(ValueError, match="soft_target"):
            model.fit(frame, labels, soft_target=shares)
