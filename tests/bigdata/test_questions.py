"""Questions travel, and their replies do not depend on how rows are dealt to partitions."""

from __future__ import annotations

import itertools
import pickle
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from tests.bigdata.tables import Data, ListEngine, table
from treewright import TreeClassifier
from treewright.bigdata.edges import Resolution
from treewright.bigdata.growth import grow
from treewright.bigdata.parts import Question, Rows
from treewright.bigdata.questions import Cells, Frame, Open, Sample, Sampled, Tally, row_keys
from treewright.estimators.options import GrowthOptions

COARSE = Resolution(sample=64, most_bins=8, least_bins=4, zoom_bins=8, zoom_together=8, max_zooms=1)


@dataclass
class Backwards:
    """Asks copies of a question, merges replies from the last to the first, and notes all."""

    engine: ListEngine
    asked: list[Question]

    @property
    def n_rows(self) -> int | None:
        return None

    def ask(self, question: Question) -> Any:
        self.asked.append(question)
        copy = pickle.loads(pickle.dumps(question))
        reply = None
        for part in reversed(self.engine.parts):
            answer = pickle.loads(pickle.dumps(ListEngine([part]).ask(copy)))
            reply = answer if reply is None else copy.merge(reply, answer)
        return reply


def fitted(seed: int) -> tuple[TreeClassifier, Data, np.random.Generator]:
    random = np.random.default_rng(seed)
    data = table(random, numbers=False, levels=True)
    return TreeClassifier(max_depth=4).fit(data.columns, data.target, data.weights), data, random


@pytest.mark.parametrize("seed", range(6))
def test_replies_merge_in_any_order_after_a_journey(seed):
    model, data, random = fitted(seed)
    engine = Backwards(data.parts(model, 5, random), [])
    options = GrowthOptions.of(model)
    tree, exactness = grow(engine, model.schema_, "classification", options, resolution=COARSE)
    assert tree.to_json() == model.tree_.to_json()
    assert exactness.is_proven
    assert exactness.passes == len(engine.asked)


def test_later_passes_read_few_columns():
    random = np.random.default_rng(1)
    X = random.normal(size=(5000, 12))
    y = X[:, 3] + 0.1 * random.normal(size=5000) > 0
    data = Data({f"x{c}": X[:, c] for c in range(12)}, y, None)
    model = TreeClassifier(max_depth=1).fit(data.columns, y)
    engine = Backwards(data.parts(model, 2, random), [])
    grow(engine, model.schema_, "classification", GrowthOptions.of(model), resolution=COARSE)
    assert [len(question.columns) for question in engine.asked][:2] == [12, 12]
    assert {question.columns for question in engine.asked[2:]} == {(3,)}


def test_a_sample_is_the_same_however_rows_are_merged():
    random = np.random.default_rng(0)
    rows = [
        Rows(part, random.normal(size=(n, 2)), (0, 1), random.integers(0, 2, n).astype(np.int32))
        for part, n in enumerate((50, 0, 30))
    ]
    question = Sample(Frame(np.zeros(2, np.int32), 2), 20)
    first, second, third = map(question.answer, rows)

    def shown(sampled: Sampled) -> tuple[Any, ...]:
        return sampled.keys.tolist(), sampled.values.tolist(), sampled.target.tolist()

    left = question.merge(question.merge(first, second), third)
    right = question.merge(third, question.merge(second, first))
    assert shown(left) == shown(right)
    assert (left.n_rows, len(left.keys)) == (80, 20)


def test_keys_of_rows_are_distinct_and_spread():
    keys = np.concatenate([row_keys(part, 1000) for part in range(20)])
    assert len(np.unique(keys)) == len(keys)
    assert abs(float(np.mean(keys / 2.0**64)) - 0.5) < 0.01


def test_rows_without_weight_count_for_nothing():
    model, data, random = fitted(3)
    weights = np.ones(len(data.target)) if data.weights is None else data.weights
    weights = np.where(random.random(len(weights)) < 0.3, 0.0, weights)
    light = Data(data.columns, data.target, weights)
    model.fit(data.columns, data.target, weights)
    parts = light.parts(model, 3, random)
    tree, _ = grow(parts, model.schema_, "classification", GrowthOptions.of(model))
    assert tree.to_json() == model.tree_.to_json()


