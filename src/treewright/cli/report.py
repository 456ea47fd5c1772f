"""`treewright report`: from a table to readable trees and one page about them."""

from __future__ import annotations

import glob
import math
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from treewright.base.tasks import ASKED_TASKS, AskedTask, is_regression
from treewright.cli.reading import Reading, check_inputs, reading_options
from treewright.files.outputs import check_output
from treewright.files.paths import STANDARD_INPUT
from treewright.splits import CARDS, DEFAULT

__all__ = ["command"]

_HELP = """Find readable trees for the table FILE, and write one page about them.

Columns are looked at first: what each seems to be, where much is missing, which may leak the
target. A quarter of the rows is a hold-out set. The best readable tree is found on the rest, and
three families of trees beside it; cross-validation chooses their sizes. The page needs no network
and no program but a browser; the model is for treewright predict, show, explain and export.

Of several Parquet files, a folder of them, or one of 256 MiB and more a random sample of 100,000
rows is taken.

\b
Examples:
  treewright report loans.csv --target repaid
  treewright report loans.csv --target repaid --positive no --cost no:yes=5
  treewright report houses.parquet --target price --drop address --type district=category
  treewright report patients.xlsx --target outcome --no-data -o outcome.html
"""
_METHODS = [card.name for card in CARDS if card.report is not None]


