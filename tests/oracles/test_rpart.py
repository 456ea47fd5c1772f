"""The same trees as R's rpart 4.1.19, split by split, on its recorded fits.

rpart stops growing by a complexity limit, which treewright applies afterwards, by pruning. So the
recorded tree must be the top of ours: where it splits, we split alike; where it stops, we may go
on. Both programs choose among the same cuts, but rpart orients a test by its classes and treewright
always sends ``x <= threshold`` to the first branch, so branches are matched by what they hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import treewright
from oracles import data, reference
from treewright.estimators import Priors

pytestmark = pytest.mark.oracle

FITS: dict[str, tuple[Callable[[], data.DataSet], dict[str, Any]]] = {
    "rpart_iris_default": (data.iris, {}),
    "rpart_iris_full": (data.iris, {}),
    "rpart_iris_xval": (data.iris, {}),
    "rpart_iris_cat": (data.iris_with_levels, {}),
    "rpart_wine_default": (data.wine, {}),
    "rpart_wine_cp0": (data.wine, {}),
    "rpart_kyphosis_default": (data.kyphosis, {}),
    "rpart_kyphosis_full": (data.kyphosis, {}),
    "rpart_kyphosis_xval": (data.kyphosis, {}),
    "rpart_kyphosis_prior": (
        data.kyphosis,
        {"class_weight": Priors([0.65, 0.35]), "criterion": "entropy"},
    ),
    "rpart_kyphosis_loss": (data.kyphosis, {"cost_matrix": [[0, 1], [3, 0]]}),
    "rpart_stagec": (data.stagec, {}),
    "rpart_cu_anova": (data.cu_summary, {}),
    "rpart_cartest_anova": (data.car_test_frame, {}),
    "rpart_airquality_anova": (data.airquality, {}),
    "rpart_cancer_default": (data.cancer, {}),
    "rpart_cancer_xval": (data.cancer, {}),
    "rpart_diabetes_anova": (data.diabetes, {}),
    "rpart_households_default": (data.households, {}),
    "rpart_households_prior": (
        data.households,
        {"class_weight": Priors([0.65, 0.35]), "criterion": "entropy"},
    ),
    "rpart_households_loss": (data.households, {"cost_matrix": [[0, 1], [3, 0]]}),
    "rpart_households_weights": (data.households, {}),
    "rpart_loans_default": (data.loans, {}),
    "rpart_rates_anova": (data.rates, {}),
}
# The table behind it belongs to R's rpart and is not among the shared data.
WITHOUT_DATA = {"rpart_solder_anova"}


def fit(
    control: dict[str, Any], table: data.DataSet, weights: np.ndarray | None, **parameters: Any
) -> Any:
    """Fit with the settings of an rpart control list."""
    kind = treewright.TreeClassifier if table.classes else treewright.TreeRegressor
    estimator = kind(
        missing="surrogate",
        categorical="subset",
        min_samples_split=control["minsplit"],
        min_samples_leaf=control["minbucket"],
        max_depth=control["maxdepth"],
        readable=False,
        **parameters,
    )
    return estimator.fit(table.table, table.target, sample_weight=weights)


def weights_of(name: str, table: data.DataSet) -> np.ndarray | None:
    """The weights of the rows: 1, 2, 0.5 in turn where rpart had some."""
    return np.resize([1.0, 2.0, 0.5], len(table.target)) if name.endswith("_weights") else None


def levels_of(table: data.DataSet) -> dict[str, list[str]]:
    columns = table.table.select_dtypes("category")
    return {name: list(columns[name].cat.categories) for name in columns}


def both_trees(name: str) -> tuple[reference.Node, Any, data.DataSet]:
    entry = data.output("rpart", name)
    load, parameters = FITS[name]
    table = load()
    expected = reference.read_rpart(entry, levels_of(table))
    weights = weights_of(name, table)
    return expected, fit(entry["control"], table, weights, **parameters), table


@data.needs_all
def test_every_recorded_fit_is_compared() -> None:
    recorded = {name for name in data.oracle()["rpart"] if not name.endswith("stop")}
    assert recorded == set(FITS) | WITHOUT_DATA


@pytest.mark.parametrize("surrogates", [False, True], ids=["splits", "surrogates"])
@pytest.mark.parametrize("name", FITS)
def test_same_tree(name: str, surrogates: bool) -> None:
    expected, estimator, _ = both_trees(name)
    plain = not {"class_weight", "cost_matrix"} & set(FITS[name][1])
    rules = reference.Rules(
        # rpart's entropy is in nats.
        gain_scale=math.log(2) if estimator.get_params()["criterion"] == "entropy" else 1.0,
        found_may_go_on=True,
        weights=plain,
        surrogates=surrogates,
    )
    assert reference.differences(expected, reference.read_fitted(estimator.tree_), rules) == []


@pytest.mark.parametrize("name", FITS)
def test_same_leaf_for_every_row(name: str) -> None:
    expected, estimator, table = both_trees(name)
    found = reference.read_fitted(estimator.tree_)
    leaves = reference.rows_in_expected_leaves(
        expected, found, estimator.apply(table.table), estimator.tree_.core.parent
    )
    assert leaves == data.output("rpart", name)["leaf_of_row"]


def test_case_weights() -> None:
    """Kyphosis with weights 1, 2, 0.5 in turn: Start at 8.5, improvement 10.453335."""
    table = data.kyphosis()
    estimator = treewright.TreeClassifier(
        missing="surrogate", min_samples_split=20, min_samples_leaf=7, readable=False
    )
    weights = np.resize([1.0, 2.0, 0.5], len(table.target))
    estimator.fit(table.table, table.target, sample_weight=weights)
    root = reference.read_fitted(estimator.tree_)
    assert (root.column, root.threshold) == ("start", 8.5)
    assert root.gain == pytest.approx(10.453335, abs=1e-6)
    assert root.errors == pytest.approx(24.5)
