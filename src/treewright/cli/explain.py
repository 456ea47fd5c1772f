"""`treewright explain`: why a saved tree predicts what it does for one row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from treewright.cli.reading import Reading, check_inputs, reading_options

if TYPE_CHECKING:
    from treewright.schema import Column, NumberForm, Schema
    from treewright.tree import Tree

__all__ = ["command"]

_HELP = """Explain the prediction of the tree in MODEL for one row.

The row is given value by value, or is a row of the table FILE, or both: then the values given
replace those of the file. What is not given counts as not known. FILE needs the columns that the
tree reads only.

\b
Examples:
  treewright explain model.json --row age=42 --row home=rent
  treewright explain model.json new.csv --number 3
  treewright explain model.json new.csv --number 3 --row age=50 --fixed home
"""


@click.command("explain", help=_HELP, short_help="Explain the prediction for one row.")
@click.argument("model", metavar="MODEL")
@click.argument("file", metavar="[FILE]", required=False)
@click.option(
    "--row",
    "cells",
    multiple=True,
    metavar="COLUMN=VALUE",
    help="A value of the row; an empty one is not known. May be given repeatedly.",
)
@click.option(
    "--number", type=click.IntRange(min=1), metavar="N", help="Which row of FILE; the first is 1."
)
@click.option(
    "--fixed",
    multiple=True,
    metavar="COLUMN",
    help="A column that cannot change in the counterfactual. May be given repeatedly.",
)
@reading_options
def command(
    model: str,
    file: str | None,
    cells: tuple[str, ...],
    number: int | None,
    fixed: tuple[str, ...],
    reading: Reading,
) -> None:
    """Run the command."""
    if file is None and number is not None:
        raise click.UsageError("--number is the number of a row of FILE; name the file.")
    if file is None and not cells:
        raise click.UsageError("Give the row, by --row COLUMN=VALUE or as a row of a FILE.")
    check_inputs(others=(file,), model=model)
    from treewright.base.progress import working
    from treewright.cli.console import Console
    from treewright.exceptions import DataError
    from treewright.explain import explain_row
    from treewright.modelfile import read_model

    with working("Reading the model"):
        content = read_model(model)
    if content.forest is not None or content.rules is not None:
        what = "a forest" if content.forest is not None else "rules"
        raise DataError(
            f"This model predicts by {what}; only predictions of one tree are explained."
        )
    schema = content.tree.schema
    row: dict[str, Any] = dict.fromkeys(schema.names)
    if file is not None:
        row.update(_row_of_file(file, content.tree, 1 if number is None else number, reading))
    for cell in cells:
        column, text = _parted(cell, schema)
        row[column.name] = _value(column, text, schema.forms.get(column.name))
    explanation = explain_row(content.tree, row, fixed=fixed)
    console = Console()
    headline, *lines = explanation.lines()
    console.paragraph(headline, "bold")
    for line in lines:
        console.paragraph(line) if line else console.line()


def _row_of_file(file: str, tree: Tree, number: int, reading: Reading) -> dict[str, Any]:
    """Read one row of a table by the columns that a tree reads."""
    from treewright.cli import tables
    from treewright.cli.predict import read_for
    from treewright.exceptions import DataError
    from treewright.words import plural

    read = [tree.schema.columns[index] for index in tree.columns_read]
    table = read_for(tree.schema, file, reading)
    n_rows = len(next(iter(table.values())))
    if number > n_rows:
        raise DataError(f"There is no row {number}; the table has {plural(n_rows, 'row')}.")
    row = {}
    for column in read:
        cell = tables.find_column(table, column.name, file)[number - 1]
        cell = cell.as_py() if hasattr(cell, "as_py") else cell
        row[column.name] = cell.item() if hasattr(cell, "item") else cell
    return row


def _parted(cell: str, schema: Schema) -> tuple[Column, str]:
    """Part COLUMN=VALUE at the last mark before which the name of a column stands."""
    places = [place for place, mark in enumerate(cell) if mark == "="]
    if not places:
        raise click.UsageError(f"--row takes COLUMN=VALUE. Got {cell[:60]!r}.")
    place = next((p for p in reversed(places) if cell[:p] in schema.names), places[0])
    return schema.columns[schema.index(cell[:place])], cell[place + 1 :]


def _value(column: Column, text: str, form: NumberForm | None) -> Any:
    """Read a value that was typed; None if it is empty."""
    from treewright.exceptions import DataError, brief
    from treewright.tree.tree_text import class_text

    if not text:
        return None
    if column.kind != "numeric":
        for level in column.levels:
            if text in (str(level), class_text(level)):
                return level
        known = ", ".join(brief(level) for level in column.levels[:10])
        raise DataError(
            f"Column {brief(column.name)} has no level {brief(text)}; it has {known}"
            f"{', ...' if len(column.levels) > 10 else ''}."
        )
    if form is not None and form.read(text) is not None:
        return form.read(text)
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise DataError(f"Column {brief(column.name)} holds numbers. Got {brief(text)}.") from None
