"""Rule sets: the formulas behind them, their words, their JSON, and what they refuse."""

from __future__ import annotations

import itertools
import json
import math

import handmade
import numpy as np
import pytest
from golden_files import check_golden
from handmade import build, inner, leaf
from rule_twins import bias
from scipy.stats import binomtest

from treewright import TreeClassifier, TreeRegressor
from treewright.estimators import GrowthRules
from treewright.exceptions import DataError, ModelFileError
from treewright.predicates import Axis, Linear, Multiway
from treewright.rules import Condition, Rule, RuleSet, rule_set
from treewright.rules import subsets as subsets_module
from treewright.rules.description import column_bits, description_length, exception_bits, rule_bits
from treewright.rules.sample import Sample
from treewright.rules.subsets import best_subset
from treewright.schema import Column, Schema

SKY = Column("sky", "categorical", levels=("sun", "cloud", "rain"))
HEAT = Column("heat", "numeric", unit="degrees")
GO = Schema((SKY, HEAT), ("go", "stay"), "walk")


def walks() -> tuple[dict[str, list], list[str]]:
    """Going out in the sun unless it is hot, under clouds always, in the rain never."""
    sky = ["sun"] * 6 + ["cloud"] * 4 + ["rain"] * 4
    heat = [15, 18, 20, 31, 33, 35, 12, 17, 25, 34, 11, 15, 22, 30]
    walk = ["go"] * 3 + ["stay"] * 3 + ["go"] * 4 + ["stay"] * 4
    return {"sky": sky, "heat": heat}, walk


def walk_tree():
    return build(
        GO,
        inner(
            Multiway(0, (0, 1, 2)),
            inner(Axis(1, 25.0), leaf(3, 0), leaf(0, 3)),
            leaf(4, 0),
            leaf(0, 4),
        ),
    )


# ---------------------------------------------------------------- making


def test_the_rules_of_a_small_tree():
    """The confidence of a rule without errors is 0.25 ** (1 / N)."""
    rules = rule_set(walk_tree(), *walks())
    assert rules.to_sentences() == [
        "if sky is cloud then go (100 %, 4 rows, 95 % interval 51-100 %)",
        "if sky is sun and heat <= 25 degrees then go (100 %, 3 rows, 95 % interval 43-100 %)",
        "if sky is rain then stay (100 %, 4 rows, 95 % interval 51-100 %)",
        "if sky is sun and heat > 25 degrees then stay (100 %, 3 rows, 95 % interval 43-100 %)",
        "otherwise go (0 rows)",
    ]
    confidences = [rule.confidence for rule in rules.rules]
    np.testing.assert_allclose(confidences, [0.25 ** (1 / n) for n in (4, 3, 4, 3)])
    assert rules.default.confidence == 8 / 16  # nothing is left: (7 of the class + 1) / (14 + 2)
    assert rules.training_accuracy == 1.0
    # Four rows are answered after a look at 1 value, three after 3, four after 4, three after 6.
    assert rules.reading_effort == (4 * 1 + 3 * 3 + 4 * 4 + 3 * 6) / 14


def test_textbook_rules_are_ordered_by_accuracy_and_none_is_left_out():
    table, walk = walks()
    walk[7] = "stay"  # under a cloud
    rules = rule_set(walk_tree(), table, walk, bound="none", selection="none", ordering="accuracy")
    assert [rule.probability for rule in rules.rules] == [1.0, 1.0, 1.0, 0.75]
    assert [rule.cover for rule in rules.rules] == [4.0, 3.0, 3.0, 4.0]
    assert rules.default.value == 1  # the most frequent class of all rows
    assert rules.default.cover == 0.0


def test_a_missing_value_meets_no_condition():
    rules = rule_set(walk_tree(), *walks())
    rows = {"sky": [None, "sun", "sun"], "heat": [20.0, None, 40.0]}
    assert rules.apply(rows).tolist() == [-1, -1, 3]
    assert rules.predict(rows).tolist() == ["go", "go", "stay"]


def test_rules_of_light_leaves_are_not_made():
    table, walk = walks()
    tree = build(GO, inner(Axis(1, 25.0), leaf(0.9, 0), leaf(0, 7)))
    rules = rule_set(tree, table, walk, selection="none")
    assert [str(rule.expressions(GO)[0]) for rule in rules.rules] == ["heat > 25 degrees"]


