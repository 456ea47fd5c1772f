"""dGMML: ranks of columns, thresholds without a search, and the trees made of them."""

from __future__ import annotations

import math

import f_test_twin as twin
import numpy as np
import pytest
from f_test_trees import RULES, V1, V1_CLASSES, fit, grown, root, threshold_on, weights_of
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, f_oneway, pearsonr, ttest_ind
from sklearn.datasets import load_breast_cancer, load_iris

import treewright
from treewright import FTest, measures, rank_columns, recipes
from treewright.exceptions import DataError

seeds = st.integers(0, 2**32 - 1)


def shape(core, node=0):
    """The tree as the twin gives it."""
    if core.n_branches[node] == 0:
        return tuple(int(count) for count in core.statistics[node])
    _, features, numbers = core.test(node)
    coefficients = numbers[:-1] or [1.0]
    left = int(core.first_child[node])
    terms = dict(zip(features, coefficients, strict=True))
    return terms, numbers[-1], shape(core, left), shape(core, left + 1)


def same(one, other):
    if len(one) != 4 or len(other) != 4 or not isinstance(one[0], dict):
        return one == other
    (terms, b, *branches), (others, c, *rest) = one, other
    return (
        terms.keys() == others.keys()
        and all(terms[j] == pytest.approx(others[j], abs=1e-9) for j in terms)
        and b == pytest.approx(c, rel=1e-9, abs=1e-9)
        and all(map(same, branches, rest))
    )


# ---------------------------------------------------------------- worked examples


def test_weights_of_a_small_table():
    assert weights_of(V1, V1_CLASSES) == pytest.approx([1.58113883, 0.18898224, -math.inf])
    weighted = weights_of(V1, V1_CLASSES, [1, 2, 1, 1, 1, 1, 3, 1])
    assert weighted[0] == pytest.approx(1.62275486)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("k", [1, 2, 5])
def test_every_rule_finds_the_gap_between_two_classes(rule, k):
    assert threshold_on(V1[:, 0], V1_CLASSES, threshold=rule, closest_k=k) == 5.0


@pytest.mark.parametrize(
    ("values", "size", "w", "expected"),
    [
        ([0, 0, 0, 1, 1, 1, 1, 1], 4, 0.8660254, {"closest": 0.625, "median": 0.5, "mean": 0.625}),
        ([0, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5], 6, 0.18257419, {"closest": 2.5}),
    ],
)
def test_a_threshold_that_leaves_a_branch_empty_is_moved(values, size, w, expected):
    classes = np.repeat([0, 1], [size, len(values) - size])
    assert weights_of(np.reshape(values, (-1, 1)), classes) == pytest.approx([w])
    for rule, threshold in expected.items():
        assert threshold_on(values, classes, threshold=rule) == threshold


def test_two_kinds_of_iris():
    X, y = load_iris(return_X_y=True)
    X, y = X[50:], y[50:]
    assert weights_of(X, y) == pytest.approx([0.113726, 0.064766, 0.254635, 0.295477], abs=5e-7)
    t = [math.sqrt(c.statistic) for c in sorted(rank_columns(X, y), key=lambda c: c.name)]
    assert t == pytest.approx([5.629165, 3.205761, 12.603779, 14.625367], abs=5e-7)
    expected = {"closest": 1.6, "median": 1.6, "mean": 1.676, "class_midpoint": 1.676}
    for rule, threshold in expected.items():
        test = root(fit(X, y, threshold=rule))
        assert (test.column, test.threshold) == (3, pytest.approx(threshold))


def test_three_kinds_of_iris():
    X, y = load_iris(return_X_y=True)
    assert weights_of(X, y) == pytest.approx([1.273831, 0.817829, 4.007071, 3.614045], abs=5e-7)
    statistics = [c.statistic for c in sorted(rank_columns(X, y), key=lambda c: c.name)]
    assert statistics == pytest.approx([119.2645, 49.16, 1180.1612, 960.0071], abs=5e-5)
    for rule, threshold in {"closest": 2.55, "class_midpoint": 3.184, "mean": 3.758}.items():
        test = root(fit(X, y, threshold=rule))
        assert (test.column, test.threshold) == (2, pytest.approx(threshold, abs=5e-4))


