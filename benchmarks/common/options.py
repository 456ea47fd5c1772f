"""The options that scripts on the shared data sets have in common."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.common.data_sets import default_folder
from benchmarks.common.report import count

LARGE = 10_000  # rows from which on a set has fewer repeats


def make_parser(summary: str) -> argparse.ArgumentParser:
    """Return a parser that knows the common options."""
    parser = argparse.ArgumentParser(description=summary)
    parser.add_argument("--quick", action="store_true", help="few rows, to see that it works")
    parser.add_argument("--only", action="append", metavar="SET", help="may be repeated")
    parser.add_argument("--repeats", type=int, default=10, help="cross-validations (default 10)")
    parser.add_argument("--jobs", type=int, default=1, help="folds at the same time (default 1)")
    parser.add_argument(
        "--data",
        type=Path,
        default=default_folder(),
        metavar="FOLDER",
        help="the data sets (default TREEWRIGHT_DATA, else ../shared/data beside the repository)",
    )
    parser.add_argument("--output", type=Path, metavar="FILE.md", help="also FILE.json")
    return parser


def add_large_repeats(parser: argparse.ArgumentParser, default: int) -> None:
    """Add the option that limits the work on large sets."""
    parser.add_argument(
        "--large-repeats",
        type=int,
        default=default,
        metavar="N",
        help=f"at most so many for sets of {count(LARGE)} rows and more (default {default})",
    )


def read(parser: argparse.ArgumentParser, names: Sequence[str]) -> argparse.Namespace:
    """Return the options of the command line; end with one sentence where one is wrong."""
    options = parser.parse_args()
    if options.output and options.output.suffix != ".md":
        parser.error(f"--output must end in .md; {options.output} does not.")
    unknown = [name for name in options.only or () if name not in names]
    if unknown:
        parser.error(f"there is no set {unknown[0]}; there are {', '.join(names)}.")
    if options.repeats < 1:
        parser.error(f"--repeats must be at least 1; {options.repeats} is not.")
    if getattr(options, "large_repeats", 1) < 1:
        parser.error(f"--large-repeats must be at least 1; {options.large_repeats} is not.")
    return options