def test_a_tally_of_classes_adds_what_it_would_merge():
    model, data, random = fitted(3)
    engine = Backwards(data.parts(model, 3, random), [])
    grow(engine, model.schema_, "classification", GrowthOptions.of(model), resolution=COARSE)
    tally = next(one for one in engine.asked[::-1] if isinstance(one, Tally))
    parts = engine.engine.parts
    weighed = np.floor(random.random(len(parts[1].target)) * 4.0)
    parts = [parts[0], replace(parts[1], weights=weighed), replace(parts[2], weights=None)]
    parts[0] = replace(parts[0], weights=None)
    for order in itertools.permutations(parts):  # weights of 1 before and behind others
        sums, merged = tally.sums(), None
        for part in order:
            values = np.asfortranarray(part.values[:, list(tally.columns)])
            rows = replace(part, values=values, columns=tally.columns)
            sums.add(rows)
            reply = tally.answer(rows)
            merged = reply if merged is None else tally.merge(merged, reply)
        np.testing.assert_array_equal(sums.reply(), merged)
        with pytest.raises(ValueError, match="have been taken"):
            sums.reply()
    assert tally.sums().reply() is None


def test_a_tally_counts_every_row_once():
    model, data, random = fitted(5)
    engine = Backwards(data.parts(model, 3, random), [])
    grow(engine, model.schema_, "classification", GrowthOptions.of(model), resolution=COARSE)
    (tally, *_) = [question for question in engine.asked if isinstance(question, Tally)]
    lines = engine.ask(tally)
    n_columns = model.schema_.n_columns
    assert lines[:, 2].sum() == n_columns * len(data.target)


def test_time_that_is_over_ends_growth_at_a_level():
    model, data, random = fitted(2)
    parts, told = data.parts(model, 2, random), []
    tree, exactness = grow(
        parts,
        model.schema_,
        "classification",
        GrowthOptions.of(model),
        report=told.append,
        time_limit=1e-9,
    )
    assert tree.n_leaves == 1
    assert exactness.out_of_time
    assert told == [0.0]


EDGES = {
    "quantiles": np.quantile(np.random.default_rng(0).normal(size=500), np.linspace(0, 1, 90)),
    "crowded": np.array([0.0, *np.linspace(0.5, 0.5001, 60), 1e6]),
    "one": np.array([0.3]),
    "none": np.array([]),
    "the largest numbers": np.array([-1.7e308, -1.0, 0.0, 1.0, 1.7e308]),
    "the smallest numbers": np.array([0.0, 5e-324, 1e-323]),
    "neighbours": 1.0 + np.arange(40) * 2.0**-52,
}


@pytest.mark.parametrize("name", EDGES)
def test_rows_are_counted_between_the_edges_they_lie_between(name):
    random, edges = np.random.default_rng(1), EDGES[name]
    near = np.concatenate([edges, np.nextafter(edges, np.inf), np.nextafter(edges, -np.inf)])
    spread = np.concatenate([random.normal(size=300), random.uniform(-1e7, 1e7, 50), near])
    x = random.permutation(np.where(random.random(len(spread)) < 0.1, np.nan, spread))
    labels = random.integers(0, 2, len(x)).astype(np.int32)
    cells = Cells(np.zeros(1, np.int32), np.zeros(1, np.int32), np.array([0, len(edges)]), edges)
    model = TreeClassifier(min_samples_leaf=len(x)).fit(x[:, None], labels)
    asked = Open(model.tree_.core, np.zeros(1, np.int32), np.zeros(1))
    rows = Rows(0, np.asfortranarray(x[:, None]), (0,), labels)
    lines = Tally(Frame(np.zeros(1, np.int32), 2), asked, cells).answer(rows)

    bins = np.where(np.isnan(x), len(edges) + 1, np.searchsorted(edges, x))
    for place, line in enumerate(lines):
        here = bins == place
        assert line[2] == here.sum()
        assert line[3:].tolist() == np.bincount(labels[here], minlength=2).tolist()
        if place <= len(edges) and here.any():
            assert (line[0], line[1]) == (x[here].min(), x[here].max())
