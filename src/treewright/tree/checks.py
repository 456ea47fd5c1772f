"""Whether a compiled tree and a schema belong together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import numpy as np

from treewright import _core
from treewright.exceptions import SchemaError, brief
from treewright.predicates import Axis, Linear, Machine, Multiway, Predicate, Subset, parts_of
from treewright.schema import Schema

__all__ = ["check_columns", "check_fit"]


def check_fit(core: _core.Tree, schema: Schema) -> None:
    """Raise unless tree and schema speak of the same columns and classes."""
    if not np.array_equal(core.n_levels, schema.n_levels):
        raise SchemaError("The columns of the schema are not those the tree was made for.")
    if core.is_classification != (schema.classes is not None):
        raise SchemaError("A tree has classes in its schema exactly when it predicts classes.")
    if schema.classes is not None and len(schema.classes) != core.n_outputs:
        raise SchemaError(
            f"The schema has {len(schema.classes)} classes, but the tree has {core.n_outputs}."
        )


def check_columns(predicate: Predicate, schema: Schema, node: int) -> None:
    """Raise if a split compares the levels of a categorical column as numbers."""
    for part in parts_of(predicate):
        match part:
            case Subset() | Multiway():
                pass
            case Linear():
                numeric = [column for column, _, level in part.terms if level is None]
                _check_compared(numeric, schema, node)
            case Axis() | Machine():
                _check_compared(part.columns, schema, node)
            case _:
                assert_never(part)


def _check_compared(columns: Sequence[int], schema: Schema, node: int) -> None:
    for column in columns:
        if schema.columns[column].kind not in ("numeric", "ordinal"):
            raise SchemaError(
                f"Node {node}: a comparison needs a numeric or ordinal column, and column "
                f"{brief(schema.columns[column].name)} is {schema.columns[column].kind}."
            )
