"""Tables that come with treewright, for trying things out without a network.

``loans`` holds 1,000 invented loan applications, ``households`` 1,000 invented households that pay
off a loan. ``tools/make_loans.py`` and ``tools/make_households.py`` made them and state the rules
behind them. They have what real tables have: numbers, text, booleans, missing cells and chance.
"""

from __future__ import annotations

import importlib
import importlib.resources
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

from treewright.exceptions import DataError, MissingDependencyError, brief
from treewright.files import read_table

__all__ = ["load_households", "load_loans", "names", "units"]

_Frame = Literal["pandas", "polars"]

_UNITS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "loans": MappingProxyType(
            {
                "age": "years",
                "income": "thousand a year",
                "amount": "thousand",
                "term": "months",
                "years_at_address": "years",
                "interest_rate": "percent",
            }
        ),
        "households": MappingProxyType(
            {
                "age": "years",
                "years_in_job": "years",
                "income": "a month",
                "housing": "a month",
                "instalment": "a month",
                "term": "months",
            }
        ),
    }
)


def names() -> tuple[str, ...]:
    """Return the names of the bundled tables.

    Examples
    --------
    >>> names()
    ('loans', 'households')
    """
    return tuple(_UNITS)


def units(name: str) -> dict[str, str]:
    """Return the units of the numeric columns of a bundled table.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Returns
    -------
    dict of str to str
        Column name to unit, as :meth:`treewright.Schema.with_units` takes it.

    Examples
    --------
    >>> units("loans")["term"]
    'months'
    """
    if name not in _UNITS:
        raise DataError(f"There is no table {brief(name)}; there are {', '.join(names())}.")
    return dict(_UNITS[name])


def load_loans(*, as_frame: _Frame | None = None) -> Any:
    """Load 1,000 invented loan applications.

    The usual target is ``repaid`` (yes, no); a tree of six or seven leaves is right about 87 times
    in a hundred on new applications, and nothing can be right much more often. To predict a number,
    take ``interest_rate`` and drop ``repaid``.

    Parameters
    ----------
    as_frame : {"pandas", "polars"} or None, default None
        Which data frame to return; None for a plain dict of columns.

    Returns
    -------
    dict of str to list, or data frame
        The columns age, income, employment, home, purpose, amount, term, years_at_address,
        previous_defaults, savings, joint, interest_rate and repaid. Some cells of income,
        employment, years_at_address and savings are missing (None).

    Raises
    ------
    MissingDependencyError
        If the package asked for is not installed.

    Examples
    --------
    >>> loans = load_loans()
    >>> len(loans["repaid"]), loans["home"][:3], loans["repaid"].count("yes")
    (1000, ['rent', 'rent', 'mortgage'], 653)
    """
    return _load("loans", as_frame)


def load_households(*, as_frame: _Frame | None = None) -> Any:
    """Load 1,000 invented households that pay off a loan.

    The target is ``behind`` (yes, no): whether they fell behind with it. That depends on what is
    left of the income after housing and the instalment, which no column says by itself: one linear
    combination of the three is worth more than thresholds on single columns, however many.

    Parameters
    ----------
    as_frame : {"pandas", "polars"} or None, default None
        Which data frame to return; None for a plain dict of columns.

    Returns
    -------
    dict of str to list, or data frame
        The columns age, contract, years_in_job, region, car, income, housing, instalment, term,
        savings and behind. Some cells of years_in_job and savings are missing (None).

    Raises
    ------
    MissingDependencyError
        If the package asked for is not installed.

    Examples
    --------
    >>> households = load_households()
    >>> len(households["behind"]), households["contract"][:2], households["behind"].count("yes")
    (1000, ['temporary', 'permanent'], 492)
    """
    return _load("households", as_frame)


def _load(name: str, as_frame: _Frame | None) -> Any:
    resource = importlib.resources.files("treewright").joinpath("data", f"{name}.csv")
    with importlib.resources.as_file(resource) as path:
        table = read_table(path)
    columns = {
        column: [None if cell != cell else cell for cell in cells.tolist()]
        for column, cells in table.items()
    }
    if as_frame is None:
        return columns
    if as_frame not in ("pandas", "polars"):
        raise DataError(
            f"The 'as_frame' parameter of load_{name} must be 'pandas', 'polars' or None. "
            f"Got {brief(as_frame)}."
        )
    try:
        library = importlib.import_module(as_frame)
    except ImportError:
        raise MissingDependencyError(
            f"load_{name}(as_frame={as_frame!r}) needs the package {as_frame}; install it with "
            f"'pip install {as_frame}'."
        ) from None
    return library.DataFrame(columns)
