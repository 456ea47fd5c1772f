"""The options of every command that reads a table, and what can be checked before anything is read.

Imports nothing heavy: a mistyped name is reported at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import click

from treewright.cli.large import check_files
from treewright.exceptions import TableFileError
from treewright.files.paths import STANDARD_INPUT, check_model_path, check_table_path

__all__ = ["KINDS", "Reading", "check_inputs", "reading_options"]

KINDS = ("number", "category", "date", "identifier")
_Command = TypeVar("_Command", bound=Callable[..., Any])
_SIZE = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*([kmgt]?)(i?)b?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """How tables are to be read, as the user said.

    Attributes
    ----------
    sep, decimal, thousands, encoding : str or None
        Marks and encoding of text; None to find them out.
    types : dict of str to str
        What columns are, out of `KINDS`.
    max_bytes : int or None
        The most that a file may unpack to; None for the usual limit.
    """

    sep: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None
    types: dict[str, Any] = field(default_factory=dict)
    max_bytes: int | None = None

    def of_kind(self, kind: str) -> list[str]:
        """Name the columns that are said to be of a kind."""
        return [name for name, said in self.types.items() if said == kind]


def reading_options(command: _Command) -> _Command:
    """Add the options to a command, which gets them as one argument `reading`."""

    def with_reading(
        *words: Any,
        sep: str | None,
        decimal: str | None,
        thousands: str | None,
        encoding: str | None,
        types: tuple[str, ...],
        max_size: int | None,
        **others: Any,
    ) -> Any:
        reading = Reading(sep, decimal, thousands, encoding, _read_types(types), max_size)
        return command(*words, reading=reading, **others)

    with_reading.__doc__ = command.__doc__
    decorated: Any = with_reading
    for option in reversed(
        [
            click.option(
                "--type",
                "types",
                multiple=True,
                metavar="COLUMN=KIND",
                help="What a column is, if the guess is wrong: number (what is none is taken as "
                "missing), category, date or identifier; dates and identifiers are not used. May "
                "be given repeatedly.",
            ),
            click.option(
                "--sep", metavar="MARK", help="What stands between cells of text, if not found out."
            ),
            click.option(
                "--decimal",
                type=click.Choice([".", ","]),
                help="What stands before the fraction of numbers in text.",
            ),
            click.option(
                "--thousands",
                type=click.Choice([",", ".", "'", " "]),
                help="What stands between groups of three digits of numbers in text.",
            ),
            click.option(
                "--encoding", metavar="NAME", help="Encoding of text, if not UTF-8: cp1252, ..."
            ),
            click.option(
                "--max-size",
                metavar="SIZE",
                callback=_read_size,
                help="The most that a file may unpack to, such as 500MB; 2GiB if left out.",
            ),
        ]
    ):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


def check_inputs(*files: str, others: Sequence[str | None] = (), model: str | None = None) -> None:
    """Refuse paths that cannot lead to what is to be read, before anything heavy is imported.

    Parameters
    ----------
    *files : str
        The table, which several Parquet files may make up.
    others : sequence of str or None, default ()
        Further tables, of one file each.
    model : str or None, default None
        A model file.

    Raises
    ------
    TableFileError, ModelFileError
        With the sentence that reading would give.
    """
    if model is not None:
        check_model_path(model)
    tables = [path for path in others if path is not None]
    if [*files, *tables].count(STANDARD_INPUT) > 1:
        raise TableFileError("Only one table can come from standard input.")
    if files:
        check_files(files)
    for path in tables:
        check_table_path(path)


def _read_types(given: Sequence[str]) -> dict[str, Any]:
    """Read what the user says that columns are."""
    kinds = {}
    for words in given:
        name, mark, kind = words.rpartition("=")
        if not mark or kind not in KINDS:
            raise click.UsageError(
                f"--type takes COLUMN=KIND with a kind out of {', '.join(KINDS)}. Got {words!r}."
            )
        kinds[name] = kind
    return kinds


def _read_size(context: click.Context, option: click.Parameter, text: str | None) -> int | None:
    if text is None:
        return None
    found = _SIZE.fullmatch(text)
    if found is None:
        raise click.UsageError(
            f"--max-size takes a size such as 500MB or 4GiB. Got {text[:60]!r}.", context
        )
    number, letter, binary = found.groups()
    power = " kmgt".index(letter.lower()) if letter else 0
    return int(float(number) * (1024 if binary else 1000) ** power)
