"""What the columns of a table are: names, kinds, levels, units, and the classes of the target.

A :class:`Schema` is learned from the training table and travels with the model. It turns any table
into the one array the core knows: float64, a row a sample, NaN where missing. A numeric column
holds its numbers. A boolean or categorical column holds level codes 0, 1, ..., L-1. An ordinal
column (a pandas ordered categorical) holds level codes too, but the core takes them as numbers, so
that splits keep the order of the levels.

New data is matched by column name where there are names, otherwise by position. A tree rarely reads
all columns it was offered; whoever encodes rows for it names those it reads, and the others need
not be there.
"""

from __future__ import annotations

import dataclasses
import difflib
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import SchemaError, UnseenLevelWarning, brief
from treewright.schema.cells import Level, count_of_values, read_cells
from treewright.schema.columns import (
    Column,
    check_keys,
    check_levels,
    check_text,
    exactly,
    learn_column,
    with_missing,
)
from treewright.schema.encoding import fill
from treewright.schema.forms import NumberForm
from treewright.schema.frames import Frame, read_frame
from treewright.schema.rows import as_doubles, encode_all_numbers, encode_rows

__all__ = ["Schema"]

_OPTIONAL = ("named", "target", "classes", "forms")  # of a schema as JSON
_NAMED = 3  # levels, columns, ... that one message lists


