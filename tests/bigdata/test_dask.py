"""The workers of a Dask cluster read the partitions; what they lose is read again."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import subprocess
import sys
from functools import partial

import pytest
from partition_questions import CountRows, FailsFor, KillsOnce, ready
from sklearn.base import clone

from tests.bigdata.tables import assert_same
from treewright import (
    OptimalTreeClassifier,
    ReadableTreeClassifier,
    TreeClassifier,
    TreeRegressor,
    bigdata,
)
from treewright.bigdata.dask_engine import DaskEngine, open_engine
from treewright.bigdata.sources import open_source
from treewright.exceptions import DataError, EngineError, TableFileError

distributed = pytest.importorskip("distributed")

GIVEN = {"target": "repaid", "rows_per_partition": 20}

#: Estimators that ask other questions, and their targets.
ESTIMATORS = {
    "axis": (TreeClassifier(max_depth=4), "repaid"),
    "best first": (TreeClassifier(max_leaf_nodes=5), "repaid"),
    "must": (TreeClassifier(split="must(2)", max_depth=3), "repaid"),
    "f_test": (TreeClassifier(split="f_test", max_depth=3), "repaid"),
    "pruned": (TreeClassifier(prune="cost_complexity", max_depth=4, random_state=0), "repaid"),
    "numbers": (TreeRegressor(max_depth=3), "amount"),
    "optimal": (OptimalTreeClassifier(max_depth=2), "repaid"),
    "readable": (ReadableTreeClassifier(random_state=0), "repaid"),
}

INTERRUPTED = """
import sys
import time
from treewright import TreeClassifier, bigdata

def tell(number, done, total):
    if number > 1:
        print("pass", number, flush=True)
        time.sleep(0.5)

if __name__ == "__main__":
    given = {"rows_per_partition": 20, "rows_in_memory": 0, "progress": tell}
    bigdata.fit(TreeClassifier(max_depth=12), sys.argv[1], "repaid", client=2, **given)
