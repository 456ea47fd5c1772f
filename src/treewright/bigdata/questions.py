"""What is asked of every partition: a sample, sums by bin, sums by value, and moments.

A question is a pure function of the rows of one partition. It carries the tree so far and routes
rows from the root, so that nothing has to be kept where the rows are: a lost worker is a lost task.
Replies merge in any order; the loops over rows are compiled and let other threads run.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.bigdata.parts import Question, Rows
from treewright.tree.summaries import columns_read

__all__ = [
    "Cells",
    "Frame",
    "Moments",
    "Open",
    "Runs",
    "Sample",
    "Sampled",
    "Several",
    "Sides",
    "Tally",
    "row_keys",
    "weights_of",
]

Numbers = NDArray[np.float64]
FlatTest: TypeAlias = tuple[Any, ...]
"""Kind, columns and numbers, as the core takes a split."""


@dataclass(frozen=True)
class Frame:
    """What all questions of one growth know of the table.

    Attributes
    ----------
    n_levels : ndarray of int32
        Levels of each column, 0 for numeric ones.
    n_classes : int
        0 for a numeric target.
    """

    n_levels: NDArray[np.int32]
    n_classes: int

    def widened(self, rows: Rows) -> Rows:
        """Return rows with all columns; those that are absent are missing values."""
        n_columns = len(self.n_levels)
        if rows.columns == tuple(range(n_columns)):
            return rows
        # Pages of columns that nobody writes or reads take no memory.
        values = np.empty((len(rows.values), n_columns), order="F")
        values[:, self.n_levels > 0] = np.nan
        for place, column in enumerate(rows.columns):
            values[:, column] = rows.values[:, place]
        return replace(rows, values=values, columns=tuple(range(n_columns)))

    def core(self, rows: Rows) -> tuple[_core.Table, _core.Target]:
        """Return rows as the core reads them; columns that are absent are missing values."""
        weights = weights_of(rows)
        if self.n_classes:
            target = _core.Target.classes(
                rows.target, self.n_classes, weights, case_weights=rows.case_weights
            )
        else:
            target = _core.Target.numbers(rows.target, weights)
        return _core.Table(self.widened(rows).values, self.n_levels), target

    def together(self, first: Numbers, second: Numbers) -> Numbers:
        """Join statistics of nodes, one or many, of rows that are apart."""
        if self.n_classes:
            return first + second
        total = first[..., 0] + second[..., 0]
        share = np.divide(second[..., 0], total, out=np.zeros_like(total), where=total > 0.0)
        apart = second[..., 1] - first[..., 1]
        mean = first[..., 1] + apart * share
        squares = first[..., 2] + second[..., 2] + apart * apart * first[..., 0] * share
        return np.stack([total, mean, squares], axis=-1)


def weights_of(rows: Rows) -> Numbers:
    """Return the weight of each row."""
    return np.ones(len(rows.target)) if rows.weights is None else rows.weights


# ---------------------------------------------------------------------------------------- sample


@dataclass(frozen=True)
class Sampled:
    """A sample of rows, and the statistics of all.

    Attributes
    ----------
    keys : ndarray of uint64
        By which rows were drawn, ascending.
    values, target, weights : ndarray
        The rows drawn.
    n_rows : int
        How many rows have a weight above 0.
    statistics : ndarray
        Of all rows, as nodes have them.
    unit_weights : bool
        Whether each of these weights is 1.
    """

    keys: NDArray[np.uint64]
    values: Numbers
    target: NDArray[Any]
    weights: Numbers
    n_rows: int
    statistics: Numbers
    unit_weights: bool


@dataclass(frozen=True)
class Sample:
    """Asks for the rows with the smallest keys, which are random but the same in every pass.

    Attributes
    ----------
    frame : Frame
        The table.
    size : int
        Rows to draw.
    share : float
        Proportion of the rows that is large enough to hold as many; spares drawing them first from
        every partition.
    """

    frame: Frame
    size: int
    share: float = 1.0

    @property
    def columns(self) -> tuple[int, ...]:
        """All columns."""
        return tuple(range(len(self.frame.n_levels)))

    def answer(self, rows: Rows) -> Sampled:
        """Draw from one partition."""
        weights = weights_of(rows)
        kept = np.flatnonzero(weights > 0)
        keys = row_keys(rows.part, len(rows.target))[kept]
        drawn = np.flatnonzero(keys <= np.uint64(min(self.share, 1.0) * (2**64 - 2**11)))
        drawn = drawn[np.argsort(keys[drawn], kind="stable")][: self.size]
        keys, drawn = keys[drawn], kept[drawn]
        return Sampled(
            keys=keys,
            values=np.asfortranarray(rows.values[drawn]),
            target=rows.target[drawn],
            weights=weights[drawn],
            n_rows=len(kept),
            statistics=self._statistics(rows.target[kept], weights[kept]),
            unit_weights=bool((weights[kept] == 1.0).all()),
        )

    def merge(self, first: Sampled, second: Sampled) -> Sampled:
        """Draw from two samples."""
        keys = np.concatenate([first.keys, second.keys])
        order = np.argsort(keys, kind="stable")[: self.size]

        def both(name: str) -> NDArray[Any]:
            drawn: NDArray[Any] = np.concatenate([getattr(first, name), getattr(second, name)])
            return drawn[order]

        return Sampled(
            keys=keys[order],
            values=np.asfortranarray(both("values")),
            target=both("target"),
            weights=both("weights"),
            n_rows=first.n_rows + second.n_rows,
            statistics=self.frame.together(first.statistics, second.statistics),
            unit_weights=first.unit_weights and second.unit_weights,
        )

    def _statistics(self, target: NDArray[Any], weights: Numbers) -> Numbers:
        if self.frame.n_classes:
            return np.bincount(target, weights, minlength=self.frame.n_classes).astype(np.float64)
        total = float(weights.sum())
        if not total > 0.0:
            return np.zeros(3)
        mean = float((weights * (target / total)).sum())
        mean += float((weights * (target - mean)).sum()) / total
        return np.array([total, mean, float((weights * np.square(target - mean)).sum())])


def row_keys(part: int, n_rows: int) -> NDArray[np.uint64]:
    """Return a random number for each row of a partition, always the same (splitmix64)."""
    with np.errstate(over="ignore"):
        key = np.arange(n_rows, dtype=np.uint64) + (np.uint64(part) << np.uint64(40))
        return mixed((key + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15))


def mixed(key: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Turn numbers into others that have nothing to do with them (the end of splitmix64)."""
    with np.errstate(over="ignore"):
        key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


