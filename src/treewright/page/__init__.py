"""The page: one HTML file that shows trees and what is known of them, without a network."""

from treewright.page.content import (
    CardField,
    ColumnNote,
    DataNote,
    Measure,
    Model,
    NearTrees,
    PageContent,
    Panel,
    Sample,
    Stability,
    Step,
    Trivial,
)
from treewright.page.evidence import (
    CalibrationPoint,
    ClassFigures,
    Confusion,
    Evidence,
    GroupFigures,
    Grouping,
    OperatingPoint,
    Ranking,
    Residuals,
)
from treewright.page.page import page_html, write_page
from treewright.page.reasons import advice, why_recommended

__all__ = [
    "CalibrationPoint",
    "CardField",
    "ClassFigures",
    "ColumnNote",
    "Confusion",
    "DataNote",
    "Evidence",
    "GroupFigures",
    "Grouping",
    "Measure",
    "Model",
    "NearTrees",
    "OperatingPoint",
    "PageContent",
    "Panel",
    "Ranking",
    "Residuals",
    "Sample",
    "Stability",
    "Step",
    "Trivial",
    "advice",
    "page_html",
    "why_recommended",
    "write_page",
]
