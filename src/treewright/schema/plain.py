"""Data frames of pandas, polars and pyarrow as plain arrays, without a word to any other library.

A prediction for a few rows takes microseconds; asking a general library what each column is takes
milliseconds. Most columns are numbers or booleans without any mark of their own, and their library
hands them out as NumPy arrays at once, few texts as a list and pandas its categories as codes.
Whatever else a column holds (nullable types, dates) is left to ``cells``.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "FEW_ROWS",
    "NativeColumns",
    "few_texts",
    "is_plain",
    "native_columns",
    "pandas_categories",
    "plain_array",
]

FEW_ROWS = 1000  # for which a library's own hash table of texts is not worth its start
_FEW_CELLS = 1 << 17  # of a frame: copying them takes less time than asking for a column
_VERY_FEW_CELLS = 1 << 14  # of pandas: even a copy as objects, made in vain, is quicker than types


class NativeColumns(Sequence[Any]):
    """The columns of a data frame, taken from it when asked for.

    Parameters
    ----------
    table : data frame
        The frame.
    labels : list
        The names of its columns as the library has them.
    """

    def __init__(self, table: Any, labels: list[Any]) -> None:
        self.table = table
        self.labels = labels

    def __len__(self) -> int:
        return len(self.labels)

    @abstractmethod
    def plain(self, column: Any) -> NDArray[Any] | None:
        """Return one of the columns as :func:`plain_array` does."""

    def matrix(self, booleans: Sequence[int]) -> NDArray[Any] | None:
        """Return all columns as one array of numbers, if that is quicker than one by one.

        Parameters
        ----------
        booleans : sequence of int
            Positions of columns that must hold booleans; all others must be numbers or booleans.

        Returns
        -------
        ndarray or None
            The numbers, booleans as 0 and 1; None if there is any other column, or many cells.
        """
        n_cells = int(self.table.shape[0]) * len(self.labels)
        matrix = self._matrix(booleans, n_cells) if n_cells <= _FEW_CELLS else None
        return matrix if matrix is not None and matrix.dtype.kind in "iuf" else None

    @abstractmethod
    def _matrix(self, booleans: Sequence[int], n_cells: int) -> NDArray[Any] | None:
        """Return the array for `matrix`, which looks at its type; None if there is none."""


class _PandasColumns(NativeColumns):
    def __getitem__(self, index: Any) -> Any:
        label = self.labels[index]
        # By name is quicker, but some labels that are no text mean something else.
        return self.table[label] if type(label) is str else self.table.iloc[:, index]

    def plain(self, column: Any) -> NDArray[Any] | None:
        return _plain_of_pandas(column)

    def _matrix(self, booleans: Sequence[int], n_cells: int) -> NDArray[Any] | None:
        if n_cells <= _VERY_FEW_CELLS and not booleans:
            numbers: NDArray[Any] = self.table.to_numpy()
            if numbers.dtype.kind in "iuf":
                return numbers
        dtypes = self.table.dtypes.tolist()
        if not all(map(_is_plain_dtype, dtypes)) or any(dtypes[i].kind != "b" for i in booleans):
            return None
        matrix: NDArray[Any] = self.table.to_numpy(dtype=np.float64)
        return matrix


class _PolarsColumns(NativeColumns):
    def __getitem__(self, index: Any) -> Any:
        return self.table.to_series(index)

    def plain(self, column: Any) -> NDArray[Any] | None:
        return _plain_of_polars(column)

    def _matrix(self, booleans: Sequence[int], n_cells: int) -> NDArray[Any] | None:
        if booleans or not all(map(_is_polars_number, self.table.dtypes)):
            return None
        matrix: NDArray[Any] = self.table.to_numpy()
        return matrix


class _ArrowColumns(NativeColumns):
    def __getitem__(self, index: Any) -> Any:
        return self.table.column(index)

    def plain(self, column: Any) -> NDArray[Any] | None:
        return _plain_of_arrow(column)

    def _matrix(self, booleans: Sequence[int], n_cells: int) -> NDArray[Any] | None:
        numbers, _ = _arrow_ids()
        if booleans or not all(kind.id in numbers for kind in self.table.schema.types):
            return None
        batches = self.table.to_batches()
        if len(batches) != 1:
            return None
        matrix: NDArray[Any] = batches[0].to_tensor(null_to_nan=True).to_numpy()
        return matrix


def native_columns(X: Any) -> NativeColumns | None:
    """Return the columns of a frame of pandas, polars or pyarrow; None for anything else.

    Examples
    --------
    >>> import pyarrow
    >>> native_columns(pyarrow.table({"age": [31, 58]})).labels
    ['age']
    >>> native_columns([[1, 2]]) is None
    True
    """
    loaded = sys.modules
    if "pandas" in loaded and isinstance(X, loaded["pandas"].DataFrame):
        return _PandasColumns(X, X.columns.tolist())
    if "polars" in loaded and isinstance(X, loaded["polars"].DataFrame):
        return _PolarsColumns(X, X.columns)
    if "pyarrow" in loaded and isinstance(X, loaded["pyarrow"].Table):
        return _ArrowColumns(X, X.schema.names)
    return None


def plain_array(column: Any) -> NDArray[Any] | None:
    """Return a column as an array, if it is nothing but numbers or booleans.

    Parameters
    ----------
    column : array, list, or series of a data frame library
        The column.

    Returns
    -------
    ndarray or None
        Integers, floats with NaN where missing, or booleans none of which is missing; None if the
        column may be anything else.

    Examples
    --------
    >>> import polars
    >>> plain_array(polars.Series([1.5, None])).tolist()
    [1.5, nan]
    >>> plain_array(polars.Series(["a", None])) is None
    True
    """
    if isinstance(column, np.ndarray):
        return column if is_plain(column) else None
    loaded = sys.modules
    if "pandas" in loaded and isinstance(column, loaded["pandas"].Series):
        return _plain_of_pandas(column)
    if "polars" in loaded and isinstance(column, loaded["polars"].Series):
        return _plain_of_polars(column)
    if "pyarrow" in loaded and isinstance(column, loaded["pyarrow"].ChunkedArray):
        return _plain_of_arrow(column)
    return None


def few_texts(column: Any) -> list[Any] | None:
    """Return a text column of few rows as a list, with whatever marks a missing cell.

    Examples
    --------
    >>> import polars
    >>> few_texts(polars.Series(["a", None]))
    ['a', None]
    """
    loaded, found = sys.modules, None
    if not hasattr(column, "__len__") or len(column) > FEW_ROWS:
        return None
    if "pandas" in loaded and isinstance(column, loaded["pandas"].Series):
        found = column.tolist() if isinstance(column.dtype, loaded["pandas"].StringDtype) else None
    elif "polars" in loaded and isinstance(column, loaded["polars"].Series):
        found = column.to_list() if column.dtype == loaded["polars"].String else None
    elif "pyarrow" in loaded and isinstance(column, loaded["pyarrow"].ChunkedArray):
        types: Any = loaded["pyarrow"].types
        is_text = types.is_string(column.type) or types.is_large_string(column.type)
        found = column.to_pylist() if is_text else None
    return found


def pandas_categories(column: Any) -> tuple[NDArray[Any], list[Any], bool] | None:
    """Return the codes of a pandas Categorical (-1 missing), its categories, whether in order."""
    pandas: Any = sys.modules.get("pandas")
    if pandas is None or not isinstance(column, pandas.Series):
        return None
    if not isinstance(column.dtype, pandas.CategoricalDtype):
        return None
    declared = column.array
    return declared.codes, declared.categories.tolist(), bool(declared.ordered)


def is_plain(array: NDArray[Any]) -> bool:
    """Tell whether an array is one column of numbers or booleans without a mask."""
    return array.ndim == 1 and array.dtype.kind in "iufb" and not hasattr(array, "mask")


def _is_plain_dtype(dtype: object) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind in "iufb"


def _plain_of_pandas(column: Any) -> NDArray[Any] | None:
    return column.to_numpy() if _is_plain_dtype(column.dtype) else None


def _is_polars_number(dtype: Any) -> bool:
    return bool(dtype.is_float() or dtype.is_integer())


def _plain_of_polars(column: Any) -> NDArray[Any] | None:
    dtype = column.dtype
    if _is_polars_number(dtype):
        array: NDArray[Any] = column.to_numpy()
        return array if array.dtype.kind in "iuf" else None  # 128 bits come as objects
    if dtype == sys.modules["polars"].Boolean and not column.null_count():
        return np.asarray(column.to_numpy())
    return None


def _plain_of_arrow(column: Any) -> NDArray[Any] | None:
    numbers, boolean = _arrow_ids()
    kind = column.type.id
    if kind in numbers or (kind == boolean and not column.null_count):
        return np.asarray(column.to_numpy())
    return None


@cache
def _arrow_ids() -> tuple[frozenset[int], int]:
    """Return the ids of pyarrow's types of numbers, and of booleans."""
    pyarrow: Any = sys.modules["pyarrow"]
    names = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
    names += ["float32", "float64"]
    return frozenset(getattr(pyarrow, name)().id for name in names), pyarrow.bool_().id
