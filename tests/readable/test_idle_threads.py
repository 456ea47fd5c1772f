"""Threads that have nothing left to do help those that have."""

from __future__ import annotations

import threading
import time

import pytest
from sklearn.datasets import make_classification

from treewright import ReadableTreeClassifier
from treewright.base.workers import Workers, idle_threads


def test_a_thread_without_work_is_counted():
    seen: list[int] = []
    begun = threading.Event()

    def work(number: int, report: object) -> None:
        if number == 0:
            assert begun.wait(10.0)
            return
        begun.set()
        seen.append(idle_threads())
        end = time.monotonic() + 10.0
        while idle_threads() == 0 and time.monotonic() < end:
            time.sleep(0.001)
        seen.append(idle_threads())

    assert idle_threads() == 0
    Workers(2).run(work, 2)
    assert seen == [0, 1]
    assert idle_threads() == 0


def test_one_thread_is_never_idle():
    assert Workers(1).run(lambda number, report: idle_threads(), 3) == [0, 0, 0]


@pytest.mark.parametrize(
    "n_jobs", [2, *(pytest.param(n_jobs, marks=pytest.mark.long) for n_jobs in (3, 5))]
)
def test_help_changes_no_tree(n_jobs):
    X, y = make_classification(400, 8, n_informative=5, random_state=3)
    alone = ReadableTreeClassifier().fit(X, y)
    helped = ReadableTreeClassifier(n_jobs=n_jobs).fit(X, y)
    assert helped.tree_ == alone.tree_
    assert [one.leaves for one in helped.front_] == [one.leaves for one in alone.front_]
