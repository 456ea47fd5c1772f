"""Prices of columns where the best column is not the one that is worth its price."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from treewright import Constraints, TreeClassifier


@pytest.mark.parametrize("is_numeric", [False, True])
def test_a_dear_column_does_not_hide_a_cheaper_one_beside_one_without_a_price(
    is_numeric: bool,
) -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "number": random.integers(0, 2, 600).astype(float),
            "dear": pd.Categorical(random.choice(list("abcd"), 600)),
            "cheap": pd.Categorical(random.choice(list("wxyz"), 600)),
        }
    )
    score = 0.7 * frame.number + 2.0 * frame.dear.isin(["a", "b"])
    score += 1.7 * frame.cheap.isin(["w", "x"])
    if is_numeric:
        frame["number"] = pd.Categorical(frame.number.astype(str))
        frame["dear"] = frame.dear.isin(["a", "b"]).astype(float)
        frame["cheap"] = frame.cheap.isin(["w", "x"]).astype(float)
    y = (score + random.normal(0, 0.3, 600) > 2.2).astype(int)

    def gain(column: str) -> float:
        model = TreeClassifier(max_depth=1).fit(frame[[column]], y)
        return float(model.tree_.core.gain[0]) / len(y)

    number, dear, cheap = gain("number"), gain("dear"), gain("cheap")
    assert dear > cheap > number
    costs = {"dear": dear - 0.4 * number, "cheap": cheap - 1.2 * number}
    model = TreeClassifier(max_depth=1, constraints=Constraints(column_costs=costs))
    assert "cheap" in model.fit(frame, y).rules()[0]
