"""`treewright methods`: the ways of growing trees, what their splits are, and which to take."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from treewright.splits import CARDS, DEFAULT, Card
from treewright.splits.choosing import CHOICE, Choice

if TYPE_CHECKING:
    from treewright.cli.console import Console
    from treewright.times import MethodTimes
    from treewright.words.text_table import Line, Rails

__all__ = ["command"]

_HELP = """List the methods of `treewright fit --method`, with a decision tree that says which of
them to take and the time each takes, or say all about the one named METHOD.

\b
Examples:
  treewright methods
  treewright methods cart-lc
  treewright methods --json | jq .methods[].method
"""


@click.command("methods", help=_HELP, short_help="List the ways of growing trees.")
@click.argument("method", metavar="[METHOD]", required=False)
@click.option("--json", "as_json", is_flag=True, help="The same facts as JSON.")
def command(method: str | None, as_json: bool) -> None:
    """Run the command."""
    card = None if method is None else _named(method)
    if as_json:
        print(json.dumps(_all_facts() if card is None else _facts(card), indent=1))
        return
    from treewright.cli.console import Console

    console = Console()
    if card is None:
        _list(console)
        console.line()
        _choose(console)
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


def _choose(console: Console) -> None:
    """Draw the tree that says which method to take, with the time of each."""
    from treewright.times import read_times
    from treewright.words.text_table import Line, aligned, rails_for

    measured = read_times()
    rails = rails_for(ascii_only=console.ascii_only)
    lines = [Line("", "", CHOICE.words), *_branches(CHOICE, rails, "", measured)]
    headings = ("method", "regression", "time", "of CART")
    for line in aligned(headings, lines, (False, False, True, True), console.width):
        console.line(line)
    console.line()
    console.paragraph(
        f"Times are CPU seconds of one tree, pruning included, on {measured.table}; how many times "
        "as long as CART a method takes depends less on the machine."
    )


def _branches(choice: Choice, rails: Rails, hang: str, measured: MethodTimes) -> Iterator[Line]:
    from treewright.base.tasks import TASKS
    from treewright.methods import card_named, tasks_of
    from treewright.words.text_table import Line

    for branch in choice.branches:
        is_last = branch is choice.branches[-1]
        below = hang + (rails.none if is_last else rails.down)
        cells: tuple[str, ...] = ()
        if branch.method:
            has_regression = tasks_of(card_named(branch.method)) == TASKS
            told = measured.cells(branch.method)
            cells = (branch.method, "yes" if has_regression else "", *told)
        yield Line(hang + (rails.last if is_last else rails.middle), below, branch.words, cells)
        yield from _branches(branch, rails, below, measured)


def _all_facts() -> dict[str, Any]:
    from treewright.times import read_times

    measured = read_times()
    table = {name: getattr(measured, name) for name in ("rows", "columns", "classes")}
    return {"timed_on": table, "methods": [_facts(card) for card in CARDS if card.use == "trees"]}


def _facts(card: Card) -> dict[str, Any]:
    """Return all that is known of a method."""
    from treewright.methods import python_line, takes_features, tasks_of

    facts: dict[str, Any] = {
        "title": card.title,
        "splits": card.sentence,
        "source": card.source,
        "predicts": tasks_of(card),
        "features": takes_features(card),
        "estimators": [f"treewright.{name}" for name in card.estimators],
        "recipes": [f"recipes.{name}()" for name in card.recipes],
        "split": card.name if card.method else "",
        "page": f"docs/{card.page}" if card.page else "",
    }
    if card.use != "trees":
        return facts
    from treewright.times import read_times

    measured, line = read_times(), python_line(card)
    module = line.partition("(")[0].partition(".")[0]
    named = "" if card is DEFAULT else f" --method {card.command}"
    return {
        "method": card.command,
        **facts,
        "choose_where": card.choose,
        "pruned_by": "" if card.estimators else _pruning(card),
        **_time_facts(card, measured),
        "command": f"treewright fit FILE --target COLUMN{named}",
        "python": f"from treewright import {module}; model = {line}.fit(X, y)",
    }


def _time_facts(card: Card, measured: MethodTimes) -> dict[str, float]:
    """Give the time of a method; nothing where it was not measured yet."""
    if card.command not in measured.methods:
        return {}
    ratio = float(f"{measured.ratio(card.command):.3g}")
    return {"seconds": measured.methods[card.command], "times_cart": ratio}


def _describe(console: Console, card: Card) -> None:
    facts = _facts(card)
    source = f" ({card.source})" if card.source else ""
    console.paragraph(f"{card.title}{source}: {card.sentence}.", "bold")
    lines = {
        "Choose it where": "; ".join(facts.get("choose_where", ())),
        "Predicts": ", ".join(facts["predicts"]),
        "Columns of a split": "--features" if facts["features"] else "",
        "Pruned by": facts.get("pruned_by", ""),
        "Size chosen by": "cross-validation" if card.estimators else "",
        "Time": _time_words(card) if "seconds" in facts else "",
        "Command line": facts.get("command", ""),
        "In Python": facts.get("python", ""),
        "Estimators": ", ".join(facts["estimators"]),
        "Recipes": ", ".join(facts["recipes"]),
        "Split method": f'split="{card.name}" or treewright.splits.{card.method}'
        if card.method
        else "",
        "Page": facts["page"],
    }
    for name, words in lines.items():
        if words:
            console.paragraph(f"{name}: {words}", indent="  ")


def _pruning(card: Card) -> str:
    from treewright.methods import pruner_of

    return (pruner_of(card) or "nothing").replace("_", "-")


def _time_words(card: Card) -> str:
    from treewright.times import read_times

    measured = read_times()
    took, ratio = measured.cells(card.command)
    return f"{took}, {ratio} CART, on {measured.table}"
