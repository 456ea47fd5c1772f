"""Prices of columns where the best categorical column is not the one that is worth its price."""

from __future__ import annotations

import numpy as np
import pandas as pd

from treewright import Constraints, TreeClassifier


def test_a_dear_categorical_column_does_not_hide_a_cheaper_one_beside_a_number() -> None:
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
    y = (score + random.normal(0, 0.3, 600) > 2.2).astype(int)

    def gain(column: str) -> float:
        model = TreeClassifier(max_depth=1).fit(frame[[column]], y)
        return float(model.tree_.core.gain[0]) / len(y)

    number, dear, cheap = gain("number"), gain("dear"), gain("cheap")
    assert dear > cheap > number
    costs = {"dear": dear - 0.4 * number, "cheap": cheap - 1.2 * number}
    model = TreeClassifier(max_depth=1, constraints=Constraints(column_costs=costs))
    assert "cheap" in model.fit(frame, y).rules()[0]
