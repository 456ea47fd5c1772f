"""The report: from a table to readable trees, what to think of them, and one page about both."""

from treewright.reports.analysis import Analysis, analyse
from treewright.reports.columns import InferredColumn, infer_columns
from treewright.reports.making import report
from treewright.reports.settings import Settings

__all__ = [
    "Analysis",
    "InferredColumn",
    "Settings",
    "analyse",
    "infer_columns",
    "report",
]
