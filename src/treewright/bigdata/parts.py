"""What a partition gives and what is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Engine", "Partition", "Question", "Rows", "Sums"]


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a partition, encoded by the schema.

    Attributes
    ----------
    part : int
        Number of the partition; with the position of a row it names the row.
    values : ndarray of shape (n_rows, n_columns), float64, Fortran order
        Columns that were not asked for are absent, or hold anything: `columns` says which ones
        stand there.
    columns : tuple of int
        Columns of the schema, ascending, one for each column of `values`.
    target : ndarray
        int32 class codes, or float64 numbers.
    weights : ndarray of float64 or None
        None: all 1. On the grid on which sums are exact.
    case_weights : ndarray of float64 or None
        Weights without class weights and priors; None: the same. On a grid, too.
    """

    part: int
    values: NDArray[np.float64]
    columns: tuple[int, ...]
    target: NDArray[Any]
    weights: NDArray[np.float64] | None = None
    case_weights: NDArray[np.float64] | None = None


class Partition(Protocol):
    """Rows that can be read again; it pickles."""

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

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
        ...


class Question(Protocol):
    """A pure function of rows; it pickles, and so does its reply."""

    @property
    def columns(self) -> tuple[int, ...]:
        """Columns of the schema that it needs, ascending."""
        ...

    def answer(self, rows: Rows) -> Any:
        """Reply for the rows of one partition.

        Parameters
        ----------
        rows : Rows
            The rows.

        Returns
        -------
        object
            The reply.
        """
        ...

    def merge(self, first: Any, second: Any) -> Any:
        """Join the replies of two runs of partitions that follow each other.

        Parameters
        ----------
        first, second : object
            The replies.

        Returns
        -------
        object
            That of both.
        """
        ...


class Sums(Protocol):
    """What a question keeps while it goes through partitions; it does not pickle.

    A question whose reply does not grow, and does not depend on the order of the partitions, may
    have a method ``sums`` that returns such: adding is cheaper than merging reply after reply.
    """

    def add(self, rows: Rows) -> None:
        """Take the rows of a partition."""
        ...

    def reply(self) -> Any:
        """Return the reply for all rows, once; None if there were none."""
        ...


class Engine(Protocol):
    """Asks all partitions, and merges their replies in the order of the partitions."""

    @property
    def n_rows(self) -> int | None:
        """Number of rows, if it is known."""
        ...

    def ask(self, question: Question) -> Any:
        """Ask all partitions.

        Parameters
        ----------
        question : Question
            What to ask.

        Returns
        -------
        object
            The merged reply.
        """
        ...

    def each(self, tasks: Iterable[Callable[[], Any]]) -> list[Any]:
        """Run tasks that need no partition, on workers where there are some.

        Parameters
        ----------
        tasks : iterable of callable
            Pure functions of nothing; they pickle.

        Returns
        -------
        list
            What they give, in their order.
        """
        ...
