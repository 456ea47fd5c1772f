r"""Markdown: the rules of a tree as a table.

Every mark that Markdown or the HTML in it could obey gets a backslash, which CommonMark allows
before any ASCII punctuation, so that names are shown as they are: ``\*``, ``\<b\>``, ``\|``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, cast

from treewright.base.parameters import Check
from treewright.export.base import Exporter
from treewright.export.diagrams import title
from treewright.export.rules import ORDERS
from treewright.expressions import TextRenderer
from treewright.tree import LeafRule, Tree
from treewright.tree.leaf_rules import RuleOrder
from treewright.tree.tree_text import divided_note
from treewright.words import count_text, name_text, plural, share_text

__all__ = ["Markdown"]

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~&$!@:^])")


@dataclass(frozen=True)
class Markdown(Exporter):
    r"""The leaves of a tree as a Markdown table.

    Parameters
    ----------
    order : {"reading", "rows", "certainty", "answer"}, default "reading"
        As in the tree, by rows, by certainty, or by prediction (the rules of one class together).

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier().fit({"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"])
    >>> print(Markdown().export(model.tree_))
    Classification tree, 2 rules
    <BLANKLINE>
    | if | then | proportion | 95 % interval | rows |
    |---|---|--:|--:|--:|
    | age \<= 40 | no | 100 % | 34 % to 100 % | 2 |
    | age \> 40 | yes | 100 % | 34 % to 100 % | 2 |
    <BLANKLINE>
    """

    name: ClassVar[str] = "markdown"
    suffix: ClassVar[str] = ".md"
    words: ClassVar[str] = "a table of rules for Markdown"

    order: str = "reading"

    _checks: ClassVar[dict[str, Check]] = {"order": ORDERS}

    def export(self, tree: Tree) -> str:
        """Write a line above the table, and a row per leaf."""
        rules = tree.leaf_rules(cast("RuleOrder", self.order))
        share = ["proportion"] if tree.is_classification else []
        headings = ["if", "then", *share, "95 % interval", "rows"]
        lines = [
            f"{_escaped(title(tree))}, {plural(len(rules), 'rule')}",
            "",
            _row(headings),
            f"|---|---|{'--:|' * (len(headings) - 2)}",
            *(_row(map(_escaped, _cells(rule))) for rule in rules),
        ]
        note = divided_note(tree, tree.walk())
        return "\n".join([*lines, *(["", _escaped(note)] if note else []), ""])


def _cells(rule: LeafRule) -> list[str]:
    renderer = TextRenderer()
    conditions = " and ".join(renderer.nested(part) for part in rule.conditions)
    answer = f"{rule.answer}, {name_text(rule.name)}" if rule.name else rule.answer
    share = [] if rule.probability is None else [share_text(rule.probability)]
    return [conditions or "always", answer, *share, rule.interval_text, count_text(rule.rows)]


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)
