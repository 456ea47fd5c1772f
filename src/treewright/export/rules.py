"""Rules: one sentence per leaf, with how many rows it covers and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast, get_args

from treewright.base.parameters import Check, choice
from treewright.export.base import Exporter
from treewright.tree import Tree
from treewright.tree.leaf_rules import RuleOrder
from treewright.tree.tree_text import divided_note

__all__ = ["ORDERS", "Rules"]

ORDERS = choice(*get_args(RuleOrder))


@dataclass(frozen=True)
class Rules(Exporter):
    """The leaves of a tree as sentences.

    Parameters
    ----------
    order : {"reading", "rows", "certainty", "answer"}, default "reading"
        As in the tree, by rows, by certainty, or by prediction (the rules of one class together).

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier().fit({"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"])
    >>> print(Rules().export(model.tree_))
    if age <= 40 then no (100 %, 34 % to 100 %; 2 rows, 50 % of all)
    if age > 40 then yes (100 %, 34 % to 100 %; 2 rows, 50 % of all)
    <BLANKLINE>
    """

    name: ClassVar[str] = "rules"
    suffix: ClassVar[str] = ".txt"
    words: ClassVar[str] = "a sentence per leaf"

    order: str = "reading"

    _checks: ClassVar[dict[str, Check]] = {"order": ORDERS}

    def export(self, tree: Tree) -> str:
        """Write one line per leaf, and one more where rows are divided among branches."""
        rules = tree.leaf_rules(cast("RuleOrder", self.order))
        note = divided_note(tree, tree.walk())
        return "".join(f"{line}\n" for line in (*rules, *([note] if note else [])))