# ------------------------------------------------------------------------------------------ sums


@dataclass(frozen=True)
class Open:
    """The tree so far and which of its nodes are asked about.

    Attributes
    ----------
    tree : treewright._core.Tree
        Routes the rows.
    nodes : ndarray of int32
        The open nodes; a place is a position in here.
    means : ndarray of float64
        Of the target in each of these, around which sums of numbers are taken.
    """

    tree: _core.Tree
    nodes: NDArray[np.int32]
    means: Numbers

    @cached_property
    def place_of_node(self) -> NDArray[np.int32]:
        """The place of every node of the tree, -1 for those that are not open."""
        places = np.full(self.tree.n_nodes, -1, dtype=np.int32)
        places[self.nodes] = np.arange(len(self.nodes), dtype=np.int32)
        return places

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """Columns by which rows are routed."""
        return columns_read(self.tree)


def _columns_of(test: FlatTest) -> set[int]:
    return {int(column) for column in test[1]}


@dataclass(frozen=True)
class Cells:
    """Columns at open nodes, with the edges of their bins.

    Attributes
    ----------
    places, columns : ndarray of int32
        Open node and column of each cell.
    begin : ndarray of int64
        Where the edges of each cell begin, and the end of all.
    edges : ndarray of float64
        Ascending in each cell; a bin holds the values above one edge, up to the next.
    combinations : list of flat tests, default []
        Linear combinations, whose numbers follow those of the columns of the table.
    """

    places: NDArray[np.int32]
    columns: NDArray[np.int32]
    begin: NDArray[np.int64]
    edges: Numbers
    combinations: list[FlatTest] = field(default_factory=list)

    def flat(self, asked: Open) -> tuple[Any, ...]:
        """Return the cells as the core takes them."""
        return self.places, self.columns, self.begin, self.edges, asked.means, self.combinations

    def read(self, n_columns: int) -> set[int]:
        """Return the columns of a table of so many that the cells are about."""
        lines = set(self.columns.tolist())
        read = {line for line in lines if line < n_columns}
        for line in lines - read:
            read |= _columns_of(self.combinations[line - n_columns])
        return read

    @property
    def n_bins(self) -> int:
        """Bins of all cells, with those of missing values."""
        return len(self.edges) + 2 * len(self.places)


