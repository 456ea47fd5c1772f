"""Predicates read from parsed JSON that nobody has checked yet.

One reader a kind: it knows the keys, sees that columns and levels exist and are of the right kind,
and that numbers are finite. `Predicate.to_json` writes what these readers take.
"""

from __future__ import annotations

from collections.abc import Callable

from treewright.base.jsonform import (
    read_choice,
    read_index,
    read_list,
    read_number,
    read_numbers,
    read_object,
)
from treewright.exceptions import ModelFileError, brief
from treewright.predicates import (
    Axis,
    Linear,
    Machine,
    Multiway,
    Pair,
    Predicate,
    Subset,
)
from treewright.predicates.pair import CONNECTIVES
from treewright.schema import Schema

__all__ = ["predicate_from_json"]


def predicate_from_json(value: object, schema: Schema, where: str = "The predicate") -> Predicate:
    """Read a predicate from parsed JSON and check it against the columns.

    Parameters
    ----------
    value : object
        What the JSON parser made.
    schema : Schema
        The columns the predicate reads.
    where : str, default "The test"
        The place in the file, for the message.

    Returns
    -------
    Predicate
        The predicate whose ``to_json()`` gives that value.

    Raises
    ------
    ModelFileError
        If it is not a predicate over these columns.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> schema = Schema((Column("age", "numeric"),))
    >>> predicate_from_json({"kind": "axis", "column": 0, "threshold": 42}, schema)
    Axis(column=0, threshold=42.0)
    """
    if not isinstance(value, dict):
        raise ModelFileError(f"{where} must be an object.")
    kind = read_choice(value.get("kind"), f"The kind of {_lower(where)}", tuple(_READERS))
    try:
        return _READERS[kind](value, schema, where)
    except ModelFileError:
        raise
    except ValueError as error:
        raise ModelFileError(f"{where} is broken: {error}") from None


def _read_axis(value: object, schema: Schema, where: str) -> Axis:
    data = read_object(value, where, ("kind", "column", "threshold"))
    column = _read_column(data["column"], schema, where, numeric=True)
    return Axis(column, read_number(data["threshold"], f"The threshold of {_lower(where)}"))


def _read_linear(value: object, schema: Schema, where: str) -> Linear:
    data = read_object(value, where, ("kind", "columns", "coefficients", "threshold"), ("levels",))
    columns: tuple[int, ...]
    levels: tuple[int | None, ...] = ()
    if "levels" in data:
        columns, levels = _read_terms(data["columns"], data["levels"], schema, where)
    else:
        columns = _read_columns(data["columns"], schema, where)
    return Linear(
        columns,
        tuple(read_numbers(data["coefficients"], f"A coefficient of {_lower(where)}")),
        read_number(data["threshold"], f"The threshold of {_lower(where)}"),
        levels,
    )


def _read_terms(
    columns: object, levels: object, schema: Schema, where: str
) -> tuple[tuple[int, ...], tuple[int | None, ...]]:
    """Read the columns of a sum and their levels, null for a numeric or ordinal one."""
    asked = read_list(columns, f"The columns of {_lower(where)}")
    said = read_list(levels, f"The levels of {_lower(where)}")
    if len(said) != len(asked) or all(level is None for level in said):
        raise ModelFileError(
            f"The levels of {_lower(where)} must be one per column, and not all null."
        )
    pairs = zip(asked, said, strict=True)
    found = [_read_column(c, schema, where, numeric=level is None) for c, level in pairs]
    place = f"A level of {_lower(where)}"
    return tuple(found), tuple(
        None if level is None else read_index(level, place, len(schema.columns[column].levels))
        for column, level in zip(found, said, strict=True)
    )


def _read_subset(value: object, schema: Schema, where: str) -> Subset:
    data = read_object(value, where, ("kind", "column", "left", "right"))
    column = _read_column(data["column"], schema, where, numeric=False)
    left, right = (_read_levels(data[side], schema, column, where) for side in ("left", "right"))
    return Subset(column, left, right)


def _read_multiway(value: object, schema: Schema, where: str) -> Multiway:
    data = read_object(value, where, ("kind", "column", "branches"))
    column = _read_column(data["column"], schema, where, numeric=False)
    groups = [
        _read_levels(group, schema, column, where)
        for group in read_list(data["branches"], f"The branches of {_lower(where)}")
    ]
    branch_of_level = {level: branch for branch, group in enumerate(groups) for level in group}
    n_levels = len(schema.columns[column].levels)
    if sum(map(len, groups)) != n_levels or len(branch_of_level) != n_levels or not all(groups):
        raise ModelFileError(f"{where} must give each level of its column one branch.")
    return Multiway(column, tuple(branch_of_level[level] for level in range(n_levels)))


def _read_pair(value: object, schema: Schema, where: str) -> Pair:
    data = read_object(value, where, ("kind", "connective", "first", "second"))
    connective = read_choice(data["connective"], f"The connective of {_lower(where)}", CONNECTIVES)
    parts = []
    for side in ("first", "second"):
        # Parts are axis or subset tests only, so nesting ends here whatever the file says.
        place = f"The {side} part of {_lower(where)}"
        kind = data[side].get("kind") if isinstance(data[side], dict) else None
        read_choice(kind, f"The kind of {_lower(place)}", ("axis", "subset"))
        reader = _read_axis if kind == "axis" else _read_subset
        parts.append(reader(data[side], schema, place))
    return Pair(connective, parts[0], parts[1])


def _read_machine(value: object, schema: Schema, where: str) -> Machine:
    data = read_object(value, where, ("kind", "columns", "scores"))
    rows: list[tuple[float, ...]] = []
    intercepts: list[float] = []
    for score in read_list(data["scores"], f"The scores of {_lower(where)}"):
        read_object(score, f"A score of {_lower(where)}", ("coefficients", "intercept"))
        row = read_numbers(score["coefficients"], f"A coefficient of {_lower(where)}")
        rows.append(tuple(row))
        intercepts.append(read_number(score["intercept"], f"An intercept of {_lower(where)}"))
    return Machine(_read_columns(data["columns"], schema, where), tuple(rows), tuple(intercepts))


_READERS: dict[str, Callable[[object, Schema, str], Predicate]] = {
    "axis": _read_axis,
    "linear": _read_linear,
    "subset": _read_subset,
    "multiway": _read_multiway,
    "pair": _read_pair,
    "machine": _read_machine,
}


def _lower(where: str) -> str:
    return where[:1].lower() + where[1:]


def _read_column(value: object, schema: Schema, where: str, *, numeric: bool) -> int:
    index = read_index(value, f"A column of {_lower(where)}", len(schema.columns))
    column = schema.columns[index]
    if (column.kind in ("numeric", "ordinal")) != numeric:
        needed = "numeric or ordinal" if numeric else "categorical or boolean"
        raise ModelFileError(
            f"{where} needs a {needed} column, and column {brief(column.name)} is {column.kind}."
        )
    return index


def _read_columns(value: object, schema: Schema, where: str) -> tuple[int, ...]:
    columns = read_list(value, f"The columns of {_lower(where)}")
    return tuple(_read_column(column, schema, where, numeric=True) for column in columns)


def _read_levels(value: object, schema: Schema, column: int, where: str) -> tuple[int, ...]:
    n_levels = len(schema.columns[column].levels)
    place = f"A level of {_lower(where)}"
    return tuple(read_index(code, place, n_levels) for code in read_list(value, place))
