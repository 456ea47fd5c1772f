"""What a target is: a name, a kind of file, checked options, and a tree written in its language.

Each target is a frozen dataclass whose fields are its options. It takes a Tree, which brings its
schema, and never an estimator. A target whose language cannot say what a node does raises an
UnsupportedError that names the node and what to do; nothing is left out in silence.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from treewright.base.parameters import Check, check_parameters
from treewright.tree import Tree

__all__ = ["Exporter"]


@dataclass(frozen=True)
class Exporter(ABC):
    """Base of all targets; the fields of a subclass are its options.

    See Also
    --------
    as_exporter : A target by its name, with its options.
    export_tree : Writes a tree in a target by its name.
    targets : The names of all targets.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> from treewright.export import as_exporter
    >>> tree = TreeClassifier().fit({"age": [25, 38, 52, 61]}, ["no", "no", "yes", "yes"]).tree_
    >>> exporter = as_exporter("sql")
    >>> exporter.suffix, exporter.predicts
    ('.sql', True)
    >>> print(exporter.export(tree))
    CASE
      WHEN CAST("age" AS DOUBLE PRECISION) > 40 THEN 'yes'
      ELSE 'no'
    END
    """

    name: ClassVar[str]
    """What users call the target."""
    suffix: ClassVar[str]
    """How names of its files end, with the dot."""
    words: ClassVar[str]
    """What comes out, in a few words."""
    is_text: ClassVar[bool] = True
    """Whether `export` gives text; otherwise bytes."""
    predicts: ClassVar[bool] = False
    """Whether what comes out can be run and then predicts."""

    _checks: ClassVar[dict[str, Check]] = {}

    def __post_init__(self) -> None:
        check_parameters(self, self._checks)

    @abstractmethod
    def export(self, tree: Tree) -> str | bytes:
        """Write a tree.

        Parameters
        ----------
        tree : Tree
            Any tree.

        Returns
        -------
        str or bytes
            The whole content of a file.

        Raises
        ------
        UnsupportedError
            If the language cannot say what the tree does.
        """
