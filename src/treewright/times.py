"""How long the methods take on one made table, as ``benchmarks/studies/method_times.py`` measured.

Seconds depend on the machine, so that each is also given as a multiple of what CART takes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["PATH", "MethodTimes", "read_times"]

PATH = Path(__file__).parent / "data" / "method_times.json"
"""The file that the benchmark writes."""

_BASE = "cart"


@dataclass(frozen=True)
class MethodTimes:
    """CPU seconds of one fit by every method.

    Attributes
    ----------
    rows, columns, classes : int
        The table: numeric columns and a target of classes.
    methods : mapping of str to float
        Seconds by the word of ``--method``.
    """

    rows: int
    columns: int
    classes: int
    methods: Mapping[str, float]

    @property
    def table(self) -> str:
        """What the table is, in words."""
        return f"{self.rows:,} rows, {self.columns} numeric columns and {self.classes} classes"

    def ratio(self, method: str) -> float:
        """Return how many times as long as CART a method takes.

        Parameters
        ----------
        method : str
            The word of ``--method``.

        Returns
        -------
        float
            1 for CART itself.

        Examples
        --------
        >>> MethodTimes(1000, 10, 2, {"cart": 0.5, "oc1": 4.0}).ratio("oc1")
        8.0
        """
        return self.methods[method] / self.methods[_BASE]

    def cells(self, method: str) -> tuple[str, str]:
        """Write the seconds of a method and their ratio to CART in two digits.

        Parameters
        ----------
        method : str
            The word of ``--method``.

        Returns
        -------
        tuple of str
            Seconds, and multiple of CART; both empty where nobody has measured it.

        Examples
        --------
        >>> MethodTimes(1000, 10, 2, {"cart": 0.0512, "oc1": 4.13}).cells("oc1")
        ('4.1 s', '81 x')
        """
        if method not in self.methods:
            return "", ""
        return f"{_short(self.methods[method])} s", f"{_short(self.ratio(method))} x"


def read_times() -> MethodTimes:
    """Read what the benchmark measured.

    Returns
    -------
    MethodTimes
        The times that come with treewright.

    Examples
    --------
    >>> read_times().table
    '1,000 rows, 10 numeric columns and 2 classes'
    """
    return MethodTimes(**json.loads(PATH.read_text(encoding="utf-8")))


def _short(value: float) -> str:
    """Write a positive number in two digits, without an exponent."""
    rounded = float(f"{value:.2g}")
    return f"{rounded:,.0f}" if rounded >= 10 else f"{rounded:g}"
