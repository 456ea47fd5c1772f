"""What becomes of a row whose branch is not known, in the few words a drawing has room for."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.schema import Schema
from treewright.tree.branching import unknown_words
from treewright.tree.node import Node
from treewright.tree.tree_text import back_up_text
from treewright.words import name_text, plural

__all__ = ["missing_sentences", "missing_words"]


def missing_words(
    node: Node, schema: Schema, branches: Sequence[str], unknown: str, stopped: float
) -> str:
    """Say it in the box of an inner node.

    Parameters
    ----------
    node : Node
        An inner node.
    schema : Schema
        Names short enough to draw.
    branches : sequence of str
        What its branches are called.
    unknown : str
        For which rows, as `unknown_words` names them.
    stopped : float
        Rows of training that stopped here.

    Returns
    -------
    str
        For example "if missing: yes", "if missing: by pulse, else no"; empty if there are none.
    """
    if not unknown:
        return ""
    if node.missing == "fraction":
        return f"if {unknown}: every branch"
    last = _last(node, branches)
    if node.may_stop and stopped > 0.0:
        last += f" ({plural(stopped, 'row')})"
    if not node.has_back_up:
        return f"if {unknown}: {last}"
    first, *others = dict.fromkeys(
        column for surrogate in node.surrogates for column in surrogate.predicate.columns
    )
    name = name_text(schema.columns[first].name)
    more = f" and {plural(len(others), 'other')}" if others else ""
    return f"if {unknown}: by {name}{more}, else {last}"


def missing_sentences(
    node: Node, schema: Schema, branches: Sequence[str], answer: str
) -> list[str]:
    """Say it in full, for a tooltip; `answer` is what the node itself would predict."""
    unknown = unknown_words(node, schema, True)
    if node.missing == "fraction":
        return [f"If {unknown}: every branch, by its proportion of the rows"]
    last = _last(node, branches) + (f" and predict {answer}" if node.may_stop else "")
    if not node.has_back_up:
        return [f"If {unknown}: {last}"]
    back_up = back_up_text(node, schema, branches)
    return [f"If {unknown}: {back_up}", f"If that is not known either: {last}"]


def _last(node: Node, branches: Sequence[str]) -> str:
    """Name what is done where no surrogate split knows either."""
    if node.may_stop:
        return "stop here"
    assert node.default_branch is not None, "an inner node has a default branch"
    return branches[node.default_branch]
