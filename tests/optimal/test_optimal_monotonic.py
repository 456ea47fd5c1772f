"""Optimal trees predict in order of monotonic constraints, and none that does is better."""

from __future__ import annotations

import numpy as np
import pytest

import treewright
from tests.grow.test_monotonic import most_against
from tests.twins.limited_twin import class_loss, number_loss
from tests.twins.ordered_twin import OrderedTwin, PlacesTwin
from treewright import Constraints, OptimalTreeClassifier, OptimalTreeRegressor, TreeClassifier
from treewright.predicates import Axis, Linear, Pair, Subset

N_COLUMNS = 3


def table(random: np.random.Generator, most_values: int) -> tuple[np.ndarray, ...]:
    """Return rows of few values, some missing, what depends on them in any direction, weights."""
    n_rows = int(random.integers(6, 18))
    X = random.integers(0, random.integers(2, most_values + 1), (n_rows, N_COLUMNS)).astype(float)
    score = X @ random.choice([-1.0, 0.0, 1.0], N_COLUMNS) + random.integers(0, 3, n_rows)
    score += X[:, 0] * X[:, 1] * random.choice([-1, 0, 1])
    if random.random() < 0.3:
        X[random.random(X.shape) < 0.1] = np.nan
    weights = np.ones(n_rows) if random.random() < 0.5 else random.choice([0.5, 1.0, 2.5], n_rows)
    return X, score, weights


def answer_of(y, weights):
    def answer(rows) -> float:
        return float((weights[rows] * y[rows]).sum() / weights[rows].sum())

    return answer


def answers_of(model, X) -> np.ndarray:
    if isinstance(model, OptimalTreeRegressor):
        return model.predict(X)
    proportions = model.predict_proba(X)
    return proportions[:, -1] if proportions.shape[1] > 1 else np.zeros(len(X))


def check_one(seed: int, depth: int) -> None:
    """Compare the objective, the order and the claim with every tree there is."""
    random = np.random.default_rng(seed)
    X, score, weights = table(random, 4 if depth < 3 else 2)
    trends = random.choice([-1, 0, 1], N_COLUMNS).tolist()
    penalty = float(random.choice([0.0, 0.03]))
    min_rows = int(random.choice([1, 2]))
    if seed % 3:
        y = (score > np.median(score)).astype(int)
        model, loss, unit = OptimalTreeClassifier(), class_loss(y, weights), weights.sum()
    else:
        y, model = score + random.integers(0, 3, len(score)) / 2, OptimalTreeRegressor()
        loss = number_loss(y, weights)
        unit = loss(np.ones(len(y), dtype=bool))
    model.set_params(
        max_depth=depth,
        thresholds="all",
        penalty=penalty,
        min_samples_leaf=min_rows,
        monotonic_cst=trends,
        readable=bool(seed % 2),
    )
    model.fit(X, y, weights)
    twin = OrderedTwin(X, loss, answer_of(y, weights), trends, penalty * unit, min_rows)
    certificate = model.certificate_
    assert twin.is_in_order(answers_of(model, twin.grid)[None])[0]
    assert certificate.proven
    near = pytest.approx(twin.best(depth, len(X)), abs=1e-9 * max(unit, 1.0))
    assert certificate.objective == near
    assert certificate.lower_bound == certificate.objective
    leaves = model.apply(X)
    own = sum(loss(leaves == leaf) for leaf in np.unique(leaves))
    assert own + penalty * unit * (model.tree_.n_leaves - 1) == near
    assert ("whose predictions only" in certificate.tests) == any(trends)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_no_tree_in_order_is_better(depth):
    for seed in range(12):
        check_one(seed, depth)


def test_a_leaf_of_rows_without_a_value_is_not_compared_with_its_sibling():
    check_one(1575, 2)
    check_conditions(1331)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [2, 3])
def test_two_thousand_tables(depth):
    for seed in range(2000):
        check_one(1000 + seed, depth)


def conditions_of(random: np.random.Generator) -> list:
    """Return cuts, sets of levels, sums and pairs of the columns below."""
    found = [Axis(column, 0.5 + value) for column in (0, 1) for value in (0, 1)]
    found += [Subset(2, (0,), (1,)), Subset(3, (0, 2), (1,)), Subset(3, (0,), (1, 2))]
    for _ in range(3):
        coefficients = tuple(float(random.choice([-2, -1, 1, 1.5])) for _ in range(2))
        found.append(Linear((0, 1), coefficients, float(random.integers(-1, 3)) + 0.25))
    found.append(Pair("and", Axis(0, 0.5), Axis(1, 1.5)))
    return [found[i] for i in random.permutation(len(found))[:8]]


