"""The decision path of one row, a step for each split, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from treewright import _core
from treewright.explain.cell_words import value_words
from treewright.explain.explanation import Step, Unsure
from treewright.explain.margins import crossings_of, margin_of
from treewright.explain.row import Row
from treewright.expressions import Expression, Largest, TextRenderer, asked_branch, yes_and_no
from treewright.tree import Tree
from treewright.tree.branching import told_branches
from treewright.tree.node import Node
from treewright.words import name_text

__all__ = ["steps_of", "unsure_of"]

_WORDS = TextRenderer()
_NOT_KNOWN = "not known"
_NOT_SEEN = "no training row here had it"


def steps_of(tree: Tree, row: Row) -> tuple[Step, ...]:
    """Follow a row down a tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    row : Row
        The row.

    Returns
    -------
    tuple of Step
        One for each split it meets, in reading order; on several paths where it is divided.
    """
    table = _core.Table(row.values[np.newaxis], tree.schema.n_levels)
    visited = set(tree.core.decision_paths(table)[1].tolist())
    steps: list[Step] = []
    pending = [(0, 1.0)]
    while pending:
        index, share = pending.pop()
        node = tree.node(index)
        if node.is_leaf:
            continue
        children = tuple(child for child in node.children if child in visited)
        steps.append(_step(tree, node, row, children, share))
        weights = tree.node_weights[list(children)]
        total = float(weights.sum())
        for child, weight in zip(reversed(children), reversed(weights.tolist()), strict=True):
            part = weight / total if total > 0.0 else 1.0 / len(children)
            pending.append((child, share * part))
    return tuple(steps)


def _step(tree: Tree, node: Node, row: Row, children: tuple[int, ...], share: float) -> Step:
    assert node.predicate is not None
    branches = node.predicate.branches(tree.schema)
    cells = _cells(tree, row)
    is_known = any(branch.evaluate(cells) for branch in branches)
    branch = node.children.index(children[0]) if len(children) == 1 else None
    margin, margin_text = None, ""
    if is_known:
        margin, margin_text = margin_of(node.predicate, row.values, tree.schema)
    conditions = told_branches(node, tree.schema, False)
    taken = "" if branch is None else _branch_words(conditions, branch)
    return Step(
        node=node.id,
        question=_question(conditions),
        value=", ".join(
            value_words(tree.schema, row, c) for c in dict.fromkeys(node.predicate.columns)
        ),
        answer=taken if is_known else f"{_why(node, row)}, {_instead(tree, node, cells, taken)}",
        branch=branch,
        children=children,
        share=share,
        decided_by="test" if is_known else _decided_by(tree, node, cells),
        margin=margin,
        margin_text=margin_text,
        crossings=crossings_of(node.predicate, row.values, tree.schema) if is_known else (),
    )


def _why(node: Node, row: Row) -> str:
    """Say why a split does not know the branch of a row."""
    assert node.predicate is not None
    is_missing = any(np.isnan(row.values[column]) for column in node.predicate.columns)
    return _NOT_KNOWN if is_missing else _NOT_SEEN


def _question(branches: tuple[Expression, ...]) -> str:
    """Say what is asked: whether one of two is right, or the column or the scores to choose by."""
    first = branches[0]
    if isinstance(first, Largest):
        return f"which is largest, {' or '.join(_WORDS.score_text(s) for s in first.scores)}"
    if len(branches) == 2:
        return _WORDS.render(branches[asked_branch(branches)])
    return f"which {name_text(first.columns[0].name)}"


def _branch_words(branches: tuple[Expression, ...], branch: int) -> str:
    """Say which branch is taken: yes or no, or the words of the branch."""
    chosen = branches[branch]
    if isinstance(chosen, Largest):
        return _WORDS.score_text(chosen.scores[branch])
    if len(branches) == 2:
        return yes_and_no(branches)[branch]
    return _WORDS.render(chosen)


def _cells(tree: Tree, row: Row) -> Mapping[str, Any]:
    """Give the row by name, for expressions: levels instead of codes, None where missing."""
    cells: dict[str, Any] = {}
    for column, value in zip(tree.schema.columns, row.values.tolist(), strict=True):
        if np.isnan(value):
            cells[column.name] = None
        else:
            cells[column.name] = column.levels[int(value)] if column.levels else value
    return cells


def _decided_by(tree: Tree, node: Node, cells: Mapping[str, Any]) -> str:
    """Name what a node does with a row whose branch is not known."""
    if node.missing in ("surrogate", "surrogate_or_stop"):
        if _stand_in(tree, node, cells) is not None:
            return "surrogate"
        return "stop" if node.may_stop else "default"
    return node.missing


def _stand_in(tree: Tree, node: Node, cells: Mapping[str, Any]) -> Expression | None:
    """Find the first surrogate that knows the row, as the branch that holds of it."""
    for surrogate in node.surrogates:
        for branch in surrogate.predicate.branches(tree.schema):
            if branch.evaluate(cells):
                return branch
    return None


def _instead(tree: Tree, node: Node, cells: Mapping[str, Any], taken: str) -> str:
    """Say what is done where the branch is not known."""
    match _decided_by(tree, node, cells):
        case "surrogate":
            stand_in = _stand_in(tree, node, cells)
            assert stand_in is not None
            return f"but {_WORDS.render(stand_in)}, which mostly goes with: {taken}"
        case "stop":
            return "so it stops here"
        case "fraction":
            return "so it goes down every branch, by the proportions of the training rows"
        case _:
            return f"so by default: {taken}"


def unsure_of(tree: Tree, row: Row, steps: tuple[Step, ...]) -> Iterator[Unsure]:
    """Say for each split that could not be decided what is missing and what was done instead."""
    for number, step in enumerate(steps, start=1):
        predicate = tree.node(step.node).predicate
        if step.decided_by == "test" or predicate is None:
            continue
        unknown = [c for c in predicate.columns if np.isnan(row.values[c])]
        columns = list(dict.fromkeys(unknown or predicate.columns))
        words = " and ".join(value_words(tree.schema, row, column) for column in columns)
        name = tree.schema.columns[columns[0]].name
        instead = step.answer.removeprefix(f"{_NOT_KNOWN}, ")
        yield Unsure(name, f"Not sure at step {number}: {words}, {instead}.")
