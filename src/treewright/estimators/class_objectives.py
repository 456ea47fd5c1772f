"""What a classification tree may be the best in: errors, balanced accuracy, F1, Brier, log loss."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, brier_score_loss, f1_score, log_loss, recall_score

from treewright.base.parameters import Check, choice, one_of
from treewright.estimators.class_settings import F1, LogLoss
from treewright.estimators.class_weighting import ClassWeighting
from treewright.estimators.objectives import Objective, check_two_classes
from treewright.estimators.search import find_tree
from treewright.estimators.search_options import SearchOptions
from treewright.estimators.training import TrainingRows
from treewright.exceptions import DataError, brief
from treewright.optimal import SearchProgress
from treewright.optimal.f1 import F1Level, find_best_f1, node_f1_costs, progress_of
from treewright.optimal.found import Found
from treewright.optimal.goals import ClassGoal, Goal
from treewright.optimal.probabilities import BrierGoal, LogLossGoal
from treewright.schema import Level
from treewright.tree import Tree
from treewright.words import plural

__all__ = ["CLASS_OBJECTIVE_CHECK", "as_class_objective"]

_WEIGHING = ("abstain_cost", "class_weight", "cost_matrix")
_OF_PROBABILITIES = (*_WEIGHING, "front", "tune", "smoothing")


class Errors(Objective):
    """The weight of wrong predictions, or what they cost."""

    name = "errors"
    is_usual = True
    has_alternatives = True
    _takes_rules_of_paths = True

    def goal(self, rows: TrainingRows, owner: str) -> ClassGoal:
        """Give the classes; class weights and costs are the estimator's."""
        return ClassGoal(rows.truth, rows.weights, len(rows.labels))

    def measure(self, labels: tuple[Level, ...]) -> str:
        """Give the name of the score."""
        return "accuracy"

    def score_of(self, loss: float) -> float:
        """Give the score of a loss per unit of weight."""
        return 1.0 - loss

    def score(self, model: Any, X: Any, y: Any, sample_weight: Any) -> float:
        """Give the accuracy."""
        return float(accuracy_score(y, model.predict(X), sample_weight=sample_weight))


class BalancedAccuracy(Objective):
    """The mean over the classes of the proportion that is predicted correctly."""

    name = "balanced_accuracy"
    has_alternatives = True
    _refuses = _WEIGHING
    _takes_rules_of_paths = True

    def goal(self, rows: TrainingRows, owner: str) -> ClassGoal:
        """Give the classes, all of which weigh the same."""
        weights = ClassWeighting(rows.labels, "balanced").weights(rows.truth, rows.weights)
        return ClassGoal(rows.truth, weights, len(rows.labels))

    def measure(self, labels: tuple[Level, ...]) -> str:
        """Give the name of the score."""
        return "balanced accuracy"

    def score_of(self, loss: float) -> float:
        """Give the score of a loss per unit of weight."""
        return 1.0 - loss

    def score(self, model: Any, X: Any, y: Any, sample_weight: Any) -> float:
        """Give the mean of the recalls of the classes that occur."""
        recalls = recall_score(
            y,
            model.predict(X),
            labels=np.unique(np.asarray(y)),
            average="macro",
            sample_weight=sample_weight,
        )
        return float(recalls)


class F1Objective(Objective):
    """The F1 score of one class.

    Parameters
    ----------
    pos_label : class label or None
        The class; None takes the second of two.
    """

    name = "f1"
    _refuses = (*_WEIGHING, "front", "tune", "penalty", "term_penalty", "smallest")
    _takes_rules_of_paths = True
    _takes_column_costs = False

    def __init__(self, pos_label: Any) -> None:
        self._pos_label = pos_label

    def check_classes(self, labels: tuple[Level, ...], owner: str) -> None:
        """Refuse a class that there is not, or none where there are not two.

        Raises
        ------
        DataError
            With the class, or the number of classes.
        """
        if self._pos_label is None:
            if len(labels) != 2:
                raise DataError(
                    f"The 'objective' parameter of {owner} must name a class where there are not "
                    f"two. Got {plural(len(labels), 'class')}; give F1(pos_label=...)."
                )
        elif self._pos_label not in labels:
            raise DataError(
                f"The 'pos_label' parameter of F1 must be one of the classes. Got "
                f"{brief(self._pos_label)}; one of them is {brief(labels[0])}."
            )

    def goal(self, rows: TrainingRows, owner: str) -> ClassGoal:
        """Give the classes; each search has costs of its own."""
        return ClassGoal(rows.truth, rows.weights, len(rows.labels))

    def find(self, rows: TrainingRows, goal: Goal, options: SearchOptions, began: float) -> Found:
        """Search for the tree with the largest F1."""
        assert isinstance(goal, ClassGoal)
        told = options.progress

        def search(with_costs: ClassGoal, level: F1Level) -> Found:
            def tell(progress: SearchProgress) -> bool | None:
                assert told is not None
                elapsed = time.perf_counter() - began
                return told(replace(progress_of(level, progress), elapsed=elapsed))

            asked = options if told is None else replace(options, progress=tell)
            return find_tree(rows.schema, rows.values, with_costs, asked, began)

        found = find_best_f1(goal, self._code(rows.labels), search)
        seconds = time.perf_counter() - began
        return found.with_proof(seconds=seconds)

    def certified(
        self, found: Found, rows: TrainingRows, goal: Goal, options: SearchOptions
    ) -> Found:
        """Put F1, and what none exceeds, beside the objective, which is 1 - F1."""
        return found.with_proof(
            measure=self.measure(rows.labels),
            score=self.score_of(found.certificate.objective),
            score_bound=self.score_of(found.certificate.lower_bound),
        )

    def measure(self, labels: tuple[Level, ...]) -> str:
        """Give the name of the score."""
        return f"F1 of {labels[self._code(labels)]}"

    def score_of(self, loss: float) -> float:
        """Give F1 where 1 - F1 is given."""
        return 1.0 - loss

    def node_risks(self, tree: Tree) -> NDArray[np.float64]:
        """Give what each node would cost as a leaf, by the costs that the tree's F1 asks for."""
        return node_f1_costs(tree, self._code(tree.schema.classes or ()))

    def score(self, model: Any, X: Any, y: Any, sample_weight: Any) -> float:
        """Give F1 of the class; 0 where it neither occurs nor is predicted."""
        label = model.classes_[self._code(tuple(model.classes_.tolist()))]
        scores = f1_score(
            y,
            model.predict(X),
            labels=[label],
            average="macro",
            sample_weight=sample_weight,
            zero_division=0.0,
        )
        return float(scores)

    def _code(self, labels: tuple[Level, ...]) -> int:
        return 1 if self._pos_label is None else labels.index(self._pos_label)


