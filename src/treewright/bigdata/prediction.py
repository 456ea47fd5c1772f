"""Predictions for a table of any size, written partition by partition."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any

from sklearn.utils.validation import check_is_fitted

from treewright.base.parameters import check_arguments
from treewright.bigdata.engines import READING, Listener, StreamingEngine
from treewright.bigdata.partitions import Piece, read_pieces
from treewright.bigdata.schemas import in_piece
from treewright.bigdata.sources import ROWS_PER_PARTITION, StoredTable, open_source
from treewright.exceptions import DataError, UnseenLevelWarning, WriteError, brief, brief_path
from treewright.files import atomic_write
from treewright.files.outputs import check_output
from treewright.schema import Level

__all__ = ["predict"]


def predict(
    model: Any,
    source: Any,
    destination: str | os.PathLike[str],
    *,
    columns: Sequence[str] = (),
    probabilities: bool = False,
    progress: bool | Listener = True,
    rows_per_partition: int = ROWS_PER_PARTITION,
    scratch_folder: str | os.PathLike[str] | None = None,
) -> int:
    """Predict every row of a table, and write the predictions to a Parquet file.

    Parameters
    ----------
    model : estimator
        Any fitted estimator of treewright.
    source : path, list of paths, or lazy table
        As :func:`fit` takes it; it needs the columns that the model reads only.
    destination : path
        A name that ends in ``.parquet``. The file appears whole or not at all, with a row group for
        each partition.
    columns : sequence of str, default ()
        Columns of the source to copy, such as one that identifies rows.
    probabilities : bool, default False
        Whether to add a column with the probability of each class.
    progress : bool or callable, default True
        As in :func:`fit`.
    rows_per_partition : int, default 65,536
        The most rows that are in memory at a time.
    scratch_folder : path or None, default None
        As in :func:`fit`.

    Returns
    -------
    int
        How many rows were predicted.

    Raises
    ------
    DataError
        If the source cannot be read; the message names file, row group and column.
    WriteError
        If the file cannot be written.

    See Also
    --------
    fit : Fits a tree to a table of any size.
    """
    check_is_fitted(model)
    values = {"rows_per_partition": rows_per_partition, "progress": progress}
    check_arguments("bigdata.predict", values, READING)
    path = os.fspath(destination)
    check_output(path, [os.fspath(source)] if _is_path(source) else [], [".parquet"])
    with open_source(
        source, rows_per_partition=rows_per_partition, scratch_folder=scratch_folder
    ) as table:
        inputs = {os.path.realpath(piece.file.path) for piece in table.pieces}
        if os.path.realpath(path) in inputs:
            raise WriteError(
                f"The output {brief_path(path)} is also an input; give it another name."
            )
        writing = _Predicting(model, table, tuple(columns), probabilities)
        engine = StreamingEngine(table.pieces, progress)
        from pyarrow import parquet

        with (
            atomic_write(path, binary=True) as file,
            parquet.ParquetWriter(file, writing.schema) as writing.writer,
        ):
            n_rows: int = engine.run(writing)
    writing.warn()
    return n_rows


def _is_path(source: Any) -> bool:
    return isinstance(source, str | os.PathLike)


class _Predicting:
    """The pass that predicts; its reply is the number of rows that were written."""

    writer: Any

    def __init__(
        self, model: Any, table: StoredTable, copied: tuple[str, ...], probabilities: bool
    ) -> None:
        import pyarrow

        classes = model.schema_.classes
        if probabilities and classes is None:
            raise DataError("This is a regression tree, which has no class probabilities.")
        self.model, self.copied, self.probabilities = model, copied, probabilities
        self.unseen: str | None = None
        given, schema = table.schema.names, model.schema_
        for name in copied:
            if name not in given:
                raise DataError(f"The source has no column {brief(name)}.")
        # Columns without names are found by their positions: all of them are read.
        read = [schema.names[place] for place in model._columns_read()] if schema.named else given
        self.read = [name for name in given if name in {*read, *copied}] or given[:1]
        fields = [(name, table.schema.field(name).type) for name in copied]
        fields.append(("prediction", _arrow_type(classes)))
        if probabilities:
            fields += [(f"probability_{label}", pyarrow.float64()) for label in classes]
        names = [name for name, _ in fields]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise DataError(f"The column {brief(twice)} is part of the output; do not copy it.")
        self.schema = pyarrow.schema(fields)

    def replies(self, run: Sequence[Piece]) -> Any:
        for piece, rows in read_pieces(run, self.read):
            with in_piece(piece):
                self.writer.write_table(self._predictions(piece, rows), rows.num_rows)
            yield rows.num_rows

    def _predictions(self, piece: Piece, rows: Any) -> Any:
        import pyarrow

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UnseenLevelWarning)
            found = [self.model.predict(rows)]
        if caught and self.unseen is None:
            self.unseen = f"In {piece.name}: {caught[0].message} There may be more further on."
        if self.probabilities:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UnseenLevelWarning)
                found += list(self.model.predict_proba(rows).T)
        copied = [rows.column(name) for name in self.copied]
        kinds = [field.type for field in self.schema][len(copied) :]
        made = [
            pyarrow.array(one.tolist() if one.dtype == object else one, kind)
            for one, kind in zip(found, kinds, strict=True)
        ]
        return pyarrow.table(
            [
                one if one.type == field.type else one.cast(field.type)
                for one, field in zip((*copied, *made), self.schema, strict=True)
            ],
            schema=self.schema,
        )

    def merge(self, first: int, second: int) -> int:
        return first + second

    def warn(self) -> None:
        """Say once that levels were there that training did not know."""
        if self.unseen is not None:
            warnings.warn(self.unseen, UnseenLevelWarning, stacklevel=3)


def _arrow_type(classes: tuple[Level, ...] | None) -> Any:
    """Return the type of predictions."""
    import pyarrow

    if classes is None:
        return pyarrow.float64()
    if any(isinstance(label, str) for label in classes):
        return pyarrow.string()
    return pyarrow.array(list(classes)).type
