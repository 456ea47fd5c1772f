"""The parts of the page that belong to one tree: drawing, rules, evidence, exports, and data.

Names and levels are other people's text of any length. They are shortened once, in a copy of the
schema; exports keep them whole.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import Any

import jinja2
from markupsafe import Markup

from treewright.base.jsonform import plain_number
from treewright.expressions import TextRenderer, asked_branch
from treewright.page.charts import calibration_chart, precision_chart, residual_chart
from treewright.page.code import FOR_EVERY_TREE, TARGETS, code_text
from treewright.page.content import PageContent, Step
from treewright.page.evidence import ClassFigures
from treewright.page.outline import outline_lines
from treewright.page.reasons import advice, is_clearly_better, why_recommended
from treewright.page.rule_lines import fitting_sentence, rule_lines
from treewright.page.wording import ScoreWords
from treewright.plot import tree_svg
from treewright.plot.tree.style import N_COLOURS
from treewright.schema import Schema
from treewright.schema.shortening import short_schema, shortened
from treewright.tree import Tree
from treewright.tree.branching import told_branches
from treewright.tree.tree_text import class_text, decimals_for
from treewright.words import flag_text, level_texts, name_text, visible

__all__ = ["PartWriter"]

_WIDTH = 1180.0  # of the place of the tree on a screen of 1280 pixels


class PartWriter:
    """Write the parts of each tree of a page.

    Parameters
    ----------
    content : PageContent
        The page.
    words : ScoreWords
        How scores are written.
    environment : jinja2.Environment
        The templates.
    """

    def __init__(
        self, content: PageContent, words: ScoreWords, environment: jinja2.Environment
    ) -> None:
        self.content = content
        self.words = words
        self.schema: Schema = short_schema(content.schema)
        with_gaps = {note.name for note in content.columns if note.gaps > 0.0}
        self._gaps = [
            short.name
            for short, column in zip(self.schema.columns, content.schema.columns, strict=True)
            if column.has_missing or column.name in with_gaps
        ]
        self.classes: list[str] = [class_text(label) for label in self.schema.classes or ()]
        target = content.schema.target
        self.target: str = "the target" if target is None else shortened(name_text(target), 60)
        self._template = environment.get_template

    def parts(self, step: Step, *, is_chosen: bool, is_recommended: bool) -> dict[str, Any]:
        """Write all parts of one tree.

        Parameters
        ----------
        step : Step
            The tree and what is known of it.
        is_chosen : bool
            Whether it is its family's own; only then it is written in all languages.
        is_recommended : bool
            Whether it is the one that the page recommends.

        Returns
        -------
        dict
            HTML texts by the name of the part, among them the drawing as "tree" and, where small
            branches are folded in it, the "whole" one; the tree's JSON with its words under "data";
            plain texts under "code-" and the name of a target. None for what is left out.
        """
        tree = step.tree.with_schema(self.schema)
        folded = self._drawing(tree, _WIDTH)
        return {
            "tree": folded,
            "whole": self._drawing(tree, None) if "data-folds" in folded else None,
            "outline": self._html("outline", lines=outline_lines(tree, self._gaps)),
            "verdict": self._html(
                "verdict",
                step=step,
                is_recommended=is_recommended,
                is_better=is_clearly_better(step, self.content),
                why=why_recommended(self.content, self.words) if is_recommended else "",
                advice=advice(self.content) if is_recommended else "",
                proof=self.content.models[0].proof if is_recommended else "",
            ),
            "rules": self._rules(tree),
            "evidence": self._evidence(step),
            "groups": _group_numbers(step),
            "data": {
                **step.tree.to_json(),
                "words": (words := _branch_words(tree, TextRenderer())),
                "short": _where_other(_branch_words(tree, TextRenderer(short_sets=True)), words),
                "asked": _asked(tree),
            },
            **{
                f"code-{target}": code_text(step.tree, target)
                if is_chosen or target in FOR_EVERY_TREE
                else None
                for target in TARGETS
            },
        }

    def names(self) -> dict[str, Any]:
        """Give the names that the script shows: columns, their levels, classes, the target."""
        root = self.content.chosen.tree.node(0)
        spread = root.standard_deviation
        return {
            "target": self.target,
            "classes": self.classes,
            "decimals": 0 if spread is None else decimals_for(spread, root.value),
            "columns": [
                {
                    "name": name_text(column.name),
                    "unit": visible(column.unit) if column.unit else "",
                    "levels": None if column.kind == "numeric" else level_texts(column.levels),
                    "ordered": column.kind == "ordinal",
                    "flags": [flag_text(column.name, level) for level in (False, True)]
                    if column.kind == "boolean"
                    else None,
                }
                for column in self.schema.columns
            ],
        }

    def sample(self) -> dict[str, Any] | None:
        """Give the rows that readers may try, column by column.

        Returns
        -------
        dict or None
            Values, None where missing; None for a whole column that no tree looks at.
        """
        sample = self.content.sample
        if sample is None:
            return None
        used = {
            column
            for model in self.content.models
            for step in model.steps
            for column in step.tree.columns_read
        }
        columns = [
            [None if math.isnan(value) else plain_number(value) for value in values]
            if column in used
            else None
            for column, values in enumerate(sample.values.T.tolist())
        ]
        return {"columns": columns, "answers": [plain_number(answer) for answer in sample.answers]}

    def first_questions(self) -> list[dict[str, Any]]:
        """Give the best trees with other first questions: the question, and the tree in words."""
        found: list[dict[str, Any]] = []
        losses = () if self.content.near is None else self.content.near.losses
        for step, loss in itertools.zip_longest(self.content.first_questions, losses):
            tree = step.tree.with_schema(self.schema)
            root = tree.node(0)
            branches = told_branches(root, tree.schema, False)
            words = TextRenderer().render(branches[asked_branch(branches)])
            found.append({"step": step, "words": words, "text": tree.to_text(), "loss": loss})
        return found

    def groupings(self) -> list[dict[str, Any]]:
        """Give the parts of the hold-out set that readers may look at."""
        return [
            {
                "name": name_text(self.schema.names[grouping.column]),
                "words": [shortened(visible(words), 60) for words in grouping.words],
                "rows": grouping.rows,
            }
            for grouping in self.content.groupings
        ]

    def _html(self, name: str, **values: Any) -> Markup:
        text = self._template(f"{name}.html.j2").render(
            content=self.content, words=self.words, classes=self.classes, **values
        )
        return Markup(text)

    def _positive_first(
        self, figures: Iterable[tuple[int, ClassFigures]]
    ) -> list[tuple[int, ClassFigures]]:
        return sorted(figures, key=lambda pair: pair[0] != self.content.positive)

    @property
    def stated_class(self) -> str:
        """The class whose predicted probabilities are compared with the truth."""
        if self.content.positive is not None:
            return self.classes[self.content.positive]
        return self.classes[-1] if len(self.classes) == 2 else "the predicted class"

    def _rules(self, tree: Tree) -> Markup:
        return self._html(
            "rules",
            target=self.target,
            rules=rule_lines(tree, N_COLOURS, self._gaps),
            fits=fitting_sentence(tree, self._gaps),
        )

    def _drawing(self, tree: Tree, width: float | None) -> Markup:
        return Markup(tree_svg(tree, width=width, show_missing=self._gaps, with_style=False))

    def _evidence(self, step: Step) -> Markup:
        evidence = step.evidence
        calibration = precision = residuals = None
        if evidence is not None and evidence.ranking is not None:
            precision = precision_chart(evidence.ranking, self.classes[evidence.ranking.positive])
        if evidence is not None and evidence.calibration:
            name = self.stated_class
            calibration = calibration_chart(evidence.calibration, name)
        if evidence is not None and evidence.residuals is not None and evidence.residuals.points:
            residuals = residual_chart(evidence.residuals, self.content.measure.unit)
        return self._html(
            "evidence",
            evidence=evidence,
            figures_in_order=self._positive_first(enumerate(evidence.classes if evidence else ())),
            unit="" if self.content.measure.is_share else self.words.unit,
            calibration_chart=calibration,
            precision_chart=precision,
            residual_chart=residuals,
        )


def _group_numbers(step: Step) -> list[list[list[float | None]]]:
    """Give the figures of each group, None where one is unknown."""
    groups = step.evidence.groups if step.evidence is not None else ()
    return [
        [
            [
                plain_number(float(f"{number:.4g}")) if math.isfinite(number) else None
                for number in figures
            ]
            for figures in grouping
        ]
        for grouping in groups
    ]


def _branch_words(tree: Tree, renderer: TextRenderer) -> list[list[str]]:
    """Say each branch of each node; leaves have none."""
    nodes = (tree.node(index) for index in range(tree.n_nodes))
    return [
        []
        if node.predicate is None
        else [renderer.render(branch) for branch in told_branches(node, tree.schema, False)]
        for node in nodes
    ]


def _where_other(short: list[list[str]], words: list[list[str]]) -> dict[int, list[str]]:
    """Give by node the shorter words, where they are shorter."""
    pairs = enumerate(zip(short, words, strict=True))
    return {node: few for node, (few, all_of_them) in pairs if few != all_of_them}


def _asked(tree: Tree) -> list[int]:
    """Name the branch of each node whose words are asked."""
    nodes = (tree.node(index) for index in range(tree.n_nodes))
    return [
        0 if node.predicate is None else asked_branch(told_branches(node, tree.schema, False))
        for node in nodes
    ]