@dataclass(frozen=True, eq=False)
class Schema:
    """The columns that a tree reads, and the target it predicts.

    Parameters
    ----------
    columns : tuple of Column
        The columns, in the order of the array the core sees. Names are unique.
    classes : tuple of str, int, float or bool, or None, default None
        The class labels in order of their codes; None if the target is a number.
    target : str or None, default None
        The name of the target, if it has one.
    named : bool, default True
        False if the training data had no column names; they are then x0, x1, ...
    forms : mapping of str to NumberForm, default {}
        How numbers of some columns, or of the target, were written in the file of the training
        table, where that was not the plain way.

    Raises
    ------
    SchemaError
        If the parts do not fit together.

    See Also
    --------
    treewright.schema.Column : One of the columns.

    Examples
    --------
    >>> table = {"age": [31, 58, None], "home": ["rent", "own", "rent"]}
    >>> schema, values = Schema.from_data(table)
    >>> [(column.name, column.kind, column.levels) for column in schema.columns]
    [('age', 'numeric', ()), ('home', 'categorical', ('own', 'rent'))]
    >>> values.tolist()
    [[31.0, 1.0], [58.0, 0.0], [nan, 1.0]]
    >>> schema.encode([{"home": "own", "age": 44, "name": "not used"}]).tolist()
    [[44.0, 0.0]]
    """

    columns: tuple[Column, ...]
    classes: tuple[Level, ...] | None = None
    target: str | None = None
    named: bool = True
    forms: Mapping[str, NumberForm] = field(default_factory=dict)

    def __post_init__(self) -> None:
        columns: object = self.columns
        if not isinstance(columns, tuple) or not columns:
            raise SchemaError("A schema needs a tuple of at least one column.")
        seen: set[str] = set()
        for column in columns:
            if not isinstance(column, Column):
                raise SchemaError(f"The columns of a schema must be Columns. Got {brief(column)}.")
            if column.name in seen:
                raise SchemaError(f"Column name {brief(column.name)} stands twice in the schema.")
            seen.add(column.name)
        _check_target(self.target, self.classes)
        if type(self.named) is not bool:
            raise SchemaError(f"'named' of a schema must be a bool. Got {brief(self.named)}.")
        for name, form in self.forms.items():
            check_text(name, "A name in the forms of a schema")
            if not isinstance(form, NumberForm):
                raise SchemaError(f"The form of {brief(name)} must be one of numbers.")

    # ------------------------------------------------------------------ looking

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return len(self.columns)

    @cached_property
    def n_levels(self) -> NDArray[np.int32]:
        """Number of levels of each column, 0 where the core takes it as numbers."""
        counts = np.array([column.n_levels for column in self.columns], dtype=np.int32)
        counts.flags.writeable = False
        return counts

    def index(self, name: str) -> int:
        """Return the position of a column.

        Parameters
        ----------
        name : str
            Name of the column.

        Returns
        -------
        int
            The position.

        Raises
        ------
        SchemaError
            If there is no such column.
        """
        try:
            return self.names.index(name)
        except ValueError:
            raise SchemaError(f"There is no column {brief(name)}{self._hint(name)}.") from None

    def _hint(self, name: str, among: Iterable[str] | None = None) -> str:
        among = list(self.names if among is None else among)
        folded = {other.casefold(): other for other in among}
        close = difflib.get_close_matches(str(name).casefold()[:100], folded, n=1)
        return f" (but there is {brief(folded[close[0]])})" if close else ""

    # ------------------------------------------------------------------ changing

    def with_units(self, units: Mapping[str, str | None]) -> Schema:
        """Return a schema in which some columns have a unit.

        Parameters
        ----------
        units : mapping of str to str or None
            Column name to unit; columns not named keep theirs.

        Returns
        -------
        Schema
            A new schema; this one stays as it is.

        Raises
        ------
        SchemaError
            If a name is not among the columns.

        Examples
        --------
        >>> schema = Schema((Column("age", "numeric"),)).with_units({"age": "years"})
        >>> schema.columns[0].unit
        'years'
        """
        columns = list(self.columns)
        for name, unit in units.items():
            position = self.index(name)
            columns[position] = dataclasses.replace(columns[position], unit=unit)
        return dataclasses.replace(self, columns=tuple(columns))

    def with_target(
        self, name: str | None = None, classes: Iterable[Level] | None = None
    ) -> Schema:
        """Return a schema with another target: its name, and its classes unless it is a number.

        Parameters
        ----------
        name : str or None, default None
            Name of the target, if it has one.
        classes : iterable of levels or None, default None
            Its classes; None for a numeric target.

        Returns
        -------
        Schema
            The schema with it.
        """
        labels = None if classes is None else tuple(classes)
        _check_target(name, labels)
        schema = object.__new__(type(self))  # columns need no second check
        vars(schema).update(vars(self), target=name, classes=labels)
        return schema

    def with_forms(self, forms: Mapping[str, NumberForm]) -> Schema:
        """Return a schema that remembers how numbers were written, by the name of the column.

        Parameters
        ----------
        forms : mapping of str to NumberForm
            How the numbers of a column were written, by its name.

        Returns
        -------
        Schema
            The schema with them.
        """
        return dataclasses.replace(self, forms=dict(forms))

    # ------------------------------------------------------------------ data

    @classmethod
    def from_data(
        cls, X: Any, *, target: str | None = None, classes: Iterable[Level] | None = None
    ) -> tuple[Schema, NDArray[np.float64]]:
        """Learn a schema from a table, and encode that table.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The training table.
        target : str or None, default None
            The name of the target.
        classes : iterable of labels or None, default None
            The class labels, see ``treewright.schema.encode_labels``.

        Returns
        -------
        schema : Schema
            What was learned.
        values : ndarray of float64
            The table as the core reads it. A float64 array is handed through without a copy; any
            other table becomes one new array, in column-major order if it had separate columns.

        Raises
        ------
        DataError
            If the table cannot be read; the message names the column.

        Examples
        --------
        >>> schema, values = Schema.from_data(np.array([[1.5, 2.0], [3.0, 4.0]]))
        >>> schema.names, schema.named
        (('x0', 'x1'), False)
        """
        frame = read_frame(X)
        names = frame.names or _counted_names(frame.shape[1])
        labels = None if classes is None else tuple(classes)
        if frame.matrix is not None:
            schema = _of_numbers(names, frame.names is not None)
            values = as_doubles(frame.matrix, schema.columns)
            if frame.matrix.dtype.kind != "f":
                return schema.with_target(target, labels), values
            columns = with_missing(schema.columns, values)
            if columns is schema.columns:
                return schema.with_target(target, labels), values
        else:
            values = np.empty(frame.shape, order="F")
            learned = []
            for index, name in enumerate(names):
                cells = read_cells(frame.columns[index], name)
                learned.append(learn_column(name, cells))
                fill(values[:, index], cells)
            columns = with_missing(tuple(learned), values)
        return cls(columns, labels, target, named=frame.names is not None), values

    def encode(
        self,
        X: Any,
        *,
        columns: Sequence[int] | None = None,
        estimator_name: str = "the tree",
    ) -> NDArray[np.float64]:
        """Encode new data the way the training table was encoded.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or dict of lists
            The new table. Columns are found by name; their order does not matter and further
            columns are ignored. Without names on either side they are taken by position.
        columns : sequence of int or None, default None
            Positions of the columns that will be read, in rising order, such as
            ``tree.columns_read``; None for all. The other columns may be absent from a table with
            names, and what stands for them in the result means nothing. An array, which has no
            names, is as wide as the training table in any case.
        estimator_name : str, default "the tree"
            Who is speaking in messages.

        Returns
        -------
        ndarray of float64
            As :meth:`from_data` returns it.

        Raises
        ------
        DataError
            If the table cannot be read.
        SchemaError
            If a column is missing or holds another type of cells than in training.

        Warns
        -----
        UnseenLevelWarning
            Once, if there are levels that training did not know; these cells become missing.

        Examples
        --------
        >>> schema = Schema((Column("age", "numeric"), Column("home", "categorical", ("own",))))
        >>> schema.encode({"age": [31, 58]}, columns=[0])[:, 0].tolist()
        [31.0, 58.0]
        """
        frame = read_frame(X)
        needed = range(self.n_columns) if columns is None else columns
        positions = self._positions(frame, needed, estimator_name)
        if self._is_numeric and (frame.names is None or frame.names == self.names):
            numbers = encode_all_numbers(frame, self.columns)
            if numbers is not None:
                return numbers
        values, unseen = encode_rows(frame, self.columns, needed, positions)
        if unseen:
            warnings.warn(_unseen_words(unseen), UnseenLevelWarning, stacklevel=3)
        return values

    @cached_property
    def _is_numeric(self) -> bool:
        return all(column.kind == "numeric" for column in self.columns)

    def _positions(self, frame: Frame, needed: Sequence[int], estimator_name: str) -> Sequence[int]:
        """Find where in new data each of the columns that are needed stands."""
        if frame.names is not None:
            place = {name: index for index, name in enumerate(frame.names)}
            # Names that were made up find their columns only if all of them are there.
            asked = [self.names[index] for index in needed] if self.named else self.names
            missing = [name for name in asked if name not in place]
            if not missing:
                return [place[self.names[index]] for index in needed]
            if self.named:
                raise self._missing_columns(missing, frame.names, len(needed), estimator_name)
        # The words of the rest are scikit-learn's, whose estimator checks look for them.
        if frame.shape[1] != self.n_columns:
            raise SchemaError(
                f"X has {frame.shape[1]} features, but {estimator_name} is expecting "
                f"{self.n_columns} features as input."
            )
        if frame.names is None and self.named and not _is_counting(self.names):
            warnings.warn(
                f"X does not have valid feature names, but {estimator_name} was fitted with "
                "feature names",
                UserWarning,
                stacklevel=4,
            )
        elif frame.names is not None and not _is_counting(frame.names):
            warnings.warn(
                f"X has feature names, but {estimator_name} was fitted without feature names",
                UserWarning,
                stacklevel=4,
            )
        return needed

    def _missing_columns(
        self, missing: list[str], present: tuple[str, ...], n_needed: int, estimator_name: str
    ) -> SchemaError:
        hint = self._hint(missing[0], present)
        if len(missing) == 1:
            words = f"Column {brief(missing[0])} is missing from the data{hint}"
        else:
            words = f"Columns {_list(map(brief, missing), len(missing))} are missing from the data"
        reads = "" if n_needed == self.n_columns else f", reads {n_needed} of them"
        return SchemaError(
            f"{words}; {estimator_name} was fitted with {self.n_columns} columns{reads} and finds "
            "them by name: add what is missing, with empty cells if nothing is known."
        )

    # ------------------------------------------------------------------ JSON

    def to_json(self) -> dict[str, Any]:
        """Return the schema as JSON: text, numbers, lists and dicts only.

        Examples
        --------
        >>> Schema((Column("age", "numeric", unit="years"),), classes=("no", "yes")).to_json()
        ... # doctest: +NORMALIZE_WHITESPACE
        {'columns': [{'name': 'age', 'kind': 'numeric', 'unit': 'years'}], 'named': True,
         'target': None, 'classes': ['no', 'yes']}
        """
        parts = {
            "columns": [column.to_json() for column in self.columns],
            "named": self.named,
            "target": self.target,
            "classes": None if self.classes is None else list(self.classes),
        }
        if self.forms:
            parts["forms"] = {name: form.to_json() for name, form in self.forms.items()}
        return parts

    @classmethod
    def from_json(cls, data: object) -> Schema:
        """Read what :meth:`to_json` wrote, trusting nothing.

        Parameters
        ----------
        data : object
            Parsed JSON.

        Returns
        -------
        Schema
            Equal to the one that was written.

        Raises
        ------
        SchemaError
            If any part is missing, unknown, or of a wrong type or value.
        """
        parts = check_keys(data, "A schema", ("columns",), _OPTIONAL)
        columns, classes = parts["columns"], parts.get("classes")
        if not isinstance(columns, list):
            raise SchemaError(f"The columns of a schema must be a list. Got {brief(columns)}.")
        if classes is not None and not isinstance(classes, list):
            raise SchemaError(f"The classes must be a list or null. Got {brief(classes)}.")
        forms = parts.get("forms", {})
        if not isinstance(forms, dict):
            raise SchemaError(f"The forms of a schema must be an object. Got {brief(forms)}.")
        return cls(
            tuple(Column.from_json(column) for column in columns),
            None if classes is None else tuple(classes),
            parts.get("target"),
            parts.get("named", True),
            {name: NumberForm.from_json(form) for name, form in forms.items()},
        )

    def _identity(self) -> tuple[object, ...]:
        classes = None if self.classes is None else exactly(self.classes)
        return self.columns, classes, self.target, self.named, frozenset(self.forms.items())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Schema):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())


