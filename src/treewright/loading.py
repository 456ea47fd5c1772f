"""Loading fitted estimators from the model file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from sklearn.base import RegressorMixin

from treewright.base.jsonform import read_object, read_text
from treewright.estimators.classifier import TreeClassifier
from treewright.estimators.estimator import Estimator
from treewright.estimators.forest.base import Forest
from treewright.estimators.forest.classifier import ForestClassifier
from treewright.estimators.forest.regressor import ForestRegressor
from treewright.estimators.old_words import old_word
from treewright.estimators.optimal_classifier import OptimalTreeClassifier
from treewright.estimators.optimal_regressor import OptimalTreeRegressor
from treewright.estimators.parameter_json import NOT_SAVED, parameters_from_json
from treewright.estimators.regressor import TreeRegressor
from treewright.estimators.rules import RuleSetClassifier
from treewright.exceptions import ModelFileError, brief
from treewright.modelfile import ModelFile, read_model, unusable
from treewright.optimal import Certificate
from treewright.readable import ReadableTreeClassifier, ReadableTreeRegressor

__all__ = ["ESTIMATORS", "load"]

ESTIMATORS: dict[str, type[Estimator]] = {
    "ForestClassifier": ForestClassifier,
    "ForestRegressor": ForestRegressor,
    "OptimalTreeClassifier": OptimalTreeClassifier,
    "OptimalTreeRegressor": OptimalTreeRegressor,
    "ReadableTreeClassifier": ReadableTreeClassifier,
    "ReadableTreeRegressor": ReadableTreeRegressor,
    "RuleSetClassifier": RuleSetClassifier,
    "TreeClassifier": TreeClassifier,
    "TreeRegressor": TreeRegressor,
}


_PARTS = {
    "rules": "rules",
    "forest": "a forest",
    "certificate": "a certificate",
    "front": "a Pareto front",
}
_OPTIONAL = ("certificate", "front")
_SEARCHED = (
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    ReadableTreeClassifier,
    ReadableTreeRegressor,
)


def load(path: str | os.PathLike[str]) -> Any:
    """Read a fitted estimator from a model file.

    Parameters
    ----------
    path : str or path-like
        A file written by ``estimator.save``.

    Returns
    -------
    TreeClassifier, TreeRegressor, or another estimator with `save`
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


def _restore(model: ModelFile) -> Any:
    cls = _class_of(model.estimator)
    if model.tree.is_classification == issubclass(cls, RegressorMixin):
        raise ModelFileError(f"Its tree does not fit {cls.__name__}.")
    estimator = _unfitted(cls, model.parameters)
    owners: dict[str, tuple[object, tuple[type[Estimator], ...]]] = {
        "rules": (model.rules, (RuleSetClassifier,)),
        "forest": (model.forest, (Forest,)),
        "certificate": (model.certificate, _SEARCHED),
        "front": (model.front or None, _SEARCHED),
    }
    for name, (part, owner) in owners.items():
        if part is None and name not in _OPTIONAL and issubclass(cls, owner):
            raise ModelFileError(f"It lacks the {name} of {cls.__name__}.")
        if part is not None and not issubclass(cls, owner):
            raise ModelFileError(f"It holds {_PARTS[name]}, and {cls.__name__} has none.")
    try:
        if model.forest is not None:
            estimator._restore(model.forest)
        elif model.rules is not None:
            estimator._restore(model.tree, model.rules)
        elif issubclass(cls, _SEARCHED):
            given = model.certificate
            proved = None if given is None else Certificate.from_json(given)
            estimator._restore(model.tree, proved, model.front)
        else:
            estimator._restore(model.tree)
    except (ValueError, TypeError) as error:
        raise ModelFileError(str(error)) from None
    return estimator


def _class_of(name: str) -> type[Estimator]:
    if name not in ESTIMATORS:
        raise ModelFileError(
            f"It is for an estimator {brief(name)}, which this version does not know; "
            f"it knows {', '.join(ESTIMATORS)}."
        )
    return ESTIMATORS[name]


def _unfitted(cls: type[Estimator], parameters: Mapping[str, Any]) -> Any:
    """Make an estimator with parameters from a file."""
    known = set(cls().get_params(deep=False)) - NOT_SAVED
    strangers = sorted(set(parameters) - known)
    if strangers:
        sentence = old_word(cls, strangers)
        if sentence is not None:
            raise ModelFileError(f"{sentence} Fit and save the model again.")
        raise ModelFileError(f"{cls.__name__} has no parameter {brief(strangers[0])}.")
    plain = dict(parameters)
    inner = plain.pop("tree", None)
    estimator = cls(**parameters_from_json(plain))
    if inner is not None:
        data = read_object(inner, "The parameter 'tree'", ("estimator", "parameters"))
        name = read_text(data["estimator"], "The estimator in the parameter 'tree'")
        if not isinstance(data["parameters"], dict):
            raise ModelFileError("The parameters of the parameter 'tree' must be an object.")
        estimator.set_params(tree=_unfitted(_class_of(name), data["parameters"]))
    return estimator
