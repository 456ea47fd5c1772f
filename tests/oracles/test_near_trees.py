"""Trees within 5 % of the optimum, as PRAXIS 0.0.30 counts them with exact bounds.

Made by ``PRAXIS().fit(X, y, lambda_reg=0.01, depth_budget=depth, root_budget=limit,
majority_leaf_only=True, lookahead_k=depth - 1)`` and ``get_root_histogram()``; of diabetes with
``lookahead_k=2``. Its objectives count the first leaf, too.
"""

from __future__ import annotations

import numpy as np
import pytest
from near_trees_twin import SmallProblem
from shared_data import data_folder

from oracles import data

pytestmark = pytest.mark.oracle

HEART = {60: 88, 61: 824, 62: 4848, 63: 62084}
DIABETES = {204: 8, 208: 128, 209: 168, 210: 384, 211: 464, 212: 3330, 213: 2312, 214: 2416}
GERMAN_CREDIT = dict(
    zip(
        range(299, 314),
        [
            *(12, 30, 14, 156, 94, 222, 508, 1408, 1446, 2867),
            *(10169, 22547, 23795, 106542, 93431),
        ],
        strict=True,
    )
)


@pytest.mark.parametrize(
    ("name", "depth", "counts"),
    [
        ("heart-cleveland", 4, HEART),
        pytest.param("diabetes", 5, DIABETES, marks=pytest.mark.long),
        pytest.param("german-credit", 5, GERMAN_CREDIT, marks=pytest.mark.slow),
    ],
)
def test_as_many_trees_as_praxis_counts(name: str, depth: int, counts: dict[int, int]) -> None:
    data.skip_without_data()
    table = np.loadtxt(data_folder() / "binary" / f"{name}.txt", dtype=np.int64)
    n_rows, n_columns = table[:, 1:].shape
    penalty = round(0.01 * n_rows)
    problem = SmallProblem(
        table[:, 1:].T.astype(bool),
        table[:, 0],
        np.ones(n_rows, np.int64),
        np.empty((2, 0), np.int64),
        [[column] for column in range(n_columns)],
        np.zeros(n_columns, np.int64),
        np.full(n_columns, depth, np.int32),
        depth,
        penalty,
        min_rows=1,
        min_weight=0,
    )
    found = problem.found(slack=max(counts) - min(counts), n_trees=0, with_idle=True)
    assert found.optimum == min(counts) - penalty
    assert dict(zip(found.costs, found.counts, strict=True)) == {
        cost - penalty: count for cost, count in counts.items()
    }
