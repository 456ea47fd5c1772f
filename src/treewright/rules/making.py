"""Rule sets from trees, in the seven steps of C4.5's rules.

1. A rule from each leaf, simplified (`candidates`). 2. No rule twice. 3. For each class the subset
of its rules with the shortest description (`subsets`, `description`). 4. An order (`ordering`).
5. A default class for rows that no rule covers. 6. Rules that do harm where they stand go. 7. The
first rule whose conditions a row meets predicts its class.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from treewright.base.parameters import Check, check_arguments, choice, fraction, number, seed
from treewright.rules.candidates import Candidate, Rate, candidates, class_rate, error_rate
from treewright.rules.description import column_bits, rule_bits
from treewright.rules.ordering import (
    answers,
    by_accuracy,
    by_class,
    default_class,
    without_harmful,
)
from treewright.rules.rule import Rule
from treewright.rules.ruleset import RuleSet
from treewright.rules.sample import Sample
from treewright.rules.subsets import best_subset
from treewright.schema import Schema
from treewright.statistics.error_bounds import BOUNDS
from treewright.tree import Tree

__all__ = ["CHECKS", "rule_set", "rules_of_sample"]

_WORST_RATE = 0.7  # C4.5 never uses a rule with a higher pessimistic rate

CHECKS: dict[str, Check] = {
    "confidence": number(0, 1, above=True),
    "bound": choice(*BOUNDS, "none"),
    "selection": choice("description_length", "none"),
    "ordering": choice("class", "accuracy"),
    "interval": fraction(),
    "random_state": seed(),
}


def rule_set(
    tree: Tree,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    confidence: float = 0.25,
    bound: str = "exact",
    selection: str = "description_length",
    ordering: str = "class",
    interval: float = 0.95,
    random_state: Any = 0,
    progress: Callable[[float], None] | None = None,
) -> RuleSet:
    """Make a rule set from a tree that predicts classes, as C4.5's rules are made.

    Parameters
    ----------
    tree : Tree
        A tree of any kind, best one that was not pruned.
    X : data frame, 2-D array, list of dicts, or dict of lists
        The rows it was grown on.
    y : array-like or series
        Their classes.
    sample_weight : array-like of float or None, default None
        Weights of the rows; each counts as so many rows.
    confidence : float, default 0.25
        Confidence factor of the pessimistic error rate; smaller drops more conditions.
    bound : {"exact", "normal", "c45", "none"}, default "exact"
        How the pessimistic rate is found, see ``treewright.statistics.error_bounds``;
        ``"c45"`` as release 8 of C4.5 does. ``"none"`` takes the plain error rate, as textbooks do.
    selection : {"description_length", "none"}, default "description_length"
        Which rules are kept: for each class those with the shortest description, less those that
        do harm where they stand; or all.
    ordering : {"class", "accuracy"}, default "class"
        Rules of one class together, or the most accurate first.
    interval : float, default 0.95
        Level of the interval that is printed for the probability of a rule.
    random_state : int, RandomState or None, default 0
        Seed of the search for a subset where a class has more than 20 rules.
    progress : callable or None, default None
        Called now and then with the fraction of work done, from 0 to 1.

    Returns
    -------
    RuleSet
        Rules in order, and a default class.

    Raises
    ------
    TypeError
        If it is a regression tree.
    ValueError
        If the tree has a cost matrix: rules know no costs.

    References
    ----------
    Quinlan (1993), *C4.5: Programs for Machine Learning*, chapter 5.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> table = {"age": [20, 25, 30, 41, 52, 55, 60, 70]}
    >>> answers = ["yes", "yes", "yes", "no", "no", "no", "no", "no"]
    >>> tree = TreeClassifier().fit(table, answers).tree_
    >>> for line in rule_set(tree, table, answers).to_sentences():
    ...     print(line)
    if age > 40 then no (100 %, 5 rows, 95 % interval 56-100 %)
    if age <= 40 then yes (100 %, 3 rows, 95 % interval 43-100 %)
    otherwise no (0 rows)
    """
    given = {
        "confidence": confidence,
        "bound": bound,
        "selection": selection,
        "ordering": ordering,
        "interval": interval,
        "random_state": random_state,
    }
    check_arguments("rule_set", given, CHECKS)
    if not tree.is_classification:
        raise TypeError("Rule sets predict classes, and this is a regression tree.")
    if len(tree.core.cost):
        raise ValueError(
            "Rules are chosen by their errors, and this tree has a cost matrix; grow it with "
            "class weights instead."
        )
    return rules_of_sample(
        tree,
        Sample.of(X, y, sample_weight, tree.schema),
        rate=error_rate(confidence, bound),
        selection=selection,
        ordering=ordering,
        interval=float(interval),
        random=check_random_state(random_state),
        tell=progress or _tell_nobody,
    )


def rules_of_sample(
    tree: Tree,
    sample: Sample,
    *,
    rate: Rate,
    selection: str,
    ordering: str,
    interval: float,
    random: np.random.RandomState,
    tell: Callable[[float], None],
) -> RuleSet:
    """Make a rule set from rows that are encoded already; see `rule_set`."""
    is_selected = selection == "description_length"
    part = 0.5 if is_selected else 1.0  # of the work, roughly
    found = candidates(tree, sample, rate, lambda share: tell(part * share))
    if is_selected:
        found = _selected(
            found, sample, tree.schema, random, lambda share: tell(part * (1 + share))
        )
    if ordering == "class":
        ordered = by_class(found, sample)
        default = default_class(ordered, sample)
    else:
        ordered = by_accuracy(found, sample)
        default = default_class([], sample)
    if is_selected:
        ordered = without_harmful(ordered, default, sample)
    rules = _rules(ordered, default, sample, rate)
    tell(1.0)
    totals = _tuple(sample.class_weights)
    return RuleSet(tree.schema, rules[:-1], rules[-1], totals, interval)


def _tell_nobody(share: float) -> None:
    pass


def _selected(
    found: Sequence[Candidate],
    sample: Sample,
    schema: Schema,
    random: np.random.RandomState,
    tell: Callable[[float], None],
) -> list[Candidate]:
    """Keep for each class the rules with the shortest description."""
    per_test = column_bits(sample, schema)
    kept: list[Candidate] = []
    n_classes = len(sample.class_weights)
    for value in range(n_classes):
        tell(value / n_classes)
        own = [candidate for candidate in found if candidate.value == value]
        if not own:
            continue
        covers = [candidate.rows for candidate in own]
        bits = np.array([rule_bits(candidate.conditions, per_test) for candidate in own])
        chosen = best_subset(covers, bits, sample.codes == value, sample.weights, random)
        kept += [own[index] for index in np.flatnonzero(chosen)]
    return [candidate for candidate in kept if candidate.rate <= _WORST_RATE]


def _rules(
    ordered: Sequence[Candidate], default: int, sample: Sample, rate: Rate
) -> tuple[Rule, ...]:
    """Give the rules with their record on the training rows, and the default behind them."""
    first, _ = answers(ordered, len(sample.codes))
    values = np.array([*(candidate.value for candidate in ordered), default])
    right = sample.weights * (values[first] == sample.codes)
    answered = np.bincount(first, sample.weights, len(values)).tolist()
    answered_right = np.bincount(first, right, len(values)).tolist()
    rules = [
        Rule(
            candidate.conditions,
            candidate.value,
            _tuple(sample.weights_by_class(candidate.rows)),
            candidate.rate,
            answered[index],
            answered_right[index],
        )
        for index, candidate in enumerate(ordered)
    ]
    left = sample.weights_by_class(np.flatnonzero(first == len(ordered)))
    total = left.sum()
    worst = class_rate(sample, default)
    default_rate = float(rate(total[None], (total - left[default])[None])[0]) if total else worst
    rules.append(Rule((), default, _tuple(left), default_rate, answered[-1], answered_right[-1]))
    return tuple(rules)


def _tuple(numbers: NDArray[np.float64]) -> tuple[float, ...]:
    return tuple(numbers.tolist())
