"""`treewright predict`: predictions of a saved tree for the rows of a table."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.large import is_large, is_parquet
from treewright.cli.reading import Reading, check_inputs, reading_options
from treewright.files.outputs import check_output

if TYPE_CHECKING:
    from treewright.cli.tables import Columns
    from treewright.schema import Schema

__all__ = ["command", "prediction_columns", "read_for"]

_HELP = """Predict each row of the table FILE with the tree in MODEL.

The output has a line for every row, in the same order: its number (or the columns named by --id)
and the prediction. FILE needs the columns that the tree reads only. If it holds the target too, the
accuracy is printed.

Parquet files are read and predicted part by part if OUT ends in .parquet, as it must where there
are several, a folder of them, or one of 256 MiB and more.

\b
Examples:
  treewright predict model.json new.csv -o predictions.csv
  treewright predict model.json new.csv --id customer --probabilities -o predictions.csv
  treewright predict model.json new/*.parquet --id customer -o predictions.parquet
"""


@click.command("predict", help=_HELP, short_help="Predict the rows of a table with a saved tree.")
@click.argument("model", metavar="MODEL")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT.csv",
    help="Where to write the predictions; for Parquet files OUT.parquet, too.",
)
@click.option("--probabilities", is_flag=True, help="Add a column with the probability of a class.")
@click.option(
    "--id",
    "identifiers",
    multiple=True,
    metavar="COLUMN",
    help="A column of FILE to copy instead of the row's number; may be given repeatedly.",
)
@reading_options
def command(
    model: str,
    files: tuple[str, ...],
    output: str,
    probabilities: bool,
    identifiers: tuple[str, ...],
    reading: Reading,
) -> None:
    """Run the command."""
    is_streamed = is_large(files) or (is_parquet(files[0]) and is_parquet(output))
    endings = [".parquet"] if is_streamed else [".csv", ".tsv", ".tab"]
    check_output(output, [model, *files], endings)
    check_inputs(*files, model=model)
    if is_streamed:
        _stream(model, files, output, probabilities, identifiers)
        return
    file = files[0]
    from treewright.base.progress import working
    from treewright.cli import tables
    from treewright.cli.console import Console, warnings_as_notes
    from treewright.cli.scores import score_text
    from treewright.exceptions import DataError
    from treewright.files import write_table
    from treewright.loading import load
    from treewright.words import visible

    with working("Reading the model"):
        estimator = load(model)
    schema = estimator.schema_
    if probabilities and schema.classes is None:
        raise DataError("This is a regression tree, which has no class probabilities.")
    table = read_for(schema, file, reading, copied=identifiers)
    copied = {name: tables.find_column(table, name, file) for name in identifiers}
    with warnings_as_notes(), working("Predicting"):
        columns = prediction_columns(estimator, table, copied, probabilities)
        write_table(output, columns)

    console = Console()
    n_rows = len(columns["prediction"])
    rows = "1 prediction" if n_rows == 1 else f"{n_rows:,} predictions"
    console.line(f"Wrote {visible(output)}: {rows}")
    target = schema.target
    if target is not None and target in table:
        try:
            truth = tables.target_of(table[target], target)
        except DataError:
            return  # not known yet, which is why they are predicted
        score = score_text(columns["prediction"], truth, ascii_only=console.ascii_only)
        console.line(score[0].upper() + score[1:], "bold")


def _stream(
    model: str, files: Sequence[str], output: str, probabilities: bool, identifiers: Sequence[str]
) -> None:
    """Predict part by part."""
    from treewright import bigdata
    from treewright.base.progress import working
    from treewright.cli.console import Console, warnings_as_notes
    from treewright.loading import load
    from treewright.words import visible

    with working("Reading the model"):
        estimator = load(model)
    with warnings_as_notes():
        n_rows = bigdata.predict(
            estimator, list(files), output, columns=identifiers, probabilities=probabilities
        )
    Console().line(
        f"Wrote {visible(output)}: {n_rows:,} predictions, read and written part by part"
    )


def read_for(schema: Schema, path: str, reading: Reading, *, copied: Sequence[str] = ()) -> Columns:
    """Read a table as the training table of a tree was read.

    Parameters
    ----------
    schema : Schema
        Of the tree.
    path : str
        The file.
    reading : Reading
        How to read it.
    copied : sequence of str, default ()
        Columns that are only copied, and keep their leading zeros.

    Returns
    -------
    dict of str to column
        All columns of the file.
    """
    from treewright.cli import tables

    numbers = {column.name for column in schema.columns if column.kind == "numeric"}
    # Codes that were text in training are text here, even if all of these look like numbers.
    text = [column.name for column in schema.columns if _is_text(column.levels)]
    text += set(copied).difference(schema.names)
    if schema.target is not None and _is_text(schema.classes or ()):
        text.append(schema.target)
    elif schema.target is not None:
        numbers.add(schema.target)
    numbers.difference_update(text)
    forms = {name: form for name, form in schema.forms.items() if name in numbers}
    table = tables.read(path, reading, text=text, forms=forms)
    typed = numbers.union(schema.names).difference(text)  # booleans may be text still
    others = [name for name in table if name not in typed]
    return tables.as_numbers(table, reading, path, text=others, forms=forms)[0]


def prediction_columns(
    estimator: Any, table: Columns, copied: Columns, probabilities: bool
) -> Columns:
    """Make the table of predictions: who, what, and how probable."""
    from treewright.exceptions import DataError, UnseenLevelWarning, brief

    predicted = estimator.predict(table)
    columns: dict[str, Any] = dict(copied)
    if not columns:
        columns["row"] = list(range(1, len(predicted) + 1))
    further: dict[str, Any] = {"prediction": predicted}
    if probabilities:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnseenLevelWarning)  # said once already
            shares = estimator.predict_proba(table)
        for place, label in enumerate(estimator.schema_.classes):
            further[f"probability_{label}"] = shares[:, place]
    for name in further:
        if name in columns:
            raise DataError(f"The column {brief(name)} is part of the output; do not copy it.")
    return {**columns, **further}


def _is_text(levels: Sequence[Any]) -> bool:
    return any(isinstance(level, str) for level in levels)
