"""The data sets behind the recorded outputs of the reference programs.

The data folder is not part of the repository (see ``shared_data.py``); the recorded outputs,
``classic-oracle.json``, lie in its sibling folder ``spec``. Test modules that need either say
``pytestmark = data.needs_data`` and are skipped with a reason where it is absent.

A class target is given as class codes 0, 1, ... in the order in which the reference program
declares its classes, because that order decides ties.
"""

from __future__ import annotations

import functools
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from shared_data import data_folder, why_absent


def oracle_file() -> Path:
    """Where the recorded outputs of the classic programs are expected."""
    return data_folder().parent / "spec" / "classic-oracle.json"


needs_data = [
    pytest.mark.oracle,
    pytest.mark.skipif(why_absent() is not None, reason=str(why_absent())),
    pytest.mark.skipif(
        not oracle_file().is_file(), reason=f"no recorded outputs at {oracle_file()}"
    ),
]


def skip_without_data() -> None:
    """Skip one test where the data or the recorded outputs are absent."""
    if why_absent() or not oracle_file().is_file():
        pytest.skip(why_absent() or f"no recorded outputs at {oracle_file()}")


@dataclass(frozen=True)
class DataSet:
    """Typed columns, the target, and the class names in the program's order (empty for numbers)."""

    table: pd.DataFrame
    target: np.ndarray
    classes: tuple[str, ...] = ()


@functools.cache
def oracle() -> dict[str, Any]:
    """The recorded outputs."""
    with oracle_file().open(encoding="utf-8") as file:
        return json.load(file)


@functools.cache
def manifest() -> dict[str, Any]:
    """Facts about every file of the data folder, by name of the set."""
    with (data_folder() / "manifest.json").open(encoding="utf-8") as file:
        return {entry["name"]: entry for entry in json.load(file)["datasets"]}


def read(name: str, *, levels: dict[str, list[str]] | None = None) -> pd.DataFrame:
    """Read one set of the manifest, text columns as categories (sorted levels unless given)."""
    entry = manifest()[name]
    text = list(entry["categorical_columns"])
    if entry["n_classes"] != "regression":
        text.append("target")
    table = pd.read_csv(
        data_folder() / entry["file"],
        dtype=dict.fromkeys(text, "str"),
        keep_default_na=False,
        na_values=[""],
    )
    for column in entry["categorical_columns"]:
        known = (levels or {}).get(column) or sorted(table[column].dropna().unique())
        table[column] = pd.Categorical(table[column], categories=known)
    return table


def with_classes(table: pd.DataFrame, column: str, labels: list[str], names: list[str]) -> DataSet:
    """Take one column out as the class: `labels` in the file, `names` in the program."""
    codes = {label: code for code, label in enumerate(labels)}
    target = np.array([codes[label] for label in table[column]])
    return DataSet(table.drop(columns=column), target, tuple(names))


def iris() -> DataSet:
    species = ["setosa", "versicolor", "virginica"]
    return with_classes(read("iris"), "target", species, species)


def iris_with_levels() -> DataSet:
    """Iris with the whole part of the petal length as a category beside the sepal width."""
    plain = iris()
    lengths = plain.table["petal_length"].astype(int).astype(str)
    table = pd.DataFrame(
        {
            "Sepal.Width": plain.table["sepal_width"],
            "PLcat": pd.Categorical(lengths, categories=sorted(lengths.unique())),
        }
    )
    return DataSet(table, plain.target, plain.classes)


def wine(names: tuple[str, str, str] = ("1", "2", "3")) -> DataSet:
    return with_classes(read("wine"), "target", ["class_0", "class_1", "class_2"], list(names))


def kyphosis() -> DataSet:
    labels = ["absent", "present"]
    return with_classes(read("kyphosis"), "target", labels, labels)


def stagec() -> DataSet:
    table = read("stagec", levels={"ploidy": ["diploid", "tetraploid", "aneuploid"]})
    return with_classes(table.drop(columns="pgtime"), "target", ["0", "1"], ["No", "Prog"])


def cu_summary() -> DataSet:
    """Mileage of cars; the file has the price as its target, here it is a feature."""
    table = read("cu_summary")
    table = table[table["Mileage"].notna()].reset_index(drop=True)
    worst_to_best = ["Much worse", "worse", "average", "better", "Much better"]
    features = pd.DataFrame(
        {
            "Price": table["target"],
            "Country": table["Country"],
            "Reliability": pd.Categorical(
                table["Reliability"], categories=worst_to_best, ordered=True
            ),
            "Type": table["Type"],
        }
    )
    return DataSet(features, table["Mileage"].to_numpy(dtype=float))


def embedded(name: str, header: list[str] | None = None) -> pd.DataFrame:
    """Read one of the small tables inside the oracle file itself ("?" is missing)."""
    lines = "\n".join(oracle()["embedded_data"][name])
    table = pd.read_csv(
        io.StringIO(lines), names=header, na_values=["?"], skipinitialspace=True, dtype=object
    )
    for column in table:
        try:
            table[column] = pd.to_numeric(table[column])
        except ValueError:
            text = table[column].astype("str")
            table[column] = pd.Categorical(text, categories=sorted(text.unique()))
    return table


def golf(names: tuple[str, str] = ("Don't Play", "Play")) -> DataSet:
    table = embedded("golf", ["outlook", "temperature", "humidity", "windy", "play"])
    for column, levels in {
        "outlook": ["overcast", "rain", "sunny"],
        "windy": ["false", "true"],
    }.items():
        table[column] = pd.Categorical(table[column].astype("str").str.lower(), categories=levels)
    return with_classes(table, "play", ["Don't Play", "Play"], list(names))


def play_tennis() -> DataSet:
    return with_classes(embedded("playtennis"), "play", ["no", "yes"], ["no", "yes"])


def car_test_frame() -> DataSet:
    table = embedded("car.test.frame")
    features = table[["Weight", "HP", "Disp.", "Type"]]
    return DataSet(features, table["Mileage"].to_numpy(dtype=float))


def airquality() -> DataSet:
    table = embedded("airquality")
    table = table[table["Ozone"].notna()].reset_index(drop=True)
    features = table[["Solar.R", "Wind", "Temp", "Month"]]
    return DataSet(features, table["Ozone"].to_numpy(dtype=float))


def c45_set(name: str, part: str = "data") -> DataSet:
    """One of the example sets of the C4.5 literature; `part` is "data" (training) or "test"."""
    folder = data_folder() / "c45"
    with (folder / "columns.json").open(encoding="utf-8") as file:
        declared = json.load(file)[name]
    text = [column["name"] for column in declared["columns"] if column["levels"]]
    table = pd.read_csv(
        folder / declared["parts"][part]["file"],
        dtype=dict.fromkeys([*text, "target"], "str"),
        keep_default_na=False,
        na_values=[""],
    )
    for column in declared["columns"]:
        if column["levels"]:
            table[column["name"]] = pd.Categorical(
                table[column["name"]], categories=column["levels"]
            )
    return with_classes(table, "target", declared["classes"], declared["classes"])
