"""One column of cells, from whatever library it comes.

:func:`read_cells` reads a column into one of two plain forms:

* numbers: an array, NaN where missing;
* codes: small integers into ``levels``, -1 where missing.

Text is sorted into levels by code point, so that every library gives the same codes for the same
data. Declared categories keep their declared order. Rows are never walked through one by one in
Python; text is factorised by the library that brings it, or by a dict inside ``map``.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import DataError, DataTypeError, InfinityError, brief
from treewright.schema.plain import FEW_ROWS, few_texts, pandas_categories, plain_array

__all__ = [
    "Cells",
    "Kind",
    "Level",
    "count_of_values",
    "has_finite_sum",
    "read_cells",
    "refuse_infinite",
]

Level: TypeAlias = str | int | float | bool
Kind: TypeAlias = Literal["numeric", "boolean", "categorical", "ordinal"]


@dataclass(frozen=True, eq=False)
class Cells:
    """One column as it came, before a schema gives it a meaning.

    Attributes
    ----------
    kind : str
        "numeric" (see `numbers`), "boolean", "categorical" or "ordinal" (see `codes` and `levels`),
        or "empty" when every cell is missing and nothing says what would be there.
    numbers : ndarray
        Real numbers of any NumPy type, NaN where missing.
    codes : ndarray of int
        Index into `levels`, -1 where missing.
    levels : tuple of str, int, float or bool
        Declared levels in their order, or the levels found, sorted. Some may not occur.

    See Also
    --------
    read_cells : Reads a column of any library.
    Column : What a column holds, once that is settled.

    Examples
    --------
    >>> cells = read_cells(["rent", "own", None], "home")
    >>> cells.kind, cells.codes.tolist(), cells.levels
    ('categorical', [1, 0, -1], ('own', 'rent'))
    """

    kind: Kind | Literal["empty"]
    numbers: NDArray[Any] = field(default_factory=lambda: np.empty(0))
    codes: NDArray[Any] = field(default_factory=lambda: np.empty(0, np.int32))
    levels: tuple[Level, ...] = ()


def read_cells(column: Any, name: str) -> Cells:
    """Read one column of a table.

    Parameters
    ----------
    column : array, list, or series of a data frame library
        The cells.
    name : str
        What messages call the column.

    Returns
    -------
    Cells
        Numbers, or codes and levels.

    Raises
    ------
    DataError
        If the cells are dates, complex numbers, nested, of mixed types, or infinite.

    Examples
    --------
    >>> cells = read_cells(["rent", None, "own"], "home")
    >>> cells.levels, cells.codes.tolist()
    (('own', 'rent'), [1, -1, 0])
    """
    if isinstance(column, np.ndarray):
        return _cells_of_array(column, name)
    if isinstance(column, list | tuple):
        return _cells_of_objects(column, name)
    plain = plain_array(column)
    if plain is not None:
        return _cells_of_array(plain, name)
    texts = few_texts(column)
    if texts is not None:
        return _cells_of_objects(texts, name)
    declared = pandas_categories(column)
    if declared is not None:
        return _declared_cells(*declared, name)

    import narwhals as nw

    series = nw.from_native(column, pass_through=True, allow_series=True)
    if isinstance(series, nw.Series):
        return _cells_of_series(series, name)
    return _cells_of_array(np.asarray(column), name)


def refuse_infinite(numbers: NDArray[Any], name: str) -> None:
    """Raise an InfinityError that names the column if any of its numbers is infinite."""
    if numbers.dtype.kind != "f" or has_finite_sum(numbers):
        return
    infinite = np.isinf(numbers)
    count = int(infinite.sum())
    if count:
        position = int(infinite.argmax())
        raise InfinityError(
            f"Column {brief(name)} holds infinity: {float(numbers[position])} at position "
            f"{position} ({count_of_values(count)} in all); replace it by a finite number or leave "
            "the cell missing (NaN)."
        )


def has_finite_sum(numbers: NDArray[Any]) -> bool:
    """Tell at the speed of a sum that no number is infinite; False may mean anything."""
    with np.errstate(over="ignore", invalid="ignore"):
        return math.isfinite(numbers.sum())


def _cells_of_array(array: NDArray[Any], name: str) -> Cells:
    kind = array.dtype.kind
    if array.ndim != 1 or kind == "V":
        raise _nested(name, array[:1], len(array))
    if hasattr(array, "mask"):  # of numpy.ma, where tolist gives None for what is masked
        return _cells_of_objects(array.tolist(), name)
    if kind in "iuf":
        refuse_infinite(array, name)
        return Cells("numeric", numbers=array)
    if kind == "b":
        return Cells("boolean", codes=array.view(np.int8), levels=(False, True))
    if kind in "mM":
        raise _dates(name, array[0], len(array))
    if kind == "c":
        raise _complex(name, array[0], len(array))
    return _cells_of_objects(array.tolist(), name)  # text, bytes, Python objects


def _cells_of_series(series: Any, name: str) -> Cells:
    import narwhals as nw

    native = series.to_native()
    implementation = series.implementation
    dtype = series.dtype
    if implementation.is_pandas_like() and native.dtype == object:
        return _cells_of_objects(native.tolist(), name)  # narwhals only guesses what is inside
    if dtype.is_numeric():
        if isinstance(dtype, nw.Decimal):
            series = series.cast(nw.Float64)
        return _cells_of_array(series.to_numpy(), name)
    if isinstance(dtype, nw.Boolean) and series.null_count():
        numbers = series.cast(nw.Float64).to_numpy()
        codes = np.where(np.isnan(numbers), -1.0, numbers).astype(np.int8)
        return Cells("boolean", codes=codes, levels=(False, True))
    if isinstance(dtype, nw.Categorical | nw.Enum):
        return _cells_of_categories(series, name)
    if isinstance(dtype, nw.String):
        return _cells_of_text(series, name)
    if isinstance(dtype, nw.Unknown) and series.null_count() == len(series):
        return Cells("empty")
    return _cells_of_array(np.asarray(series.to_numpy()), name)


def _cells_of_text(series: Any, name: str) -> Cells:
    """Factorise a text column with the hash table of its own library."""
    native = series.to_native()
    if series.implementation.is_pandas_like():
        codes, uniques = native.factorize()
        return _sorted_cells(np.asarray(codes), uniques.tolist())
    if series.implementation.is_polars():
        import polars

        levels = sorted(native.drop_nulls().unique().to_list())
        physical = native.cast(polars.Enum(levels)).to_physical().cast(polars.Int32)
        return _sorted_cells(physical.fill_null(-1).to_numpy(), levels)
    if series.implementation.is_pyarrow():
        import pyarrow

        if str(native.type) == "string_view":  # has no dictionary encoding
            native = native.cast(pyarrow.large_string())
        codes, levels, _ = _arrow_dictionary(native.dictionary_encode())
        return _sorted_cells(codes, levels)
    return _cells_of_objects(series.to_list(), name)


def _cells_of_categories(series: Any, name: str) -> Cells:
    """Read declared categories, in their declared order."""
    native = series.to_native()
    if series.implementation.is_pandas_like():
        accessor = native.cat
        return _declared_cells(
            accessor.codes.to_numpy(), accessor.categories.tolist(), bool(accessor.ordered), name
        )
    if series.implementation.is_polars():
        import polars

        if isinstance(native.dtype, polars.Enum):
            levels = native.dtype.categories.to_list()
            if len(native) <= FEW_ROWS:
                place = {level: code for code, level in enumerate(levels)}
                codes = _lookup(native.to_list(), place)
            else:
                codes = native.to_physical().cast(polars.Int32).fill_null(-1).to_numpy()
            return _declared_cells(codes, levels, False, name)
        # The order of a Categorical depends on what else the program has read: take it as text.
        if len(native) <= FEW_ROWS:
            return _cells_of_objects(native.to_list(), name)
        return _cells_of_text(series.cast(_narwhals_string()), name)
    if series.implementation.is_pyarrow():
        codes, levels, ordered = _arrow_dictionary(native)
        return _declared_cells(codes, levels, ordered, name)
    return _cells_of_objects(series.to_list(), name)


def _narwhals_string() -> Any:
    import narwhals as nw

    return nw.String()


def _arrow_dictionary(chunks: Any) -> tuple[NDArray[Any], list[Any], bool]:
    """Codes (-1 missing), dictionary and whether it is ordered, of dictionary-encoded chunks."""
    chunks = chunks.unify_dictionaries()
    if chunks.num_chunks == 0:
        return np.empty(0, np.int32), [], chunks.type.ordered
    codes = [chunk.indices.cast("int64").fill_null(-1).to_numpy() for chunk in chunks.chunks]
    return np.concatenate(codes), chunks.chunk(0).dictionary.to_pylist(), chunks.type.ordered


def _sorted_cells(codes: NDArray[Any], levels: list[Any]) -> Cells:
    """Put text levels into sorted order."""
    if not levels:
        return Cells("empty")
    order = sorted(range(len(levels)), key=levels.__getitem__)
    if order != list(range(len(levels))):
        rank = np.empty(len(levels) + 1, dtype=np.int32)
        rank[order] = np.arange(len(levels), dtype=np.int32)
        rank[-1] = -1  # where code -1 lands
        codes = rank[codes]
    return Cells("categorical", codes=codes, levels=tuple(str(levels[i]) for i in order))


def _declared_cells(codes: NDArray[Any], levels: list[Any], ordered: bool, name: str) -> Cells:
    """Turn declared categories into levels; a dictionary may name one twice, or name 'missing'."""
    scalars = [_level(level) for level in levels]
    position: dict[tuple[type, Level], int] = {}
    rank = np.full(len(scalars) + 1, -1, dtype=np.int32)
    for index, scalar in enumerate(scalars):
        if scalar is not None:
            rank[index] = position.setdefault((type(scalar), scalar), len(position))
    if not position:
        return Cells("empty")
    kept = tuple(level for _, level in position)
    for level in kept:
        if isinstance(level, float) and np.isinf(level):
            raise DataError(
                f"Column {brief(name)} declares the infinite category {level}; rename it."
            )
    if list(rank[:-1]) != list(range(len(kept))):
        codes = rank[codes]
    return Cells("ordinal" if ordered else "categorical", codes=codes, levels=kept)


def _level(value: Any) -> Level | None:
    """Make a Python scalar of a category; None if it stands for a missing value."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or _family(type(value)) == "missing":
        return None
    if isinstance(value, bool | str):
        return value if type(value) in (bool, str) else str(value)
    if isinstance(value, int) and -(2**63) <= value < 2**64:
        return int(value)
    if isinstance(value, float):
        return None if value != value else float(value)
    return str(value)  # an interval of pandas.cut, a date used as a category, ...


