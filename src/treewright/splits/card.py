"""The card of a method: what is said of it outside of its own files.

A card holds what cannot be derived. Which tasks a method is for, whether it takes `features`, how
its trees are pruned is read from the method and its recipe, by :mod:`treewright.methods`.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from treewright.splits.base import SplitMethod

__all__ = ["Card", "ReportWords"]


@dataclass(frozen=True)
class ReportWords:
    """What the report calls trees of a method.

    Attributes
    ----------
    name, sentence : str
        ``{columns}`` stands for the most columns of a split, ``{depth}`` for the most splits on a
        path.
    """

    name: str
    sentence: str


@dataclass(frozen=True)
class Card:
    """What is said of a way of growing trees outside of its own files.

    Attributes
    ----------
    name : str
        The word of ``split=`` for a split method, and of the command line. The file of a split
        method in ``treewright/splits`` has this name, and so has the method in the core.
    title : str
        As people write it.
    sentence : str
        What its splits are, beginning with a noun, without a full stop.
    method : str, default ""
        The class in :mod:`treewright.splits`; "" for a system whose splits are those of another.
    source : str, default ""
        Authors and year; "" for what has none.
    page : str, default ""
        The page in ``docs``; "" if there is none.
    recipes : tuple of str, default ()
        Functions in :mod:`treewright.recipes` made of it. The first is what the command line means;
        without any it grows a plain tree by the split method, pruned by cross-validation.
    estimators : tuple of str, default ()
        Of a method that is neither: its estimators in :mod:`treewright.readable`, that of classes
        and that of numbers.
    word : str, default ""
        What the command line calls it, if not by its name.
    use : {"trees", "parts", "authors"}, default "trees"
        Whether trees are grown by it, so that the command line offers it; it is a part of other
        methods or one of several in ``split=``; or it is there for those who write methods.
    examples : tuple of str, default ()
        The methods that the common tests try, as ``split=`` takes them. The first is tried every
        time, the others where there is time.
    is_search : bool, default False
        Whether trees are searched for as a whole instead of being grown split by split.
    report : ReportWords or None, default None
        For one of the families that a report sets side by side.
    choose : tuple of str, default ()
        The conditions under which to take it, the widest first: its path in the decision tree of
        ``treewright methods``, which has no leaf for a method without any.

    See Also
    --------
    treewright.splits.CARDS : All of them.

    Examples
    --------
    >>> from treewright.splits import CARDS
    >>> must = next(card for card in CARDS if card.name == "must")
    >>> must.title, must.method, must.recipes
    ('MUST', 'MUST', ('must', 'must_paper', 'must_forest', 'fisher_tree'))
    """

    name: str
    title: str
    sentence: str
    method: str = ""
    source: str = ""
    page: str = ""
    recipes: tuple[str, ...] = ()
    estimators: tuple[str, ...] = ()
    word: str = ""
    use: Literal["trees", "parts", "authors"] = "trees"
    examples: tuple[str, ...] = ()
    is_search: bool = False
    report: ReportWords | None = None
    choose: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """The word of ``treewright fit --method``.

        Examples
        --------
        >>> Card("linear_program", "Linear programs", "hyperplanes").command
        'linear-program'
        """
        return (self.word or self.name).replace("_", "-")

    def load(self) -> type[SplitMethod]:
        """Return the class of the split method."""
        module = importlib.import_module(f"treewright.splits.{self.name}")
        found: type[SplitMethod] = getattr(module, self.method)
        return found
