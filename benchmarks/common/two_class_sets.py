"""The 24 data sets of Li and Chen (2022), with every column a number, as the paper has them.

Categories become their places in alphabetical order, and missing cells the median of their column.
`cloud` is the authors' own copy, which is the original without its index of time, in another order.
`wilt` is not: there the class is one of the columns. `echocardiogram` loses what was derived from
the answer, but keeps the months survived, which are known no earlier.

The class is 0 for the more frequent one and 1 for the other: leaves of both in equal parts, which
are many in trees that are not pruned, go to the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.common.data_sets import DataSet
from benchmarks.common.packaged_sets import find_sets

TWO_CLASS_SETS = (
    *("wilt", "kungchi3", "knuggetchase3", "cloud", "spectf", "stock", "qualitative_bankruptcy"),
    *("tokyo1", "kc1_top5", "pima", "datatrieve", "planning_relax", "banknote_authentication"),
    *("sonar", "heart", "blood_transfusion", "breast_cancer_wdbc", "echocardiogram", "fertility"),
    *("survival", "hepatitis", "molec_biol_promoter", "parkinsons", "german_credit"),
)
AUTHORS = "dgmml_author_"  # before the names of their copies
LEFT_OUT = {"echocardiogram": ("group", "alive_at_1")}


def load_sets(folder: Path, names: Iterable[str]) -> tuple[list[DataSet], list[str]]:
    """Return the sets that are found, and sentences on those that are not from the folder."""
    found, notes = find_sets(folder, [AUTHORS + n if n == "cloud" else n for n in names])
    return [as_numbers(data) for data in found], notes


def as_numbers(data: DataSet) -> DataSet:
    """Return the set with numbers in all cells and as classes; copies lose what marks them."""
    columns = {}
    for name, cells in data.columns.items():
        if name in LEFT_OUT.get(data.name, ()):
            continue
        numbers = _codes(cells) if name in data.categorical else np.asarray(cells, dtype=float)
        columns[name] = np.where(np.isnan(numbers), np.nanmedian(numbers), numbers)
    labels, counts = np.unique(data.target, return_counts=True)
    target = (data.target != labels[counts.argmax()]).astype(int)
    return DataSet(data.name.removeprefix(AUTHORS), columns, (), target)


def _codes(cells: np.ndarray) -> np.ndarray:
    levels = sorted({cell for cell in cells if cell is not None})
    places = {level: float(place) for place, level in enumerate(levels)}
    return np.array([places.get(cell, np.nan) for cell in cells])