# ---------------------------------------------------------------------------- Python objects

_FAMILIES: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("missing", (type(None),)),
    ("boolean", (bool, np.bool_)),
    ("text", (str,)),
    ("date", (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)),
    ("number", (int, float, np.integer, np.floating, decimal.Decimal, fractions.Fraction)),
    ("complex", (complex, np.complexfloating)),
    ("bytes", (bytes, bytearray)),
)
_WORDS = {"boolean": "booleans", "text": "text", "date": "dates", "number": "numbers"}


def _family(type_: type) -> str:
    if type_.__name__ in ("NAType", "NaTType", "MaskedConstant"):  # of pandas and numpy.ma
        return "missing"
    if type_.__name__ == "Period":
        return "date"
    return next((family for family, types in _FAMILIES if issubclass(type_, types)), "nested")


def _cells_of_objects(values: Sequence[Any], name: str) -> Cells:
    """Read a column of Python objects; what it is follows from their types."""
    families: dict[str, set[type]] = {}
    for type_ in set(map(type, values)):
        families.setdefault(_family(type_), set()).add(type_)
    families.pop("missing", None)
    if len(families) > 1 and "number" in families:
        # NaN among text or booleans is a missing cell, not a number.
        numbers = (value for value in values if type(value) in families["number"])
        if all(value != value for value in numbers):
            del families["number"]
    match sorted(families):
        case []:
            return Cells("empty")
        case ["number"] | ["boolean", "number"]:  # True among numbers is 1
            return _cells_of_numbers(values, name)
        case ["boolean"]:
            codes = _lookup(values, {False: 0, True: 1})
            return Cells("boolean", codes=codes, levels=(False, True))
        case ["text"]:
            levels = sorted({str(value) for value in set(values) if isinstance(value, str)})
            codes = _lookup(values, {level: code for code, level in enumerate(levels)})
            return Cells("categorical", codes=codes, levels=tuple(levels))
        case _:
            raise _unsupported(name, values)


