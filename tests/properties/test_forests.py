"""What holds for every forest, whatever the data."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from treewright import ForestClassifier, ForestRegressor
from treewright.tree.node import MISSING_POLICIES

SETTINGS = st.fixed_dictionaries(
    {
        "n_estimators": st.integers(1, 6),
        "max_features": st.sampled_from(["sqrt", "rounded_sqrt", None, 1]),
        "bootstrap": st.booleans(),
        "max_depth": st.sampled_from([None, 1, 3]),
        "missing": st.sampled_from(MISSING_POLICIES),
        "random_state": st.integers(0, 5),
    }
)


@st.composite
def tables(draw):
    """Rows with ties, gaps and a column of levels, and one of three classes each."""
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    n_rows = draw(st.integers(1, 40))
    numbers = random.integers(0, 5, (n_rows, 2)).astype(float)
    numbers[random.random(numbers.shape) < draw(st.sampled_from([0.0, 0.2]))] = np.nan
    table = {"a": numbers[:, 0], "b": numbers[:, 1], "c": random.choice(list("xyz"), n_rows)}
    return table, random.integers(0, 3, n_rows)


@given(tables(), SETTINGS, st.sampled_from(["soft", "hard"]))
def test_probabilities_are_shares(rows, settings, voting):
    table, y = rows
    model = ForestClassifier(voting=voting, **settings).fit(table, y)
    found = model.predict_proba(table)
    assert (found >= 0.0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.predict(table), model.classes_[found.argmax(axis=1)])
    n_leaves = [tree.n_leaves for tree in model.trees_]
    assert model.apply(table).shape == (len(y), len(n_leaves))
    total = model.feature_importances_.sum()
    assert np.isclose(total, 1.0) or (total == 0.0 and max(n_leaves) == 1)


@given(tables(), SETTINGS, st.permutations([0, 1, 2]))
def test_names_of_classes_do_not_matter(rows, settings, names):
    table, y = rows
    # The subset of levels of more than two classes is searched in an order that knows the names.
    table = {"a": table["a"], "b": table["b"]}
    model = ForestClassifier(**settings).fit(table, y)
    renamed = ForestClassifier(**settings).fit(table, np.array(names)[y])
    columns = [list(renamed.classes_).index(names[label]) for label in model.classes_]
    np.testing.assert_allclose(renamed.predict_proba(table)[:, columns], model.predict_proba(table))


@given(tables(), SETTINGS)
def test_numbers_are_within_those_seen(rows, settings):
    table, y = rows
    model = ForestRegressor(**settings).fit(table, y)
    found = model.predict(table)
    assert (found >= y.min() - 1e-9).all()
    assert (found <= y.max() + 1e-9).all()
