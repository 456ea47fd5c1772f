"""JSON as columns: a list of objects, or one object per line."""

from __future__ import annotations

import json
from typing import IO, Any

from treewright.exceptions import TableFileError, brief
from treewright.files.sources import lines_of

__all__ = ["read_json", "read_json_lines"]


def read_json(file: IO[str], shown: str) -> dict[str, Any]:
    """Read a JSON list of objects; raise a TableFileError if it is none."""
    records = _parse_json(file.read(), shown)
    if not isinstance(records, list):
        raise TableFileError(f"{shown} is no table: it must be a JSON list of objects.")
    return _columns_of_records(records, shown)


def read_json_lines(file: IO[str], shown: str) -> dict[str, Any]:
    """Read one JSON object per line; raise a TableFileError if one is none."""
    records = [
        _parse_json(line, f"Line {number} of {shown}")
        for number, line in enumerate(lines_of(file, shown), start=1)
        if line.strip()
    ]
    return _columns_of_records(records, shown)


def _parse_json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise TableFileError(
            f"{where} is not JSON: {error.msg} (line {error.lineno}, column {error.colno})."
        ) from error
    except RecursionError:
        raise TableFileError(f"{where} is no table: it is nested too deeply.") from None
    except ValueError as error:  # a number of thousands of digits
        raise TableFileError(f"{where} cannot be read: {error}.") from error


def _columns_of_records(records: list[Any], shown: str) -> dict[str, Any]:
    if not records:
        raise TableFileError(f"{shown} has no rows.")
    for place, record in enumerate(records, start=1):
        if not isinstance(record, dict):
            raise TableFileError(
                f"Entry {place} of {shown} must be a JSON object with one "
                f"value per column. Got {brief(record)}."
            )
    names = dict.fromkeys(name for record in records for name in record)
    if not names:
        raise TableFileError(f"{shown} has no columns: all of its objects are empty.")
    return {name: [record.get(name) for record in records] for name in names}
