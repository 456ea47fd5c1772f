"""The model file: a tree with its schema and the estimator it belongs to, as JSON.

    {"format": "treewright-model", "version": 1, "written_by": "treewright 0.1.0",
     "estimator": "TreeClassifier", "parameters": {...},
     "schema": {"columns": [...], "named": true, "target": ..., "classes": [...]},
     "tree": {"task": "classification", "nodes": [...]},
     "rules": {"rules": [...], "default": {...}, ...},
     "certificate": {"objective": 12, "lower_bound": 12, "status": "optimal", ...},
     "front": [{"task": "classification", "nodes": [...]}, ...]}

The rules are there where the estimator predicts by rules made from the tree, the certificate where
the tree was searched for and something is proved about it, the Pareto front where the best tree of
every size was asked for. The file of a forest has, instead of the tree,

     "forest": {"seed": 7, "rows": 150, "draws": 150, "trees": [{"task": ..., "nodes": [...]}, ...]}

`model.schema.json` beside this file is the published JSON Schema of it. Loading trusts nothing and
runs nothing: a file that is broken, hostile, of another version or no model at all gives one
ModelFileError; a file that loads is a valid model. One node stands on one line, so that the
difference of two files can be read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from treewright.base.jsonform import (
    JSON,
    check_plain,
    read_index,
    read_list,
    read_object,
    read_text,
)
from treewright.exceptions import ModelFileError, SchemaError, brief, brief_path
from treewright.files import atomic_write
from treewright.files.paths import check_model_path
from treewright.schema import Schema
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright.rules import RuleSet

__all__ = [
    "FORMAT",
    "MAX_BYTES",
    "VERSION",
    "ForestFile",
    "ModelFile",
    "model_from_text",
    "model_schema",
    "model_to_text",
    "read_model",
    "unusable",
    "write_model",
]

FORMAT = "treewright-model"
VERSION = 1
MAX_BYTES = 512 * 2**20  # about two million nodes; more is refused unless asked for

_KEYS = ("format", "version", "estimator", "parameters", "schema")
_FOREST_KEYS = ("seed", "rows", "draws", "trees")
_LONGEST_INTEGER = 25  # digits; 64 bits need 20
_OPEN_LEVELS = 2  # the file and its parts stand on many lines; a list of parts has one line each
_OPEN_FOREST_LEVELS = 4  # lists of nodes stand two levels deeper
_LARGEST_SEED = 2**53
_MOST_ROWS = 2**32


def _this_program() -> str:
    try:
        return f"treewright {metadata.version('treewright')}"
    except metadata.PackageNotFoundError:  # run from a folder without being installed
        return "treewright"


@dataclass(frozen=True)
class ForestFile:
    """The trees of a forest, and what their bags follow from.

    Parameters
    ----------
    trees : tuple of Tree
        One at least, all over the same schema.
    seed : int
        Seed of the forest, below 2**53.
    n_rows : int
        Number of rows the forest was grown on.
    n_draws : int or None
        Rows drawn for each tree; None if every tree learned from all.
    """

    trees: tuple[Tree, ...]
    seed: int
    n_rows: int
    n_draws: int | None

    def to_json(self) -> JSON:
        """Write the forest, without its schema, as a JSON object."""
        trees = [tree.to_json() for tree in self.trees]
        return {"seed": self.seed, "rows": self.n_rows, "draws": self.n_draws, "trees": trees}

    @classmethod
    def from_json(cls, value: object, schema: Schema) -> ForestFile:
        """Read what `to_json` wrote, trusting nothing.

        Parameters
        ----------
        value : object
            What was read from JSON.
        schema : Schema
            Columns, levels and classes of the trees.

        Returns
        -------
        ForestFile
            The forest.

        Raises
        ------
        ModelFileError
            If it is not a forest over this schema.
        """
        data = read_object(value, "The forest", _FOREST_KEYS)
        trees = read_list(data["trees"], "The trees of the forest")
        if not trees:
            raise ModelFileError("The forest has no trees.")
        draws = data["draws"]
        return cls(
            tuple(Tree.from_json(tree, schema) for tree in trees),
            read_index(data["seed"], "The seed of the forest", _LARGEST_SEED),
            read_index(data["rows"], "The rows of the forest", _MOST_ROWS),
            None if draws is None else read_index(draws, "The draws of the forest", _MOST_ROWS),
        )


@dataclass(frozen=True)
class ModelFile:
    """What a model file holds.

    Parameters
    ----------
    tree : Tree
        The tree, of a forest the first one; its schema travels with it.
    estimator : str
        Name of the estimator class the tree belongs to.
    parameters : mapping of str to plain JSON
        Parameters of the estimator: texts, numbers, booleans, None, and lists and dicts of
        them.
    written_by : str
        Program and version that wrote it; filled in by default.
    rules : RuleSet or None
        Rules made from the tree, where the estimator predicts by them.
    forest : ForestFile or None
        All trees, where the estimator is a forest.
    certificate : mapping or None
        What was proved of the tree, as plain JSON, where it was searched for.
    front : tuple of Tree
        The best tree of every size, the smallest first, where they were searched for.

    Raises
    ------
    ModelFileError
        If the parameters are not plain JSON.
    """

    tree: Tree
    estimator: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    written_by: str = field(default_factory=_this_program)
    rules: RuleSet | None = None
    forest: ForestFile | None = None
    certificate: Mapping[str, Any] | None = None
    front: tuple[Tree, ...] = ()

    def __post_init__(self) -> None:
        read_text(self.estimator, "The name of the estimator")
        read_text(self.written_by, "'written_by'")
        if not isinstance(self.parameters, Mapping):
            raise ModelFileError("The parameters must be an object.")
        check_plain(dict(self.parameters), "the parameters")

    @property
    def schema(self) -> Schema:
        """The columns and classes of the tree."""
        return self.tree.schema

    def with_search(
        self, certificate: Mapping[str, Any] | None, front: Iterable[Tree] = ()
    ) -> ModelFile:
        """Return the same with what was proved of the tree, and the best trees of other sizes.

        Parameters
        ----------
        certificate : mapping or None
            The certificate as JSON has it; None if there is none.
        front : iterable of Tree, default ()
            The trees of the Pareto front, the smallest first.

        Returns
        -------
        ModelFile
            The file with both.
        """
        return replace(self, certificate=certificate, front=tuple(front))


def write_model(path: str | os.PathLike[str], model: ModelFile) -> None:
    """Write a model file; an old file at that place is replaced only when all went well.

    Parameters
    ----------
    path : str or path-like
        Where to write.
    model : ModelFile
        What to write.

    Raises
    ------
    ModelFileError
        If the model is too large for a model file.
    WriteError
        If it cannot be written there.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.json"
    >>> root = {"id": 0, "rows": 3, "statistics": [1, 2], "value": 1}
    >>> schema = Schema.from_json({"columns": [{"name": "age", "kind": "numeric"}],
    ...                            "classes": ["no", "yes"]})
    >>> tree = Tree.from_json({"task": "classification", "nodes": [root]}, schema)
    >>> write_model(path, ModelFile(tree, "TreeClassifier", {"max_depth": 3}))
    >>> read_model(path).tree == tree
    True
    """
    data = model_to_text(model).encode("utf-8")
    if len(data) > MAX_BYTES:
        raise ModelFileError(
            f"The model takes {len(data):,} bytes, and model files end at {MAX_BYTES:,}; "
            + ("prune the tree first." if model.forest is None else "grow fewer or smaller trees.")
        )
    with atomic_write(path, binary=True) as file:
        file.write(data)


def read_model(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> ModelFile:
    """Read a model file and check everything in it.

    Parameters
    ----------
    path : str or path-like
        The file.
    max_bytes : int, default 512 MiB
        Larger files are refused unread. Raise it for a very large model that you trust.

    Returns
    -------
    ModelFile
        A valid model.

    Raises
    ------
    ModelFileError
        If there is no such file or it is not a valid model file.
    """
    check_model_path(path)
    try:
        return model_from_text(_read_bytes(path, max_bytes))
    except ModelFileError as error:
        raise unusable(path, error) from None


def unusable(path: str | os.PathLike[str], error: Exception) -> ModelFileError:
    """Name the file in front of what is wrong with it, all in one sentence.

    Parameters
    ----------
    path : str or path-like
        The file.
    error : Exception
        What is wrong, as a sentence of its own, perhaps followed by "Got ...".

    Returns
    -------
    ModelFileError
        The error to raise.

    Examples
    --------
    >>> print(unusable("old.json", ValueError("The rows must be a number. Got null.")))
    Model file 'old.json' cannot be used: the rows must be a number, got null.
    >>> print(unusable("old.json", ValueError("TreeRegressor has no parameter 'a'.")))
    Model file 'old.json' cannot be used: TreeRegressor has no parameter 'a'.
    """
    reason = str(error).replace(". Got ", ", got ")
    rest_of_word = reason.split(" ", 1)[0][1:]
    if rest_of_word == rest_of_word.lower():  # a word, not a name such as TreeClassifier or JSON
        reason = reason[:1].lower() + reason[1:]
    return ModelFileError(f"Model file {brief_path(path)} cannot be used: {reason}")


def model_to_text(model: ModelFile) -> str:
    """Write a model as the text of a model file.

    Parameters
    ----------
    model : ModelFile
        What to write.

    Returns
    -------
    str
        JSON, one node on one line.
    """
    content = {
        "format": FORMAT,
        "version": VERSION,
        "written_by": model.written_by,
        "estimator": model.estimator,
        "parameters": dict(model.parameters),
        "schema": model.schema.to_json(),
    }
    if model.forest is not None:
        content["forest"] = model.forest.to_json()
        return "".join(_layout(content, 0, _OPEN_FOREST_LEVELS)) + "\n"
    content["tree"] = model.tree.to_json()
    if model.rules is not None:
        content["rules"] = model.rules.to_json()
    if model.certificate is not None:
        content["certificate"] = dict(model.certificate)
    if model.front:
        content["front"] = [tree.to_json() for tree in model.front]
    return "".join(_layout(content, 0, _OPEN_LEVELS)) + "\n"


def model_from_text(data: str | bytes) -> ModelFile:
    """Read a model from the content of a model file and check everything in it.

    Parameters
    ----------
    data : str or bytes
        The content; bytes are UTF-8.

    Returns
    -------
    ModelFile
        A valid model.

    Raises
    ------
    ModelFileError
        If it is not the content of a valid model file.
    """
    try:
        return _read_content(_parse(data))
    except (RecursionError, MemoryError):
        raise ModelFileError("It is nested too deeply or too large.") from None


def model_schema() -> JSON:
    """Give the published JSON Schema (draft 2020-12) of the model file.

    Returns
    -------
    dict
        The parsed schema.

    Examples
    --------
    >>> model_schema()["title"]
    'treewright model file'
    """
    text = files("treewright").joinpath("model.schema.json").read_text(encoding="utf-8")
    schema: JSON = json.loads(text)
    return schema


def _read_bytes(path: str | os.PathLike[str], max_bytes: int) -> bytes:
    try:
        with open(path, "rb") as file:
            data = file.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelFileError(f"{reason.capitalize()}.") from None
    if len(data) > max_bytes:
        raise ModelFileError(f"It has more than {max_bytes:,} bytes.")
    return data


def _parse(data: str | bytes) -> object:
    """Parse JSON that keeps to the standard: unique keys, finite numbers, UTF-8."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ModelFileError("It is not UTF-8 text.") from None
    if not text.strip():
        raise ModelFileError("It is empty.")
    try:
        return json.loads(
            text,
            object_pairs_hook=_unique_keys,
            parse_constant=_refuse_constant,
            parse_int=_short_integer,
        )
    except json.JSONDecodeError as error:
        raise ModelFileError(
            f"It is not JSON ({error.msg} in line {error.lineno}, column {error.colno})."
        ) from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> JSON:
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ModelFileError(f"The key {brief(key)} stands twice in one object.")
            seen.add(key)
    return result


