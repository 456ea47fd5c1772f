"""Which method? A decision tree whose conditions are words and whose leaves are methods.

``treewright methods`` prints it, ``treewright methods NAME`` says the path to one method, and
``docs/choosing.md`` shows it. Its conditions stand on the cards of the methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from treewright.splits.card import Card
from treewright.splits.cards import CARDS

__all__ = ["CHOICE", "Choice", "choice_among"]


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


def choice_among(cards: Iterable[Card]) -> Choice:
    """Put the conditions on cards together, those that begin alike as one branch.

    Parameters
    ----------
    cards : iterable of Card
        The methods; those that say no conditions have no leaf.

    Returns
    -------
    Choice
        The tree.

    Examples
    --------
    >>> one = Card("one", "One", "thresholds", choose=("little time", "few rows"))
    >>> two = Card("two", "Two", "hyperplanes", choose=("little time", "many rows"))
    >>> [branch.words for branch in choice_among([one, two]).branches[0].branches]
    ['few rows', 'many rows']
    """
    return Choice("which method?", branches=_branches([(one, one.choose) for one in cards]))


def _branches(left: Sequence[tuple[Card, tuple[str, ...]]]) -> tuple[Choice, ...]:
    """Make the branches of a node from cards and the conditions that are left of them."""
    words = dict.fromkeys(path[0] for _, path in left if path)
    found = []
    for word in words:
        here = [(card, path[1:]) for card, path in left if path and path[0] == word]
        method = next((card.command for card, path in here if not path), "")
        found.append(Choice(word, method, _branches(here)))
    return tuple(found)


CHOICE = choice_among(CARDS)
"""The whole tree."""
