"""The targets by name. Adding one: a file with an `Exporter`, and a line in the list here."""

from __future__ import annotations

import dataclasses
from typing import Any

from treewright.exceptions import brief
from treewright.export.base import Exporter
from treewright.export.c import C
from treewright.export.dot import Dot
from treewright.export.javascript import JavaScript
from treewright.export.latex import LaTeX
from treewright.export.markdown import Markdown
from treewright.export.mermaid import Mermaid
from treewright.export.model_json import ModelJSON
from treewright.export.onnx import ONNX
from treewright.export.pmml import PMML
from treewright.export.python import Python
from treewright.export.rules import Rules
from treewright.export.sql import SQL
from treewright.export.text import Text
from treewright.tree import Tree

__all__ = ["EXPORTERS", "as_exporter", "export_tree", "targets"]

EXPORTERS: dict[str, type[Exporter]] = {
    exporter.name: exporter
    for exporter in (
        ModelJSON,
        SQL,
        Python,
        JavaScript,
        C,
        Text,
        Rules,
        Markdown,
        Dot,
        Mermaid,
        LaTeX,
        PMML,
        ONNX,
    )
}


def targets() -> tuple[str, ...]:
    """Name the targets.

    Examples
    --------
    >>> "python" in targets()
    True
    """
    return tuple(EXPORTERS)


def as_exporter(target: str, **options: Any) -> Exporter:
    """Return a target with its options.

    Parameters
    ----------
    target : str
        Its name, one of `targets`.
    **options
        What it is told.

    Returns
    -------
    Exporter
        The target.

    Raises
    ------
    ValueError
        If there is no such target or option, or the value of an option is wrong.

    Examples
    --------
    >>> as_exporter("python").suffix
    '.py'
    """
    if target not in EXPORTERS:
        raise ValueError(f"There is no target {brief(target)}; there are {', '.join(EXPORTERS)}.")
    exporter = EXPORTERS[target]
    known = [field.name for field in dataclasses.fields(exporter)]
    for option in options:
        if option not in known:
            there_are = f"it has {', '.join(known)}" if known else "it has none"
            raise ValueError(f"Target {target!r} has no option {brief(option)}; {there_are}.")
    return exporter(**options)


def export_tree(tree: Tree, target: str, **options: Any) -> str | bytes:
    """Write a tree in another language.

    Parameters
    ----------
    tree : Tree
        Any tree.
    target : str
        The language, one of `targets`.
    **options
        What the target is told; see its class.

    Returns
    -------
    str or bytes
        The whole content of a file; bytes where the target is no text.

    Raises
    ------
    ValueError
        If there is no such target or option.
    UnsupportedError
        If the language cannot say what the tree does.
    """
    return as_exporter(target, **options).export(tree)
