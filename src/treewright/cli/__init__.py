"""The command line: `treewright demo`, `report`, `fit`, `predict`, `show` and the others.

Each command has a file of its own here, which is imported when the command is named, and imports
what is heavy when it runs; `treewright --help` therefore responds at once. This file knows what all
commands have in common: whatever goes wrong becomes one sentence behind ``treewright:`` on standard
error, and the exit code says which kind of end it was.

======  ==========================================================
0       done
2       the user can fix it: a file, a column, an option
130     stopped by Ctrl-C; no file is half-written
======  ==========================================================
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from treewright.exceptions import TreewrightError

__all__ = ["main"]

_COMMANDS = ("demo", "report", "fit", "predict", "show", "explain", "export", "methods")

_HELP = """Decision trees that a person can read.

\b
See what it does, without data of your own:
  treewright demo

\b
From a table to readable trees and one page about them:
  treewright report loans.csv --target repaid

\b
Grow a tree from a table, look at it, use it on new rows:
  treewright fit loans.csv --target repaid --max-leaves 7 -o model.json
  treewright show model.json --rules
  treewright predict model.json new.csv -o predictions.csv
  treewright explain model.json --row age=42 --row home=rent
  treewright export model.json --to sql

\b
See which ways of growing trees there are:
  treewright methods

Tables are .csv, .txt, .tsv, .json, .jsonl, .parquet, .feather or .xlsx files, or - for standard
input; text may end in .gz.
"""


class _Stopped(click.ClickException):
    """The user pressed Ctrl-C."""

    exit_code = 130


class _Failed(click.ClickException):
    """Something that the user can fix."""

    exit_code = 2


class _Program(click.Group):
    """The commands by name, and one sentence for every error."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in _COMMANDS:
            return None
        command = importlib.import_module(f"treewright.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is named first, or suggest the nearest."""
        name = args[0]
        if not name.startswith("-") and name not in _COMMANDS:
            near = difflib.get_close_matches(name, _COMMANDS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(_COMMANDS)}."
            raise click.UsageError(f"There is no command {name[:60]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except TreewrightError as error:
            raise _Failed(str(error)) from error
        except BrokenPipeError:  # the reader has seen enough: treewright show ... | head
            _silence()
            return None
        except MemoryError as error:
            raise _Failed("There is not enough memory for this.") from error
        except KeyboardInterrupt as error:
            raise _Stopped("Stopped; no file is half-written.") from error
        except ImportError as error:
            # A library that is interrupted while it loads may report that it cannot be loaded.
            if isinstance(error.__context__ or error.__cause__, KeyboardInterrupt):
                raise _Stopped("Stopped; no file is half-written.") from error
            raise

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the program and leave with its exit code."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, False, **extra)
        # What a terminal cannot write is written as an escape rather than failing.
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        try:
            code = super().main(args, prog_name or "treewright", complete_var, False, **extra)
            sys.stdout.flush()
        except click.ClickException as error:
            if isinstance(error, _Stopped) and sys.stderr.isatty():
                print(file=sys.stderr)  # leave the line with the ^C
            _complain(error)
            code = 2 if isinstance(error, click.UsageError) else error.exit_code
        except click.Abort:
            _complain(_Stopped("Stopped."))
            code = _Stopped.exit_code
        except BrokenPipeError:
            _silence()
            code = 0
        except OSError as error:
            _silence()
            _complain(_Failed(f"The output cannot be written: {error.strerror or error}."))
            code = 2
        sys.exit(code if isinstance(code, int) else 0)


def _silence() -> None:
    """Send to nowhere what is still waiting to be written when Python ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(error: click.ClickException) -> None:
    """Write one sentence to standard error."""
    from treewright.cli.console import one_line

    words = one_line(error.format_message())
    if isinstance(error, click.UsageError) and error.ctx is not None:
        words += f" (see {error.ctx.command_path} --help)"
    with contextlib.suppress(OSError):
        print(f"treewright: {words}", file=sys.stderr)


def _show_version(ctx: click.Context, parameter: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            click.echo(f"treewright {version('treewright')}")
        except PackageNotFoundError:  # run from a folder without being installed
            click.echo("treewright")
        ctx.exit()


@click.group(
    cls=_Program,
    help=_HELP,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and leave.",
)
@click.pass_context
def main(context: click.Context) -> None:
    """Run the command line."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