def _lookup(values: Sequence[Any], index: Mapping[Any, int]) -> NDArray[np.int32]:
    return np.fromiter(map(index.get, values, repeat(-1)), dtype=np.int32, count=len(values))


def _cells_of_numbers(values: Sequence[Any], name: str) -> Cells:
    types = set(map(type, values))
    if all(issubclass(type_, int | np.integer) for type_ in types):
        numbers = np.array(values)
        if numbers.dtype.kind in "iu":
            return Cells("numeric", numbers=numbers)
    # NumPy reads None as NaN, but no other mark of a missing cell.
    marks = {type_ for type_ in types if _family(type_) == "missing"} - {type(None)}
    if marks:
        values = [None if type(value) in marks else value for value in values]
    try:
        numbers = np.array(values, dtype=np.float64)
    except (OverflowError, ValueError) as error:
        raise DataError(
            f"Column {brief(name)} holds a number too large for a double; rescale the column."
        ) from error
    if type(None) in types and np.isnan(numbers).all():
        return Cells("empty")
    refuse_infinite(numbers, name)
    return Cells("numeric", numbers=numbers)


# ---------------------------------------------------------------------------- messages


def count_of_values(count: int) -> str:
    """Say "1 value" or "5 values"."""
    return "1 value" if count == 1 else f"{count} values"


