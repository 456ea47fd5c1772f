"""What all figures have in common: their class, their layout, their words."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import Figure, SubFigure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text
from numpy.typing import NDArray

from treewright.exceptions import brief
from treewright.plot.figures.axes import CHARACTER, FONT
from treewright.plot.words import class_words
from treewright.schema import Schema
from treewright.schema.shortening import wrapped

__all__ = [
    "PanelFigure",
    "as_they_are",
    "classes_among",
    "figure_for",
    "write_around",
]

_TITLE = 11.0
_MOST_LINES = 3


class PanelFigure(Figure):
    """A figure that notebooks show, also where pyplot was never loaded."""

    def _repr_png_(self) -> bytes:
        content = BytesIO()
        self.savefig(content, format="png")
        return content.getvalue()


def figure_for(
    function: str,
    figure: Figure | SubFigure | None,
    inches: tuple[float, float],
    *,
    is_constrained: bool = True,
) -> Figure | SubFigure:
    """Return the figure to draw on: the given one, or a new one.

    Parameters
    ----------
    function : str
        Who is speaking in messages.
    figure : Figure, SubFigure or None
        What the user gave.
    inches : pair of float
        Width and height of a new figure.
    is_constrained : bool, default True
        Whether its layout becomes constrained.

    Returns
    -------
    Figure or SubFigure
        Where to draw.
    """
    if figure is None:
        return PanelFigure(inches, layout="constrained" if is_constrained else None)
    if not isinstance(figure, Figure | SubFigure):
        raise TypeError(
            f"The 'figure' parameter of {function} must be a matplotlib Figure or SubFigure. "
            f"Got {brief(figure)}."
        )
    root = figure.figure
    if is_constrained and not isinstance(root.get_layout_engine(), ConstrainedLayoutEngine):
        root.set_layout_engine("constrained")
    return figure


def write_around(
    figure: Figure | SubFigure, title: str, sentences: Iterable[str], inches: float
) -> None:
    """Write a title above and sentences below, in so many inches."""
    above = wrapped(title, int(inches / CHARACTER / 1.45), _MOST_LINES)
    below = wrapped(" ".join(sentences), int(inches / CHARACTER), _MOST_LINES)
    heading = figure.suptitle(above, fontsize=_TITLE, fontweight="bold", x=0.01, ha="left")
    footer = figure.supxlabel(below, fontsize=FONT, x=0.01, ha="left")
    as_they_are([heading, footer])


def as_they_are(artists: Iterable[Artist]) -> None:
    """Let texts be drawn character by character: names may hold dollar signs and TeX commands."""
    for artist in artists:
        for text in artist.findobj(Text):
            assert isinstance(text, Text), "findobj gives what is asked for"
            text.set_parse_math(False)
            text.set_usetex(False)


def classes_among(schema: Schema, *codes: NDArray[Any]) -> dict[int, str]:
    """Return the names of the classes that occur, by code."""
    if schema.classes is None:
        return {}
    found = np.unique(np.concatenate(codes)).astype(np.intp)
    return {code: class_words(schema.classes[code]) for code in found.tolist()}