@pytest.mark.parametrize(
    ("rule", "threshold", "leaves", "errors", "left", "right"),
    [
        ("closest", 0.115327, 27, 11, 23, 20),
        ("median", 0.09993, 23, 16, 13, 20),
        ("mean", 0.114606, 32, 18, 23, 20),
        ("class_midpoint", 0.128341, 20, 14, 23, 20),
        ("impurity", 0.14235, 18, 8, 23, 16),
    ],
)
def test_trees_of_the_wisconsin_data(rule, threshold, leaves, errors, left, right):
    X, y = load_breast_cancer(return_X_y=True)
    tops = [(c.name, round(c.weight, 6)) for c in rank_columns(X, y)][:5]
    expected = [("x27", 0.113081), ("x22", 0.109116), ("x7", 0.106889), ("x20", 0.106834)]
    assert tops == [*expected, ("x2", 0.096151)]
    model = recipes.dgmml_paper(threshold=rule).fit(X, y)
    assert root(model).threshold == pytest.approx(threshold, abs=5e-7)
    assert root(model).column == 27
    assert model.tree_.n_leaves == leaves
    assert (model.predict(X) != y).sum() == errors
    children = [model.tree_.node(int(child)).predicate.column for child in (1, 2)]
    assert children == [left, right]


def test_directions_of_the_wisconsin_data():
    X, y = load_breast_cancer(return_X_y=True)
    printed = recipes.dgmml_mdt(variant="paper").fit(X, y)
    assert (printed.tree_.n_leaves, (printed.predict(X) != y).sum()) == (50, 35)
    corrected = recipes.dgmml_mdt("all", threshold="closest", prune=None, readable=False).fit(X, y)
    assert (corrected.tree_.n_leaves, (corrected.predict(X) != y).sum()) == (17, 11)


@pytest.mark.parametrize(
    ("branches", "expected"),
    [
        ([[40, 0], [10, 50]], 0.15665387),
        ([[30, 20], [30, 20]], 0.0),
        ([[50, 0], [0, 50]], 0.29289322),
        ([[5, 0, 5], [0, 10, 10]], 0.13160943),
    ],
)
def test_inter_node_hellinger_distance(branches, expected):
    found = measures.decrease("hellinger", np.sum(branches, axis=0), branches)
    assert found == pytest.approx(expected, abs=5e-9)


def test_lost_values_raise_the_weight_and_lower_the_t_statistic():
    values = [1.0, 2, 3, 4, 6, 7, 8, 9]
    with_gaps = [x if i % 2 == 0 else None for i, x in enumerate(values)]
    ranking = rank_columns({"gaps": with_gaps, "all": values}, V1_CLASSES)
    assert [c.name for c in ranking] == ["all", "gaps"]
    assert [c.weight for c in ranking] == pytest.approx([1.581139, 2.5], abs=5e-7)
    assert [math.sqrt(c.statistic) for c in ranking] == pytest.approx([5.477226, 3.535534])


# ---------------------------------------------------------------- the twin


@given(
    seed=seeds,
    rule=st.sampled_from(RULES),
    features=st.sampled_from([1, 2, 9]),
    n_classes=st.integers(2, 4),
    min_leaf=st.integers(1, 4),
    weighted=st.booleans(),
)
def test_trees_are_those_of_the_twin(seed, rule, features, n_classes, min_leaf, weighted):
    random = np.random.default_rng(seed)
    X = random.normal(size=(60, 4)).round(int(random.integers(0, 3)) if features == 1 else 6)
    y = random.integers(0, n_classes, 60)
    X[:, 0] += y * random.random()
    w = random.integers(1, 4, 60).astype(float) if weighted else np.ones(60)
    split = FTest(features, threshold=rule, closest_k=3)
    model = grown(split, X, y, w, min_samples_leaf=min_leaf)
    expected = twin.grow(X, y, w, rule=rule, k=3, features=features, min_leaf=min_leaf)
    held = shape(model.tree_.core)
    if weighted:  # leaves of the twin hold rows
        held = shape(grown_counts(model, X, y))
    assert same(held, expected)


def grown_counts(model, X, y):
    """Return the core of the same tree with rows counted."""
    table = treewright._core.Table(X, model.schema_.n_levels)
    target = treewright._core.Target.classes(
        y.astype(np.int32), len(model.classes_), np.ones(len(y))
    )
    return treewright._core.refit(model.tree_.core, table, target)


