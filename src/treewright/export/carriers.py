"""Levels and classes in formats whose fields hold values of one type: text or numbers.

A column of text carries its levels as they are, one of numbers or booleans carries numbers.
Where a column mixes types, or has numbers that doubles cannot tell apart, every level is carried as
text, written as JSON has it: the number 1 as ``1``, the text "1" as ``"1"``, True as ``true``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from treewright.schema import Level

__all__ = ["Carried", "carried", "json_texts"]


@dataclass(frozen=True, slots=True)
class Carried:
    """Levels as values of one type.

    Parameters
    ----------
    form : {"text", "number", "json"}
        Text as it is, numbers, or text as JSON has it.
    texts : tuple of str
        One per level, if they are carried as text; else empty.
    numbers : tuple of float
        One per level, if they are carried as numbers; else empty.
    """

    form: Literal["text", "number", "json"]
    texts: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()


def carried(levels: Sequence[Level]) -> Carried:
    """Choose how levels are carried.

    Parameters
    ----------
    levels : sequence of str, int, float or bool
        All levels of a column, or all classes.

    Returns
    -------
    Carried
        The form, and a text or a number for each level.

    Examples
    --------
    >>> carried(("Oslo", "Rome")).texts, carried((False, True)).numbers
    (('Oslo', 'Rome'), (0.0, 1.0))
    >>> carried((1, "1", True)).texts
    ('1', '"1"', 'true')
    """
    texts = tuple(level for level in levels if isinstance(level, str))
    if len(texts) == len(levels):
        return Carried("text", texts=texts)
    numbers = tuple(float(level) for level in levels if not isinstance(level, str))
    exact = not texts and all(a == b for a, b in zip(numbers, levels, strict=True))
    if exact and len(set(numbers)) == len(numbers):
        return Carried("number", numbers=numbers)
    return Carried("json", texts=json_texts(levels))


def json_texts(levels: Sequence[Level]) -> tuple[str, ...]:
    """Write levels as JSON does, which tells text, numbers and booleans apart.

    Examples
    --------
    >>> json_texts((1, 1.0, "1", True))
    ('1', '1.0', '"1"', 'true')
    """
    return tuple(json.dumps(level, ensure_ascii=False) for level in levels)
