"""Readable numbers: every training row keeps its way, and what is printed is what is used.

`readable_test` is asked directly for tests of all kinds; trees are grown by every registered split
method, and their numbers are read back from the words and from exported code, bit for bit.
"""

from __future__ import annotations

import json
import re
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import coded_rows, predicates, schemas

from treewright import ForestClassifier, OptimalTreeClassifier, TreeClassifier, TreeRegressor, _core
from treewright.export import export_tree
from treewright.predicates import Axis, Linear, Machine, Pair, Predicate, Subset, decode
from treewright.schema import Schema
from treewright.splits import registered
from treewright.tree import Tree

CODE = ("json", "sql", "python", "javascript", "c")


def significant_digits(number: float) -> int:
    digits = repr(float(number)).split("e")[0].strip("-").replace(".", "").strip("0")
    return max(1, len(digits))


def numbers_of(predicate: Predicate) -> list[float]:
    """All numbers of a test, in no order."""
    match predicate:
        case Axis(_, threshold):
            return [threshold]
        case Linear(_, coefficients, threshold):
            return [*coefficients, threshold]
        case Machine(_, rows, intercepts):
            return [*(number for row in rows for number in row), *intercepts]
        case Pair(_, first, second):
            return numbers_of(first) + numbers_of(second)
    return []


def bits(numbers: list[float]) -> set[bytes]:
    """Numbers without their signs, which code writes apart; 0 and 1 may be left out of words."""
    return {struct.pack("<d", abs(number)) for number in numbers if abs(number) not in (0.0, 1.0)}


# ---------------------------------------------------------------- one test


@given(st.data())
def test_every_row_keeps_its_way(data):
    schema = data.draw(schemas())
    test = data.draw(predicates(schema))
    values = data.draw(coded_rows(schema, most=30))
    table = _core.Table(values, schema.n_levels)
    rows = np.arange(len(values), dtype=np.uint32)
    flat, is_turned = _core.readable_test(test.encode(), table, rows)
    before = _core.route(test.encode(), table)
    after = _core.route(flat, table)
    if is_turned:
        after = np.where(after < 0, after, 1 - after)
    np.testing.assert_array_equal(after, before)
    assert set(decode(flat).columns) <= set(test.columns)
    if not isinstance(test, Linear):
        assert decode(flat).columns == test.columns


@given(st.data())
def test_a_sum_leads_with_a_plus_and_its_largest_coefficient_is_one(data):
    columns = data.draw(st.integers(2, 4))
    schema, _ = Schema.from_data(np.zeros((1, columns)))
    size = st.floats(0.01, 100.0)
    numbers = st.builds(lambda sign, magnitude: sign * magnitude, st.sampled_from([-1, 1]), size)
    coefficients = data.draw(st.lists(numbers, min_size=columns, max_size=columns))
    n_rows = data.draw(st.integers(40, 80))
    values = np.random.default_rng(data.draw(st.integers(0, 99))).normal(size=(n_rows, columns))
    values /= np.abs(coefficients)  # so that every term matters
    threshold = float(np.median(values @ coefficients))
    test = Linear(tuple(range(columns)), tuple(coefficients), threshold)
    table, rows = _core.Table(values, schema.n_levels), np.arange(n_rows, dtype=np.uint32)
    short = decode(_core.readable_test(test.encode(), table, rows)[0])
    assert isinstance(short, Linear)
    assert short.coefficients[0] > 0.0
    assert max(map(abs, short.coefficients)) == 1.0
    raw = [number / max(map(abs, coefficients)) for number in coefficients]
    assert sum(map(significant_digits, short.coefficients)) <= sum(map(significant_digits, raw))


def test_levels_count_in_the_unit_of_the_numbers_beside_them():
    """Scaled to a largest coefficient of 1, the sum hid what a level is worth."""
    random = np.random.default_rng(0)
    values = np.column_stack([random.uniform(0.0, 60.0, 400), random.integers(0, 3, 400)])
    levels = np.array([0, 3], dtype=np.int32)
    test = Linear((0, 1), (0.0731, 0.0731 * 12.04), 0.0731 * 40.02, (None, 1))
    table, rows = _core.Table(values, levels), np.arange(400, dtype=np.uint32)
    flat, is_turned = _core.readable_test(test.encode(), table, rows)
    short = decode(flat)
    assert isinstance(short, Linear)
    assert short.levels == (None, 1)
    assert not is_turned
    assert short.coefficients[0] == 1.0
    assert short.coefficients[1] == pytest.approx(12.0, abs=0.5)
    np.testing.assert_array_equal(_core.route(flat, table), _core.route(test.encode(), table))


