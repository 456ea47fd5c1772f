"""Depth and size of optimal trees by cross-validation: the same as a loop written by hand."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

from treewright import OptimalTreeClassifier, OptimalTreeRegressor, load
from treewright.estimators import Constraints, Tuning
from treewright.exceptions import DataError, ModelFileError, NotProvenWarning
from treewright.optimal.tuning import candidates_of


def table(n_rows=60, seed=0):
    """Three columns, classes and numbers that depend on two of them, and weights."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(random.normal(size=(n_rows, 3)).round(2), columns=["a", "b", "c"])
    number = X["a"] + (X["b"] > 0.3) + random.normal(scale=0.4, size=n_rows)
    weights = random.uniform(0.5, 2.0, size=n_rows).round(2)
    return X, np.where(number > 0.5, "yes", "no"), number.to_numpy(), weights


X, LABELS, NUMBERS, WEIGHTS = table()
BOTH = [(OptimalTreeClassifier, LABELS), (OptimalTreeRegressor, NUMBERS)]


def outer_loop(model, y, splitter, sizes):
    """Judge depths and sizes by searches that see no row of their fold; losses of all rows."""
    losses = {(size.max_depth, size.leaves): np.zeros(len(y)) for size in sizes}
    for learned, held_out in splitter.split(X, y):
        for depth in {size.max_depth for size in sizes}:
            one = clone(model).set_params(max_depth=depth, tune=None, front=True)
            one.fit(X.iloc[learned], y[learned], WEIGHTS[learned])
            for size in sizes:
                if size.max_depth == depth:
                    said = one.with_tree(one.at(leaves=size.leaves)).predict(X.iloc[held_out])
                    wrong = (
                        said != y[held_out]
                        if y.dtype.kind == "U"
                        else np.square(said - y[held_out])
                    )
                    losses[depth, size.leaves][held_out] = wrong
    return losses


@pytest.mark.parametrize(("estimator", "y"), BOTH)
@pytest.mark.parametrize("se", [0.0, 1.0])
def test_tuning_is_the_loop_that_a_user_would_write(estimator, y, se):
    splitter = KFold(4, shuffle=True, random_state=1)
    model = estimator(2, tune=Tuning(se=se, folds=splitter)).fit(X, y, WEIGHTS)
    tuned, total = model.tuning_, WEIGHTS.sum()
    losses = outer_loop(model, y, splitter, tuned.sizes)
    risks, errors = [], []
    for size in tuned.sizes:
        loss = losses[size.max_depth, size.leaves]
        risk = WEIGHTS @ loss
        error = np.sqrt(WEIGHTS @ loss**2 - risk**2 / total)
        assert size.cv_error == pytest.approx(risk / total)
        assert size.cv_standard_error == pytest.approx(error / total)
        risks.append(risk)
        errors.append(error)
    best = int(np.argmin(risks))
    allowed = [k for k, risk in enumerate(risks) if risk <= risks[best] + se * errors[best] + 1e-9]
    order = [(size.leaves, size.max_depth) for size in tuned.sizes]
    assert order == sorted(order, reverse=True)
    assert tuned.chosen == allowed[-1]
    assert (tuned.n_folds, tuned.se, tuned.is_complete) == (4, se, True)
    assert model.tree_.n_leaves == tuned.best.leaves
    assert model.tree_.depth <= tuned.best.max_depth
    same = estimator(**tuned.parameters).fit(X, y, WEIGHTS)
    assert same.certificate_.objective == pytest.approx(model.certificate_.objective)
    assert same.certificate_.lower_bound == pytest.approx(model.certificate_.lower_bound)
    assert same.certificate_.status == model.certificate_.status
    assert model.certificate_.tests == same.certificate_.tests
    assert model.certificate_.objective == pytest.approx(tuned.best.training_error * total)


def test_noise_is_not_learned_from_the_rows_of_a_fold():
    """Trees of noise fit their own rows; if a fold saw its own rows it would fit them, too."""
    random = np.random.default_rng(5)
    noise, y = random.normal(size=(60, 5)), np.tile([0, 1], 30)
    model = OptimalTreeClassifier(3, tune=Tuning(se=0.0, folds=5)).fit(noise, y)
    largest = model.tuning_.sizes[0]
    assert largest.training_error < 0.15
    assert largest.cv_error > 0.35


