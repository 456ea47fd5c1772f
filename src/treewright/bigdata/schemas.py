"""What the columns of a large table are: kinds from its Arrow schema, the rest by one pass.

The pass finds what an estimator in memory would see at a glance: the levels of text columns, the
classes of the target with their weights, which columns have missing values; and it refuses what
cannot be learned from. Cells are read by the code that reads tables in memory, so that kinds,
levels and their order are those of an estimator fitted in memory on the same rows.
"""

from __future__ import annotations

import contextlib
import difflib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.bigdata.partitions import Piece, read_pieces, row_groups_of
from treewright.bigdata.sources import StoredTable
from treewright.estimators.weights import exact_sum
from treewright.exceptions import DataError, DataTypeError, brief
from treewright.schema import (
    Cells,
    Column,
    Kind,
    Level,
    Schema,
    encode_labels,
    encode_numbers,
    read_cells,
)
from treewright.schema.columns import learn_column

__all__ = [
    "MOST_LEVELS",
    "Found",
    "Roles",
    "Survey",
    "choose_roles",
    "encode_target",
    "in_piece",
    "keep_weighed",
    "schema_of",
]

#: The most levels of a text column, and the most classes.
MOST_LEVELS = 10_000

_NO_WEIGHT = Fraction(0)


@dataclass(frozen=True)
class Roles:
    """What each column of a table is for.

    Attributes
    ----------
    columns : tuple of str
        The columns to predict from, in the order of the table.
    target : str
        The column to predict.
    weight : str or None
        The column with the weights of rows.
    has_classes : bool
        Whether the target is classes.
    estimator_name : str
        Who is speaking in messages.
    """

    columns: tuple[str, ...]
    target: str
    weight: str | None
    has_classes: bool
    estimator_name: str


def choose_roles(
    table: StoredTable,
    target: str,
    weight: str | None,
    drop: Sequence[str],
    *,
    has_classes: bool,
    estimator_name: str,
) -> Roles:
    """Say what each column is for, and refuse what could not be learned from, before any reading.

    Parameters
    ----------
    table : StoredTable
        The table.
    target : str
        The column to predict.
    weight : str or None
        The column with the weights of rows.
    drop : sequence of str
        Columns not to use.
    has_classes : bool
        Whether the target is classes.
    estimator_name : str
        Who is speaking in messages.

    Returns
    -------
    Roles
        The roles.

    Raises
    ------
    DataError
        If a column is not there, none is left to predict from, or one is of a type that cannot be
        used.
    """
    names = table.schema.names
    for name in (target, *([] if weight is None else [weight]), *drop):
        if name not in names:
            raise _no_column(name, names)
    if target == weight or target in drop:
        raise DataError(f"The target {brief(target)} can neither be dropped nor be the weights.")
    used = tuple(name for name in names if name not in (target, weight, *drop))
    if not used:
        raise DataError(f"There is no column to predict {brief(target)} from.")
    for name in (*used, target):
        _check_type(name, table.schema.field(name).type)
    if weight is not None and not _is_number(table.schema.field(weight).type):
        raise DataTypeError(f"The weights in column {brief(weight)} must be numbers.")
    return Roles(used, target, weight, has_classes, estimator_name)


def _no_column(name: str, names: Sequence[str]) -> DataError:
    near = difflib.get_close_matches(str(name).casefold()[:100], [*map(str.casefold, names)], n=1)
    like = next((one for one in names if near and one.casefold() == near[0]), None)
    hint = "" if like is None else f" (but there is {brief(like)})"
    return DataError(f"The source has no column {brief(name)}{hint}.")


def _is_number(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind) or "string_view" in str(kind))


def _check_type(name: str, kind: Any) -> None:
    from pyarrow import types

    inner = kind.value_type if types.is_dictionary(kind) else kind
    if _is_number(inner) or _is_text(inner) or types.is_boolean(inner) or types.is_null(inner):
        return
    if types.is_temporal(inner):
        what = "turn dates and times into numbers that mean something, such as the year"
    elif types.is_binary(inner) or types.is_large_binary(inner):
        what = "decode bytes to text first"
    else:
        what = "spread such values over columns of their own"
    raise DataTypeError(
        f"Column {brief(name)} is of the type {kind}, but must be numbers, booleans or text; "
        f"{what}, or leave the column out with drop=[{brief(name)}]."
    )


# ---------------------------------------------------------------------------- the first pass


