"""Optimal trees over what split methods propose: never worse than growth, and honest about it."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from clocked import clocked
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris, load_wine
from sklearn.model_selection import cross_val_score

from treewright import (
    MUST,
    Axis,
    Best,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    Pairs,
    TreeClassifier,
    TreeRegressor,
    load,
)
from treewright.exceptions import NotProvenWarning
from treewright.optimal.proposals import Proposer
from treewright.optimal.search import Search
from treewright.predicates import Axis as AxisTest
from treewright.predicates import Linear, Pair
from treewright.splits import LMDT, QUEST, Logistic, SplitMethod

BOTH = [Axis(), MUST(2)]
WINE = load_wine(as_frame=True)
IRIS = load_iris(as_frame=True)


def errors(model: Any, data: Any) -> int:
    return int((model.predict(data.data) != data.target).sum())


@pytest.mark.long
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("data", [WINE, IRIS], ids=["wine", "iris"])
@pytest.mark.parametrize("methods", [BOTH, [MUST(3)], [Pairs(None)], [QUEST(linear=True), Axis()]])
def test_no_more_errors_than_the_greedy_tree_over_the_same_tests(methods, data, depth):
    greedy = [*methods, Best(*methods)]
    best = OptimalTreeClassifier(depth, dictionary=methods).fit(data.data, data.target)
    assert best.certificate_.proven
    assert best.certificate_.objective == errors(best, data)
    for split in greedy:
        grown = TreeClassifier(split, max_depth=depth).fit(data.data, data.target)
        assert errors(best, data) <= errors(grown, data)


@pytest.mark.long
def test_no_more_squared_error_than_the_greedy_tree():
    data = load_diabetes(as_frame=True)
    best = OptimalTreeRegressor(2, dictionary=BOTH)
    best.fit(data.data, data.target)
    grown = TreeRegressor(Best(*BOTH), max_depth=2).fit(data.data, data.target)
    only_axis = OptimalTreeRegressor(2, refine=0).fit(data.data, data.target)
    score = best.score(data.data, data.target)
    assert score > grown.score(data.data, data.target)
    assert score > only_axis.score(data.data, data.target)


def oblique(n: int = 150) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Rows whose class a tree of depth 2 over two sums can tell, but for some noise."""
    random = np.random.default_rng(4)
    table = {name: random.normal(size=n).round(2) for name in "abcd"}
    answer = (table["a"] + table["b"] > 0) != (table["c"] - 2 * table["d"] > 0.5)
    return table, np.where(answer ^ (random.random(n) < 0.05), "yes", "no")


def test_rounds_never_do_harm():
    table, y = oblique()
    found = [
        OptimalTreeClassifier(2, dictionary=[MUST(2)], refine=refine)
        .fit(table, y)
        .certificate_.objective
        for refine in (0, 1, 9)
    ]
    assert found == sorted(found, reverse=True)
    assert found[-1] < found[0]


def test_rounds_with_a_limit_of_tests():
    table, y = oblique()
    found = [
        OptimalTreeClassifier(2, max_nodes=2, dictionary=[MUST(2)], refine=refine).fit(table, y)
        for refine in (0, 9)
    ]
    assert found[1].certificate_.proven
    assert found[1].certificate_.objective < found[0].certificate_.objective
    assert found[1].tree_.n_leaves <= 3


def test_a_round_without_gain_widens_what_is_proven(monkeypatch):
    table, y = oblique()
    found = []
    run = Search.run

    def noted(*arguments: Any) -> Any:
        found.append(run(*arguments))
        return found[-1]

    monkeypatch.setattr(Search, "run", noted)
    model = OptimalTreeClassifier(2, dictionary=[MUST(2)], refine=30).fit(table, y)
    assert found[-1].tree == found[-2].tree  # nothing was gained, so rounds ended
    assert model.certificate_.tests == found[-1].certificate.tests != found[-2].certificate.tests
    assert model.certificate_.proven