def _nested(name: str, value: Any, count: int) -> DataError:
    return DataTypeError(
        f"Column {brief(name)} holds {type(value).__name__} objects such as {brief(value)} "
        f"({count_of_values(count)}), but a cell of the X argument must be a string, a boolean "
        "or a number; spread such values over columns of their own or drop the column."
    )


def _dates(name: str, value: Any, count: int) -> DataError:
    return DataTypeError(
        f"Column {brief(name)} holds dates or times such as {brief(str(value))} "
        f"({count_of_values(count)}); turn them into numbers that mean something, for example the "
        "year, the weekday or the days since a given date."
    )


def _complex(name: str, value: Any, count: int) -> DataError:
    return DataError(
        f"Complex data not supported: column {brief(name)} holds complex numbers such as "
        f"{brief(value)} ({count_of_values(count)}); make a real and an imaginary column."
    )


def _bytes(name: str, value: Any, count: int) -> DataError:
    return DataTypeError(
        f"Column {brief(name)} holds bytes such as {brief(value)} ({count_of_values(count)}); "
        "decode them to text first."
    )


def _unsupported(name: str, values: Sequence[Any]) -> DataError:
    """Say what is wrong with a column that is not all numbers, booleans or text."""
    found: dict[str, list[Any]] = {}
    for value in values:
        family = _family(type(value))
        if family != "missing" and not (family == "number" and value != value):
            found.setdefault(family, []).append(value)
    for family, fault in (("nested", _nested), ("complex", _complex), ("bytes", _bytes)):
        if family in found:
            return fault(name, found[family][0], len(found[family]))
    if list(found) == ["date"]:
        return _dates(name, found["date"][0], len(found["date"]))
    parts = [
        f"{_WORDS[family]} such as {brief(cells[0])} ({count_of_values(len(cells))})"
        for family, cells in found.items()
    ]
    return DataTypeError(
        f"Column {brief(name)} mixes {' with '.join(parts)}; make all of its cells one type."
    )