@lru_cache(maxsize=16)
def _counted_names(count: int) -> tuple[str, ...]:
    """Name columns that have no names."""
    return tuple(f"x{index}" for index in range(count))


@lru_cache(maxsize=16)
def _of_numbers(names: tuple[str, ...], named: bool) -> Schema:
    """Make a schema of numbers; tables with the same columns come often, as in cross-validation."""
    schema = Schema(tuple(Column(name, "numeric") for name in names), named=named)
    _ = schema.names, schema.n_levels  # found once; schemas with another target share them
    return schema


def _check_target(name: object, classes: tuple[Level, ...] | None) -> None:
    if classes is not None:
        check_levels(classes, "the target")
        if not classes:
            raise SchemaError("The classes of a schema must be None or at least one label.")
    if name is not None:
        check_text(name, "The name of the target")


def _is_counting(names: tuple[str, ...]) -> bool:
    """Tell whether names are 0, 1, 2, ..., as a data frame without names has them."""
    return all(name == str(index) for index, name in enumerate(names))


def _list(words: Iterable[str], count: int) -> str:
    shown = [word for word, _ in zip(words, range(_NAMED), strict=False)]
    rest = count - len(shown)
    return ", ".join(shown) + (f" and {rest} more" if rest else "")


def _unseen_words(unseen: Mapping[str, Mapping[Level, int]]) -> str:
    parts = []
    for name, found in unseen.items():
        levels = _list((f"{brief(level)}: {n}" for level, n in found.items()), len(found))
        parts.append(f"{count_of_values(sum(found.values()))} of column {brief(name)} ({levels})")
    return (
        f"{_list(parts, len(parts))} did not occur when the tree was grown; they are treated as "
        "missing."
    )
