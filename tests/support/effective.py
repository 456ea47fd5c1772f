"""Counts how many examples of a property come to its point, where some may end before.

A test that is marked ``effective(share)`` says so once per example by `to_the_point`; conftest.py
fails it where fewer than this share did, as it then tests less than it seems to.
"""

from __future__ import annotations

_said: list[bool] = []


def to_the_point(is_there: object) -> bool:
    """Note, and return, whether an example comes to what the property is about."""
    _said.append(bool(is_there))
    return _said[-1]


def forget() -> None:
    """Begin to count for another test."""
    _said.clear()


def share_to_the_point() -> float:
    """Return the share of examples that came to the point."""
    return sum(_said) / len(_said) if _said else 0.0
