"""Names of columns as a header gives them: each once, none empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from treewright.exceptions import brief

__all__ = ["Say", "header_names", "unique_names"]

Say: TypeAlias = Callable[[str], None]
"""What is called with each sentence about what was changed in reading."""


def header_names(cells: Sequence[str], say: Say) -> list[str]:
    """Return the names that a header gives.

    Parameters
    ----------
    cells : sequence of str
        The cells; one may be empty, as R and pandas leave it for the row numbers.
    say : callable
        Called with a sentence for each name that stands twice.

    Returns
    -------
    list of str
        As many different names.
    """
    return unique_names(
        [cell if cell.strip() else f"column_{place}" for place, cell in enumerate(cells, start=1)],
        say,
    )


def unique_names(names: Sequence[str], say: Say) -> list[str]:
    """Give repetitions of a name a number, and say so.

    Examples
    --------
    >>> unique_names(["size", "age", "size", "size_2"], print)
    Column name 'size' stands twice; column 3 is called 'size_3'.
    ['size', 'age', 'size_3', 'size_2']
    """
    if len(set(names)) == len(names):
        return list(names)
    taken, seen = set(names), set[str]()
    numbers: dict[str, int] = {}
    found, first, n_renamed = [], "", 0
    for place, name in enumerate(names, start=1):
        new = name
        while new in seen or (new != name and new in taken):
            numbers[name] = numbers.get(name, 1) + 1
            new = f"{name}_{numbers[name]}"
        if new != name:
            n_renamed += 1
            first = first or f"{brief(name)} stands twice; column {place} is called {brief(new)}"
        seen.add(new)
        found.append(new)
    others = f", and {n_renamed - 1} more are renamed likewise" if n_renamed > 1 else ""
    say(f"Column name {first}{others}.")
    return found
