"""What rows say of a tree, above all rows it has not seen, as the values that a page shows."""

from treewright.evaluation.card import card_fields
from treewright.evaluation.ceiling import ceiling_sentence
from treewright.evaluation.columns import column_note, kind_words
from treewright.evaluation.content import installed_version, tree_content
from treewright.evaluation.evidence import evidence_of, measure_of, trivial_of
from treewright.evaluation.panels import ROWS_DRAWN, panel_count, panels_of
from treewright.evaluation.paths import JudgedPath, Scale, judged_path, shown_steps
from treewright.evaluation.rows import JudgedRows
from treewright.evaluation.stability import (
    RESAMPLES,
    every_question,
    first_questions,
    refitted,
)

__all__ = [
    "RESAMPLES",
    "ROWS_DRAWN",
    "JudgedPath",
    "JudgedRows",
    "Scale",
    "card_fields",
    "ceiling_sentence",
    "column_note",
    "every_question",
    "evidence_of",
    "first_questions",
    "installed_version",
    "judged_path",
    "kind_words",
    "measure_of",
    "panel_count",
    "panels_of",
    "refitted",
    "shown_steps",
    "tree_content",
    "trivial_of",
]
