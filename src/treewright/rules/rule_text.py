"""Rules in words: as sentences, and a rule set as a table.

    Rule set for species: 150 rows, 4 rules
    Reading effort 2.67 values per row, training accuracy 97.3 %

                                                         species     proportion  95 % interval  rows
    1  petal width <= 0.6                                setosa           100 %       92-100 %    50
    2  petal length <= 4.9 and 0.6 < petal width <= 1.7  versicolor        98 %       89-100 %    48
    3  petal width > 1.7                                 virginica         98 %       88-100 %    46
    4  petal length > 4.9                                virginica         96 %        85-99 %    46
       otherwise                                         setosa               -              -     0

Rows are those that a rule covers, also those that an earlier rule classifies; a row of weight 2
counts as two. Limits of intervals are rounded outwards to whole percent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

from treewright.expressions import TextRenderer
from treewright.rules.rule import Rule
from treewright.schema import Schema
from treewright.tree.tree_text import class_text, sentence
from treewright.words import count_text, name_text, number_text, plural, share_text
from treewright.words.text_table import Line, aligned

__all__ = ["rule_sentence", "rule_set_text"]


class ReadableRules(Protocol):
    """What must be known of a rule set to print it."""

    @property
    def schema(self) -> Schema:
        """Columns and classes."""

    @property
    def rules(self) -> Sequence[Rule]:
        """The rules in order."""

    @property
    def default(self) -> Rule:
        """The prediction where no rule fits."""

    @property
    def class_weights(self) -> tuple[float, ...]:
        """Weight of each class in the training rows."""

    @property
    def level(self) -> float:
        """Level of intervals."""

    @property
    def reading_effort(self) -> float:
        """Values a reader looks at per row."""

    @property
    def training_accuracy(self) -> float:
        """Accuracy on the training rows."""


def rule_sentence(rule: Rule, schema: Schema, level: float) -> str:
    """Write a rule as one sentence; the default of a rule set, without conditions, too.

    Parameters
    ----------
    rule : Rule
        The rule.
    schema : Schema
        Its columns and classes.
    level : float
        Level of the interval of its probability.

    Returns
    -------
    str
        For example "if 18 < age <= 55 then yes (93 %, 120 rows, 95 % interval 87-97 %)".
    """
    facts = [plural(rule.cover, "row")]
    if rule.cover > 0.0:
        interval = f"{_level_text(level)} {_interval_text(rule, level)}"
        facts = [share_text(rule.probability), *facts, interval]
    answer = f"{_answer(rule, schema)} ({', '.join(facts)})"
    if not rule.conditions:
        return f"otherwise {answer}"
    return sentence(rule.expressions(schema), answer)


def rule_set_text(rule_set: ReadableRules, width: int) -> str:
    """Write a rule set as a table; `RuleSet.to_text` tells about it.

    Returns
    -------
    str
        Lines without trailing blanks or a final line feed.
    """
    schema, rules = rule_set.schema, rule_set.rules
    renderer = TextRenderer()
    indent = " " * (len(str(len(rules))) + 2)
    lines = []
    for number, rule in enumerate([*rules, rule_set.default], start=1):
        words = " and ".join(renderer.nested(part) for part in rule.expressions(schema))
        prefix = f"{number}  ".rjust(len(indent)) if words else indent
        cells = (
            _answer(rule, schema),
            share_text(rule.probability),
            _interval_text(rule, rule_set.level),
            count_text(rule.cover),
        )
        lines.append(Line(prefix, indent, words or "otherwise", cells))
    answer = "class" if schema.target is None else name_text(schema.target)
    headings = [answer, "proportion", _level_text(rule_set.level), "rows"]
    table = aligned(headings, lines, [False, True, True, True], width)
    return "\n".join([*_header(rule_set), "", *table])


def _header(rule_set: ReadableRules) -> list[str]:
    """Say what the rules are for, how many they are and how well they fit."""
    target = rule_set.schema.target
    purpose = f" for {name_text(target)}" if target is not None else ""
    rows = plural(math.fsum(rule_set.class_weights), "row")
    return [
        f"Rule set{purpose}: {rows}, {plural(len(rule_set.rules), 'rule')}",
        f"Reading effort {rule_set.reading_effort:.2f} values per row, "
        f"training accuracy {100.0 * rule_set.training_accuracy:.1f} %",
    ]


def _answer(rule: Rule, schema: Schema) -> str:
    assert schema.classes is not None, "rules predict classes"
    return class_text(schema.classes[rule.value])


def _level_text(level: float) -> str:
    return f"{number_text(round(100.0 * level, 6))} % interval"


def _interval_text(rule: Rule, level: float) -> str:
    if not rule.cover > 0.0:
        return "-"
    low, high = rule.interval(level)
    return f"{math.floor(100.0 * low)}-{math.ceil(100.0 * high)} %"
