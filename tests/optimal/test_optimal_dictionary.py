"""The tests an optimal tree may use: cuts of columns, sets of levels, gaps on either side."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import MUST, OptimalTreeClassifier, _core
from treewright.optimal.building import build_tree
from treewright.optimal.columns import table_tests
from treewright.optimal.dictionary import Dictionary, predicate_tests
from treewright.optimal.goals import ClassGoal, NumberGoal
from treewright.optimal.levels import level_tests
from treewright.optimal.passing import packed
from treewright.optimal.thresholds import column_cuts, cuts_alone, guessed_cuts, quantile_cuts
from treewright.predicates import Axis, Linear, Pair, Subset
from treewright.schema import Schema

GAP = float("nan")


def goal_of(codes) -> ClassGoal:
    codes = np.array(codes, dtype=np.int32)
    return ClassGoal(codes, np.ones(len(codes)), int(codes.max()) + 1)


def passing(dictionary: Dictionary, n_rows: int) -> np.ndarray:
    return np.array([dictionary.passes(test) for test in range(len(dictionary))])


def made(values, codes, thresholds="all", n_levels=None):
    values = np.array(values, dtype=np.float64)
    if n_levels is None:
        n_levels = [0] * values.shape[1]
    n_levels = np.array(n_levels, dtype=np.int32)
    return table_tests(values, n_levels, goal_of(codes), thresholds, depth=9)


def test_a_column_of_two_values_gives_one_test():
    tests = made([[0, 7], [1, 7], [0, 9]], [0, 1, 0])
    dictionary = tests.dictionary()
    assert len(dictionary) == 2
    assert [dictionary.predicate(test) for test in range(2)] == [Axis(0, 0.0), Axis(1, 8.0)]
    assert passing(dictionary, 3).tolist() == [[True, False, True], [True, True, False]]
    assert tests.words() == "all 2 thresholds of 2 numeric columns"
    assert tests.is_whole


def test_a_constant_column_gives_none():
    tests = made([[5, GAP], [5, GAP], [5, GAP]], [0, 1, 0])
    assert len(tests.dictionary()) == 0
    assert tests.words() == "no condition, as every column is constant,"


def test_the_cuts_of_a_column_stand_side_by_side_and_grow():
    dictionary = made([[3, 0], [1, 1], [2, 0], [2, 1], [9, 0]], [0, 1, 0, 1, 1]).dictionary()
    of_column = np.flatnonzero(dictionary.column == 0)
    assert np.diff(of_column).tolist() == [1, 1]
    counts = passing(dictionary, 5)[of_column].sum(axis=1)
    assert (np.diff(counts) > 0).all()
    assert len(set(dictionary.chain[of_column])) == 1


def test_a_gap_is_offered_on_both_sides():
    dictionary = made([[1], [2], [3], [GAP]], [0, 1, 0, 1]).dictionary()
    assert passing(dictionary, 4).astype(int).tolist() == [
        [1, 0, 0, 1],
        [1, 1, 0, 1],
        [1, 0, 0, 0],
        [1, 1, 0, 0],
    ]
    assert dictionary.unknown.tolist() == [0, 0, 1, 1]
    assert len(set(dictionary.chain)) == 2


def test_few_levels_give_every_set():
    codes = np.array([0.0, 1, 2, 3, 0, 1, 2, 3])
    dictionary = level_tests(4, codes, None, np.ones(8)).dictionary()
    assert len(dictionary) == 7
    sides = {frozenset([test.left, test.right]) for test in dictionary.others}
    assert len(sides) == 7
    for number, test in enumerate(dictionary.others):
        assert test.column == 4
        assert dictionary.passes(number).tolist() == [int(code) in test.left for code in codes]


def test_many_levels_are_put_in_order_for_two_classes():
    codes = np.repeat(np.arange(6.0), 4)
    share = np.array([0.5, 0.0, 1.0, 0.25, 0.75, 0.0])
    is_second = np.concatenate([np.arange(4) < 4 * part for part in share])
    dictionary = level_tests(0, codes, is_second.astype(float), np.ones(24)).dictionary()
    nested = [test.left for test in dictionary.others[:5]]
    assert nested == [(1,), (1, 5), (1, 3, 5), (0, 1, 3, 5), (0, 1, 3, 4, 5)]
    assert [test.left for test in dictionary.others[5:]] == [(level,) for level in range(6)]
    assert dictionary.chain.tolist() == [0] * 5 + [-1] * 6


def test_levels_are_put_in_order_by_weight():
    codes = np.repeat(np.arange(6.0), 2)
    is_second = np.tile([0.0, 1.0], 6)
    weights = np.ones(12)
    weights[1::2] = [3.0, 0.5, 9.0, 1.0, 2.0, 0.1]  # of the second class
    dictionary = level_tests(0, codes, is_second, weights).dictionary()
    nested = [test.left for test in dictionary.others[:5]]
    assert nested == [(5,), (1, 5), (1, 3, 5), (1, 3, 4, 5), (0, 1, 3, 4, 5)]


def test_weights_of_rows_with_many_levels_stand_for_repeated_rows():
    random = np.random.default_rng(3)
    city, y, counts = (
        random.integers(0, 8, 60),
        random.integers(0, 2, 60),
        random.integers(1, 9, 60),
    )
    names = np.array(list("abcdefgh"))[city]
    rows = np.repeat(np.arange(60), counts)
    weighted = OptimalTreeClassifier(1).fit({"city": names}, y, sample_weight=counts)
    repeated = OptimalTreeClassifier(1).fit({"city": names[rows]}, y[rows])
    assert weighted.certificate_.objective == repeated.certificate_.objective


def test_many_levels_stand_alone_for_many_classes():
    dictionary = level_tests(0, np.arange(7.0), None, np.ones(7)).dictionary()
    assert [test.left for test in dictionary.others] == [(level,) for level in range(7)]


def test_missing_levels_go_both_ways():
    dictionary = level_tests(0, np.array([0.0, 1.0, GAP]), np.ones(3), np.ones(3)).dictionary()
    assert passing(dictionary, 3).astype(int).tolist() == [[1, 0, 1], [1, 0, 0]]
    assert dictionary.unknown.tolist() == [0, 1]


def test_given_predicates_with_gaps_and_prices():
    table = _core.Table(np.array([[1.0, 2.0], [GAP, 1.0]]), np.zeros(2, dtype=np.int32))
    given_tests = [Axis(1, 1.5), Linear((0, 1), (1.0, 1.0), 2.0)]
    dictionary = predicate_tests(given_tests, table, price=0.25)
    assert passing(dictionary, 2).astype(int).tolist() == [[0, 1], [0, 1], [0, 0]]
    assert dictionary.unknown.tolist() == [-1, 0, 1]
    assert dictionary.price.tolist() == [0.0, 0.25, 0.25]
    assert dictionary.predicate(2) == given_tests[1]


# ---------------------------------------------------------------- which thresholds


def column_of(values) -> np.ndarray:
    return np.array(values, dtype=np.float64)


def different(largest: int, most: int) -> st.SearchStrategy[list[int]]:
    """Whole numbers that are not all the same, so that there is a cut."""
    numbers = st.lists(st.integers(0, largest), min_size=3, max_size=most)
    return numbers.filter(lambda found: len({*found}) > 1)


@given(different(60, 80), st.integers(1, 20))
def test_quantile_cuts_are_the_nearest(values, count):
    numbers = column_of(values)
    cuts = column_cuts(0, numbers, np.ones(len(numbers)))
    chosen = quantile_cuts(cuts, count)
    assert 1 <= len(chosen) <= count
    for step in range(1, count + 1):
        wanted = len(numbers) * step / (count + 1)
        distances = np.abs(cuts.below - wanted)
        assert distances[chosen].min() == pytest.approx(distances.min())


def test_guessed_and_single_cuts_find_where_classes_change():
    random = np.random.default_rng(3)
    values = random.normal(size=(400, 3))
    goal = goal_of((values[:, 0] > 0.3) ^ (values[:, 2] > -0.5))
    columns = [column_cuts(c, values[:, c], goal.weights) for c in range(3)]
    guessed = guessed_cuts(columns, values, goal)
    alone = cuts_alone(columns[0], values[:, 0], goal.core())
    for column, place in ((0, 0.3), (2, -0.5)):
        cuts = columns[column]
        position = int(np.searchsorted(cuts.values, place)) - 1
        assert np.abs(guessed[column] - position).min() <= 1
    assert len(alone) == 7
    again = guessed_cuts(columns, values, goal)
    assert all(np.array_equal(guessed[c], again[c]) for c in guessed)


@pytest.mark.parametrize("thresholds", ["auto", "all", "quantile", "guess"])
def test_long_columns_are_thinned_and_short_ones_whole(thresholds):
    random = np.random.default_rng(0)
    values = np.column_stack([random.normal(size=300), random.integers(0, 20, 300)])
    tests = made(values, values[:, 0] > 1, thresholds)
    long, short = tests.cuts
    assert short.is_whole
    assert long.is_whole == (thresholds == "all")
    assert tests.is_whole == (thresholds == "all")
    if thresholds != "all":
        assert len(long.offered) <= 60
        assert f"of the {long.n_cuts + short.n_cuts} thresholds" in tests.words()


def test_all_thresholds_are_offered_where_that_is_quick():
    values = np.random.default_rng(0).normal(size=(300, 3))
    n_levels = np.zeros(3, dtype=np.int32)
    goal = goal_of(values[:, 0] > 0)

    def whole(depth, *, along_chains):
        tests = table_tests(values, n_levels, goal, "auto", depth=depth, along_chains=along_chains)
        return tests.is_whole

    assert [whole(depth, along_chains=False) for depth in (1, 2, 3, 4)] == [True] * 3 + [False]
    assert [whole(depth, along_chains=True) for depth in (2, 3, 4, 6)] == [True] * 3 + [False]


@given(different(40, 60), st.integers(0, 30), st.data())
def test_the_largest_detour_is_what_moving_a_cut_costs(values, n_gaps, data):
    numbers = column_of([*values, *[GAP] * n_gaps])
    cuts = column_cuts(0, numbers, np.ones(len(numbers)))
    positions = st.sets(st.integers(0, cuts.n_cuts - 1), max_size=cuts.n_cuts)
    offered = cuts.offering(np.array(sorted(data.draw(positions)), dtype=np.intp))
    worst = 0
    for first, last in ((-n_gaps, len(values)), (0, len(numbers))):
        stops = [first, *cuts.below[offered.offered], last]
        worst = max(worst, *(min(abs(stop - below) for stop in stops) for below in cuts.below))
    assert offered.largest_detour() == worst


def test_the_bound_over_all_thresholds_minds_gaps():
    values = np.array([*range(330), *[GAP] * 1000])[:, None]
    y = np.array([0] * 330 + [1] * 1000)
    some = OptimalTreeClassifier(1, thresholds="quantile", refine=0).fit(values, y)
    whole = OptimalTreeClassifier(1, thresholds="all").fit(values, y)
    assert whole.certificate_.objective == 1
    assert some.certificate_.objective > 1
    assert some.certificate_.lower_bound_all_thresholds <= 1


def test_a_column_that_nothing_is_guessed_of_gives_no_test():
    values = np.random.default_rng(0).normal(size=(100, 2))
    model = OptimalTreeClassifier(2, thresholds="guess").fit(values, values[:, 0] > 0)
    assert model.certificate_.objective == 0
    assert model.tree_.n_leaves == 2


def test_bits_are_packed_from_the_lowest():
    assert packed(np.array([[True] + [False] * 8 + [True]])).tolist() == [[1, 2]]


# ---------------------------------------------------------------- building


def answer_with(test, dictionary, n_rows):
    """The answer of a search in which one test is right about every row and free."""
    options = _core.SearchOptions()
    options.max_depth = 1
    prices = np.ones(len(dictionary), dtype=np.int64)
    prices[test] = 0
    return _core.search_tree(
        dictionary.bits,
        n_rows,
        (~dictionary.passes(test)).astype(np.int64),
        np.ones(n_rows, dtype=np.int64),
        1 - np.eye(2, dtype=np.int64),
        prices,
        dictionary.last_level,
        dictionary.chain,
        dictionary.source,
        options,
    ).tree


@pytest.mark.parametrize("test", range(4))
def test_rows_with_gaps_go_where_their_bits_said(test):
    values = np.array([[1.0], [2.0], [3.0], [GAP]])
    goal = goal_of([0, 0, 1, 1])
    schema = Schema.from_data(values, classes=("a", "b"))[0]
    dictionary = made(values, [0, 0, 1, 1]).dictionary()
    table = _core.Table(values, schema.n_levels)
    tree = build_tree(answer_with(test, dictionary, 4), dictionary, goal, schema, table)
    tree.validate()
    assert (tree.apply(table) == 2 - dictionary.passes(test)).all()
    assert tree.node(0).default_branch == dictionary.unknown[test]


def test_thresholds_are_short_for_the_rows_of_their_node():
    values = np.array([[1.4137], [1.4182], [9.0]])
    goal = NumberGoal(np.array([1.0, 2.0, 3.0]), np.ones(3))
    schema = Schema.from_data(values)[0]
    table = _core.Table(values, schema.n_levels)
    dictionary = made(values, [0, 1, 1]).dictionary()
    answer = answer_with(0, dictionary, 3)
    readable = build_tree(answer, dictionary, goal, schema, table)
    halfway = build_tree(answer, dictionary, goal, schema, table, readable=False)
    assert readable.node(0).predicate == Axis(0, 1.416)
    assert halfway.node(0).predicate.threshold == pytest.approx(1.41595)
    assert [node.value for node in map(readable.node, range(3))] == [2.0, 1.0, 2.5]


def test_a_subset_keeps_its_levels():
    dictionary = level_tests(0, np.array([0.0, 1.0, 1.0]), np.ones(3), np.ones(3)).dictionary()
    assert dictionary.predicate(0) == Subset(0, (0,), (1,))


@pytest.mark.parametrize(
    ("low", "high"),
    [
        (np.nextafter(1.0, 2.0), np.nextafter(np.nextafter(1.0, 2.0), 2.0)),
        (-1.7e308, 1.7e308),
        (1.6e308, 1.7e308),
        (5e-324, 1e-323),
        (-5e-324, 0.0),
        (3.0, 4.0),
    ],
)
@pytest.mark.parametrize("readable", [True, False])
def test_thresholds_lie_between_their_values(low, high, readable):
    model = OptimalTreeClassifier(1, readable=readable).fit([[low], [high]], [0, 1])
    assert model.certificate_.objective == 0
    threshold = model.tree_.node(0).predicate.threshold
    assert low <= threshold < high


# ------------------------------------------------------- given predicates were printed unrounded

LENGTH = [4.9, 5.95, 5.97, 7.0, 5.5, 6.4]
WIDTH = [1.0, 2.0, 4.0, 8.0, 3.0, 5.0]
LONG = 5.960000000000001


@pytest.mark.parametrize(
    ("predicate", "printed"),
    [
        (Axis(0, LONG), "length <= 5.96"),
        (Pair("or", Axis(0, LONG), Axis(1, 1.0 / 3.0)), "length <= 5.96 or width <= 0.3"),
        (Pair("xor", Axis(0, LONG), Axis(1, 20.0 / 3.0)), "(length <= 5.96) and (width <= 6)"),
        (Linear((0, 1), (-1 / 3, -0.1 / 3), -6.26 / 3), "length + 0.1 * width <= 6.3"),
    ],
)
def test_given_predicates_are_printed_with_short_numbers(predicate, printed):
    table = {"length": LENGTH, "width": WIDTH}
    y = _core.route(predicate.encode(), _table_of(LENGTH, WIDTH)).tolist()
    raw = OptimalTreeClassifier(1, dictionary=[predicate], readable=False).fit(table, y)
    assert raw.tree_.node(0).predicate == predicate
    model = OptimalTreeClassifier(1, dictionary=[predicate]).fit(table, y)
    assert printed in model.tree_.to_text()
    numbers = model.tree_.node(0).predicate.encode()[2]
    assert all(len(f"{number:.15g}".strip("-")) <= 5 for number in numbers)
    assert model.certificate_.objective == raw.certificate_.objective == 0
    assert "0000001" not in model.export("sql", table="rows")
    assert (model.predict(table) == y).all()


def test_given_predicates_with_few_digits_stay_as_they_are():
    predicates = [Axis(0, 25.0), Linear((0, 1), (2.0, -0.125), 48.75)]
    table = {"bmi": [20.0, 22.0, 31.0, 40.0], "age": [1.0, 2.0, 3.0, 4.0]}
    for predicate in predicates:
        model = OptimalTreeClassifier(1, dictionary=[predicate]).fit(table, [0, 0, 1, 1])
        assert model.tree_.node(0).predicate == predicate


def test_thresholds_of_pairs_and_proposals_stay_halfway_unless_they_are_to_be_short():
    table = {"length": LENGTH, "width": WIDTH}
    y = [int(5.5 < x <= 6.4) for x in LENGTH]
    options = {"pair_levels": 1, "max_nodes": 1}
    raw = OptimalTreeClassifier(3, **options, readable=False).fit(table, y).tree_.node(0).predicate
    assert sorted(raw.encode()[2]) == pytest.approx([5.725, 6.7])
    short = OptimalTreeClassifier(3, **options).fit(table, y).tree_.node(0).predicate
    assert sorted(short.encode()[2]) == [5.7, 6.7]
    proposed = OptimalTreeClassifier(1, dictionary=[MUST(2)], readable=False).fit(table, y)
    numbers = proposed.tree_.node(0).predicate.encode()[2]
    assert max(len(repr(number)) for number in numbers) > 10


def _table_of(*columns):
    return _core.Table(np.array(columns).T.copy(), np.zeros(len(columns), dtype=np.int32))