@dataclass(frozen=True)
class Found:
    """What the first pass finds in some partitions.

    Attributes
    ----------
    n_rows : int
        Rows whose weight is not 0.
    cells : dict of str to Cells
        Kind and levels of columns, without their rows; levels of text are sorted, those of declared
        categories in the order in which files declare them.
    missing : frozenset of str
        Columns with missing values.
    totals : dict
        Weight of each class.
    least, most : float
        Range of a numeric target.
    weight : Fraction
        Of all rows.
    """

    n_rows: int = 0
    cells: Mapping[str, Cells] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    totals: Mapping[Level, Fraction] = field(default_factory=dict)
    least: float = math.inf
    most: float = -math.inf
    weight: Fraction = _NO_WEIGHT


@dataclass(frozen=True)
class Survey:
    """The first pass: a pure function of partitions, and how its results are joined.

    Parameters
    ----------
    roles : Roles
        What columns are for.
    columns : tuple of str
        The columns that have to be read.
    """

    roles: Roles
    columns: tuple[str, ...]

    @classmethod
    def of(cls, table: StoredTable, roles: Roles) -> Survey:
        """Leave out columns of which the files say all there is to know: whole numbers, booleans.

        Parameters
        ----------
        table : StoredTable
            The table.
        roles : Roles
            What columns are for.

        Returns
        -------
        Survey
            The pass.
        """
        from pyarrow import types

        def is_known(name: str) -> bool:
            kind, n_missing = table.schema.field(name).type, table.n_missing[name]
            # Rows of weight 0 do not count, and the files do not tell in which rows nulls are.
            settled = n_missing == 0 or (n_missing is not None and roles.weight is None)
            return settled and (types.is_integer(kind) or types.is_boolean(kind))

        read = [name for name in roles.columns if not is_known(name)]
        weight = [] if roles.weight is None else [roles.weight]
        return cls(roles, (*read, roles.target, *weight))

    def replies(self, run: Sequence[Piece]) -> Iterator[Found]:
        """Look through partitions one by one.

        Parameters
        ----------
        run : sequence of Piece
            Partitions that are read in one go.

        Yields
        ------
        Found
            What is in each.
        """
        for piece, table in read_pieces(run, self.columns):
            try:
                found = self._look(table)
            except DataError:
                for one in row_groups_of(piece):
                    for _, rows in read_pieces([one], self.columns):
                        with in_piece(one):
                            self._look(rows)
                raise
            del table
            yield found

    def _look(self, table: Any) -> Found:
        roles = self.roles
        table.validate(full=True)
        table, weights = keep_weighed(table, roles.weight)
        if table.num_rows == 0:
            return Found()
        cells, missing = {}, set()
        for name in self.columns[: len(self.columns) - (2 if roles.weight else 1)]:
            one = read_cells(table.column(name), name)
            if _has_missing(one):
                missing.add(name)
            cells[name] = Cells(one.kind, levels=one.levels)
            _check_count(name, one.levels)
        total = Fraction(table.num_rows) if weights is None else exact_sum(weights)
        found = Found(table.num_rows, cells, frozenset(missing), weight=total)
        target = encode_target(table, roles)
        if roles.has_classes:
            codes, labels = target
            _check_count(roles.target, labels)
            return replaced(found, totals=dict(zip(labels, _totals(codes, weights), strict=True)))
        return replaced(found, least=float(target[0].min()), most=float(target[0].max()))

    def merge(self, first: Found, second: Found) -> Found:
        """Join what was found in two runs of partitions that follow each other.

        Parameters
        ----------
        first, second : Found
            The findings.

        Returns
        -------
        Found
            Those of both.
        """
        if not first.n_rows or not second.n_rows:
            return first if first.n_rows else second
        cells = {
            name: _joined(name, cells, second.cells[name]) for name, cells in first.cells.items()
        }
        totals = dict(first.totals)
        for label, weight in second.totals.items():
            totals[label] = totals.get(label, _NO_WEIGHT) + weight
        _check_count(self.roles.target, tuple(totals))
        return Found(
            first.n_rows + second.n_rows,
            cells,
            first.missing | second.missing,
            totals,
            min(first.least, second.least),
            max(first.most, second.most),
            first.weight + second.weight,
        )


def encode_target(table: Any, roles: Roles) -> tuple[NDArray[Any], tuple[Level, ...]]:
    """Read the target of some rows.

    Parameters
    ----------
    table : pyarrow.Table
        The rows.
    roles : Roles
        What columns are for.

    Returns
    -------
    codes : ndarray of int32 or float64
        Position of each row's class among `labels`, or its number.
    labels : tuple
        The classes that occur in these rows; none of a numeric target.
    """
    name, speaker = roles.target, roles.estimator_name
    column = table.column(name)
    if roles.has_classes:
        return encode_labels(column, estimator_name=speaker, name=name)
    return encode_numbers(column, estimator_name=speaker, name=name), ()


