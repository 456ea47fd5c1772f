"""What is shown to a person: coloured and as wide as the window on a terminal, plain elsewhere.

Colours say nothing that the words do not say too. Those of classes are Okabe and Ito's (2008),
which people who see few colours can tell apart, in an order that suits dark and light windows.
Names and levels may hold anything; they pass through :mod:`treewright.words`, which writes control
characters as escapes, and never through rich's markup.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.text import Text

    from treewright.tree import Tree

__all__ = [
    "PLAIN_WIDTH",
    "Console",
    "note",
    "one_line",
    "quoted_list",
    "shown_depth",
    "warnings_as_notes",
]

PLAIN_WIDTH = 100  # of what goes to a file or another program
_NARROWEST = 40
_CLASS_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_RAILS = re.compile(r"(?:\[\d+\] )?(?:[│|├└`][─ -]{2}| {3})*")


def one_line(text: str) -> str:
    r"""Write any text on one line, with characters that a terminal would obey as escapes.

    Examples
    --------
    >>> print(one_line("two\nlines, \x1b[31mred"))
    two lines, \x1b[31mred
    """
    text = " ".join(text.split())
    if text.isprintable():
        return text
    from treewright.words import visible

    return visible(text)


def note(text: str) -> None:
    """Write a remark to standard error, on one line."""
    print(f"treewright: note: {one_line(text)}", file=sys.stderr)


@contextlib.contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Show treewright's own warnings as one line each, and no others."""
    from treewright.exceptions import NotProvenWarning, TimeLimitWarning, UnseenLevelWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for category in (UnseenLevelWarning, TimeLimitWarning, NotProvenWarning):
            warnings.simplefilter("always", category)
        warnings.showwarning = lambda message, *_, **__: note(str(message))
        yield


class Console:
    """Standard output, be it a terminal, a file or a pipe.

    Attributes
    ----------
    is_terminal : bool
        Whether a person is looking.
    width : int
        Columns that fit on a line.
    ascii_only : bool
        Whether lines must be drawn with ASCII characters.
    """

    def __init__(self) -> None:
        self.is_terminal: bool = sys.stdout.isatty()
        columns = shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns
        self.width: int = max(_NARROWEST, columns) if self.is_terminal else PLAIN_WIDTH
        self.ascii_only: bool = not _can_write("│├└─²")
        self._rich: Any = None
        if self.is_terminal:
            from rich import console

            self._rich = console.Console(highlight=False, markup=False, emoji=False, soft_wrap=True)

    def line(self, words: str = "", style: str = "") -> None:
        """Write a line of our own words; what comes from a file must have been made visible."""
        if self._rich is None:
            print(words)
        else:
            self._rich.print(words, style=style or None)

    def paragraph(self, words: str, style: str = "", indent: str = "") -> None:
        """Write a text over as many lines as it needs on a terminal, and on one line elsewhere."""
        for piece in self._wrapped(words, indent):
            self.line(piece, style)

    def tree(self, tree: Tree, *, max_depth: int | None = None) -> None:
        """Write a tree as indented text."""
        text = tree.to_text(max_depth=max_depth, width=self.width, ascii_only=self.ascii_only)
        if self._rich is None:
            print(text)
            return
        colours = _class_colours(tree)
        lines = text.split("\n")
        first, blank = lines[0], lines.index("")
        self.line(first, "bold")
        for line in lines[1 : blank + 1]:
            self.line(line, "dim")
        headings = lines[blank + 1]
        self.line(headings, "dim")
        # The answers of classes stand under the first heading; those of numbers end below it.
        start = len(headings) - len(headings.lstrip()) if tree.is_classification else None
        for line in lines[blank + 2 :]:
            self._rich.print(_coloured_branch(line, start, colours))

    def rules(self, tree: Tree) -> None:
        """Write the rules of a tree, one per leaf."""
        from treewright.tree.tree_text import divided_note

        colours = _class_colours(tree) if self.is_terminal else {}
        for rule in tree.rules():
            if self._rich is None:
                print(rule)
                continue
            *pieces, last = self._wrapped(_with_end_together(rule), "")
            for piece in pieces:
                self.line(piece)
            self._rich.print(_coloured_end(last.replace("\0", " "), colours))
        if note := divided_note(tree, tree.walk()):
            self.line(note)

    def _wrapped(self, words: str, indent: str) -> list[str]:
        if not self.is_terminal:
            return [indent + words]
        below = indent or "    "
        return textwrap.wrap(
            words,
            self.width,
            initial_indent=indent,
            subsequent_indent=below,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [indent]


def _can_write(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def shown_depth(tree: Tree, most_lines: int) -> int | None:
    """Choose how deep to show a tree for it to fit in some lines; None if all of it fits."""
    if tree.n_nodes <= most_lines:
        return None
    import numpy as np

    up_to = np.cumsum(np.bincount(tree.core.depth))
    return max(1, int(np.searchsorted(up_to, most_lines, side="right")) - 1)


def quoted_list(words: Sequence[str], most: int = 5) -> str:
    """Write some of many words, quoted, and how many more there are.

    Examples
    --------
    >>> quoted_list(["age", "home", "purpose"], most=2)
    "'age', 'home' and 1 more"
    """
    from treewright.exceptions import brief

    shown = ", ".join(brief(word) for word in words[:most])
    rest = len(words) - most
    return f"{shown} and {rest} more" if rest > 0 else shown


# ---------------------------------------------------------------------------- colours


def _class_colours(tree: Tree) -> dict[str, str]:
    """Give each class, as it is printed, its colour."""
    from treewright.words import name_text

    colours = {}
    for place, label in enumerate(tree.schema.classes or ()):
        if isinstance(label, bool):
            text = "true" if label else "false"
        else:
            text = name_text(label) if isinstance(label, str) else str(label)
        colours[text] = _CLASS_COLOURS[place % len(_CLASS_COLOURS)]
    return colours


def _coloured_branch(line: str, start: int | None, colours: dict[str, str]) -> Text:
    """Dim the rails of a line of a tree, and colour the class at column `start`."""
    from rich.text import Text

    text = Text(line)
    rails = _RAILS.match(line)
    if rails is not None:
        text.stylize("dim", 0, rails.end())
    if start is not None:
        place = _place_of_column(line, start)
        answer = line[place:]
        # The longest that fits: "yes" must not win over "yes, late".
        label = max(
            (label for label in colours if answer.startswith(label + "  ")), key=len, default=""
        )
        if label:
            text.stylize(f"bold {colours[label]}", place, place + len(label))
    return text


def _place_of_column(line: str, column: int) -> int:
    """Find which character stands in a column; some characters take two columns, some none."""
    if line.isascii():
        return column
    from treewright.words import display_width

    for place in range(len(line)):
        if display_width(line[:place]) >= column:
            return place
    return len(line)


def _with_end_together(rule: str) -> str:
    """Keep the prediction of a rule on one line: NUL, which no printed name holds, is no blank."""
    start = rule.rfind(" then ")
    return rule if start < 0 else rule[: start + 1] + rule[start + 1 :].replace(" ", "\0")


def _coloured_end(piece: str, colours: dict[str, str]) -> Text:
    """Colour the class in the last line of a rule."""
    from rich.text import Text

    text = Text(piece)
    certainty = re.search(r" \([^()]*\)\Z", piece)
    if certainty is not None:
        head = piece[: certainty.start()]
        text.stylize("dim", len(head))
        ends = (e for e in colours if f" {head}".endswith((f" then {e}", f" always {e}")))
        label = max(ends, key=len, default="")
        if label:
            text.stylize(f"bold {colours[label]}", len(head) - len(label), len(head))
    return text
