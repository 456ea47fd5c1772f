"""Monotonic constraints: columns with which predictions may only rise, or only fall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from treewright.base.parameters import Check, none, one_of
from treewright.estimators.refusals import check_pruner_only_cuts, refused
from treewright.exceptions import brief
from treewright.schema import Schema

__all__ = ["MONOTONIC_CHECK", "Monotonic", "check_monotonic", "check_monotonic_search", "trends_of"]

_BESIDE = "a 'monotonic_cst'"

Monotonic = Mapping[str, int] | ArrayLike | None

_ALLOWED = "1 (may only rise), -1 (may only fall) or 0"
_POLICIES = ("default", "stop")
_OF_SEARCH: dict[str, object] = {
    "max_nodes": None,
    "pair_levels": 0,
    "smallest": False,
    "front": False,
    "tune": None,
    "abstain_cost": None,
    "smoothing": None,
    "categorical": "subset",
}
_KINDS = ("numeric", "ordinal", "boolean")


def _is_direction(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and value in (-1, 0, 1)


def _are_directions(given: Any) -> bool:
    if isinstance(given, Mapping):
        return all(isinstance(name, str) for name in given) and all(
            map(_is_direction, given.values())
        )
    if isinstance(given, str) or np.ndim(given) != 1:
        return False
    return all(map(_is_direction, np.asarray(given).tolist()))


MONOTONIC_CHECK = one_of(
    none(),
    Check(
        f"a mapping of column names, or a list with one number per column, of {_ALLOWED}",
        _are_directions,
    ),
)


def check_monotonic(model: Any) -> None:
    """Refuse parameters under which a constraint could not be kept.

    Parameters
    ----------
    model : TreeClassifier, TreeRegressor or a forest
        Its parameters are checked one by one already.

    Raises
    ------
    ValueError
        With the parameter, and what to choose.
    """
    if model.monotonic_cst is None:
        return
    missing = model.missing if isinstance(model.missing, str) else "surrogate"
    if missing not in _POLICIES:
        raise refused(model, "missing", "'default' or 'stop'", _BESIDE)
    if model.criterion == "absolute_error":
        raise refused(model, "criterion", "'squared_error'", _BESIDE)
    if getattr(model, "smoothing", None) is not None:
        raise refused(model, "smoothing", "None", _BESIDE)
    check_pruner_only_cuts(model, _BESIDE)


def check_monotonic_search(model: Any) -> None:
    """Refuse parameters of the optimal search that do not go with a constraint.

    Parameters
    ----------
    model : OptimalTreeClassifier or OptimalTreeRegressor
        Its parameters are checked one by one already.

    Raises
    ------
    ValueError
        With the parameter, and what to choose.
    """
    if model.monotonic_cst is None:
        return
    for name, allowed in _OF_SEARCH.items():
        if getattr(model, name, allowed) != allowed:
            raise refused(model, name, f"{allowed!r}", _BESIDE)
    if model.max_depth is None:
        raise refused(model, "max_depth", "an int", _BESIDE)
    if not model._objective().is_usual:
        usual = (
            "'errors' (see class_weight)" if hasattr(model, "class_weight") else "'squared_error'"
        )
        raise refused(model, "objective", usual, _BESIDE)


def trends_of(owner: str, given: Monotonic, schema: Schema) -> list[int]:
    """Return the direction of every column, none if there is no constraint.

    Parameters
    ----------
    owner : str
        Name of the estimator, for messages.
    given : mapping, array-like or None
        Its `monotonic_cst`.
    schema : Schema
        The columns.

    Returns
    -------
    list of int
        1, -1 or 0 for each column; empty without constraints.

    Raises
    ------
    ValueError
        If a column is unknown, or has no order, or there are more than two classes.

    Examples
    --------
    >>> from treewright import Schema
    >>> schema = Schema.from_data({"age": [31, 58], "income": [20.5, 31.0]})[0]
    >>> trends_of("TreeClassifier", {"income": 1}, schema)
    [0, 1]
    """
    if given is None:
        return []
    parameter = f"The 'monotonic_cst' parameter of {owner}"
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in schema.names]
        if unknown:
            raise ValueError(
                f"{parameter} must name columns of the table, {brief(list(schema.names))}. Got "
                f"{brief(unknown[0])}."
            )
        trends = [int(given.get(name, 0)) for name in schema.names]
    else:
        trends = [int(direction) for direction in np.asarray(given).tolist()]
        if len(trends) != schema.n_columns:
            raise ValueError(
                f"{parameter} must have one number for each of the {schema.n_columns} columns. "
                f"Got {len(trends)}."
            )
    if not any(trends):
        return []
    for column, trend in zip(schema.columns, trends, strict=True):
        if trend and column.kind not in _KINDS:
            raise ValueError(
                f"{parameter} names the column {brief(column.name)}, whose levels have no order; "
                "leave it out, or make it ordinal or numeric."
            )
    if schema.classes is not None and len(schema.classes) > 2:
        raise ValueError(
            f"{parameter} is for two classes, and there are {len(schema.classes)}: it says what "
            "the probability of the second class does."
        )
    return trends