def test_the_certificate_says_over_which_tests():
    model = OptimalTreeClassifier(2, dictionary=BOTH).fit(IRIS.data, IRIS.target)
    words = str(model.certificate_)
    assert "proposed by Axis() and MUST()" in words
    assert "of 4 numeric columns" in words
    alone = OptimalTreeClassifier(2, dictionary=[MUST(3)]).fit(IRIS.data, IRIS.target)
    assert "numeric columns" not in str(alone.certificate_)
    assert "proposed by MUST(features=3)" in str(alone.certificate_)


def test_given_tests_stand_beside_proposed_ones():
    given = AxisTest(3, 1.65)
    model = OptimalTreeClassifier(2, dictionary=[given, MUST(2)]).fit(IRIS.data, IRIS.target)
    assert "1 given condition and" in str(model.certificate_)


@pytest.mark.long
def test_a_price_of_terms_makes_tests_shorter():
    table, y = oblique()
    models = [
        OptimalTreeClassifier(2, dictionary=BOTH, term_penalty=price).fit(table, y)
        for price in (0.0, 1 / 150, 0.05, 1.0)
    ]
    terms = [
        sum(node.predicate.n_terms for node in nodes_of(model) if node.predicate)
        for model in models
    ]
    assert terms == sorted(terms, reverse=True)
    assert not any(isinstance(node.predicate, Linear) for node in nodes_of(models[-1]))
    wrong = [float((model.predict(table) != y).sum()) for model in models]
    assert models[1].certificate_.objective == pytest.approx(
        wrong[1] + terms[1] - models[1].tree_.n_leaves + 1
    )


def nodes_of(model: Any) -> list[Any]:
    return [model.tree_.node(node) for node in range(model.tree_.n_nodes)]


def test_what_is_printed_is_what_was_searched_over():
    table, y = oblique()
    model = OptimalTreeClassifier(2, dictionary=[MUST(2)], refine=3).fit(table, y)
    values = np.column_stack(list(table.values()))
    sums = [node.predicate for node in nodes_of(model) if isinstance(node.predicate, Linear)]
    assert sums
    for predicate in sums:
        assert max(map(abs, predicate.coefficients)) == 1.0
        assert all(len(f"{c:.10g}") <= 5 for c in predicate.coefficients)
        scores = values[:, predicate.columns] @ np.array(predicate.coefficients)
        assert 0 < (scores <= predicate.threshold).sum() < len(y)


def test_the_same_seed_gives_the_same_tree():
    table, y = oblique()
    model = OptimalTreeClassifier(2, dictionary=[MUST(2)], random_state=7)
    assert clone(model).fit(table, y).tree_ == model.fit(table, y).tree_


def test_gaps_and_levels():
    table, y = oblique()
    random = np.random.default_rng(0)
    table["a"] = np.where(random.random(150) < 0.2, np.nan, table["a"])
    table["city"] = random.choice(["Oslo", "Rome", "Paris"], 150)
    model = OptimalTreeClassifier(2, dictionary=BOTH).fit(table, y)
    grown = TreeClassifier(Best(*BOTH), max_depth=2).fit(table, y)
    assert model.certificate_.objective == (model.predict(table) != y).sum()
    assert model.certificate_.objective <= (grown.predict(table) != y).sum()


def test_it_is_an_ordinary_estimator(tmp_path):
    table, y = oblique()
    model = OptimalTreeClassifier(2, dictionary=[AxisTest(0, 0.5), *BOTH])
    assert repr(clone(model)) == repr(model)
    model.fit(table, y).save(tmp_path / "model.json")
    loaded = load(tmp_path / "model.json")
    assert loaded.tree_ == model.tree_
    assert [*loaded.dictionary] == [*model.dictionary]
    X = np.column_stack(list(table.values()))
    assert cross_val_score(model, X, y, cv=3).mean() > 0.7


@clocked
def test_no_time_gives_a_tree_at_once():
    table, y = oblique()
    began = time.perf_counter()
    with pytest.warns(UserWarning, match="not proven"):
        OptimalTreeClassifier(3, dictionary=BOTH, time_limit=0).fit(table, y)
    assert time.perf_counter() - began < 1.0