def test_a_tree_that_is_a_leaf_has_only_a_default():
    rules = rule_set(build(GO, leaf(7, 7)), *walks())
    assert rules.rules == ()
    assert rules.to_sentences() == ["otherwise go (50 %, 14 rows, 95 % interval 26-74 %)"]
    assert "0 rules" in str(rules)


def test_equal_rules_are_said_once_and_contradictions_are_decided():
    """All four leaves lose the condition on a; two then say the same, two contradict each other."""
    schema = Schema((Column("a", "numeric"), Column("b", "numeric")), ("most", "few", "some"))
    half = [(0, "most")] * 40 + [(1, "few")] * 5 + [(1, "some")] * 7
    table = {"a": [0] * len(half) + [1] * len(half), "b": [b for b, _ in half * 2]}
    labels = [label for _, label in half * 2]
    tree = build(
        schema,
        inner(
            Axis(0, 0.5),
            inner(Axis(1, 0.5), leaf(40, 0, 0), leaf(0, 5, 7, value=1)),
            inner(Axis(1, 0.5), leaf(40, 0, 0), leaf(0, 5, 7, value=2)),
        ),
    )
    rules = rule_set(tree, table, labels, selection="none")
    assert [(str(*rule.expressions(schema)), rule.value) for rule in rules.rules] == [
        ("b <= 0.5", 0),
        ("b > 0.5", 2),
    ]
    assert [rule.class_weights for rule in rules.rules] == [(80.0, 0.0, 0.0), (0.0, 10.0, 14.0)]


def test_weights_count_as_rows():
    table, walk = walks()
    weights = np.arange(14) % 3
    repeated = np.repeat(np.arange(14), weights)
    rows = {name: [cells[row] for row in repeated] for name, cells in table.items()}
    expected = rule_set(walk_tree(), rows, [walk[row] for row in repeated])
    assert rule_set(walk_tree(), table, walk, weights) == expected


def test_progress_ends_at_one_and_an_interrupt_is_let_through():
    told: list[float] = []
    rule_set(walk_tree(), *walks(), progress=told.append)
    assert told == [0.125, 0.25, 0.375, 0.5, 0.5, 0.75, 1.0]
    told.clear()
    rule_set(walk_tree(), *walks(), selection="none", progress=told.append)
    assert told == [0.25, 0.5, 0.75, 1.0, 1.0]

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rule_set(walk_tree(), *walks(), progress=stop)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"confidence": 0}, "'confidence' parameter of rule_set must be a finite number > 0 and"),
        ({"bound": "wald"}, "'bound' parameter of rule_set must be 'exact' or 'normal' or 'c45'"),
        ({"selection": "all"}, "'selection' parameter"),
        ({"ordering": None}, "'ordering' parameter"),
        ({"interval": 95}, r"'interval' parameter of rule_set must be a float in \(0, 1\)"),
        ({"random_state": -1}, "'random_state' parameter"),
    ],
)
def test_wrong_parameters_are_refused(parameters, words):
    with pytest.raises(ValueError, match=words):
        rule_set(walk_tree(), *walks(), **parameters)


def test_wrong_data_are_refused():
    table, walk = walks()
    with pytest.raises(DataError, match="'home', which is not one of the classes"):
        rule_set(walk_tree(), table, ["home", *walk[1:]])
    with pytest.raises(DataError, match="one weight a row"):
        rule_set(walk_tree(), table, walk, [1.0])
    with pytest.raises(DataError, match="a row of positive weight"):
        rule_set(walk_tree(), table, walk, np.zeros(14))
    costly = TreeClassifier(cost_matrix=[[0, 1], [5, 0]]).fit(table, walk).tree_
    with pytest.raises(ValueError, match="this tree has a cost matrix"):
        rule_set(costly, table, walk)
    numbers = TreeRegressor().fit([[1.0], [2.0]], [0.0, 1.0]).tree_
    with pytest.raises(TypeError, match="this is a regression tree"):
        rule_set(numbers, [[1.0]], [0.0])


# ---------------------------------------------------------------- description length


