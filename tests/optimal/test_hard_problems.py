"""Problems that sparse and optimal trees are published with, proven in full."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from shared_data import data_folder, why_absent

from treewright import OptimalTreeClassifier

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(why_absent() is not None, reason=str(why_absent())),
]


@pytest.mark.parametrize(
    ("name", "penalty"),
    [("monk2", 0.001), ("tictactoe-f", 0.005), ("tictactoe", 0.005), ("careval-f", 0.005)],
)
def test_sparse_trees_are_proven_at_any_depth(name: str, penalty: float) -> None:
    table = np.loadtxt(data_folder() / "sparse_objective" / f"{name}.txt.gz", dtype=int)
    X, y = table[:, :-1], table[:, -1]
    free = OptimalTreeClassifier(None, penalty=penalty, time_limit=300).fit(X, y)
    assert free.certificate_.proven
    errors = (free.predict(X) != y).sum()
    price = penalty * len(y) * (free.tree_.n_leaves - 1)
    assert free.certificate_.objective == pytest.approx(errors + price)
    deepest = free.tree_.depth
    limited = [OptimalTreeClassifier(d, penalty=penalty).fit(X, y) for d in (deepest - 1, deepest)]
    shallower, same = (model.certificate_.objective for model in limited)
    assert shallower >= free.certificate_.objective
    assert same == pytest.approx(free.certificate_.objective)


def test_a_large_table_with_sets_of_levels_is_proven_over_all_thresholds() -> None:
    table = pd.read_csv(data_folder() / "income.csv.gz")
    X, y = table.drop(columns="target"), table["target"]
    for name in X.select_dtypes(exclude="number"):
        X[name] = X[name].astype("category")
    model = OptimalTreeClassifier(3, thresholds="all", time_limit=300, n_jobs=2).fit(X, y)
    assert model.certificate_.proven
    assert model.certificate_.objective == (model.predict(X) != y).sum()
    quick = OptimalTreeClassifier(3).fit(X, y).certificate_
    assert quick.objective >= model.certificate_.objective
    assert quick.lower_bound_all_thresholds <= model.certificate_.objective