def _refuse_constant(name: str) -> None:
    raise ModelFileError(f"It holds {name}, which is not a number of JSON.")


def _short_integer(digits: str) -> int:
    if len(digits) > _LONGEST_INTEGER:
        raise ModelFileError(f"It holds an integer of {len(digits)} digits.")
    return int(digits)


def _read_content(value: object) -> ModelFile:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ModelFileError(f'It is not a model file, as it lacks "format": "{FORMAT}".')
    version = value.get("version")
    if type(version) is not int or version != VERSION:
        raise ModelFileError(
            f"Its version is {brief(version)}, and this treewright reads version {VERSION}."
        )
    is_forest = "forest" in value
    further = ("written_by", *(() if is_forest else ("rules", "certificate", "front")))
    data = read_object(value, "The file", (*_KEYS, "forest" if is_forest else "tree"), further)
    estimator = read_text(data["estimator"], "The name of the estimator")
    written_by = read_text(data.get("written_by", ""), "'written_by'")
    check_plain(data["schema"], "the schema")
    try:
        schema = Schema.from_json(data["schema"])
    except SchemaError as error:
        raise ModelFileError(str(error)) from None
    if is_forest:
        forest = ForestFile.from_json(data["forest"], schema)
        parameters = data["parameters"]
        return ModelFile(forest.trees[0], estimator, parameters, written_by, forest=forest)
    tree = Tree.from_json(data["tree"], schema)
    rules = _read_rules(data["rules"], schema) if "rules" in data else None
    certificate = data.get("certificate")
    if certificate is not None:
        check_plain(certificate, "the certificate")
    trees = read_list(data["front"], "The Pareto front") if "front" in data else []
    front = [Tree.from_json(one, schema) for one in trees]
    model = ModelFile(tree, estimator, data["parameters"], written_by, rules)
    return model.with_search(certificate, front)


def _read_rules(value: object, schema: Schema) -> RuleSet:
    # Fetched when needed: making rules needs more than reading trees does.
    from treewright.rules import RuleSet

    return RuleSet.from_json(value, schema)


def _layout(value: Any, level: int, open_levels: int) -> Iterator[str]:
    """Write JSON with the outer levels on lines of their own and the rest on one line each."""
    is_object = isinstance(value, dict)
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    has_parts = any(isinstance(item, dict | list) for _, item in items)
    if not items or level > open_levels or (level == open_levels and not has_parts):
        yield json.dumps(value, ensure_ascii=False, allow_nan=False)
        return
    indent = "\n" + "  " * level
    before = "{" if is_object else "["
    for key, item in items:
        yield before + indent + "  "
        if is_object:
            yield json.dumps(key, ensure_ascii=False) + ": "
        yield from _layout(item, level + 1, open_levels)
        before = ","
    yield indent + ("}" if is_object else "]")
