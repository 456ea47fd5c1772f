"""Saving fitted estimators to the model file, and loading them.

Parameters are written as plain JSON. A split method of the library is written by its name and
parameters; one written in Python by its name only, since a model file never runs code: the loaded
model predicts and prints as before, and asks for the method when it is to be fitted again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright import _core
from treewright.estimators.base import BaseTree
from treewright.estimators.classifier import TreeClassifier
from treewright.estimators.regressor import TreeRegressor
from treewright.exceptions import ModelFileError, brief
from treewright.modelfile import ModelFile, read_model, write_model
from treewright.splits import Axis, Best, Categorical, Example, PythonSplit, SplitMethod

__all__ = ["load", "save"]

_ESTIMATORS: dict[str, type[BaseTree]] = {
    "TreeClassifier": TreeClassifier,
    "TreeRegressor": TreeRegressor,
}
_METHODS: dict[str, type[SplitMethod]] = {cls.__name__: cls for cls in (Axis, Categorical, Example)}
_NOT_SAVED = {"progress"}


class AbsentSplit(SplitMethod):
    """Stands for a Python split method that a model was grown with and that was not saved."""

    def __init__(self, name: str = "") -> None:
        self.name = name

    def build(self) -> _core.Method:
        """Refuse: the method is not here."""
        raise ValueError(
            f"This model was grown by the Python split method {self.name}, which a model file does "
            "not hold; set it again by set_params(split=...) before fitting."
        )


def save(estimator: BaseTree, path: str | os.PathLike[str]) -> None:
    """Write a fitted estimator to a model file."""
    parameters = {
        name: _to_json(value)
        for name, value in estimator.get_params(deep=False).items()
        if name not in _NOT_SAVED
    }
    write_model(path, ModelFile(estimator.tree_, type(estimator).__name__, parameters))


def load(path: str | os.PathLike[str]) -> Any:
    """Read a fitted estimator from a model file.

    Parameters
    ----------
    path : str or path-like
        A file written by ``estimator.save``.

    Returns
    -------
    TreeClassifier or TreeRegressor
        The estimator, ready to predict.

    Raises
    ------
    ModelFileError
        If the file is broken, hostile, of a newer version, or no model file.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from treewright import TreeRegressor, load
    >>> model = TreeRegressor().fit([[1.0], [2.0], [3.0]], [1.0, 1.0, 4.0])
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.json"
    >>> model.save(path)
    >>> load(path).tree_ == model.tree_
    True
    """
    model = read_model(path)
    cls = _ESTIMATORS.get(model.estimator)
    if cls is None:
        raise ModelFileError(
            f"The model file is for an estimator {brief(model.estimator)}, which this version does "
            f"not know; it knows {', '.join(_ESTIMATORS)}."
        )
    known = set(cls().get_params(deep=False)) - _NOT_SAVED
    strangers = sorted(set(model.parameters) - known)
    if strangers:
        raise ModelFileError(f"{cls.__name__} has no parameter {brief(strangers[0])}.")
    estimator = cls(**{name: _from_json(value) for name, value in model.parameters.items()})
    try:
        estimator._check_parameters()
    except (ValueError, TypeError) as error:
        raise ModelFileError(f"The model file holds bad parameters: {error}") from None
    is_classifier = cls is TreeClassifier
    if model.tree.is_classification != is_classifier:
        raise ModelFileError(f"The tree in the model file does not fit {cls.__name__}.")
    estimator.tree_ = model.tree
    estimator.schema_ = model.tree.schema
    estimator.n_features_in_ = estimator.schema_.n_columns
    estimator.stopped_by_time_limit_ = False
    if estimator.schema_.named:
        estimator.feature_names_in_ = np.array(estimator.schema_.names, dtype=object)
    if isinstance(estimator, TreeClassifier):
        labels = estimator.schema_.classes or ()
        estimator.classes_ = np.array(labels)
        if estimator.cost_matrix is not None:
            try:
                estimator._cost(labels)
            except (ValueError, TypeError) as error:
                raise ModelFileError(f"The model file holds bad parameters: {error}") from None
    return estimator


def _to_json(value: Any) -> Any:
    if isinstance(value, Best):
        return {"split": "Best", "methods": [_to_json(method) for method in value.methods]}
    if isinstance(value, PythonSplit):
        return {"split": "Python", "name": value.name}
    if isinstance(value, AbsentSplit):
        return {"split": "Python", "name": value.name}
    if isinstance(value, SplitMethod):
        return {"split": type(value).__name__, "parameters": value.get_params(deep=False)}
    if isinstance(value, Mapping):
        return {"mapping": [[_to_json(k), _to_json(v)] for k, v in value.items()]}
    if isinstance(value, np.ndarray | list | tuple):
        return [_to_json(item) for item in value]
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return None  # a random generator: its state is not part of the model


def _from_json(value: Any) -> Any:
    if isinstance(value, list):
        return [_from_json(item) for item in value]
    if not isinstance(value, Mapping):
        return value
    try:
        if "mapping" in value:
            return {_from_json(k): _from_json(v) for k, v in value["mapping"]}
        if value["split"] == "Best":
            return Best(*(_from_json(method) for method in value["methods"]))
        if value["split"] == "Python":
            return AbsentSplit(str(value["name"]))
        return _METHODS[value["split"]](**value["parameters"])
    except (KeyError, TypeError, ValueError):
        raise ModelFileError(
            f"The model file holds a parameter that is not understood: {brief(value)}."
        ) from None
