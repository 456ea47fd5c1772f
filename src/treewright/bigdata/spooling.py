"""Tables that cannot be read twice, written once as Parquet that can.

A dask.dataframe, a polars LazyFrame, a DuckDB relation or a filtered dataset is computed again at
every reading. It is computed once here, batch by batch, and written to a temporary folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from treewright.exceptions import DataError, DataTypeError, brief
from treewright.schema.frames import lazy_kind

__all__ = ["batches_of", "spool"]


def batches_of(source: Any, n_rows: int) -> Iterator[Any]:
    """Compute a lazy table batch by batch.

    Parameters
    ----------
    source : dask.dataframe, polars.LazyFrame, DuckDB relation, pyarrow dataset or batch reader
        The table.
    n_rows : int
        Rows of a batch, roughly; a partition of Dask is one whatever its size.

    Returns
    -------
    iterator of pyarrow.Table
        The rows in their order.

    Raises
    ------
    DataTypeError
        If it is nothing of these.
    """
    match lazy_kind(source):
        case "dask":
            return _of_dask(source)
        case "polars":
            return _of_polars(source, n_rows)
        case "duckdb":
            return _of_reader(_duckdb_reader(source, n_rows))
        case "dataset":
            return _of_reader(source.scanner(batch_size=n_rows, batch_readahead=1).to_reader())
        case "reader":
            return _of_reader(source)
        case _:
            raise DataTypeError(
                "A source must be a Parquet file, a folder or glob of such files, a "
                "pyarrow.dataset.Dataset, a dask.dataframe, a polars LazyFrame or a DuckDB "
                f"relation. Got {_type_name(source)}; a table in memory goes to fit(X, y)."
            )


def spool(batches: Iterator[Any], folder: str, n_rows: int) -> str:
    """Write batches as one Parquet file.

    Parameters
    ----------
    batches : iterator of pyarrow.Table
        The rows.
    folder : str
        Where to write.
    n_rows : int
        Rows of a row group.

    Returns
    -------
    str
        Path of the file.

    Raises
    ------
    DataError
        If there is no batch, or one has other columns than those before.
    """
    import pyarrow
    from pyarrow import parquet

    path = os.path.join(folder, "table.parquet")
    first = next(batches, None)
    if first is None:
        raise DataError("The source has no rows.")
    waiting, n_waiting = [first], first.num_rows
    with parquet.ParquetWriter(path, first.schema) as writer:
        for batch in batches:
            if n_waiting + batch.num_rows > n_rows:
                writer.write_table(pyarrow.concat_tables(waiting), row_group_size=n_rows)
                waiting, n_waiting = [], 0
            waiting.append(_as_first(batch, first.schema))
            n_waiting += batch.num_rows
        writer.write_table(pyarrow.concat_tables(waiting), row_group_size=n_rows)
    return path


def _as_first(batch: Any, schema: Any) -> Any:
    if batch.schema.equals(schema):
        return batch
    if set(batch.schema.names) != set(schema.names):
        raise DataError(
            "The partitions of the source have different columns: "
            f"{brief(sorted(set(batch.schema.names) ^ set(schema.names)))}."
        )
    import pyarrow

    columns = []
    for wanted in schema:
        column = batch.column(wanted.name)
        try:
            columns.append(column if column.type == wanted.type else column.cast(wanted.type))
        except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError):
            raise DataError(
                f"Column {brief(wanted.name)} is {wanted.type} in one partition of the source and "
                f"{column.type} in another; give it one type."
            ) from None
    return pyarrow.table(columns, schema=schema)


def _of_dask(frame: Any) -> Iterator[Any]:
    import pyarrow

    for place in range(frame.npartitions):
        part = frame.partitions[place].compute()
        table = pyarrow.Table.from_pandas(part, preserve_index=False)
        yield _plain_dictionaries(table, keep_order=True)


def _of_polars(frame: Any, n_rows: int) -> Iterator[Any]:
    import polars

    # The order of a Categorical depends on what else the program has read: take it as text.
    texts = [name for name, kind in frame.collect_schema().items() if kind == polars.Categorical]
    frame = frame.with_columns(polars.col(texts).cast(polars.String)) if texts else frame
    if hasattr(frame, "collect_batches"):
        for batch in frame.collect_batches(chunk_size=n_rows, maintain_order=True):
            yield _plain_dictionaries(batch.to_arrow(), keep_order=False)
        return
    start = 0
    while (batch := frame.slice(start, n_rows).collect()).height:
        yield _plain_dictionaries(batch.to_arrow(), keep_order=False)
        start += n_rows


def _duckdb_reader(relation: Any, n_rows: int) -> Any:
    for name in ("to_arrow_reader", "fetch_arrow_reader", "fetch_record_batch"):
        if hasattr(relation, name):
            return getattr(relation, name)(n_rows)
    raise DataTypeError("This release of DuckDB gives no Arrow batches; install duckdb>=1.1.")


def _of_reader(reader: Any) -> Iterator[Any]:
    import pyarrow

    for batch in reader:
        yield pyarrow.Table.from_batches([batch], reader.schema)


def _plain_dictionaries(table: Any, *, keep_order: bool) -> Any:
    """Give categories one type of codes, which pandas and polars choose by their number.

    Without `keep_order` they are unordered, as an Enum of polars is in memory.
    """
    import pyarrow

    for place, column in enumerate(table.schema):
        kind = column.type
        if pyarrow.types.is_dictionary(kind):
            ordered = bool(kind.ordered) and keep_order
            wanted = pyarrow.dictionary(pyarrow.int32(), kind.value_type, ordered)
            chunks = [
                pyarrow.DictionaryArray.from_arrays(
                    one.indices.cast(pyarrow.int32()), one.dictionary, ordered=ordered
                )
                for one in table.column(place).chunks
            ]
            renewed = pyarrow.chunked_array(chunks, type=wanted)
            table = table.set_column(place, pyarrow.field(column.name, wanted), renewed)
    return table


def _type_name(source: Any) -> str:
    return f"an object of type {type(source).__name__}"
