"""Columns of a table to be learned from: which are used, which left out and why."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from treewright.cli.tables import Columns
from treewright.exceptions import brief
from treewright.reports import Settings, infer_columns

__all__ = ["usable_columns"]

_MOST_REMARKS = 5
_LONGEST_NAME = 60  # in a command to copy


def usable_columns(
    table: Columns, types: Mapping[str, Any], *, keep: Sequence[str]
) -> tuple[Columns, list[str]]:
    """Leave out the columns that the report leaves out too, and say so.

    Parameters
    ----------
    table : dict of str to column
        All columns but the target.
    types : mapping of str to str
        What some columns are, where a guess would be wrong.
    keep : sequence of str
        Columns to use though they seem to say nothing of new rows.

    Returns
    -------
    table : dict of str to column
        The columns that trees may use.
    remarks : list of str
        Why the others are left out.

    Raises
    ------
    DataError
        If none is left.
    """
    inferred_columns = infer_columns(table, Settings(types=types, keep=keep))
    used = {
        inferred.name: table[inferred.name] for inferred in inferred_columns if inferred.is_used
    }
    remarks = []
    for inferred in inferred_columns:
        if inferred.left_out is not None:
            words = f"Column {brief(inferred.name)} left out: it {inferred.left_out.words}"
            if inferred.left_out.kind in ("type", "duplicate"):
                words += f"; --keep {_shell_word(inferred.name)} uses it"
            remarks.append(f"{words}.")
    rest = len(remarks) - _MOST_REMARKS
    if rest > 1:
        remarks[_MOST_REMARKS:] = [f"{rest} more columns left out for such reasons."]
    return used, remarks


def _shell_word(name: str) -> str:
    return shlex.quote(name) if len(name) <= _LONGEST_NAME else "NAME"
