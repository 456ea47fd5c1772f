"""The data sets behind the recorded outputs of the reference programs.

Outputs for tables that everybody has (see ``open_tables.py``) are in ``recorded.json``. More of
them, ``classic-oracle.json``, lie beside the shared data sets (see ``shared_data.py``) in the
folder ``spec``; a test that needs a table or an output that is not there is skipped with a reason.

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

from oracles import open_tables

MONKS = ("monk1", "monk2", "monk3")


def oracle_file() -> Path:
    """Where more recorded outputs of the classic programs are expected."""
    return data_folder().parent / "spec" / "classic-oracle.json"


def why_less() -> str | None:
    """One sentence for a skipped test, or None if all tables and outputs are there."""
    return why_absent() or (None if oracle_file().is_file() else f"nothing at {oracle_file()}")


def skip_without_data() -> None:
    """Skip a test that needs the shared data sets where they are absent."""
    if why_less():
        pytest.skip(str(why_less()))


needs_all = pytest.mark.skipif(why_less() is not None, reason=str(why_less()))


@dataclass(frozen=True)
class DataSet:
    """Typed columns, the target, and the class names in the program's order (empty for numbers)."""

    table: pd.DataFrame
    target: np.ndarray
    classes: tuple[str, ...] = ()


@functools.cache
def recorded() -> dict[str, Any]:
    """The recorded outputs for open tables; row i is in fold i mod 10 where rpart had folds."""
    found = json.loads(Path(__file__).with_name("recorded.json").read_text("utf-8"))
    for fit in found["rpart"].values():
        if fit["control"]["xval"] == "folds":
            fit["control"]["xval"] = [row % 10 for row in range(len(fit["leaf_of_row"]))]
    return found


@functools.cache
def oracle() -> dict[str, Any]:
    """The recorded outputs of the classic programs: all that are there."""
    if why_less():
        return recorded()
    more = json.loads(oracle_file().read_text("utf-8"))
    merged = {part: more[part] | recorded()[part] for part in ("rpart", "weka", "c50")}
    for part in ("c45r8", "embedded_data"):
        merged[part] = more[part]
    return merged


def output(*keys: str) -> Any:
    """One recorded output; the test is skipped where it is absent."""
    found: Any = oracle()
    for key in keys:
        if key not in found:
            skip_without_data()
        found = found[key]
    return found


@functools.cache
def manifest() -> dict[str, Any]:
    """Facts about every file of the data folder, by name of the set."""
    with (data_folder() / "manifest.json").open(encoding="utf-8") as file:
        return {entry["name"]: entry for entry in json.load(file)["datasets"]}


def read(name: str, *, levels: dict[str, list[str]] | None = None) -> pd.DataFrame:
    """Read one set of the manifest, text columns as categories (sorted levels unless given)."""
    skip_without_data()
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
    return with_classes(open_tables.iris(), "target", species, species)


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
    labels = ["class_0", "class_1", "class_2"]
    return with_classes(open_tables.wine(), "target", labels, list(names))


def cancer() -> DataSet:
    labels = ["benign", "malignant"]
    return with_classes(open_tables.cancer(), "target", labels, labels)


def households() -> DataSet:
    return with_classes(open_tables.households(), "target", ["no", "yes"], ["no", "yes"])


def loans() -> DataSet:
    return with_classes(open_tables.loans(), "target", ["no", "yes"], ["no", "yes"])


def with_numbers(table: pd.DataFrame) -> DataSet:
    """Take the target out as a number."""
    return DataSet(table.drop(columns="target"), table["target"].to_numpy(dtype=float))


def diabetes() -> DataSet:
    return with_numbers(open_tables.diabetes())


def rates() -> DataSet:
    return with_numbers(open_tables.rates())


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
    """Read one of the small tables among the recorded outputs ("?" is missing)."""
    lines = "\n".join(output("embedded_data", name))
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


def monk(name: str, part: str) -> DataSet:
    """The rows of one of MONK's problems drawn for training, or all of them."""
    table = open_tables.monk(MONKS.index(name) + 1)
    if part == "data":
        drawn = recorded()["monks"][name]
        turned = {"0": "1", "1": "0"}
        other = drawn["other_class"]
        table.loc[other, "target"] = table.loc[other, "target"].map(turned)
        table = table.iloc[drawn["training_rows"]].reset_index(drop=True)
    return with_classes(table, "target", ["0", "1"], ["0", "1"])


def c45_set(name: str, part: str = "data") -> DataSet:
    """One of the example sets of the C4.5 literature; `part` is "data" (training) or "test"."""
    if name in MONKS:
        return monk(name, part)
    skip_without_data()
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
