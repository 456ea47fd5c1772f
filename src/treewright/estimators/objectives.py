"""Objective: what a tree that is searched for shall be the best in.

Each makes the goal of a search from rows, says which parameters it does not go with, and gives the
score of the field that belongs to it: on the training rows for the certificate, on other rows for
`score`. Those of classes are in ``class_objectives``, those of numbers in ``number_objectives``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.estimators.refusals import refused
from treewright.estimators.search import find_tree
from treewright.estimators.search_options import SearchOptions
from treewright.estimators.training import TrainingRows
from treewright.exceptions import DataError, brief
from treewright.optimal.found import Found
from treewright.optimal.goals import Goal
from treewright.schema import Level
from treewright.tree import Tree
from treewright.words import plural

__all__ = ["Objective", "check_two_classes"]

_ALLOWED: dict[str, object] = {
    "abstain_cost": None,
    "class_weight": None,
    "cost_matrix": None,
    "front": False,
    "penalty": 0,
    "smallest": False,
    "smoothing": None,
    "term_penalty": 0,
    "tune": None,
}


class Objective(ABC):
    """Common part of all objectives."""

    name: ClassVar[str]
    """The word of ``objective=``."""

    _refuses: ClassVar[tuple[str, ...]] = ()
    """Parameters that must be as they are by default."""

    _takes_rules_of_paths: ClassVar[bool] = False
    _takes_column_costs: ClassVar[bool] = True

    is_usual: ClassVar[bool] = False
    """Whether it is the default of its estimator, whose certificate has no score."""

    has_alternatives: ClassVar[bool] = False
    """Whether trees that are nearly as good are counted."""

    def check_beside(self, model: Any) -> None:
        """Refuse parameters of an estimator that do not go with the objective.

        Raises
        ------
        ValueError
            With the parameter, and what it must be.
        """
        beside = f"objective={self.name!r}"
        for name in self._refuses:
            if getattr(model, name, _ALLOWED[name]) != _ALLOWED[name]:
                raise refused(model, name, f"{_ALLOWED[name]}", beside)
        if not self._takes_rules_of_paths:
            options = SearchOptions.of(model)
            if options.rules_of_paths():
                raise refused(model, "constraints", "None, or without rules for paths,", beside)
            if options.has_multiway:
                raise refused(model, "categorical", "'subset'", beside)
        if not self._takes_column_costs and getattr(model.constraints, "column_costs", None):
            raise refused(model, "constraints", "None, or without 'column_costs',", beside)

    def check_classes(self, labels: tuple[Level, ...], owner: str) -> None:
        """Refuse classes that the objective is not for; most are for all."""
        return

    @abstractmethod
    def goal(self, rows: TrainingRows, owner: str) -> Goal:
        """Give what is made smallest on some rows."""

    def find(self, rows: TrainingRows, goal: Goal, options: SearchOptions, began: float) -> Found:
        """Search for the best tree."""
        return find_tree(rows.schema, rows.values, goal, options, began)

    def certified(
        self, found: Found, rows: TrainingRows, goal: Goal, options: SearchOptions
    ) -> Found:
        """Put the score of a tree, and what none exceeds, beside its objective."""
        if self.is_usual:
            return found
        table = _core.Table(rows.values, rows.schema.n_levels)
        total = float(goal.weights.sum())
        costs = getattr(options.constraints, "column_costs", None)
        has_prices = options.penalty > 0.0 or options.term_penalty > 0.0 or costs is not None
        least = found.certificate.lower_bound / total
        return found.with_proof(
            measure=self.measure(rows.labels),
            score=self.score_of(goal.tree_loss(found.tree.core, table) / total),
            score_bound=None if has_prices else self.score_of(least),
        )

    @abstractmethod
    def measure(self, labels: tuple[Level, ...]) -> str:
        """Give the name of the score."""

    @abstractmethod
    def score_of(self, loss: float) -> float:
        """Give the score of a loss per unit of weight."""

    def node_risks(self, tree: Tree) -> NDArray[np.float64] | None:
        """Give what each node would lose as a leaf; None where that is errors or squared errors."""
        return None

    @abstractmethod
    def score(self, model: Any, X: Any, y: Any, sample_weight: Any) -> float:
        """Judge a fitted model by rows; more is better."""


def check_two_classes(labels: tuple[Level, ...], owner: str, name: str) -> None:
    """Refuse an objective of two classes where there are others.

    Parameters
    ----------
    labels : tuple
        The classes.
    owner, name : str
        Of the estimator and the objective.

    Raises
    ------
    DataError
        With the number of classes.
    """
    if len(labels) != 2:
        raise DataError(
            f"The 'objective' parameter of {owner} may be {brief(name)} for two classes only. Got "
            f"{plural(len(labels), 'class')}; join classes, or fit a tree for each class against "
            "the rest."
        )
