"""Random tables made to be hard: ties, twins, mirrored columns, weights, missing values."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import TreeClassifier, TreeRegressor
from treewright.base.tasks import task_name
from treewright.bigdata.edges import Resolution
from treewright.bigdata.exactness import Exactness
from treewright.bigdata.growth import grow
from treewright.bigdata.parts import Question, Rows
from treewright.estimators import GrowthRules
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.options import GrowthOptions
from treewright.estimators.weights import on_grid
from treewright.schema import Schema
from treewright.tree import Tree

ROUNDED = ("statistics", "value", "gain")  # sums of numbers depend on the order of the rows


@dataclass(frozen=True)
class ListEngine:
    """Asks rows that stand in memory, a part after the other."""

    parts: list[Rows]

    @property
    def n_rows(self) -> int | None:
        return sum(len(part.target) for part in self.parts)

    def ask(self, question: Question) -> Any:
        reply, sums = None, None
        if len(self.parts) % 2 and hasattr(question, "sums"):  # both ways are taken
            sums = question.sums()
        for part in self.parts:
            values = np.asfortranarray(part.values[:, list(question.columns)])
            rows = Rows(part.part, values, question.columns, part.target, part.weights)
            if sums is not None:
                sums.add(rows)
                continue
            answer = question.answer(rows)
            reply = answer if reply is None else question.merge(reply, answer)
        return reply if sums is None else sums.reply()

    def each(self, tasks: Iterable[Callable[[], Any]]) -> list[Any]:
        return [pickle.loads(pickle.dumps(task))() for task in tasks]  # as workers have them


@dataclass(frozen=True)
class Data:
    """A table with its target and weights."""

    columns: dict[str, NDArray[Any]]
    target: NDArray[Any]
    weights: NDArray[np.float64] | None

    def parts(self, model: Any, n_parts: int, random: np.random.Generator) -> ListEngine:
        """Deal the rows at random to partitions, as the schema of a fitted model encodes them."""
        values = Schema.from_data(self.columns)[1]
        target = self.target.astype(np.float64)
        if model.schema_.classes is not None:
            target = np.searchsorted(model.classes_, self.target).astype(np.int32)
        parts = []
        for part, rows in enumerate(self.rows_of_parts(n_parts, random)):
            parts.append(
                Rows(
                    part,
                    np.asfortranarray(values[rows]),
                    tuple(range(values.shape[1])),
                    target[rows],
                    None if self.weights is None else self.weights[rows],
                )
            )
        return ListEngine(parts)

    def rows_of_parts(self, n_parts: int, random: np.random.Generator) -> list[NDArray[np.intp]]:
        """Deal the rows at random to partitions."""
        order = random.permutation(len(self.target))
        where = random.integers(0, n_parts, len(self.target))
        return [order[where == part] for part in range(n_parts)]


def table(
    random: np.random.Generator, *, numbers: bool, levels: bool = False, n_rows: int = 1200
) -> Data:
    """Make a table whose columns tie, mirror each other and lack values."""
    n = int(random.integers(20, n_rows))
    n_columns = int(random.integers(1, 6))
    X = random.normal(size=(n, n_columns)).round(int(random.integers(0, 5)))
    if n_columns > 2:
        X[:, 2] = -X[:, 0]
    if n_columns > 3:
        X[:, 3] = X[:, 1]
    steps = (X[:, 1 % n_columns] > 0) * random.normal()
    score = X[:, 0] * random.normal() + steps + random.normal(size=n) * random.choice([0, 0.3, 2])
    if random.random() < 0.15:
        score = random.normal(size=n).round(1)  # nothing to find: all cuts are about as good
    columns: dict[str, NDArray[Any]] = {}
    if levels:
        for name in ("home", "work")[: int(random.integers(1, 3))]:
            codes = random.integers(0, random.choice([2, 3, 8, 20]), n)
            score = score + random.normal(size=20)[codes]
            columns[name] = np.array([f"level {code:02d}" for code in codes], dtype=object)
            columns[name][random.random(n) < random.choice([0.0, 0.1])] = None
    if random.random() < 0.5:
        X[random.random(X.shape) < random.choice([0.05, 0.4])] = np.nan
    columns |= {f"x{column}": X[:, column] for column in range(n_columns)}
    weights = [
        None,
        None,
        random.integers(1, 5, n).astype(np.float64),
        random.random(n) + 0.01,
        np.where(
            score > 0, 0.5 * n / max(1, (score > 0).sum()), 0.5 * n / max(1, (score <= 0).sum())
        ),
    ][int(random.integers(5))]
    if weights is not None:
        weights = on_grid(weights, float(weights.sum()))
    if numbers:
        return Data(columns, score, weights)
    n_classes = int(random.integers(2, 13)) if random.random() < 0.5 else 2
    cuts = np.quantile(score, np.linspace(0, 1, n_classes + 1)[1:-1])
    return Data(columns, np.digitize(score, cuts), weights)


ROUNDED = ("statistics", "value", "gain")  # sums of numbers depend on the order of the rows
EXACT_WHERE_READABLE = ("coefficients", "threshold")  # of a linear combination


def assert_same(tree: Tree, other: Tree, *, readable: bool = True) -> None:
    """Compare all that is decided; sums of numbers are equal but for rounding."""
    is_classification = tree.schema.classes is not None
    nodes, others = tree.to_json()["nodes"], other.to_json()["nodes"]
    assert len(nodes) == len(others)
    for node, twin in zip(nodes, others, strict=True):
        assert node.keys() == twin.keys()
        for key in node:
            if key in ROUNDED and not is_classification:
                np.testing.assert_allclose(node[key], twin[key], rtol=1e-9, atol=1e-9)
            elif key == "test" and not readable:
                assert_same_split(node[key], twin[key])
            else:
                assert node[key] == twin[key]


def assert_same_split(split: dict[str, Any], twin: dict[str, Any]) -> None:
    """Compare splits whose coefficients were not shortened: their last digits may differ."""
    assert split.keys() == twin.keys()
    for key in split:
        if key in EXACT_WHERE_READABLE:
            np.testing.assert_allclose(split[key], twin[key], rtol=1e-9)
        else:
            assert split[key] == twin[key]


def limits(random: np.random.Generator) -> dict[str, Any]:
    """Draw parameters of growth."""
    given: dict[str, Any] = {
        "max_depth": int(random.integers(1, 7)),
        "min_samples_leaf": int(random.choice([1, 1, 5, 50])),
        "missing": str(random.choice(["default", "default", "stop"])),
    }
    if random.random() < 0.2:
        given["min_impurity_decrease"] = 0.01
    if random.random() < 0.2:
        given["min_weight_fraction_leaf"] = 0.05
    if random.random() < 0.2:
        given["min_samples_split"] = 0.1
    if random.random() < 0.3:
        given["growth_rules"] = GrowthRules(
            zero_gain=bool(random.random() < 0.3),
            min_impurity_fraction=float(random.choice([0.0, 0.02])),
            collapse=bool(random.random() < 0.5),
        )
    if random.random() < 0.2:
        given["readable"] = False
    if random.random() < 0.25:
        given["max_leaf_nodes"] = int(random.integers(2, 12))
    return given


def few_bins(random: np.random.Generator) -> Resolution:
    """Draw a resolution at which much has to be asked again."""
    bins = int(random.choice([4, 8, 64]))
    sample = int(random.choice([16, 256]))
    return Resolution(
        sample=sample, most_bins=bins, least_bins=2, zoom_bins=2 * bins, zoom_together=bins
    )


def grow_both(
    model: TreeClassifier | TreeRegressor, data: Data, random: np.random.Generator
) -> tuple[Tree, Tree, Exactness]:
    """Grow in memory, and over partitions."""
    model.fit(data.columns, data.target, data.weights)
    is_classification = model.schema_.classes is not None
    tree, exactness = grow(
        data.parts(model, int(random.integers(1, 9)), random),
        model.schema_,
        task_name(is_classification=is_classification),
        GrowthOptions.of(model),
        weighting=ClassWeighting.of(model, model.schema_.classes) if is_classification else None,
        resolution=few_bins(random),
    )
    return model.tree_, tree, exactness


def assert_same_numbers(tree: Tree, other: Tree) -> None:
    """Compare regression trees: all that is decided is equal, sums are so but for rounding."""
    nodes, others = tree.to_json()["nodes"], other.to_json()["nodes"]
    assert len(nodes) == len(others)
    for node, twin in zip(nodes, others, strict=True):
        assert node.keys() == twin.keys()
        for key in node:
            if key in ROUNDED:
                np.testing.assert_allclose(node[key], twin[key], rtol=1e-9, atol=1e-9)
            else:
                assert node[key] == twin[key]
