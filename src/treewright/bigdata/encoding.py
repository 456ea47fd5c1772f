"""Rows of a partition as the core reads them, by the schema that the first pass settled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treewright.bigdata.partitions import Piece, read_pieces
from treewright.bigdata.parts import Question, Rows, Sums
from treewright.bigdata.schemas import Roles, encode_target, in_piece, keep_weighed
from treewright.estimators.weights import on_grid
from treewright.exceptions import DataError
from treewright.schema import Level, Schema, plain_array

__all__ = ["Asking", "EncodedPiece", "Encoder", "Reader"]

MOST_CODES = 10_000  # whole numbers from the least to the greatest class that a table may list


@dataclass(frozen=True)
class Encoder:
    """How the rows of every partition are read.

    Parameters
    ----------
    schema : Schema
        Columns, levels and classes.
    roles : Roles
        What columns of the table are for.
    factors : tuple of float or None
        What the weights of each class are multiplied by; None if that changes nothing.
    total : float
        Weight of all rows after that.
    case_total : float
        And before.
    """

    schema: Schema
    roles: Roles
    factors: tuple[float, ...] | None
    total: float
    case_total: float

    @cached_property
    def _codes(self) -> dict[Level, int]:
        return {label: code for code, label in enumerate(self.schema.classes or ())}

    @cached_property
    def _whole_numbers(self) -> tuple[int, NDArray[np.int32]] | None:
        """The least class, and the code of each number from there on; None for other classes."""
        classes = [label for label in self._codes if type(label) is int]
        if not classes or len(classes) < len(self._codes):
            return None
        least, most = min(classes), max(classes)
        if most - least > MOST_CODES:
            return None
        codes = np.full(most - least + 1, -1, dtype=np.int32)
        codes[np.array(classes) - least] = np.arange(len(classes))
        return least, codes

    def read(self, run: Sequence[Piece], columns: Sequence[int]) -> Iterator[tuple[Piece, Rows]]:
        """Read and encode partitions one by one.

        Parameters
        ----------
        run : sequence of Piece
            Partitions that are read in one go.
        columns : sequence of int
            Columns of the schema, ascending.

        Yields
        ------
        piece : Piece
            The partition.
        rows : Rows
            Its rows whose weight is not 0; there may be none.
        """
        roles = self.roles
        names = [self.schema.names[column] for column in columns]
        extra = [roles.target] if roles.weight is None else [roles.target, roles.weight]
        for piece, table in read_pieces(run, [*names, *extra]):
            with in_piece(piece):
                rows = self._encode(piece, table, tuple(columns))
            del table
            yield piece, rows
            del rows

    def _encode(self, piece: Piece, table: Any, columns: tuple[int, ...]) -> Rows:
        table, weights = keep_weighed(table, self.roles.weight)
        n_rows = table.num_rows
        if n_rows == 0:
            kind = np.int32 if self.roles.has_classes else np.float64
            return Rows(piece.number, np.empty((0, len(columns))), columns, np.empty(0, kind))
        target = self._target(table)
        return Rows(
            piece.number,
            self._values(table, columns),
            columns,
            target,
            *self._weights(target, weights),
        )

    def _target(self, table: Any) -> NDArray[Any]:
        """Return the codes of the classes, or the numbers."""
        whole = self._whole_numbers
        plain = None if whole is None else plain_array(table.column(self.roles.target))
        if whole is not None and plain is not None and plain.dtype.kind in "iu":
            least, codes = whole
            if least <= int(plain.min()) and int(plain.max()) < least + len(codes):
                known = codes[plain.astype(np.int64) - least]
                if known.min() >= 0:
                    return known
        target, labels = encode_target(table, self.roles)
        if labels:
            if not self._codes.keys() >= set(labels):
                raise DataError("the target holds other classes than in the first pass.")
            target = np.array([self._codes[label] for label in labels], dtype=np.int32)[target]
        return target

    def _values(self, table: Any, columns: tuple[int, ...]) -> NDArray[np.float64]:
        if not columns:
            return np.empty((table.num_rows, 0), order="F")
        part = Schema(tuple(self.schema.columns[column] for column in columns))
        return np.asfortranarray(part.encode(table.select(part.names)))

    def _weights(
        self, target: NDArray[Any], weights: NDArray[np.float64] | None
    ) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
        """Return the weights with and without those of the classes."""
        if self.factors is None:
            return None if weights is None else on_grid(weights, self.total), None
        case = np.ones(len(target)) if weights is None else weights
        by_class = np.array(self.factors)[target]
        return on_grid(case * by_class, self.total), on_grid(case, self.case_total)


@dataclass(frozen=True)
class EncodedPiece:
    """A partition with all that is needed to read it; it pickles.

    Parameters
    ----------
    piece : Piece
        Which rows.
    encoder : Encoder
        How they are read.
    """

    piece: Piece
    encoder: Encoder

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.piece.name

    def load(self, columns: Sequence[int]) -> Rows:
        """Read the rows, of these columns of the schema only.

        Parameters
        ----------
        columns : sequence of int
            Positions in the schema, ascending.

        Returns
        -------
        Rows
            The same rows in the same order at every call.
        """
        ((_, rows),) = self.encoder.read([self.piece], columns)
        return rows


class Reader(Protocol):
    """Reads partitions, as :meth:`Encoder.read` does."""

    def read(self, run: Sequence[Piece], columns: Sequence[int]) -> Iterator[tuple[Piece, Rows]]:
        """Read partitions one by one; rows are valid until the next are asked for."""
        ...


@dataclass(frozen=True)
class Asking:
    """A question to all partitions, as engines run it.

    Parameters
    ----------
    reader : Encoder or KeptRows
        How rows are read.
    question : Question
        What is asked of them.
    """

    reader: Reader
    question: Question

    def replies(self, run: Sequence[Piece]) -> Iterator[Any]:
        """Ask partitions one by one; those without rows are not asked.

        Parameters
        ----------
        run : sequence of Piece
            Partitions that are read in one go.

        Yields
        ------
        object
            The replies.
        """
        for piece, rows in self.reader.read(run, self.question.columns):
            if len(rows.target):
                with in_piece(piece):
                    reply = self.question.answer(rows)
                del rows
                yield reply

    def sums(self) -> Sums | None:
        """Return what the question keeps while it goes through partitions; None for nothing."""
        begin = getattr(self.question, "sums", None)
        return None if begin is None else begin()

    def add(self, sums: Sums, run: Sequence[Piece]) -> Iterator[None]:
        """Add partitions to sums one by one.

        Parameters
        ----------
        sums : Sums
            Of the question.
        run : sequence of Piece
            Partitions that are read in one go.

        Yields
        ------
        None
            After each partition.
        """
        for piece, rows in self.reader.read(run, self.question.columns):
            if len(rows.target):
                with in_piece(piece):
                    sums.add(rows)
            del rows
            yield

    def merge(self, first: Any, second: Any) -> Any:
        """Join two replies.

        Parameters
        ----------
        first, second : object
            Of runs of partitions that follow each other.

        Returns
        -------
        object
            The reply of both.
        """
        return self.question.merge(first, second)