def test_a_sum_of_one_level_is_a_test_of_levels():
    values = np.array([[5.0, code] for code in (0.0, 1.0, 2.0, np.nan)])
    levels = np.array([0, 3], dtype=np.int32)
    table, rows = _core.Table(values, levels), np.arange(4, dtype=np.uint32)
    for coefficient, left in ((3.0, (0, 2)), (-3.0, (1,))):
        threshold = 1.5 if coefficient > 0 else -1.5
        test = Linear((1,), (coefficient,), threshold, (1,))
        flat, is_turned = _core.readable_test(test.encode(), table, rows)
        short = decode(flat)
        assert isinstance(short, Subset)
        assert short.left == left
        assert not is_turned
    for threshold in (-5.0, 5.0):  # all levels on one side
        test = Linear((1,), (3.0,), threshold, (1,))
        flat, _ = _core.readable_test(test.encode(), table, rows)
        np.testing.assert_array_equal(_core.route(flat, table), _core.route(test.encode(), table))


def can_be_parted(values: np.ndarray, test: Linear, columns: set[int], goes: np.ndarray) -> bool:
    """Whether some threshold on the sum of these terms has the same rows on either side."""
    known = goes >= 0
    kept = [(c, w) for c, w in zip(test.columns, test.coefficients, strict=True) if c in columns]
    score = sum(w * values[:, column] for column, w in kept)
    if np.isfinite(score[~known]).any():
        return False
    low, high = score[known & (goes == 0)], score[known & (goes == 1)]
    return bool(low.max() < high.min() - 1e-9)


@pytest.mark.parametrize("has_gaps", [False, True])
@given(st.integers(2, 3), st.integers(3, 25), st.integers(0, 2**32 - 1))
def test_terms_that_change_no_row_are_dropped(has_gaps, columns, n_rows, seed):
    """A sum that was a disguise for one column was printed as a sum."""
    random = np.random.default_rng(seed)
    values = np.round(random.normal(size=(n_rows, columns)) @ random.normal(size=(columns,) * 2), 1)
    if has_gaps:
        values[random.random(values.shape) < 0.1] = np.nan
    coefficients = random.normal(size=columns) * 10.0 ** random.integers(-3, 1, columns)
    scores = values @ coefficients
    known = np.sort(scores[np.isfinite(scores)])
    if len(known) < 2 or known[0] == known[-1]:
        known = np.array([0.0, 1.0])
    test = Linear(tuple(range(columns)), tuple(coefficients), float(known[[0, -1]].mean()))
    schema, _ = Schema.from_data(np.zeros((1, columns)))
    table, rows = _core.Table(values, schema.n_levels), np.arange(n_rows, dtype=np.uint32)
    flat, is_turned = _core.readable_test(test.encode(), table, rows)
    short, before, after = decode(flat), _core.route(test.encode(), table), _core.route(flat, table)
    np.testing.assert_array_equal(np.where(after < 0, after, after ^ is_turned), before)
    if not (before == 0).any() or not (before == 1).any():
        assert short.columns == test.columns
        return
    assert isinstance(short, Axis if len(short.columns) == 1 else Linear)
    for column in short.columns if len(short.columns) > 1 else ():
        assert not can_be_parted(values, test, {*short.columns} - {column}, before)


def test_a_term_that_decides_which_rows_lack_a_value_stays():
    values = np.array([[1.0, 5.0], [2.0, 5.0], [3.0, np.nan], [4.0, 5.0]])
    schema, _ = Schema.from_data(np.zeros((1, 2)))
    test = Linear((0, 1), (1.0, 0.001), 3.1)
    for n_rows, kept in ((4, (0, 1)), (2, (0,))):
        some = np.ascontiguousarray(np.delete(values, 2, axis=0) if n_rows == 2 else values)
        rows = np.arange(len(some), dtype=np.uint32)
        flat, _ = _core.readable_test(test.encode(), _core.Table(some, schema.n_levels), rows)
        assert decode(flat).columns == kept


