"""Reading values out of parsed JSON without trusting it.

A model file may come from anywhere. These small functions take one value each, say what was
expected and what came, and raise ModelFileError, so that the readers of predicates, trees and
model files stay lists of plain statements. `where` names the place: "node 7", "the file".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeVar

from treewright.exceptions import ModelFileError, brief

__all__ = [
    "JSON",
    "check_plain",
    "plain_number",
    "read_choice",
    "read_flag",
    "read_index",
    "read_list",
    "read_number",
    "read_numbers",
    "read_object",
    "read_text",
]

JSON = dict[str, Any]
Word = TypeVar("Word", bound=str)

# Integers that every reader of JSON agrees on are exact doubles; sizes and seeds fit in 64 bits.
_LARGEST_EXACT = 2**53
_LARGEST_INTEGER = 2**64
_DEEPEST = 64


def read_object(
    value: object, where: str, required: Sequence[str], optional: Sequence[str] = ()
) -> JSON:
    """Take an object with exactly these keys.

    Parameters
    ----------
    value : object
        What was read from JSON.
    where : str
        What it is, as the error names it: "The threshold".
    required : sequence of str
        Keys that it must have.
    optional : sequence of str, default ()
        Further keys that it may have.

    Returns
    -------
    dict
        The value.

    Examples
    --------
    >>> read_object({"column": 2}, "The test", ["column"])
    {'column': 2}
    """
    if not isinstance(value, dict):
        raise ModelFileError(f"{where} must be an object. Got {_describe(value)}.")
    for key in required:
        if key not in value:
            raise ModelFileError(f"{where} lacks {brief(key)}.")
    for key in value:
        if key not in required and key not in optional:
            raise ModelFileError(f"{where} has an unknown key: {brief(key)}.")
    return value


def read_list(value: object, where: str) -> list[Any]:
    """Take a list.

    Parameters
    ----------
    value : object
        What was read from JSON.
    where : str
        What it is, as the error names it: "The threshold".

    Returns
    -------
    list
        The value.
    """
    if not isinstance(value, list):
        raise ModelFileError(f"{where} must be a list. Got {_describe(value)}.")
    return value


def read_text(value: object, where: str) -> str:
    """Take a text that can be written to a file again.

    Parameters
    ----------
    value : object
        What was read from JSON.
    where : str
        What it is, as the error names it: "The threshold".

    Returns
    -------
    str
        The value.
    """
    if not isinstance(value, str):
        raise ModelFileError(f"{where} must be a text. Got {_describe(value)}.")
    if not _is_unicode(value):
        raise ModelFileError(f"{where} is not valid Unicode: {brief(value)}.")
    return value


def read_choice(value: object, where: str, choices: Sequence[Word]) -> Word:
    """Take one of a few texts.

    Parameters
    ----------
    value : object
        What was read from JSON.
    where : str
        What it is, as the error names it: "The threshold".
    choices : sequence of str
        The texts that are allowed.

    Returns
    -------
    str
        The choice.
    """
    for choice in choices:
        if value == choice:
            return choice
    allowed = ", ".join(f"'{choice}'" for choice in choices)
    raise ModelFileError(f"{where} must be one of {allowed}. Got {_describe(value)}.")


def read_flag(value: object, where: str) -> bool:
    """Take true or false.

    Parameters
    ----------
    value : object
        What was read from JSON.
    where : str
        What it is, as the error names it: "The threshold".

    Returns
    -------
    bool
        The value.
    """
    if not isinstance(value, bool):
        raise ModelFileError(f"{where} must be true or false. Got {_describe(value)}.")
    return value


def read_index(value: object, where: str, stop: int) -> int:
    """Take an integer in ``[0, stop)``; true, false and 2.0 are no integers.

    Parameters
    ----------
    value : object
        What was read from JSON.
    where : str
        What it is, as the error names it: "The threshold".
    stop : int
        The first integer that is too large.

    Returns
    -------
    int
        The value.
    """
    if type(value) is not int or not 0 <= value < stop:
        raise ModelFileError(
            f"{where} must be an integer from 0 to {stop - 1}. Got {_describe(value)}."
            if stop > 0
            else f"{where} cannot be: there is nothing to point at."
        )
    return value


def read_number(
    value: object, where: str, *, least: float = -math.inf, most: float = math.inf
) -> float:
    """Take a finite number in ``[least, most]``.

    Parameters
    ----------
    value : object
        What was read from JSON.
    where : str
        What it is, as the error names it: "The threshold".
    least : float, default -inf
        The smallest number that is allowed.
    most : float, default inf
        The largest number that is allowed.

    Returns
    -------
    float
        The number.

    Examples
    --------
    >>> read_number(3, "The threshold")
    3.0
    """
    if type(value) is float and math.isfinite(value) and least <= value <= most:
        return value
    if type(value) is int and abs(value) <= _LARGEST_EXACT and least <= value <= most:
        return float(value)
    bounds = [f"at least {least:g}"] if least > -math.inf else []
    bounds += [f"at most {most:g}"] if most < math.inf else []
    raise ModelFileError(
        " ".join([where, "must be a finite number", " and ".join(bounds)]).rstrip()
        + f". Got {_describe(value)}."
    )


def read_numbers(value: object, where: str) -> list[float]:
    """Take a list of finite numbers.

    Parameters
    ----------
    value : object
        What was read from JSON.
    where : str
        What it is, as the error names it: "The threshold".

    Returns
    -------
    list of float
        The numbers.
    """
    return [read_number(number, where) for number in read_list(value, where)]


def plain_number(number: float) -> float | int:
    """Write a whole number without a decimal point; it reads back as the same double.

    Parameters
    ----------
    number : float
        The number to write.

    Returns
    -------
    int or float
        An int where it is whole and exact, else the number itself.

    Examples
    --------
    >>> plain_number(150.0), plain_number(0.5)
    (150, 0.5)
    """
    number = float(number)
    # int would lose the sign of -0.0.
    if number.is_integer() and abs(number) < _LARGEST_EXACT and (number or str(number) == "0.0"):
        return int(number)
    return number


def check_plain(value: object, where: str) -> None:
    """Check that a value is plain JSON: nothing infinite, no broken text, not absurdly deep.

    Parameters
    ----------
    value : object
        What the JSON parser or a caller made.
    where : str
        The place, for the message.

    Raises
    ------
    ModelFileError
        If any part of it could not be written as JSON and read back as it is.
    """
    level: list[object] = [value]
    for _ in range(_DEEPEST):
        below: list[object] = []
        for item in level:
            if isinstance(item, dict):
                for key in item:
                    read_text(key, f"A key in {where}")
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
            elif isinstance(item, str):
                read_text(item, f"A text in {where}")
            elif type(item) is int:
                if abs(item) >= _LARGEST_INTEGER:
                    raise ModelFileError(f"An integer in {where} has more than 64 bits.")
            elif type(item) is float:
                read_number(item, f"A number in {where}")
            elif item is not None and not isinstance(item, bool):
                raise ModelFileError(f"A value in {where} is not JSON: {_describe(item)}.")
        if not below:
            return
        level = below
    raise ModelFileError(f"A value in {where} is nested more than {_DEEPEST} levels deep.")


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _describe(value: object) -> str:
    """Name a value in a message without printing all of it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if type(value) is int and abs(value) >= _LARGEST_INTEGER:
        return "an integer of more than 64 bits"
    return brief(value)
