"""The arrows between the rooms of the house: who may use whom.

Each layer may use only layers to its left (above, in the lists here); rooms of one layer do not see
each other. The test reads `import` statements, wherever in a file they stand, and `#include` lines.
A file in a room that is not listed fails, so that whoever adds one decides where it belongs.
"""

from __future__ import annotations

import ast
import itertools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from syntax import parsed

ROOT = Path(__file__).parents[2]

PYTHON_LAYERS = [
    ["exceptions", "words", "statistics"],
    ["_core", "base"],
    ["schema", "measures"],
    ["expressions", "files"],
    ["predicates"],
    ["tree"],
    ["rules", "explain"],
    ["modelfile"],
    ["splits", "prune", "export", "plot"],
    ["page"],
    ["evaluation"],
    ["optimal"],
    ["estimators"],
    ["recipes"],
    ["readable"],
    ["bigdata"],
    ["loading", "methods", "times"],
    ["bigdata"],
    ["reports"],
    ["datasets", "testing"],
    ["cli"],
    ["__main__"],
]
# Rooms inside of a room; "" are the files that stand in none of them.
ROOMS_INSIDE = {"plot": [[""], ["tree", "panel"], ["svg", "figures"]]}
ONLY_FIGURES_DRAW = "matplotlib"
FRONT_DOOR = "__init__"  # of the package: names every room, and no room may come in by it

# base <- data <- ( tree | measure ) <- ( split <- grow, teach | prune | search | parts ) <- bind
CPP_MAY_USE = {
    "base": set(),
    "data": {"base"},
    "tree": {"base", "data"},
    "measure": {"base", "data"},
    "split": {"base", "data", "tree", "measure"},
    "grow": {"base", "data", "tree", "measure", "split"},
    "teach": {"base", "split"},
    "prune": {"base", "data", "tree", "measure"},
    "search": {"base", "data", "tree", "measure"},
    "parts": {"base", "data", "tree", "measure"},
}
CPP_MAY_USE["bind"] = {*CPP_MAY_USE}
PYTHON_HEADER = re.compile(r"^(Python\.h|pybind11|nanobind|numpy|structmember\.h|cpython/)")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


# Against the arrows: file, room, and why there is no other way.
EXCEPTIONS = {("tree/tree.py", "plot"): "a notebook asks the tree itself for its drawing"}


def python_may_use() -> dict[str, set[str]]:
    """For each room, the rooms to its left."""
    allowed: dict[str, set[str]] = {}
    seen: set[str] = set()
    for layer in PYTHON_LAYERS:
        for room in layer:
            allowed[room] = set(seen)
        seen.update(layer)
    allowed[FRONT_DOOR] = seen
    return allowed