def test_rows_of_an_outer_fold_change_nothing():
    """What is held out by an outer cross-validation cannot reach the inner one."""
    model = OptimalTreeClassifier(2, tune="cv")
    learned = np.arange(len(X)) % 3 > 0
    alone = clone(model).fit(X[learned], LABELS[learned])
    scores = cross_val_score(model, X, LABELS, cv=[(np.flatnonzero(learned), [0, 3])])
    assert scores[0] == alone.score(X.iloc[[0, 3]], LABELS[[0, 3]])


@pytest.mark.parametrize(("estimator", "y"), BOTH)
@pytest.mark.long
def test_tuning_is_the_same_for_any_number_of_threads(estimator, y):
    model = estimator(2, tune=Tuning(folds=4)).fit(X, y)
    both = clone(model).set_params(n_jobs=2).fit(X, y)
    assert both.tree_ == model.tree_
    assert both.tuning_ == model.tuning_


def test_the_seed_deals_the_rows_to_folds():
    first, again, *others = (
        OptimalTreeClassifier(1, tune=Tuning(folds=3), random_state=seed).fit(X, LABELS).tuning_
        for seed in (3, 3, 0, 1, 2)
    )
    assert first == again
    assert any(other != first for other in others)


def test_a_deeper_tree_of_the_same_size_must_cost_less():
    model = OptimalTreeClassifier(3, tune=Tuning(folds=3)).fit(X, LABELS)
    fronts = [OptimalTreeClassifier(d, front=True).fit(X, LABELS).front_ for d in (1, 2, 3)]
    listed = [(d + 1, fronts[d][place].leaves) for d, place in candidates_of(fronts)]
    assert [(size.max_depth, size.leaves) for size in model.tuning_.sizes] == listed
    for depth, leaves in listed:
        risk = fronts[depth - 1].at(leaves=leaves).risk
        for lower in range(depth - 1):
            assert fronts[lower].at(leaves=leaves).risk > risk
    assert len({leaves for _, leaves in listed}) == len(fronts[2])


def test_columns_in_pairs_are_paid_in_the_certificate_of_a_size():
    xor = np.where((X["a"] > 0) ^ (X["b"] > 0), "yes", "no")
    given = {"pair_levels": 1, "term_penalty": 0.01, "thresholds": "quantile"}
    model = OptimalTreeClassifier(3, tune=Tuning(folds=3), **given).fit(X, xor)
    same = OptimalTreeClassifier(**given, **model.tuning_.parameters).fit(X, xor)
    assert model.tuning_.best.max_depth == 3
    assert model.tree_.node_terms.max() == 2
    assert model.certificate_.objective == pytest.approx(same.certificate_.objective)
    assert model.certificate_.proven


def test_the_front_of_the_chosen_depth_has_the_cross_validated_risks():
    model = OptimalTreeClassifier(2, tune=Tuning(folds=3)).fit(X, LABELS)
    front, best = model.front_, model.tuning_.best
    entry = front[front.chosen]
    assert entry.tree == model.tree_
    assert entry.cv_risk == pytest.approx(best.cv_error * len(X))
    assert entry.cv_standard_error == pytest.approx(best.cv_standard_error * len(X))
    assert "<- chosen" in str(front)


def test_penalty_of_a_size_gives_a_tree_of_that_size():
    model = OptimalTreeClassifier(2, tune=Tuning(folds=3)).fit(X, LABELS)
    for size in model.tuning_.sizes:
        if size.max_depth == 2 and size.penalty > 0.0:
            one = OptimalTreeClassifier(2, penalty=size.penalty * 1.0001).fit(X, LABELS)
            assert one.tree_.n_leaves <= size.leaves


def test_what_was_chosen_is_printed():
    model = OptimalTreeClassifier(2, tune="cv").fit(X, LABELS)
    assert model.tuning_.n_folds == 10
    assert model.tuning_.claim in model.summary()
    lines = str(model.tuning_).splitlines()
    assert len(lines) == 1 + len(model.tuning_.sizes)
    assert lines[1 + model.tuning_.chosen].endswith("<- chosen")
    assert pickle.loads(pickle.dumps(model)).tuning_ == model.tuning_


def test_tuning_goes_with_its_tree(tmp_path):
    model = OptimalTreeClassifier(2, tune=Tuning(se=0.5, folds=3)).fit(X, LABELS)
    assert not hasattr(model.with_tree(model.at(leaves=1)), "tuning_")
    model.save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert loaded.tune == Tuning(se=0.5, folds=3)
    assert loaded.tree_ == model.tree_
    assert loaded.certificate_ == model.certificate_
    assert not hasattr(loaded, "tuning_")
    assert not hasattr(model.set_params(tune=None).fit(X, LABELS), "tuning_")
    text = (tmp_path / "model.json").read_text().replace('"se": 0.5', '"se": -1')
    (tmp_path / "model.json").write_text(text)
    with pytest.raises(ModelFileError, match="'se' parameter of Tuning must be"):
        load(tmp_path / "model.json")


