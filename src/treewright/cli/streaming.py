"""`treewright fit` on tables that are read part by part: all rows, none of them for long."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from treewright import bigdata
from treewright.base.tasks import Task
from treewright.bigdata.exactness import FoundOnSample
from treewright.bigdata.partitions import read_pieces, runs_of
from treewright.bigdata.sampling import SAMPLE_ROWS, sample_stored
from treewright.bigdata.sources import StoredTable, open_source
from treewright.cli import tables
from treewright.cli.asked import Asked
from treewright.cli.columns import usable_columns
from treewright.cli.console import Console, note
from treewright.cli.large import tell_size
from treewright.estimators import TreeClassifier, TreeRegressor
from treewright.estimators.options import GrowthOptions
from treewright.exceptions import DataError, brief
from treewright.splits import Axis

__all__ = ["exactness_line", "fit_streamed"]

_DEPTH = 6  # where nothing limits the tree
_PRUNED = "cost-complexity"  # the pruner that takes no rows in memory


def fit_streamed(asked: Asked, console: Console, growing: Callable[[Task], Any]) -> Any:
    """Grow the tree that was asked for over all rows of a large table.

    Parameters
    ----------
    asked : Asked
        The options.
    console : Console
        Where to say what is predicted.
    growing : callable
        ``growing(task)`` makes the estimator, which may search instead.

    Returns
    -------
    estimator
        The fitted estimator.

    Raises
    ------
    UsageError
        If an option needs all rows in memory.
    """
    _check_options(asked)
    with open_source(list(asked.files)) as stored:
        tell_size(stored, "read part by part")
        columns = dict.fromkeys(stored.schema.names)
        weights = () if asked.weights is None else (asked.weights,)
        for name in (asked.target, *asked.drop, *asked.keep, *weights):
            tables.find_column(columns, name, asked.file)
        if asked.target in (*asked.drop, asked.weights):
            raise DataError(
                f"The target {brief(asked.target)} can neither be dropped nor be the weights."
            )
        task = _task(asked, console, stored)
        left_out = _left_out(asked, stored)
    model = growing(task)
    is_grown = isinstance(model, TreeClassifier | TreeRegressor)
    if is_grown:
        _limit(asked, model)
    return bigdata.fit(
        model,
        list(asked.files),
        asked.target,
        weight=asked.weights,
        drop=[*asked.drop, *left_out],
        rows_sampled=None if is_grown else SAMPLE_ROWS,
    )


def _limit(asked: Asked, model: Any) -> None:
    """Say how growth ends and missing values are treated where rows are not in memory."""
    is_pruned = asked.prune == _PRUNED
    if not is_pruned:
        model.set_params(prune=None)
    if asked.max_depth is None and asked.max_leaves is None:
        model.set_params(max_depth=_DEPTH)
        note(
            f"The tree is grown to depth {_DEPTH}"
            + ("" if is_pruned else f" and not pruned, as --prune {_PRUNED} would")
            + "; --max-depth or --max-leaves sets another size."
        )
    if GrowthOptions.of(model).missing.startswith("surrogate"):
        model.set_params(missing="default")
        note(
            "Rows with missing values take one branch of a split, learned in training: surrogate "
            "splits need rows in memory."
        )


def exactness_line(model: Any) -> str:
    """Say what is proven of the splits.

    Parameters
    ----------
    model : estimator
        By `fit_streamed`.

    Returns
    -------
    str
        One sentence.
    """
    exactness = model.exactness_
    if isinstance(exactness, FoundOnSample):
        sentences = str(exactness).splitlines()
        return " ".join(sentences[-1:] if hasattr(model, "evidence_") else sentences)
    if exactness.is_proven and not isinstance(GrowthOptions.of(model).split, Axis):
        return (
            "Every threshold is proven to be the one that a fit in memory chooses on these rows; "
            "columns and coefficients are the same but for rounding."
        )
    if exactness.is_proven:
        return "Every split is proven to be the one that a fit in memory chooses on these rows."
    if not exactness.gaps:
        return "Not every split of the trees of cross-validation is proven; all of this tree are."
    count = len(exactness.gaps)
    worst = max(gain for _, gain in exactness.gaps)
    splits = "1 split is" if count == 1 else f"{count} splits are"
    return (
        f"{splits} not proven to be those of a fit in memory; a better one could add at most "
        f"{worst:.2%} to the gain."
    )


def _check_options(asked: Asked) -> None:
    if asked.prune not in ("auto", "none", _PRUNED):
        raise click.UsageError(
            f"--prune {asked.prune} is not offered for a table that is read part by part; use "
            f"--prune {_PRUNED}, or --max-depth or --max-leaves for a smaller tree."
        )
    if asked.text or asked.reading.types:
        raise click.UsageError(
            "--text and --type are not offered for a table that is read part by part; its columns "
            "are what the Parquet files say."
        )


def _task(asked: Asked, console: Console, stored: StoredTable) -> Task:
    """Decide between classes and numbers by a sample of the target."""
    goal = sample_stored(stored, SAMPLE_ROWS, [asked.target], 0, True).column(asked.target)
    target = tables.target_of(goal, asked.target)
    task, why = tables.choose_task(target, asked.task)
    for remark in tables.similar_classes(target):
        note(remark)
    if asked.task == "auto":
        console.paragraph(why)
        console.line()
        sys.stdout.flush()  # growing may take a while
    return task


def _left_out(asked: Asked, stored: StoredTable) -> list[str]:
    """Name columns of types that tell nothing of new rows, by what the first partition holds."""
    roles = {asked.target, asked.weights, *asked.drop}
    names = [name for name in stored.schema.names if name not in roles]
    if not names:
        raise DataError(f"There is no column to predict {brief(asked.target)} from.")
    _, rows = next(read_pieces(runs_of(stored.pieces)[0], names))
    used, remarks = usable_columns(dict(zip(names, rows.columns, strict=True)), {}, keep=asked.keep)
    for remark in remarks:
        note(remark)
    return [name for name in names if name not in used]
