"""What a picture needs to know: the rows, a split where it shows one, and the words for both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import brief
from treewright.plot.panel.marks import AsideView, Colours, Description, MainView, Points, Side
from treewright.plot.rows import NodeRows, route_points
from treewright.plot.words import branch_names, class_words, target_words, way_to
from treewright.predicates import Predicate
from treewright.schema import Column, Schema
from treewright.tree import Tree
from treewright.tree.node import Node
from treewright.tree.tree_text import value_text
from treewright.words import plural, share_text

__all__ = ["Panel", "Picture", "panel_of", "predicate_of"]

_SEED = 0


@dataclass(frozen=True, kw_only=True)
class Picture:
    """Rows to be drawn, and the words for them.

    Parameters
    ----------
    schema : Schema
        Names and levels, short enough to draw.
    target : str
        What is predicted.
    rows : NodeRows
        The rows to show.
    decimals : int
        Digits behind the point of a mean.
    most_points : int, default 2000
        Of more rows as many are drawn as points, chosen at random.
    """

    schema: Schema
    target: str
    rows: NodeRows
    decimals: int
    most_points: int = 2000

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
        if n_rows <= self.most_points:
            return np.arange(n_rows)
        chosen = np.random.default_rng(_SEED).choice(n_rows, self.most_points, replace=False)
        return np.sort(chosen)

    def points(
        self, *places: NDArray[np.float64], is_coloured: bool = True, is_moved: bool = False
    ) -> Points:
        """Make points of the sampled rows: by class, by number, or all alike.

        Parameters
        ----------
        *places : ndarray of float64
            Where they are, one array an axis.
        is_coloured : bool, default True
            Whether numbers to predict are shown as colours.
        is_moved : bool, default False
            Whether equal ones were moved apart.

        Returns
        -------
        Points
            Its notes say what is not as it seems.
        """
        found, n_rows = self.rows.target[self.sample], len(self.rows.ids)
        notes = []
        if len(found) < n_rows:
            notes.append(f"{len(found)} of {n_rows} rows are drawn as points, chosen at random.")
        if is_moved and len(found):
            notes.append("Points of equal values are moved a little apart.")
        if self.classes is not None:
            return Points(places, codes=found, notes=tuple(notes))
        colours = Colours(found, self.rows.target, self.target, self.decimals)
        return Points(places, colours=colours if is_coloured else None, notes=tuple(notes))

    def column(self, position: int) -> Column:
        """Give a column of the table."""
        return self.schema.columns[position]


@dataclass(frozen=True, kw_only=True)
class Panel(Picture):
    """One split with the rows that can be shown.

    Parameters
    ----------
    schema, target, rows, decimals, most_points
        As for a picture.
    node : Node
        The node of the split, as the tree uses it.
    notes : tuple of str
        Where in the tree the rows are, and how many are left out.
    is_weighted : bool, default False
        Whether bars show weights instead of counts.
    """

    node: Node
    notes: tuple[str, ...]
    is_weighted: bool = False

    @property
    def predicate(self) -> Predicate:
        """The split."""
        assert self.node.predicate is not None, "a leaf has no panel"
        return self.node.predicate

    @cached_property
    def branch_names(self) -> tuple[str, ...]:
        """What the branches are called."""
        return branch_names(self.node, self.schema)

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

    def described(
        self,
        main: MainView,
        aside: AsideView | None = None,
        *,
        has_sides: bool = True,
        is_shaded: bool = False,
    ) -> Description:
        """Add to the views of a split what all splits have; see `Description`."""
        sides = (
            Side(name, *self.summary(self.rows.branches == branch))
            for branch, name in enumerate(self.branch_names if has_sides else ())
        )
        found = enumerate(self.classes or ())
        classes = (pair for pair in found if pair[0] in self.rows.target)
        return Description(main, aside, tuple(sides), is_shaded, tuple(classes), self.notes)


def panel_of(
    tree: Tree,
    node: int,
    rows: NodeRows,
    schema: Schema,
    *,
    is_weighted: bool = False,
    most_points: int = 2000,
) -> Panel:
    """Make the panel of a split, without rows that miss a value and with its first notes.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : int
        Id of the inner node.
    rows : NodeRows
        The rows that reach it.
    schema : Schema
        Names and levels, short enough to draw.
    is_weighted, most_points
        As for a panel.

    Returns
    -------
    Panel
        Its notes say where in the tree the rows are, and how many are left out.
    """
    predicate = predicate_of(tree, node)
    table = rows.table[np.ix_(rows.ids, np.array(predicate.columns))]
    known = rows.take(np.logical_not(np.isnan(table).any(axis=1)))
    way = way_to(tree, node, schema)
    notes = [f"Node {node}: {plural(rows.count, 'row')}" + (f" where {way}." if way else ".")]
    left_out = rows.count - known.count
    if left_out > 0.0:
        notes.append(f"{plural(left_out, 'row')} without a value left out.")
    return Panel(
        node=tree.node(node),
        schema=schema,
        target=target_words(schema),
        rows=known,
        notes=tuple(notes),
        most_points=most_points,
        decimals=tree.decimals,
        is_weighted=is_weighted,
    )


def predicate_of(tree: Tree, node: int) -> Predicate:
    """Return the split of an inner node.

    Raises
    ------
    ValueError
        If the node is a leaf.
    """
    predicate = tree.node(node).predicate
    if predicate is None:
        inner = np.flatnonzero(tree.core.n_branches)
        hint = f"inner nodes are {brief(inner.tolist())}" if inner.size else "the tree has none"
        raise ValueError(f"Node {node} is a leaf and has no split to draw; {hint}.")
    return predicate
