"""The one door: the best tree a person can read, without choosing a method."""

from __future__ import annotations

from treewright.readable.classifier import ReadableTreeClassifier
from treewright.readable.regressor import ReadableTreeRegressor
from treewright.readable.taking import Ceiling, Evidence

__all__ = ["Ceiling", "Evidence", "ReadableTreeClassifier", "ReadableTreeRegressor"]
