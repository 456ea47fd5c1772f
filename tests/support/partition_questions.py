"""Small questions to partitions, some of which fail, and engines that are ready for them."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treewright.bigdata.encoding import Encoder
from treewright.bigdata.parts import Rows
from treewright.bigdata.schemas import Survey, choose_roles, schema_of

__all__ = ["CountRows", "FailsFor", "Interrupted", "KillsOnce", "SumColumn", "ready"]


def ready(engine, stored):
    """Let the first pass settle what columns are."""
    roles = choose_roles(
        stored, "repaid", None, ["grade"], has_classes=True, estimator_name="a test"
    )
    found = engine.run(Survey.of(stored, roles))
    schema = schema_of(stored, roles, found)
    total = float(found.weight)
    engine.read_by(Encoder(schema, roles, None, total, total), found.n_rows)
    return engine


@dataclass(frozen=True)
class CountRows:
    """The number of rows, and the partitions in the order in which they were merged."""

    columns: tuple[int, ...] = ()

    def answer(self, rows: Rows) -> tuple[int, tuple[int, ...]]:
        return len(rows.target), (rows.part,)

    def merge(self, first: Any, second: Any) -> Any:
        return first[0] + second[0], first[1] + second[1]


@dataclass(frozen=True)
class SumColumn:
    """The sum of one column."""

    columns: tuple[int, ...]

    def answer(self, rows: Rows) -> float:
        return float(np.nansum(rows.values))

    def merge(self, first: float, second: float) -> float:
        return first + second


@dataclass(frozen=True)
class Interrupted:
    columns: tuple[int, ...] = ()

    def answer(self, rows):
        if rows.part == 3:
            raise KeyboardInterrupt
        return 1

    def merge(self, first, second):
        return first + second


@dataclass(frozen=True)
class KillsOnce:
    """Ends its worker at one partition, the first time."""

    mark: Path
    columns: tuple[int, ...] = ()

    def answer(self, rows):
        if rows.part == 7 and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return len(rows.target)

    def merge(self, first, second):
        return first + second


@dataclass(frozen=True)
class FailsFor:
    """Fails some times at one partition."""

    folder: Path
    times: int
    columns: tuple[int, ...] = ()

    def answer(self, rows):
        if rows.part == 7 and (n_before := len(list(self.folder.iterdir()))) < self.times:
            (self.folder / str(n_before)).touch()
            raise RuntimeError("the disk is asleep")
        return len(rows.target)

    def merge(self, first, second):
        return first + second
