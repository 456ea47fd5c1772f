"""What a picture needs to know: the rows, a test where it shows one, and the words for both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from matplotlib.figure import Figure, SubFigure
from numpy.typing import NDArray

from treewright.plot.rows import NodeRows, route_points
from treewright.plot.words import branch_names, class_words
from treewright.predicates import Predicate
from treewright.schema import Column, Schema
from treewright.text import value_text
from treewright.words import plural, share_text

__all__ = ["Panel", "Picture"]

_MOST_POINTS = 2000
_SEED = 0


@dataclass(frozen=True, kw_only=True)
class Picture:
    """Rows to be drawn, and the words for them.

    Parameters
    ----------
    figure : Figure or SubFigure
        Where they are drawn.
    schema : Schema
        Names and levels, short enough to draw.
    target : str
        What is predicted.
    rows : NodeRows
        The rows to show.
    notes : list of str
        Sentences for the reader, added while drawing.
    """

    figure: Figure | SubFigure
    schema: Schema
    target: str
    rows: NodeRows
    notes: list[str] = field(default_factory=list)

    @cached_property
    def classes(self) -> tuple[str, ...] | None:
        """Names of the classes; None where numbers are predicted."""
        if self.schema.classes is None:
            return None
        return tuple(class_words(label) for label in self.schema.classes)

    @cached_property
    def sample(self) -> NDArray[np.intp]:
        """Positions of the rows drawn as points: all, or as many as can be told apart."""
        n_rows = len(self.rows.ids)
        if n_rows <= _MOST_POINTS:
            return np.arange(n_rows)
        self.notes.append(f"{_MOST_POINTS} of {n_rows} rows are drawn as points, chosen by lot.")
        chosen = np.random.default_rng(_SEED).choice(n_rows, _MOST_POINTS, replace=False)
        return np.sort(chosen)

    def column(self, position: int) -> Column:
        """Give a column of the table."""
        return self.schema.columns[position]


@dataclass(frozen=True, kw_only=True)
class Panel(Picture):
    """One test with the rows that can be shown.

    Parameters
    ----------
    figure, schema, target, rows, notes
        As for a picture.
    predicate : Predicate
        The test, as the tree uses it.
    decimals : int
        Digits behind the point of a mean.
    width : float
        Width in inches of one pair of axes, nearly.
    is_weighted : bool, default False
        Whether bars show weights instead of counts.
    """

    predicate: Predicate
    decimals: int
    width: float
    is_weighted: bool = False

    @cached_property
    def branch_names(self) -> tuple[str, ...]:
        """What the branches are called."""
        return branch_names(self.predicate, self.schema)

    @property
    def amount(self) -> str:
        """What bars count."""
        return "weight of rows" if self.is_weighted else "rows"

    def branch_of(self, points: dict[int, NDArray[np.float64]]) -> NDArray[np.int32]:
        """Find the branches of points of the picture, by columns."""
        return route_points(self.predicate, self.schema.n_levels, points)

    def branch_along(self, column: int) -> Callable[[NDArray[np.float64]], NDArray[np.int32]]:
        """Return the function that finds the branches of values of one column."""
        return lambda values: self.branch_of({column: values})

    def class_counts(self, which: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Add up the weights of some of the rows by class."""
        assert self.classes is not None, "numbers have no classes"
        counts = np.zeros(len(self.classes))
        np.add.at(counts, self.rows.target[which], self.rows.weights[which])
        return counts

    def mean(self, which: NDArray[np.bool_]) -> float:
        """Average the numbers of some of the rows; NaN if they weigh nothing."""
        weights = self.rows.weights[which]
        if not weights.sum() > 0.0:
            return np.nan
        return float(np.average(self.rows.target[which], weights=weights))

    def summary(self, which: NDArray[np.bool_]) -> tuple[str, str]:
        """Say how many rows some of the rows are, and what is most of them or their mean."""
        rows = plural(float(self.rows.shares[which].sum()), "row")
        if not self.rows.weights[which].sum() > 0.0:
            return rows, ""
        if self.classes is None:
            return rows, f"mean {value_text(self.mean(which), self.decimals)}"
        counts = self.class_counts(which)
        share, name = share_text(counts.max() / counts.sum()), self.classes[counts.argmax()]
        if self.schema.target is None and not set(self.classes) & set(self.branch_names):
            return rows, f"{share} {name}"
        # Where classes are called yes and no, as branches are, it must be seen which are meant.
        return rows, f"{self.target} = {name} ({share})"
