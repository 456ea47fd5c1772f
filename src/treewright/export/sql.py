"""SQL: a portable CASE expression, or a SELECT over a table.

Only what SQL databases have in common is used: CASE, AND, OR, IN, CAST and derived tables. NULL is
a missing value; a condition that is NULL is not true, so it falls through to the way for what is
unknown. Columns are cast to doubles where numbers are compared or added: databases would otherwise
compare text with numbers, or add decimals exactly where the tree rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, count
from typing import ClassVar

from treewright.base.parameters import Check, boolean, none, one_of
from treewright.exceptions import UnsupportedError
from treewright.export.base import Exporter
from treewright.export.decisions import node_answers
from treewright.export.sql_shares import divided_columns
from treewright.export.sql_text import (
    Lines,
    SQLRenderer,
    case_lines,
    check_names,
    identifier,
    label_text,
    real,
    select,
)
from treewright.tree import Tree
from treewright.tree.node import Node
from treewright.tree.tree_text import class_text

__all__ = ["SQL"]

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
        Add a column with the probability of each class; needs a table. Names of added columns are
        numbered where the tree reads a column of that name.
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
            raise ValueError("A regression tree has no 'probabilities'; leave them out.")
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
        # With its table, a column that is not there is an error; SQLite takes its name for text.
        renderer = SQLRenderer("source.")
        n_shares = len(tree.schema.classes or ()) if self.probabilities else 0
        if tree.core.divides_rows:
            columns = divided_columns(tree, n_shares, renderer)
        else:
            columns = [case_lines(tree, _answer, renderer)]
            columns += [
                case_lines(tree, _share_of(tree, code), renderer) for code in range(n_shares)
            ]
        names = _output_names(tree)[: len(columns)]
        return select(dict(zip(names, columns, strict=True)), source, first="source.*")


def _output_names(tree: Tree) -> list[str]:
    """Name the columns that are added: unlike those of the tree, and each other.

    Databases take upper and lower case for the same.
    """
    wanted = ["prediction"]
    wanted += [f"probability of {class_text(label)}" for label in tree.schema.classes or ()]
    taken = {name.casefold() for name in (*tree.schema.names, tree.schema.target or "")}
    names = []
    for name in wanted:
        numbered = (f"{name} ({number})" for number in count(2))
        free = chain([name], numbered)
        names.append(next(found for found in free if found.casefold() not in taken))
        taken.add(names[-1].casefold())
    return names


def _share_of(tree: Tree, code: int) -> Callable[[Node], str]:
    """Return what writes the probability of a class at a node."""
    return lambda node: real(node_answers(tree, node)[code])


def _answer(node: Node) -> str:
    return real(node.value) if node.share is None else label_text(node.label)


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
            f"{what} and the tree weighs errors by a cost matrix, which SQL cannot say "
            "together; export to another language, or grow the tree with missing='default'."
        )
