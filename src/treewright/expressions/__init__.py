"""Conditions on columns as values that can be printed, evaluated and exported.

A predicate says which branch each row takes; an expression says the same about one branch in words
that any target language has: comparisons, weighted sums, sets, and, or, not. Exporters know these
nine expressions and nothing of predicates, so words come from one place.

In this order, each using only what stands before: ``values`` (the nine expressions and their
truth), ``missing`` (conditions with and without missing values), ``merging`` (few conditions
instead of many), ``renderers`` (target languages), ``text_renderer`` (plain words), ``asking``
(which branch a question is about).
"""

from treewright.expressions.asking import asked_branch, yes_and_no
from treewright.expressions.merging import merge_conditions
from treewright.expressions.missing import any_missing, or_missing, split_missing, without_missing
from treewright.expressions.renderers import Renderer
from treewright.expressions.text_renderer import TextRenderer
from treewright.expressions.values import (
    And,
    Compare,
    Expression,
    In,
    IsMissing,
    Largest,
    Not,
    Or,
    Score,
    Sum,
    Term,
    Xor,
    negate,
)

__all__ = [
    "And",
    "Compare",
    "Expression",
    "In",
    "IsMissing",
    "Largest",
    "Not",
    "Or",
    "Renderer",
    "Score",
    "Sum",
    "Term",
    "TextRenderer",
    "Xor",
    "any_missing",
    "asked_branch",
    "merge_conditions",
    "negate",
    "or_missing",
    "split_missing",
    "without_missing",
    "yes_and_no",
]