@pytest.mark.parametrize(
    ("dictionary", "parameters", "words"),
    [
        ([LMDT()], {}, "one branch per class, which an optimal tree cannot use"),
        ([Pairs(4)], {}, "'levels' parameter of Pairs must not be above 'max_depth'"),
        ([MUST(0)], {}, "'features' parameter of MUST must be"),
        (
            [MUST(2)],
            {"pair_levels": 1},
            "'pair_levels' parameter of OptimalTreeClassifier must be 0",
        ),
        (
            [Axis()],
            {"pair_levels": 1},
            r"Got pair_levels=1 and the split method Axis\(\); leave out 'dict",
        ),
        ([SplitMethod], {}, "a list of predicates and split methods"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(dictionary, parameters, words):
    with pytest.raises(ValueError, match=words):
        OptimalTreeClassifier(3, dictionary=dictionary, **parameters).fit(WINE.data, WINE.target)


def test_methods_for_classes_refuse_numbers():
    table, _ = oblique()
    with pytest.raises(ValueError, match="Logistic splits are for classification"):
        OptimalTreeRegressor(2, dictionary=[Logistic()]).fit(table, table["a"])


def test_an_interrupt_while_methods_are_asked_leaves_the_best_tree(monkeypatch):
    table, y = oblique()
    model = OptimalTreeClassifier(2, dictionary=[MUST(2)], refine=0).fit(table, y)

    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("treewright.optimal.column_generation._other_cuts", interrupted)
    again = OptimalTreeClassifier(2, dictionary=[MUST(2)], refine=5).fit(table, y)
    assert again.tree_ == model.tree_
    assert again.certificate_.proven


def test_a_search_that_was_stopped_has_no_further_rounds():
    table, y = oblique(2000)
    calls = []

    def stop(progress: Any) -> bool:
        calls.append(progress)
        return False

    model = OptimalTreeClassifier(4, dictionary=BOTH, refine=5, progress=stop)
    with pytest.warns(UserWarning, match="not proven"):
        model.fit(table, y)
    assert model.certificate_.status == "stopped"
    assert len(calls) == 1


def test_an_interrupt_before_the_first_search_still_gives_a_tree(monkeypatch):
    ask = Proposer.ask

    def interrupted(self, *args, **kwargs):
        for count, proposal in enumerate(ask(self, *args, **kwargs)):
            if count == 5:
                raise KeyboardInterrupt
            yield proposal

    monkeypatch.setattr(Proposer, "ask", interrupted)
    with pytest.warns(NotProvenWarning, match="it was interrupted"):
        model = OptimalTreeClassifier(2, dictionary=[MUST(2)]).fit(WINE.data, WINE.target)
    assert model.certificate_.status == "interrupted"
    assert model.tree_.n_leaves > 1


def test_the_callback_is_asked_between_rounds():
    told = []
    model = OptimalTreeClassifier(
        2, dictionary=[MUST(2)], progress=lambda progress: bool(told.append(progress))
    ).fit(WINE.data, WINE.target)
    assert len(told) == 1
    assert model.certificate_.proven
    assert told[0].best == model.certificate_.objective


@pytest.mark.parametrize("methods", [[Pairs(1)], [Axis(), Pairs(1)], [Best(Pairs(1), MUST(2))]])
def test_pairs_stand_in_their_levels_only(methods):
    random = np.random.default_rng(3)
    table = random.integers(0, 2, (300, 6))
    y = (table[:, 0] ^ table[:, 1]) & (table[:, 2] | table[:, 3]) ^ (table[:, 4] & table[:, 5])
    model = OptimalTreeClassifier(3, dictionary=methods).fit(table, y)
    tree = model.tree_
    levels = [
        tree.node(node).depth
        for node in range(tree.n_nodes)
        if isinstance(tree.node(node).predicate, Pair)
    ]
    assert levels == [0]
    everywhere = OptimalTreeClassifier(3, dictionary=[Pairs(None)]).fit(table, y)
    assert everywhere.certificate_.objective <= model.certificate_.objective
