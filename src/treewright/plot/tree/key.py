"""The key to a drawing: which colour is which class, or what the bars of numbers mean."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.plot.tree.contents import LINE, SMALL, Contents
from treewright.plot.tree.lettering import text_width
from treewright.plot.words import target_words
from treewright.tree import Tree
from treewright.words import share_text

__all__ = ["SWATCH", "Key", "KeyEntry", "flowing", "key_of"]

SWATCH = 11.0  # side of a square of colour
_AFTER_SWATCH = 6.0
_AFTER_ENTRY = 18.0
_BELOW = 14.0
_NARROWEST = 340.0
_MOST_CLASSES = 16


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """A text, and the class whose colour stands before it.

    Parameters
    ----------
    x, y : float
        Its left end, and the middle of its line.
    text : str
        The words.
    code : int or None
        The class; None where no colour stands before the words.
    """

    x: float
    y: float
    text: str
    code: int | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """The lines above a drawing.

    Parameters
    ----------
    entries : tuple of KeyEntry
        What stands in them.
    width, height : float
        The room they take.
    """

    entries: tuple[KeyEntry, ...]
    width: float
    height: float


def key_of(
    tree: Tree, contents: Contents, corner: tuple[float, float], width: float, most: float
) -> Key:
    """Write the key to the drawing of a tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    contents : Contents
        Its words.
    corner : tuple of float
        Where the key begins.
    width : float
        How wide the tree is; a key may be a little wider.
    most : float
        How wide the key may be at most, unless one of its entries is wider.

    Returns
    -------
    Key
        Classes that occur with their proportions among all rows, the most frequent ones if there
        are many; or the scale of the bars.
    """
    words: list[tuple[str, int | None]] = []
    root = tree.node(0)
    if not tree.is_classification:
        low, high = (contents.number(end) for end in contents.scale)
        if contents.scale[0] < contents.scale[1]:
            words.append((f"{target_words(tree.schema)}:", None))
            words.append(("mean ± standard deviation", None))
            words.append((f"bars from {low} to {high}", None))
    else:
        found = [code for code, weight in enumerate(root.statistics) if weight > 0.0]
        found.sort(key=lambda code: -root.statistics[code])
        shown = sorted(found[:_MOST_CLASSES])
        words.append((f"{target_words(tree.schema)}:", None))
        for code in shown:
            share = share_text(root.statistics[code] / root.weight)
            words.append((f"{contents.class_name(code)} ({share})", code))
        if len(found) > len(shown):
            words.append((f"and {len(found) - len(shown)} more", None))
    return flowing(words, corner, min(max(width, _NARROWEST), most))


def flowing(words: list[tuple[str, int | None]], corner: tuple[float, float], room: float) -> Key:
    """Set words with their classes one after the other, on as many lines as they need."""
    entries, widest = [], 0.0
    x, y = 0.0, 0.5 * LINE
    for text, code in words:
        before = 0.0 if code is None else SWATCH + _AFTER_SWATCH
        width = before + text_width(text, SMALL)
        if x > 0.0 and x + width > room:
            x, y = 0.0, y + LINE + 3.0
        entries.append(KeyEntry(corner[0] + x, corner[1] + y, text, code))
        widest = max(widest, x + width)
        x += width + _AFTER_ENTRY
    return Key(tuple(entries), widest, y + 0.5 * LINE + _BELOW if words else 0.0)
