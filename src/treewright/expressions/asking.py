"""Which of two branches a question is about: the one that is said without a "not"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from treewright.expressions.missing import split_missing
from treewright.expressions.text_renderer import is_said_by_rest
from treewright.expressions.values import (
    And,
    Compare,
    Expression,
    In,
    IsMissing,
    Largest,
    Not,
    Or,
    Sum,
    Xor,
)

__all__ = ["asked_branch", "yes_and_no"]


def asked_branch(branches: Sequence[Expression]) -> int:
    """Choose the branch whose condition is asked; the other one is "no".

    Parameters
    ----------
    branches : sequence of Expression
        The conditions of the branches.

    Returns
    -------
    int
        The first, unless it names what it leaves out and the second names what it takes.

    Examples
    --------
    >>> from treewright.schema import Column
    >>> city = Column("city", "categorical", levels=("Oslo", "Paris", "Rome"))
    >>> asked_branch((Not(In(city, ("Oslo",))), In(city, ("Oslo",))))
    1
    """
    return int(len(branches) == 2 and _is_negative(branches[0]) and not _is_negative(branches[1]))


def yes_and_no(branches: Sequence[Expression]) -> tuple[str, str]:
    """Reply to the question about two branches: what the first one is, and the second one.

    Parameters
    ----------
    branches : sequence of Expression
        The conditions of the branches.

    Returns
    -------
    tuple of str
        "yes" for the branch that is asked for.
    """
    return ("no", "yes") if asked_branch(branches) else ("yes", "no")


def _is_negative(condition: Expression) -> bool:
    bare, _ = split_missing(condition)
    match bare:
        case Not(In() as named):
            return not is_said_by_rest(named)
        case In(column, (level,)):
            return column.kind == "boolean" and not level
        case Compare() | Sum() | In() | IsMissing() | And() | Or() | Xor() | Not() | Largest():
            return False
        case _:
            assert_never(bare)
