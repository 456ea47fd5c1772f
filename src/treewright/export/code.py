"""A tree in a programming language: its splits as nested conditions, cut into functions.

A `CodeWriter` walks the decisions and calls a hook for every piece of syntax; a language says how
the pieces look. Ends of the walk are ids of nodes, and the predictions of these nodes stand in a
table, so that classes, probabilities and numbers come from one walk. Where some node divides rows,
the functions carry the fraction of the row and note every end with its fraction; elsewhere they
return the one end.

Deep subtrees become functions of their own, since languages limit how far blocks may nest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from treewright.export.code_renderer import CodeRenderer
from treewright.export.decisions import COST_ROUNDING, Decision, decide, node_answers
from treewright.export.literals import comment_text
from treewright.expressions import Largest
from treewright.schema import Column, Level
from treewright.tree import Tree, answer_text
from treewright.tree.node import Node
from treewright.words import plural, share_text

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = [
    "BracedWriter",
    "CodeWriter",
    "answer_words",
    "column_words",
    "end_nodes",
    "part_of_row",
    "program",
    "template",
    "used_columns",
]

_DEEPEST = 12  # blocks inside each other in one function


def used_columns(tree: Tree) -> list[Column]:
    """Give the columns that splits or surrogates read, in the order of the schema."""
    return [tree.schema.columns[position] for position in tree.columns_read]


def end_nodes(tree: Tree) -> list[Node]:
    """Give the nodes where rows may end: leaves, and nodes where a missing value stops them."""
    return [node for node in tree.walk() if node.is_leaf or node.may_stop]


def column_words(column: Column) -> str:
    """Say in a comment what a column holds."""
    unit = f" in {column.unit}" if column.unit else ""
    kind = {
        "numeric": f"number{unit}",
        "boolean": "true or false",
        "categorical": plural(len(column.levels), "level"),
        "ordinal": plural(len(column.levels), "ordered level"),
    }[column.kind]
    return f"{comment_text(column.name)}: {comment_text(kind)}"


def answer_words(tree: Tree, node: Node) -> str:
    """Say what a node predicts: ``yes (93 %, 41 rows)``."""
    answer, rows = answer_text(node, tree.decimals), plural(node.rows, "row")
    if node.share is None:
        return f"{answer} ({rows})"
    return f"{answer} ({share_text(node.share)}, {rows})"


def part_of_row(share: float | None) -> str:
    """Write the fraction of a row that goes on from a node."""
    return "share" if share is None else f"share * {share!r}"


@cache
def template(name: str) -> Template:
    """Read a file of the folder of templates."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("treewright.export"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        autoescape=False,  # everything comes in as code already
    )
    return templates.get_template(name)


def program(
    name: str,
    tree: Tree,
    literal: Callable[[Level], str],
    number: Callable[[float], str],
    **more: Any,
) -> str:
    """Fill the template of a language.

    Parameters
    ----------
    name : str
        A file in the folder of templates.
    tree : Tree
        The tree.
    literal, number : callable
        How the language writes levels and doubles.
    **more
        Further values for the template.

    Returns
    -------
    str
        The text of the program.
    """
    classes, divides = tree.schema.classes, tree.core.divides_rows
    n_classes = len(classes or ())
    cost = tree.core.cost.tolist() if divides else []  # nodes know their cheapest class
    target = f" for {comment_text(tree.schema.target)}" if tree.schema.target else ""
    size = f"{plural(tree.n_leaves, 'leaf')}, depth {tree.depth}"
    return template(name).render(
        title=f"Decision tree{target}: {size}.",
        divides=divides,
        kinds={column.kind for column in used_columns(tree)},
        classes=[literal(label) for label in classes or ()],
        ends=[
            {
                "id": node.id,
                "value": int(node.value) if classes else number(node.value),
                "shares": [number(share) for share in node_answers(tree, node)],
            }
            for node in end_nodes(tree)
        ],
        costs=[
            [number(part) for part in cost[start : start + n_classes]]
            for start in range(0, len(cost), n_classes or 1)
        ],
        rounding=number(COST_ROUNDING),
        **more,
    )