def test_sums_that_are_equal_but_for_rounding_are_not_parted_by_seventeen_digits():
    """0.3 - 0.8 * 0.1 and 0.22 are the same number, but not the same double."""
    values = np.array([[0.3, 0.1], [0.22, 0.0], [0.9, 0.4], [0.1, 0.2], [0.2999, 0.1]])
    schema, _ = Schema.from_data(values)
    table, rows = _core.Table(values, schema.n_levels), np.arange(5, dtype=np.uint32)
    sums = values @ [1.0, -0.8123]
    threshold = float(sums[[0, 1]].mean())
    test = Linear((0, 1), (1.0, -0.8123), threshold)
    short = decode(_core.readable_test(test.encode(), table, rows)[0])
    assert sum(map(significant_digits, numbers_of(short))) <= 8


# ---------------------------------------------------------------- trees


def grown() -> list[tuple[str, Tree]]:
    """A tree of every split method, for classes and where it can for numbers, and of the others."""
    random = np.random.default_rng(3)
    values = random.gamma(2.0, 3.0, (240, 4)) * [1.0, 1e3, 1e-3, 1.0]
    values[:, 3] = np.round(values[:, 3])
    table: dict[str, object] = dict(zip("abcd", values.T, strict=True))
    table["e"] = random.choice(["u", "v", "w"], 240)
    score = values[:, 0] + values[:, 1] / 1e3 + values[:, 3]
    classes = np.array(["p", "q", "r"])[np.digitize(score, [14, 20])]
    found = []
    for method in registered():
        for kind, answers in ((TreeClassifier, classes), (TreeRegressor, score)):
            model = kind(split=method, max_depth=3, min_samples_leaf=8, random_state=0)
            try:
                tree = model.fit(table, answers).tree_
            except ValueError:  # a method for classes only
                assert kind is TreeRegressor
                continue
            found.append((f"{kind.__name__}({method!r})", tree))
    found.append(("optimal", OptimalTreeClassifier(max_depth=2).fit(table, classes).tree_))
    forest = ForestClassifier(n_estimators=2, max_depth=3, random_state=0, readable=True)
    found += [(f"forest {i}", t) for i, t in enumerate(forest.fit(table, classes).trees_)]
    surrogates = TreeClassifier(missing="surrogate", max_depth=3).fit(table, classes)
    return [*found, ("surrogates", surrogates.tree_)]


@pytest.fixture(scope="module", params=grown(), ids=lambda case: case[0][:70])
def tree(request) -> Tree:
    return request.param[1]


def test_words_show_the_numbers_that_are_used(tree):
    for node in tree.walk():
        if node.predicate is None:
            continue
        words = " ".join(map(str, node.predicate.branches(tree.schema)))
        shown = [float(number) for number in re.findall(r"(?<![\w.])\d[\d.]*(?:e[+-]\d+)?", words)]
        assert bits(numbers_of(node.predicate)) == bits(shown)


@pytest.mark.parametrize("target", CODE)
def test_exports_hold_the_numbers_that_are_used(tree, target):
    code = export_tree(tree, target)
    assert isinstance(code, str)
    code = re.sub(r"\d+\.\d+\.\d+", "", code)  # the version
    written = bits([float(n) for n in re.findall(r"(?<![\w.])\d[\d.]*(?:[eE][+-]?\d+)?", code)])
    used = [n for node in tree.walk() if node.predicate for n in numbers_of(node.predicate)]
    assert bits(used) <= written


def test_files_hold_the_numbers_that_are_used(tree):
    again = Tree.from_json(json.loads(json.dumps(tree.to_json())), tree.schema)
    assert again.core.state()["numbers"].tobytes() == tree.core.state()["numbers"].tobytes()


@pytest.mark.parametrize("method", list(registered()), ids=lambda method: repr(method)[:60])
def test_growth_divides_the_rows_as_with_raw_numbers(method):
    random = np.random.default_rng(7)
    values = random.normal(size=(150, 3))
    classes = (values @ [1.0, 0.7, -0.4] + 0.3 * random.normal(size=150) > 0).astype(int)
    ends = []
    for readable in (False, True):
        model = TreeClassifier(
            split=method, max_depth=4, min_samples_leaf=5, random_state=0, readable=readable
        )
        ends.append(model.fit(values, classes).apply(values))
    pairs = set(zip(*(end.tolist() for end in ends), strict=True))
    assert len(pairs) == len(set(ends[0].tolist())) == len(set(ends[1].tolist()))
