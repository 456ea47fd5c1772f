"""Fitting a tree to a table beyond memory: from a source to a fitted estimator."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from sklearn.base import is_classifier

from treewright.base.parameters import check_arguments, count, integer, none, number, one_of
from treewright.bigdata.dask_engine import open_engine
from treewright.bigdata.encoding import Encoder
from treewright.bigdata.engines import READING, Listener
from treewright.bigdata.finding import find
from treewright.bigdata.handover import VALUES_IN_MEMORY
from treewright.bigdata.keeping import SCRATCH_BYTES, open_scratch
from treewright.bigdata.pruning import check_pruner, grow_and_prune
from treewright.bigdata.sampling import SAMPLE_ROWS
from treewright.bigdata.schemas import Found, Roles, Survey, choose_roles, schema_of
from treewright.bigdata.sources import ROWS_PER_PARTITION, open_source
from treewright.bigdata.supported import check_supported
from treewright.estimators import (
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    TreeClassifier,
    TreeRegressor,
)
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.fitting import all_or_nothing
from treewright.estimators.options import GrowthOptions
from treewright.estimators.targets import NumberTarget
from treewright.estimators.tree_growth import GrownTree
from treewright.estimators.weights import check_total
from treewright.exceptions import UnsupportedError
from treewright.prune import as_pruner
from treewright.readable import ReadableTreeClassifier, ReadableTreeRegressor
from treewright.schema import Column, Schema

__all__ = ["fit"]

_GROWN = (TreeClassifier, TreeRegressor)
_SEARCHED = (
    ReadableTreeClassifier,
    ReadableTreeRegressor,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
)
Model = TypeVar("Model")


def fit(
    estimator: Model,
    source: Any,
    target: str,
    *,
    weight: str | None = None,
    drop: Sequence[str] = (),
    client: Any = None,
    progress: bool | Listener = True,
    time_limit: float | None = None,
    rows_per_partition: int = ROWS_PER_PARTITION,
    rows_sampled: int | None = None,
    rows_in_memory: int | None = None,
    scratch_folder: str | os.PathLike[str] | None = None,
    scratch_bytes: int | None = None,
) -> Model:
    """Fit a tree to a table that need not fit into memory.

    A tree that is grown is the one that ``estimator.fit`` would grow on the same rows in memory. A
    readable or an optimal tree is searched for on a sample of the rows; its thresholds, counts and
    predictions are then those of all rows.

    Parameters
    ----------
    estimator : TreeClassifier, ReadableTreeClassifier, OptimalTreeClassifier, or a regressor
        With its parameters. What cannot be grown over partitions is refused before any reading.
    source : path, list of paths, or lazy table
        A Parquet file; a folder, a glob or a list of such files, which may be partitioned by
        folders like ``year=2020``; a pyarrow.dataset.Dataset; or a dask.dataframe, a polars
        LazyFrame or a DuckDB relation, which are computed once and written to a temporary folder.
    target : str
        The column to predict.
    weight : str or None, default None
        A column with the weight of each row; rows of weight 0 are as if absent.
    drop : sequence of str, default ()
        Columns not to use.
    client : distributed.Client, int or None, default None
        Who reads: None for this process, one partition after the other; the client of a Dask
        cluster whose workers see the files by the same paths; or a number of processes on this
        machine, which are started here and ended again. The tree is the same.
    progress : bool or callable, default True
        True shows a bar on a terminal or in a notebook when a pass takes more than a second. A
        callable is told the number of the pass, the partitions done in it, and how many there are.
    time_limit : float or None, default None
        Seconds after which growth ends, at the end of a level, with the tree it has; None for the
        estimator's own limit, which is the only one of searches.
    rows_per_partition : int, default 65,536
        The most rows that are in memory at a time, of each process. Lower it for tables with
        hundreds of columns.
    rows_sampled : int or None, default None
        Rows on which a readable or optimal tree is searched for, in memory; None for 100,000. Not
        for trees that are grown, which see all rows.
    rows_in_memory : int or None, default None
        Nodes with at most so many rows are finished in memory where that spares passes; so many
        rows are fetched at a time, for all trees together where several are grown. The tree is the
        same, and deep trees take far fewer passes. None: as many as make 4 million values, 200,000
        rows of 20 columns, and `rows_per_partition` at least. 0 for none.
    scratch_folder : path or None, default None
        Where a temporary folder may be made for sources that are no Parquet files, and the
        temporary file of `scratch_bytes`; None for the system's. With a cluster, a folder that all
        workers see.
    scratch_bytes : int or None, default None
        Bytes of a temporary file in which this process keeps rows as plain numbers while a tree is
        grown, so that Parquet is unpacked once and not in every pass; of 20 columns as 32-bit
        numbers 84 bytes per row. It takes as many partitions as there is room for, half of what is
        free in the folder at most, and none where the folder itself is in memory. None: 4 GiB. 0
        for no such file, as with a cluster. The tree is the same.

    Returns
    -------
    estimator
        The estimator, fitted; its ``exactness_`` says of each node whether its split is proven to
        be the one of a fit in memory, or how large the sample was and how good the tree is on all
        other rows. An estimator stays as it was when the fit fails.

    Raises
    ------
    DataError
        If the source cannot be read or learned from; the message names file, row group and column.
    UnsupportedError
        If a parameter of the estimator is not offered for partitions.
    EngineError
        If the cluster is lost.

    See Also
    --------
    predict : Predictions for a table of any size.
    sample : Some of its rows, for estimators that need all of theirs in memory.
    """
    if not isinstance(estimator, _GROWN + _SEARCHED):
        names = ", ".join(one.__name__ for one in _GROWN + _SEARCHED)
        raise UnsupportedError(
            f"bigdata.fit takes one of {names}. Got a {type(estimator).__name__}; fit that on "
            "bigdata.sample(source), in memory."
        )
    values = {
        "rows_per_partition": rows_per_partition,
        "rows_sampled": rows_sampled,
        "progress": progress,
        "time_limit": time_limit,
        "rows_in_memory": rows_in_memory,
        "scratch_bytes": scratch_bytes,
    }
    checks = {
        **READING,
        "time_limit": one_of(none(), number(0, above=True)),
        "rows_in_memory": one_of(none(), count(0)),
        "rows_sampled": one_of(none(), count(1)),
        "scratch_bytes": one_of(none(), integer(0)),
    }
    check_arguments("bigdata.fit", values, checks)
    _fit(
        estimator,
        source,
        target,
        weight,
        tuple(drop),
        client,
        progress,
        time_limit,
        rows_per_partition,
        rows_sampled,
        rows_in_memory,
        scratch_folder,
        scratch_bytes,
    )
    return estimator


@all_or_nothing
def _fit(
    estimator: Any,
    source: Any,
    target: str,
    weight: str | None,
    drop: tuple[str, ...],
    client: Any,
    progress: bool | Listener,
    time_limit: float | None,
    rows_per_partition: int,
    rows_sampled: int | None,
    rows_in_memory: int | None,
    scratch_folder: str | os.PathLike[str] | None,
    scratch_bytes: int | None,
) -> Any:
    estimator._check_parameters()
    _check_goal(estimator)
    is_searched = isinstance(estimator, _SEARCHED)
    if is_searched:
        _check_search(estimator, time_limit, rows_in_memory)
    else:
        _check_growth(estimator, rows_sampled)
        check_pruner(as_pruner(estimator.prune))
    n_bytes = _bytes_kept(estimator, client, scratch_bytes)
    has_classes = is_classifier(estimator)
    with open_source(
        source, rows_per_partition=rows_per_partition, scratch_folder=scratch_folder
    ) as table:
        roles = choose_roles(
            table,
            target,
            weight,
            drop,
            has_classes=has_classes,
            estimator_name=type(estimator).__name__,
        )
        if not is_searched:
            _check_offered(estimator, GrowthOptions.of(estimator), roles)
        hand_over = rows_in_memory
        if hand_over is None:
            hand_over = max(rows_per_partition, VALUES_IN_MEMORY // len(roles.columns))
        with (
            open_engine(client, table.pieces, progress) as engine,
            contextlib.ExitStack() as stack,
        ):
            if n_bytes:
                engine.keep(stack.enter_context(open_scratch(scratch_folder, n_bytes)))
            found = engine.run(Survey.of(table, roles))
            schema = schema_of(table, roles, found)
            estimator._take_schema(schema)
            weighting = ClassWeighting.of(estimator, schema.classes or ()) if has_classes else None
            encoder = _encoder(weighting, schema, roles, found)
            if is_searched:
                total = float(found.weight)
                plain = Encoder(schema, roles, None, total, total)
                cost = None if weighting is None else weighting.cost
                n_sampled = SAMPLE_ROWS if rows_sampled is None else rows_sampled
                estimator.exactness_ = find(
                    estimator, engine, schema, found.n_rows, (plain, encoder), cost, n_sampled
                )
                return estimator
            if weighting is not None:
                estimator._weighting = weighting
            limit = estimator.time_limit if time_limit is None else time_limit
            engine.read_by(encoder, found.n_rows)
            tree, path, exactness = grow_and_prune(
                engine,
                schema,
                "classification" if has_classes else "regression",
                GrowthOptions.of(estimator),
                as_pruner(estimator.prune),
                estimator.random_state,
                weighting=weighting,
                time_limit=limit,
                hand_over=hand_over,
            )
    estimator._take(GrownTree(tree, path, exactness.out_of_time), limit)
    estimator.exactness_ = exactness
    return estimator


def _check_goal(estimator: Any) -> None:
    """Refuse what is minded on rows in memory only."""
    name, refused = type(estimator).__name__, ""
    if getattr(estimator, "abstain_cost", None) is not None:
        refused = f"'abstain_cost' parameter of {name} must be None"
    elif hasattr(estimator, "_objective") and not estimator._objective().is_usual:
        refused = f"'objective' parameter of {name} must be the default"
    elif (
        isinstance(estimator, ReadableTreeClassifier | ReadableTreeRegressor)
        and estimator.monotonic_cst is not None
    ):
        refused = f"'monotonic_cst' parameter of {name} must be None"
    if refused:
        raise UnsupportedError(
            f"The {refused} to fit a table beyond memory; fit on bigdata.sample(source), in memory."
        )


def _check_growth(estimator: Any, rows_sampled: int | None) -> None:
    if rows_sampled is not None:
        raise UnsupportedError(
            f"'rows_sampled' of bigdata.fit is for trees that are searched for, and a "
            f"{type(estimator).__name__} is grown on all rows; leave it out."
        )


def _check_search(estimator: Any, time_limit: float | None, rows_in_memory: int | None) -> None:
    name = type(estimator).__name__
    if rows_in_memory is not None:
        raise UnsupportedError(
            f"'rows_in_memory' of bigdata.fit is for trees that are grown, and a {name} is "
            "searched for on a sample; set 'rows_sampled'."
        )
    if time_limit is not None:
        raise UnsupportedError(
            f"'time_limit' of bigdata.fit ends growth, and a {name} is searched for; set it there: "
            f"{name}(time_limit={time_limit:g})."
        )
    if not isinstance(getattr(estimator, "teacher", None), str | None):
        raise UnsupportedError(
            f"The 'teacher' parameter of {name} must be 'auto' or None to fit a table beyond "
            "memory, as its rows are drawn here; fit on bigdata.sample(source), in memory."
        )


def _bytes_kept(estimator: Any, client: Any, scratch_bytes: int | None) -> int:
    """Return how much may be kept of what is read: by this process, of rows read many times."""
    refused = ""
    if isinstance(estimator, _SEARCHED):
        refused = f"trees that are grown, and a {type(estimator).__name__} is searched for"
    elif client is not None:
        refused = "reading in this process, and a cluster reads here"
    if not refused:
        return SCRATCH_BYTES if scratch_bytes is None else scratch_bytes
    if scratch_bytes:
        raise UnsupportedError(f"'scratch_bytes' of bigdata.fit is for {refused}; leave it out.")
    return 0


def _check_offered(estimator: Any, options: GrowthOptions, roles: Roles) -> None:
    """Refuse what growth over partitions cannot do, as far as names of columns tell."""
    costs = getattr(estimator, "cost_matrix", None)
    weighting = None
    if costs is not None and getattr(costs, "in_split", "priors") == "priors":
        weighting = ClassWeighting((), cost=np.empty((0, 0)))  # the classes are not known yet
    check_supported(
        options, Schema(tuple(Column(name, "numeric") for name in roles.columns)), weighting
    )


def _encoder(
    weighting: ClassWeighting | None, schema: Schema, roles: Roles, found: Found
) -> Encoder:
    """Weigh the classes, and say how rows are read from now on."""
    total = float(found.weight)
    check_total(np.array([total]), "the weights")
    if weighting is None:
        NumberTarget(np.array([found.least, found.most]), np.array([total])).check_size()
        return Encoder(schema, roles, None, total, total)
    labels = schema.classes or ()
    totals = np.array([float(found.totals[label]) for label in labels])
    factors = weighting.factors(totals)
    check_total(totals * factors, "'class_weight'")
    changes = bool((factors != 1.0).any())
    return Encoder(
        schema,
        roles,
        tuple(factors.tolist()) if changes else None,
        float((totals * factors).sum()),  # both as ClassWeighting.target has them
        float(totals.sum()),
    )