def test_bits_of_columns():
    """Half A, a quarter B and C: 1.5 bits; five values, one of them missing: 1 + log2(5) / 2."""
    levels = Column("level", "categorical", levels=("A", "B", "C", "never"))
    schema = Schema((levels, Column("x", "numeric"), Column("same", "numeric")), ("u", "v"))
    values = np.array([[0, 1, 7], [0, 2, 7], [1, 3, 7], [2, np.nan, 7]], dtype=float)
    values = np.vstack([values, values])
    values[4:, 1] = [1, 2, 3, 4]
    codes = np.array([0, 1] * 4, dtype=np.int32)
    sample = Sample.encoded(values, codes, np.ones(8), schema)
    cuts = np.array([1.5, 1.0 + math.log2(5) / 2.0, 0.0])
    shares = cuts[:2] / cuts.sum()
    name = -np.sum(shares * np.log2(shares))
    np.testing.assert_allclose(column_bits(sample, schema), name + cuts)
    # Missing levels are no level, but their rows count.
    values[0, 0] = np.nan
    sample = Sample.encoded(values, codes, np.ones(8), schema)
    entropy = -sum(p * math.log2(p) for p in (3 / 8, 2 / 8, 2 / 8))
    difference = column_bits(sample, schema)[[0, 2]]
    np.testing.assert_allclose(difference[0] - difference[1], entropy)


def test_bits_of_a_rule():
    bits = np.array([2.0, 3.0, 5.0])
    one = [Condition(Axis(1, 0.0), 0)]
    three = [Condition(Axis(column, 0.0), 0) for column in range(3)]
    assert rule_bits(one, bits) == pytest.approx(3.0)
    assert rule_bits(three, bits) == pytest.approx(10.0 + math.log2(3) - math.log2(6))
    length = description_length(np.array([10.0]), np.array([3]), np.array([7.0]))
    assert length == pytest.approx(0.5 * (10.0 - math.log2(6)) + 7.0)


def test_a_column_was_charged_for_each_of_its_levels_in_a_sum():
    sums = Linear((0, 0, 1), (1.0, -2.0, 0.5), 0.25, (0, 1, None))
    assert rule_bits([Condition(sums, 0)], np.array([2.0, 3.0])) == pytest.approx(5.0)


def test_bits_of_exceptions():
    """20 rows, 5 fire and 1 of them wrongly, 3 of the class are left out; then 15 that fire."""
    few = math.log2(20) + bias(5, 1, 1) + bias(15, 3, 2)
    many = math.log2(20) + bias(15, 1, 2) + bias(5, 3, 3)
    found = exception_bits(20.0, np.array([5.0, 15.0]), np.array([1.0, 1.0]), np.array([3.0, 3.0]))
    np.testing.assert_allclose(found, [few, many])
    nothing, all_wrong = np.zeros(1), np.full(1, 5.0)
    assert exception_bits(20.0, nothing, nothing, nothing) == pytest.approx(math.log2(20))
    assert exception_bits(20.0, all_wrong, all_wrong, nothing) >= math.log2(20)


# ---------------------------------------------------------------- subsets


class SubsetProblem:
    """Random rules over random rows, and the length of any subset computed plainly."""

    def __init__(self, seed: int, n_rules: int, n_rows: int = 40) -> None:
        random = np.random.default_rng(seed)
        self.weights = random.integers(1, 3, n_rows).astype(float)
        self.is_class = random.random(n_rows) < 0.5
        affinity = np.where(self.is_class, 0.25, random.choice([0.02, 0.1]))
        self.fires = random.random((n_rules, n_rows)) < affinity
        self.bits = random.uniform(1.0, 8.0, n_rules)

    def best(self) -> list[bool]:
        covers = [np.flatnonzero(row) for row in self.fires]
        random = np.random.RandomState(0)
        return best_subset(covers, self.bits, self.is_class, self.weights, random).tolist()

    def length(self, chosen: list[bool]) -> float:
        fired = self.fires[np.array(chosen)].any(axis=0)
        total = self.weights.sum()
        fires = self.weights[fired].sum()
        wrong = self.weights[fired & ~self.is_class].sum()
        missed = self.weights[~fired & self.is_class].sum()
        either = (wrong + missed) / 2
        inside, outside = (either, missed) if fires > total / 2 else (wrong, either)
        exceptions = math.log2(total) + bias(fires, wrong, inside)
        exceptions += bias(total - fires, missed, outside)
        count = sum(chosen)
        return (
            0.5 * (self.bits[np.array(chosen)].sum() - math.log2(math.factorial(count)))
            + exceptions
        )


