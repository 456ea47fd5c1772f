"""The work of `treewright fit`: from a table to a tree that is shown, measured and saved."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import click

from treewright.base.progress import working
from treewright.base.tasks import Task, is_regression
from treewright.cli import tables
from treewright.cli.asked import Asked
from treewright.cli.columns import usable_columns
from treewright.cli.console import Console, note, shown_depth, warnings_as_notes
from treewright.cli.finding import find, parameters_of, seeking, tell
from treewright.cli.large import is_large
from treewright.cli.scores import cross_validated_text, score_text
from treewright.cli.search_line import searching
from treewright.cli.tables import Columns, Target
from treewright.exceptions import DataError, brief
from treewright.methods import make, takes_features, tasks_of
from treewright.prune import PRUNERS, as_pruner, merge_siblings
from treewright.reports.making import remember_forms
from treewright.schema import NumberForm
from treewright.splits import CARDS
from treewright.words import visible

__all__ = ["fit_and_show"]

_MOST_LINES = 60  # of a tree that is shown whole
_NO_LIMIT = 1_000_000_000  # more than any tree has, and small enough for the core


@dataclass(frozen=True)
class _Data:
    """What is learned from: the usable columns, the target, and how numbers were written."""

    table: Columns
    goal: Target
    weights: Any
    forms: Mapping[str, NumberForm]
    task: Task
    why: str  # this task
    remarks: list[str]


def fit_and_show(asked: Asked) -> None:
    """Grow the tree that was asked for, save it and show it.

    Parameters
    ----------
    asked : Asked
        The options.
    """
    _check_method_takes_features(asked)
    if asked.is_readable:
        parameters_of(asked)  # refuses what readable trees cannot be told
    if is_large(asked.files):
        _stream_and_show(asked)
        return
    data = _read(asked)
    _check_task(asked, data)
    table, left_out = usable_columns(data.table, asked.reading.types, keep=asked.keep)
    data = replace(data, table=table)
    held_out = None if asked.test is None else _read_test(asked, asked.test, data)
    for remark in (*data.remarks, *left_out, *tables.similar_classes(data.goal)):
        note(remark)
    console = Console()
    if asked.task == "auto":
        console.paragraph(data.why)
        console.line()
        sys.stdout.flush()  # growing may take a while
    with warnings_as_notes():
        model = _fit(asked, data)
        answer = None if held_out is None else model.predict(held_out[0])
    _save_and_show(console, asked, model, answer, None if held_out is None else held_out[1])


def _stream_and_show(asked: Asked) -> None:
    """Do the same where rows are read part by part."""
    from treewright.cli.predict import read_for
    from treewright.cli.streaming import exactness_line, fit_streamed

    make_model = _growing
    if asked.is_readable:
        make_model = seeking
    elif asked.card.is_search:
        make_model = _searching
    console = Console()
    with warnings_as_notes():
        model = fit_streamed(asked, console, lambda task: make_model(asked, task, None))
        if make_model is _growing:
            model.tree_ = merge_siblings(model.tree_)
        answer, truth = None, None
        if asked.test is not None:
            table = read_for(model.schema_, asked.test, asked.reading)
            goal = tables.find_column(table, asked.target, asked.test)
            answer, truth = model.predict(table), tables.target_of(goal, asked.target)
    _save_and_show(console, asked, model, answer, truth)
    console.line()
    console.paragraph(exactness_line(model))


def _save_and_show(
    console: Console, asked: Asked, model: Any, answer: Any, truth: Target | None
) -> None:
    """Save the tree and show it, with how well it does on the second table if there is one."""
    if asked.output is not None:  # before it is shown, lest `| head` lose it
        model.save(asked.output)
    _show(console, model, asked.output)
    if asked.is_readable:
        tell(console, model, asked.output)
    elif validated := cross_validated_text(model, ascii_only=console.ascii_only):
        console.line()
        console.paragraph(validated, "bold")
    if truth is not None and answer is not None:
        score = score_text(answer, truth, ascii_only=console.ascii_only)
        console.line()
        console.paragraph(f"On {visible(str(asked.test))}: {score}.", "bold")
    if not asked.is_readable:
        _say_how_it_ended(console, asked, model)
    if asked.output is not None:
        console.line()
        console.line(f"Wrote {visible(asked.output)}")


# ---------------------------------------------------------------------------- reading and checking


def _check_method_takes_features(asked: Asked) -> None:
    if asked.features is not None and not takes_features(asked.card):
        known = [card.command for card in _offered() if takes_features(card)]
        raise click.UsageError(f"--features is for --method {_listed(known, 'and')}.")


def _read(asked: Asked) -> _Data:
    """Read the table to learn from, and decide what is learned."""
    target, weights = asked.target, asked.weights
    table = tables.read_files(asked.files, asked.reading, text=asked.text, seed=asked.seed or 0)
    named = (target, *asked.drop, *asked.keep, *asked.text, *([] if weights is None else [weights]))
    for name in named:
        tables.find_column(table, name, asked.file)
    if target in (*asked.drop, weights):
        raise DataError(f"The target {brief(target)} can neither be dropped nor be the weights.")
    table, n_unknown = tables.drop_unknown(table, target)
    table = {name: column for name, column in table.items() if name not in asked.drop}
    table, forms = tables.as_numbers(table, asked.reading, asked.file, text=asked.text)
    goal = tables.target_of(table.pop(target), target)
    row_weights = None if weights is None else tables.weights_of(table.pop(weights), weights)
    if not table:
        raise DataError(f"There is no column to predict {brief(target)} from.")
    table, goal, row_weights, remarks = tables.keep_known(table, goal, row_weights, n_unknown)
    task, why = tables.choose_task(goal, asked.task)
    return _Data(table, goal, row_weights, forms, task, why, remarks)


def _read_test(asked: Asked, path: str, data: _Data) -> tuple[Columns, Target]:
    """Read the table to measure on, which has the columns of the training table."""
    name = data.goal.name
    is_text = data.goal.cells.kind in ("categorical", "ordinal")
    as_text = (*asked.text, name) if is_text else asked.text
    table = tables.read(path, asked.reading, text=as_text, forms=data.forms)
    for column in (*data.table, name):
        tables.find_column(table, column, path)
    table = {column: table[column] for column in (*data.table, name)}
    table, _ = tables.as_numbers(table, asked.reading, path, text=as_text, forms=data.forms)
    return table, tables.target_of(table[name], name)


def _check_task(asked: Asked, data: _Data) -> None:
    """Refuse a method or a pruner that knows classes only where numbers are predicted."""
    if not is_regression(data.task):
        return
    shown = brief(asked.target)
    if data.task not in tasks_of(asked.card):
        known = [card.command for card in _offered() if data.task in tasks_of(card)]
        raise DataError(
            f"{asked.card.title} predicts classes, and the target {shown} holds numbers; use "
            f"--method {_listed(known, 'or')}, or --task classification if they are whole numbers "
            "that stand for classes."
        )
    if asked.abstain_cost is not None:
        raise DataError(
            f"--abstain-cost is for classification, and {shown} is a numeric target; leave it out, "
            "or use --task classification if its numbers stand for classes."
        )
    pruner = PRUNERS.get(asked.prune.replace("-", "_"))
    if pruner is not None and not pruner.for_numbers:
        raise DataError(
            f"--prune {asked.prune} is for classification, and {shown} is a numeric target; use "
            "--prune cost-complexity, or --task classification if they stand for classes."
        )


def _offered() -> list[Any]:
    return [card for card in CARDS if card.use == "trees"]


def _listed(words: list[str], conjunction: str) -> str:
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


# ---------------------------------------------------------------------------- fitting


def _fit(asked: Asked, data: _Data) -> Any:
    """Grow or search for the tree."""
    if asked.is_readable:
        fitted = find(asked, data.task, data.table, data.goal.column, data.weights)
    else:
        fitted = (_search if asked.card.is_search else _grow)(asked, data)
    fitted._set_schema(fitted.schema_.with_target(data.goal.name, fitted.schema_.classes))
    remember_forms(fitted, data.forms, {})
    return fitted


def _grow(asked: Asked, data: _Data) -> Any:
    with working("Growing the tree") as progress:
        model = _growing(asked, data.task, progress)
        model.fit(data.table, data.goal.column, sample_weight=data.weights)
        model.tree_ = merge_siblings(model.tree_)
        return model


def _growing(asked: Asked, task: Task, progress: Any) -> Any:
    """Make the estimator that grows the tree."""
    parameters = _parameters(asked)
    if asked.max_leaves is not None:
        parameters["max_leaf_nodes"] = min(asked.max_leaves, _NO_LIMIT)
    if asked.min_samples_leaf is not None:
        # A node is then split whenever its branches can be leaves.
        parameters["min_samples_split"] = 2 * asked.min_samples_leaf
    if asked.features is not None:
        parameters["features"] = asked.features if asked.features == "all" else int(asked.features)
    if asked.seed is not None:
        parameters["random_state"] = asked.seed
    if asked.prune != "auto":
        parameters["prune"] = None if asked.prune == "none" else asked.prune.replace("-", "_")
    model = make(asked.card, task, readable=True, progress=progress, **parameters)
    pruner = as_pruner(model.prune)
    if asked.prune == "auto" and pruner is not None and pruner.holds_out:
        model.set_params(prune="cost_complexity")  # all rows grow the tree here
    return model


def _search(asked: Asked, data: _Data) -> Any:
    with searching() as progress:
        model = _searching(asked, data.task, progress)
        return model.fit(data.table, data.goal.column, sample_weight=data.weights)


def _searching(asked: Asked, task: Task, progress: Any) -> Any:
    """Make the estimator that searches for the tree."""
    parameters = _parameters(asked)
    if asked.max_leaves is not None:
        parameters["max_nodes"] = min(asked.max_leaves, _NO_LIMIT) - 1
    return make(asked.card, task, progress=progress, **parameters)


def _parameters(asked: Asked) -> dict[str, Any]:
    """Return the limits that were given; others are left to the method, which may have its own."""
    limits = {"max_depth": asked.max_depth, "time_limit": asked.time_limit}
    parameters: dict[str, Any] = {
        name: min(limit, _NO_LIMIT) for name, limit in limits.items() if limit is not None
    }
    if asked.min_samples_leaf is not None:
        parameters["min_samples_leaf"] = asked.min_samples_leaf
    if asked.abstain_cost is not None:
        parameters["abstain_cost"] = asked.abstain_cost
    return parameters


# ---------------------------------------------------------------------------- showing


def _say_how_it_ended(console: Console, asked: Asked, model: Any) -> None:
    """Say what was proved of a search, or that nothing was found to split by."""
    if asked.card.is_search:
        console.line()
        console.paragraph(str(model.certificate_).replace("\n", " "))
    elif model.tree_.n_leaves == 1 and not model.stopped_by_time_limit_:
        note(f"No split was found worth making, so the tree is one leaf{_hint(model)}")


def _hint(model: Any) -> str:
    """Say what may find a split after all."""
    if model.prune is not None:
        return "; try --prune none"
    return "; try --min-samples-leaf 1" if model.min_samples_leaf != 1 else "."


def _show(console: Console, model: Any, output: str | None) -> None:
    """Print the tree, or the top of a large one."""
    tree = model.tree_
    depth = shown_depth(tree, _MOST_LINES)
    console.tree(tree, max_depth=depth)
    if depth is not None:
        console.line()
        place = "MODEL.json" if output is None else visible(output)
        console.paragraph(
            f"This is the top of the tree, to depth {depth} of {tree.depth}. All of it: treewright "
            f"show {place}; a shorter one: --max-leaves 20."
        )