@dataclass(frozen=True)
class Tally:
    """Asks for the sums of every bin: what a cut between two bins is worth, and bounds inside."""

    frame: Frame
    asked: Open
    cells: Cells

    @property
    def columns(self) -> tuple[int, ...]:
        """Columns of the cells, and those by which rows are routed."""
        return tuple(sorted({*self.asked.columns, *self.cells.read(len(self.frame.n_levels))}))

    def answer(self, rows: Rows) -> Numbers:
        """Count one partition."""
        sums = Tallying(self)
        sums.add(rows)
        lines = sums.reply()
        assert lines is not None
        return lines

    def sums(self) -> Tallying | None:
        """Return what counts one partition after the other, where their order does not matter."""
        return Tallying(self) if self.frame.n_classes else None

    def merge(self, first: Numbers, second: Numbers) -> Numbers:
        """Add two counts."""
        return _core.merge_lines(self.frame.n_classes, first, second)


class Tallying:
    """Counts for a :class:`Tally`.

    Parameters
    ----------
    question : Tally
        What is asked.
    """

    def __init__(self, question: Tally) -> None:
        self._question = question
        cells = question.cells.flat(question.asked)
        self._tally = _core.Tally(cells, question.frame.n_classes)
        self._is_empty = True

    def add(self, rows: Rows) -> None:
        """Count a partition."""
        asked = self._question.asked
        self._tally.add(asked.tree, asked.place_of_node, *self._question.frame.core(rows))
        self._is_empty = False

    def reply(self) -> Numbers | None:
        """Return the sums; None if there was no partition. Nothing can be added afterwards."""
        return None if self._is_empty else self._tally.take_lines()


@dataclass(frozen=True)
class Runs:
    """Asks for the sums of every distinct value in some of the bins."""

    frame: Frame
    asked: Open
    cells: Cells
    wanted: NDArray[np.uint8]

    @property
    def columns(self) -> tuple[int, ...]:
        """Columns of the cells, and those by which rows are routed."""
        return tuple(sorted({*self.asked.columns, *self.cells.read(len(self.frame.n_levels))}))

    def answer(self, rows: Rows) -> Numbers:
        """Count one partition."""
        return _core.runs(
            self.asked.tree,
            self.asked.place_of_node,
            self.cells.flat(self.asked),
            self.wanted,
            *self.frame.core(rows),
        )

    def merge(self, first: Numbers, second: Numbers) -> Numbers:
        """Put the values of two partitions in one order."""
        return _core.merge_runs(self.frame.n_classes, first, second)


# --------------------------------------------------------------------------------------- moments


@dataclass(frozen=True)
class Moments:
    """Asks for the weight, means and products of sets of columns, class by class."""

    frame: Frame
    asked: Open
    sets: list[tuple[int, list[int]]]

    @property
    def columns(self) -> tuple[int, ...]:
        """Columns of the sets, and those by which rows are routed."""
        return tuple(sorted({*self.asked.columns, *(c for _, some in self.sets for c in some)}))

    def answer(self, rows: Rows) -> Numbers:
        """Sum up one partition."""
        return _core.moments(
            self.asked.tree,
            self.asked.place_of_node,
            len(self.asked.nodes),
            self.sets,
            *self.frame.core(rows),
        )

    def merge(self, first: Numbers, second: Numbers) -> Numbers:
        """Join the moments of two partitions."""
        return _core.merge_moments(self.sets, self.frame.n_classes, first, second)


@dataclass(frozen=True)
class Sides:
    """Asks where other linear combinations could divide the rows as one does."""

    frame: Frame
    asked: Open
    compared: list[tuple[int, FlatTest, FlatTest]]

    @property
    def columns(self) -> tuple[int, ...]:
        """Columns of the combinations, and those by which rows are routed."""
        read = (_columns_of(test) | _columns_of(other) for _, test, other in self.compared)
        return tuple(sorted(set(self.asked.columns).union(*read)))

    def answer(self, rows: Rows) -> Numbers:
        """Look at one partition."""
        return _core.sides(
            self.asked.tree,
            self.asked.place_of_node,
            len(self.asked.nodes),
            self.compared,
            *self.frame.core(rows),
        )

    def merge(self, first: Numbers, second: Numbers) -> Numbers:
        """Join what two partitions say."""
        return _core.merge_sides(first, second)


@dataclass(frozen=True)
class Several:
    """Asks several questions in one pass."""

    questions: tuple[Question, ...]

    @property
    def columns(self) -> tuple[int, ...]:
        """Columns of all questions."""
        return tuple(sorted({column for q in self.questions for column in q.columns}))

    def answer(self, rows: Rows) -> tuple[Any, ...]:
        """Reply to each."""
        return tuple(question.answer(rows) for question in self.questions)

    def merge(self, first: tuple[Any, ...], second: tuple[Any, ...]) -> tuple[Any, ...]:
        """Join the replies to each."""
        replies = zip(self.questions, first, second, strict=True)
        return tuple(question.merge(one, other) for question, one, other in replies)
