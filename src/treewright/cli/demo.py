"""`treewright demo`: what treewright does, on a table that comes with it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from treewright.cli.screen import Screen

__all__ = ["command"]

_HELP = """Grow a tree on a bundled table of loans, show it and write its files.

Needs no network and no data of your own. What it writes goes into one folder, and running it again
writes the same files again.
"""
_TARGET = "repaid"
_LEAVES = 7
_SEED = 0  # of who is kept aside


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
    import numpy as np

    from treewright import datasets, recipes
    from treewright.cli.predict import prediction_columns
    from treewright.cli.scores import score_text
    from treewright.cli.screen import PLAIN_WIDTH, Screen
    from treewright.cli.tables import target_of
    from treewright.exceptions import WriteError, brief_path
    from treewright.files import atomic_write, write_table
    from treewright.schema import keep_rows

    if os.path.exists(folder) and not os.path.isdir(folder):
        raise WriteError(f"{brief_path(folder)} is a file, not a folder.")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise WriteError(f"The folder {brief_path(folder)} cannot be made: {reason}.") from error

    loans = datasets.load_loans()
    repaid = loans[_TARGET]
    known = {name: column for name, column in loans.items() if name != _TARGET}
    order = np.random.default_rng(_SEED).permutation(len(repaid))
    is_kept_aside = np.isin(np.arange(len(repaid)), order[: 3 * len(repaid) // 10]).astype(float)
    table, target, _ = keep_rows(known, repaid, 1 - is_kept_aside)
    new_table, truth, _ = keep_rows(known, repaid, is_kept_aside)

    model: Any = recipes.cart(readable=True, max_leaves=_LEAVES).fit(table, target)
    schema = model.schema_.with_target(_TARGET, model.schema_.classes)
    model._set_schema(schema.with_units(datasets.units("loans")))
    tree = model.tree_
    row_numbers = (np.flatnonzero(is_kept_aside) + 1).tolist()
    answers = prediction_columns(model, new_table, {"row": row_numbers, _TARGET: truth}, True)

    files = {
        "model.json": "the tree, to predict with",
        "tree.txt": "the tree as it is printed here",
        "rules.txt": "the rules, one a line",
        "predictions.csv": f"its answers for the {len(truth)} loans kept aside",
        "loans.csv": f"the whole table, {len(repaid):,} loans",
    }
    model.save(os.path.join(folder, "model.json"))
    with atomic_write(os.path.join(folder, "tree.txt")) as file:
        file.write(tree.to_text(width=PLAIN_WIDTH) + "\n")
    with atomic_write(os.path.join(folder, "rules.txt")) as file:
        file.write("\n".join(tree.rules()) + "\n")
    write_table(os.path.join(folder, "predictions.csv"), answers)
    write_table(os.path.join(folder, "loans.csv"), loans)

    screen = Screen()
    screen.line(f"{len(repaid):,} invented loans: which of them will be repaid?")
    screen.line(f"The tree is grown on {len(target)}; {len(truth)} are kept aside to test it.")
    screen.line()
    screen.tree(tree)
    screen.line()
    screen.line("The same as rules", "bold")
    screen.line()
    screen.rules(tree)
    screen.line()
    score = score_text(answers["prediction"], target_of(truth, _TARGET))
    screen.paragraph(f"On the loans kept aside: {score}.", "bold")
    screen.line()
    _say_what_next(screen, folder, files)


def _say_what_next(screen: Screen, folder: str, files: dict[str, str]) -> None:
    """List the files, and commands that use them."""
    from treewright.words import visible

    shown = visible(folder.rstrip("/") or folder)
    screen.line(f"Written to {shown}", "bold")
    longest = max(map(len, files))
    for name, what in files.items():
        screen.line(f"  {name:{longest}}  {what}")
    screen.line()
    screen.line("Try next", "bold")
    for words in (
        *_way_to_program(),
        f"cd {shlex.quote(shown)}",
        "treewright show model.json --max-depth 2",
        "treewright fit loans.csv --target interest_rate --drop repaid --max-leaves 6",
        "treewright predict model.json loans.csv --probabilities -o answers.csv",
        "treewright fit YOUR.csv --target COLUMN -o model.json",
    ):
        screen.line(f"  {words}")


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
