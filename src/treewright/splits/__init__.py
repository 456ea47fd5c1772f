"""Split methods: ways of finding the split at a node.

The objects here hold parameters only; the loops are in the compiled core or, for methods written
in Python, in the decorated function. Methods compose: ``Best(Axis(), my_method)`` takes the better
of what the two propose at every node. :mod:`treewright.splits.cards` lists the methods; a method is
loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.base.lazy import loader
from treewright.splits.card import Card
from treewright.splits.cards import CARDS, DEFAULT

if TYPE_CHECKING:
    from treewright.splits.base import NodeData, SplitMethod
    from treewright.splits.cards import *  # noqa: F403
    from treewright.splits.naming import as_split, registered, split_names, split_words
    from treewright.splits.python import PythonSplit, split_method
    from treewright.splits.ranking import (
        ColumnRanking,
        RankedColumn,
        rank_columns,
        rank_columns_at,
    )

_METHODS = {card.method: card.name for card in CARDS if card.method}

__all__ = [
    *_METHODS,
    "CARDS",
    "DEFAULT",
    "Card",
    "ColumnRanking",
    "NodeData",
    "PythonSplit",
    "RankedColumn",
    "SplitMethod",
    "as_split",
    "rank_columns",
    "rank_columns_at",
    "registered",
    "split_method",
    "split_names",
    "split_words",
]

if not TYPE_CHECKING:  # a type checker knows the names above, and no others
    __getattr__ = loader(
        __name__,
        {
            **_METHODS,
            "ColumnRanking": "ranking",
            "NodeData": "base",
            "PythonSplit": "python",
            "RankedColumn": "ranking",
            "SplitMethod": "base",
            "as_split": "naming",
            "rank_columns": "ranking",
            "rank_columns_at": "ranking",
            "registered": "naming",
            "split_method": "python",
            "split_names": "naming",
            "split_words": "naming",
        },
    )


def __dir__() -> list[str]:
    return sorted(__all__)
