"""Text: the tree as it is printed, with what becomes of missing values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treewright.base.parameters import Check, boolean, integer
from treewright.export.base import Exporter
from treewright.tree import Tree

__all__ = ["Text"]


@dataclass(frozen=True)
class Text(Exporter):
    """A tree as indented text.

    Parameters
    ----------
    width : int, default 100
        Longest line to aim at.
    missing : bool, default True
        Whether to say at each split what happens to a row whose value is missing.
    ascii_only : bool, default False
        Draw with ASCII characters; names stay as they are.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier().fit({"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"])
    >>> print(Text().export(model.tree_))
    Classification tree: 4 rows, 2 leaves, depth 1
    Reading effort 1.00 values per row, training accuracy 100.0 %
    <BLANKLINE>
                             class  proportion  rows
    all rows                                       4
    ├─ age <= 40 or missing  no          100 %     2
    └─ age > 40              yes         100 %     2
    <BLANKLINE>
    """

    name: ClassVar[str] = "text"
    suffix: ClassVar[str] = ".txt"
    words: ClassVar[str] = "the tree as indented text"

    width: int = 100
    missing: bool = True
    ascii_only: bool = False

    _checks: ClassVar[dict[str, Check]] = {
        "width": integer(20),
        "missing": boolean(),
        "ascii_only": boolean(),
    }

    def export(self, tree: Tree) -> str:
        """Write a tree as `Tree.to_text` does."""
        text = tree.to_text(width=self.width, show_missing=self.missing, ascii_only=self.ascii_only)
        return f"{text}\n"
