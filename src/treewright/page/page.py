"""The page itself: content, templates, style and script put into one HTML file.

Everything is rendered here, once for every tree of every path, by the same templates. The parts of
the tree that is shown first stand in the page as they are, so that it can be read without script;
those of the others are packed beside it, and the slider exchanges them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

import jinja2
from markupsafe import Markup

from treewright.export.javascript import answer_functions
from treewright.files import atomic_write
from treewright.modelfile import ModelFile, model_to_text
from treewright.page.charts import effort_chart, marker
from treewright.page.code import ENDINGS, FOR_EVERY_TREE, TARGETS
from treewright.page.content import PageContent
from treewright.page.embedding import (
    compact_style,
    json_markup,
    packed,
    script_hash,
    without_comments,
)
from treewright.page.parts import PartWriter
from treewright.page.wording import ScoreWords, grouped, shown_number, step_words
from treewright.plot import tree_style
from treewright.schema.shortening import shortened
from treewright.words import share_text, visible

__all__ = ["page_html", "write_page"]

_SCRIPTS = (
    *("routing.js", "nearest.js", "elements.js", "explain.js", "questionnaire.js", "taking.js"),
    *("groups.js", "costs.js", "contributions.js", "thumbnails.js", "zoom.js", "drawing.js"),
    "page.js",
)
_LONGEST_TEXT = 120
_STATIC = (
    *("verdict", "tree", "outline", "rules", "evidence"),
    *(f"code-{target}" for target in FOR_EVERY_TREE),
)
_PARTS = {
    "try": "Try a row",
    "ask": "Ask me",
    "rules": "Rules",
    "questions": "Splits",
    "mistakes": "Right and wrong",
    "stability": "Stability",
    "data": "Data",
    "take": "Take it",
    "card": "Model card",
}


def page_html(content: PageContent) -> str:
    """Write the page.

    Parameters
    ----------
    content : PageContent
        What it shows.

    Returns
    -------
    str
        A complete HTML document that needs no network. The same content gives the same text.
    """
    environment = _environment()
    words = ScoreWords.of(content)
    writer = PartWriter(content, words, environment)
    parts = [
        [
            writer.parts(
                step,
                is_chosen=number == model.chosen,
                is_recommended=step is content.chosen,
            )
            for number, step in enumerate(model.steps)
        ]
        for model in content.models
    ]
    shown = parts[0][content.models[0].chosen]
    has_panels = any(model.panels for model in content.models)
    script = _script()
    hidden = {
        name: not filled
        for name, filled in (
            ("questions", has_panels),
            ("stability", content.stability or content.near),
            ("data", content.notes or content.columns),
            ("card", content.card),
        )
    }
    return environment.get_template("page.html.j2").render(
        content=content,
        contents=[(anchor, text) for anchor, text in _PARTS.items() if not hidden.get(anchor)],
        target=writer.target,
        words=words,
        step_words=lambda step: step_words(step, words),
        effort_chart=effort_chart(content, words),
        notes=sorted(content.notes, key=lambda note: note.kind != "leak"),
        has_panels=has_panels,
        has_costs=_has_thresholds(content),
        first_questions=writer.first_questions(),
        has_scores=any(step.score is not None for model in content.models for step in model.steps),
        shown=shown,
        targets=TARGETS,
        targets_in_page=FOR_EVERY_TREE,
        endings=ENDINGS,
        style=Markup(_style()),
        tree_style=Markup(tree_style("light")),
        script=Markup(script),
        script_hash=script_hash(script),
        data=json_markup(
            {
                **writer.names(),
                "stated": writer.stated_class if content.schema.classes else None,
                "measure": content.measure.name,
                "positive": 1 if content.positive is None else content.positive,
                "percent": content.measure.is_share and content.schema.classes is not None,
                "models": [
                    {
                        "chosen": model.chosen,
                        "steps": [step_words(step, words) for step in model.steps],
                    }
                    for model in content.models
                ],
                "store": packed(
                    {
                        "parts": _by_kind(parts, shown),
                        "file": _file(content),
                        "panels": [
                            [panel.svg for panel in model.panels] for model in content.models
                        ],
                        "sample": writer.sample(),
                        "groupings": writer.groupings(),
                        "thresholds": [
                            _of_first_class(step.thresholds)
                            if content.positive == 0
                            else step.thresholds
                            for step in content.models[0].steps
                        ],
                    }
                ),
            }
        ),
    )


def write_page(content: PageContent, path: str | os.PathLike[str]) -> None:
    """Write the page to a file, which appears only when it is complete.

    Parameters
    ----------
    content : PageContent
        What it shows.
    path : str or path-like
        Where the file goes; an existing one is replaced.

    Raises
    ------
    WriteError
        If the file cannot be written.
    """
    text = page_html(content)
    with atomic_write(path) as file:
        file.write(text)


def _of_first_class(
    thresholds: Sequence[tuple[float, float, float]],
) -> list[tuple[float, float, float]]:
    """Turn what thresholds of the second class do into what those of the first one do."""
    if not thresholds:
        return []
    _, seconds, firsts = thresholds[-1]
    above = [(0.0, 0.0), *((found, alarms) for _, found, alarms in thresholds[:-1])]
    turned = [
        (round(1.0 - probability, 6), firsts - alarms, seconds - found)
        for (probability, *_), (found, alarms) in zip(thresholds, above, strict=True)
    ]
    return turned[::-1]


def _has_thresholds(content: PageContent) -> bool:
    """Tell whether readers can say what errors cost: where every size knows other thresholds."""
    return all(step.thresholds for step in content.models[0].steps) and not (
        content.chosen.tree.core.cost.size
    )


def _file(content: PageContent) -> dict[str, Any]:
    """Give the model file of the page's trees, without a tree."""
    tree = content.chosen.tree
    name = "TreeClassifier" if tree.is_classification else "TreeRegressor"
    file: dict[str, Any] = json.loads(model_to_text(ModelFile(tree, name)))
    del file["tree"]
    return file


def _by_kind(
    parts: list[list[dict[str, Any]]], shown: dict[str, Any]
) -> dict[str, list[list[Any]]]:
    """Put parts of one kind together: like beside like packs to half the size.

    What stands in the page already is left out.
    """
    return {
        kind: [
            [None if step is shown and kind in _STATIC else step[kind] for step in model]
            for model in parts
        ]
        for kind in shown
    }


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("treewright.page"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        article=_with_article,
        brief=_brief,
        count=grouped,
        marker=marker,
        number=shown_number,
        share=_share,
    )
    return environment


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[:1].lower() in "aeiou" else f"a {noun}"


def _share(share: float) -> str:
    """Write a proportion so that no line ends before its percent sign."""
    return share_text(share).replace(" %", "\u00a0%")


def _brief(text: str, width: int = _LONGEST_TEXT) -> str:
    return shortened(visible(text), width)


@cache
def _script() -> str:
    assets = (without_comments(_asset(name)) for name in _SCRIPTS)
    body = "\n".join([*answer_functions().values(), *assets])
    return f'"use strict";\n(() => {{\n{body}\n}})();\n'


@cache
def _style() -> str:
    return compact_style(_asset("style.css").replace("/* dark */", _asset("dark.css")))


def _asset(name: str) -> str:
    return resources.files("treewright.page").joinpath("assets", name).read_text("utf-8")
