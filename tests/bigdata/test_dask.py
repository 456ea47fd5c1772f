"""The workers of a Dask cluster read the partitions; what they lose is read again."""

from __future__ import annotations

import logging
import multiprocessing

import pytest
from partition_questions import CountRows, FailsFor, KillsOnce, ready

from treewright import TreeClassifier, bigdata
from treewright.bigdata.dask_engine import DaskEngine, open_engine
from treewright.bigdata.sources import open_source
from treewright.exceptions import DataError, EngineError, TableFileError

distributed = pytest.importorskip("distributed")

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def stored(folder):
    with open_source(folder, rows_per_partition=20) as table:
        yield table


@pytest.fixture
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
    ) as cluster:
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


def test_what_is_no_client_is_refused():
    with (
        pytest.raises(TypeError, match=r"must be a distributed\.Client"),
        open_engine("x", (), False),
    ):
        pass
    with pytest.raises(ValueError, match="at least 1"), open_engine(0, (), False):
        pass
