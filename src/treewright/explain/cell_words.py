"""Values of a row as a person says them: with the name of the column, its unit, its levels."""

from __future__ import annotations

import math

from treewright.explain.row import Row
from treewright.schema import Column, Level, Schema
from treewright.tree.tree_text import decimals_for
from treewright.words import flag_text, level_texts, name_text, number_text, visible

__all__ = ["cell_text", "cell_value", "change_words", "near_text", "value_words"]


def value_words(schema: Schema, row: Row, column: int) -> str:
    """Say what a row has in a column: "age is 42 years", "city is Oslo", "not smoker"."""
    name = name_text(schema.columns[column].name)
    if row.is_unseen(column):
        cell = row.cells[column]
        text = level_texts([cell], in_set=False)[0]
        return f"{name} is {text}, which the tree does not know"
    value = float(row.values[column])
    if schema.columns[column].kind == "boolean" and not math.isnan(value):
        return flag_text(schema.columns[column].name, bool(value))
    return f"{name} is {cell_text(schema.columns[column], value)}"


def change_words(column: Column, before: float, after: float) -> str:
    """Say that a column has another value.

    Examples
    --------
    >>> change_words(Column("age", "numeric", unit="years"), 42.0, 56.0)
    'age 56 years instead of 42 years'
    >>> change_words(Column("smoker", "boolean"), 1.0, 0.0)
    'not smoker instead of smoker'
    """
    if column.kind == "boolean":
        texts = [flag_text(column.name, bool(value)) for value in (after, before)]
        return " instead of ".join(texts)
    name = name_text(column.name)
    return f"{name} {cell_text(column, after)} instead of {cell_text(column, before)}"


def cell_text(column: Column, value: float) -> str:
    """Write a value of a column, given as a number or as the code of a level.

    Examples
    --------
    >>> cell_text(Column("age", "numeric", unit="years"), 42.0)
    '42 years'
    >>> cell_text(Column("city", "categorical", ("Oslo", "Rome")), 1.0)
    'Rome'
    """
    if math.isnan(value):
        return "missing"
    if column.kind == "numeric":
        return number_text(value) + unit_text(column)
    return level_texts([column.levels[int(value)]], column.levels, in_set=False)[0]


def cell_value(column: Column, value: float, *, whole: bool = False) -> Level:
    """Give a value of a column as a caller knows it: a number, or a level.

    Examples
    --------
    >>> cell_value(Column("age", "numeric"), 42.0, whole=True)
    42
    """
    if column.kind == "numeric":
        return int(value) if whole and value.is_integer() else value
    return column.levels[int(value)]


def near_text(number: float, change: float) -> str:
    """Write a computed number with as many digits as a change of it makes sensible.

    Examples
    --------
    >>> near_text(36.66666666666667, 6.66666666666667), near_text(0.30000000000000004, 0.1)
    ('36.67', '0.3')
    """
    decimals = decimals_for(abs(change), number)
    return number_text(round(number, decimals)) if decimals < 300 else number_text(number)


def unit_text(column: Column) -> str:
    """Write the unit of a column behind a blank; nothing if it has none."""
    return f" {visible(column.unit)}" if column.unit else ""
