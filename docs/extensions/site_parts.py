"""Parts of the site that a program knows better than a page.

``{command-help} fit`` shows what ``treewright fit --help`` prints, ``{method-table}`` lists the
cards of the methods with their papers, ``{benchmark-table}`` the results of benchmarks, which
become pages before the build. ``save_figures`` is how the gallery finds its pictures.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"


class CommandHelp(SphinxDirective):
    """What a command prints when it is asked for help."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Ask the program itself."""
        command = [sys.executable, "-m", "treewright", *self.arguments, "--help"]
        # The width of the page, whatever terminal the build runs in.
        environment = os.environ | {"COLUMNS": "90", "NO_COLOR": "1"}
        printed = subprocess.run(
            command, check=True, capture_output=True, text=True, env=environment
        ).stdout
        block = nodes.literal_block(printed, printed)
        block["language"] = "text"
        return [block]


class MethodTable(SphinxDirective):
    """The methods with what they follow, from their cards."""

    def run(self) -> list[nodes.Node]:
        """Write a Markdown table and let the page read it."""
        from treewright.splits import CARDS

        lines = ["| method | followed | page | recipes |", "|---|---|---|---|"]
        for card in CARDS:
            if card.source:
                page = f"[{card.page.removesuffix('.md')}]({card.page})" if card.page else ""
                names = ", ".join(f"`{name}()`" for name in card.recipes)
                lines.append(f"| {card.title} | {card.source} | {page} | {names} |")
        return _parsed(self, lines)


class BenchmarkTable(SphinxDirective):
    """The results of benchmarks, with how often they reach what was asked."""

    def run(self) -> list[nodes.Node]:
        """Count verdicts in the results."""
        lines = ["| benchmark | ok | MISS |", "|---|--:|--:|"]
        for result in sorted(RESULTS.glob("*.md")):
            text = _with_title(result)
            self.env.note_dependency(str(result))
            title = text.splitlines()[0].removeprefix("# ")
            held, missed = text.count("| ok |"), text.count("| MISS")
            counts = f"{held} | {missed}" if held + missed else "| "
            lines.append(f"| [{title}](made/benchmarks/{result.name}) | {counts} |")
        return _parsed(self, lines)


def save_figures(block: Any, variables: dict[str, Any], settings: Any) -> str:
    """Save the picture of a gallery script: its ``figure``, or its ``svg`` as text.

    Figures of treewright belong to whoever asked for them, so pyplot, where sphinx-gallery looks
    for pictures by itself, does not know them.
    """
    from sphinx_gallery.scrapers import figure_rst

    values = variables["example_globals"]
    figure, svg = values.pop("figure", None), values.pop("svg", None)
    paths = []
    if figure is not None:
        paths.append(next(variables["image_path_iterator"]))
        figure.savefig(paths[-1], dpi=120)
    if svg is not None:
        paths.append(str(Path(next(variables["image_path_iterator"])).with_suffix(".svg")))
        Path(paths[-1]).write_text(svg, encoding="utf-8")
    return figure_rst(paths, settings["src_dir"])


def write_benchmarks(app: Sphinx) -> None:
    """Copy what the benchmarks wrote; files that did not change keep their time."""
    folder = Path(app.srcdir) / "made" / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    for result in (*RESULTS.glob("*.md"), RESULTS.parent / "README.md"):
        page, text = folder / result.name, _with_title(result)
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def _with_title(result: Path) -> str:
    text = result.read_text(encoding="utf-8")
    if result.stem == "README":
        return text.replace("# Benchmarks", "# How it is measured", 1)
    if text.startswith("# "):
        return text
    return f"# {result.stem.replace('_', ' ').capitalize()}\n\n{text}"


def _parsed(directive: SphinxDirective, lines: list[str]) -> list[nodes.Node]:
    """Let the page read lines of Markdown."""
    found = nodes.container()
    directive.state.nested_parse(StringList(lines, "made"), directive.content_offset, found)
    return found.children


def end_at_the_last_line(app: Sphinx, document: nodes.document) -> None:
    """Leave out the blank line with which doctest wants an example to end."""
    for block in document.findall(nodes.literal_block):
        text = block.astext().rstrip("\n")
        block.rawsource = text
        block.children = [nodes.Text(text)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the parts known to Sphinx."""
    app.add_directive("command-help", CommandHelp)
    app.add_directive("benchmark-table", BenchmarkTable)
    app.add_directive("method-table", MethodTable)
    app.connect("builder-inited", write_benchmarks, priority=100)
    app.connect("doctree-read", end_at_the_last_line)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
