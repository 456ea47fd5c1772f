"""Any table as named columns: data frames, arrays, lists of dicts, dicts of lists.

Data frames of pandas, polars and pyarrow are taken as they are (``plain.py``), those of other
libraries come in through narwhals. Only names and columns are found here; the cells of a column are
read when a schema asks for it (``cells.py``), so that columns nobody asked for cost nothing and
cannot offend.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import DataError, DataTypeError, brief
from treewright.schema.plain import native_columns

__all__ = ["Frame", "lazy_kind", "read_frame"]

_RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature "
    "or array.reshape(1, -1) if it contains a single sample."
)
# By library and class, without importing any of them.
_LAZY = {
    ("dask", "DataFrame"): "dask",
    ("dask_expr", "DataFrame"): "dask",
    ("polars", "LazyFrame"): "polars",
    ("duckdb", "DuckDBPyRelation"): "duckdb",
    ("pyarrow", "Dataset"): "dataset",
    ("pyarrow", "RecordBatchReader"): "reader",
}


@dataclass(frozen=True, eq=False)
class Frame:
    """A table whose cells have not been read yet.

    Attributes
    ----------
    names : tuple of str or None
        Unique column names; None if the data has none, like a NumPy array.
    shape : tuple of int
        Number of rows and of columns, each at least 1.
    columns : sequence
        One object a column, for :func:`read_cells`.
    matrix : ndarray or None
        All of the data at once, if it is one array of numbers.
    """

    names: tuple[str, ...] | None
    shape: tuple[int, int]
    columns: Sequence[Any]
    matrix: NDArray[Any] | None = None


def read_frame(X: Any) -> Frame:
    """Find the names and columns of a table of any supported type.

    Parameters
    ----------
    X : data frame, array, list of dicts, dict of lists, or list of rows
        The table. Nothing is copied and no cell is looked at, but for lists of rows.

    Returns
    -------
    Frame
        The columns, ready to be read one by one.

    Raises
    ------
    DataError
        If `X` is no table with at least one row and one column, or names a column twice.
    DataTypeError
        If `X` is of a type that cannot be read.

    Examples
    --------
    >>> frame = read_frame([{"age": 31, "home": "rent"}, {"age": 58, "home": "own"}])
    >>> frame.names, frame.shape
    (('age', 'home'), (2, 2))
    """
    _refuse_other_types(X)
    if isinstance(X, np.ndarray):
        return _frame_of_array(X)
    if isinstance(X, Mapping):
        return _frame_of_mapping(X)
    if isinstance(X, list | tuple):
        if X and isinstance(X[0], Mapping):
            return _frame_of_records(X)
        return _frame_of_array(_array_of_rows(X))
    columns = native_columns(X)
    if columns is not None:
        names = _unique_names(columns.labels)
        shape = (int(X.shape[0]), len(names))
        _check_shape(shape)
        return Frame(names, shape, columns)

    if lazy_kind(X) is not None:
        raise _no_rows_yet(X)

    import narwhals as nw

    if nw.dependencies.is_pandas_like_dataframe(X):
        _unique_names(X.columns)  # twice a name, and narwhals would stumble in words of its own
    native = nw.from_native(X, pass_through=True, allow_series=True)
    if isinstance(native, nw.DataFrame):
        _check_shape(native.shape)
        return Frame(_unique_names(native.columns), native.shape, tuple(native.iter_columns()))
    if isinstance(native, nw.LazyFrame):
        raise _no_rows_yet(X)
    if isinstance(native, nw.Series):
        raise DataError(
            f"Expected a 2-dimensional container but got {type(X)} instead. Reshape your data: "
            "pass a data frame with a single row or a single column."
        )
    return _frame_of_array(_array_of_rows(X))


def _refuse_other_types(X: Any) -> None:
    if X is None or isinstance(X, str | bytes):
        raise DataTypeError(
            f"Expected a table (a data frame, a 2-D array or a list of dicts), got {brief(X)}."
        )
    sparse = sys.modules.get("scipy.sparse")
    if sparse is not None and sparse.issparse(X):
        raise DataTypeError(
            "Sparse data was passed, but dense data is required. "
            "Use '.toarray()' to convert to a dense numpy array."
        )
    if isinstance(X, np.matrix):
        raise DataTypeError("np.matrix is not supported; convert it with np.asarray.")


def lazy_kind(X: Any) -> str | None:
    """Tell what kind of table whose rows are still to be read this is; None if it is none.

    Examples
    --------
    >>> import polars
    >>> lazy_kind(polars.LazyFrame({"age": [31]})), lazy_kind({"age": [31]})
    ('polars', None)
    """
    for one in type(X).__mro__:
        library = one.__module__.partition(".")[0]
        kind = _LAZY.get((library.lstrip("_"), one.__name__))
        if kind is not None:
            return kind
    return None


def _no_rows_yet(X: Any) -> DataTypeError:
    return DataTypeError(
        f"A lazy table ({type(X).__name__}) has no rows yet; read it part by part with "
        "treewright.bigdata.fit(estimator, source, target=...), or load it first with .collect(), "
        ".compute() or .to_table()."
    )


def _array_of_rows(X: Any) -> NDArray[Any]:
    try:
        array = np.asarray(X)
        if array.dtype.kind in "US" and isinstance(X, list | tuple):
            # NumPy would turn the 1 of [[1, "a"]] into text.
            array = np.array(X, dtype=object)
    except ValueError as error:
        raise DataError(
            "The rows of the table are not of one length; each row needs a cell for every column "
            "(None where it is missing)."
        ) from error
    if array.ndim == 0 and array.dtype == object:
        raise DataTypeError(
            f"Expected a table (a data frame, a 2-D array or a list of dicts), "
            f"got an object of type {type(X).__name__}."
        )
    return array


def _frame_of_array(array: NDArray[Any]) -> Frame:
    if array.dtype.names is not None:
        raise DataTypeError(
            "Structured arrays are not supported; pass a dict with one array a column: "
            "{name: array[name] for name in array.dtype.names}."
        )
    if array.ndim == 0:
        raise DataError(f"Expected 2D array, got scalar array instead. {_RESHAPE}")
    if array.ndim == 1:
        raise DataError(f"Expected 2D array, got 1D array instead. {_RESHAPE}")
    if array.ndim > 2:
        raise DataError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")
    rows, width = array.shape
    _check_shape((rows, width))
    if not hasattr(array, "mask"):  # of numpy.ma
        array = np.asarray(array)  # a memory map and the like, as a plain array without a copy
        if array.dtype.kind in "iuf":
            return Frame(None, (rows, width), _ColumnsOf(array), matrix=array)
    return Frame(None, (rows, width), _ColumnsOf(array))


class _ColumnsOf(Sequence[Any]):
    """The columns of a 2-D array, made when asked for."""

    def __init__(self, array: NDArray[Any]) -> None:
        self._array = array

    def __len__(self) -> int:
        return int(self._array.shape[1])

    def __getitem__(self, index: Any) -> Any:
        return self._array[:, index]


def _frame_of_mapping(X: Mapping[Any, Any]) -> Frame:
    names = _unique_names(X.keys())
    columns = tuple(X.values())
    for name, column in zip(names, columns, strict=True):
        if isinstance(column, str) or not hasattr(column, "__len__"):
            raise DataTypeError(
                f"Column {brief(name)} of a dict must be a list or an array of cells, "
                f"got {brief(column)}; for a table of one row pass [row], a list with one dict."
            )
    lengths = [len(column) for column in columns]
    for name, length in zip(names, lengths, strict=True):
        if length != lengths[0]:
            raise DataError(
                f"Column {brief(name)} has {length} cells, but column {brief(names[0])} has "
                f"{lengths[0]}; all columns need one length."
            )
    shape = (lengths[0] if lengths else 0, len(columns))
    _check_shape(shape)
    return Frame(names, shape, columns)


def _frame_of_records(X: Sequence[Any]) -> Frame:
    stranger = next((row for row in X if not isinstance(row, Mapping)), None)
    if stranger is not None or None in X:
        raise DataTypeError(
            f"A list of dicts must hold dicts only, got {brief(stranger)} among them."
        )
    keys = list(dict.fromkeys(key for row in X for key in row))
    names = _unique_names(keys)
    shape = (len(X), len(keys))
    _check_shape(shape)
    return Frame(names, shape, tuple([row.get(key) for row in X] for key in keys))


def _unique_names(labels: Iterable[Any]) -> tuple[str, ...]:
    names: dict[str, Any] = {}
    for label in labels:
        name = str(label)
        if name in names:
            twin = names[name]
            how = "" if type(twin) is type(label) else f" (once as {twin!r}, once as {label!r})"
            raise DataError(f"Column name {brief(name)} stands twice{how}; rename one of the two.")
        names[name] = label
    return tuple(names)


def _check_shape(shape: tuple[int, int]) -> None:
    # The words are scikit-learn's, whose estimator checks look for them.
    if shape[0] < 1 and shape[1] > 0:
        raise DataError(
            f"X has no rows; give it one at least. (Found array with 0 sample(s) (shape={shape}) "
            "while a minimum of 1 is required.)"
        )
    if shape[1] < 1:
        raise DataError(
            f"X has no columns; give it one at least. (Found array with 0 feature(s) "
            f"(shape={shape}) while a minimum of 1 is required.)"
        )