def side_of(predicate, trends) -> int | None:
    """Say which branch must predict more: 1 the second, -1 the first; None if columns disagree."""
    match predicate:
        case Axis():
            return trends[predicate.column]
        case Subset():
            return trends[predicate.column] * (1 if 0 in predicate.left else -1)
        case Linear():
            pulls = zip(predicate.columns, predicate.coefficients, strict=True)
            own = {int(trends[column] * np.sign(c)) for column, c in pulls} - {0}
            return None if len(own) > 1 else sum(own)
    return None if any(trends[column] for column in predicate.columns) else 0


def check_conditions(seed: int) -> None:
    random = np.random.default_rng(seed)
    n_rows = int(random.integers(8, 20))
    numbers = random.integers(0, 3, (n_rows, 2)).astype(float)
    numbers[random.random(numbers.shape) < (0.1 if seed % 2 else 0.0)] = np.nan
    flag, level = random.random(n_rows) < 0.5, random.integers(0, 3, n_rows)
    level[:3], flag[:2] = [0, 1, 2], [False, True]
    X = {"a": numbers[:, 0], "b": numbers[:, 1], "flag": flag.tolist(), "level": level.astype(str)}
    score = (
        np.nan_to_num(numbers) @ random.choice([-1, 1], 2) + flag + random.integers(0, 3, n_rows)
    )
    y = (score > np.median(score)).astype(int)
    trends = [*random.choice([-1, 0, 1], 3).tolist(), 0]
    penalty = float(random.choice([0.0, 0.02]))
    dictionary = conditions_of(random)
    model = OptimalTreeClassifier(
        2, dictionary=dictionary, penalty=penalty, monotonic_cst=trends, readable=False
    )
    model.fit(X, y)
    codes = np.column_stack([numbers, flag, level]).astype(float)
    tests, sides = [], []
    for one in dictionary:
        side = side_of(one, trends)
        if side is None:
            continue
        scores = [_branch_of(one, row) for row in codes]
        is_missing = np.array([score is None for score in scores])
        passes = np.array([score == 0 for score in scores])
        for with_missing in (True, False) if is_missing.any() else (False,):
            tests.append((passes | (is_missing & with_missing), one, with_missing))
            sides.append(side)
    # Values between all thresholds, also those that no row has: so the whole space is compared.
    cells = [{None if np.isnan(v) else v for v in column} for column in codes.T]
    for cell in cells[:2]:
        cell |= {0.0, 1.0, 2.0}
    weights = np.ones(n_rows)
    loss, answer = class_loss(y, weights), answer_of(y, weights)
    twin = PlacesTwin(tests, sides, cells, loss, answer, trends, penalty * n_rows)
    assert model.certificate_.proven
    assert model.certificate_.objective == pytest.approx(twin.best(2, n_rows), abs=1e-9)
    names = {"a": trends[0], "b": trends[1], "flag": trends[2]}
    if len(set(y)) == 2:
        assert most_against(model, X, {name: own for name, own in names.items() if own}) == 0.0


def _branch_of(predicate, row) -> int | None:
    """Return the branch of a row by the words of the predicate."""
    match predicate:
        case Axis():
            value = row[predicate.column]
            return None if np.isnan(value) else int(value > predicate.threshold)
        case Subset():
            return int(row[predicate.column] not in predicate.left)
        case Linear():
            total = sum(
                c * row[k] for k, c in zip(predicate.columns, predicate.coefficients, strict=True)
            )
            return None if np.isnan(total) else int(total > predicate.threshold)
    one, other = (_branch_of(part, row) for part in (predicate.first, predicate.second))
    if 1 in (one, other):
        return 1
    return None if None in (one, other) else 0


def test_sums_sets_and_pairs():
    for seed in range(12):
        check_conditions(seed)


@pytest.mark.slow
def test_two_thousand_tables_of_conditions():
    for seed in range(2000):
        check_conditions(seed)


def applicants(random: np.random.Generator, n_rows: int = 120) -> tuple[dict, np.ndarray]:
    table = {
        "income": random.normal(50, 15, n_rows).round(),
        "debt": random.gamma(2, 8, n_rows).round(),
        "age": random.integers(20, 70, n_rows),
    }
    odds = np.exp((table["income"] - 50) / 10 - (table["debt"] - 16) / 8)
    return table, np.where(random.random(n_rows) < odds / (1 + odds), "yes", "no")


@pytest.mark.parametrize("seed", range(4))
def test_it_is_no_worse_than_a_greedy_tree_in_order(seed):
    X, y = applicants(np.random.default_rng(seed))
    asked = {"income": 1, "debt": -1}
    greedy = TreeClassifier(max_depth=2, monotonic_cst=asked).fit(X, y)
    best = OptimalTreeClassifier(2, thresholds="all", monotonic_cst=asked).fit(X, y)
    assert best.certificate_.proven
    assert best.certificate_.objective <= (greedy.predict(X) != y).sum()
    assert most_against(best, {**X, "level": X["age"]}, asked) == 0.0


