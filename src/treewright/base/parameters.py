"""Declared parameter checks: what each parameter of an estimator or split method may be.

One message shape for all: which parameter of what, what is allowed, what came.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any

import numpy as np

from treewright.exceptions import brief

__all__ = [
    "Check",
    "anything",
    "boolean",
    "check_arguments",
    "check_parameters",
    "choice",
    "count",
    "fraction",
    "integer",
    "jobs",
    "names",
    "none",
    "number",
    "one_of",
    "seed",
]


# Values of these types are what they are: once accepted, always accepted.
_PLAIN = frozenset({type(None), bool, int, float, str})
_MOST_REMEMBERED = 64


@dataclass(frozen=True)
class Check:
    """One allowed kind of value: its words, and how to tell.

    Parameters
    ----------
    words : str
        What is allowed, as the error says it behind "must be".
    accepts : callable
        ``accepts(value)`` tells whether a value is allowed, and always tells the same.
    """

    words: str
    accepts: Callable[[Any], bool]
    _accepted: set[tuple[type, Any]] = field(
        default_factory=set, init=False, repr=False, compare=False
    )

    def passes(self, value: Any) -> bool:
        """Tell whether a value is allowed; plain ones are looked at once.

        Parameters
        ----------
        value : object
            What was given.

        Returns
        -------
        bool
            What `accepts` says.
        """
        if type(value) not in _PLAIN:
            return self.accepts(value)
        if (type(value), value) in self._accepted:
            return True
        is_accepted = self.accepts(value)
        if is_accepted and len(self._accepted) < _MOST_REMEMBERED:
            self._accepted.add((type(value), value))
        return is_accepted


def choice(*words: str) -> Check:
    """Allow one of these texts.

    Parameters
    ----------
    *words : str
        The texts that are allowed.

    Returns
    -------
    Check
        The check.
    """
    return Check(
        " or ".join(repr(word) for word in words),
        lambda value: isinstance(value, str) and value in words,
    )


def integer(least: int) -> Check:
    """Allow an int from `least` on.

    Parameters
    ----------
    least : int
        The smallest int that is allowed.

    Returns
    -------
    Check
        The check.
    """
    return Check(
        f"an int >= {least}",
        lambda value: (
            isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= least
        ),
    )


def count(least: int, most: int = 1_000_000_000) -> Check:
    """Allow an int from `least` to `most`: what the core counts with.

    Parameters
    ----------
    least : int
        The smallest int that is allowed.
    most : int, default 1_000_000_000
        The largest int that is allowed.

    Returns
    -------
    Check
        The check.
    """
    whole = integer(least)
    return Check(
        f"an int >= {least} and <= {most:,}",
        lambda value: whole.accepts(value) and int(value) <= most,
    )


def number(least: float, most: float = math.inf, *, above: bool = False) -> Check:
    """Allow a finite number in [least, most], or in (least, most] with `above`.

    Parameters
    ----------
    least : float
        The lower end of the interval.
    most : float, default inf
        The upper end, which is allowed.
    above : bool, default False
        Whether the lower end itself is refused.

    Returns
    -------
    Check
        The check.
    """
    lower = f"> {least:g}" if above else f">= {least:g}"
    upper = "" if math.isinf(most) else f" and <= {most:g}"

    def accepts(value: Any) -> bool:
        if not isinstance(value, Real) or isinstance(value, bool) or not _is_finite(value):
            return False
        if value == least:
            return not above
        return least < float(value) <= most

    return Check(f"a finite number {lower}{upper}", accepts)


def fraction() -> Check:
    """Allow a float in (0, 1), a proportion of the rows or columns."""
    return Check(
        "a float in (0, 1)",
        lambda value: (
            isinstance(value, Real) and not isinstance(value, Integral) and 0.0 < float(value) < 1.0
        ),
    )


def boolean() -> Check:
    """Allow True or False."""
    return Check("True or False", lambda value: isinstance(value, bool | np.bool_))


def seed() -> Check:
    """Allow what `random_state` may be."""
    return Check(
        "None, an int in [0, 2**32 - 1] or a RandomState",
        lambda value: (
            value is None
            or isinstance(value, np.random.RandomState)
            or (integer(0).accepts(value) and value < 2**32)
        ),
    )


def jobs() -> Check:
    """Allow what `n_jobs` may be."""
    return Check(
        "None or an int other than 0",
        lambda value: (
            value is None
            or (isinstance(value, Integral) and not isinstance(value, bool) and int(value) != 0)
        ),
    )


def none() -> Check:
    """Allow None."""
    return Check("None", lambda value: value is None)


def anything(words: str) -> Check:
    """Allow anything here; it is checked where it is used.

    Parameters
    ----------
    words : str
        What is allowed, for errors about other kinds of values.

    Returns
    -------
    Check
        The check.
    """
    return Check(words, lambda value: True)


def names() -> Check:
    """Allow a list of texts, such as names of columns."""
    return Check(
        "a list of names",
        lambda value: (
            isinstance(value, Collection)
            and not isinstance(value, str)
            and all(isinstance(name, str) for name in value)
        ),
    )


def one_of(*checks: Check) -> Check:
    """Allow what any of the checks allows.

    Parameters
    ----------
    *checks : Check
        The kinds of values that are allowed.

    Returns
    -------
    Check
        The check.
    """
    words = [check.words for check in checks]
    joined = ", ".join(words[:-1]) + " or " + words[-1] if len(words) > 1 else words[0]
    return Check(joined, lambda value: any(check.accepts(value) for check in checks))


def check_parameters(owner: object, checks: Mapping[str, Check]) -> None:
    """Refuse the first parameter of `owner` that its check does not accept.

    Parameters
    ----------
    owner : object
        Has each parameter as an attribute; errors name its class.
    checks : mapping of str to Check
        What is allowed, by the name of the parameter.

    Raises
    ------
    ValueError
        With the name of the parameter, what is allowed and what came.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> check_parameters(SimpleNamespace(depth=0), {"depth": one_of(none(), integer(1))})
    Traceback (most recent call last):
    ValueError: The 'depth' parameter of SimpleNamespace must be None or an int >= 1. Got 0 instead.
    """
    values = {name: getattr(owner, name) for name in checks}
    check_arguments(type(owner).__name__, values, checks)


def check_arguments(owner: str, values: Mapping[str, Any], checks: Mapping[str, Check]) -> None:
    """Refuse the first of the values by name that its check does not accept.

    Parameters
    ----------
    owner : str
        Name of the function or class, for the error.
    values : mapping of str to object
        The arguments by name; others than those that are checked may be among them.
    checks : mapping of str to Check
        What is allowed, by the name of the argument.

    Raises
    ------
    ValueError
        With the name of the parameter, what is allowed and what came.
    """
    for name, check in checks.items():
        if not check.passes(values[name]):
            raise ValueError(
                f"The {name!r} parameter of {owner} must be {check.words}. "
                f"Got {brief(values[name])} instead."
            )


def _is_finite(value: Any) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond all doubles
        return False