class CodeWriter(ABC):
    """The functions of a tree in one language.

    Parameters
    ----------
    tree : Tree
        The tree.
    renderer : CodeRenderer
        How conditions are written.
    """

    indent: ClassVar[str] = "    "

    def __init__(self, tree: Tree, renderer: CodeRenderer) -> None:
        self.tree = tree
        self.renderer = renderer
        self.divides: bool = bool(tree.core.divides_rows)
        self.roots: list[int] = [0]
        self.lines: list[str] = []
        self._level = 0

    def functions(self) -> str:
        """Write a function for the root and for every subtree that needs one."""
        done = 0
        while done < len(self.roots):
            root = self.roots[done]
            done += 1
            if done > 1:
                self.lines += self.between_functions()
            self.line(self.open_function(root))
            self._inside(root, 1)
            self.line(self.close_function())
        return "\n".join(self.lines)

    def line(self, text: str) -> None:
        """Add a line; an empty one says nothing."""
        if text:
            self.lines.append(self._level * self.indent + text)

    # ------------------------------------------------------------------ the walk

    def _inside(self, index: int, depth: int) -> None:
        self._level += 1
        decision = decide(self.tree, index)
        if decision is None:
            self.line(self.finish(self.tree.node(index), None))
        elif decision.is_direct:
            self._direct(decision, depth)
        else:
            self._by_choice(decision, depth)
        self._level -= 1

    def _direct(self, decision: Decision, depth: int) -> None:
        conditions = [self.renderer.render(case.condition) for case in decision.cases]
        if decision.scores:
            index = decision.node.id
            self.line(self.declare(index, self.renderer.winner_of(decision.scores)))
            largest = [case.condition for case in decision.cases]
            conditions = [
                self.is_choice(index, condition.index)
                for condition in largest
                if isinstance(condition, Largest)
            ]
        for position, (condition, case) in enumerate(zip(conditions, decision.cases, strict=True)):
            self.line(self.open_if(condition, is_first=position == 0))
            self._go(case.child, depth, is_called=bool(decision.shares))
        self._otherwise(decision, depth)

    def _by_choice(self, decision: Decision, depth: int) -> None:
        """Choose the branch first where several conditions lead to one child."""
        node = decision.node
        self.line(self.declare(node.id))
        for position, case in enumerate(decision.cases):
            condition = self.renderer.render(case.condition)
            self.line(self.open_if(condition, is_first=position == 0))
            self._choose(node.id, node.children.index(case.child))
        self.line(self.open_else())
        stops = decision.otherwise is None
        self._choose(node.id, -1 if stops else node.children.index(decision.otherwise or 0))
        self.line(self.close_if())
        for branch, child in enumerate(node.children):
            if branch == len(node.children) - 1 and not stops:
                self.line(self.open_else())
            else:
                self.line(self.open_if(self.is_choice(node.id, branch), is_first=branch == 0))
            self._go(child, depth)
        if stops:
            self._otherwise(decision, depth)
        else:
            self.line(self.close_if())

    def _otherwise(self, decision: Decision, depth: int) -> None:
        self.line(self.open_else())
        if decision.otherwise is not None:
            self._go(decision.otherwise, depth)
        else:
            self._level += 1
            if not decision.shares:
                self.line(self.finish(decision.node, None))
            for child, share in decision.shares:
                self._call(child, share)
            self._level -= 1
        self.line(self.close_if())

    def _choose(self, index: int, branch: int) -> None:
        self._level += 1
        self.line(self.choose(index, branch))
        self._level -= 1

    def _go(self, child: int, depth: int, *, is_called: bool = False) -> None:
        if not is_called and depth < _DEEPEST:
            self._inside(child, depth + 1)
            return
        self._level += 1
        self._call(child, None)
        self._level -= 1

    def _call(self, child: int, share: float | None) -> None:
        node = self.tree.node(child)
        if node.is_leaf:
            self.line(self.finish(node, share))
            return
        if child not in self.roots:
            self.roots.append(child)
        self.line(self.call(child, share))

    # ------------------------------------------------------------------ the pieces

    def between_functions(self) -> list[str]:
        """Give what stands between functions."""
        return [""]

    @abstractmethod
    def open_function(self, index: int) -> str:
        """Write the head of the function of a node."""

    @abstractmethod
    def close_function(self) -> str:
        """Write the end of a function."""

    @abstractmethod
    def open_if(self, condition: str, *, is_first: bool) -> str:
        """Write "if", or "else if" when it is not the first."""

    @abstractmethod
    def open_else(self) -> str:
        """Write "else"."""

    @abstractmethod
    def close_if(self) -> str:
        """Write the end of the last block."""

    @abstractmethod
    def declare(self, index: int, value: str = "") -> str:
        """Write the variable that holds the chosen branch of a node."""

    @abstractmethod
    def choose(self, index: int, branch: int) -> str:
        """Write that a branch of a node is chosen."""

    @abstractmethod
    def is_choice(self, index: int, branch: int) -> str:
        """Write the condition that a branch of a node was chosen."""

    @abstractmethod
    def finish(self, node: Node, share: float | None) -> str:
        """Write that the row ends at a node, or a fraction of what is here of it."""

    @abstractmethod
    def call(self, child: int, share: float | None) -> str:
        """Write the call of the function of a node."""


class BracedWriter(CodeWriter):
    """What languages that write blocks in braces have in common."""

    def close_function(self) -> str:
        """Write the end of a function."""
        return "}"

    def open_if(self, condition: str, *, is_first: bool) -> str:
        """Write "if", or "else if" when it is not the first."""
        return f"{'' if is_first else '} else '}if ({condition}) {{"

    def open_else(self) -> str:
        """Write "else"."""
        return "} else {"

    def close_if(self) -> str:
        """Write the end of the last block."""
        return "}"