@pytest.mark.filterwarnings("ignore::treewright.exceptions.NotProvenWarning")
def test_a_search_that_is_cut_short_is_in_order_and_claims_what_is_true():
    X, y = applicants(np.random.default_rng(5), 200)
    asked = {"income": -1, "debt": -1}
    whole = OptimalTreeClassifier(2, thresholds="quantile", refine=0, monotonic_cst=asked)
    whole.fit(X, y)
    assert whole.certificate_.proven
    for seconds in (0.0, 0.005, 0.02):
        model = OptimalTreeClassifier(2, thresholds="quantile", refine=0, monotonic_cst=asked)
        model.set_params(time_limit=seconds).fit(X, y)
        columns = {**X, "level": X["age"]}
        assert most_against(model, columns, asked) == 0.0
        assert model.certificate_.objective >= whole.certificate_.objective - 1e-9
        bound = model.certificate_.lower_bound
        assert bound <= whole.certificate_.objective + 1e-9 or "no time" in str(model.certificate_)


@pytest.mark.filterwarnings("ignore::treewright.exceptions.NotProvenWarning")
@pytest.mark.parametrize("dictionary", [["axis", "must(2)"], ["oc1"], ["pairs"]])
def test_what_split_methods_propose_keeps_it(dictionary):
    X, y = applicants(np.random.default_rng(1), 80)
    asked = {"income": 1, "debt": -1}
    model = OptimalTreeClassifier(2, dictionary=dictionary, refine=1, monotonic_cst=asked)
    model.set_params(time_limit=2).fit(X, y)
    assert most_against(model, {**X, "level": X["age"]}, asked) == 0.0


def test_it_goes_with_constraints_of_columns():
    X, y = applicants(np.random.default_rng(2), 60)
    asked = {"income": 1, "debt": -1}
    for constraints in (
        Constraints(max_columns=1),
        Constraints(first_columns=["debt"], column_costs={"income": 0.02}),
        Constraints(forbidden_pairs=[("income", "debt")]),
    ):
        model = OptimalTreeClassifier(2, constraints=constraints, monotonic_cst=asked).fit(X, y)
        free = OptimalTreeClassifier(2, constraints=constraints).fit(X, y)
        assert model.certificate_.proven
        assert model.certificate_.objective >= free.certificate_.objective - 1e-9
        assert most_against(model, {**X, "level": X["age"]}, asked) == 0.0


def test_the_certificate_names_the_columns():
    X, y = applicants(np.random.default_rng(0), 40)
    model = OptimalTreeClassifier(1, monotonic_cst={"income": 1, "debt": -1}).fit(X, y)
    asked = "whose predictions only rise with 'income' and only fall with 'debt'"
    assert f"of depth 1 at most and {asked} over" in model.certificate_.tests


def test_it_is_kept_in_the_model_file(tmp_path):
    X, y = applicants(np.random.default_rng(0), 40)
    model = OptimalTreeClassifier(2, monotonic_cst={"income": 1}).fit(X, y)
    model.save(tmp_path / "m.json")
    loaded = treewright.load(tmp_path / "m.json")
    assert loaded.monotonic_cst == {"income": 1}
    text = (tmp_path / "m.json").read_text()
    (tmp_path / "m.json").write_text(text.replace('["income", 1]', '["nobody", 1]'))
    with pytest.raises(ValueError, match="nobody"):
        treewright.load(tmp_path / "m.json")


REFUSED = {
    "max_nodes": 2,
    "pair_levels": 1,
    "smallest": True,
    "front": True,
    "tune": "cv",
    "abstain_cost": 0.2,
    "smoothing": "laplace",
    "objective": "balanced_accuracy",
    "categorical": "multiway",
}


@pytest.mark.parametrize("name", [*REFUSED, "max_depth"])
def test_what_does_not_go_with_it_is_refused_by_name(name):
    asked = {"max_depth": None, "penalty": 0.1} if name == "max_depth" else {name: REFUSED[name]}
    model = OptimalTreeClassifier(**{"max_depth": 3, **asked}, monotonic_cst=[1, 0])
    with pytest.raises(ValueError, match=rf"'{name}' parameter .* beside a 'monotonic_cst'"):
        model.fit([[1.0, 2.0], [2.0, 1.0]], [0, 1])


def test_other_tasks_are_refused():
    X = [[1.0, 2.0], [2.0, 1.0], [3.0, 1.0]]
    with pytest.raises(ValueError, match="is for two classes, and there are 3"):
        OptimalTreeClassifier(monotonic_cst=[1, 0]).fit(X, [0, 1, 2])
    with pytest.raises(ValueError, match=r"'monotonic_cst' parameter .* beside 'losses'"):
        OptimalTreeClassifier(monotonic_cst=[1, 0]).fit(X, losses=[[0, 1], [1, 0], [1, 0]])
    model = OptimalTreeClassifier(monotonic_cst=[1, 0]).fit(X, [0, 1, 1])
    with pytest.raises(ValueError, match=r"'monotonic_cst' parameter .* for alternatives"):
        model.alternatives(X, [0, 1, 1])
