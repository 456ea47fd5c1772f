"""Certificates of optimal trees held against trying everything, with arithmetic of its own.

Rows are routed and the documented objective is counted here, in fractions; the least of all comes
from the twin, which knows the search's problem but none of its ways. Run as a program it checks
many cases on several processes and prints a line for each that is wrong:

    python tests/twins/certificate_check.py --count 100000 --first 0 --processes 2
"""

from __future__ import annotations

import argparse
import itertools
import math
import multiprocessing
import sys
import time
import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from certificate_cases import Case, draw
from optimal_twin import ANYWHERE, NUMBERS, Problem, Twin

from treewright import OptimalTreeClassifier, OptimalTreeRegressor
from treewright.estimators import Priors
from treewright.exceptions import NotProvenWarning
from treewright.predicates import Axis, Linear, Pair, Subset

TOLERANCE = Fraction(1, 10**9)  # what sums of doubles may be off
FINEST = 2**256  # units of the twin's whole numbers, beside which its rounding is nothing

Row = list[float | None]


# ------------------------------------------------------------------------------ what a user is told


class Rows(NamedTuple):
    """The rows that count, with their weights after class weights and priors."""

    values: list[Row]
    target: list[Any]  # class codes, or numbers
    weights: list[Fraction]
    costs: list[list[Fraction]]  # none for regression

    @property
    def total(self) -> Fraction:
        return sum(self.weights, Fraction(0))

    def least_cost(self, rows: list[int]) -> Fraction:
        """Cost of the best prediction for some rows."""
        if self.costs:
            return min(self.cost(rows, label) for label in range(len(self.costs)))
        weight = sum((self.weights[r] for r in rows), Fraction(0))
        mean = sum((self.weights[r] * self.target[r] for r in rows), Fraction(0)) / weight
        return self.cost(rows, mean)

    def cost(self, rows: list[int], answer: Any) -> Fraction:
        """Cost of predicting one class, or number, for some rows."""
        if self.costs:
            parts = (self.weights[r] * self.costs[self.target[r]][answer] for r in rows)
        else:
            parts = (self.weights[r] * (self.target[r] - answer) ** 2 for r in rows)
        return sum(parts, Fraction(0))


def rows_of(case: Case) -> Rows:
    """Weigh rows as the parameters say."""
    given = case.weights or [1.0] * case.n_rows
    kept = [r for r, weight in enumerate(given) if weight > 0]
    weights = [Fraction(given[r]) for r in kept]
    codes = case.codes()
    values = [codes[r] for r in kept]
    if case.is_regression:
        return Rows(values, [Fraction(case.target[r]) for r in kept], weights, [])
    names = sorted({case.target[r] for r in kept})
    target = [names.index(case.target[r]) for r in kept]
    parameters = case.parameters

    def totals() -> list[Fraction]:
        by_class = [Fraction(0)] * len(names)
        for code, weight in zip(target, weights, strict=True):
            by_class[code] += weight
        return by_class

    def towards(shares: list[Fraction]) -> list[Fraction]:
        before = totals()
        factors = [
            share * sum(before) / sum(shares) / own
            for share, own in zip(shares, before, strict=True)
        ]
        return [w * factors[code] for code, w in zip(target, weights, strict=True)]

    by_name = parameters.get("class_weight")
    if by_name == "balanced":
        weights = towards([Fraction(1)] * len(names))
    elif isinstance(by_name, Priors):
        weights = towards([Fraction(by_name.probabilities[name]) for name in names])
    elif by_name:
        weights = [w * Fraction(by_name[names[c]]) for c, w in zip(target, weights, strict=True)]
    costs = parameters.get("cost_matrix", 1.0 - np.eye(len(names)))
    return Rows(values, target, weights, [[Fraction(c) for c in row] for row in costs])


