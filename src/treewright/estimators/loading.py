"""Loading fitted estimators from the model file."""

from __future__ import annotations

import os
from typing import Any

from treewright.estimators.base import BaseTree
from treewright.estimators.classifier import TreeClassifier
from treewright.estimators.parameter_json import NOT_SAVED, parameters_from_json
from treewright.estimators.regressor import TreeRegressor
from treewright.exceptions import ModelFileError, brief
from treewright.modelfile import ModelFile, read_model, unusable

__all__ = ["ESTIMATORS", "load"]

ESTIMATORS: dict[str, type[BaseTree]] = {
    "TreeClassifier": TreeClassifier,
    "TreeRegressor": TreeRegressor,
}


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
    try:
        return _restore(model)
    except ModelFileError as error:
        raise unusable(path, error) from None


def _restore(model: ModelFile) -> BaseTree:
    cls = ESTIMATORS.get(model.estimator)
    if cls is None:
        raise ModelFileError(
            f"It is for an estimator {brief(model.estimator)}, which this version does not know; "
            f"it knows {', '.join(ESTIMATORS)}."
        )
    if model.tree.is_classification != (cls is TreeClassifier):
        raise ModelFileError(f"Its tree does not fit {cls.__name__}.")
    known = set(cls().get_params(deep=False)) - NOT_SAVED
    strangers = sorted(set(model.parameters) - known)
    if strangers:
        raise ModelFileError(f"{cls.__name__} has no parameter {brief(strangers[0])}.")
    estimator = cls(**parameters_from_json(model.parameters))
    try:
        estimator._restore(model.tree)
    except (ValueError, TypeError) as error:
        raise ModelFileError(str(error)) from None
    return estimator
