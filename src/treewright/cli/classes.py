"""Classes as a user names them on the command line, and misclassification costs."""

from __future__ import annotations

import math
from collections.abc import Sequence

import click

from treewright.cli.console import quoted_list
from treewright.schema import Level
from treewright.words import level_texts

__all__ = ["read_class", "read_costs"]


def read_class(text: str, classes: Sequence[Level], option: str) -> Level:
    """Return the class that a text names.

    Parameters
    ----------
    text : str
        As the user wrote it.
    classes : sequence of labels
        All classes.
    option : str
        What messages call the option.

    Returns
    -------
    label
        One of the classes.

    Raises
    ------
    click.UsageError
        If there is no such class.

    Examples
    --------
    >>> read_class("true", [False, True], "--positive"), read_class("2", [1, 2], "--positive")
    (True, 2)
    """
    found = _class_named(text, classes)
    if found is None:
        raise click.UsageError(
            f"{option} names a class {text[:60]!r} that there is not; there are "
            f"{quoted_list(list(level_texts(classes)))}."
        )
    return found


def read_costs(given: Sequence[str], classes: Sequence[Level]) -> dict[tuple[Level, Level], float]:
    """Read misclassification costs.

    Names of classes may hold colons; a text is cut where both sides are classes.

    Parameters
    ----------
    given : sequence of str
        Each ``TRUE:PREDICTED=COST``.
    classes : sequence of labels
        All classes.

    Returns
    -------
    dict
        Costs by the true and the predicted class.

    Raises
    ------
    click.UsageError
        If one cannot be read; it names the text.

    Examples
    --------
    >>> read_costs(["no:yes=5"], ["no", "yes"])
    {('no', 'yes'): 5.0}
    """
    costs = {}
    for words in given:
        pair, mark, number = words.rpartition("=")
        cost = _number(number)
        if not mark or cost is None:
            raise click.UsageError(
                "--cost takes TRUE:PREDICTED=COST with a cost that is a number of at least 0. "
                f"Got {words[:60]!r}."
            )
        pieces = pair.split(":")
        cuts = [(":".join(pieces[:cut]), ":".join(pieces[cut:])) for cut in range(1, len(pieces))]
        found = [
            (true, answer)
            for true, answer in (
                (_class_named(left, classes), _class_named(right, classes)) for left, right in cuts
            )
            if true is not None and answer is not None
        ]
        if len(found) != 1 or found[0][0] == found[0][1]:
            raise click.UsageError(
                f"--cost takes TRUE:PREDICTED=COST with two different classes out of "
                f"{quoted_list(list(level_texts(classes)))}. Got {words[:60]!r}."
            )
        costs[found[0]] = cost
    return costs


def _class_named(text: str, classes: Sequence[Level]) -> Level | None:
    for label in classes:
        if text in (str(label), *level_texts([label], classes)):
            return label
    return None


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number >= 0.0 and math.isfinite(number) else None
