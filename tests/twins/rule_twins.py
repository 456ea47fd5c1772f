"""Rules made the slow way: plain Python over named rows, one step after the other.

Conditions are decided by `Expression.evaluate`, subsets are tried one by one, sums are taken row by
row. Only the extra errors of a leaf are borrowed.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

from treewright.expressions import Expression, merge_conditions
from treewright.statistics.error_bounds import extra_errors
from treewright.tree import Tree

ALIKE = 1e-9


@dataclass(frozen=True)
class Row:
    """A row by column name, its class, its weight."""

    cells: dict[str, Any]
    label: int
    weight: float


@dataclass(frozen=True)
class TwinRule:
    """Conditions, class and pessimistic rate."""

    conditions: tuple[Expression, ...]
    label: int
    rate: float

    def fires(self, row: Row) -> bool:
        return all(condition.evaluate(row.cells) is True for condition in self.conditions)

    @property
    def merged(self) -> frozenset[Expression]:
        return frozenset(merge_conditions(self.conditions))


@dataclass(frozen=True)
class Maker:
    """Settings and data of one rule set."""

    tree: Tree
    rows: list[Row]
    bound: str = "c45"
    selection: str = "description_length"
    ordering: str = "class"

    @property
    def n_classes(self) -> int:
        return self.tree.n_outputs

    def weight(self, rows: list[Row]) -> float:
        return math.fsum(row.weight for row in rows)

    def of_class(self, label: int) -> list[Row]:
        return [row for row in self.rows if row.label == label]

    def make(self) -> tuple[list[TwinRule], int]:
        """Give the rules in order and the default class."""
        rules = self.candidates()
        if self.selection == "description_length":
            chosen = [rule for label in range(self.n_classes) for rule in self.subset(rules, label)]
            rules = [rule for rule in chosen if rule.rate <= 0.7]
        if self.ordering == "class":
            rules = self.in_class_order(rules)
            default = self.default(rules)
        else:
            rules = self.in_accuracy_order(rules)
            default = self.default([])
        if self.selection == "description_length":
            rules = self.without_harmful(rules, default)
        return rules, default

    # ------------------------------------------------------------ one rule

    def rate(self, rows: list[Row], label: int) -> tuple[float, float]:
        """Plain and pessimistic error rate."""
        if not rows:
            return 0.0, self.rate_without_rule(label)
        total = self.weight(rows)
        errors = self.weight([row for row in rows if row.label != label])
        if self.bound == "none":
            return errors / total, errors / total
        extra = float(extra_errors(total, errors, confidence=0.25, bound=self.bound)[0])
        return errors / total, (errors + extra) / total

    def rate_without_rule(self, label: int) -> float:
        return 1.0 - (self.weight(self.of_class(label)) + 1.0) / (self.weight(self.rows) + 2.0)

    def covered(self, conditions: tuple[Expression, ...]) -> list[Row]:
        return [row for row in self.rows if TwinRule(conditions, 0, 0.0).fires(row)]

    def candidates(self) -> list[TwinRule]:
        rules: list[TwinRule] = []
        for node, path in self.tree.paths():
            if node.weight < 1.0 or not path:
                continue
            rule = self.simplified(path, int(node.value))
            if rule is None:
                continue
            same = [i for i, other in enumerate(rules) if other.merged == rule.merged]
            if not same:
                rules.append(rule)
                continue
            other = rules[same[0]]
            if other.label == rule.label:
                worse = max(other.rate, rule.rate)
                rules[same[0]] = TwinRule(other.conditions, other.label, worse)
            elif rule.rate < other.rate - ALIKE:
                rules[same[0]] = rule
        return rules

    def simplified(self, path: tuple[Expression, ...], label: int) -> TwinRule | None:
        conditions = list(path)
        while conditions:
            plain, pessimistic = self.rate(self.covered(tuple(conditions)), label)
            without = [
                self.rate(self.covered((*conditions[:i], *conditions[i + 1 :])), label)
                for i in range(len(conditions))
            ]
            if not any(a <= plain + ALIKE or b <= pessimistic + ALIKE for a, b in without):
                break
            lowest = min(b for _, b in without)
            del conditions[max(i for i, (_, b) in enumerate(without) if b <= lowest + ALIKE)]
        rows = self.covered(tuple(conditions))
        if not conditions or not rows:
            return None
        rate = self.rate(rows, label)[1]
        return (
            None
            if rate >= self.rate_without_rule(label)
            else TwinRule(tuple(conditions), label, rate)
        )

    # ------------------------------------------------------------ rules of a class

    def bits_of_columns(self) -> dict[str, float]:
        cuts = {}
        total = self.weight(self.rows)
        for column in self.tree.schema.columns:
            groups: dict[Any, float] = {}
            for row in self.rows:
                cell = row.cells[column.name]
                key = None if cell is None else (type(cell), cell)
                groups[key] = groups.get(key, 0.0) + row.weight
            if column.kind in ("categorical", "boolean"):
                groups.pop(None, None)
                cuts[column.name] = entropy(weight / total for weight in groups.values())
            else:
                cuts[column.name] = 1.0 + math.log2(len(groups)) / 2.0 if len(groups) > 1 else 0.0
        whole = sum(cuts.values())
        name = entropy(cut / whole for cut in cuts.values()) if whole else 0.0
        return {column: name + cut for column, cut in cuts.items()}

    def length(self, rules: list[TwinRule], label: int) -> float:
        """Bits of these rules for a class and of what they get wrong."""
        bits = self.bits_of_columns()
        theory = -math.log2(math.factorial(len(rules)))
        for rule in rules:
            count = len(rule.conditions)
            theory += sum(bits[c.name] for part in rule.conditions for c in part.columns)
            theory += math.log2(count) - math.log2(math.factorial(count))
        fired = [row for row in self.rows if any(rule.fires(row) for rule in rules)]
        n, fires = self.weight(self.rows), self.weight(fired)
        wrong = self.weight([row for row in fired if row.label != label])
        missed = self.weight(self.of_class(label)) - (fires - wrong)
        either = (wrong + missed) / 2.0
        inside, outside = (either, missed) if fires > n / 2.0 else (wrong, either)
        exceptions = math.log2(n) + bias(fires, wrong, inside) + bias(n - fires, missed, outside)
        return 0.5 * theory + exceptions

    def subset(self, rules: list[TwinRule], label: int) -> list[TwinRule]:
        own = [rule for rule in rules if rule.label == label]
        best, shortest = [], math.inf
        for choice in itertools.product([False, True], repeat=len(own)):
            chosen = list(itertools.compress(own, choice))
            length = self.length(chosen, label)
            if length < shortest - ALIKE:
                best, shortest = chosen, length
        return best

    # ------------------------------------------------------------ all rules

    def in_class_order(self, rules: list[TwinRule]) -> list[TwinRule]:
        waiting, ordered, rows = list(range(self.n_classes)), [], self.rows
        while waiting:
            own = {label: [rule for rule in rules if rule.label == label] for label in waiting}
            wrong = {
                label: self.weight(
                    [r for r in rows if r.label != label and any(x.fires(r) for x in own[label])]
                )
                for label in waiting
                if own[label]
            }
            if not wrong:
                break
            label = next(key for key in wrong if wrong[key] <= min(wrong.values()) + ALIKE)
            waiting.remove(label)
            ordered += sorted(own[label], key=lambda rule: round(rule.rate, 9))
            rows = [row for row in rows if not any(rule.fires(row) for rule in own[label])]
        return ordered

    def in_accuracy_order(self, rules: list[TwinRule]) -> list[TwinRule]:
        def key(rule: TwinRule) -> tuple[float, float]:
            rows = self.covered(rule.conditions)
            return round(self.rate(rows, rule.label)[0], 9), -self.weight(rows)

        return sorted(rules, key=key)

    def default(self, rules: list[TwinRule]) -> int:
        left = [row for row in self.rows if not any(rule.fires(row) for rule in rules)]
        weights = [
            (
                self.weight([row for row in left if row.label == label]),
                self.weight(self.of_class(label)),
            )
            for label in range(self.n_classes)
        ]
        return weights.index(max(weights))

    def answer(self, rules: list[TwinRule], default: int, row: Row) -> int:
        return next((rule.label for rule in rules if rule.fires(row)), default)

    def without_harmful(self, rules: list[TwinRule], default: int) -> list[TwinRule]:
        for i, rule in enumerate(rules):
            others = rules[:i] + rules[i + 1 :]
            lost = 0.0
            for row in self.rows:
                after = self.answer(others, default, row)
                if next((r for r in rules if r.fires(row)), None) is rule and after != rule.label:
                    lost += row.weight * ((after == row.label) - (rule.label == row.label))
            if lost > ALIKE:
                return self.without_harmful(others, default)
        return rules


def entropy(shares: Any) -> float:
    return -sum(share * math.log2(share) for share in shares if share > 0.0)


def bias(rows: float, errors: float, expected: float) -> float:
    if expected < 1e-6:
        return 0.0 if errors < 1e-6 else 1e6
    if expected > rows - 1e-6:
        return 0.0 if errors > rows - 1e-6 else 1e6
    share = expected / rows
    return -errors * math.log2(share) - (rows - errors) * math.log2(1.0 - share)
