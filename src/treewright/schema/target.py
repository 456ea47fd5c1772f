"""What a tree predicts, as the core reads it: class codes or numbers.

Labels are sorted as ``numpy.unique`` sorts them, because scikit-learn's scorers and voters expect
``classes_`` in that order. A row without a target teaches nothing, so missing targets are refused
rather than dropped in silence. Several messages use scikit-learn's words, which its estimator
checks look for.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import DataError, brief
from treewright.schema.cells import Cells, Level, count_of_values, read_cells
from treewright.schema.encoding import factorise
from treewright.words import plural

__all__ = ["are_codes", "encode_labels", "encode_numbers", "target_kind", "target_name"]

TargetKind: TypeAlias = Literal["labels", "codes", "whole numbers", "numbers"]

_FEW_VALUES = 10  # whole numbers with no more values than this are taken as classes


def encode_labels(
    y: Any,
    *,
    n_rows: int | None = None,
    estimator_name: str = "TreeClassifier",
    name: str | None = None,
) -> tuple[NDArray[np.int32], tuple[Level, ...]]:
    """Turn class labels into codes.

    Parameters
    ----------
    y : array, list, or series of a data frame library
        One label per row: text, integers, booleans, or whole numbers stored as floats.
    n_rows : int or None, default None
        The number of rows there should be.
    estimator_name : str, default "TreeClassifier"
        Who is speaking in messages.
    name : str or None, default None
        What messages call the target; None for the name that `y` has.

    Returns
    -------
    codes : ndarray of int32
        Index into `classes`, one per row.
    classes : tuple of str, int, float or bool
        The labels that occur, sorted.

    Raises
    ------
    DataError
        If labels are missing, continuous, of mixed types, or not as many as rows.

    Examples
    --------
    >>> codes, classes = encode_labels(["yes", "no", "yes"])
    >>> codes.tolist(), classes
    ([1, 0, 1], ('no', 'yes'))
    """
    name = name or target_name(y) or "y"
    cells = _read(y, n_rows, estimator_name, name)
    if cells.kind == "numeric":
        if cells.numbers.dtype.kind == "f":
            _refuse_missing(np.isnan(cells.numbers), name)
            _refuse_continuous(cells.numbers)
        codes, found = factorise(cells.numbers)
        return codes.astype(np.int32, copy=False), tuple(found)
    _refuse_missing(cells.codes < 0, name)
    present = np.flatnonzero(np.bincount(cells.codes, minlength=len(cells.levels)))
    if len({isinstance(cells.levels[index], str) for index in present}) > 1:
        raise DataError(
            f"Unknown label type: the target {brief(name)} mixes text and numbers; make all labels "
            "one type."
        )
    order = sorted((int(index) for index in present), key=lambda index: cells.levels[index])
    rank = np.zeros(len(cells.levels), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[cells.codes], tuple(cells.levels[index] for index in order)


def encode_numbers(
    y: Any,
    *,
    n_rows: int | None = None,
    estimator_name: str = "TreeRegressor",
    name: str | None = None,
) -> NDArray[np.float64]:
    """Turn numbers to predict into doubles.

    Parameters
    ----------
    y : array, list, or series of a data frame library
        One finite number per row.
    n_rows : int or None, default None
        The number of rows there should be.
    estimator_name : str, default "TreeRegressor"
        Who is speaking in messages.
    name : str or None, default None
        What messages call the target; None for the name that `y` has.

    Returns
    -------
    ndarray of float64
        The numbers, contiguous; `y` itself if it is such an array.

    Raises
    ------
    DataError
        If numbers are missing or infinite, are text, or are not as many as rows.

    Examples
    --------
    >>> encode_numbers([3, 4.5])
    array([3. , 4.5])
    """
    name = name or target_name(y) or "y"
    cells = _read(y, n_rows, estimator_name, name)
    if cells.kind == "numeric":
        numbers = cells.numbers
    else:
        _refuse_missing(cells.codes < 0, name)
        text = next((level for level in cells.levels if isinstance(level, str)), None)
        if text is not None:
            raise DataError(
                f"The target {brief(name)} holds text such as {brief(text)}, but {estimator_name} "
                "predicts numbers; use a classifier to predict classes."
            )
        numbers = np.array(cells.levels, dtype=np.float64)[cells.codes]
    _refuse_missing(np.isnan(numbers), name)
    return np.ascontiguousarray(numbers, dtype=np.float64)


def are_codes(numbers: NDArray[Any]) -> bool:
    """Tell whether numbers seem to stand for classes: whole, few, and found again and again.

    Parameters
    ----------
    numbers : ndarray
        The target, without missing values.

    Returns
    -------
    bool
        True if they seem to be classes.

    Examples
    --------
    >>> are_codes(np.array([0, 1, 1, 0])), are_codes(np.array([0, 1, 2, 3]))
    (True, False)
    """
    found = np.unique(numbers)
    is_few = len(found) <= min(_FEW_VALUES, len(numbers) // 2)
    return is_few and bool(np.all(found == np.floor(found)))


def target_kind(y: Any, *, n_rows: int | None = None, estimator_name: str) -> TargetKind:
    """Tell what a target holds, to choose between classes and numbers where nobody said.

    Parameters
    ----------
    y : array, list, or series of a data frame library
        One label or number per row.
    n_rows : int or None, default None
        The number of rows there should be.
    estimator_name : str
        Who is speaking in messages.

    Returns
    -------
    {"labels", "codes", "whole numbers", "numbers"}
        Labels are text, booleans or categories, and codes are numbers that seem to stand for
        classes; the others are quantities, with decimals or without.

    Raises
    ------
    DataError
        If values are missing, or not as many as rows.

    Examples
    --------
    >>> target_kind([1.0, 2.0, 7.0], estimator_name="an example")
    'whole numbers'
    """
    name = target_name(y) or "y"
    cells = _read(y, n_rows, estimator_name, name)
    if cells.kind != "numeric":
        return "labels"
    _refuse_missing(np.isnan(cells.numbers), name)
    if are_codes(cells.numbers):
        return "codes"
    is_whole = bool(np.all(cells.numbers == np.floor(cells.numbers)))
    return "whole numbers" if is_whole else "numbers"


def target_name(y: Any) -> str | None:
    """Return the name a series goes by, or None.

    Parameters
    ----------
    y : array-like, series, or data frame of one column
        The target.

    Returns
    -------
    str or None
        The name.

    Examples
    --------
    >>> target_name([1, 2, 3]) is None
    True
    """
    columns = getattr(y, "columns", None)
    if columns is not None and len(columns) == 1:
        return str(next(iter(columns)))
    name = getattr(y, "name", None)
    return None if name is None or callable(name) or name == "" else str(name)


def _read(y: Any, n_rows: int | None, estimator_name: str, name: str) -> Cells:
    """Read a target, which must be one column of some type with `n_rows` rows."""
    if y is None:
        raise DataError(
            f"{estimator_name} requires y to be passed, but the target y is None; "
            "pass one label or number for each row."
        )
    column = _one_column(y)
    if n_rows is not None and len(column) != n_rows:
        raise DataError(
            f"X has {plural(n_rows, 'row')}, y has {plural(len(column), 'value')}; give one value "
            "per row. (Found input variables with inconsistent numbers of samples: "
            f"{[n_rows, len(column)]})"
        )
    if len(column) == 0:
        raise DataError(
            "y has no values; give it one at least. (Found array with 0 sample(s) (shape=(0,)) "
            "while a minimum of 1 is required.)"
        )
    cells = read_cells(column, name)
    if cells.kind == "empty":
        _refuse_missing(np.ones(len(column), dtype=bool), name)
    return cells


def _one_column(y: Any) -> Any:
    """Return the one column of a target, with scikit-learn's warning if it came as a table."""
    if isinstance(y, str | bytes | dict) or not (hasattr(y, "__len__") or hasattr(y, "__array__")):
        raise DataError(f"y should be a 1d array, got {brief(y)} instead.")
    if isinstance(y, list | tuple) and not {list, tuple, np.ndarray} & set(map(type, y)):
        return y
    if not isinstance(y, np.ndarray):
        import narwhals as nw

        native = nw.from_native(y, pass_through=True, allow_series=True)
        if isinstance(native, nw.Series):
            return native
        if isinstance(native, nw.DataFrame):
            if native.shape[1] != 1:
                raise _not_one_column(native.shape)
            _warn_of_column_vector()
            return next(iter(native.iter_columns()))
        try:
            y = np.asarray(y)
        except ValueError as error:
            raise DataError("y should be a 1d array, got rows of several lengths.") from error
    if y.ndim == 2 and y.shape[1] == 1:
        _warn_of_column_vector()
        return y[:, 0]
    if y.ndim != 1:
        raise _not_one_column(y.shape)
    return y


def _not_one_column(shape: tuple[int, ...]) -> DataError:
    return DataError(f"y should be a 1d array, got an array of shape {shape} instead.")


def _warn_of_column_vector() -> None:
    from sklearn.exceptions import DataConversionWarning

    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of y "
        "to (n_samples, ), for example using ravel().",
        DataConversionWarning,
        stacklevel=5,
    )


def _refuse_missing(missing: NDArray[np.bool_], name: str) -> None:
    count = int(missing.sum())
    if count:
        raise DataError(
            f"Input y contains NaN: the target {brief(name)} is missing in {count} of "
            f"{len(missing)} rows, first at position {int(missing.argmax())}; drop those rows."
        )


def _refuse_continuous(numbers: NDArray[Any]) -> None:
    broken = numbers != np.floor(numbers)
    if broken.any():
        example, count = brief(numbers[broken.argmax()]), count_of_values(int(broken.sum()))
        raise DataError(
            "Unknown label type: continuous. A classifier expects classes, but the target holds "
            f"numbers such as {example} ({count} with decimals); use a regressor, or turn them "
            "into classes."
        )
