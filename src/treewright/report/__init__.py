"""The report: from a table to readable trees, what to think of them, and one page about both."""

from treewright.report.analysis import Analysis, analyse
from treewright.report.settings import COLUMN_KINDS, METHODS, Settings

__all__ = ["COLUMN_KINDS", "METHODS", "Analysis", "Settings", "analyse"]