@given(seed=seeds)
def test_printed_directions_are_those_of_the_twin(seed):
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(60, 4)), random.integers(0, 2, 60)
    model = fit(X, y, features="all", variant="paper")
    assert same(shape(model.tree_.core), twin.grow(X, y, features=9, printed=True))


# ---------------------------------------------------------------- ranks


@given(seed=seeds, weighted=st.booleans())
def test_f_is_the_square_of_t(seed, weighted):
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(30, 2)) + 1e3, np.repeat([0, 1], [12, 18])
    for column in rank_columns(X, y, np.full(30, 3.0) if weighted else None):
        x = X[:, int(column.name[1:])]
        t, p = ttest_ind(x[y == 0], x[y == 1])
        assert column.statistic == pytest.approx(t * t, rel=1e-7, abs=1e-9)
        assert column.p_value == pytest.approx(p, rel=1e-6)
        factor = math.sqrt((30 - 2) * 12 * 18 / 30)
        in_weights = math.sqrt(3.0) if weighted else 1.0
        assert column.weight * in_weights * factor == pytest.approx(abs(t), rel=1e-7, abs=1e-9)


def test_categorical_columns_compete_by_p_value():
    random = np.random.default_rng(0)
    y = random.integers(0, 3, 200)
    X = {
        "number": random.normal(size=200) + 0.2 * y,
        "level": np.where(random.random(200) < 0.7, y, random.integers(0, 3, 200)).astype(str),
    }
    table = [[((X["level"] == str(a)) & (y == b)).sum() for b in range(3)] for a in range(3)]
    expected = chi2_contingency(table, correction=False)
    best, other = rank_columns(X, y)
    assert (best.name, other.name) == ("level", "number")
    assert (best.statistic, best.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    assert other.p_value == pytest.approx(f_oneway(*(X["number"][y == c] for c in range(3))).pvalue)
    for kind, n_branches in {"subset": 2, "multiway": 3}.items():
        model = grown(FTest(), X, y, categorical=kind, max_depth=1)
        assert model.tree_.n_leaves == n_branches
        assert model.tree_.node(0).predicate.columns == (1,)


def test_levels_and_a_numeric_target_are_compared_by_analysis_of_variance():
    random = np.random.default_rng(1)
    level = random.choice(["a", "b", "c"], 90)
    y = (level == "b") + random.normal(size=90)
    (column,) = rank_columns({"level": level}, y, task="regression")
    expected = f_oneway(*(y[level == name] for name in "abc"))
    assert (column.statistic, column.p_value) == pytest.approx(tuple(expected))
    model = grown(FTest(), {"noise": random.normal(size=90), "level": level}, y, classes=False)
    assert model.tree_.node(0).predicate.columns == (1,)


def test_numbers_are_ranked_by_correlation():
    random = np.random.default_rng(2)
    X = random.normal(size=(80, 3))
    y = X @ [1.0, -3.0, 0.0] + random.normal(size=80)
    ranking = rank_columns(X, y, task="regression")
    assert [c.name for c in ranking][:2] == ["x1", "x0"]
    for column in ranking:
        r, p = pearsonr(X[:, int(column.name[1:])], y)
        assert (column.weight, column.p_value) == pytest.approx((abs(r), p))


def test_a_column_known_in_one_row_of_a_class_is_never_chosen():
    y = np.repeat([0, 1], 10)
    perfect = np.where(y == 0, 0.0, 1.0) + np.arange(20) * 1e-3
    perfect[[*range(2, 10), *range(11, 20)]] = np.nan
    X = np.column_stack([perfect, np.arange(20) % 7.0])
    ranking = rank_columns(X, y)
    assert [(c.name, c.can_be_chosen) for c in ranking] == [("x1", True), ("x0", False)]
    assert root(fit(X, y)).column == 1


def test_ties_go_to_the_earlier_column():
    random = np.random.default_rng(3)
    x, y = random.normal(size=50), random.integers(0, 2, 50)
    X = np.column_stack([random.normal(size=50) * 0.01, x, 3 * x + 7, -x / 7, x])
    order = [c.name for c in rank_columns(X, y) if c.name != "x0"]
    assert order == ["x1", "x2", "x3", "x4"]


def test_columns_at_a_node_are_those_of_its_rows():
    pytest.importorskip("pandas")
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = recipes.dgmml_paper().fit(X, y)
    left = X["worst concave points"] <= root(model).threshold
    assert model.rank_columns(1, X, y) == rank_columns(X[left], y[left])
    assert model.rank_columns(1, X, y)[0].name == X.columns[23]
    assert len(model.rank_columns(0, X, y)) == 30
    with pytest.raises(DataError, match=r"nodes 0 to 52\. Got 53"):
        model.rank_columns(53, X, y)
    with pytest.raises(DataError, match="None of the rows reaches node 2"):
        model.rank_columns(2, X[left], y[left])
    with pytest.raises(ValueError, match="'task' parameter of rank_columns"):
        rank_columns(X, y, task="ranking")


# ---------------------------------------------------------------- invariances


@given(
    seed=seeds,
    scale=st.floats(1e-3, 1e3),
    shift=st.floats(-10, 10),
    mirrored=st.booleans(),
    # The best cut is not among the rules: the first of equally good ones depends on the direction.
    split=st.builds(
        lambda features, rule: FTest(features, threshold=rule),
        st.sampled_from([1, 2, "all"]),
        st.sampled_from(RULES),
    ),
)
def test_units_of_columns_do_not_matter(seed, scale, shift, mirrored, split):
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(80, 3)), random.integers(0, 3, 80)
    X[:, 1] += y
    scales = np.array([1.0, -scale if mirrored else scale, 7.0])
    one = grown(split, X, y)
    other = grown(split, X * scales + shift, y)
    leaves = [
        np.unique(m.apply(t), return_inverse=True)[1]
        for m, t in [(one, X), (other, X * scales + shift)]
    ]
    assert one.tree_.n_leaves == other.tree_.n_leaves
    assert len(set(zip(*leaves, strict=True))) == one.tree_.n_leaves


