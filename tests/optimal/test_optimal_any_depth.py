"""`max_depth=None`: with a penalty the best tree of any depth, and a proof over all of them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from treewright import OptimalTreeClassifier, OptimalTreeRegressor, load

random = np.random.default_rng(4)
COLUMNS = random.integers(0, 2, size=(60, 6)).astype(float)
LABELS = (COLUMNS[:, 0] + COLUMNS[:, 1] * COLUMNS[:, 2] + (random.random(60) < 0.15)) % 2


def least(rows, penalty, min_rows, weights, known):
    """The least cost of a set of rows by trying every tree, however deep."""
    key = rows.tobytes()
    if key not in known:
        wrong = [weights[rows & (label == LABELS)].sum() for label in (0, 1)]
        best = min(wrong)
        for column in COLUMNS.T:
            passed, failed = rows & (column == 0), rows & (column == 1)
            if min(passed.sum(), failed.sum()) >= min_rows:
                parts = (
                    least(part, penalty, min_rows, weights, known) for part in (passed, failed)
                )
                best = min(best, penalty + sum(parts))
        known[key] = best
    return known[key]


@pytest.mark.parametrize("penalty", [0.01, 0.02, 0.05, 0.3])
@pytest.mark.parametrize("min_rows", [1, 4])
@pytest.mark.parametrize("with_weights", [False, True])
def test_no_tree_of_any_depth_is_better(penalty, min_rows, with_weights):
    weights = random.integers(1, 4, size=60).astype(float) if with_weights else np.ones(60)
    model = OptimalTreeClassifier(None, penalty=penalty, min_samples_leaf=min_rows)
    model.fit(COLUMNS, LABELS, sample_weight=weights)
    everyone = np.ones(60, dtype=bool)
    expected = least(everyone, penalty * weights.sum(), min_rows, weights, {})
    assert model.certificate_.objective == pytest.approx(expected)
    assert model.certificate_.proven
    assert "trees of any depth" in str(model.certificate_)


def test_regression_trees_of_any_depth():
    y = COLUMNS @ [4.0, 2.0, 1.0, 0.0, 0.0, 0.0] + LABELS
    model = OptimalTreeRegressor(None, penalty=0.01).fit(COLUMNS, y)
    deep = OptimalTreeRegressor(6, penalty=0.01).fit(COLUMNS, y)
    assert model.certificate_.proven
    assert model.certificate_.objective == pytest.approx(deep.certificate_.objective)


def test_a_model_of_any_depth_is_read_again(tmp_path):
    model = OptimalTreeClassifier(None, penalty=0.05).fit(COLUMNS, LABELS)
    model.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert again.max_depth is None
    assert again.certificate_ == model.certificate_


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        (
            {},
            "'max_depth' parameter of OptimalTreeClassifier must be an int where 'penalty' is 0",
        ),
        ({"penalty": 0.1, "max_nodes": 3}, "must be an int with 'max_nodes'"),
        ({"penalty": 0.1, "front": True}, "must be an int with 'front'"),
        (
            {"penalty": 1e-7},
            "The 'penalty' parameter of OptimalTreeClassifier must be at least 0.00",
        ),
        ({"penalty": 0.1, "pair_levels": 40}, "must be at most 28"),
    ],
)
def test_what_any_depth_does_not_go_with_is_refused(parameters, sentence):
    X = np.hstack([np.repeat(COLUMNS, 4, axis=0), np.arange(240.0)[:, None]])
    rows = X, np.repeat(LABELS, 4)
    with pytest.raises(ValueError, match=re.escape(sentence)) as caught:
        OptimalTreeClassifier(None, **parameters).fit(*rows)
    assert "\n" not in str(caught.value)


def test_columns_of_few_values_allow_any_penalty():
    model = OptimalTreeClassifier(None, penalty=1e-7)
    model.fit(np.repeat(COLUMNS, 4, axis=0), np.repeat(LABELS, 4))
    deepest = OptimalTreeClassifier(6, penalty=1e-7)
    deepest.fit(np.repeat(COLUMNS, 4, axis=0), np.repeat(LABELS, 4))
    assert model.certificate_.proven
    assert model.certificate_.objective == pytest.approx(deepest.certificate_.objective)
