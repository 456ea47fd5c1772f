"""What `treewright fit` does where no other method is named: the best readable tree."""

from __future__ import annotations

import itertools
from typing import Any

import click

from treewright.base.parameters import Check
from treewright.base.progress import working
from treewright.base.tasks import Task
from treewright.cli.asked import Asked
from treewright.cli.console import Console
from treewright.cli.tables import Columns
from treewright.methods import make
from treewright.readable.options import READABLE_CHECKS
from treewright.readable.story import sizes_line, story_lines
from treewright.words import visible

__all__ = ["find", "parameters_of", "seeking", "tell"]

# Options that limit the tree: the parameter they are, and a method that takes what this refuses
_LIMITS = {
    "--max-leaves": ("max_leaf_nodes", "cart"),
    "--max-depth": ("max_depth", "cart"),
    "--features": ("max_terms", "must"),
    "--min-samples-leaf": ("min_samples_leaf", "cart"),
    "--time-limit": ("time_limit", "optimal"),
}


def parameters_of(asked: Asked) -> dict[str, Any]:
    """Read the limits of the tree off the options that were given.

    Parameters
    ----------
    asked : Asked
        The options.

    Returns
    -------
    dict of str to value
        Parameters of the estimators of readable trees.

    Raises
    ------
    UsageError
        If they do not have such a parameter, or it does not take the value.
    """
    parameters: dict[str, Any] = {"n_jobs": -1}
    if asked.seed is not None:
        parameters["random_state"] = asked.seed
    if asked.abstain_cost is not None:
        parameters["abstain_cost"] = asked.abstain_cost
    for option, (name, method) in _LIMITS.items():
        given = getattr(asked, option[2:].replace("-", "_"))
        value = int(given) if isinstance(given, str) and given.isdigit() else given
        if value is None:
            continue
        check = READABLE_CHECKS.get(name)
        if check is None:
            raise click.UsageError(
                f"{option} is not for readable trees; leave it out, or name another method, such "
                f"as --method {method}."
            )
        if not check.accepts(value):
            raise click.UsageError(
                f"A readable tree takes a {option} of {_most(check)} at most; other methods, such "
                f"as --method {method}, take more. Got {given}."
            )
        parameters[name] = value
    return parameters


def _most(check: Check) -> int:
    """Return the largest number that is allowed where some are too large."""
    return next(number for number in itertools.count(1) if not check.accepts(number + 1))


def find(asked: Asked, task: Task, table: Columns, answers: Any, weights: Any) -> Any:
    """Find the best readable tree.

    Parameters
    ----------
    asked : Asked
        The options.
    task : {"classification", "regression"}
        What is predicted.
    table : dict of str to column
        The columns.
    answers : column
        The target.
    weights : ndarray or None
        Weights of the rows.

    Returns
    -------
    estimator
        Fitted.
    """
    with working("Finding the tree") as progress:
        model = seeking(asked, task, progress)
        if model.min_samples_leaf > len(answers):  # one leaf is a tree, however few rows there are
            model.set_params(min_samples_leaf=len(answers))
        return model.fit(table, answers, sample_weight=weights)


def seeking(asked: Asked, task: Task, progress: Any) -> Any:
    """Make the estimator that finds the tree.

    Parameters
    ----------
    asked : Asked
        The options.
    task : {"classification", "regression"}
        What is predicted.
    progress : callable or None
        Told how far it is.

    Returns
    -------
    estimator
        Not fitted yet.
    """
    return make(asked.card, task, progress=progress, **parameters_of(asked))


def tell(console: Console, model: Any, output: str | None) -> None:
    """Say how good the tree is, and which others are at hand.

    Parameters
    ----------
    console : Console
        Where to say it.
    model : estimator
        A fitted readable tree.
    output : str or None
        Where it was saved.
    """
    console.line()
    for place, line in enumerate(story_lines(model, ascii_only=console.ascii_only)):
        console.paragraph(line, "bold" if place == 0 else "")
    if len(model.path_) > 1:
        how = (
            "--max-leaves N" if output is None else f"treewright show {visible(output)} --leaves N"
        )
        console.paragraph(sizes_line(model, how))
