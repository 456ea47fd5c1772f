"""What each column of a table seems to be, which of them a tree may use, and what to know of them.

A column is left out where no tree could learn anything from it that holds for new rows: row
numbers, names of rows, dates, free text, a single value, a copy of another column. Whoever knows
better says so by the settings `types` and `drop`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.evaluation import column_note, kind_words
from treewright.exceptions import DataError, brief
from treewright.page import ColumnNote, DataNote
from treewright.page.content import NoteKind
from treewright.reports.settings import Settings
from treewright.schema import (
    Cells,
    Column,
    are_codes,
    is_free_text,
    is_identifier,
    looks_like_dates,
    looks_like_numbers,
    read_cells,
)
from treewright.schema.encoding import fill
from treewright.words import name_text, number_text, plural, share_text, visible

__all__ = ["InferredColumn", "infer_columns", "notes_of"]

_MANY_GAPS = 0.2
_SHOWN_REASONS = 3
_FEWEST_TO_NAME_ROWS = 50  # that fewer whole numbers differ is no sign
_LONGEST_NAME = 60  # in a command to copy
# Customer ID, customer_id, CustomerID, id: as words, for "Idaho" or "paid" name no rows.
_WORD_ID = re.compile(r"(?:^|[\W_])(?:id|uuid|guid|identifier)(?:$|[\W_])")
_CAMEL_ID = re.compile(r"(?<=[a-z])I[Dd](?:$|[\W_])")


@dataclass(frozen=True)
class LeftOut:
    """Why a column is left out: what kind of fault it is, and words that fit after its name."""

    kind: NoteKind
    words: str


_DATES = LeftOut(
    "type",
    "holds dates, which say nothing by themselves; add columns such as the year, the weekday or "
    "the days since a given date",
)
_PLAIN_NUMBERS = (
    "most of its texts are numbers: write them plainly, such as 1234.5, and leave cells empty "
    "where the number is not known"
)
_SAID = {"date": "holds dates, as was said", "identifier": "names the rows, as was said"}


@dataclass(frozen=True, eq=False)
class InferredColumn:
    """What a column seems to be.

    Attributes
    ----------
    name : str
        The name.
    kind : str
        The kind in words: "number", "category of 8", "dates".
    left_out : LeftOut or None
        Why trees may not use it; None if they may.
    column : Column or None
        What it holds; None if that was not looked at or cannot be read.
    values : ndarray of float64
        Numbers or level codes, NaN where missing; empty if there is no `column`.
    may_be_numbers : bool
        Whether it is text only because of how some of its numbers are written.
    """

    name: str
    kind: str
    left_out: LeftOut | None
    column: Column | None = None
    values: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    may_be_numbers: bool = False

    @property
    def is_used(self) -> bool:
        """Whether trees may use it."""
        return self.left_out is None

    @property
    def is_number(self) -> bool:
        """Whether it is used as a number."""
        return self.is_used and self.column is not None and self.column.kind == "numeric"

    @property
    def known(self) -> NDArray[np.float64]:
        """The values that are not missing."""
        return self.values[~np.isnan(self.values)]

    def note(self, *, with_rows: bool) -> ColumnNote:
        """Return the column as a page lists it.

        Parameters
        ----------
        with_rows : bool
            Whether values of single rows may stand in the page.

        Returns
        -------
        ColumnNote
            The column and what it holds.
        """
        kind = self.kind if self.is_used else f"{self.kind}, left out"
        if self.column is None:
            return ColumnNote(self.name, kind, 0.0)
        return replace(column_note(self.column, self.values, with_rows=with_rows), kind=kind)


def infer_columns(table: Mapping[str, Any], settings: Settings) -> list[InferredColumn]:
    """Guess what the columns of a table are.

    Parameters
    ----------
    table : mapping of str to column
        The table without its target.
    settings : Settings
        Columns to leave out, and what some columns are.

    Returns
    -------
    list of InferredColumn
        One per column, in the order of the table.

    Raises
    ------
    DataError
        If a column is said to be numbers or to have a unit and is no number, or if no column is
        left that a tree could use.
    """
    inferred_columns: list[InferredColumn] = []
    for name, column in table.items():
        if name in settings.drop:
            inferred_columns.append(
                InferredColumn(name, "not looked at", LeftOut("other", "was dropped"))
            )
            continue
        asked = settings.types.get(name)
        is_told = asked is not None or name in settings.keep
        inferred = _infer(name, column, asked, is_told=is_told)
        twin = None if is_told or not inferred.is_used else _twin(inferred, inferred_columns)
        if twin is not None:
            copy = LeftOut("duplicate", f"is the same as {name_text(twin)} in every row")
            inferred = replace(inferred, left_out=copy)
        if name in settings.units and inferred.is_used and not inferred.is_number:
            raise DataError(f"Column {brief(name)} is no number and has no unit.")
        inferred_columns.append(inferred)
    if not any(inferred.is_used for inferred in inferred_columns):
        raise DataError(
            f"No column is left that a tree could use{_some_reasons(inferred_columns)}."
        )
    return inferred_columns


def _some_reasons(inferred_columns: list[InferredColumn]) -> str:
    reasons = [
        f"{brief(inferred.name)} {inferred.left_out.words}"
        for inferred in inferred_columns[:_SHOWN_REASONS]
        if inferred.left_out is not None
    ]
    hint = (
        "; --keep uses a column all the same"
        if any(_may_be_kept(one) for one in inferred_columns)
        else ""
    )
    return f": {'; '.join(reasons)}{hint}" if reasons else ""


def _may_be_kept(inferred: InferredColumn) -> bool:
    return inferred.left_out is not None and inferred.left_out.kind in ("type", "duplicate")


def _infer(name: str, cells_given: Any, asked: str | None, *, is_told: bool) -> InferredColumn:
    if asked in _SAID:
        return InferredColumn(name, asked, LeftOut("other", _SAID[asked]))
    try:
        cells = read_cells(cells_given, name)
    except DataError as error:
        if is_told or "holds infinity" in str(error):
            raise
        is_date = "dates or times" in str(error)
        return InferredColumn(name, "dates", _DATES) if is_date else _unreadable(name)
    column = Column(name, "categorical" if cells.kind == "empty" else cells.kind, cells.levels)
    values = np.empty(len(cells_given))
    fill(values, cells)
    kind = kind_words(column)
    if asked == "number" and cells.kind not in ("numeric", "empty"):
        raise DataError(
            f"Column {brief(name)} is said to be a number, but is {kind}; fix the file, or leave "
            "the column out."
        )
    left_out = _why_left_out(cells, values, name, is_told=is_told)
    may_be_numbers = not is_told and left_out is not _DATES and looks_like_numbers(cells)
    if left_out is not None and left_out.kind == "type" and may_be_numbers:
        left_out = replace(left_out, words=f"{left_out.words}; {_PLAIN_NUMBERS}")
    kind = "dates" if left_out is _DATES else kind
    return InferredColumn(name, kind, left_out, column, values, may_be_numbers)


def _why_left_out(
    cells: Cells, values: NDArray[np.float64], name: str, *, is_told: bool
) -> LeftOut | None:
    known = values[~np.isnan(values)]
    if not len(known):
        return LeftOut("constant", "has no value in any row")
    if (known == known[0]).all():
        return LeftOut("constant", "has the same value in every row where it is known")
    if is_told:
        return None
    if looks_like_dates(cells):
        return _DATES
    if is_identifier(cells) or (_names_rows(name) and _are_row_numbers(known, len(values))):
        return LeftOut("type", "has another value in every row and can tell nothing of new rows")
    if is_free_text(cells):
        n_texts = f"{len(cells.levels):,}"
        return LeftOut("type", f"has {n_texts} different texts, too many to be categories")
    return None


def _names_rows(name: str) -> bool:
    """Tell whether a name says that a column names rows.

    Examples
    --------
    >>> [_names_rows(name) for name in ("Customer ID", "customerId", "id", "paid", "Idaho")]
    [True, True, True, False, False]
    """
    return bool(_WORD_ID.search(name.lower()) or _CAMEL_ID.search(name))


def _are_row_numbers(known: NDArray[np.float64], n_rows: int) -> bool:
    """Tell whether each of many rows has another whole number."""
    return bool(
        len(known) == n_rows >= _FEWEST_TO_NAME_ROWS
        and (known == np.floor(known)).all()
        and len(np.unique(known)) == n_rows
    )


def _unreadable(name: str) -> InferredColumn:
    words = "holds what is neither a number, nor text, nor a boolean"
    return InferredColumn(name, "not readable", LeftOut("type", words))


def _twin(inferred: InferredColumn, others: list[InferredColumn]) -> str | None:
    """Name an earlier column with the same cells."""
    assert inferred.column is not None
    for other in others:
        if (
            other.is_used
            and other.column is not None
            and other.column.kind == inferred.column.kind
            and other.column.levels == inferred.column.levels
            and np.array_equal(other.values, inferred.values, equal_nan=True)
        ):
            return other.name
    return None


# ---------------------------------------------------------------------------- notes


def notes_of(inferred_columns: list[InferredColumn], target: str) -> list[DataNote]:
    """Say what a reader should know of the columns.

    Parameters
    ----------
    inferred_columns : list of InferredColumn
        What they seem to be.
    target : str
        Name of the target.

    Returns
    -------
    list of DataNote
        Why columns are left out, where a kind may be wrong, where much is missing.
    """
    notes = []
    for inferred in inferred_columns:
        if inferred.left_out is not None:
            words = f"Left out: it {inferred.left_out.words}."
            notes.append(DataNote(inferred.left_out.kind, inferred.name, words))
            continue
        doubt = _doubt(inferred)
        if doubt:
            notes.append(DataNote("type", inferred.name, doubt))
        gaps = 1.0 - len(inferred.known) / len(inferred.values)
        if gaps >= _MANY_GAPS:
            notes.append(
                DataNote("gaps", inferred.name, f"Missing in {share_text(gaps)} of the rows.")
            )
        if len(target) > 2 and target.casefold() in inferred.name.casefold():
            notes.append(
                DataNote(
                    "leak",
                    inferred.name,
                    f"Its name holds that of the target, {name_text(target)}; leave it out if it "
                    "is only known once the target is.",
                )
            )
    return notes


def _doubt(inferred: InferredColumn) -> str:
    """Say why a column may be something else than it was taken for; nothing where all is well."""
    if inferred.may_be_numbers:
        return f"Taken as categories, but {_PLAIN_NUMBERS}."
    if not inferred.is_number:
        return ""
    values, name = np.unique(inferred.known), _shell_word(inferred.name)
    if are_codes(inferred.known) and len(values) > 2:
        shown = ", ".join(map(number_text, values[:4].tolist())) + ", ..." * (len(values) > 4)
        return (
            f"Taken as a number, though it has only {plural(len(values), 'value')} ({shown}); if "
            f"they are codes of categories, say so with --type {name}=category."
        )
    if _are_row_numbers(inferred.known, len(inferred.values)):
        return (
            "Taken as a number, though it is another whole number in every row; if it only names "
            f"the rows, leave it out with --drop {name}."
        )
    return ""


def _shell_word(name: str) -> str:
    return shlex.quote(visible(name)) if len(name) <= _LONGEST_NAME else "NAME"
