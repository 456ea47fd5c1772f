r"""LaTeX: a tree drawn by the package forest (Zivanovic, 2017), which stands on TikZ.

Every character that TeX would obey becomes a command that prints it (``\_``, ``\textless{}``), and
every text stands in braces, so that commas, brackets and equals signs in it are only text. Letters
beyond Latin ones need lualatex or xelatex and a font that has them.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from treewright.base.parameters import Check, boolean
from treewright.exceptions import UnsupportedError
from treewright.export.base import Exporter
from treewright.export.diagrams import Way, boxes, title
from treewright.tree import Tree

__all__ = ["LaTeX"]

_DEEPEST = 60  # the package nests groups, and TeX allows 255 of them within each other

_COMMANDS = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\textquotedbl{}",
        "'": r"\textquotesingle{}",
        "`": r"\textasciigrave{}",
        "-": "{-}",  # two in a row would become a dash
        "*": "{*}",  # at the start of a line it would belong to the line break
        "[": "{[}",  # likewise
    }
)

_HEAD = r"""% Compile with lualatex or xelatex; where all letters are Latin, pdflatex will do.
\documentclass[border=4pt]{standalone}
\usepackage{iftex}
\iftutex\usepackage{fontspec}\else\usepackage[T1]{fontenc}\usepackage{textcomp}\fi
\usepackage{forest}
\begin{document}
"""
_FOOT = r"""\end{document}
"""
_LOOK = r"""\forestset{answer/.style={edge label={
  node[midway, fill=white, align=center, font=\sffamily\small]{#1}}}}
\begin{forest}
  for tree={draw, rounded corners, align=center, font=\sffamily, s sep=6mm, l sep=12mm},"""


@dataclass(frozen=True)
class LaTeX(Exporter):
    r"""A tree drawn in LaTeX.

    Parameters
    ----------
    document : bool, default True
        Write a document that can be compiled; False writes the forest environment only, to be put
        into one that loads the package forest.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier().fit({"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"])
    >>> print(LaTeX(document=False).export(model.tree_).splitlines()[8])
      [{age \textless{}= 40?\\4 rows}, draw=treeA, fill=treeA!0
    """

    name: ClassVar[str] = "latex"
    suffix: ClassVar[str] = ".tex"
    words: ClassVar[str] = "a drawing for LaTeX, by the package forest"

    document: bool = True

    _checks: ClassVar[dict[str, Check]] = {"document": boolean()}

    def export(self, tree: Tree) -> str:
        """Write a tree as brackets within brackets."""
        if tree.depth > _DEEPEST:
            raise UnsupportedError(
                f"LaTeX cannot draw a tree of depth {tree.depth}, only of depth {_DEEPEST}; prune "
                "the tree or export it to 'dot'."
            )
        colours: dict[str, str] = {}
        lines: list[str] = []
        way_to: dict[int, Way] = {}
        to_come: list[int] = []  # children that each open bracket still waits for
        for box in boxes(tree):
            indent = "  " * (box.node.depth + 1)
            colour = colours.setdefault(box.colour, f"tree{string.ascii_uppercase[len(colours)]}")
            look = [f"draw={colour}, fill={colour}!{100.0 * box.strength:.0f}"]
            text = _text(box.lines)
            way = way_to.pop(box.node.id, None)
            if way is not None and way.is_yes_or_no:
                look.append(f"answer={{{_text(way.lines)}}}")
            elif way is not None:  # longer words would lie over each other beside the lines
                text = "".join(f"\\emph{{{_text([line])}}}\\\\" for line in way.lines) + text
            lines.append(f"{indent}[{{{text}}}, {', '.join(look)}")
            way_to.update((way.child, way) for way in box.ways)
            to_come.append(len(box.ways))
            while to_come and to_come[-1] == 0:
                to_come.pop()
                lines.append("  " * (len(to_come) + 1) + "]")
                if to_come:
                    to_come[-1] -= 1
        named = [
            f"\\definecolor{{{name}}}{{HTML}}{{{colour.removeprefix('#')}}}"
            for colour, name in colours.items()
        ]
        body = "\n".join([f"% {title(tree)}", *named, _LOOK, *lines, "\\end{forest}", ""])
        return f"{_HEAD}{body}{_FOOT}" if self.document else body


def _text(lines: Iterable[str]) -> str:
    return r"\\".join(line.translate(_COMMANDS) for line in lines)
