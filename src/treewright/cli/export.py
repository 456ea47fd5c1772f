"""`treewright export`: a saved tree in another language."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from treewright.cli.reading import check_inputs
from treewright.files.outputs import check_output

__all__ = ["command"]

_HELP = """Write the tree in MODEL in another language.

Code that is written, such as SQL, Python or C, predicts exactly as the tree does, also where values
are missing.

\b
Languages and their options:
  json, python, javascript, pmml, onnx, dot
  sql              table=NAME schema=NAME probabilities=true
  c                prefix=NAME
  text             width=N missing=false ascii_only=true
  rules, markdown  order=reading, rows, certainty or answer
  mermaid          direction=LR
  latex            document=false

\b
Examples:
  treewright export model.json --to sql
  treewright export model.json --to sql --option table=loans -o loans.sql
  treewright export model.json --to python --leaves 5 -o tree.py
"""


@click.command("export", help=_HELP, short_help="Write a saved tree as SQL, Python, C, ...")
@click.argument("model", metavar="MODEL")
@click.option("--to", "target", metavar="LANGUAGE", required=True, help="One of those above.")
@click.option("-o", "--output", metavar="FILE", help="Where to write; by default to the screen.")
@click.option(
    "--leaves",
    type=click.IntRange(min=1),
    metavar="N",
    help="Prune the tree to at most so many leaves first.",
)
@click.option(
    "--tree", "number", type=click.IntRange(min=1), metavar="N", help="One tree of a forest."
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the language, see above; may be given repeatedly.",
)
def command(
    model: str,
    target: str,
    output: str | None,
    leaves: int | None,
    number: int | None,
    options: tuple[str, ...],
) -> None:
    """Run the command."""
    check_inputs(model=model)
    from treewright.base.progress import working
    from treewright.cli.console import Console
    from treewright.exceptions import TreewrightError
    from treewright.export import as_exporter
    from treewright.loading import load
    from treewright.words import visible

    try:
        exporter = as_exporter(target, **_parsed(options))
        if output is not None:
            check_output(output, [model], [exporter.suffix])
        elif not exporter.is_text:
            raise click.UsageError(f"{target} is no text; say by --output where to put it.")
        with working("Reading the model"):
            estimator = load(model)
        content = _exported(estimator, target, _parsed(options), number, leaves)
    except TreewrightError:
        raise
    except ValueError as error:  # of an option
        raise click.UsageError(str(error)) from error
    if output is None:
        _print(str(content))
    else:
        _write(output, content)
        Console().line(f"Wrote {visible(output)}: {exporter.words}")


def _parsed(options: Sequence[str]) -> dict[str, Any]:
    """Read NAME=VALUE: true and false, whole numbers, or text."""
    values: dict[str, Any] = {}
    for option in options:
        name, sign, text = option.partition("=")
        if not sign:
            raise click.UsageError(f"--option takes NAME=VALUE. Got {option[:60]!r}.")
        values[name] = {"true": True, "false": False}.get(text, text)
        if text.isdecimal():
            values[name] = int(text)
    return values


def _exported(
    estimator: Any, target: str, options: dict[str, Any], number: int | None, leaves: int | None
) -> str | bytes:
    from treewright.export import export_tree

    if hasattr(estimator, "rules_"):
        raise click.UsageError("This model predicts by rules, which cannot be exported as a tree.")
    if not hasattr(estimator, "trees_"):
        if number is not None:
            raise click.UsageError("This model is not a forest; leave out --tree.")
        if leaves is not None:
            estimator = estimator.with_tree(estimator.at(leaves=leaves))
        content: str | bytes = estimator.export(target, **options)
        return content
    trees = estimator.trees_
    if number is None or number > len(trees):
        raise click.UsageError(
            f"This model is a forest; say which tree by --tree, from 1 to {len(trees)}."
        )
    if leaves is not None:
        raise click.UsageError("Trees of a forest are not pruned; leave out --leaves.")
    return export_tree(trees[number - 1], target, **options)


def _print(text: str) -> None:
    """Write to standard output: as UTF-8 to programs, to people only what they can see."""
    if sys.stdout.isatty():
        if not text.replace("\n", "").isprintable():
            raise click.UsageError(
                "The text holds characters that a terminal would obey; say by --output where to "
                "put it."
            )
        print(text, end="")
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())


def _write(path: str, content: str | bytes) -> None:
    from treewright.files import atomic_write

    with atomic_write(path, binary=True) as file:
        file.write(content.encode() if isinstance(content, str) else content)
