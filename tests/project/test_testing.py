"""`check_split_method` passes good methods and says what is wrong with bad ones."""

from __future__ import annotations

import importlib.util
import runpy
from pathlib import Path

import numpy as np
import pytest

from treewright import TreeClassifier, load, predicates, split_method, splits, testing

EXAMPLE = Path(__file__).parents[2] / "examples" / "random_direction.py"


def example():
    spec = importlib.util.spec_from_file_location("random_direction", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# Methods of different manners; the others are for those who have minutes.
QUICK = ("Axis()", "Example()")


@pytest.mark.long
@pytest.mark.parametrize(
    "method",
    [
        pytest.param(
            method, id=repr(method), marks=() if repr(method) in QUICK else pytest.mark.slow
        )
        for method in splits.registered()
    ],
)
def test_methods_of_the_library_pass(method):
    testing.check_split_method(method)


def test_the_battery_is_always_the_same():
    first, second = list(testing.cases()), list(testing.cases())
    assert len(first) == len({case.name for case in first}) >= 15
    for one, other in zip(first, second, strict=True):
        assert (repr(one.X), one.y, one.weights) == (repr(other.X), other.y, other.weights)
    assert {case.is_classification for case in first} == {True, False}


def fails(function, words):
    with pytest.raises(AssertionError, match=words) as caught:
        testing.check_split_method(split_method(function))
    message = str(caught.value)
    assert message.startswith("On ")
    assert "\n" not in message


def test_an_error_in_the_method_is_told():
    def broken(node, rng):
        return 1 / 0

    fails(broken, "On two classes, with missing='default', growth fails: division by zero")


def test_a_test_of_an_unknown_column_is_told():
    fails(lambda node, rng: predicates.Axis(9, 0.0), "growth fails: .*column 9")


@pytest.mark.long
def test_a_method_that_forgets_missing_values_is_told():
    def careless(node, rng):
        column = node.numeric_columns[0]
        return predicates.Axis(column, float(node.values([column]).mean()))

    fails(careless, "On missing values.*growth fails: .*must be finite")


@pytest.mark.long
def test_a_method_that_cannot_do_without_numeric_columns_is_told():
    def careless(node, rng):
        column = node.numeric_columns[0]
        values = node.values([column])
        known = values[~np.isnan(values)]
        return predicates.Axis(column, float(known.mean())) if known.size else None

    fails(careless, "On categorical columns only.*growth fails")


def test_a_method_with_a_memory_is_told():
    calls = []

    def restless(node, rng):
        calls.append(1)
        return predicates.Axis(node.numeric_columns[0], 0.1 * (len(calls) % 7) - 0.3)

    fails(restless, "the same seed does not give the same tree twice")


def test_chance_of_ones_own_is_told():
    random = np.random.default_rng(0)
    fails(
        lambda X, y, w, rng: random.normal(size=X.shape[1]), "the same seed does not give the same"
    )


def test_the_example_is_short():
    assert len(EXAMPLE.read_text().splitlines()) < 100


def test_the_example_runs(capsys):
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    printed = capsys.readouterr().out
    assert "Classification tree: 20000 rows, 4 leaves" in printed
    assert "* height" in printed


@pytest.mark.slow
def test_the_methods_of_the_example_keep_their_promises(tmp_path):
    module = example()
    random = np.random.default_rng(0)
    X = random.normal(size=(20_000, 5))
    y = X @ random.normal(size=5) > 0
    for method in (module.random_direction(columns=5), module.random_pairs(tries=4)):
        testing.check_split_method(method)
        model = TreeClassifier(split=method, random_state=0, min_samples_leaf=20).fit(X, y)
        assert model.score(X, y) > 0.85
        model.save(tmp_path / "model.json")
        loaded = load(tmp_path / "model.json")
        assert loaded.tree_ == model.tree_
        assert str(loaded.tree_) == str(model.tree_)