def keep_weighed(table: Any, weight: str | None) -> tuple[Any, NDArray[np.float64] | None]:
    """Leave out rows of weight 0, which are as if absent.

    Parameters
    ----------
    table : pyarrow.Table
        Rows.
    weight : str or None
        The column with their weights.

    Returns
    -------
    table : pyarrow.Table
        The rows that count.
    weights : ndarray of float64 or None
        Their weights; None if all are 1.

    Raises
    ------
    DataError
        If a weight is missing, negative or infinite.
    """
    if weight is None:
        return table, None
    cells = read_cells(table.column(weight), weight)
    weights = np.full(table.num_rows, np.nan) if cells.kind == "empty" else cells.numbers
    weights = weights.astype(np.float64)
    bad = ~(weights >= 0)
    if bad.any():
        first = int(bad.argmax())
        value = "missing" if np.isnan(weights[first]) else f"{weights[first]:g}"
        raise DataError(
            f"The weights in column {brief(weight)} must be numbers that are not below 0; "
            f"{int(bad.sum())} of {len(bad)} are not, the first is {value} at position {first}."
        )
    if weights.all():
        return table, weights
    return table.filter(weights > 0), weights[weights > 0]


def _totals(codes: NDArray[Any], weights: NDArray[np.float64] | None) -> list[Fraction]:
    """Return the exact weight of each class."""
    counts = np.bincount(codes)
    if weights is None:
        return [Fraction(count) for count in counts.tolist()]
    return [exact_sum(weights[codes == code]) for code in range(len(counts))]


def _has_missing(cells: Cells) -> bool:
    if cells.kind == "numeric":
        return cells.numbers.dtype.kind == "f" and bool(np.isnan(cells.numbers).any())
    return cells.kind == "empty" or bool((cells.codes < 0).any())


def _joined(name: str, first: Cells, second: Cells) -> Cells:
    """Join the levels of two runs of rows: of text sorted, of declared categories in order."""
    if first.kind == "empty" or first.levels == second.levels:
        return second if first.kind == "empty" else first
    if second.kind == "empty" or second.kind in ("numeric", "boolean"):
        return first
    known = dict.fromkeys((type(level), level) for level in (*first.levels, *second.levels))
    levels = tuple(level for _, level in known)
    _check_count(name, levels)
    return replaced(first, levels=levels)


def _check_count(name: str, levels: Sequence[Level]) -> None:
    if len(levels) > MOST_LEVELS:
        raise DataError(
            f"Column {brief(name)} has more than {MOST_LEVELS:,} different values such as "
            f"{brief(levels[0])}; group them, or leave the column out with drop=[{brief(name)}]."
        )


@contextlib.contextmanager
def in_piece(piece: Piece) -> Iterator[None]:
    """Say where something is wrong."""
    try:
        yield
    except DataError as error:
        raise type(error)(f"In {piece.name}: {error}") from error
    except Exception as error:
        error.add_note(f"In {piece.name}")
        raise


# ---------------------------------------------------------------------------- the schema


def schema_of(table: StoredTable, roles: Roles, found: Found) -> Schema:
    """Make the schema that a fit in memory would make of the same table.

    Parameters
    ----------
    table : StoredTable
        The table.
    roles : Roles
        What columns are for.
    found : Found
        What the first pass found.

    Returns
    -------
    Schema
        Columns, levels and classes.

    Raises
    ------
    DataError
        If no row counts.
    """
    if not found.n_rows:
        raise DataError("The weight of every row is zero; give some a positive weight.")
    columns = tuple(_column(table, name, found) for name in roles.columns)
    return Schema(columns, tuple(sorted(found.totals)) or None, roles.target)


def _column(table: StoredTable, name: str, found: Found) -> Column:
    from pyarrow import types

    if name in found.cells:
        cells = found.cells[name]
        if _is_text(table.schema.field(name).type):
            cells = replaced(cells, levels=tuple(sorted(map(str, cells.levels))))
        return replaced(learn_column(name, cells), has_missing=name in found.missing)
    kind: Kind = "boolean" if types.is_boolean(table.schema.field(name).type) else "numeric"
    return Column(name, kind, has_missing=bool(table.n_missing[name]))
