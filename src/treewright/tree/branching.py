"""Which rows take each branch of a node, in conditions that are true of exactly these rows.

A split decides the branch of a row that has its values, by levels that the training rows of the
node had. For all other rows, those with a missing value, a level that is new to the node or a level
that is new to the tree, the policy of the node decides:

    occupation in {sales, sport} | is clerk, "default" to branch 1
        occupation in {sales, sport} | occupation not in {sales, sport} or missing
    the same, "surrogate" by age <= 30, else branch 1
        occupation in {sales, sport} or (occupation not in {clerk, sales, sport} or missing) and
        age <= 30 | ...
    the same, "stop" or "fraction"
        occupation in {sales, sport} | occupation is clerk

All words about branches come from here: text, rules, drawings, pages, explanations. What is said of
missing values can be left out where there were none in training; levels are always told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import TypeAlias, assert_never

from treewright.expressions import And, Expression, Or, merge_conditions, without_missing
from treewright.predicates import (
    Axis,
    Linear,
    Machine,
    Multiway,
    Predicate,
    SinglePredicate,
    Subset,
    parts_of,
)
from treewright.schema import Column, Schema
from treewright.tree.node import Node

__all__ = [
    "ShowMissing",
    "branch_conditions",
    "missing_is_said",
    "said",
    "stop_condition",
    "told_branches",
    "unknown_words",
]

ShowMissing: TypeAlias = bool | Collection[str] | None

_BY_DEFAULT = ("default", "surrogate")


def missing_is_said(show: ShowMissing) -> Callable[[Column], bool]:
    """Tell of which columns is said what becomes of missing values.

    Parameters
    ----------
    show : bool, collection of str or None
        All, none, those named, or, if None, those that had missing values in training.

    Returns
    -------
    callable of Column to bool
        Whether it is said of a column.
    """
    if show is None:
        return lambda column: column.has_missing
    if isinstance(show, Collection):
        names = frozenset(show)
        return lambda column: column.name in names
    return lambda column: bool(show)


def said(condition: Expression, show: ShowMissing) -> Expression | None:
    """Give what is said of a condition; None if it holds for missing values only, left out."""
    return without_missing(condition, missing_is_said(show))


def branch_conditions(node: Node, schema: Schema) -> tuple[Expression, ...]:
    """Say for each branch of an inner node which rows take it.

    Parameters
    ----------
    node : Node
        An inner node.
    schema : Schema
        Its columns.

    Returns
    -------
    tuple of Expression
        One per branch. Each row meets one, unless it ends at the node or is divided: then none.
    """
    assert node.predicate is not None, "a leaf has no branches"
    tests: list[tuple[Predicate, bool]] = [(node.predicate, False)]
    if node.has_back_up:
        tests += [(surrogate.predicate, surrogate.swapped) for surrogate in node.surrogates]
    default = node.default_branch if node.missing in _BY_DEFAULT else None
    return tuple(
        _taking(branch, tests, schema, is_default=branch == default)
        for branch in range(len(node.children))
    )


def told_branches(node: Node, schema: Schema, show: ShowMissing) -> tuple[Expression, ...]:
    """Say the branches of an inner node where surrogate splits are listed beside them.

    Parameters
    ----------
    node : Node
        An inner node.
    schema : Schema
        Its columns.
    show : bool, collection of str or None
        Of which columns is said what becomes of missing values.

    Returns
    -------
    tuple of Expression
        As `branch_conditions`, without what surrogate splits do.
    """
    assert node.predicate is not None, "a leaf has no branches"
    if node.has_back_up:
        return node.predicate.branches(schema)
    found = (said(condition, show) for condition in branch_conditions(node, schema))
    return tuple(condition for condition in found if condition is not None)


def stop_condition(node: Node, schema: Schema) -> Expression | None:
    """Say which rows end at an inner node; None if none can."""
    if node.predicate is None or not node.may_stop:
        return None
    back_up = [surrogate.predicate for surrogate in node.surrogates] if node.has_back_up else []
    return _together(predicate.unknown(schema) for predicate in (node.predicate, *back_up))


def unknown_words(node: Node, schema: Schema, show: ShowMissing) -> str:
    """Name the rows of a node that its split leaves open, as far as it is said.

    Returns
    -------
    str
        "missing", "another level", "missing or another level"; empty if nothing is said. Levels
        that take a branch by default are told by the words of the branch.
    """
    assert node.predicate is not None, "a leaf has no split"
    tells = missing_is_said(show)
    has_missing = any(tells(schema.columns[column]) for column in node.predicate.columns)
    has_others = not _is_by_default(node) and any(
        _leaves_levels(part, schema, tells) for part in parts_of(node.predicate)
    )
    words = ["missing"] * has_missing + ["another level"] * has_others
    return " or ".join(words)


def _is_by_default(node: Node) -> bool:
    """Tell whether one branch takes all rows that the split leaves open."""
    return node.missing in _BY_DEFAULT and not node.has_back_up


def _leaves_levels(
    predicate: SinglePredicate, schema: Schema, tells: Callable[[Column], bool]
) -> bool:
    """Tell whether there are levels on no branch: of the column, or new ones if they are told."""
    match predicate:
        case Subset() | Multiway():
            column = schema.columns[predicate.column]
            n_listed = sum(map(len, predicate.levels_of_branch))
            return column.kind != "boolean" and (tells(column) or n_listed < len(column.levels))
        case Axis() | Linear() | Machine():
            return False
        case _:
            assert_never(predicate)


def _taking(
    branch: int, tests: list[tuple[Predicate, bool]], schema: Schema, *, is_default: bool
) -> Expression:
    """Say which rows take a branch by the first of several splits that knows them."""
    (predicate, swapped), *others = tests
    own = 1 - branch if swapped else branch
    if not others:
        branches = predicate.possible_branches if is_default else predicate.branches
        return branches(schema)[own]
    rest = _taking(branch, others, schema, is_default=is_default)
    return Or((predicate.branches(schema)[own], _together([predicate.unknown(schema), rest])))


def _together(conditions: Iterable[Expression]) -> Expression:
    merged = merge_conditions(conditions)
    return merged[0] if len(merged) == 1 else And(merged)
