"""Parameters of estimators as plain JSON, for the model file.

Numbers, texts, booleans and None stand for themselves, arrays become lists. What JSON has no
word for is an object with one of five keys: ``mapping``, a list of pairs, since labels need not be
texts; ``split``, ``pruner`` or ``settings``, the name of one with its parameters; or ``predicate``,
a condition as the core reads it. A method written in Python is written by its name only, since a
model file never runs code: the loaded model predicts and prints as before, and asks for the method
when it is to be fitted again. Pruners from elsewhere are refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright import _core
from treewright.base.jsonform import (
    plain_number,
    read_index,
    read_list,
    read_numbers,
    read_object,
    read_text,
)
from treewright.base.settings import Settings
from treewright.estimators.class_settings import F1, Costs, LogLoss, Priors
from treewright.estimators.constraints import Constraints
from treewright.estimators.settings import EarlyStopping, GrowthRules, Surrogates
from treewright.estimators.tuning import Tuning
from treewright.exceptions import ModelFileError, brief
from treewright.predicates import Predicate, decode
from treewright.prune import PRUNERS, Honest, Pruner, count_folds
from treewright.splits import CARDS, Best, PythonSplit, SplitMethod

__all__ = ["NOT_SAVED", "AbsentSplit", "parameters_from_json", "parameters_to_json"]

NOT_SAVED = frozenset({"progress"})

_METHODS = {card.method: card.load() for card in CARDS if card.method}
_PRUNERS: dict[str, type[Pruner]] = {cls.__name__: cls for cls in (*PRUNERS.values(), Honest)}
_SETTINGS: dict[str, type[Settings]] = {
    cls.__name__: cls
    for cls in (
        *(Constraints, Costs, EarlyStopping, F1, GrowthRules, LogLoss, Priors, Surrogates),
        Tuning,
    )
}
_PYTHON = "Python"
_N_KINDS, _N_CODES = 6, 2**31 - 1  # of tests; of columns and levels
_WORDS = {"split": "split method", "pruner": "pruner", "settings": "value"}


class AbsentSplit(SplitMethod):
    """Stands for a Python split method that a model was grown with and that was not saved.

    Parameters
    ----------
    name : str
        Module and name of the function.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name

    def build(self) -> _core.Method:
        """Refuse: the method is not here.

        Raises
        ------
        ValueError
            Always, saying what to do.
        """
        raise ValueError(
            f"This model was grown by the Python split method {brief(self.name)}, which a model "
            "file does not hold; set it again by set_params(split=...) before fitting."
        )


