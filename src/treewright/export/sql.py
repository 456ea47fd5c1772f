"""SQL: a portable CASE expression, or a SELECT over a table.

Only what SQL databases share is used: CASE, AND, OR, IN, CAST and derived tables. NULL is a missing
value; a condition that is NULL is not true, so it falls through to the way for what is unknown.
Columns are cast to doubles where numbers are compared or added: databases would otherwise compare
text with numbers, or add decimals exactly where the tree rounds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from treewright.exceptions import UnsupportedError
from treewright.export.base import Exporter
from treewright.export.code import end_nodes
from treewright.export.decisions import node_answers
from treewright.export.sql_shares import select_divided
from treewright.export.sql_text import (
    INDENT,
    Lines,
    SQLRenderer,
    case_lines,
    check_names,
    identifier,
    label_text,
    nested,
    real,
    select,
)
from treewright.node import Node
from treewright.parameters import Check, boolean, none, one_of
from treewright.text import class_text
from treewright.tree import Tree

__all__ = ["SQL"]

_NODE = "treewright node"
_NAME = Check(
    "a name as text", lambda value: isinstance(value, str) and value != "" and "\0" not in value
)


@dataclass(frozen=True)
class SQL(Exporter):
    """A CASE expression that gives the prediction, or a SELECT that adds it to a table.

    Parameters
    ----------
    table : str or None, default None
        Name of the table, for a whole SELECT; by default the expression alone is written.
    probabilities : bool, default False
        Add a column with the share of each class; needs a table.
    schema : str or None, default None
        Name of the schema that the table is in, if it has to be said.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [25, 31, 47, 62]}, ["no", "no", "yes", "yes"]).tree_
    >>> print(SQL(table="patients").export(tree))
    SELECT source.*,
      CASE
        WHEN CAST(source."age" AS DOUBLE PRECISION) > 40 THEN 'yes'
        ELSE 'no'
      END AS "prediction"
    FROM "patients" AS source
    <BLANKLINE>
    """

    name: ClassVar[str] = "sql"
    suffix: ClassVar[str] = ".sql"
    words: ClassVar[str] = "a CASE expression, or a SELECT over a table"
    predicts: ClassVar[bool] = True

    _checks: ClassVar[dict[str, Check]] = {
        "table": one_of(none(), _NAME),
        "probabilities": boolean(),
        "schema": one_of(none(), _NAME),
    }

    table: str | None = None
    probabilities: bool = False
    schema: str | None = None

    def export(self, tree: Tree) -> str:
        """Write a tree as SQL."""
        if self.probabilities and not tree.is_classification:
            raise ValueError("A tree that predicts numbers has no 'probabilities'; leave them out.")
        if self.probabilities and self.table is None:
            raise ValueError("The 'probabilities' need a 'table': they are further columns.")
        if self.schema is not None and self.table is None:
            raise ValueError("The 'schema' needs a 'table' that is in it.")
        check_names(tree)
        _check_division(tree, has_table=self.table is not None)
        if self.table is None:
            lines = case_lines(tree, _answer, SQLRenderer(""))
        else:
            names = [self.table] if self.schema is None else [self.schema, self.table]
            lines = self._select(tree, [f"{'.'.join(map(identifier, names))} AS source"])
        return "\n".join(lines) + "\n"

    def _select(self, tree: Tree, source: Lines) -> Lines:
        names = _share_names(tree) if self.probabilities else []
        # With its table, a column that is not there is an error; SQLite takes its name for text.
        renderer = SQLRenderer("source.")
        if tree.core.divides_rows:
            return select_divided(tree, source, names, renderer)
        if not names:
            return select({"prediction": case_lines(tree, _answer, renderer)}, source)
        at_node = select({_NODE: case_lines(tree, lambda node: str(node.id), renderer)}, source)
        ends = end_nodes(tree)
        shares = [node_answers(tree, node) for node in ends]
        columns = {"prediction": _by_node(ends, map(_answer, ends))}
        for code, name in enumerate(names):
            columns[name] = _by_node(ends, (real(of_node[code]) for of_node in shares))
        return select(columns, nested(at_node))


def _share_names(tree: Tree) -> list[str]:
    """Name the columns with the shares; databases take upper and lower case for the same."""
    names = [f"probability of {class_text(label)}" for label in tree.schema.classes or ()]
    folded = [name.casefold() for name in names]
    return [
        name if folded.index(folded[code]) == code else f"{name} ({code})"
        for code, name in enumerate(names)
    ]


def _answer(node: Node) -> str:
    return real(node.value) if node.share is None else label_text(node.label)


def _by_node(ends: Iterable[Node], answers: Iterable[str]) -> Lines:
    """Write an answer that follows from the node where the row ends."""
    ways = zip(ends, answers, strict=True)
    cases = [f"{INDENT}WHEN {node.id} THEN {answer}" for node, answer in ways]
    return [f"CASE {identifier(_NODE)}", *cases, "END"]


def _check_division(tree: Tree, *, has_table: bool) -> None:
    inner = (node for node in tree.walk() if not node.is_leaf)
    dividing = next((node.id for node in inner if node.missing == "fraction"), None)
    if dividing is None:
        return
    what = f"Node {dividing} divides rows among its branches (missing='fraction')"
    if not has_table:
        raise UnsupportedError(
            f"{what}, which one SQL expression cannot say; give the name of a 'table' for a whole "
            "SELECT."
        )
    if len(tree.core.cost):
        raise UnsupportedError(
            f"{what} and the tree weighs wrong answers by a cost matrix, which SQL cannot say "
            "together; export to another language, or grow the tree with missing='default'."
        )
