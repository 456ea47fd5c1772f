"""What a table holds: names, kinds, levels and units of its columns, and the target.

In this order, each using only what stands before: ``plain`` (data frames as arrays), ``cells`` (one
column of any library), ``frames`` (a table of any library), ``columns`` (Column), ``encoding``
(cells in the terms of a known column), ``rows`` (new rows as an array), ``forms`` (numbers written
as text), ``schema`` (Schema), ``target`` (labels and numbers to predict), ``selection`` (rows that
count), ``looks`` (columns that only seem to say something).
"""

from treewright.schema.cells import Cells, Kind, Level, read_cells
from treewright.schema.columns import Column
from treewright.schema.forms import NumberForm
from treewright.schema.looks import (
    is_free_text,
    is_identifier,
    looks_like_dates,
    looks_like_numbers,
)
from treewright.schema.plain import plain_array
from treewright.schema.schema import Schema
from treewright.schema.selection import keep_rows, take_rows
from treewright.schema.target import (
    are_codes,
    encode_labels,
    encode_numbers,
    target_kind,
    target_name,
)

__all__ = [
    "Cells",
    "Column",
    "Kind",
    "Level",
    "NumberForm",
    "Schema",
    "are_codes",
    "encode_labels",
    "encode_numbers",
    "is_free_text",
    "is_identifier",
    "keep_rows",
    "looks_like_dates",
    "looks_like_numbers",
    "plain_array",
    "read_cells",
    "take_rows",
    "target_kind",
    "target_name",
]
