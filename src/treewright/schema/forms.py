"""How the numbers of a column are written as text: 1,234.5 or 1.234,5 or $1,200 or 16.6 %.

A model remembers the form of each column whose numbers were not written plainly, so that new files
of the same form are read in the same way. The number itself has no form: 16.6 % is read as 16.6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from treewright.exceptions import SchemaError, brief
from treewright.schema.columns import check_keys, check_text

__all__ = ["DECIMALS", "SAME_MARKS", "SYMBOLS", "THOUSANDS", "NumberForm", "is_missing_mark"]

DECIMALS = (".", ",")
THOUSANDS = ("", ",", ".", "'", " ")
SYMBOLS = ("%", "$", "€", "£", "¥", "₹", "EUR", "USD", "GBP", "CHF")
# What is written for a mark: spaces of several widths, straight and curved apostrophes.
SAME_MARKS = {" ": " \u00a0\u202f\u2009", "'": "'\u2019"}
_SIGN = "[-+\u2212]"
_MARKS = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "-"})


def is_missing_mark(cell: str) -> bool:
    """Tell whether a text among numbers says that nothing is known: NA, n/a, ?, ..."""
    return cell.strip().lower() in _MARKS


@dataclass(frozen=True)
class NumberForm:
    """How the numbers of a column are written.

    Parameters
    ----------
    decimal : {".", ","}, default "."
        What stands before the fraction.
    thousands : {"", ",", ".", "'", " "}, default ""
        What may stand between groups of three digits.
    symbol : str, default ""
        What may stand before or behind a number: a percent sign or a currency.
    missing : tuple of str, default ()
        Words that say that the number is not known, besides the usual marks, in lower case.

    Raises
    ------
    SchemaError
        If a part is not one of these, or the two marks are the same.

    See Also
    --------
    treewright.Schema.with_forms : Remembers the forms of a table.
    Column : What a column holds.

    Examples
    --------
    >>> NumberForm(",", ".", "€", missing=("unknown",)).read("1.234,50 €")
    1234.5
    >>> NumberForm(".", ",").read("12,345"), NumberForm(",").read("12,345")
    (12345.0, 12.345)
    >>> print(NumberForm(".", ",").read("1,2"))
    None
    """

    decimal: str = "."
    thousands: str = ""
    symbol: str = ""
    missing: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for what, value, allowed in (
            ("decimal mark", self.decimal, DECIMALS),
            ("thousands mark", self.thousands, THOUSANDS),
            ("symbol", self.symbol, ("", *SYMBOLS)),
        ):
            if value not in allowed:
                shown = ", ".join(map(repr, allowed))
                raise SchemaError(
                    f"The {what} of numbers must be one of {shown}. Got {brief(value)}."
                )
        if self.decimal == self.thousands:
            raise SchemaError(
                f"The decimal and the thousands mark of numbers are both {self.decimal!r}."
            )
        for word in self.missing:
            check_text(word, "A word for a missing number")

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        group = f"[{SAME_MARKS.get(self.thousands, self.thousands)}]"
        whole = rf"[0-9]{{1,3}}(?:{group}[0-9]{{3}})+|[0-9]+" if self.thousands else "[0-9]+"
        symbol = rf"(?:{re.escape(self.symbol)}\s*)?" if self.symbol else ""
        behind = rf"(?:\s*{re.escape(self.symbol)})?" if self.symbol else ""
        mark = re.escape(self.decimal)
        return re.compile(
            rf"\s*(?:(?P<sign>{_SIGN})\s*{symbol}|{symbol}(?P<inner>{_SIGN})?)"
            rf"(?:(?P<whole>{whole})(?:{mark}(?P<part>[0-9]*))?|{mark}(?P<only>[0-9]+))"
            rf"(?P<power>[eE][-+]?[0-9]+)?{behind}\s*"
        )

    def fits(self, texts: Iterable[str]) -> bool:
        """Tell whether all texts are numbers; none may say that it is missing.

        Parameters
        ----------
        texts : iterable of str
            The cells of a column.

        Returns
        -------
        bool
            True if each is a number in this form.
        """
        return all(map(self._pattern.fullmatch, texts))

    def read(self, text: str) -> float | None:
        """Read a number: NaN where the text says that it is missing, None if it is none.

        Parameters
        ----------
        text : str
            One cell.

        Returns
        -------
        float or None
            The number.
        """
        found = self._pattern.fullmatch(text)
        if found is None:
            is_missing = is_missing_mark(text) or text.strip().casefold() in self.missing
            return float("nan") if is_missing else None
        sign = "-" if (found["sign"] or found["inner"]) in ("-", "\u2212") else ""
        whole = found["whole"] or "0"
        if self.thousands:
            whole = re.sub("[^0-9]", "", whole)
        return float(f"{sign}{whole}.{found['part'] or found['only'] or '0'}{found['power'] or ''}")

    def to_json(self) -> dict[str, Any]:
        """Return the form as JSON."""
        return {
            "decimal": self.decimal,
            "thousands": self.thousands,
            "symbol": self.symbol,
            "missing": list(self.missing),
        }

    @classmethod
    def from_json(cls, data: object) -> NumberForm:
        """Read what :meth:`to_json` wrote, trusting nothing.

        Parameters
        ----------
        data : object
            What was read from JSON.

        Returns
        -------
        NumberForm
            The form.
        """
        parts = check_keys(data, "A form of numbers", ("decimal", "thousands", "symbol"), _MISSING)
        missing: object = parts.get("missing", [])
        if not isinstance(missing, list):
            raise SchemaError(f"Words for a missing number must be a list. Got {brief(missing)}.")
        texts: Iterable[Any] = missing
        return cls(parts["decimal"], parts["thousands"], parts["symbol"], tuple(texts))


_MISSING = ("missing",)
