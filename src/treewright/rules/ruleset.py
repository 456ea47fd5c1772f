"""RuleSet: rules in order, the first of which that fits a row predicts, and a default."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.jsonform import JSON
from treewright.rules.rule import Rule
from treewright.rules.rule_json import rules_from_json, rules_to_json
from treewright.rules.rule_text import rule_sentence, rule_set_text
from treewright.schema import Schema
from treewright.tree.use import label_array, table_of

__all__ = ["RuleSet"]

_AHEAD = 1e-9  # what the answer's probability is above any other's, at least


@dataclass(frozen=True)
class RuleSet:
    """Rules in the order in which they are tried, and a default class.

    Parameters
    ----------
    schema : Schema
        The columns the rules read and the classes they predict.
    rules : tuple of Rule
        The first rule whose conditions a row meets predicts its class.
    default : Rule
        The rule for rows that meet no other rule's conditions; it has none itself.
    class_weights : tuple of float
        Weight of each class in the training rows.
    level : float, default 0.95
        Level of the intervals that are printed for probabilities.

    See Also
    --------
    rule_set : Makes one of a tree and its training rows.
    treewright.RuleSetClassifier : The same as an estimator.
    Rule : One of the rules.

    Notes
    -----
    Methods that use the rules take the rows as ``X``: a data frame, a 2-D array, a list of dicts,
    or a treewright._core.Table. Where columns are found by name, those no rule reads may be absent.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> from treewright.rules import rule_set
    >>> table = {"age": [20, 25, 30, 41, 52, 55, 60, 70]}
    >>> answers = ["yes", "yes", "yes", "no", "no", "no", "no", "no"]
    >>> rules = rule_set(TreeClassifier().fit(table, answers).tree_, table, answers)
    >>> print(rules)
    Rule set: 8 rows, 2 rules
    Reading effort 1.38 values per row, training accuracy 100.0 %
    <BLANKLINE>
                  class  proportion  95 % interval  rows
    1  age > 40   no          100 %       56-100 %     5
    2  age <= 40  yes         100 %       43-100 %     3
       otherwise  no              -              -     0
    >>> rules.predict({"age": [33, 66]}), rules.apply({"age": [33, 66]})
    (array(['yes', 'no'], dtype='<U3'), array([1, 0]))
    """

    schema: Schema
    rules: tuple[Rule, ...]
    default: Rule
    class_weights: tuple[float, ...]
    level: float = 0.95

    # ------------------------------------------------------------------ looking

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def training_accuracy(self) -> float:
        """Proportion of the training weight that is classified correctly."""
        right = math.fsum(rule.answered_right for rule in (*self.rules, self.default))
        return right / math.fsum(self.class_weights)

    @cached_property
    def columns_read(self) -> tuple[int, ...]:
        """Positions of the columns that the rules read, in rising order."""
        conditions = (condition for rule in self.rules for condition in rule.conditions)
        return tuple(sorted({column for each in conditions for column in each.test.columns}))

    @cached_property
    def reading_effort(self) -> float:
        """Expected number of values a reader looks at per training row, rule after rule."""
        effort, seen = 0.0, 0
        for rule in (*self.rules, self.default):
            seen += rule.n_terms(self.schema)
            effort += rule.answered * seen
        return effort / math.fsum(self.class_weights)

    def to_sentences(self) -> list[str]:
        """Say each rule as one line, and the default as the last.

        Returns
        -------
        list of str
            For example "if 18 < age <= 55 and city is Oslo then yes (93 %, 120 rows, 95 % interval
            87-97 %)". Rows are those the rule covers, also those that an earlier rule classifies.
        """
        all_rules = (*self.rules, self.default)
        return [rule_sentence(rule, self.schema, self.level) for rule in all_rules]

    def to_text(self, *, width: int = 100) -> str:
        """Write the rules as a table; ``print(rules)`` shows it with the default width.

        Parameters
        ----------
        width : int, default 100
            Longest line to aim at; longer conditions are continued on the next line.

        Returns
        -------
        str
            Lines without trailing blanks or a final line feed.
        """
        return rule_set_text(self, width)

    # ------------------------------------------------------------------ using

    def apply(self, X: Any) -> NDArray[np.intp]:
        """Find the rule that classifies each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or treewright._core.Table
            The rows; columns that no rule reads may be absent.

        Returns
        -------
        ndarray of int
            Position of the first rule whose conditions the row meets; -1 for the default.
        """
        table = table_of(X, self.schema, self.columns_read)
        answer = np.full(table.n_rows, -1)
        for index, rule in enumerate(self.rules):
            answer[(answer < 0) & rule.covers(table)] = index
        return answer

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or treewright._core.Table
            The rows; columns that no rule reads may be absent.

        Returns
        -------
        ndarray
            One class per row.
        """
        values = [*(rule.value for rule in self.rules), self.default.value]
        classes = self.schema.classes
        assert classes is not None, "rules predict classes"
        # The default stands last, where -1 points.
        labels: NDArray[Any] = label_array(classes)[np.array(values)[self.apply(X)]]
        return labels

    def distribution(self, X: Any) -> NDArray[np.float64]:
        """Give the class probabilities of each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or treewright._core.Table
            The rows; columns that no rule reads may be absent.

        Returns
        -------
        ndarray of float64
            Rows times classes: the class proportions of the training rows that the rule covers;
            for the default, of those that no rule covers, or of all rows if there are none. Where
            another class is more frequent there than the predicted one, the predicted class is
            raised to a hair above it, so that the largest probability is that of the prediction.
        """
        shares = np.array([self._shares(rule) for rule in (*self.rules, self.default)])
        return shares[self.apply(X)]

    def confidence(self, X: Any) -> NDArray[np.float64]:
        """Give one minus the pessimistic error rate of the rule that classifies each row.

        Parameters
        ----------
        X : data frame, 2-D array, list of dicts, or treewright._core.Table
            The rows; columns that no rule reads may be absent.

        Returns
        -------
        ndarray of float64
            One per row.
        """
        confidences = [rule.confidence for rule in (*self.rules, self.default)]
        return np.array(confidences)[self.apply(X)]

    def _shares(self, rule: Rule) -> NDArray[np.float64]:
        weights = np.array(rule.class_weights if rule.cover > 0.0 else self.class_weights)
        others = np.delete(weights, rule.value)
        if len(others):
            weights[rule.value] = max(weights[rule.value], others.max() * (1.0 + _AHEAD))
        shares: NDArray[np.float64] = weights / weights.sum()
        return shares

    # ------------------------------------------------------------------ carrying

    def to_json(self) -> JSON:
        """Write the rules, without their schema, as a JSON object.

        Returns
        -------
        dict
            Plain lists, texts and numbers; see the published JSON Schema of the model file.
        """
        return rules_to_json(self.rules, self.default, self.class_weights, self.level)

    @classmethod
    def from_json(cls, data: object, schema: Schema) -> RuleSet:
        """Read what `to_json` wrote, trusting nothing.

        Parameters
        ----------
        data : object
            Parsed JSON.
        schema : Schema
            The columns and classes of the rules.

        Returns
        -------
        RuleSet
            Equal to the one that was written.

        Raises
        ------
        ModelFileError
            If it is not a rule set over this schema.
        """
        return cls(schema, *rules_from_json(data, schema))

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<RuleSet: {len(self.rules)} rules>"
