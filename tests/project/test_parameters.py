"""Every parameter of what users call has a type and a sentence."""

from __future__ import annotations

import importlib
import inspect
import math
import pkgutil
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import treewright
from treewright.export import Exporter
from treewright.predicates import Axis
from treewright.prune import Growth, Pruner
from treewright.splits import SplitMethod
from treewright.statistics.intervals import mean_interval

pytest.importorskip("matplotlib", reason="functions that draw are looked at, too")

NOT_LOOKED_AT = {"cli"}  # its one name is a command, whose options have help of their own
NAMED_BY_FILES = {"base", "statistics", "words"}  # names of these rooms are in their files
# Rooms whose classes users meet.
MET = {
    *("estimators", "explain", "export", "optimal", "plot", "predicates", "prune"),
    *("rules", "schema", "splits", "tree"),
}
INNER = {Growth, Pruner, SplitMethod}  # made by the house, or to be derived from
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
DEFAULT = re.compile(r"\bdefault (.+)$")
MEANT = {"inf": math.inf, "infinity": math.inf, "MiB": 2**20, "GiB": 2**30}  # in words of defaults
STARRED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Public(NamedTuple):
    """A callable, its docstring, and those of the methods it overrides."""

    thing: Callable[..., Any]
    docstrings: list[str]


def public_modules() -> Iterator[ModuleType]:
    """Give the front door and every room, or its files if the names are there."""
    yield treewright
    for room in pkgutil.iter_modules(treewright.__path__):
        if room.name.startswith("_") or room.name in NOT_LOOKED_AT:
            continue
        module = importlib.import_module(f"treewright.{room.name}")
        if room.name not in NAMED_BY_FILES:
            yield module
            continue
        for file in pkgutil.iter_modules(module.__path__, f"{module.__name__}."):
            yield importlib.import_module(file.name)


def public_callables() -> dict[str, Public]:
    """Give the names of the front door and of its rooms, and their methods."""
    found: dict[str, Public] = {}
    for module in public_modules():
        for name in module.__all__:
            thing = getattr(module, name)
            if not callable(thing) or not _is_ours(thing) or _is_exception(thing):
                continue
            found[f"{thing.__module__}.{name}"] = Public(thing, [thing.__doc__ or ""])
            if inspect.isclass(thing):
                found |= {f"{thing.__module__}.{name}.{key}": one for key, one in _methods(thing)}
    return found


def _methods(thing: type) -> Iterator[tuple[str, Public]]:
    for name in dir(thing):
        versions = [_function(vars(base)[name]) for base in thing.__mro__ if name in vars(base)]
        if not name.startswith("_") and inspect.isfunction(versions[0]) and _is_ours(versions[0]):
            yield name, Public(versions[0], [one.__doc__ or "" for one in versions])


def _function(one: Any) -> Any:
    return one.__func__ if isinstance(one, classmethod | staticmethod) else one


def _is_ours(thing: object) -> bool:
    module = getattr(thing, "__module__", None) or ""
    return module.startswith("treewright.") and module != "treewright._core"


def _is_exception(thing: object) -> bool:
    return inspect.isclass(thing) and issubclass(thing, BaseException)


def sections(docstring: str) -> dict[str, str]:
    """Give the sections of a docstring by their titles."""
    parts = SECTION.split(inspect.cleandoc(docstring) + "\n")
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def documented(docstring: str) -> dict[str, tuple[str, str]]:
    """Give type and sentence of every parameter, or attribute, that a docstring names."""
    entries: dict[str, tuple[str, str]] = {}
    for title, text in sections(docstring).items():
        if title not in ("Parameters", "Attributes"):
            continue
        for entry in re.split(r"\n(?=\S)", text.strip("\n")):
            head, _, sentence = entry.partition("\n")
            names, _, kind = head.partition(" : ")
            for name in names.split(","):
                entries.setdefault(name.strip().lstrip("*"), (kind.strip(), sentence.strip()))
    return entries


