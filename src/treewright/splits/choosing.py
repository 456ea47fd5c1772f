"""Which method? A decision tree whose conditions are words and whose leaves are methods.

``treewright methods`` prints it, ``treewright methods NAME`` says the path to one method, and
``docs/choosing.md`` shows it. Every method by which trees are grown is at exactly one leaf.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["CHOICE", "Choice"]


@dataclass(frozen=True)
class Choice:
    """A node of the tree: what must hold to come here, and what then follows.

    Attributes
    ----------
    words : str
        The condition, without a full stop.
    method : str, default ""
        The word of ``treewright fit --method``, at a leaf.
    branches : tuple of Choice, default ()
        What to ask next, at an inner node.

    See Also
    --------
    treewright.splits.CARDS : What is said of each method.
    """

    words: str
    method: str = ""
    branches: tuple[Choice, ...] = ()

    def paths(self, above: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Give every method with the conditions that lead to it.

        Parameters
        ----------
        above : tuple of str, default ()
            The conditions that hold already.

        Yields
        ------
        tuple of str and tuple of str
            Method, and conditions below this node, the first asked first.

        Examples
        --------
        >>> dict(CHOICE.paths())["optimal"]
        ('the tree must be proven best of its size', 'a split reads one column')
        """
        for branch in self.branches:
            path = (*above, branch.words)
            if branch.method:
                yield branch.method, path
            yield from branch.paths(path)


_ONE_COLUMN = Choice(
    "a split reads one column",
    branches=(
        Choice("no more is asked", "cart"),
        Choice("a class is rare", "ihd"),
        Choice("there are very many rows and little time", "dgmml"),
        Choice("two conditions may be joined by and, or, xor", "cart-alpha"),
        Choice(
            "columns with many values must not be preferred",
            branches=(
                Choice("two branches", "quest"),
                Choice("a branch per class", "cruise"),
            ),
        ),
        Choice(
            "a category has a branch per level",
            branches=(
                Choice("and the tree is pruned", "c45"),
                Choice("and the tree fits every row", "id3"),
            ),
        ),
    ),
)
_FEW_COLUMNS = Choice(
    "a split combines two or three columns",
    branches=(
        Choice("quickly, by discriminant analysis", "must"),
        Choice("those that go together best", "best-subset"),
    ),
)
_MANY_COLUMNS = Choice(
    "a split combines as many columns as help",
    branches=(
        Choice("those that matter in a logistic regression", "logistic"),
        Choice("those that are left when others are deleted", "cart-lc"),
        Choice("along the principal axes of a class", "hhcart"),
        Choice(
            "by a direct search for the coefficients",
            branches=(
                Choice("hill climbing with random restarts", "oc1"),
                Choice("simulated annealing", "sadt"),
                Choice("descent on a soft split", "wodt"),
                Choice("linear programming, with few rows", "linear-program"),
            ),
        ),
    ),
)
_SCORES = Choice(
    "a split has a linear score and a branch per class",
    branches=(
        Choice("by discriminant analysis", "fact"),
        Choice("by multinomial logistic regression", "pbot"),
        Choice("by perceptrons, which assume no distribution", "lmdt"),
    ),
)

CHOICE = Choice(
    "which method?",
    branches=(
        Choice(
            "the tree must be proven best of its size",
            branches=(
                Choice("a split reads up to three columns", "readable"),
                Choice("a split reads one column", "optimal"),
            ),
        ),
        Choice(
            "a greedy tree will do",
            branches=(_ONE_COLUMN, _FEW_COLUMNS, _MANY_COLUMNS, _SCORES),
        ),
    ),
)
"""The whole tree."""
