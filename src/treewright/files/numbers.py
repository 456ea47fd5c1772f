"""Numbers that a file holds as text: recognised, read, and said.

A column of text is numbers where each of its texts is a number in one form (:class:`NumberForm`),
a usual mark for "not known" (NA, ?), or a word that says the same (unknown). What could be read in
two ways, such as 12,345, is read by the decimal mark that the other columns of the table use, or
else with a decimal point, and what is said names the other way. Whole numbers that start with a
zero name something and stay text. Where a text is none of these, all of the column stays text.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.exceptions import DataError, brief
from treewright.files.delimited import ColumnBuilder
from treewright.files.names import Say
from treewright.schema import NumberForm, read_cells
from treewright.schema.forms import DECIMALS, SAME_MARKS, SYMBOLS, THOUSANDS, is_missing_mark
from treewright.words import number_text, visible

__all__ = ["float_columns_in_doubt", "read_numbers"]

_WORDS = frozenset(
    {"unknown", "not known", "unk", "missing", "not available", "not applicable", "not given"}
    | {"n.a.", "n. a.", "n.d.", "nd", "n/d", "no data", "no answer", "not stated", "undefined"}
    | {"unbekannt", "keine angabe", "k.a.", "k. a.", "fehlt", "inconnu", "desconocido"}
    | {"--", "---", "..", "...", ".", "*", "#n/a", "#value!", "#div/0!", "#ref!", "#num!", "(null)"}
)
_CODE = re.compile(r"\s*0[0-9]+\s*")
_ANY_SYMBOL = "|".join(map(re.escape, SYMBOLS))
_LIKE_NUMBER = re.compile(
    rf"\s*[-+\u2212]?\s*(?:{_ANY_SYMBOL})?\s*[-+\u2212]?[.,]?"
    rf"[0-9][0-9.,' \u00a0\u202f\u2009\u2019]*"
    rf"(?:[eE][-+]?[0-9]+)?\s*(?:{_ANY_SYMBOL})?\s*"
)
_LOOKED_AT = 1000  # cells that tell whether a column may be numbers at all
_MOST = 0.8  # different texts that are numbers, for the others to be worth a word


def read_numbers(
    table: Mapping[str, Any],
    *,
    decimal: str | None = None,
    thousands: str | None = None,
    numbers: Collection[str] = (),
    text: Collection[str] = (),
    forms: Mapping[str, NumberForm] = MappingProxyType({}),
    plain: bool = True,
    say: Say = lambda sentence: None,
) -> tuple[dict[str, Any], dict[str, NumberForm]]:
    """Read the numbers that stand in columns of text.

    Parameters
    ----------
    table : mapping of str to column
        As :func:`read_table` returns it, perhaps with fewer rows.
    decimal, thousands : str or None, default None
        The marks, where they are known.
    numbers : collection of str, default ()
        Columns that are numbers; texts in them that are none are taken as missing.
    text : collection of str, default ()
        Columns to leave as they are.
    forms : mapping of str to NumberForm, default {}
        How numbers of some columns are written, as a model remembers it.
    plain : bool, default True
        Whether texts that are plain numbers are numbers too; not so where the file knows the types
        of its columns.
    say : callable
        Called with one sentence for each column that is not read as it is written.

    Returns
    -------
    columns : dict of str to column
        The table, with numbers where there were texts.
    forms : dict of str to NumberForm
        How those are written that are not plain.

    Raises
    ------
    DataError
        If a column whose form is known holds something else, or one of `numbers` holds none.

    Examples
    --------
    >>> columns, forms = read_numbers({"price": ["$1,200.50", "$950", "unknown"]}, say=print)
    Column 'price': numbers such as '$1,200.50' are read as 1200.5; 'unknown' is taken as missing.
    >>> columns["price"].tolist(), forms["price"].symbol
    ([1200.5, 950.0, nan], '$')
    """
    texts = {
        name: found
        for name, column in table.items()
        if name not in text
        and (found := _texts_of(column, name, name in numbers or name in forms)) is not None
    }
    usual = decimal or _usual_decimal(table, texts.values())
    columns = dict(table)
    found_forms: dict[str, NumberForm] = {}
    for name, one in texts.items():
        if name in forms:
            known = _grouped(forms[name], one.different)
            form: NumberForm | None = known
            remark = _said_of_form(one, known, name in numbers)
        else:
            typed = one.plainly() if plain else None
            if typed is not None and not ("," in (decimal, usual) and one.has_points(typed)):
                columns[name] = typed
                continue
            form, remark = _form_of(one, decimal, thousands, usual, name in numbers)
        if remark:
            say(remark)
        if name in forms and form is not None and form.symbol == "%":
            _say_of_no_percent(one.name, (text for text in one.known if "%" not in text), say)
        if form is not None and (plain or form != NumberForm()):
            columns[name] = one.by(form)
            if form != NumberForm():
                found_forms[name] = form
    for name, form in forms.items():
        if form.symbol == "%" and name in table and name not in texts:
            _say_of_no_percent(name, map(str, np.asarray(table[name])[:1].tolist()), say)
    return columns, found_forms


def float_columns_in_doubt(table: Mapping[str, Any]) -> list[str]:
    """Name columns read with a decimal point in a table whose texts have decimal commas.

    Where a file writes 7784,67, what it writes as 1.234 may be more than a thousand; to see, the
    cells as they are written are needed.
    """
    texts = [_texts_of(column, name, False) for name, column in table.items()]
    if _usual_decimal({}, (one for one in texts if one is not None)) != ",":
        return []
    return [name for name, column in table.items() if _has_fractions(column)]


# ---------------------------------------------------------------------------- one column


@dataclass(frozen=True, eq=False)
class _Texts:
    """A column of text: the different texts that occur, and which of them each row has."""

    name: str
    different: list[str]
    codes: NDArray[Any]  # -1 where missing

    @cached_property
    def known(self) -> list[str]:
        """The texts that do not say that nothing is known."""
        return [one for one in self.different if not (is_missing_mark(one) or _is_word(one))]

    def count(self, some: Collection[str]) -> int:
        """Count the rows that have one of some texts."""
        wanted = [place for place, one in enumerate(self.different) if one in some]
        return int(np.isin(self.codes, wanted).sum())

    def by(self, form: NumberForm) -> NDArray[np.float64]:
        """Return the numbers; NaN for what is none."""
        values = [form.read(one) for one in self.different]
        whole = np.array([np.nan if one is None else one for one in values] + [np.nan])
        return np.asarray(whole[self.codes])

    def plainly(self) -> NDArray[Any] | None:
        """Return what the texts are in a file that has no others; None if they are text."""
        builder = ColumnBuilder(False, frozenset())
        if (self.codes < 0).any():
            places = np.where(self.codes < 0, len(self.different), self.codes)
            builder.add([*self.different, ""], places)
        else:
            builder.add(self.different, self.codes)
        column = builder.finish()
        is_text = column.dtype == object and str in set(map(type, column.tolist()))
        return None if is_text else column

    def has_points(self, column: NDArray[Any]) -> bool:
        """Tell whether these are numbers some of which have a decimal point."""
        return column.dtype.kind == "f" and any("." in one for one in self.different)


def _texts_of(column: Any, name: str, is_asked: bool) -> _Texts | None:
    """Read a column of text; None if it is something else, or surely no numbers."""
    if isinstance(column, np.ndarray):
        if column.dtype != object:
            return None
        if not is_asked and not _may_be_numbers(column[:_LOOKED_AT].tolist()):
            return None
    try:
        cells = read_cells(column, name)
    except DataError:
        return None
    if cells.kind != "categorical" or not all(type(level) is str for level in cells.levels):
        return None
    used, codes = np.unique(cells.codes, return_inverse=True)
    first = int(np.searchsorted(used, 0))  # behind the code of missing cells
    different = [str(cells.levels[code]) for code in used[first:].tolist()]
    if not different or not (is_asked or _may_be_numbers(different[:_LOOKED_AT])):
        return None
    return _Texts(name, different, codes - first)


def _may_be_numbers(cells: Sequence[Any]) -> bool:
    texts = {cell for cell in cells if type(cell) is str} - {""}
    found = sum(bool(_LIKE_NUMBER.fullmatch(one)) for one in texts)
    others = {one for one in texts if not (is_missing_mark(one) or _is_word(one))}
    return 2 * found >= len(others) or {one.lower() for one in others} <= {"true", "false"}


def _is_word(text: str) -> bool:
    return text.strip().casefold() in _WORDS


# ---------------------------------------------------------------------------- forms


def _form_of(
    one: _Texts, decimal: str | None, thousands: str | None, usual: str | None, asked: bool
) -> tuple[NumberForm | None, str]:
    """Find how the numbers of a column are written, and what to say of it; None if it is text."""
    known = one.known
    if not known:
        return None, ""
    if not asked and any(map(_CODE.fullmatch, known)):
        return None, _said_of_codes(one) if all(map(_LIKE_NUMBER.fullmatch, known)) else ""
    fitting = [form for form in _forms(known, decimal, thousands) if form.fits(known)]
    if not fitting:
        if not asked:
            return None, _said_of_others(one)
        fitting = [
            min(_forms(known, decimal, thousands), key=lambda form: len(_others(known, form)))
        ]
        if len(_others(known, fitting[0])) == len(known):
            raise DataError(
                f"Column {brief(one.name)} is said to be a number, but is text: none of its "
                f"values, such as {brief(known[0])}, is one."
            )
    by_decimal = {form.decimal: form for form in reversed(fitting)}
    form = by_decimal.get(usual or ".") or fitting[0]
    words = {word.strip().casefold() for word in one.different if _is_word(word)}
    full = NumberForm(form.decimal, form.thousands, form.symbol, tuple(sorted(words)))
    shown = _shown(known, form)
    other_ways = [other for other in by_decimal.values() if other.decimal != form.decimal]
    parts = []
    if shown is not None:
        read = f"numbers such as {brief(shown)} are read as {_number(form, shown)}"
        if other_ways and decimal is None and _number(form, shown) != _number(other_ways[0], shown):
            read += f" (--decimal '{other_ways[0].decimal}': {_number(other_ways[0], shown)})"
        parts.append(read)
    if words:
        found = [word for word in one.different if _is_word(word)]
        listed = ", ".join(brief(word) for word in found[:3]) + ", ..." * (len(found) > 3)
        parts.append(f"{listed} {'is' if len(found) == 1 else 'are'} taken as missing")
    others = _others(known, form)
    if others:
        parts.append(_taken_as_missing(one, others))
    return full, f"Column {brief(one.name)}: {'; '.join(parts)}." if parts else ""


def _forms(known: Sequence[str], decimal: str | None, thousands: str | None) -> list[NumberForm]:
    """List the forms that a column may have, the plainest first."""
    characters = set[str]().union(*known)
    symbols = {
        symbol
        for symbol in SYMBOLS
        if characters.issuperset(symbol) and any(symbol in one for one in known)
    }
    marks = [mark for mark in THOUSANDS if not characters.isdisjoint(SAME_MARKS.get(mark, mark))]
    if len(symbols) > 1 or ("%" in symbols and not all("%" in one for one in known)):
        symbols = set()
    return [
        NumberForm(mark, groups, next(iter(symbols), ""))
        for mark in ([decimal] if decimal else DECIMALS)
        for groups in ("", *(marks if thousands is None else [thousands]))
        if groups != mark
    ]


def _grouped(form: NumberForm, texts: Sequence[str]) -> NumberForm:
    """Return a form, with a thousands mark where it has none and only that is missing."""
    if form.thousands or not _others(texts, form):
        return form
    for mark in THOUSANDS[1:]:
        if mark != form.decimal:
            grouped = NumberForm(form.decimal, mark, form.symbol, form.missing)
            if not _others(texts, grouped):
                return grouped
    return form


def _others(known: Iterable[str], form: NumberForm) -> list[str]:
    return [one for one in known if form.read(one) is None]


def _usual_decimal(table: Mapping[str, Any], texts: Iterable[_Texts]) -> str | None:
    """Find the decimal mark that a table uses, where its columns leave no doubt."""
    votes = {"."} if any(_has_fractions(column) for column in table.values()) else set()
    for one in texts:
        known = one.known
        if not known or any(map(_CODE.fullmatch, known)):
            continue
        fitting = [form for form in _forms(known, None, None) if form.fits(known)]
        marks = {form.decimal for form in fitting}
        if len(marks) == 1:
            votes |= marks
    return next(iter(votes)) if len(votes) == 1 else None


def _has_fractions(column: Any) -> bool:
    if not isinstance(column, np.ndarray) or column.dtype.kind != "f":
        return False
    known = column[np.isfinite(column)]
    return bool((known != np.floor(known)).any())


# ---------------------------------------------------------------------------- what is said


def _said_of_codes(one: _Texts) -> str:
    code = next(text for text in one.known if _CODE.fullmatch(text))
    return (
        f"Column {brief(one.name)} has numbers that start with a zero, such as {brief(code)}, and "
        f"is taken as text; {_option(one.name)} reads them as numbers."
    )


def _said_of_others(one: _Texts) -> str:
    """Say which texts keep a column from being numbers, if they are few."""
    others = [text for text in one.known if not _LIKE_NUMBER.fullmatch(text)]
    n_numbers = len(one.known) - len(others)
    if not others or n_numbers < 5 or n_numbers < _MOST * len(one.known):
        return ""
    return (
        f"Column {brief(one.name)} is taken as text since {brief(others[0])} is no number; "
        f"{_option(one.name)} takes such values as missing."
    )


def _said_of_form(one: _Texts, form: NumberForm, is_asked: bool) -> str:
    """Say which texts of a column are not of the form that it had when the tree was grown."""
    others = _others(one.different, form)
    if not others:
        return ""
    if is_asked:
        return f"Column {brief(one.name)}: {_taken_as_missing(one, others)}."
    raise DataError(
        f"Column {brief(one.name)} held numbers when the tree was grown, and {brief(others[0])} is "
        f"none in the form that they had then; {_option(one.name)} takes such values as missing."
    )


def _say_of_no_percent(name: str, texts: Iterable[str], say: Say) -> None:
    """Say that per cent came without their sign: 0.166 may be meant as 16.6 %."""
    for text in texts:
        say(
            f"Column {brief(name)} had numbers such as '5 %', read as 5, when the tree was grown; "
            f"{brief(text)} has no '%' and is read as it stands."
        )
        return


def _taken_as_missing(one: _Texts, others: list[str]) -> str:
    n_rows = one.count(others)
    values = "1 value that is" if n_rows == 1 else f"{n_rows:,} values that are"
    return f"{values} no number, such as {brief(others[0])}, taken as missing"


def _shown(known: Sequence[str], form: NumberForm) -> str | None:
    """Return a text that is not read as it would be plainly; None if there is none."""
    for one in known:
        value = form.read(one)
        if value is not None and not (_is_plain(one) and float(one) == value):
            return one
    return None


def _is_plain(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _number(form: NumberForm, text: str) -> str:
    value = form.read(text)
    return "missing" if value is None else number_text(value)


def _option(name: str) -> str:
    return f"--type {shlex.quote(visible(name)) if len(name) <= 60 else 'NAME'}=number"