def lacking(public: Public) -> Iterator[str]:
    """Give the parameters without a type or a sentence, here and in what is overridden."""
    every = [documented(docstring) for docstring in public.docstrings]
    for parameter in inspect.signature(public.thing).parameters.values():
        if parameter.name in ("self", "cls") or parameter.name.startswith("_"):
            continue
        entries = [one.get(parameter.name, ("", "")) for one in every]
        if not any(text and (kind or parameter.kind in STARRED) for kind, text in entries):
            yield parameter.name


def false_defaults(public: Public) -> Iterator[str]:
    """Give the parameters with another default than their docstring says."""
    entries = documented(public.docstrings[0])
    for parameter in inspect.signature(public.thing).parameters.values():
        said = DEFAULT.search(entries.get(parameter.name, ("", ""))[0])
        if said is None or "..." in said[1]:
            continue
        code = re.sub(r"(?<=\d) (?=[MG]iB)", "*", re.sub(r"(?<=\d),(?=\d{3}\b)", "", said[1]))
        value, real = eval(code, MEANT.copy()), parameter.default
        is_made_empty = repr(real) == "<factory>" and value == {}
        is_equal = value == real and isinstance(value, bool) == isinstance(real, bool)
        if not (is_equal or is_made_empty):
            yield f"{parameter.name} = {real!r}, not {said[1]}"


def lacks_returns(public: Public) -> bool:
    """Tell whether parameters are documented, and what comes back is not."""
    nothing = public.thing.__annotations__.get("return") in (None, "None")
    if nothing or inspect.isclass(public.thing):
        return False
    every = [sections(docstring) for docstring in public.docstrings]
    return "Parameters" in every[0] and not any({"Returns", "Yields"} & set(one) for one in every)


def missing_parts(thing: type) -> list[str]:
    """Give the sections of a class that users look for and do not find."""
    return [one for one in ("See Also", "Examples") if one not in sections(thing.__doc__ or "")]


@pytest.fixture(scope="module")
def callables() -> dict[str, Public]:
    return public_callables()


def test_every_parameter_has_a_type_and_a_sentence(callables) -> None:
    found = {name: list(lacking(public)) for name, public in callables.items()}
    assert {name: names for name, names in found.items() if names} == {}


def test_defaults_are_those_that_docstrings_say(callables) -> None:
    found = {name: list(false_defaults(public)) for name, public in callables.items()}
    assert {name: defaults for name, defaults in found.items() if defaults} == {}


def test_a_false_default_is_noticed() -> None:
    def grow(rows=1_000, *, bold=False, kind="a", most=math.inf): ...

    text = (
        "Grow.\n\nParameters\n----------\nrows : int, default 1,000\nbold : bool, default True\n"
        "kind : str, default 'b'\nmost : float, default infinity\n"
    )
    assert list(false_defaults(Public(grow, [text]))) == [
        "bold = False, not True",
        "kind = 'a', not 'b'",
    ]


def test_what_comes_back_is_said_beside_the_parameters(callables) -> None:
    assert [name for name, public in callables.items() if lacks_returns(public)] == []


def test_every_class_that_users_meet_has_an_example_and_its_relatives(callables) -> None:
    found = {
        name: missing_parts(thing)
        for name, (thing, _) in callables.items()
        if inspect.isclass(thing) and thing not in INNER
        if name.split(".")[1] in MET
    }
    assert {name: parts for name, parts in found.items() if parts} == {}


def test_a_lump_of_parameters_without_a_type_is_noticed() -> None:
    entries = documented("Do it.\n\nParameters\n----------\nX, y\n    Rows.\nz : int\n")
    assert entries == {"X": ("", "Rows."), "y": ("", "Rows."), "z": ("int", "")}


def test_a_method_may_leave_its_parameters_to_the_one_it_overrides() -> None:
    def write(self, rows): ...

    whole = "Write.\n\nParameters\n----------\nrows : int\n    How many.\n"
    assert list(lacking(Public(write, ["Write.", whole]))) == []
    assert list(lacking(Public(write, ["Write."]))) == ["rows"]


def test_every_room_is_among_what_is_looked_at(callables) -> None:
    assert {name for name in treewright.__all__ if isinstance(getattr(treewright, name), type)} <= {
        name.rpartition(".")[2] for name in callables
    }
    things = {public.thing for public in callables.values()}
    assert {Axis, Axis.branches, Exporter, mean_interval} <= things
