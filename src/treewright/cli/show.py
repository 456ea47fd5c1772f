"""`treewright show`: a saved tree, rule set or forest as text, as rules or as JSON."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.reading import check_inputs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treewright.cli.console import Console
    from treewright.tree import Tree

__all__ = ["command"]

_HELP = """Show the tree in MODEL, or the rules where it predicts by rules.

Of a forest its size is shown, or one of its trees.

\b
Examples:
  treewright show model.json
  treewright show model.json --max-depth 3
  treewright show model.json --leaves 4
  treewright show model.json --rules
  treewright show model.json --svg tree.svg
  treewright show forest.json --tree 1
  treewright show model.json --json | jq .tree
"""


@click.command("show", help=_HELP, short_help="Show a saved tree as text, as rules or as JSON.")
@click.argument("model", metavar="MODEL")
@click.option("--rules", is_flag=True, help="One line per leaf or rule: if ... then ...")
@click.option(
    "--max-depth", type=click.IntRange(min=0), metavar="N", help="Only the top of the tree."
)
@click.option(
    "--tree", "number", type=click.IntRange(min=1), metavar="N", help="One tree of a forest."
)
@click.option(
    "--leaves",
    type=click.IntRange(min=1),
    metavar="N",
    help="The best tree of at most N leaves, where the model has trees of several sizes.",
)
@click.option("--svg", metavar="FILE", help="Draw the tree into FILE instead, as SVG.")
@click.option("--json", "as_json", is_flag=True, help="The checked content of the model file.")
def command(
    model: str,
    rules: bool,
    max_depth: int | None,
    number: int | None,
    leaves: int | None,
    svg: str | None,
    as_json: bool,
) -> None:
    """Run the command."""
    if as_json and (rules or {max_depth, number, leaves, svg} != {None}):
        raise click.UsageError(
            "--json shows the whole model; leave out --rules, --max-depth, --tree, --leaves and "
            "--svg."
        )
    if svg is not None and rules:
        raise click.UsageError("--svg draws the tree; leave out --rules.")
    check_inputs(model=model)
    from treewright.base.progress import working
    from treewright.cli.console import Console
    from treewright.modelfile import model_to_text, read_model

    with working("Reading the model"):
        content = read_model(model)
    if as_json:
        print(_escaped(model_to_text(content)), end="")
        return
    console = Console()
    tree = content.tree
    if content.forest is None and number is not None:
        raise click.UsageError("This model is not a forest; leave out --tree.")
    if leaves is not None:
        tree = _of_size(content.front, leaves)
    if content.forest is not None:
        trees = content.forest.trees
        if number is None and not rules and max_depth is None and svg is None:
            _show_size(console, trees)
            return
        if number is None or number > len(trees):
            raise click.UsageError(
                f"This model is a forest; say which tree by --tree, from 1 to {len(trees)}."
            )
        tree = trees[number - 1]
    if content.rules is not None:
        if max_depth is not None or svg is not None:
            raise click.UsageError("This model predicts by rules; leave out --max-depth and --svg.")
        table = content.rules.to_text(width=console.width).split("\n")
        for line in content.rules.to_sentences() if rules else table:
            console.line(line)
        return
    if svg is not None:
        from treewright.plot import write_svg
        from treewright.words import visible

        write_svg(tree, svg, max_depth=max_depth)
        console.line(f"Wrote {visible(svg)}")
        return
    if not rules:
        console.tree(tree, max_depth=max_depth)
        if content.certificate is not None and tree == content.tree:
            _show_certificate(console, content.certificate, content.estimator)
        return
    if max_depth is not None:
        depths = tree.core.depth
        tree = tree.collapse(node for node in range(tree.n_nodes) if depths[node] == max_depth)
    console.rules(tree)


def _of_size(front: Sequence[Tree], leaves: int) -> Tree:
    """Find the best tree of at most so many leaves."""
    if not front:
        raise click.UsageError("This model has one tree; leave out --leaves.")
    return max((tree for tree in front if tree.n_leaves <= leaves), key=lambda tree: tree.n_leaves)


def _show_certificate(console: Console, content: Mapping[str, Any], estimator: str) -> None:
    """Say what was proved about the tree."""
    from treewright.optimal import Certificate
    from treewright.splits import DEFAULT
    from treewright.words import visible

    certificate = Certificate.from_json(content)
    words = str(certificate).replace("\n", " ")
    if estimator in DEFAULT.estimators:
        words = certificate.claim  # the objective is one of soft labels
    if words:
        console.line()
        console.paragraph(visible(words))


def _show_size(console: Console, trees: Sequence[Tree]) -> None:
    """Say how large a forest is."""
    from treewright.estimators.forest.base import describe
    from treewright.words import visible

    for line in describe(trees):
        console.line(visible(line))
    console.line()
    console.line("One of its trees: --tree 1")


def _escaped(text: str) -> str:
    """Write what the terminal could hide, obey or not show as JSON escapes, which mean the same."""
    if text.isascii():
        return text
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    return "".join(
        character
        if character.isascii() or (is_unicode and character.isprintable())
        else json.dumps(character)[1:-1]
        for character in text
    )
