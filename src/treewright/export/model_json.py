"""JSON: the model file, with the tree and everything it speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from treewright.export.base import Exporter
from treewright.modelfile import ModelFile, model_to_text
from treewright.tree import Tree

__all__ = ["ModelJSON"]


@dataclass(frozen=True)
class ModelJSON(Exporter):
    """A model file that :func:`treewright.load` reads; its JSON Schema is published.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [25, 31, 47, 62]}, ["no", "no", "yes", "yes"]).tree_
    >>> ModelJSON().export(tree).splitlines()[1]
    '  "format": "treewright-model",'
    """

    name: ClassVar[str] = "json"
    suffix: ClassVar[str] = ".json"
    words: ClassVar[str] = "a model file that treewright reads again"
    predicts: ClassVar[bool] = True

    def export(self, tree: Tree) -> str:
        """Write a tree as a model file."""
        estimator = "TreeClassifier" if tree.is_classification else "TreeRegressor"
        return model_to_text(ModelFile(tree, estimator))
