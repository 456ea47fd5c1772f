"""The page: one HTML file that shows trees and what is known of them, without a network."""

from treewright.page.content import (
    CalibrationPoint,
    CardField,
    ClassFigures,
    ColumnNote,
    Confusion,
    DataNote,
    Evidence,
    Measure,
    Model,
    PageContent,
    Panel,
    Residuals,
    Sample,
    Stability,
    Step,
    Trivial,
)
from treewright.page.page import page_html, write_page

__all__ = [
    "CalibrationPoint",
    "CardField",
    "ClassFigures",
    "ColumnNote",
    "Confusion",
    "DataNote",
    "Evidence",
    "Measure",
    "Model",
    "PageContent",
    "Panel",
    "Residuals",
    "Sample",
    "Stability",
    "Step",
    "Trivial",
    "page_html",
    "write_page",
]
