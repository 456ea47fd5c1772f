"""What is drawn of a split: marks in the numbers of the data, which any painter can draw.

A split has a main view, which every painter draws, and may have one beside it for painters that
have the room. Colours, sizes, ticks and how much of a text fits are the painter's; which rows,
lines, regions and words there are is said here, once for all painters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.plot.words import column_words, levels_words
from treewright.schema import Column

__all__ = [
    "AsideView",
    "Average",
    "Colours",
    "Cut",
    "Description",
    "Flat",
    "Line",
    "Lines",
    "MainView",
    "Mark",
    "Name",
    "Points",
    "Region",
    "Ruler",
    "Side",
    "Space",
    "Stack",
    "Weights",
    "column_ruler",
]


@dataclass(frozen=True, slots=True)
class Ruler:
    """An axis.

    Parameters
    ----------
    name : str
        What it shows.
    ends : tuple of float
        The numbers at its ends.
    levels : tuple of str, default ()
        Names at 0, 1, 2, ... if it does not show numbers.
    role : {"values", "amount", "target"}, default "values"
        Whether it shows values of rows, how many there are, or what is predicted.
    n_ticks : int, default 5
        How many numbers stand on it, at the most and nearly; 0 if only directions matter.
    is_whole : bool, default False
        Whether these are whole.
    """

    name: str
    ends: tuple[float, float]
    levels: tuple[str, ...] = ()
    role: Literal["values", "amount", "target"] = "values"
    n_ticks: int = 5
    is_whole: bool = False


def column_ruler(
    column: Column, ends: tuple[float, float], *, n_ticks: int = 5, is_whole: bool = False
) -> Ruler:
    """Give the axis for the values of a column, or for the places of its levels."""
    names = levels_words(column) if column.levels else ()
    return Ruler(column_words(column), ends, names, n_ticks=n_ticks, is_whole=is_whole)


@dataclass(frozen=True, slots=True)
class Region:
    """A polygon in which rows take a branch; -1 where they take none."""

    corners: NDArray[np.float64]
    branch: int


@dataclass(frozen=True, slots=True)
class Cut:
    """A line where the branch changes, from corner to corner."""

    corners: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Stack:
    """Upright bars, one upon the other by class.

    Parameters
    ----------
    places : ndarray of float64
        The middle of each.
    counts : ndarray of float64
        Classes times bars.
    thickness : float
        How wide all are.
    """

    places: NDArray[np.float64]
    counts: NDArray[np.float64]
    thickness: float


@dataclass(frozen=True, slots=True)
class Colours:
    """Numbers that are shown as the colours of points.

    Parameters
    ----------
    numbers : ndarray of float64
        One a point.
    among : ndarray of float64
        Those of all rows, drawn or not.
    name : str
        What they are.
    decimals : int
        Digits behind the point.
    """

    numbers: NDArray[np.float64]
    among: NDArray[np.float64]
    name: str
    decimals: int


@dataclass(frozen=True, slots=True)
class Points:
    """Rows as points.

    Parameters
    ----------
    places : tuple of ndarray of float64
        Where they are, one array an axis.
    codes : ndarray or None, default None
        Their classes.
    colours : Colours or None, default None
        Their numbers; without both all points look alike.
    notes : tuple of str, default ()
        What is to be said of them.
    """

    places: tuple[NDArray[np.float64], ...]
    codes: NDArray[Any] | None = None
    colours: Colours | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        """How many there are."""
        return len(self.places[0])


@dataclass(frozen=True, slots=True)
class Average:
    """A mean, drawn across from `start` to `end`."""

    start: float
    end: float
    at: float


@dataclass(frozen=True, slots=True)
class Name:
    """What the branch of a place is called.

    Parameters
    ----------
    words : str
        The name.
    place : tuple of float
        The middle of what it names.
    room : float or None, default None
        How wide it may be at the upper end of the picture; None if it stands right at the place.
    """

    words: str
    place: tuple[float, float]
    room: float | None = None


Mark: TypeAlias = Region | Cut | Stack | Points | Average | Name


@dataclass(frozen=True, slots=True)
class Flat:
    """Marks over two axes, those behind first.

    Parameters
    ----------
    across, up : Ruler
        The axes.
    marks : tuple of Mark
        What is drawn.
    n_branches : int
        How many branches regions may belong to.
    left : int or None, default None
        The branch that stands on the left, where two can be named above the view.
    notes : tuple of str, default ()
        What is to be said of it.
    """

    across: Ruler
    up: Ruler
    marks: tuple[Mark, ...]
    n_branches: int
    left: int | None = None
    notes: tuple[str, ...] = ()
    n_lines = 0


@dataclass(frozen=True, slots=True)
class Space:
    """Points over three axes and the hyperplane that divides them.

    Parameters
    ----------
    rulers : tuple of Ruler
        The axes.
    points : Points
        The rows.
    plane : ndarray of float64 or None
        Its corners in order; None if it lies elsewhere.
    normal : ndarray of float64
        What stands upright on it where all axes are equally long.
    notes : tuple of str
        What is to be said of it.
    """

    rulers: tuple[Ruler, ...]
    points: Points
    plane: NDArray[np.float64] | None
    normal: NDArray[np.float64]
    notes: tuple[str, ...]
    n_lines = 0


@dataclass(frozen=True, slots=True)
class Weights:
    """The terms of a sum as bars to both sides, from top to bottom.

    Parameters
    ----------
    names, words : tuple of str
        The name of each, and its coefficient as it stands beside the bar.
    lengths : ndarray of float64
        How far each bar reaches.
    ends : tuple of float
        How far those reach that are not shown either.
    name, title : str
        What the lengths are, and what stands above.
    notes : tuple of str
        What is to be said of it.
    """

    names: tuple[str, ...]
    words: tuple[str, ...]
    lengths: NDArray[np.float64]
    ends: tuple[float, float]
    name: str
    title: str
    notes: tuple[str, ...]

    @property
    def n_lines(self) -> int:
        """How many lines stand one below the other."""
        return len(self.names)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of rows.

    A heading stands above the levels of a branch; a branch is a line by itself; the rest are levels
    too rare to be shown one by one.

    Parameters
    ----------
    kind : {"heading", "level", "branch", "rest"}
        What it is.
    name : str
        What stands before it.
    words : str, default ""
        What stands behind it.
    counts : ndarray of float64 or None, default None
        Weights of its rows by class, if there are classes and it has a bar.
    mean, spread : float, default NaN
        Mean and standard deviation of its numbers, if there are none.
    """

    kind: Literal["heading", "level", "branch", "rest"]
    name: str
    words: str = ""
    counts: NDArray[np.float64] | None = None
    mean: float = np.nan
    spread: float = np.nan

    @property
    def has_bar(self) -> bool:
        """Whether a bar is drawn; headings and rare levels are told in words."""
        return self.kind in ("level", "branch")


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of rows from top to bottom: bars of classes, or numbers.

    Parameters
    ----------
    lines : tuple of Line
        The lines.
    across : Ruler
        The axis along which all of them lie.
    points : Points or None
        The numbers of rows by lines, which stand at 0, -1, -2, ...; None for classes. A painter
        without room for them shows means and spreads.
    n_lines : int
        How many lines it needs room for, at most.
    notes : tuple of str
        What is to be said of it, but for the points.
    """

    lines: tuple[Line, ...]
    across: Ruler
    points: Points | None
    n_lines: int
    notes: tuple[str, ...]


MainView: TypeAlias = Flat | Lines
AsideView: TypeAlias = Flat | Space | Weights


@dataclass(frozen=True, slots=True)
class Side:
    """What takes one of two branches: its name, how many rows, and what is most of them."""

    name: str
    rows: str
    answer: str


@dataclass(frozen=True, slots=True)
class Description:
    """All that is drawn of a split.

    Parameters
    ----------
    main : Flat or Lines
        What every painter draws.
    aside : Flat, Space, Weights or None
        What is drawn on its left, where there is room.
    sides : tuple of Side
        Two branches to be named above; none where the main view names them.
    is_shaded : bool
        Whether the second branch is shaded and not just the right side of the picture.
    classes : tuple of (int, str)
        Codes and names of the classes that occur.
    notes : tuple of str
        Where in the tree the rows are, and how many are left out.
    """

    main: MainView
    aside: AsideView | None
    sides: tuple[Side, ...]
    is_shaded: bool
    classes: tuple[tuple[int, str], ...]
    notes: tuple[str, ...]

    @property
    def views(self) -> tuple[MainView | AsideView, ...]:
        """What there is to draw, from left to right."""
        return (self.main,) if self.aside is None else (self.aside, self.main)
