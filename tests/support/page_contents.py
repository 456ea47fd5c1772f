"""Contents of pages for tests: small analyses put together by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import TreeClassifier, TreeRegressor
from treewright.datasets import load_loans, units
from treewright.page import (
    CalibrationPoint,
    CardField,
    ClassFigures,
    ColumnNote,
    Confusion,
    DataNote,
    Evidence,
    Measure,
    Model,
    PageContent,
    Panel,
    Residuals,
    Sample,
    Stability,
    Step,
    Trivial,
)
from treewright.plot import panel_svgs
from treewright.prune import cost_complexity_path
from treewright.splits import MUST
from treewright.tree import Tree

ACCURACY = Measure("accuracy")


def classification_content(
    table: dict[str, list[Any]],
    target: str,
    *,
    title: str = "loans.csv",
    max_leaf_nodes: int | None = None,
    split: Any = None,
    sample_rows: int = 200,
    costs: Any = None,
) -> PageContent:
    """Grow two families on three quarters of a table and judge them on the rest."""
    columns = {name: cells for name, cells in table.items() if name != target}
    train, test = _halves(len(table[target]))
    X, y = _rows(columns, train), [table[target][row] for row in train]
    X_test, y_test = _rows(columns, test), [table[target][row] for row in test]
    options = {"max_leaf_nodes": max_leaf_nodes, "cost_matrix": costs}
    grown = {
        "axis": ("One column per question", TreeClassifier(**options)),
        "must2": (
            "Up to two columns a question",
            TreeClassifier(split=MUST(features=2), **options),
        ),
    }
    models = []
    for key, (name, estimator) in grown.items():
        path = cost_complexity_path(_named(estimator.fit(X, y), target))
        trees = [entry.tree for entry in reversed(path)][:30]
        steps = [_class_step(tree, X_test, y_test, costs) for tree in trees]
        chosen = int(np.argmax([step.score for step in steps]))
        words = f"Grown by {key} on rows of its own."
        svgs = panel_svgs(steps[chosen].tree, X, y, with_style=False, id_prefix=f"{key}-")
        panels = tuple(Panel(node, svg) for node, svg in list(svgs.items())[:8])
        models.append(Model(key, name, words, tuple(steps), chosen, panels))
    tree = models[0].steps[-1].tree
    common = max(set(y_test), key=y_test.count)
    trivial = Trivial(f"always predicting {common}", y_test.count(common) / len(y_test))
    sample = None
    if sample_rows:
        first = range(min(sample_rows, len(train)))
        answers = [tree.schema.classes.index(y[row]) for row in first]
        sample = Sample(tree.schema.encode(_rows(X, first)), answers)
    return PageContent(
        title, ACCURACY, trivial, tuple(models), len(train), sample, **_surroundings(columns)
    )


@cache
def loans_content(**options: Any) -> PageContent:
    """The bundled table, with gaps and categories."""
    return classification_content(load_loans(), "repaid", **{"max_leaf_nodes": 25, **options})


@cache
def rates_content() -> PageContent:
    """The bundled table, with a number to predict."""
    table = load_loans()
    rates = table.pop("interest_rate")
    train, test = _halves(len(rates))
    y, y_test = [rates[row] for row in train], np.array([rates[row] for row in test])
    X, X_test = _rows(table, train), _rows(table, test)
    estimator = TreeRegressor(max_leaf_nodes=20).fit(X, y)
    path = cost_complexity_path(_named(estimator, "interest_rate"))
    steps = tuple(_number_step(entry.tree, X_test, y_test) for entry in reversed(path))
    tree = steps[0].tree
    trivial = Trivial(
        f"always predicting {np.mean(y):.1f}", float(np.mean(abs(y_test - np.mean(y))))
    )
    measure = Measure("mean absolute error", False, False, "percent")
    model = Model(
        "axis", "One column per question", "Grown on all columns.", steps, len(steps) // 2
    )
    sample = Sample(tree.schema.encode(_rows(X, range(50))), y[:50])
    return PageContent(
        "loans.csv", measure, trivial, (model,), len(train), sample, **_surroundings(table)
    )


def _halves(n_rows: int) -> tuple[Sequence[int], Sequence[int]]:
    order = np.random.default_rng(0).permutation(n_rows).tolist()
    return order[: 3 * n_rows // 4], order[3 * n_rows // 4 :]


def _rows(table: dict[str, list[Any]], rows: Sequence[int]) -> dict[str, list[Any]]:
    return {name: [cells[row] for row in rows] for name, cells in table.items()}


def _named(estimator: Any, target: str) -> Tree:
    """The tree of an estimator, with units and the name of the target."""
    schema = estimator.tree_.schema
    known = units("loans")
    schema = schema.with_units({name: known[name] for name in schema.names if name in known})
    return estimator.tree_.with_schema(schema.with_target(target, schema.classes))


def _interval(hits: float, rows: float) -> tuple[float, float]:
    """The Wilson interval of a share."""
    z, share = 1.96, hits / rows
    centre = (share + z * z / (2 * rows)) / (1 + z * z / rows)
    half = z * math.sqrt(share * (1 - share) / rows + z * z / (4 * rows * rows))
    half /= 1 + z * z / rows
    return centre - half, centre + half


def _class_step(tree: Tree, X: Any, y: list[Any], costs: Any) -> Step:
    classes = list(tree.schema.classes)
    shares, answers = tree.distribution(X), tree.predict(X).tolist()
    counts = np.zeros((len(classes), len(classes)))
    for true, answer in zip(y, answers, strict=True):
        counts[classes.index(true), classes.index(answer)] += 1
    score = float(np.trace(counts) / len(y))
    figures = []
    for code in range(len(classes)):
        with np.errstate(invalid="ignore"):
            recall = counts[code, code] / counts[code].sum()
            precision = counts[code, code] / counts[:, code].sum()
        figures.append(ClassFigures(counts[code].sum(), float(recall), float(precision)))
    confusion = Confusion(
        tuple(map(tuple, counts.tolist())), None if costs is None else tuple(map(tuple, costs))
    )
    evidence = Evidence(
        len(y),
        score,
        *_interval(score * len(y), len(y)),
        confusion,
        tuple(figures),
        _calibration(shares[:, -1], np.array([true == classes[-1] for true in y])),
    )
    error = math.sqrt(score * (1.0 - score) / len(y))
    return Step(tree, score, error, evidence)


def _calibration(
    stated: NDArray[np.float64], is_true: NDArray[np.bool_]
) -> tuple[CalibrationPoint, ...]:
    points = []
    for group in np.array_split(np.argsort(stated, kind="stable"), 6):
        hits = float(is_true[group].sum())
        observed = hits / len(group)
        mean = float(stated[group].mean())
        points.append(CalibrationPoint(mean, observed, *_interval(hits, len(group)), len(group)))
    return tuple(points)


def _number_step(tree: Tree, X: Any, y: NDArray[np.float64]) -> Step:
    answers = tree.predict(X)
    distances = abs(y - answers)
    score, error = float(distances.mean()), float(distances.std() / math.sqrt(len(y)))
    explained = 1.0 - float((distances**2).sum() / ((y - y.mean()) ** 2).sum())
    quantiles = tuple((share, float(np.quantile(distances, share))) for share in (0.5, 0.9, 0.99))
    residuals = Residuals(
        score,
        float(np.sqrt((distances**2).mean())),
        explained,
        quantiles,
        tuple(zip(answers[:100].tolist(), y[:100].tolist(), strict=True)),
    )
    low, high = score - 1.96 * error, score + 1.96 * error
    return Step(tree, score, error, Evidence(len(y), score, low, high, residuals=residuals))


def _surroundings(columns: dict[str, list[Any]]) -> dict[str, Any]:
    """What a page shows beside trees and scores."""
    first = next(iter(columns))
    return {
        "stability": (
            Stability("previous_defaults", 0.86, "cut between 0 and 1"),
            Stability("income", 0.1, "cut between 31 and 44"),
            Stability("amount", 0.04),
        ),
        "resamples": 50,
        "notes": (
            DataNote("leak", first, "It predicts the target almost alone. Is it known beforehand?"),
            DataNote("gaps", None, "Every tenth row has a gap."),
        ),
        "columns": tuple(
            ColumnNote(
                name,
                "number" if any(isinstance(cell, float | int) for cell in cells) else "category",
                cells.count(None) / len(cells),
                tuple(str(cell) for cell in cells[:3]),
            )
            for name, cells in columns.items()
        ),
        "card": (
            CardField("Rows", f"{len(columns[first])}, a quarter of them in the hold-out set"),
            CardField("Intended use", None, "Who decides what with it?"),
            CardField("People affected", None, "Who could be harmed by a wrong answer?"),
        ),
        "origin": (("Command", "treewright report loans.csv --target repaid"), ("Seed", "0")),
    }