class Brier(Objective):
    """The Brier score of two classes: the mean squared error of the probabilities."""

    name = "brier"
    _refuses = _OF_PROBABILITIES

    def check_classes(self, labels: tuple[Level, ...], owner: str) -> None:
        """Refuse more or fewer than two classes."""
        check_two_classes(labels, owner, self.name)

    def goal(self, rows: TrainingRows, owner: str) -> BrierGoal:
        """Give the probabilities to state."""
        return BrierGoal(rows.truth, rows.weights)

    def measure(self, labels: tuple[Level, ...]) -> str:
        """Give the name of the score."""
        return "Brier score"

    def score_of(self, loss: float) -> float:
        """Give the mean loss itself."""
        return loss

    def node_risks(self, tree: Tree) -> NDArray[np.float64]:
        """Give what each node would lose as a leaf."""
        return BrierGoal(np.empty(0, np.int32), np.empty(0)).lost(tree.core.statistics)

    def score(self, model: Any, X: Any, y: Any, sample_weight: Any) -> float:
        """Give the Brier score with a minus sign."""
        stated, second = model.predict_proba(X)[:, 1], model.classes_[1]
        is_second = np.asarray(y) == second
        return -float(brier_score_loss(is_second, stated, sample_weight=sample_weight))


class LogLossObjective(Objective):
    """The log loss of two classes, over leaves that state a probability in steps.

    Parameters
    ----------
    n_steps : int
        A leaf states a multiple of one over this.
    """

    name = "log_loss"
    _refuses = _OF_PROBABILITIES

    def __init__(self, n_steps: int) -> None:
        self._n_steps = n_steps

    def check_classes(self, labels: tuple[Level, ...], owner: str) -> None:
        """Refuse more or fewer than two classes."""
        check_two_classes(labels, owner, self.name)

    def goal(self, rows: TrainingRows, owner: str) -> LogLossGoal:
        """Give the probabilities to state."""
        return LogLossGoal(rows.truth, rows.weights, self._n_steps)

    def certified(
        self, found: Found, rows: TrainingRows, goal: Goal, options: SearchOptions
    ) -> Found:
        """Put the log loss beside the objective, and say in which steps leaves state it."""
        found = super().certified(found, rows, goal, options)
        certificate = found.certificate
        steps = f"{100.0 / self._n_steps:.3g} %"
        words = f"{certificate.tests.rstrip(',')}, with probabilities in steps of {steps},"
        return replace(found, certificate=replace(certificate, tests=words))

    def measure(self, labels: tuple[Level, ...]) -> str:
        """Give the name of the score."""
        return "log loss"

    def score_of(self, loss: float) -> float:
        """Give the mean loss itself."""
        return loss

    def node_risks(self, tree: Tree) -> NDArray[np.float64]:
        """Give what each node would lose as a leaf."""
        goal = LogLossGoal(np.empty(0, np.int32), np.empty(0), self._n_steps)
        return goal.lost(tree.core.statistics)

    def score(self, model: Any, X: Any, y: Any, sample_weight: Any) -> float:
        """Give the log loss with a minus sign."""
        stated = model.predict_proba(X)
        is_second = np.asarray(y) == model.classes_[1]
        loss = log_loss(is_second, stated, sample_weight=sample_weight, labels=[False, True])
        return -float(loss)


_OBJECTIVES: dict[str, Callable[[], Objective]] = {
    Errors.name: Errors,
    BalancedAccuracy.name: BalancedAccuracy,
    F1Objective.name: lambda: as_class_objective(F1()),
    Brier.name: Brier,
    LogLossObjective.name: lambda: as_class_objective(LogLoss()),
}

CLASS_OBJECTIVE_CHECK = one_of(
    choice(*_OBJECTIVES),
    Check("an F1 or a LogLoss", lambda value: isinstance(value, F1 | LogLoss)),
)
"""What the `objective` parameter of a classifier may be."""


def as_class_objective(objective: str | F1 | LogLoss) -> Objective:
    """Return what the `objective` parameter of a classifier stands for."""
    match objective:
        case F1():
            return F1Objective(objective.pos_label)
        case LogLoss():
            return LogLossObjective(int(objective.n_steps))
        case _:
            return _OBJECTIVES[objective]()
