"""Random questions to the optimal trees, as a user asks them: tables, weights, costs, limits.

A `Case` is drawn from a seed. Tables are tiny, so that everything can be tried; numbers are of all
kinds that weights, costs, penalties and targets come in: whole, decimal, fractions, any double.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treewright.estimators import Priors
from treewright.predicates import Axis, Linear, Pair, Subset

Random = np.random.Generator

LEVELS = "abcd"


@dataclass(frozen=True)
class Case:
    """A table, its target, and the parameters of the estimator."""

    seed: int
    columns: dict[str, list[Any]]  # numbers or letters; None is missing
    target: list[Any]
    weights: list[float] | None
    is_regression: bool
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        return len(self.target)

    @property
    def has_missing(self) -> bool:
        return any(value is None for column in self.columns.values() for value in column)

    def codes(self) -> list[list[float | None]]:
        """The table by rows; a letter is the position of its level."""
        by_column = []
        for column in self.columns.values():
            levels = sorted({value for value in column if isinstance(value, str)})
            by_column.append([levels.index(v) if isinstance(v, str) else v for v in column])
        return [list(row) for row in zip(*by_column, strict=True)]


def draw(seed: int) -> Case:
    """Draw a case; the same seed gives the same."""
    random = np.random.default_rng(seed)
    n_rows = int(random.integers(4, 13))
    is_regression = bool(random.random() < 0.3)
    missing = 0.15 if random.random() < 0.25 else 0.0
    columns = {f"x{j}": _column(random, n_rows, missing) for j in range(random.integers(1, 4))}
    target = _numbers(random, n_rows) if is_regression else _classes(random, n_rows)
    weights = _weights(random, n_rows)
    has_letters = any(isinstance(value, str) for column in columns.values() for value in column)
    if weights is not None and has_letters:
        weights = [weight or 1.0 for weight in weights]  # levels of absent rows are no levels
    case = Case(seed, columns, target, weights, is_regression)
    case.parameters.update(_limits(random, case))
    if not is_regression:
        case.parameters.update(_class_parameters(random, target))
    return case


def _column(random: Random, n_rows: int, missing: float) -> list[Any]:
    kind = random.choice(["few", "few", "many", "real", "letters"])
    values: list[Any]
    if kind == "letters":
        values = random.choice(list(LEVELS[: random.integers(2, 5)]), n_rows).tolist()
        values[:2] = "ab"
    elif kind == "real":
        values = random.normal(size=n_rows).tolist()
    else:
        values = random.integers(0, 3 if kind == "few" else 9, n_rows).astype(float).tolist()
    values = [None if random.random() < missing else value for value in values]
    return values if any(value is not None for value in values) else [1.0, *values[1:]]


def _classes(random: Random, n_rows: int) -> list[str]:
    names = ["no", "yes", "perhaps"][: int(random.choice([2, 2, 3]))]
    labels: list[str] = random.choice(names, n_rows).tolist()
    labels[: len(names)] = names
    return labels


def _numbers(random: Random, n_rows: int) -> list[float]:
    kind = random.choice(["whole", "decimal", "real", "far"])
    if kind == "real":
        return (random.normal(size=n_rows) * 10.0 ** random.integers(-3, 4)).tolist()
    whole = random.integers(-5, 6, n_rows).astype(float)
    return {"whole": whole, "decimal": whole / 10, "far": whole + 1e4}[kind].tolist()


def _weights(random: Random, n_rows: int) -> list[float] | None:
    kind = random.choice(["none", "none", "whole", "decimal", "thirds", "real", "wide"])
    whole = random.integers(1, 6, n_rows)
    weights = {
        "none": None,
        "whole": whole * (random.random(n_rows) > 0.1) + (np.arange(n_rows) < 4),
        "decimal": whole * 0.1,
        "thirds": whole / 3,
        "real": random.uniform(0.2, 2.0, n_rows),
        "wide": 10.0 ** random.uniform(-4.0, 3.0, n_rows),
    }[kind]
    return None if weights is None else weights.astype(float).tolist()


def _price(random: Random, n_rows: int) -> float:
    """A penalty: of some rows, a decimal, or any number."""
    shares = [0.1 / n_rows, 0.4 / n_rows, 1 / n_rows, 0.01, random.uniform(0.0, 0.06)]
    return float(random.choice(shares))


def _limits(random: Random, case: Case) -> dict[str, Any]:
    depth = int(random.choice([2, 2, 3, 3, 4]))
    n_rows = case.n_rows
    limits: dict[str, Any] = {"max_depth": depth}
    if random.random() < 0.35:
        limits["penalty"] = _price(random, n_rows)
    if random.random() < 0.25:
        limits["max_nodes"] = int(random.integers(0, 8))
    if random.random() < 0.2:
        limits["min_samples_leaf"] = [2, 3, 0.2, 0.3][random.integers(4)]
    if random.random() < 0.15:
        limits["min_weight_fraction_leaf"] = float(random.choice([0.1, 0.25, random.random() / 2]))
    for name, share in (("front", 0.15), ("smallest", 0.15)):
        if random.random() < share:
            limits[name] = True
    if random.random() < 0.3:
        limits["dictionary"] = _dictionary(random, case)
    if depth > 2 and random.random() < 0.5:
        if "dictionary" in limits:
            simple = [test for test in limits["dictionary"] if isinstance(test, Axis | Subset)]
            limits["dictionary"] = simple
        limits["pair_levels"] = int(random.integers(1, depth - 1))
        limits["pair_functions"] = int(random.choice([3, 5]))
    if ("pair_levels" in limits or "dictionary" in limits) and random.random() < 0.6:
        limits["term_penalty"] = _price(random, n_rows)
    if random.random() < 0.2:
        limits["readable"] = False
    return limits


def _class_parameters(random: Random, target: list[str]) -> dict[str, Any]:
    names = sorted(set(target))
    found: dict[str, Any] = {}
    if random.random() < 0.25:
        factors = random.choice([1.0, 2.0, 0.3, random.uniform(0.1, 3.0)], len(names))
        by_name = dict(zip(names, factors.tolist(), strict=True))
        found["class_weight"] = "balanced" if random.random() < 0.4 else by_name
    if random.random() < 0.2:
        priors = random.choice([0.1, 0.3, 0.5, random.uniform(0.1, 1.0)], len(names))
        found["class_weight"] = Priors(dict(zip(names, priors.tolist(), strict=True)))
    if random.random() < 0.3:
        kind = random.choice(["whole", "decimal", "real", "by class"])
        size = (len(names), 1 if kind == "by class" else len(names))
        costs = random.integers(1, 6, size) * {"whole": 1.0, "decimal": 0.1}.get(str(kind), 1.0)
        if kind in ("real", "by class"):
            costs = random.uniform(0.1, 3.0, size)
        found["cost_matrix"] = (costs * (1.0 - np.eye(len(names)))).tolist()
    return found


def _dictionary(random: Random, case: Case) -> list[Any]:
    """Tests of every kind with two branches; thresholds with short and with long decimals."""
    rows = case.codes()
    is_letters = [
        any(isinstance(value, str) for value in column) for column in case.columns.values()
    ]
    numeric = [j for j, letters in enumerate(is_letters) if not letters]

    def threshold(j: int) -> float:
        values = [row[j] for row in rows if row[j] is not None]
        low, high = random.choice(values, 2).tolist()
        return float(random.choice([low, (low + high) / 2, low + (high - low) / 3, low + 0.1]))

    def simple(j: int) -> Axis | Subset:
        if j in numeric:
            return Axis(j, threshold(j))
        present = sorted({int(row[j]) for row in rows if row[j] is not None})
        left = sorted(random.choice(present, int(random.integers(1, len(present))), replace=False))
        right = [level for level in present if level not in left]
        return Subset(j, tuple(map(int, left)), tuple(map(int, right)))

    usable = [
        j
        for j in range(len(is_letters))
        if j in numeric or len({row[j] for row in rows if row[j] is not None}) > 1
    ]
    tests: list[Any] = []
    for _ in range(int(random.integers(1, 8)) if usable else 0):
        kind = random.choice(["simple", "simple", "pair", "linear"])
        some = random.choice(usable, 2)
        if kind == "linear" and len(numeric) > 1:
            two = tuple(int(j) for j in random.choice(numeric, 2, replace=False))
            second = float(random.choice([-2.0, -0.5, 1.0, 3.0]))
            tests.append(Linear(two, (1.0, second), threshold(two[0])))
        elif kind == "pair":
            joined = random.choice(["and", "or", "xor", "and not"])
            tests.append(Pair(str(joined), simple(int(some[0])), simple(int(some[1]))))
        else:
            tests.append(simple(int(some[0])))
    return tests