def parameters_to_json(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Write the parameters of an estimator as plain JSON.

    Parameters
    ----------
    parameters : mapping
        As ``get_params(deep=False)`` gives them.

    Returns
    -------
    dict
        Plain JSON; `progress` is left out, and a random generator becomes None.

    Raises
    ------
    ModelFileError
        If a parameter is an object that JSON cannot hold.

    Examples
    --------
    >>> from treewright.splits import Axis
    >>> parameters_to_json({"max_depth": 3, "split": Axis("c45"), "class_weight": {1: 2.5}})
    ... # doctest: +NORMALIZE_WHITESPACE
    {'max_depth': 3, 'split': {'split': 'Axis', 'parameters': {'rules': 'c45'}},
     'class_weight': {'mapping': [[1, 2.5]]}}
    """
    return {
        name: _to_json(name, value) for name, value in parameters.items() if name not in NOT_SAVED
    }


def parameters_from_json(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Read what :func:`parameters_to_json` wrote, trusting nothing.

    Raises
    ------
    ModelFileError
        If a value is no parameter that could have been written. Whether it is allowed for its
        parameter is for the estimator to say.
    """
    return {name: _from_json(brief(name), value) for name, value in parameters.items()}


def _to_json(name: str, value: Any) -> Any:
    if isinstance(value, np.generic):  # float64 is a float, but JSON knows plain ones only
        value = value.item()
    match value:
        case None | bool() | int() | float() | str():
            return value
        case np.random.RandomState():
            return None
        case Best():
            return {"split": "Best", "methods": [_to_json(name, m) for m in value.methods]}
        case PythonSplit() | AbsentSplit():
            return {"split": _PYTHON, "name": value.name}
        case SplitMethod():
            return {"split": type(value).__name__, "parameters": _own_parameters(name, value)}
        case Pruner() if type(value) not in _PRUNERS.values():
            raise ModelFileError(
                f"The pruner {type(value).__name__} in the parameter {name!r} is not one of "
                f"treewright's and cannot be written to a model file; set_params({name}=None) "
                "leaves it out, and the tree as it is."
            )
        case Pruner():
            return {"pruner": type(value).__name__, "parameters": _own_parameters(name, value)}
        case Settings() if type(value) in _SETTINGS.values():
            return {"settings": type(value).__name__, "parameters": _own_parameters(name, value)}
        case _ if isinstance(value, Predicate):
            kind, features, numbers = value.encode()
            plain = [plain_number(number) for number in numbers]
            return {"predicate": kind, "features": features, "numbers": plain}
        case Mapping():
            pairs = [[_to_json(name, key), _to_json(name, item)] for key, item in value.items()]
            return {"mapping": pairs}
        case list() | tuple():
            return [_to_json(name, item) for item in value]
    if hasattr(value, "__array__"):
        return _to_json(name, np.asarray(value).tolist())
    raise ModelFileError(
        f"The parameter {name!r} cannot be written to a model file: {brief(value)}."
    )


def _own_parameters(name: str, value: SplitMethod | Settings) -> dict[str, Any]:
    own = value.get_params(deep=False)
    if "folds" in own:  # given folds belong to the rows of one fit
        own["folds"] = count_folds(own["folds"])
        if own["folds"] is None:
            del own["folds"]
    return {key: _to_json(name, item) for key, item in own.items()}


def _from_json(where: str, value: Any) -> Any:
    if isinstance(value, list):
        return [_from_json(where, item) for item in value]
    if not isinstance(value, dict):
        return value
    if "mapping" in value:
        return _read_mapping(where, read_object(value, f"The parameter {where}", ["mapping"]))
    if "pruner" in value:
        return _read_object(where, value, "pruner", _PRUNERS)
    if "settings" in value:
        return _read_object(where, value, "settings", _SETTINGS)
    if "predicate" in value:
        return _read_predicate(where, value)
    return _read_split(where, value)


def _read_mapping(where: str, value: dict[str, Any]) -> dict[Any, Any]:
    mapping: dict[Any, Any] = {}
    for pair in read_list(value["mapping"], f"The mapping of the parameter {where}"):
        match pair:
            case [None | bool() | int() | float() | str() as key, item] if key not in mapping:
                mapping[key] = _from_json(where, item)
            case _:
                raise ModelFileError(
                    f"The mapping of the parameter {where} must hold pairs of a label and a value, "
                    f"each label once. Got {brief(pair)}."
                )
    return mapping


def _read_predicate(where: str, value: dict[str, Any]) -> Predicate:
    place = f"The condition in the parameter {where}"
    data = read_object(value, place, ["predicate", "features", "numbers"])
    kind = read_index(data["predicate"], f"The kind of {place[0].lower()}{place[1:]}", _N_KINDS)
    features = [
        read_index(feature, f"A column or level in the parameter {where}", _N_CODES)
        for feature in read_list(data["features"], place)
    ]
    numbers = read_numbers(data["numbers"], f"A number in the parameter {where}")
    try:
        return decode((kind, features, numbers))
    except ValueError as error:
        raise ModelFileError(f"{place} is broken: {error}") from None


def _read_split(where: str, value: dict[str, Any]) -> SplitMethod:
    place = f"The split method in the parameter {where}"
    name = read_text(value.get("split"), f"The name of a split method in the parameter {where}")
    if name == "Best":
        methods = read_list(read_object(value, place, ["split", "methods"])["methods"], place)
        return Best(*(_from_json(where, method) for method in methods))
    if name == _PYTHON:
        return AbsentSplit(read_text(read_object(value, place, ["split", "name"])["name"], place))
    method: SplitMethod = _read_object(where, value, "split", _METHODS)
    return method


def _read_object(where: str, value: dict[str, Any], key: str, classes: Mapping[str, type]) -> Any:
    """Read an object with parameters: a split method, a pruner or a value of settings."""
    place = f"The {_WORDS[key]} in the parameter {where}"
    name = read_text(value.get(key), f"The name of a {_WORDS[key]} in the parameter {where}")
    if name not in classes:
        raise ModelFileError(f"{place} is {brief(name)}, which this version does not know.")
    cls: Any = classes[name]
    known = inspect.signature(cls).parameters
    needed = [part for part, wanted in known.items() if wanted.default is inspect.Parameter.empty]
    own = read_object(value, place, [key, "parameters"])["parameters"]
    own = read_object(own, f"The parameters of {name}", needed, list(known))
    return cls(**{part: _from_json(where, item) for part, item in own.items()})