@click.command("report", help=_HELP, short_help="Find readable trees for a table; one page.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--target", required=True, metavar="COLUMN", help="The column to predict.")
@click.option(
    "-o",
    "--output",
    metavar="PAGE.html",
    help="Where the page goes; the model goes beside it. By default NAME.report.html and "
    "NAME.model.json in this folder, after the name of FILE.",
)
@click.option(
    "--unit",
    "units",
    multiple=True,
    metavar="COLUMN=UNIT",
    help="The unit of a numeric column, for reading; may be given repeatedly.",
)
@click.option(
    "--drop", multiple=True, metavar="COLUMN", help="A column not to use; may be given repeatedly."
)
@click.option(
    "--keep",
    multiple=True,
    metavar="COLUMN",
    help="A column to use though it seems to tell nothing of new rows, such as names of rows; may "
    "be given repeatedly.",
)
@click.option("--positive", metavar="CLASS", help="The class that matters most, shown first.")
@click.option(
    "--cost",
    "costs",
    multiple=True,
    metavar="TRUE:PREDICTED=COST",
    help="What it costs to predict the class PREDICTED where TRUE is right; errors not named "
    "cost 1. May be given repeatedly.",
)
@click.option(
    "--method",
    type=click.Choice(_METHODS),
    default=DEFAULT.name,
    show_default=True,
    help="The family to recommend: readable (the best tree of at most eight leaves), cart (one "
    "column per split), must (linear combinations of a few columns) or optimal (the best tree of "
    "depth 3). The others stand beside it.",
)
@click.option(
    "--features",
    type=click.Choice(["2", "3"]),
    default="2",
    show_default=True,
    help="Columns in a linear combination of must.",
)
@click.option(
    "--task",
    type=click.Choice(ASKED_TASKS),
    default="auto",
    show_default=True,
    help="What to predict; auto takes text, booleans and up to 10 whole numbers as classes.",
)
@click.option(
    "--max-leaves",
    type=click.IntRange(min=2),
    default=12,
    show_default=True,
    metavar="N",
    help="The largest tree to recommend; that of readable has 8 leaves at most.",
)
@click.option(
    "--test-share",
    type=click.FloatRange(0.0, 0.9, min_open=True),
    default=0.25,
    show_default=True,
    metavar="PROPORTION",
    help="Proportion of the rows in the hold-out set.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="For the search of optimal trees; growing the others is not limited.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    default=0,
    show_default=True,
    metavar="N",
    help="Of the hold-out set, the folds and the bootstrap samples.",
)
@click.option("--no-data", is_flag=True, help="Leave values of single rows out of the page.")
@reading_options
def command(
    files: tuple[str, ...],
    target: str,
    output: str | None,
    units: tuple[str, ...],
    drop: tuple[str, ...],
    keep: tuple[str, ...],
    positive: str | None,
    costs: tuple[str, ...],
    method: Any,
    features: str,
    task: AskedTask,
    max_leaves: int,
    test_share: float,
    time_limit: float,
    seed: int,
    no_data: bool,
    reading: Reading,
) -> None:
    """Run the command."""
    if math.isnan(time_limit) or math.isnan(test_share):
        raise click.UsageError("--time-limit and --test-share take numbers. Got nan.")
    file = files[0]
    page = output or f"{_stem(file)}.report.html"
    model = f"{page.removesuffix('.html').removesuffix('.htm').removesuffix('.report')}.model.json"
    check_output(page, files, [".html", ".htm"])
    check_output(model, [*files, page], [".json"])
    check_inputs(*files)
    kinds, named_units = reading.types, _read_units(units)
    from treewright.base.progress import working
    from treewright.cli import tables
    from treewright.cli.classes import read_class, read_costs
    from treewright.cli.console import Console, note
    from treewright.cli.reporting import say_what_was_found, write_report
    from treewright.reports import Settings, infer_columns
    from treewright.words import visible

    table = tables.read_files(files, reading, seed=seed)
    for name in (target, *drop, *keep, *kinds, *named_units):
        tables.find_column(table, name, file)
    if target in (*drop, *keep, *kinds, *named_units):
        raise click.UsageError(
            "--drop, --keep, --type and --unit are for columns beside the target."
        )
    table, n_unknown = tables.drop_unknown(table, target)
    table, forms = tables.as_numbers(table, reading, file, text=drop)
    goal = tables.target_of(table[target], target)
    chosen, why = tables.choose_task(goal, task)
    if is_regression(chosen) and (positive is not None or costs):
        raise click.UsageError(
            "--positive and --cost are for classification, and the task is regression."
        )
    others = {name: column for name, column in table.items() if name != target}
    others, goal, _, remarks = tables.keep_known(others, goal, None, n_unknown)
    symbols = {name: form.symbol for name, form in forms.items() if form.symbol and name != target}
    settings = Settings(
        method=method,
        features=int(features),
        max_leaves=max_leaves,
        test_share=test_share,
        seed=seed,
        time_limit=time_limit,
        types=kinds,
        units={**symbols, **named_units},
        drop=drop,
        keep=keep,
        positive=None if positive is None else read_class(positive, goal.values, "--positive"),
        costs=read_costs(costs, goal.values),
        with_rows=not no_data,
    )
    with working("Looking at the columns"):
        columns = infer_columns(others, settings)
    for remark in (*remarks, *tables.similar_classes(goal)):
        note(remark)
    console = Console()
    title = "Standard input" if file == STANDARD_INPUT else os.path.basename(_folder_name(file))
    console.paragraph(f"{visible(title)}: {len(goal.column):,} rows. {why}")
    sys.stdout.flush()  # the rest takes a while
    analysis = write_report(
        others,
        goal,
        settings,
        title=title,
        is_regression=is_regression(chosen),
        columns=columns,
        forms=forms,
        page=page,
        model=model,
    )
    say_what_was_found(console, analysis, page, model)


def _stem(path: str) -> str:
    """Return the name of a file without its folder and its ending; none of a pattern of names."""
    if path == STANDARD_INPUT or (glob.has_magic(path) and not os.path.exists(path)):
        return "table"
    name = os.path.basename(_folder_name(path)).removesuffix(".gz").removesuffix(".GZ")
    return os.path.splitext(name)[0]


def _folder_name(path: str) -> str:
    """Return a path without the slash that may stand behind the name of a folder."""
    return path.rstrip(os.sep) or path


def _read_units(given: Sequence[str]) -> dict[str, str]:
    """Read the units of columns."""
    units = {}
    for words in given:
        name, mark, unit = words.partition("=")
        if not mark or not unit.strip():
            raise click.UsageError(f"--unit takes COLUMN=UNIT. Got {words!r}.")
        units[name] = unit
    return units