"""

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def stored(folder):
    with open_source(folder, rows_per_partition=20) as table:
        yield table


def local_cluster():
    return distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
    )


@pytest.fixture
def cluster():
    with local_cluster() as cluster:
        yield cluster


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as client:
        yield client


def test_replies_are_merged_in_the_order_of_the_partitions(stored, client, table):
    told = []
    engine = ready(DaskEngine(client, stored.pieces, lambda *words: told.append(words)), stored)
    n_rows, parts = engine.ask(CountRows())
    assert n_rows == table.num_rows
    assert list(parts) == list(range(len(stored.pieces)))
    assert told[-1] == (2, len(parts), len(parts))
    assert client.futures == {}


def test_a_worker_that_dies_loses_nothing(stored, client, table, tmp_path):
    engine = ready(DaskEngine(client, stored.pieces, False), stored)
    assert engine.ask(KillsOnce(tmp_path / "mark")) == table.num_rows
    assert (tmp_path / "mark").exists()


@pytest.mark.parametrize("name", ESTIMATORS)
def test_workers_give_the_tree_of_one_process(client, folder, name):
    estimator, target = ESTIMATORS[name]
    given = {**GIVEN, "target": target, "drop": ["weight"]}
    alone = bigdata.fit(clone(estimator), folder, **given)
    together = bigdata.fit(clone(estimator), folder, client=client, **given)
    assert_same(together.tree_, alone.tree_)
    assert together.exactness_ == alone.exactness_


@pytest.mark.parametrize("name", ["axis", "must", "pruned"])
def test_a_worker_killed_in_any_pass_changes_nothing(folder, name):
    estimator, _ = ESTIMATORS[name]
    expected, passes = _fit_with_a_death(estimator, folder, None)
    assert len(passes) >= 4
    for number in passes:
        fitted, again = _fit_with_a_death(estimator, folder, number)
        assert number in again
        assert fitted.tree_ == expected.tree_, number
        assert fitted.exactness_ == expected.exactness_, number


def _fit_with_a_death(estimator, folder, fatal_pass):
    """Fit on two workers, of which one is killed in a pass; give the passes, too."""
    passes = []

    def tell(number, *_):
        if number not in passes:
            passes.append(number)
            if number == fatal_pass:
                os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    with local_cluster() as cluster, distributed.Client(cluster) as client:
        given = {**GIVEN, "rows_in_memory": 0, "client": client, "progress": tell}
        return bigdata.fit(clone(estimator), folder, **given), passes


def test_small_nodes_are_finished_on_workers(client, folder):
    estimator = TreeClassifier(max_depth=6)
    alone = bigdata.fit(clone(estimator), folder, **GIVEN, rows_in_memory=0)
    together = bigdata.fit(estimator, folder, client=client, **GIVEN, rows_in_memory=150)
    assert together.exactness_.finished_in_memory > 0
    assert together.tree_ == alone.tree_


def test_tasks_run_elsewhere_and_come_back_in_their_order(stored, client):
    engine = DaskEngine(client, stored.pieces, False)
    assert engine.each(partial(int, str(number)) for number in range(9)) == list(range(9))
    assert os.getpid() not in engine.each([os.getpid, os.getpid])
    with pytest.raises(EngineError, match="ValueError: invalid literal"):
        engine.each([partial(int, "seven")])
    assert client.futures == {}


def test_a_task_is_tried_three_times_more(stored, client, table, tmp_path):
    engine = ready(DaskEngine(client, stored.pieces, False), stored)
    (tmp_path / "few").mkdir()
    (tmp_path / "many").mkdir()
    assert engine.ask(FailsFor(tmp_path / "few", 3)) == table.num_rows
    with pytest.raises(EngineError, match=r"row group 1 of .*part-1\.parquet.*disk is asleep"):
        engine.ask(FailsFor(tmp_path / "many", 4))


def test_a_fault_of_the_data_is_said_as_without_a_cluster(stored, client, folder):
    engine = ready(DaskEngine(client, stored.pieces, False), stored)
    (folder / "part-2.parquet").unlink()
    with pytest.raises(TableFileError, match=r"part-2\.parquet' is not there any more"):
        engine.ask(CountRows())


def test_a_scheduler_that_is_gone_is_said_in_one_sentence(stored, cluster, client):
    engine = ready(DaskEngine(client, stored.pieces, False), stored)
    cluster.close()
    with pytest.raises(EngineError, match=r"^The scheduler of the cluster cannot be reached"):
        engine.ask(CountRows())


def test_an_own_cluster_leaves_no_process(folder):
    before = multiprocessing.active_children()
    given = {"target": "repaid", "rows_per_partition": 20, "rows_in_memory": 0}
    one = bigdata.fit(TreeClassifier(max_depth=3), folder, **given)
    two = bigdata.fit(TreeClassifier(max_depth=3), folder, client=2, **given)
    assert one.tree_ == two.tree_
    with pytest.raises(DataError):
        bigdata.fit(TreeClassifier(), folder, "amount", client=1)
    assert multiprocessing.active_children() == before


def test_an_interrupt_cancels_what_is_left(stored, client):
    engine = ready(DaskEngine(client, stored.pieces, False), stored)

    def interrupt(*_):
        raise KeyboardInterrupt

    engine._progress = interrupt
    with pytest.raises(KeyboardInterrupt):
        engine.ask(CountRows())
    assert client.futures == {}
    assert client.submit(int, "7").result() == 7


def test_ctrl_c_leaves_no_process(folder, tmp_path):
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    process = subprocess.Popen(
        [sys.executable, script, folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    with process:
        assert process.stdout.readline() == "pass 2\n"
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        assert process.wait(timeout=30) != 0
        assert _living(process.pid) == []


def _living(group):
    """Give the processes of a group that have not ended, though nobody may have heard of it yet."""
    words = ["ps", "-o", "stat=", "-o", "args=", "-g", str(group)]
    lines = subprocess.run(words, capture_output=True, text=True, check=False).stdout.splitlines()
    return [line for line in lines if not line.startswith("Z")]


def test_what_is_no_client_is_refused():
    with (
        pytest.raises(TypeError, match=r"must be a distributed\.Client"),
        open_engine("x", (), False),
    ):
        pass
    with pytest.raises(ValueError, match="at least 1"), open_engine(0, (), False):
        pass
