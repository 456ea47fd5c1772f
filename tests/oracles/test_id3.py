"""The textbook's ID3: its worked numbers, and the tree that Weka's Id3 prints."""

from __future__ import annotations

import pandas as pd
import pytest

from oracles import data, reference
from treewright import recipes


def test_four_rows_of_the_textbook() -> None:
    """Outcomes T, F, F, F with V = v2, v2, v3, v1: entropy 0.811, gain 0.311."""
    table = pd.DataFrame({"V": ["v2", "v2", "v3", "v1"]})
    estimator = recipes.id3().fit(table, ["T", "F", "F", "F"])
    root = reference.read_fitted(estimator.tree_)
    assert set(root.branches) == {frozenset({level}) for level in ("v1", "v2", "v3")}
    assert root.gain == pytest.approx(4 * 0.3112781, abs=1e-6)


@pytest.mark.parametrize("program", ["Id3 tennis", "J48 tennis -C 0.25 -M 2"])
@pytest.mark.oracle
def test_play_tennis(program: str) -> None:
    tennis = data.play_tennis()
    expected = reference.read_text(data.output("weka", program)["model"], tennis.classes)
    estimator = recipes.id3().fit(tennis.table, tennis.target)
    found = reference.read_fitted(estimator.tree_)
    assert reference.differences(expected, found, reference.Rules(weight_absolute=0.005)) == []
    assert (estimator.tree_.n_leaves, estimator.tree_.n_nodes) == (5, 8)
    assert (estimator.predict(tennis.table) == tennis.target).all()
    assert found.gain == pytest.approx(14 * 0.246750, abs=1e-4)
    sunny, rain = (found.branches[frozenset({level})] for level in ("sunny", "rain"))
    assert sunny.gain == pytest.approx(5 * 0.970951, abs=1e-5)
    assert rain.gain == pytest.approx(5 * 0.970951, abs=1e-5)