@given(seed=seeds, rule=st.sampled_from(RULES), features=st.sampled_from([1, 2]))
def test_weights_of_1_are_no_weights(seed, rule, features):
    random = np.random.default_rng(seed)
    X, y = random.normal(size=(50, 3)).round(1), random.integers(0, 2, 50)
    split = FTest(features, threshold=rule)
    assert grown(split, X, y).tree_ == grown(split, X, y, np.ones(50)).tree_


@given(
    seed=seeds,
    rule=st.sampled_from(["median", "mean", "class_midpoint", "impurity"]),
    features=st.sampled_from([1, 2]),
    classes=st.booleans(),
)
def test_whole_weights_are_repeated_rows(seed, rule, features, classes):
    random = np.random.default_rng(seed)
    X, w = random.normal(size=(40, 3)).round(2), random.integers(1, 4, 40)
    y = random.integers(0, 3, 40) if classes else random.normal(size=40)
    split = FTest(features, threshold=rule)
    one = grown(split, X, y, w, classes=classes, min_samples_split=2, max_depth=3)
    other = grown(
        split, np.repeat(X, w, axis=0), np.repeat(y, w), classes=classes, min_samples_split=2,
        max_depth=3,
    )  # fmt: skip
    assert one.tree_.n_nodes == other.tree_.n_nodes
    np.testing.assert_array_equal(one.apply(X), other.apply(X))


@given(seed=seeds, rule=st.sampled_from(RULES), missing=st.sampled_from(["default", "fraction"]))
def test_no_branch_is_empty(seed, rule, missing):
    random = np.random.default_rng(seed)
    X = random.integers(0, 3, size=(40, 3)).astype(float)
    X[random.random(X.shape) < 0.3] = np.nan
    X[0] = 1.0
    y = random.integers(0, 3, 40)
    core = grown(FTest(threshold=rule), X, y, missing=missing, min_samples_split=2).tree_.core
    assert (core.rows > 0).all()


@pytest.mark.parametrize("gaps", [0.0, 0.1])
@pytest.mark.parametrize("split", [FTest(), FTest(2), FTest("all", variant="paper")], ids=repr)
def test_the_order_of_a_table_in_memory_does_not_matter(split, gaps):
    random = np.random.default_rng(4)
    X = random.normal(size=(9000, 30))  # too large for the cache: copied by rows
    y = (X[:, :3].sum(axis=1) + random.normal(size=9000) > 0).astype(int)
    X[random.random(X.shape) < gaps] = np.nan
    by_rows, by_columns = np.ascontiguousarray(X), np.asfortranarray(X)
    one, other = (grown(split, table, y, max_depth=5) for table in (by_rows, by_columns))
    assert one.tree_ == other.tree_