def imported_modules(tree: ast.Module, package: list[str]) -> Iterator[tuple[int, str, list[str]]]:
    """Line, module and names taken from it, for every import of a file.

    Relative imports are made absolute; `package` names the package of the file, part by part.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, []
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *(node.module.split(".") if node.module else [])])
            yield node.lineno, module, [alias.name for alias in node.names]
        elif (
            isinstance(node, ast.Call)
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
            and ast.unparse(node.func).endswith("import_module")
        ):
            name = node.args[0].value
            yield node.lineno, ".".join(package) + name if name.startswith(".") else name, []


def python_faults(source: Path) -> list[str]:
    """Sentences, one for each wrong import under `source`, the folder of the package."""
    allowed = python_may_use()
    rooms = {path.stem for path in source.iterdir()} | set(allowed)
    faults = []
    for file in sorted(source.rglob("*.py")):
        parts = file.relative_to(source).with_suffix("").parts
        room, where = parts[0], file.relative_to(source.parent)
        if room not in allowed:
            faults.append(f"{where}: room '{room}' is not listed in PYTHON_LAYERS")
            continue
        package = [source.name, *parts[:-1]]
        for line, module, names in imported_modules(parsed(file.read_text()), package):
            if module.split(".")[0] != source.name:
                continue
            inner = module.split(".")[1:]
            # `from treewright import schema` names rooms; any other name comes by the front door.
            used = inner[:1] or [name if name in rooms else FRONT_DOOR for name in names or [""]]
            faults += [
                f"{where}:{line}: {room} may not use {other}"
                for other in used
                if other != room
                and other not in allowed[room]
                and ("/".join(file.relative_to(source).parts), other) not in EXCEPTIONS
            ]
    return faults


def faults_inside(source: Path, room: str, layers: list[list[str]]) -> list[str]:
    """Sentences, one for each wrong import between the rooms inside of one."""
    faults = []
    allowed = {
        inner: {*itertools.chain(*layers[:place]), inner}
        for place, layer in enumerate(layers)
        for inner in layer
    }

    def place(parts: tuple[str, ...]) -> str:
        return parts[0] if parts and parts[0] in allowed else ""

    for file in sorted((source / room).rglob("*.py")):
        parts = file.relative_to(source / room).with_suffix("").parts
        if parts == ("__init__",):
            continue
        for line, module, _ in imported_modules(parsed(file.read_text()), [source.name]):
            where = f"{file.relative_to(source.parent)}:{line}"
            if module.split(".")[:2] == [source.name, room]:
                other = place(tuple(module.split(".")[2:]))
                if other not in allowed[place(parts[:-1])]:
                    faults.append(f"{where}: {room}/{place(parts[:-1])} may not use {other}")
            if module.split(".")[0] == ONLY_FIGURES_DRAW and place(parts[:-1]) != "figures":
                faults.append(f"{where}: only figures may use {ONLY_FIGURES_DRAW}")
    return faults


def private_scikit_learn(source: Path) -> list[str]:
    """Imports of names that scikit-learn keeps private."""
    return [
        f"{file.relative_to(source.parent)}:{line}: {module} {' '.join(names)}"
        for file in sorted(source.rglob("*.py"))
        for line, module, names in imported_modules(parsed(file.read_text()), [source.name])
        if module.split(".")[0] == "sklearn"
        and any(part.startswith("_") for part in [*module.split("."), *names])
    ]


def cpp_room(file: Path, source: Path) -> str | None:
    """The room of a file under `source` (the folder cpp), or None if it stands outside of all."""
    parts = file.relative_to(source).parts
    if len(parts) == 2 and parts[0] == "bind":
        return "bind"
    if len(parts) >= 3 and parts[0] == "treewright" and parts[1] in CPP_MAY_USE:
        return parts[1]
    return None


def cpp_faults(source: Path) -> list[str]:
    """Sentences, one for each `#include` under `source` that is not allowed."""
    faults = []
    for file in sorted(path for path in source.rglob("*") if path.is_file()):
        where = file.relative_to(source.parent)
        room = cpp_room(file, source)
        if room is None:
            faults.append(f"{where}: stands in no room that CPP_MAY_USE lists")
            continue
        text = file.read_text()
        for match in INCLUDE.finditer(text):
            bracket, name = match.groups()
            place = f"{where}:{text.count(chr(10), 0, match.start(2)) + 1}"
            if room != "bind" and PYTHON_HEADER.match(name):
                faults.append(f"{place}: the core may not include a Python header ({name})")
            if bracket == "<" and not name.startswith("treewright/"):
                continue
            found = [path for path in (file.parent / name, source / name) if path.is_file()]
            if not found:
                if not (room == "bind" and PYTHON_HEADER.match(name)):
                    faults.append(f"{place}: no such file of ours ({name})")
                continue
            other = cpp_room(found[0].resolve(), source.resolve())
            if other != room and other not in CPP_MAY_USE[room]:
                faults.append(f"{place}: {room} may not use {other}")
    return faults


def test_python_imports_follow_the_arrows():
    assert python_faults(ROOT / "src" / "treewright") == []


@pytest.mark.parametrize("room", ROOMS_INSIDE)
def test_imports_inside_of_a_room_follow_the_arrows(room):
    assert faults_inside(ROOT / "src" / "treewright", room, ROOMS_INSIDE[room]) == []


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("words.py", "from treewright.plot.tree.layout import a", "plot/ may not use tree"),
        ("svg/text.py", "from treewright.plot.figures.axes import a", "plot/svg may not use fig"),
        ("tree/key.py", "def f():\n    import matplotlib", "key.py:2: only figures may use"),
    ],
)
def test_a_wrong_import_inside_of_a_room_is_found(tmp_path, file, text, fault):
    path = tmp_path / "treewright" / "plot" / file
    path.parent.mkdir(parents=True)
    path.write_text(text)
    (found,) = faults_inside(tmp_path / "treewright", "plot", ROOMS_INSIDE["plot"])
    assert fault in found


def test_cpp_includes_follow_the_arrows():
    assert cpp_faults(ROOT / "cpp") == []


def test_only_public_names_of_scikit_learn_are_used():
    assert private_scikit_learn(ROOT / "src" / "treewright") == []


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("schema.py", "from treewright.tree import Tree", "schema may not use tree"),
        ("schema.py", "def f():\n    from .tree import Tree", "schema.py:2: schema may"),
        ("schema.py", "from . import cli", "schema may not use cli"),
        ("schema.py", "import treewright", "schema may not use __init__"),
        ("schema.py", "from treewright import load", "schema may not use __init__"),
        ("schema.py", "import_module('.tree')", "schema may not use tree"),
        ("splits.py", "import treewright.prune", "splits may not use prune"),
        ("prune/path.py", "from ..estimators.base import fit", "prune may not use estimators"),
        ("attic.py", "", "room 'attic' is not listed"),
    ],
)
def test_a_wrong_python_import_is_found(tmp_path, file, text, fault):
    path = tmp_path / "treewright" / file
    path.parent.mkdir(parents=True)
    path.write_text(text)
    (found,) = python_faults(tmp_path / "treewright")
    assert fault in found


def test_right_python_imports_are_left_alone(tmp_path):
    package = tmp_path / "treewright"
    (package / "prune").mkdir(parents=True)
    (package / "prune" / "path.py").write_text("from .list import pruners\nfrom ..tree import Tree")
    (package / "cli.py").write_text("from . import recipes, datasets\nimport treewright._core")
    (package / "__init__.py").write_text("from .cli import main")
    assert python_faults(package) == []


def test_a_private_name_of_scikit_learn_is_found(tmp_path):
    (tmp_path / "cli.py").write_text("from sklearn.tree._tree import Tree\nimport sklearn.tree")
    assert len(private_scikit_learn(tmp_path)) == 1


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("treewright/data/a.hpp", '#include "treewright/tree/b.hpp"', "data may not use tree"),
        ("treewright/measure/a.hpp", "#include <treewright/tree/b.hpp>", "measure may not use"),
        ("treewright/search/a.hpp", '  # include "../grow/b.hpp"', "search may not use grow"),
        ("treewright/base/a.hpp", "\n#include <Python.h>", "a.hpp:2: the core may not include"),
        ("treewright/tree/a.hpp", "#include <nanobind/ndarray.h>", "the core may not include"),
        ("treewright/tree/a.hpp", '#include "treewright/tree/gone.hpp"', "no such file"),
        ("treewright/attic/a.hpp", "", "stands in no room"),
        ("treewright/a.hpp", "", "stands in no room"),
    ],
)
def test_a_wrong_include_is_found(tmp_path, file, text, fault):
    for room in ("base", "tree", "grow"):
        (tmp_path / "cpp" / "treewright" / room).mkdir(parents=True)
        (tmp_path / "cpp" / "treewright" / room / "b.hpp").touch()
    path = tmp_path / "cpp" / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    (found,) = cpp_faults(tmp_path / "cpp")
    assert fault in found


def test_bindings_may_include_everything(tmp_path):
    (tmp_path / "treewright" / "grow").mkdir(parents=True)
    (tmp_path / "treewright" / "grow" / "grow.hpp").touch()
    (tmp_path / "bind").mkdir()
    lines = ["#include <nanobind/nanobind.h>", '#include "treewright/grow/grow.hpp"']
    (tmp_path / "bind" / "module.cpp").write_text("\n".join(lines))
    assert cpp_faults(tmp_path) == []


def test_import_of_the_package_loads_nothing_heavy():
    heavy = ["pandas", "polars", "pyarrow", "matplotlib", "sklearn", "scipy"]
    program = f"import sys, treewright; print([m for m in {heavy} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stderr == ""
    assert result.stdout.strip() == "[]"


def test_the_search_as_a_whole_knew_which_engine_ran():
    text = (ROOT / "cpp" / "treewright" / "search" / "solve.cpp").read_text()
    assert "make_engine" in text
    assert not re.search("chain|candidate", text, re.IGNORECASE)