@pytest.mark.parametrize("n_rules", [1, 2, 5, 8])
@pytest.mark.parametrize("seed", range(8))
def test_best_subset_is_the_first_shortest_of_all(seed, n_rules):
    problem = SubsetProblem(seed, n_rules)
    subsets = [list(chosen) for chosen in itertools.product([False, True], repeat=n_rules)]
    lengths = [problem.length(chosen) for chosen in subsets]
    shortest = min(lengths)
    first = next(i for i, length in enumerate(lengths) if length <= shortest + 1e-9)
    assert problem.best() == subsets[first]


def test_of_equal_subsets_the_later_rule_is_taken():
    """Without before with, earlier rules first: of two equal rules the second."""
    rows = np.arange(10)
    is_class = np.arange(20) < 10
    chosen = best_subset([rows, rows], np.ones(2), is_class, np.ones(20), np.random.RandomState(0))
    assert chosen.tolist() == [False, True]


@pytest.mark.parametrize("seed", range(5))
def test_climbing_is_close_to_the_best_of_all(seed, monkeypatch):
    problem = SubsetProblem(seed, 14, n_rows=120)
    exact = problem.length(problem.best())
    monkeypatch.setattr(subsets_module, "MOST_FOR_ALL_SUBSETS", 0)
    climbed = problem.best()
    assert exact - 1e-9 <= problem.length(climbed) <= exact + 1.0
    for rule in range(14):  # no single step is better
        other = [*climbed[:rule], not climbed[rule], *climbed[rule + 1 :]]
        assert problem.length(other) >= problem.length(climbed) - 1e-9
    assert problem.best() == climbed


def test_many_rules():
    """Forty rules are beyond all subsets; each class of twenty rows has its own half of them."""
    problem = SubsetProblem(3, 40, n_rows=200)
    chosen = problem.best()
    nothing, everything = [False] * 40, [True] * 40
    assert problem.length(chosen) <= min(problem.length(nothing), problem.length(everything))


# ---------------------------------------------------------------- one rule


@pytest.mark.parametrize(("right", "wrong"), [(93, 7), (4, 0), (1, 0), (0, 3), (14, 11)])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
def test_interval_is_that_of_wilson(right, wrong, level):
    rule = Rule((), 0, (float(right), float(wrong)), 0.1, 0.0, 0.0)
    expected = binomtest(right, right + wrong).proportion_ci(level, method="wilson")
    np.testing.assert_allclose(rule.interval(level), [expected.low, expected.high], atol=1e-9)


def test_a_branch_must_exist():
    with pytest.raises(ValueError, match=r"'branch' of a condition must be in \[0, 1\]. Got 2"):
        Condition(Axis(0, 1.0), 2)


def flowers(*petals: list[float]) -> list[dict[str, float]]:
    sepals = {"sepal length": 6.0, "sepal width": 3.0}
    return [{**sepals, "petal length": length, "petal width": width} for length, width in petals]


def test_probabilities_are_shares_of_covered_rows():
    rules = handmade.iris_rules()
    rows = flowers([1.4, 0.2], [4.0, 1.3], [5.1, 1.5])
    assert rules.apply(rows).tolist() == [0, 1, 3]
    expected = [[1, 0, 0], [0, 47 / 48, 1 / 48], [0, 2 / 46, 44 / 46]]
    np.testing.assert_allclose(rules.distribution(rows), expected)
    np.testing.assert_allclose(rules.confidence(rows), [0.973, 0.946, 0.918])


def test_the_answer_is_the_most_probable_class_even_where_it_is_not_the_most_frequent():
    rules = handmade.iris_rules()
    rare = Rule(rules.rules[3].conditions, 0, (10.0, 20.0, 30.0), 0.6, 0.0, 0.0)
    rules = RuleSet(rules.schema, (rare,), rules.default, rules.class_weights)
    shares = rules.distribution(flowers([5.1, 1.5], [1.0, 1.5]))
    assert shares.argmax(axis=1).tolist() == [0, 0]
    np.testing.assert_allclose(shares[0], [3 / 8, 2 / 8, 3 / 8], atol=1e-8)
    np.testing.assert_allclose(shares[1], [1 / 3] * 3, atol=1e-8)  # no row was left: all rows


# ---------------------------------------------------------------- words


def test_text():
    check_golden("iris.ruleset.txt", str(handmade.iris_rules()))
    check_golden("iris.ruleset.sentences.txt", "\n".join(handmade.iris_rules().to_sentences()))


def test_a_narrow_text_leaves_nothing_out():
    text = handmade.iris_rules().to_text(width=60)
    assert max(map(len, text.splitlines())) <= 60
    assert "".join(text.split()).count("petalwidth") == 3
    assert repr(handmade.iris_rules()) == "<RuleSet: 4 rules>"


