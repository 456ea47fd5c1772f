"""What a table holds: names, kinds, levels and units of its columns, and the target.

In this order, each using only what stands before: ``cells`` (one column of any library), ``frames``
(a table of any library), ``encoding`` (cells in the terms of a known column), ``columns`` (Column),
``schema`` (Schema), ``target`` (labels and numbers to predict), ``selection`` (rows that count).
"""

from treewright.schema.cells import Kind, Level
from treewright.schema.columns import Column
from treewright.schema.schema import Schema
from treewright.schema.selection import keep_rows
from treewright.schema.target import (
    are_codes,
    encode_labels,
    encode_numbers,
    target_kind,
    target_name,
)

__all__ = [
    "Column",
    "Kind",
    "Level",
    "Schema",
    "are_codes",
    "encode_labels",
    "encode_numbers",
    "keep_rows",
    "target_kind",
    "target_name",
]
