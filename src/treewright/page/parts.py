"""The parts of the page that belong to one tree: drawing, rules, evidence, exports, and data.

Names and levels are other people's text of any length. They are shortened once, in a copy of the
schema; exports keep them whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import jinja2
from markupsafe import Markup

from treewright.base.jsonform import plain_number
from treewright.expressions import TextRenderer, asked_branch
from treewright.page.charts import calibration_chart, residual_chart
from treewright.page.code import FOR_EVERY_TREE, TARGETS, code_text
from treewright.page.content import ClassFigures, PageContent, Step
from treewright.page.outline import outline_lines
from treewright.page.rule_lines import fitting_sentence, rule_lines
from treewright.page.wording import ScoreWords
from treewright.plot import tree_svg
from treewright.plot.tree.style import N_COLOURS
from treewright.schema.shortening import short_schema, shortened
from treewright.tree import Tree
from treewright.tree.branching import told_branches
from treewright.tree.tree_text import class_text, decimals_for
from treewright.words import level_texts, name_text, visible

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
        self.schema = short_schema(content.schema)
        with_gaps = {note.name for note in content.columns if note.gaps > 0.0}
        self._gaps = [
            short.name
            for short, column in zip(self.schema.columns, content.schema.columns, strict=True)
            if column.has_missing or column.name in with_gaps
        ]
        self.classes = [class_text(label) for label in self.schema.classes or ()]
        target = content.schema.target
        self.target = "the target" if target is None else shortened(name_text(target), 60)
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
                is_better=self._is_better(step),
            ),
            "rules": self._rules(tree),
            "evidence": self._evidence(step),
            "data": {**step.tree.to_json(), "words": _branch_words(tree), "asked": _asked(tree)},
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

    def _html(self, name: str, **values: Any) -> Markup:
        text = self._template(f"{name}.html.j2").render(
            content=self.content, words=self.words, classes=self.classes, **values
        )
        return Markup(text)

    def _is_better(self, step: Step) -> bool:
        """Tell whether the whole interval of a tree is better than the baseline."""
        evidence, trivial = step.evidence, self.content.trivial.score
        if evidence is None:
            return True
        if self.content.measure.higher_is_better:
            return evidence.low > trivial
        return evidence.high < trivial

    def _positive_first(
        self, figures: Iterable[tuple[int, ClassFigures]]
    ) -> list[tuple[int, ClassFigures]]:
        return sorted(figures, key=lambda pair: pair[0] != self.content.positive)

    def _stated_class(self) -> str:
        """Name the class whose predicted probabilities are compared with the truth."""
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
        calibration = residuals = None
        if evidence is not None and evidence.calibration:
            name = self._stated_class()
            calibration = calibration_chart(evidence.calibration, name)
        if evidence is not None and evidence.residuals is not None and evidence.residuals.points:
            residuals = residual_chart(evidence.residuals, self.content.measure.unit)
        return self._html(
            "evidence",
            evidence=evidence,
            figures_in_order=self._positive_first(enumerate(evidence.classes if evidence else ())),
            unit="" if self.content.measure.is_share else self.words.unit,
            calibration_chart=calibration,
            residual_chart=residuals,
        )


def _branch_words(tree: Tree) -> list[list[str]]:
    """Say each branch of each node; leaves have none."""
    renderer = TextRenderer()
    nodes = (tree.node(index) for index in range(tree.n_nodes))
    return [
        []
        if node.predicate is None
        else [renderer.render(branch) for branch in told_branches(node, tree.schema, False)]
        for node in nodes
    ]


def _asked(tree: Tree) -> list[int]:
    """Name the branch of each node whose words are asked."""
    nodes = (tree.node(index) for index in range(tree.n_nodes))
    return [
        0 if node.predicate is None else asked_branch(told_branches(node, tree.schema, False))
        for node in nodes
    ]
