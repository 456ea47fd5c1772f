"""Colours that tell classes apart, also for colour-blind readers.

The eight colours are those of Okabe and Ito (2008), Color universal design. Pictures and exported
trees take them from here, so that a class has one colour wherever it is shown.
"""

from __future__ import annotations

__all__ = ["CLASS_COLOURS", "class_colour", "tinted"]

CLASS_COLOURS = (
    "#0072B2",  # blue
    "#E69F00",  # orange
    "#009E73",  # bluish green
    "#CC79A7",  # reddish purple
    "#56B4E9",  # sky blue
    "#D55E00",  # vermilion
    "#000000",  # black
    "#F0E442",  # yellow: the faintest on white, so it comes last
)


def class_colour(code: int) -> str:
    """Return the colour of a class; from the ninth class on they come again.

    Parameters
    ----------
    code : int
        Position of the class in the schema's classes.

    Returns
    -------
    str
        The colour as HTML writes it.

    Examples
    --------
    >>> class_colour(0), class_colour(8)
    ('#0072B2', '#0072B2')
    """
    return CLASS_COLOURS[code % len(CLASS_COLOURS)]


def tinted(colour: str, strength: float) -> str:
    """Mix a colour with white, as a ground on which black type can be read.

    Parameters
    ----------
    colour : str
        As ``#RRGGBB``.
    strength : float
        Proportion of the colour: 0 gives white, 1 the colour itself.

    Returns
    -------
    str
        As ``#RRGGBB``.

    Examples
    --------
    >>> tinted("#0072B2", 0.25)
    '#BFDCEC'
    """
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 - strength * (255 - part)):02X}" for part in parts)
