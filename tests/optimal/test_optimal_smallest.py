"""`smallest`: of equally good trees one with the fewest tests."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_wine

from treewright import MUST, Axis, OptimalTreeClassifier, OptimalTreeRegressor, load
from treewright.exceptions import NotProvenWarning


def doubled_table(seed):
    """A table where many trees without errors exist, and one of three tests."""
    random = np.random.default_rng(seed)
    values = random.integers(0, 2, (400, 14))
    y = (values[:, 0] & values[:, 1]) | values[:, 2]
    return np.c_[values, values[:, :6] ^ (random.random((400, 6)) < 0.05)], y


@pytest.mark.parametrize("estimator", [OptimalTreeClassifier, OptimalTreeRegressor])
@pytest.mark.parametrize("seed", range(3))
def test_the_smallest_of_equally_good_trees(estimator, seed):
    values, y = doubled_table(seed)
    plain = estimator(4).fit(values, y)
    small = estimator(4, smallest=True).fit(values, y)
    assert small.certificate_.objective == plain.certificate_.objective == 0
    assert small.certificate_.proven
    assert small.tree_.n_leaves == 4 < plain.tree_.n_leaves
    sizes = estimator(4, front=True).fit(values, y).front_
    assert min(entry.leaves for entry in sizes if entry.risk == 0) == 4


@pytest.mark.long
def test_the_smallest_tree_over_proposed_tests_and_many_thresholds():
    random = np.random.default_rng(0)
    values = random.normal(size=(1500, 2))
    y = (values[:, 0] > 0.3) & (values[:, 1] < 0.8)
    model = OptimalTreeClassifier(3, thresholds="all", smallest=True).fit(values, y)
    assert (model.certificate_.objective, model.tree_.n_leaves) == (0, 3)
    wine = load_wine()
    methods = [Axis(), MUST(2)]
    both = [
        OptimalTreeClassifier(3, dictionary=methods, smallest=smallest).fit(wine.data, wine.target)
        for smallest in (False, True)
    ]
    assert both[1].certificate_.objective <= both[0].certificate_.objective
    assert both[1].certificate_.proven


def test_a_tree_that_may_not_be_the_smallest_is_told():
    """The pairs of 3297 thresholds do not fit, and only the smallest tree needs them."""
    random = np.random.default_rng(0)
    values = np.array([random.permutation(1100) for _ in range(3)]).T
    y = (values > 400).sum(axis=1) % 2
    model = OptimalTreeClassifier(3, thresholds="all", smallest=True, memory_limit=20)
    with pytest.warns(NotProvenWarning, match="not to be the smallest .* memory limit was reached"):
        model.fit(values, y)
    assert model.certificate_.proven
    assert model.certificate_.objective == 0


def test_smallest_is_kept_in_model_files(tmp_path):
    values, y = doubled_table(0)
    path = tmp_path / "model.json"
    OptimalTreeClassifier(4, smallest=True).fit(values, y).save(path)
    assert load(path).smallest is True
    with pytest.raises(ValueError, match="'smallest' parameter"):
        OptimalTreeClassifier(4, smallest="yes").fit(values, y)
