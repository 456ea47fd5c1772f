"""One rule: conditions that must all hold, the class they lead to, and how far to trust it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.expressions import Expression, merge_conditions
from treewright.rules.condition import Condition
from treewright.schema import Schema
from treewright.statistics.intervals import share_interval

__all__ = ["Rule"]


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions, a predicted class, and its record on the training rows.

    Weights count as rows: a row of weight 2 as two. The default of a rule set is a rule
    without conditions that covers the rows which no other rule covers.

    Parameters
    ----------
    conditions : tuple of Condition
        What must hold, in the order of the columns.
    value : int
        The predicted class, as a position in the schema's classes.
    class_weights : tuple of float
        Weight of each class among the training rows that the rule covers, whether or not an earlier
        rule of its rule set classifies them.
    error_rate : float
        Pessimistic error rate: the upper limit that the rule was simplified and ordered by.
    answered : float
        Weight of the training rows it classifies, as no earlier rule does.
    answered_right : float
        Weight of those among them that it classifies correctly.

    See Also
    --------
    RuleSet : Rules in their order, and a default.
    Condition : One of the conditions.

    Examples
    --------
    >>> from treewright.predicates import Axis
    >>> rule = Rule((Condition(Axis(0, 40.0), 0),), 1, (1.0, 7.0), 0.3, 8.0, 7.0)
    >>> rule.cover, rule.probability, rule.confidence
    (8.0, 0.875, 0.7)
    """

    conditions: tuple[Condition, ...]
    value: int
    class_weights: tuple[float, ...]
    error_rate: float
    answered: float
    answered_right: float

    @property
    def cover(self) -> float:
        """Weight of the training rows that the rule covers."""
        return math.fsum(self.class_weights)

    @property
    def correct(self) -> float:
        """Weight of the covered rows whose class is the rule's."""
        return self.class_weights[self.value]

    @property
    def probability(self) -> float:
        """Proportion of the rule's class among the covered rows; NaN if it covers none."""
        return self.correct / self.cover if self.cover > 0.0 else math.nan

    @property
    def confidence(self) -> float:
        """One minus the pessimistic error rate."""
        return 1.0 - self.error_rate

    def interval(self, level: float) -> tuple[float, float]:
        """Give Wilson's interval (1927) for the probability.

        Parameters
        ----------
        level : float
            How often such intervals hold the true probability; above 0 and below 1.

        Returns
        -------
        tuple of float
            Lower and upper limit; 0 and 1 if the rule covers no row.

        Examples
        --------
        >>> rule = Rule((), 1, (7.0, 93.0), 0.09, 100.0, 93.0)
        >>> [round(limit, 3) for limit in rule.interval(0.95)]
        [0.863, 0.966]
        """
        return share_interval(self.probability, self.cover, confidence=level) or (0.0, 1.0)

    def expressions(self, schema: Schema) -> tuple[Expression, ...]:
        """Say the conditions as few expressions, bounds on one column merged.

        Parameters
        ----------
        schema : Schema
            Names, levels and units of the columns.

        Returns
        -------
        tuple of Expression
            What must hold, all of it.
        """
        return merge_conditions(condition.expression(schema) for condition in self.conditions)

    def n_terms(self, schema: Schema) -> int:
        """Count the values a reader looks at to see whether the rule fits.

        Parameters
        ----------
        schema : Schema
            Names, levels and units of the columns.

        Returns
        -------
        int
            The number of values.
        """
        return sum(len(expression.columns) for expression in self.expressions(schema))

    def covers(self, table: _core.Table) -> NDArray[np.bool_]:
        """Tell for each row whether it meets all conditions.

        Parameters
        ----------
        table : treewright._core.Table
            The rows, as the core reads them.

        Returns
        -------
        ndarray of bool
            One per row.
        """
        fits = np.ones(table.n_rows, dtype=np.bool_)
        for condition in self.conditions:
            fits &= condition.holds(table)
        return fits
