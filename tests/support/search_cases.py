"""Random questions to the search for optimal trees, and how a test asks them.

A `Problem` is drawn from a seed; `ask` hands it to the compiled search and `check` holds the answer
against the twin that tries everything.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from optimal_twin import ANYWHERE, NUMBERS, Problem, Twin, cost_of, costs_of_errors

from treewright import _core

LIMITS = (
    *("max_depth", "max_nodes", "penalty", "min_rows", "min_weight"),
    *("pair_levels", "pair_functions", "pair_price"),
)
SWITCHES = ("similarity", "cache", "reduction", "ordering", "fused")
SCALE = 1000  # of numeric targets, beside which the rounding of a leaf's cost is nothing


def ask(
    problem: Problem,
    progress: Any = None,
    losses: Any = None,
    ranks: Any = None,
    **options: Any,
) -> Any:
    """Return what the compiled search answers; to losses by row, and ranks, if there are any."""
    passes = problem.passes[: 0 if ranks is not None else None].astype(bool)
    chosen = _core.SearchOptions()
    for name in LIMITS:
        setattr(chosen, name, getattr(problem, name))
    for name, value in options.items():
        setattr(chosen, name, value)
    return _core.search_tree(
        np.packbits(passes, axis=1, bitorder="little"),
        problem.n_rows,
        problem.targets,
        problem.weights,
        problem.costs,
        problem.prices,
        problem.last_levels,
        problem.chains,
        problem.sources,
        chosen,
        progress,
        losses,
        ranks,
    )


def ranks_of(problem: Problem) -> np.ndarray:
    """How many tests of each chain every row fails; a test in no chain is one of its own."""
    chains = problem.chains
    begins = np.flatnonzero((chains < 0) | (np.diff(chains, prepend=-2) != 0))
    failed = np.split(~problem.passes.astype(bool), begins[1:])
    return np.array([part.sum(axis=0) for part in failed], dtype=np.int32)


def check(problem: Problem, twin: Twin | None = None, **options: Any) -> Any:
    """Ask with the front, and hold value, bound, tree and front against those of the twin."""
    twin = twin or Twin(problem)
    result = ask(problem, **options)
    assert result.status == "optimal"
    assert result.lower_bound == result.objective
    slack = slack_of(problem)
    assert abs(result.objective - twin.objective) <= slack
    check_tree(result, problem)
    if options.get("front"):
        assert [point.n_tests for point in result.front] == [size for size, _ in twin.front]
        for point, (_, expected) in zip(result.front, twin.front, strict=True):
            found = cost_of(point.tree, problem)
            assert abs(point.cost - expected) <= slack
            assert abs(found.cost - point.cost) <= slack
            assert found.n_tests == point.n_tests
    return result


def check_tree(result: Any, problem: Problem) -> None:
    """The tree keeps all limits and costs what is said."""
    found = cost_of(result.tree, problem)
    total = found.cost + problem.penalty * found.n_tests
    assert abs(total - result.objective) <= slack_of(problem)


def slack_of(problem: Problem) -> int:
    """By how much two roundings of the same cost may differ: one unit a leaf of numbers."""
    return problem.most_tests + 1 if problem.of_numbers else 0


# ---------------------------------------------------------------------------------- random problems


def draw(seed: int) -> Problem:
    """A small problem; which limits it has is drawn as well."""
    random = np.random.default_rng(seed)
    kind = random.choice(["errors", "errors", "classes", "costs", "numbers"])
    problem = draw_table(random, kind)
    n_tests = len(problem.passes)
    changes: dict[str, Any] = {"max_depth": int(random.choice([0, 1, 2, 2, 3, 3, 3, 4]))}
    if random.random() < 0.4:
        changes["weights"] = random.integers(1, 5, size=problem.n_rows)
    unit = SCALE * SCALE if kind == "numbers" else 1
    if random.random() < 0.3:
        changes["penalty"] = unit * int(random.integers(0, 4))
    if random.random() < 0.3:
        changes["prices"] = unit * random.integers(0, 3, size=n_tests)
    if random.random() < 0.3:
        levels = random.choice([0, 1, 2, ANYWHERE], size=n_tests)
        changes["last_levels"] = levels.astype(np.int32)
    if random.random() < 0.3:
        changes["min_rows"] = int(random.integers(2, 6))
    if random.random() < 0.2:
        changes["min_weight"] = int(random.integers(1, 9))
    if random.random() < 0.4:
        changes["max_nodes"] = int(random.integers(0, 8))
    if random.random() < 0.3:
        changes["pair_levels"] = int(random.integers(0, max(0, changes["max_depth"] - 2) + 1))
        changes["pair_functions"] = int(random.choice([3, 5]))
        changes["pair_price"] = unit * int(random.choice([0, 0, 1]))
        changes["sources"] = random.integers(-1, 3, size=n_tests).astype(np.int32)
    return replace(problem, **changes)


def draw_losses(seed: int) -> tuple[Problem, np.ndarray]:
    """A small problem with losses by row: to the twin every row is a class of its own."""
    random = np.random.default_rng(seed)
    problem = draw(seed)
    losses = random.integers(0, 9, size=(problem.n_rows, int(random.integers(1, 6))))
    losses -= losses.min(axis=1, keepdims=True)
    of_rows = replace(
        problem,
        targets=np.arange(problem.n_rows),
        weights=np.ones(problem.n_rows, dtype=np.int64),
        costs=losses,
        min_weight=0,
    )
    if problem.of_numbers:
        few = {"penalty": 0, "pair_price": 0, "prices": np.zeros_like(problem.prices)}
        of_rows = replace(of_rows, **few)
    return of_rows, losses


def draw_table(random: np.random.Generator, kind: str) -> Problem:
    """Tests of several shapes, and a target that depends on them here and there."""
    n_rows = int(random.choice([1, 2, 5, 9, 14, 20, 30, 30]))
    passes, chains = draw_tests(random, n_rows)
    if kind == "numbers":
        targets = SCALE * random.integers(-5, 6, size=n_rows)
        return Problem(passes, targets, NUMBERS, chains=chains)
    n_classes = 2 if kind == "errors" else int(random.integers(2, 6))
    targets = (passes[:3].sum(axis=0) + random.integers(0, 2, size=n_rows)) % n_classes
    costs = costs_of_errors(n_classes)
    if kind == "costs":
        costs = random.integers(0, 6, size=(n_classes, int(random.integers(1, 6))))
    return Problem(passes, targets.astype(np.int64), costs, chains=chains)


def draw_tests(random: np.random.Generator, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """At most seven tests: free ones, a chain of thresholds, copies, complements, constants."""
    n_free = int(random.integers(1, 5))
    parts = [random.random((n_free, n_rows)) < random.uniform(0.2, 0.8)]
    chains = [-1] * n_free
    if random.random() < 0.5:
        values = random.integers(0, 6, size=n_rows)
        cuts = np.sort(random.choice(6, size=int(random.integers(2, 4)), replace=False))
        parts.append(values <= cuts[:, None])
        chains += [0] * len(cuts)
    rest = 7 - len(chains)
    for _ in range(int(random.integers(0, rest + 1)) if rest > 0 else 0):
        copied = parts[0][random.integers(n_free)]
        flipped = random.choice([copied, ~copied, np.full(n_rows, random.random() < 0.5)])
        parts.append(flipped[None])
        chains.append(-1)
    return np.concatenate(parts), np.array(chains, dtype=np.int32)


def draw_larger(seed: int, n_rows: int, n_tests: int, n_classes: int = 2, **limits: Any) -> Problem:
    """A table whose tests resemble each other, so that bounds and caches have something to do."""
    random = np.random.default_rng(seed)
    hidden = random.random((max(2, n_tests // 3), n_rows)) < 0.5
    passes = hidden[random.integers(len(hidden), size=n_tests)]
    passes ^= random.random(passes.shape) < random.choice([0.02, 0.1, 0.3], size=(n_tests, 1))
    passes ^= random.random((n_tests, 1)) < 0.3
    codes = hidden[0] + 2 * (hidden[1] & hidden[-1]) + (random.random(n_rows) < 0.2)
    targets = (codes % n_classes).astype(np.int64)
    return Problem(passes, targets, costs_of_errors(n_classes), **limits)


def nodes_of(tree: Any) -> list[list[int]]:
    parts = ("first", "second", "function", "passed", "failed", "answers")
    return [[*getattr(tree, part)] for part in parts]
