"""What prediction costs on data frames, beside the same rows in a NumPy array.

    python -m benchmarks.studies.predict_frames --output benchmarks/results/predict_frames.md

One tree that reads all 13 columns predicts the same rows from pandas, polars, pyarrow and NumPy.
Rows of numbers stand in an array of doubles; rows with booleans and declared categories, or with
text, in an array of objects, the only one that holds them. Times are CPU times of whole calls of
`predict`, the least of many; the containers take turns, so that a busy machine delays all alike.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from benchmarks.common.options import make_parser, read
from benchmarks.common.report import (
    Table,
    count,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
    seconds,
    times,
    verdict,
)
from treewright import TreeClassifier

N_COLUMNS = 13
SIZES = {54: 400, 1_000: 200, 1_000_000: 5}  # rows, and how often they are predicted
QUICK = {54: 5, 1_000: 3}
MOST = 3.0  # times as long as NumPy, asked
TRAINING = 2_000
WORDS = np.array(["Bern", "Cairo", "Lima", "Oslo", "Rome"])
SETS = ("numbers", "categories", "text")

Columns = dict[str, Any]


def make(name: str, n_rows: int) -> Columns:
    """Return columns as arrays; the last three are no numbers but in the first set."""
    chance = np.random.default_rng(n_rows)
    columns: Columns = {f"x{i}": chance.normal(size=n_rows).round(3) for i in range(10)}
    if name == "numbers":
        more = {f"x{i}": chance.normal(size=n_rows).round(3) for i in range(10, N_COLUMNS)}
    else:
        more = {key: WORDS[chance.integers(0, 5, n_rows)] for key in ("city", "birth", "work")}
        if name == "categories":
            more["work"] = chance.random(n_rows) < 0.5
    return {**columns, **more}


def answers(columns: Columns) -> np.ndarray:
    """Return classes that follow from every column."""
    score = sum(
        values if values.dtype.kind == "f" else 1.5 * ((values == "Oslo") | (values == True))  # noqa: E712
        for values in columns.values()
    )
    return score > np.median(score)


def containers(columns: Columns, name: str) -> dict[str, Any]:
    """Return the same rows four times."""
    pandas = pd.DataFrame(columns)
    polars = pl.DataFrame(columns)
    if name == "categories":
        declared = [key for key, values in columns.items() if values.dtype.kind == "U"]
        pandas = pandas.astype(dict.fromkeys(declared, pd.CategoricalDtype(WORDS.tolist())))
        polars = polars.with_columns(pl.col(declared).cast(pl.Enum(WORDS.tolist())))
    if name == "numbers":
        array = np.column_stack(list(columns.values()))
    else:
        array = np.empty((len(columns["x0"]), N_COLUMNS), dtype=object)
        for place, values in enumerate(columns.values()):
            array[:, place] = values.tolist()
    arrow = pa.Table.from_pandas(pandas, preserve_index=False)
    return {"numpy": array, "pandas": pandas, "polars": polars, "pyarrow": arrow}


def least(calls: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Return the least CPU time of each call; they take turns."""
    found = dict.fromkeys(calls, float("inf"))
    for _ in range(repeats):
        for name, call in calls.items():
            began = time.process_time()
            call()
            found[name] = min(found[name], time.process_time() - began)
    return found


def measure(name: str, n_rows: int, repeats: int) -> dict[str, float]:
    """Return the seconds of a prediction by container."""
    training = containers(make(name, TRAINING), name)
    y = answers(make(name, TRAINING))
    rows = containers(make(name, n_rows), name)
    calls, predicted = {}, {}
    for container, X in rows.items():
        model = TreeClassifier(max_leaf_nodes=200).fit(training[container], y)
        assert len(model.tree_.columns_read) == N_COLUMNS
        calls[container] = lambda model=model, X=X: model.predict(X)
        predicted[container] = calls[container]()
    assert all((one == predicted["numpy"]).all() for one in predicted.values())
    return least(calls, repeats)


def main() -> None:
    options = read(make_parser("Prediction on data frames beside NumPy."), SETS)
    table = Table(
        "Prediction on data frames",
        "CPU time of `predict` and, in brackets, how often NumPy's; asked: at most "
        f"{MOST:.0f} times.",
        "columns|rows|NumPy|pandas|polars|pyarrow|",
    )
    measured = []
    for name in options.only or SETS:
        for n_rows, repeats in (QUICK if options.quick else SIZES).items():
            found = measure(name, n_rows, repeats)
            ratios = {key: value / found["numpy"] for key, value in found.items()}
            measured.append({"columns": name, "rows": n_rows, "seconds": found})
            shown = [f"{seconds(found[key])} ({times(ratios[key])})" for key in list(found)[1:]]
            misses = [key for key, ratio in ratios.items() if ratio > MOST]
            table.rows.append(
                [name, count(n_rows), seconds(found["numpy"]), *shown, verdict(misses)]
            )
    print_tables([table])
    if options.output:
        machine = describe_machine()
        packages = describe_packages("treewright", "numpy", "pandas", "polars", "pyarrow")
        text = (
            f"# Prediction on data frames\n\n{in_words(machine, packages)}\n\n{table.to_markdown()}"
        )
        options.output.write_text(text, encoding="utf-8")
        everything = {"machine": machine, "packages": packages, "measured": measured}
        target = options.output.with_suffix(".json")
        target.write_text(json.dumps(everything, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
