"""Growth over partitions by gathering all rows, to look at what engines hand over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from treewright.bigdata.parts import Engine, Rows
from treewright.estimators.options import GrowthOptions
from treewright.estimators.targets import ClassTarget, NumberTarget
from treewright.estimators.training import TrainingRows
from treewright.estimators.tree_growth import Run, grow_tree
from treewright.schema import Schema

__all__ = ["Gather", "check_supported", "grow"]


@dataclass(frozen=True)
class Gather:
    """All rows, in the order of the partitions."""

    columns: tuple[int, ...]

    def answer(self, rows: Rows) -> Rows:
        assert rows.columns == self.columns
        assert rows.values.flags.f_contiguous
        weights = np.ones(len(rows.target)) if rows.weights is None else rows.weights
        return replace(rows, weights=weights)

    def merge(self, first: Rows, second: Rows) -> Rows:
        assert first.part < second.part
        return Rows(
            second.part,
            np.asfortranarray(np.concatenate([first.values, second.values])),
            self.columns,
            np.concatenate([first.target, second.target]),
            np.concatenate([first.weights, second.weights]),
        )


def check_supported(options: GrowthOptions, schema: Schema, weighting: Any = None) -> None:
    """Offer everything."""


def grow(
    engine: Engine,
    schema: Schema,
    target_kind: str,
    options: GrowthOptions,
    *,
    weighting: Any = None,
    report: Any = None,
    time_limit: float | None = None,
) -> tuple[Any, Any]:
    """Stand in for growth over partitions."""
    rows = engine.ask(Gather(tuple(range(schema.n_columns))))
    assert engine.n_rows == len(rows.target)
    target: Any
    if target_kind == "classification":
        target = ClassTarget(rows.target, len(schema.classes or ()), rows.weights, rows.weights)
    else:
        target = NumberTarget(rows.target, rows.weights)
    training = TrainingRows(schema, rows.values, rows.target, rows.weights, len(rows.target))
    grown = grow_tree(training, target, options, None, Run(None, time_limit, None, None))
    return grown.tree, SimpleNamespace(out_of_time=grown.out_of_time, is_proven=True, gaps=())
