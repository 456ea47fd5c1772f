"""From a table to a page in one call."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

from treewright.base.progress import working
from treewright.base.tasks import ASKED_TASKS, AskedTask, is_regression
from treewright.exceptions import DataError, brief
from treewright.files import read_numbers, read_table
from treewright.files.outputs import check_output
from treewright.page import write_page
from treewright.reports.analysis import Analysis, analyse, quietly
from treewright.reports.columns import InferredColumn, infer_columns
from treewright.reports.fitting import Working
from treewright.reports.settings import Settings
from treewright.reports.target import (
    Columns,
    Target,
    choose_task,
    drop_unknown,
    keep_known,
    target_of,
)
from treewright.schema import NumberForm
from treewright.schema.frames import read_frame

__all__ = ["remember_forms", "report", "write_page_about"]


def report(
    data: Any,
    target: str,
    output: str | os.PathLike[str],
    *,
    task: AskedTask = "auto",
    title: str | None = None,
    **settings: Any,
) -> Analysis:
    """Find readable trees for a table, and write one page about them.

    It does what ``treewright report`` does: the columns are looked at, a part of the rows is a
    hold-out set, the best readable tree is found on the others and three families of trees beside
    it, cross-validation chooses their sizes, and the hold-out set evaluates them. The page needs no
    network and no program but a browser. On a terminal and in a notebook a bar shows the progress.

    Parameters
    ----------
    data : data frame, dict of columns, list of dicts, or path
        The table, or a file with one: .csv, .json, .parquet, .xlsx and others.
    target : str
        The column to predict.
    output : str or path
        Where the page goes. It is there as a whole or not at all.
    task : {"auto", "classification", "regression"}, default "auto"
        What to predict; "auto" takes text, booleans and up to 10 whole numbers as classes.
    title : str or None, default None
        What the page is called; None is the name of the file, or that of the target.
    **settings
        Fields of :class:`treewright.reports.Settings`: `method`, `features`, `max_leaves`,
        `test_share`, `seed`, `time_limit`, `types`, `units`, `drop`, `keep`, `positive`, `costs`
        and `with_rows`.

    Returns
    -------
    Analysis
        Its `estimator` is the recommended tree, fitted; `families` are all trees, `frontier` those
        that are not dominated, `evidence` what held-out rows say of the recommended one; `content`
        is what the page shows, and `columns` what each column was taken for.

    Raises
    ------
    DataError
        If there is no such column, or nothing can be learned from the table.
    ValueError
        If a setting has a value that is not allowed.

    See Also
    --------
    TreeClassifier.report : The page about a model that is fitted already.

    Examples
    --------
    >>> import treewright
    >>> loans = treewright.datasets.load_loans()
    >>> found = treewright.report(loans, "repaid", "loans.html", drop=["interest_rate"])
    >>> found.estimator.tree_.n_leaves <= 8
    True
    >>> [family.name for family in found.families][:2], found.evidence.rows
    (['The best readable tree', 'One column per question'], 250)
    """
    chosen = _settings(settings)
    inputs = [os.fspath(data)] if isinstance(data, str | os.PathLike) else []
    check_output(os.fspath(output), inputs, [".html", ".htm"])
    if task not in ASKED_TASKS:
        raise ValueError(
            f"The 'task' of a report must be one of {', '.join(map(repr, ASKED_TASKS))}. Got "
            f"{brief(task)}."
        )
    table, name = _columns(data, chosen)
    _check_columns(table, target, chosen)
    table, n_unknown = drop_unknown(table, target)
    forms: dict[str, NumberForm] = {}
    if name is not None:
        others = [column for column, kind in chosen.types.items() if kind != "number"]
        numbers = [column for column, kind in chosen.types.items() if kind == "number"]
        table, forms = read_numbers(table, numbers=numbers, text={*others, *chosen.drop})
    goal = target_of(table.pop(target), target)
    found_task, _ = choose_task(goal, task)
    table, goal, _, _ = keep_known(table, goal, None, n_unknown)
    _check_classes(goal, chosen, is_regression=is_regression(found_task))
    symbols = {column: form.symbol for column, form in forms.items() if form.symbol}
    symbols.pop(target, None)
    chosen = dataclasses.replace(chosen, units={**symbols, **chosen.units})
    return write_page_about(
        table,
        goal,
        chosen,
        title=title or name or target,
        is_regression=is_regression(found_task),
        columns=infer_columns(table, chosen),
        forms=forms,
        page=os.fspath(output),
        working=working,
    )


def write_page_about(
    table: Mapping[str, Any],
    target: Target,
    settings: Settings,
    *,
    title: str,
    is_regression: bool,
    columns: list[InferredColumn],
    forms: Mapping[str, NumberForm],
    page: str,
    working: Working = quietly,
) -> Analysis:
    """Analyse a table and write the page.

    Parameters
    ----------
    table : dict of str to column
        All columns but the target.
    target : Target
        What to predict, known in every row.
    settings : Settings
        What the user chose.
    title : str
        What the page is called.
    is_regression : bool
        Whether the target is a number.
    columns : list of InferredColumn
        What the columns were taken for.
    forms : mapping of str to NumberForm
        How numbers of some columns were written, for the model to remember.
    page : str
        Where the page goes.
    working : callable
        ``working(words)`` is a context that shows progress.

    Returns
    -------
    Analysis
        What was found.
    """
    analysis = analyse(
        table,
        target.column,
        target=target.name,
        title=title,
        is_regression=is_regression,
        columns=columns,
        settings=settings,
        working=working,
    )
    with working("Writing the page"):
        write_page(analysis.content, page)
        remember_forms(analysis.estimator, forms, settings.units)
    return analysis


def remember_forms(model: Any, forms: Mapping[str, NumberForm], units: Mapping[str, str]) -> None:
    """Let a model know how numbers were written, for new files, and their symbols as units.

    Parameters
    ----------
    model : estimator
        Fitted; its schema is replaced.
    forms : mapping of str to NumberForm
        By the name of the column.
    units : mapping of str to str
        Units that were given, which count more than symbols.
    """
    schema = model.schema_
    known = {name: form for name, form in forms.items() if name in (*schema.names, schema.target)}
    if not known:
        return
    symbols = {
        name: form.symbol
        for name, form in known.items()
        if form.symbol and name in schema.names and name not in units
    }
    model._set_schema(schema.with_units(symbols).with_forms(known))


def _settings(given: Mapping[str, Any]) -> Settings:
    known = [field.name for field in dataclasses.fields(Settings)]
    unknown = [name for name in given if name not in known]
    if unknown:
        raise TypeError(
            f"report() has no parameter {unknown[0]!r}; it has task, title, {', '.join(known)}."
        )
    return Settings(**given)


def _columns(data: Any, settings: Settings) -> tuple[Columns, str | None]:
    """Return the columns of a table, and the name of its file if it comes from one."""
    if isinstance(data, str | os.PathLike):
        path = os.fspath(data)
        text = [column for column, kind in settings.types.items() if kind == "category"]
        return dict(read_table(path, text=text)), os.path.basename(path)
    frame = read_frame(data)
    if frame.names is None:
        raise DataError("A report needs names of columns: give a data frame or a dict of columns.")
    return dict(zip(frame.names, frame.columns, strict=True)), None


def _check_columns(table: Columns, target: str, settings: Settings) -> None:
    beside = (*settings.drop, *settings.keep, *settings.types, *settings.units)
    for name in (target, *beside):
        if name not in table:
            raise DataError(
                f"The table has no column {brief(name)}; it has "
                f"{', '.join(map(brief, list(table)[:10]))}{', ...' * (len(table) > 10)}."
            )
    if target in beside:
        raise DataError("'drop', 'keep', 'types' and 'units' are for columns beside the target.")


def _check_classes(goal: Target, settings: Settings, *, is_regression: bool) -> None:
    named = [] if settings.positive is None else [settings.positive]
    named += [label for pair in settings.costs for label in pair]
    if named and is_regression:
        raise DataError(
            "'positive' and 'costs' are for classification, and the task is regression."
        )
    for label in named:
        if label not in goal.values:
            raise DataError(
                f"'positive' or 'costs' name a class {brief(label)} that {brief(goal.name)} does "
                f"not have; it has {', '.join(map(brief, goal.values[:10]))}."
            )