def test_intervals_and_levels_are_merged_in_words():
    city = Column("city", "categorical", levels=("A", "B", "C", "D"))
    schema = Schema((Column("age", "numeric"), city), ("no", "yes"))
    conditions = (
        Condition(Axis(0, 18.0), 1),
        Condition(Axis(0, 55.0), 0),
        Condition(Multiway(1, (0, 0, 1, 1)), 0),
    )
    rule = Rule(conditions, 1, (8.0, 112.0), 0.09, 120.0, 112.0)
    rules = RuleSet(schema, (rule,), Rule((), 0, (5.0, 1.0), 0.3, 6.0, 5.0), (13.0, 113.0), 0.9)
    assert rules.to_sentences() == [
        "if 18 < age <= 55 and city in {A, B} then yes (93 %, 120 rows, 90 % interval 88-97 %)",
        "otherwise no (83 %, 6 rows, 90 % interval 49-97 %)",
    ]


# ---------------------------------------------------------------- JSON


def edited(*path: object, value: object) -> object:
    content = json.loads(json.dumps(handmade.iris_rules().to_json()))
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return content


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "The rule set must be an object. Got a list of 0"),
        ({}, "The rule set lacks 'rules'"),
        (edited("extra", value=1), "unknown key: 'extra'"),
        (edited("rules", value={}), "The rules must be a list"),
        (edited("rules", 0, value=7), "Rule 0 must be an object. Got 7"),
        (edited("rules", 1, "conditions", value=[]), "Rule 1 has no condition"),
        (edited("rules", 1, "conditions", value=None), "The conditions of rule 1 must be a list"),
        (edited("rules", 1, "conditions", 0, "branch", value=2), "from 0 to 1. Got 2"),
        (edited("rules", 1, "conditions", 0, "branch", value=True), "from 0 to 1. Got true"),
        (edited("rules", 1, "conditions", 0, "test", "column", value=4), "from 0 to 3. Got 4"),
        (edited("rules", 1, "conditions", 0, "test", value=[]), "A split of rule 1 must be"),
        (edited("rules", 2, "value", value=3), "The value of rule 2 must be an integer from 0"),
        (edited("rules", 2, "class_weights", value=[1, 2]), "must be 3 numbers. Got 2"),
        (edited("rules", 2, "class_weights", 0, value=-1), "at least 0"),
        (edited("rules", 2, "class_weights", 0, value=1e305), "at most 1e+300"),
        (edited("rules", 2, "error_rate", value=1.5), "error rate of rule 2"),
        (edited("rules", 2, "error_rate", value="0.5"), "error rate of rule 2"),
        (edited("rules", 2, "answered", value=None), "'answered' of rule 2"),
        (edited("rules", 2, "answered_right", value=47), "'answered_right' of rule 2"),
        (edited("default", value=None), "The default must be an object. Got null"),
        (
            edited(
                "default",
                "conditions",
                value=handmade.iris_rules().to_json()["rules"][0]["conditions"],
            ),
            "The default of a rule set can have no condition",
        ),
        (edited("class_weights", value=[0, 0, 0]), "The class weights of the rule set are all 0"),
        (edited("interval", value=1), "between 0 and 1"),
        (edited("interval", value=95), "at most 1"),
    ],
)
def test_broken_json_is_refused(data, message):
    with pytest.raises(ModelFileError) as caught:
        RuleSet.from_json(data, handmade.iris().schema)
    assert message in str(caught.value)


def test_rules_need_classes():
    with pytest.raises(ModelFileError, match="needs classes in its schema"):
        RuleSet.from_json(handmade.iris_rules().to_json(), handmade.rent().schema)


# ---------------------------------------------------------------- trees of a fit


def test_every_leaf_that_says_the_same_needs_one_rule():
    """XOR: the tree has four leaves, and none of its conditions can go."""
    values = np.array([[a, b] for a in (0, 1) for b in (0, 1)] * 10, dtype=float)
    labels = (values[:, 0] != values[:, 1]).astype(int)
    tree = TreeClassifier(growth_rules=GrowthRules(zero_gain=True)).fit(values, labels).tree_
    rules = rule_set(tree, values, labels)
    assert rules.training_accuracy == 1.0
    assert {len(rule.conditions) for rule in rules.rules} == {2}
