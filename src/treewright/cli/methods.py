"""`treewright methods`: the ways of growing trees, and what the splits of each are."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import click

from treewright.splits import CARDS, DEFAULT, Card

if TYPE_CHECKING:
    from treewright.cli.console import Console

__all__ = ["command"]

_HELP = """List the methods of `treewright fit --method`, or say all about the one named METHOD.

\b
Examples:
  treewright methods
  treewright methods cart-lc
"""


@click.command("methods", help=_HELP, short_help="List the ways of growing trees.")
@click.argument("method", metavar="[METHOD]", required=False)
def command(method: str | None) -> None:
    """Run the command."""
    card = None if method is None else _named(method)
    from treewright.cli.console import Console

    console = Console()
    if card is None:
        _list(console)
    else:
        _describe(console, card)


def _named(word: str) -> Card:
    """Find a card by the word of the command line or of ``split=``."""
    known = {name: card for card in CARDS for name in (card.name.replace("_", "-"), card.command)}
    asked = word.strip().lower().replace("_", "-")
    if asked not in known:
        near = difflib.get_close_matches(asked[:60], known, n=1)
        hint = f"did you mean {near[0]}?" if near else "treewright methods lists them."
        raise click.UsageError(f"There is no method {word[:60]!r}; {hint}")
    return known[asked]


def _list(console: Console) -> None:
    from treewright.methods import takes_features, tasks_of
    from treewright.words.text_table import Line, aligned

    lines = [
        Line(
            f"{card.command:<16}",
            " " * 16,
            f"{card.sentence} (the default)" if card is DEFAULT else card.sentence,
            (", ".join(tasks_of(card)), "yes" if takes_features(card) else ""),
        )
        for card in CARDS
        if card.use == "trees"
    ]
    headings = ("predicts", "--features")
    for line in aligned(headings, lines, (False, False), console.width):
        console.line(line)


def _describe(console: Console, card: Card) -> None:
    from treewright.methods import takes_features, tasks_of

    source = f" ({card.source})" if card.source else ""
    console.paragraph(f"{card.title}{source}: {card.sentence}.", "bold")
    is_tree = card.use == "trees"
    facts = {
        "Predicts": ", ".join(tasks_of(card)),
        "Columns of a split": "--features" if takes_features(card) else "",
        "Pruned by": _pruning(card) if is_tree and not card.estimators else "",
        "Size chosen by": "cross-validation" if card.estimators else "",
        "Command line": f"treewright fit FILE --target COLUMN{_named_in_command(card)}"
        if is_tree
        else "",
        "Estimators": ", ".join(f"treewright.{name}" for name in card.estimators),
        "Recipes": ", ".join(f"recipes.{name}()" for name in card.recipes),
        "In Python": f'split="{card.name}" or treewright.splits.{card.method}'
        if card.method
        else "",
        "Page": f"docs/{card.page}" if card.page else "",
    }
    for name, words in facts.items():
        if words:
            console.paragraph(f"{name}: {words}", indent="  ")


def _pruning(card: Card) -> str:
    from treewright.methods import pruner_of

    return (pruner_of(card) or "nothing").replace("_", "-")


def _named_in_command(card: Card) -> str:
    return "" if card is DEFAULT else f" --method {card.command}"
