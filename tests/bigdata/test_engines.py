"""Engines ask every partition once a pass, and merge in the order of the partitions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from partition_questions import CountRows, Interrupted, SumColumn, ready

from treewright.bigdata.engines import StreamingEngine, merged
from treewright.bigdata.sources import open_source
from treewright.exceptions import DataError, TableFileError


@pytest.fixture
def stored(folder):
    with open_source(folder, rows_per_partition=30) as table:
        yield table


def test_all_partitions_are_asked_in_their_order(stored, table):
    told = []
    engine = ready(StreamingEngine(stored.pieces, lambda *words: told.append(words)), stored)
    n_rows, parts = engine.ask(CountRows())
    assert n_rows == engine.n_rows == table.num_rows
    assert list(parts) == list(range(len(stored.pieces)))
    assert engine.ask(SumColumn((2,))) == sum(table["children"].to_pylist())
    assert engine.n_passes == 3
    assert told[-len(parts) :] == [(3, place + 1, len(parts)) for place in range(len(parts))]


def test_an_interrupt_ends_a_pass(stored):
    engine = ready(StreamingEngine(stored.pieces, False), stored)
    with pytest.raises(KeyboardInterrupt):
        engine.ask(Interrupted())
    assert engine.ask(CountRows())[0] == engine.n_rows


def test_a_partition_that_vanishes_between_passes_is_named(stored, folder):
    engine = ready(StreamingEngine(stored.pieces, False), stored)
    (folder / "part-2.parquet").unlink()
    with pytest.raises(TableFileError, match=r"part-2\.parquet' is not there any more"):
        engine.ask(CountRows())


def test_no_row_at_all_is_said(stored):
    with pytest.raises(DataError, match="no rows"):
        StreamingEngine((), False).run(None)


class Joining:
    """Joins rows of numbers, and counts how many it copies."""

    copied = 0

    def merge(self, first, second):
        self.copied += len(first) + len(second)
        return np.concatenate([first, second])


@dataclass(frozen=True)
class Held:
    numbers: np.ndarray


class JoiningHeld(Joining):
    """Joins replies whose numbers are in fields, as those of a sample are."""

    def merge(self, first, second):
        return Held(super().merge(first.numbers, second.numbers))


def test_numbers_in_fields_are_seldom_copied():
    joining = JoiningHeld()
    found = merged(joining, (Held(np.full(3, number)) for number in range(500))).numbers
    np.testing.assert_array_equal(found, np.repeat(np.arange(500), 3))
    assert joining.copied <= 3 * len(found) * np.log2(500)


@dataclass(frozen=True)
class AddUp(CountRows):
    """Counts rows in sums, which must begin anew in every pass."""

    def sums(self):
        return Adding()

    def merge(self, first, second):
        raise AssertionError("nothing is to be merged")


class Adding:
    def __init__(self):
        self.n_rows, self.parts = 0, ()

    def add(self, rows):
        self.n_rows, self.parts = self.n_rows + len(rows.target), (*self.parts, rows.part)

    def reply(self):
        return (self.n_rows, self.parts) if self.parts else None


def test_sums_are_added_to_partition_by_partition(stored, table):
    told = []
    engine = ready(StreamingEngine(stored.pieces, lambda *words: told.append(words)), stored)
    for number in (2, 3):
        n_rows, parts = engine.ask(AddUp())
        assert (n_rows, parts) == (table.num_rows, tuple(range(len(stored.pieces))))
        shown = [(number, place + 1, len(parts)) for place in range(len(parts))]
        assert told[-len(parts) :] == shown


@pytest.mark.parametrize("n_replies", [0, 1, 2, 3, 7, 64, 1000])
def test_replies_that_grow_are_joined_in_their_order_and_seldom_copied(n_replies):
    replies = [np.full(1 + number % 3, number) for number in range(n_replies)]
    joining = Joining()
    found = merged(joining, iter(replies))
    if not n_replies:
        assert found is None
        return
    np.testing.assert_array_equal(found, np.concatenate(replies))
    assert joining.copied <= 3 * len(found) * (1 + np.log2(n_replies))
