"""`treewright demo`: what treewright does, on a table that comes with it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from treewright.cli.console import Console

__all__ = ["command"]

_HELP = """Make the report on a bundled table of households, and show its tree.

Needs no network and no data of your own, and opens nothing. What it writes goes into one folder,
and running it again writes the same files again.
"""
_TABLE, _TARGET = "households", "behind"
_SEED = 2  # divides the rows so that the tree has 4 leaves, as it has with most seeds
_QUESTION = (
    "{rows:,} invented households with a loan: which of them fall behind with it? It depends on "
    "what is left of the income, which no column says by itself."
)


@click.command("demo", help=_HELP, short_help="See what it does, on a table that comes with it.")
@click.option(
    "--folder",
    default="treewright-demo",
    show_default=True,
    metavar="DIR",
    help="Where the files go; made if it is not there.",
)
def command(folder: str) -> None:
    """Run the command."""
    from treewright import datasets
    from treewright.cli.console import Console
    from treewright.cli.reporting import say_what_was_found, write_report
    from treewright.cli.tables import target_of
    from treewright.exceptions import WriteError, brief_path
    from treewright.files import write_table
    from treewright.reports import Settings, infer_columns

    if os.path.exists(folder) and not os.path.isdir(folder):
        raise WriteError(f"{brief_path(folder)} is a file, not a folder.")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise WriteError(f"The folder {brief_path(folder)} cannot be made: {reason}.") from error

    households = datasets.load_households()
    table, page, model = (
        os.path.join(folder, name)
        for name in (f"{_TABLE}.csv", f"{_TABLE}.report.html", f"{_TABLE}.model.json")
    )
    write_table(table, households)
    behind = target_of(households.pop(_TARGET), _TARGET)
    settings = Settings(seed=_SEED, units=datasets.units(_TABLE))
    analysis = write_report(
        households,
        behind,
        settings,
        title=f"{_TABLE}.csv",
        is_regression=False,
        columns=infer_columns(households, settings),
        forms={},
        page=page,
        model=model,
    )
    console = Console()
    console.paragraph(_QUESTION.format(rows=len(behind.column)))
    console.line()
    console.tree(analysis.estimator.tree_)
    console.line()
    say_what_was_found(console, analysis, page, model)
    console.line()
    _say_what_next(console, folder)


def _say_what_next(console: Console, folder: str) -> None:
    """List commands that use what was written."""
    from treewright.words import visible

    shown = visible(folder.rstrip("/") or folder)
    console.line("Try next", "bold")
    for words in (
        *_way_to_program(),
        f"cd {shlex.quote(shown)}",
        f"treewright show {_TABLE}.model.json --rules",
        f"treewright explain {_TABLE}.model.json --row income=2500 --row housing=900 "
        "--row instalment=700",
        f"treewright export {_TABLE}.model.json --to sql",
        "treewright methods",
        "treewright report YOUR.csv --target COLUMN",
    ):
        console.line(f"  {words}")


def _way_to_program() -> list[str]:
    """Say how to call this program, if the shell would not find it by its name."""
    program = os.path.abspath(sys.argv[0])
    found = shutil.which("treewright")
    if os.path.basename(program) != "treewright" or (
        found is not None and os.path.realpath(found) == os.path.realpath(program)
    ):
        return []
    from treewright.words import visible

    return [f"alias treewright={shlex.quote(visible(program))}"]
