"""SQL for trees that divide rows with missing values among branches.

Each column of the result is a subquery that works out, step by step, the branch of every inner
node, the fraction of the row at every end, the averaged prediction, and the most probable class.
The steps read only each other and, by its alias, the row of the table: their names cannot meet
those of the table, and none is returned. Products run from the root down and sums from the first
end to the last, as in the core, so that the numbers agree to the last digit.
"""

from __future__ import annotations

from treewright.export.code import end_nodes
from treewright.export.decisions import Decision, decide, node_answers
from treewright.export.sql_text import (
    DIVIDED,
    INDENT,
    STOPPED,
    Lines,
    SQLRenderer,
    branch_lines,
    identifier,
    label_text,
    nested,
    real,
    select,
)
from treewright.tree import Tree
from treewright.tree.node import Node

__all__ = ["divided_columns"]


_STEP = " AS step"


def divided_columns(tree: Tree, n_shares: int, renderer: SQLRenderer) -> list[Lines]:
    """Write the prediction and the probabilities of the first classes, each as one expression."""
    decisions = {
        node.id: decision for node in tree.walk() if (decision := decide(tree, node.id)) is not None
    }
    branches = {
        _branch(index): branch_lines(decision, renderer) for index, decision in decisions.items()
    }
    # A count over all rows makes SQLite work this step out before the next; it would otherwise copy
    # every condition to where its branch is used, and be a hundred times slower.
    branches["rows"] = ["COUNT(*) OVER ()"]
    ends = end_nodes(tree)
    shares = {_share(node): [_share_text(tree, decisions, node)] for node in ends}
    at_ends = nested(select(shares, nested(select(branches, None), _STEP)), _STEP)

    def mixed(code: int) -> Lines:
        return nested(select({_mixed(code): [_mixed_text(tree, ends, code)]}, at_ends))

    if tree.schema.classes is None:
        return [mixed(0)]
    codes = range(len(tree.schema.classes))
    mixtures = {_mixed(code): [_mixed_text(tree, ends, code)] for code in codes}
    mixture = nested(select(mixtures, at_ends, first="step.*"), _STEP)
    chosen = nested(select({"class": _class_lines(tree, ends)}, mixture))
    return [chosen, *map(mixed, range(n_shares))]


def _branch(index: int) -> str:
    return f"branch {index}"


def _share(node: Node) -> str:
    return f"share {node.id}"


def _mixed(code: int) -> str:
    return f"class {code}"


def _of_step(name: str) -> str:
    return f"step.{identifier(name)}"


def _share_text(tree: Tree, decisions: dict[int, Decision], end: Node) -> str:
    """Write the product of the fractions on the path to an end."""
    factors = [] if end.is_leaf else [_factor(end.id, f"WHEN {STOPPED} THEN 1e0")]
    node = end
    while node.parent is not None:
        cases = [f"WHEN {node.branch} THEN 1e0"]
        for child, share in decisions[node.parent].shares:
            if child == node.id:
                cases.append(f"WHEN {DIVIDED} THEN {real(share)}")
        factors.append(_factor(node.parent, " ".join(cases)))
        node = tree.node(node.parent)
    return " * ".join(reversed(factors)) or "1e0"


def _factor(index: int, cases: str) -> str:
    return f"CASE {_of_step(_branch(index))} {cases} ELSE 0e0 END"


def _mixed_text(tree: Tree, ends: list[Node], position: int) -> str:
    terms = [
        f"{_of_step(_share(node))} * {real(answer)}"
        for node in ends
        if (answer := node_answers(tree, node)[position])
    ]
    return " + ".join(terms) or "0e0"


def _class_lines(tree: Tree, ends: list[Node]) -> Lines:
    """Write the class: that of the one end, or else the most probable one."""
    shares = [(f"{_of_step(_share(node))} > 0", label_text(node.label)) for node in ends]
    n_ends = " + ".join(f"CASE WHEN {has_share} THEN 1 ELSE 0 END" for has_share, _ in shares)
    lines = [
        "CASE",
        f"{INDENT}WHEN {n_ends} = 1 THEN CASE",
        *(f"{2 * INDENT}WHEN {has_share} THEN {label}" for has_share, label in shares),
        f"{INDENT}END",
    ]
    labels = [label_text(label) for label in tree.schema.classes or ()]
    mixed = [_of_step(_mixed(code)) for code in range(len(labels))]
    for code, label in enumerate(labels[:-1]):
        # An earlier class that is the largest has been taken already.
        largest = " AND ".join(f"{mixed[code]} >= {other}" for other in mixed[code + 1 :])
        lines.append(f"{INDENT}WHEN {largest} THEN {label}")
    return [*lines, f"{INDENT}ELSE {labels[-1]}", "END"]
