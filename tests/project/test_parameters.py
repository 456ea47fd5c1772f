"""Every parameter of what users call has a type and a sentence."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sklearn.base import BaseEstimator

import treewright
from treewright.prune import Pruner
from treewright.splits import Example, PythonSplit, SplitMethod

ROOMS = ("datasets", "estimators", "measures", "modelfile", "optimal", "prune", "recipes", "splits")
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
STARRED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def public_callables() -> dict[str, Callable[..., Any]]:
    """Give the names of the front door and of its rooms, and their methods."""
    found: dict[str, Callable[..., Any]] = {}
    for room in ("treewright", *(f"treewright.{name}" for name in ROOMS), "treewright.testing"):
        module = importlib.import_module(room)
        for name in module.__all__:
            thing = getattr(module, name)
            if not callable(thing) or not _is_ours(thing):
                continue
            found[f"{thing.__module__}.{name}"] = thing
            if inspect.isclass(thing):
                found |= {f"{thing.__module__}.{name}.{key}": one for key, one in _methods(thing)}
    return found


def _methods(thing: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in dir(thing):
        one = inspect.getattr_static(thing, name)
        one = one.__func__ if isinstance(one, classmethod | staticmethod) else one
        if not name.startswith("_") and inspect.isfunction(one) and _is_ours(one):
            yield name, one


def _is_ours(thing: object) -> bool:
    module = getattr(thing, "__module__", None) or ""
    return module.startswith("treewright.") and module != "treewright._core"


def documented(docstring: str) -> dict[str, tuple[str, str]]:
    """Give type and sentence of every parameter, or attribute, that a docstring names."""
    parts = SECTION.split(inspect.cleandoc(docstring) + "\n")
    entries: dict[str, tuple[str, str]] = {}
    for title, text in zip(parts[1::2], parts[2::2], strict=True):
        if title not in ("Parameters", "Attributes"):
            continue
        for entry in re.split(r"\n(?=\S)", text.strip("\n")):
            head, _, sentence = entry.partition("\n")
            names, _, kind = head.partition(" : ")
            for name in names.split(","):
                entries.setdefault(name.strip().lstrip("*"), (kind.strip(), sentence.strip()))
    return entries


def lacking(thing: Callable[..., Any]) -> Iterator[str]:
    """Give the parameters without a type or a sentence."""
    entries = documented(thing.__doc__ or "")
    for parameter in inspect.signature(thing).parameters.values():
        if parameter.name in ("self", "cls") or parameter.name.startswith("_"):
            continue
        kind, sentence = entries.get(parameter.name, ("", ""))
        if not sentence or not (kind or parameter.kind in STARRED):
            yield parameter.name


@pytest.fixture(scope="module")
def callables() -> dict[str, Callable[..., Any]]:
    return public_callables()


def test_every_parameter_has_a_type_and_a_sentence(callables) -> None:
    found = {name: list(lacking(thing)) for name, thing in callables.items()}
    assert {name: names for name, names in found.items() if names} == {}


def test_every_class_has_an_example_and_its_relatives(callables) -> None:
    """Split methods and pruners, which users make themselves, and the estimators."""
    makers = (BaseEstimator, Pruner)
    inner = {SplitMethod, Pruner, PythonSplit, Example}
    for name, thing in callables.items():
        if inspect.isclass(thing) and issubclass(thing, makers) and thing not in inner:
            for section in ("See Also", "Examples"):
                assert f"{section}\n" in (thing.__doc__ or ""), f"{name} has no {section}"


def test_a_lump_of_parameters_without_a_type_is_noticed() -> None:
    entries = documented("Do it.\n\nParameters\n----------\nX, y\n    Rows.\nz : int\n")
    assert entries == {"X": ("", "Rows."), "y": ("", "Rows."), "z": ("int", "")}


def test_the_front_door_is_among_what_is_looked_at(callables) -> None:
    assert {name for name in treewright.__all__ if isinstance(getattr(treewright, name), type)} <= {
        name.rpartition(".")[2] for name in callables
    }
