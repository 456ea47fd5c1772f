"""`treewright fit`: find a tree for a table, show it and save it."""

from __future__ import annotations

import math
from typing import Any

import click

from treewright.base.tasks import ASKED_TASKS
from treewright.cli.asked import Asked
from treewright.cli.reading import check_inputs, reading_options
from treewright.files.outputs import check_output
from treewright.splits import CARDS, DEFAULT

__all__ = ["command"]

_HELP = """Find the best readable tree for the table FILE, show it and save it.

All columns but the target are used; text, booleans and empty cells are fine as they are. The tree
has at most eight leaves and three columns in a split; with --method it is that of another method.

Several Parquet files, a folder of them, or one of 256 MiB and more need not fit into memory: with a
--method that grows a tree all rows are read part by part, others take 100,000 rows at random.

\b
Examples:
  treewright fit loans.csv --target repaid -o model.json
  treewright fit loans.csv --target repaid --max-leaves 5 --test later.csv -o model.json
  treewright fit houses.parquet --target price --drop address --features 1 -o prices.json
  treewright fit loans.csv --target repaid --method cart --max-leaves 20
  treewright fit weather.csv --target play --method id3
  treewright fit wine.csv --target kind --method must --features 3
  treewright fit wine.csv --target kind --method logistic --prune trim
  treewright fit wine.csv --target kind --method oc1 --features 2 --seed 1
  treewright fit loans.csv --target repaid --method cart --prune error-based
  treewright fit loans.csv --target repaid --method optimal --max-depth 3 --time-limit 60
  treewright fit loans.csv --target repaid --abstain-cost 0.1 -o model.json
  treewright fit loans/*.parquet --target repaid --method cart --max-depth 6
"""
_METHODS = [card.command for card in CARDS if card.use == "trees"]
FEATURES = ("1", "2", "3", "all")
PRUNERS = (
    "cost-complexity",
    "error-based",
    "reduced-error",
    "mdl",
    "critical-value",
    "trim",
    "squeeze",
)
_DEEPEST_SEARCH = 30  # what the estimators of optimal trees accept


@click.command("fit", help=_HELP, short_help="Find a tree for a table, show it and save it.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--target", required=True, metavar="COLUMN", help="The column to predict.")
@click.option(
    "-o", "--output", metavar="MODEL.json", help="Where to save the tree; not saved if left out."
)
@click.option(
    "--method",
    type=click.Choice(_METHODS),
    default=DEFAULT.command,
    show_default=True,
    help="How to find it; treewright methods says what the splits of each are.",
)
@click.option(
    "--features",
    type=click.Choice(FEATURES),
    help="Most numeric columns in a split: 3 for readable and 2 for must if left out, all for "
    "others that take it.",
)
@click.option(
    "--task",
    type=click.Choice(ASKED_TASKS),
    default="auto",
    show_default=True,
    help="What to predict; auto takes text, booleans and up to 10 whole numbers as classes.",
)
@click.option(
    "--prune",
    type=click.Choice(["auto", "none", *PRUNERS]),
    default="auto",
    show_default=True,
    help="How to prune it, where --method grows a tree: cost-complexity (10-fold cross-validation, "
    "1-SE rule), error-based (C4.5), reduced-error (a third of the rows held out), mdl, "
    "critical-value, trim (columns leave the linear combinations one by one) or squeeze; auto is "
    "what the method is published with, which treewright methods METHOD shows, but "
    "cost-complexity where that would hold rows out.",
)
@click.option(
    "--max-depth",
    type=click.IntRange(min=1),
    metavar="N",
    help="Most splits on a path; 3 for optimal if left out.",
)
@click.option(
    "--max-leaves",
    type=click.IntRange(min=2),
    metavar="N",
    help="Most leaves; 8 for readable if left out.",
)
@click.option(
    "--min-samples-leaf",
    type=click.IntRange(min=1),
    metavar="N",
    help="Fewest rows of a leaf; 5 for readable, what the method is published with for others if "
    "left out.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="When to stop with the tree found so far.",
)
@click.option(
    "--abstain-cost",
    type=click.FloatRange(min=0, min_open=True),
    metavar="PRICE",
    help="Refer rows to a person where every class is expected to cost more, as a proportion of "
    "what a mistake costs: with 0.1 where more than 10 % would be predicted wrong.",
)
@click.option("--weights", metavar="COLUMN", help="A column with the weight of each row.")
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
@click.option(
    "--text",
    multiple=True,
    metavar="COLUMN",
    help="A column of codes that look like numbers and are none; may be given repeatedly.",
)
@click.option("--test", metavar="FILE", help="A second table to measure the tree on.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), metavar="N", help="For random methods.")
@reading_options
def command(**options: Any) -> None:
    """Run the command."""
    asked = Asked(**options)
    _check_options(asked)
    if asked.output is not None:
        inputs = [*asked.files] if asked.test is None else [*asked.files, asked.test]
        check_output(asked.output, inputs, [".json"])
    check_inputs(*asked.files, others=(asked.test,))
    from treewright.cli.fitting import fit_and_show

    fit_and_show(asked)


def _check_options(asked: Asked) -> None:
    """Refuse options that do not go together, before anything is imported or read."""
    if asked.is_readable:
        if asked.prune != "auto":
            raise click.UsageError(
                f"--prune {asked.prune} is for a tree that is grown, and readable trees are "
                "searched for; add --method cart, or use --max-leaves for a smaller tree."
            )
    elif asked.card.is_search:
        if asked.prune not in ("auto", "none"):
            raise click.UsageError(
                f"--method {asked.method} does not prune; use --max-leaves for less."
            )
        if asked.seed is not None:
            raise click.UsageError(
                f"--method {asked.method} draws nothing at random; leave out --seed."
            )
        if asked.max_depth is not None and asked.max_depth > _DEEPEST_SEARCH:
            raise click.UsageError(
                f"--method {asked.method} takes a --max-depth of {_DEEPEST_SEARCH} at most. Got "
                f"{asked.max_depth}."
            )
    if asked.abstain_cost is not None and not math.isfinite(asked.abstain_cost):
        raise click.UsageError(f"--abstain-cost takes a finite number. Got {asked.abstain_cost}.")
    if asked.time_limit is not None and math.isnan(asked.time_limit):
        raise click.UsageError("--time-limit takes a number of seconds. Got nan.")
    if asked.time_limit == 0 and (asked.is_readable or not asked.card.is_search):
        raise click.UsageError("--time-limit must leave some time to find a tree in. Got 0.")