def branch_of(test: Any, row: Row) -> int | None:
    """The branch that a row takes, or None where it is unknown."""
    if isinstance(test, Axis):
        value = row[test.column]
        return None if value is None else int(value > test.threshold)
    if isinstance(test, Subset):
        level = row[test.column]
        return 0 if level in test.left else 1 if level in test.right else None
    if isinstance(test, Linear):
        values = [row[column] for column in test.columns]
        if None in values:
            return None
        terms = zip(test.coefficients, values, strict=True)
        return int(sum(c * x for c, x in terms) > test.threshold)  # type: ignore[operator]
    assert isinstance(test, Pair)
    one, two = (_truth(branch_of(part, row)) for part in (test.first, test.second))
    if test.connective == "and not":
        two = None if two is None else not two
    if test.connective == "xor":
        return None if one is None or two is None else int(one == two)
    settles = test.connective == "or"
    if one is settles or two is settles:
        return int(not settles)
    return None if one is None or two is None else int(settles)


def _truth(branch: int | None) -> bool | None:
    return None if branch is None else branch == 0


def n_columns(test: Any) -> int:
    """How many different columns a test reads."""
    if isinstance(test, Pair):
        return len({test.first.column, test.second.column})
    return len(test.columns) if isinstance(test, Linear) else 1


# ------------------------------------------------------------------------------------ every test


Offered = Iterator[tuple[list[int | None], int, int]]


def offered(case: Case, rows: Rows) -> Offered:
    """The tests: branch of each row, the column read (-1: several), and how many are read."""
    given = case.parameters.get("dictionary")
    for test in given if given is not None else _of_columns(case, rows):
        yield from _sides(test, rows)


def joined(case: Case, rows: Rows) -> Offered:
    """The same of every two tests joined in every way."""
    given = case.parameters.get("dictionary")
    parts = [*(given if given is not None else _of_columns(case, rows))]
    # With itself, too: "a xor a" and "a and not a" are never true, and unknown where a is.
    for one, other in itertools.combinations_with_replacement(parts, 2):
        for connective in ("and", "or", "xor"):
            yield from _sides(Pair(connective, one, other), rows)
    if case.parameters.get("pair_functions") == 5:
        for one, other in itertools.product(parts, repeat=2):
            yield from _sides(Pair("and not", one, other), rows)


def _sides(test: Any, rows: Rows) -> Offered:
    """A test; where it is unknown, twice: with these rows on either side."""
    branches = [branch_of(test, row) for row in rows.values]
    many = n_columns(test)
    source = test.columns[0] if many == 1 else -1
    if None not in branches:
        yield branches, source, many
    else:
        for side in (0, 1):
            yield [side if b is None else b for b in branches], source, many


def _of_columns(case: Case, rows: Rows) -> Iterator[Any]:
    for j, column in enumerate(case.columns.values()):
        present = sorted({row[j] for row in rows.values if row[j] is not None})
        if not any(isinstance(value, str) for value in column):
            yield from (Axis(j, low) for low in present[:-1])
            continue
        levels = [int(level) for level in present]
        for size in range(1, len(levels)):
            for rest in itertools.combinations(levels[1:], size):
                yield Subset(j, tuple(sorted(set(levels) - set(rest))), rest)