def test_folds_count_the_rows_that_were_given():
    weights = np.where(np.arange(len(X)) % 5 == 0, 0.0, WEIGHTS)
    folds = np.arange(len(X)) % 3
    model = OptimalTreeClassifier(1, tune=Tuning(folds=folds)).fit(X, LABELS, weights)
    kept = weights > 0.0
    short = OptimalTreeClassifier(1, tune=Tuning(folds=folds[kept]))
    assert short.fit(X[kept], LABELS[kept], weights[kept]).tuning_ == model.tuning_
    absent = OptimalTreeClassifier(1, tune=Tuning(folds=folds), class_weight={"no": 0, "yes": 1})
    assert absent.fit(X, LABELS).tree_.n_leaves == 1


def test_costs_and_class_weights_are_what_folds_are_judged_by():
    cost = {"no": {"no": 0, "yes": 1}, "yes": {"no": 5, "yes": 0}}
    splitter = StratifiedKFold(3)
    model = OptimalTreeClassifier(1, cost_matrix=cost, tune=Tuning(folds=splitter)).fit(X, LABELS)
    (stump,) = (size for size in model.tuning_.sizes if size.leaves == 2)
    lost = 0.0
    for learned, held_out in splitter.split(X, LABELS):
        one = OptimalTreeClassifier(1, cost_matrix=cost).fit(X.iloc[learned], LABELS[learned])
        said = one.predict(X.iloc[held_out])
        lost += sum(cost[true][label] for true, label in zip(LABELS[held_out], said, strict=True))
    assert stump.cv_error == pytest.approx(lost / len(X))


@pytest.mark.long
def test_time_is_for_all_searches_together():
    wide, y, _, _ = table(400, seed=2)
    model = OptimalTreeClassifier(5, thresholds="all", tune=Tuning(folds=3), time_limit=1.0)
    with pytest.warns(NotProvenWarning):
        model.fit(wide, y)
    assert model.certificate_.seconds < 6.0
    assert not model.tuning_.is_complete
    assert "ended before their proof" in str(model.tuning_)


@pytest.mark.long
def test_progress_is_told_and_can_end_it():
    wide, y, _, _ = table(300, seed=3)
    told = []
    model = OptimalTreeClassifier(
        4, tune=Tuning(folds=2), progress=lambda one: told.append(one) or False
    )
    with pytest.warns(NotProvenWarning):
        model.fit(wide, y)
    assert len(told) == 1
    assert not model.tuning_.is_complete


def test_an_interrupt_ends_the_fit_and_leaves_the_model_as_it_was():
    wide, y, _, _ = table(300, seed=3)

    def interrupt(_):
        raise KeyboardInterrupt

    model = OptimalTreeClassifier(1).fit(X, LABELS)
    before = model.tree_
    with pytest.raises(KeyboardInterrupt):
        model.set_params(max_depth=4, tune="cv", progress=interrupt).fit(wide, y)
    assert model.tree_ is before


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"tune": "min"}, "'tune' parameter of OptimalTreeClassifier must be None, 'cv' or a Tun"),
        ({"tune": True}, "'tune' parameter of OptimalTreeClassifier must be"),
        ({"tune": Tuning(se=-1)}, "'se' parameter of Tuning must be"),
        ({"tune": Tuning(folds=1)}, "'folds' parameter of Tuning must be"),
        ({"tune": "cv", "penalty": 0.1}, "'penalty' parameter .* must be 0 with 'tune'"),
        ({"tune": "cv", "max_depth": None}, "'max_depth' parameter .* must be an int with 'tune'"),
        (
            {"tune": "cv", "constraints": Constraints(max_columns=1)},
            "'tune' parameter .* must be None under the constraint 'max_columns'",
        ),
    ],
)
def test_what_tuning_does_not_go_with_is_refused(parameters, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        OptimalTreeClassifier(**parameters).fit(X, LABELS)
    assert "\n" not in str(caught.value)


def test_one_row_cannot_be_divided():
    with pytest.raises(DataError, match="must be None for 1 sample"):
        OptimalTreeClassifier(tune="cv").fit([[1.0]], ["a"])
