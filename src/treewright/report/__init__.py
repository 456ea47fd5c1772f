"""The report: from a table to readable trees, what to think of them, and one page about both."""

from treewright.report.analysis import Analysis, analyse
from treewright.report.columns import ColumnGuess, guess_columns
from treewright.report.settings import Settings

__all__ = [
    "Analysis",
    "ColumnGuess",
    "Settings",
    "analyse",
    "guess_columns",
]