def twin_of(case: Case, rows: Rows) -> tuple[Twin, Fraction]:
    """Everything tried, in whole numbers as fine as need be; and what one of them is worth."""
    tests = [*offered(case, rows)]
    limits, numbers = case.parameters, not rows.costs
    pair_levels = limits.get("pair_levels", 0)
    last_levels = [ANYWHERE] * len(tests)
    if pair_levels and any(None in row for row in rows.values):
        tests += joined(case, rows)
        last_levels += [pair_levels - 1] * (len(tests) - len(last_levels))
        pair_levels = 0
    everyone = [*range(len(rows.values))]
    worth = rows.least_cost(everyone) if numbers else rows.total
    per_column = Fraction(limits.get("term_penalty", 0.0)) * worth
    lowest = min(rows.target) if numbers else 0
    of_weights = _scale(rows.weights)
    if numbers:
        of_numbers = _scale([y - lowest for y in rows.target])
        targets = [int((y - lowest) * of_numbers) for y in rows.target]
        costs, unit = NUMBERS, 1 / (of_weights * of_numbers**2)
        fine = max(1, FINEST // int(max(1, 1 / unit)))
        of_numbers *= math.isqrt(fine)
        targets = [y * math.isqrt(fine) for y in targets]
        unit = 1 / (of_weights * of_numbers**2)
    else:
        of_costs = _scale([c for row in rows.costs for c in row]) * FINEST
        targets, unit = rows.target, 1 / (of_weights * of_costs)
        costs = np.array([[int(c * of_costs) for c in row] for row in rows.costs], dtype=object)
    least = Fraction(limits.get("min_weight_fraction_leaf", 0.0)) * rows.total
    least_rows = limits.get("min_samples_leaf", 1)
    if isinstance(least_rows, float):
        least_rows = max(1, math.ceil(least_rows * len(everyone)))
    problem = Problem(
        np.array([[b == 0 for b in branches] for branches, _, _ in tests], dtype=bool).reshape(
            len(tests), len(everyone)
        ),
        np.array(targets, dtype=object),
        costs,
        np.array([int(w * of_weights) for w in rows.weights], dtype=object),
        np.array([int(per_column * (many - 1) / unit) for _, _, many in tests], dtype=object),
        last_levels=np.array(last_levels, dtype=np.int32),
        sources=np.array([source for _, source, _ in tests], dtype=np.int64),
        max_depth=limits["max_depth"],
        max_nodes=limits.get("max_nodes", -1),
        penalty=int(Fraction(limits.get("penalty", 0.0)) * worth / unit),
        min_rows=least_rows,
        min_weight=math.ceil(least * of_weights * (1 - TOLERANCE / 10)),
        pair_levels=pair_levels,
        pair_functions=limits.get("pair_functions", 3),
        pair_price=int(per_column / unit),
    )
    return Twin(problem), unit


def _scale(numbers: list[Fraction]) -> int:
    """What makes fractions whole."""
    return math.lcm(*(number.denominator for number in numbers))


# -------------------------------------------------------------------------------- one certificate


def fit(case: Case) -> Any:
    """Ask for the tree; whatever is not proven is looked at below."""
    estimator = OptimalTreeRegressor if case.is_regression else OptimalTreeClassifier
    table = {
        name: column
        if any(isinstance(value, str) for value in column)
        else [math.nan if value is None else value for value in column]
        for name, column in case.columns.items()
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotProvenWarning)
        return estimator(**case.parameters).fit(table, case.target, case.weights)


def objective_of(tree: Any, case: Case, rows: Rows) -> Fraction:
    """Route every row, check every limit, and count the documented objective of a tree."""
    limits = case.parameters
    everyone = [*range(len(rows.values))]
    worth = rows.total if rows.costs else rows.least_cost(everyone)
    least_rows = limits.get("min_samples_leaf", 1)
    if isinstance(least_rows, float):
        least_rows = least_rows * len(everyone) * (1 - 1e-12)
    least = Fraction(limits.get("min_weight_fraction_leaf", 0.0)) * rows.total * (1 - TOLERANCE)
    cost, n_tests, n_further = Fraction(0), 0, 0
    todo = [(0, everyone, 0)]
    while todo:
        place, members, level = todo.pop()
        node = tree.node(place)
        if node.predicate is None:
            label = None if not rows.costs else int(node.value)
            cost += rows.least_cost(members) if label is None else rows.cost(members, label)
            assert place == 0 or len(members) >= least_rows, "a leaf has too few rows"
            assert sum(rows.weights[r] for r in members) >= least, "a leaf weighs too little"
            continue
        n_tests, n_further = n_tests + 1, n_further + n_columns(node.predicate) - 1
        is_given = node.predicate in (limits.get("dictionary") or ())
        if isinstance(node.predicate, Pair) and "dictionary" not in limits:
            assert is_given or level < limits.get("pair_levels", 0), "a pair stands too deep"
        sides: list[list[int]] = [[], []]
        for r in members:
            branch = branch_of(node.predicate, rows.values[r])
            sides[node.default_branch if branch is None else branch].append(r)
        for child, side in zip(node.children, sides, strict=True):
            todo.append((child, side, level + 1))
        assert level < limits["max_depth"], "the tree is too deep"
    assert n_tests <= limits.get("max_nodes", n_tests), "the tree has too many tests"
    price = Fraction(limits.get("penalty", 0.0)) * n_tests
    price += Fraction(limits.get("term_penalty", 0.0)) * n_further
    return cost + price * worth


def check(case: Case) -> str:
    """Return what is wrong with a certificate; nothing if it is right."""
    try:
        model = fit(case)
        rows = rows_of(case)
        certificate = model.certificate_
        told, bound = Fraction(certificate.objective), Fraction(certificate.lower_bound)
        counted = objective_of(model.tree_, case, rows)
        twin, unit = twin_of(case, rows)
        least = twin.objective * unit
    except Exception as error:  # an error is a failure of the case, too
        return f"{type(error).__name__}: {error}"
    noise = Fraction(0) if rows.costs else rows.total * Fraction(2.0**-48 * _largest(rows)) ** 2
    near = TOLERANCE * max(told, least) + noise
    findings = {
        "the objective is not that of the tree": abs(told - counted) > near,
        "a tree costs less than the bound": bound > least + near,
        "the tree costs less than the least": counted < least - near,
        "another tree is better": certificate.proven and counted > least + 2 * near,
        "it did not come to its end": not certificate.is_complete,
        "the bound is above the objective": bound > told,
        "a gap is called proven": certificate.proven and bound != told,
        "nothing had to be rounded": not certificate.proven and _is_on_a_grid(case),
        "of all thresholds": Fraction(certificate.lower_bound_all_thresholds or 0) > least + near,
    }
    if case.parameters.get("front"):
        findings["the front"] = _is_wrong_front(model, case, rows, twin, unit, noise)
    if case.parameters.get("smallest") and _is_on_a_grid(case):
        findings["a smaller tree is as good"] = model.tree_.n_leaves - 1 > _fewest_tests(twin)
    return "; ".join(words for words, is_wrong in findings.items() if is_wrong)


def _is_wrong_front(
    model: Any, case: Case, rows: Rows, twin: Twin, unit: Fraction, noise: Fraction
) -> bool:
    """Whether a front lacks the best tree of some size, where all can be known."""
    if not model.certificate_.proven:
        return False
    penalty, costs = twin.problem.penalty * unit, {}
    for entry in model.front_:
        size = entry.tree.n_leaves - 1
        costs[size] = objective_of(entry.tree, case, rows) - penalty * size
    for size in range(len(twin.profile)):
        cost = min(cost for other, cost in costs.items() if other <= size)
        least = min(twin.profile[: size + 1]) * unit
        near = 4 * TOLERANCE * (least + penalty * size) + noise
        if abs(cost - least) > near:
            return True
    return False


def _fewest_tests(twin: Twin) -> int:
    """How many tests the smallest of the best trees has."""
    costs = [cost + twin.problem.penalty * k for k, cost in enumerate(twin.profile)]
    near = math.ceil(min(costs) * TOLERANCE)
    return next(k for k, cost in enumerate(costs) if cost <= min(costs) + near)


def _largest(rows: Rows) -> float:
    return float(max(abs(y) for y in rows.target))


def _is_on_a_grid(case: Case) -> bool:
    """Whether all that is summed is whole or has few decimals."""
    parameters = case.parameters
    if case.is_regression or "class_weight" in parameters:
        return False
    prices = [parameters.get(name, 0.0) for name in ("penalty", "term_penalty")]
    costs = [c for row in parameters.get("cost_matrix", []) for c in row]
    total = sum(case.weights or [case.n_rows])
    numbers = [*(case.weights or []), *costs, *(price * total for price in prices)]
    return all(abs(number * 100 - round(number * 100)) < 1e-9 for number in numbers)


# -------------------------------------------------------------------------------------- many


def check_seed(seed: int) -> tuple[int, str]:
    """Check one case."""
    return seed, check(draw(seed))


def main() -> None:
    """Check many cases, tell those that are wrong, and fail if there is one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.count)
    print(f"{asked.count} certificates, seeds {seeds.start} to {seeds.stop - 1}", flush=True)
    began, n_wrong = time.perf_counter(), 0
    with multiprocessing.Pool(asked.processes) as pool:
        answers = pool.imap_unordered(check_seed, seeds, chunksize=50)
        for n_done, (seed, wrong) in enumerate(answers, start=1):
            if wrong:
                n_wrong += 1
                print(f"seed {seed}: {wrong} -- again: --first {seed} --count 1", flush=True)
            if n_done % 5_000 == 0:
                seconds = time.perf_counter() - began
                print(f"{n_done} done, {n_wrong} wrong, {seconds:.0f} s", flush=True)
    print(f"{n_wrong} of {asked.count} certificates are wrong")
    sys.exit(1 if n_wrong else 0)


if __name__ == "__main__":
    main()
