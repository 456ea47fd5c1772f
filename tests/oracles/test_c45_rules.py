"""The same rules as C4.5 release 8; beside them what Weka's PART and C5.0 make of the same data.

Release 8 prints its final rules with their confidence to one decimal, and a table of how each fares
on the training rows: how many rows it answers, how many wrongly, and its advantage, the rows that
would get another answer without it. Up to 10 rules a class it compares all subsets, as we do up to
20; beyond that it searches at random, so that monk1, monk2 and soybean need not come out the same.
They do in what was recorded of them: the rules of monk1, the errors of all three.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from oracles import data, reference
from oracles.test_c45 import RELEASE_8
from treewright import recipes
from treewright.expressions import Compare, Expression, In
from treewright.rules import making

pytestmark = pytest.mark.oracle


def golf() -> data.DataSet:
    """Golf with its classes in the order of release 8's file, which decides between equal ones."""
    table = data.golf()
    return data.DataSet(table.table, 1 - table.target, table.classes[::-1])


SETS: dict[str, Callable[[], data.DataSet]] = {**RELEASE_8, "golf": golf}
WITHOUT_RULES = {"monk2", "soybean"}  # only errors were recorded


@dataclass(frozen=True)
class PrintedRule:
    """A rule as release 8 prints it: conditions (column, relation, value), and its record."""

    conditions: frozenset[tuple[str, str, str]]
    label: str
    confidence: str
    answered: int
    wrong: int
    better: int
    worse: int


def read_rules(recorded: dict[str, Any]) -> list[PrintedRule]:
    """Read the final rules and the table of release 8."""
    blocks = re.split(r"\nRule \d+:\n", recorded["final_rules"])[1:]
    records = re.findall(
        r"^\s*\d+\s+\d+\s+[\d.]+%\s+(\d+)\s+(\d+) .*?\((\d+)\|(\d+)\)",
        recorded["rule_table"],
        re.MULTILINE,
    )
    rules = []
    for block, record in zip(blocks, records, strict=True):
        conditions = re.findall(r"^\s+(.+?) (<=|>|=) (.+)$", block, re.MULTILINE)
        answer = re.search(r"->  class (.+?)  \[([\d.]+)%\]", block)
        assert answer is not None
        rules.append(
            PrintedRule(
                frozenset((reference.column_key(name), *rest) for name, *rest in conditions),
                *answer.groups(),
                *map(int, record),
            )
        )
    return rules


def say_rules(model: Any, table: data.DataSet) -> list[PrintedRule]:
    """Say the rules of a model in the same form, their record counted anew."""
    schema, rules = model.schema_, model.rules_.rules
    codes = np.searchsorted(schema.classes, table.target)
    covers = [rule.covers(model._table(table.table)) for rule in rules]
    is_open = np.ones(len(codes), dtype=bool)
    said = []
    for place, rule in enumerate(rules):
        first = is_open & covers[place]
        is_open &= ~covers[place]
        after = np.full(len(codes), model.rules_.default.value)
        for later in range(len(rules) - 1, place, -1):
            after[covers[later]] = rules[later].value
        right, right_after = codes == rule.value, codes == after
        said.append(
            PrintedRule(
                frozenset(say(condition.expression(schema)) for condition in rule.conditions),
                table.classes[schema.classes[rule.value]],
                f"{100.0 * rule.confidence:.1f}",
                int(np.sum(first)),
                int(np.sum(first & ~right)),
                int(np.sum(first & right & ~right_after)),
                int(np.sum(first & right_after & ~right)),
            )
        )
        assert (rule.answered, rule.answered_right) == (first.sum(), (first & right).sum())
    return said


def say(condition: Expression) -> tuple[str, str, str]:
    """Say one condition as release 8 does."""
    match condition:
        case Compare(column, operator, value):
            return reference.column_key(column.name), operator, f"{value:g}"
        case In(column, (level,)):
            return reference.column_key(column.name), "=", str(level)
    raise AssertionError(f"release 8 has no such condition: {condition}")


def errors_of(model: Any, table: data.DataSet) -> int:
    return int(np.sum(model.predict(table.table) != table.target))


def default_of(model: Any, table: data.DataSet) -> str:
    return table.classes[model.schema_.classes[model.rules_.default.value]]


@pytest.mark.parametrize("name", sorted(set(SETS) - WITHOUT_RULES))
def test_same_rules_as_release_8(name: str) -> None:
    table = SETS[name]()
    recorded = data.output("c45r8", "results", name)
    model = recipes.c45rules().fit(table.table, table.target)
    assert say_rules(model, table) == read_rules(recorded)
    assert default_of(model, table) == recorded["final_rules"].rsplit("Default class: ")[1]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long) if name == "monk2" else name for name in SETS],
)
def test_same_errors_as_release_8(name: str) -> None:
    table = SETS[name]()
    recorded = data.output("c45r8", "results", name)
    model = recipes.c45rules().fit(table.table, table.target)
    assert errors_of(model, table) == recorded["rules_train_errors"]
    if "rules_test_errors" in recorded:
        assert errors_of(model, data.c45_set(name, "test")) == recorded["rules_test_errors"]


@pytest.mark.long
@pytest.mark.parametrize(("name", "errors"), [("crx", 31), ("vote", 7), ("monk3", 16)])
def test_errors_of_release_8_on_held_out_rows(name: str, errors: int) -> None:
    """Numbers that were noted without the listing."""
    table = data.c45_set(name)
    model = recipes.c45rules().fit(table.table, table.target)
    assert errors_of(model, data.c45_set(name, "test")) == errors


def test_of_seven_rules_for_vote_one_does_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    table = data.c45_set("vote")
    assert len(recipes.c45rules().fit(table.table, table.target).rules_) == 6
    monkeypatch.setattr(making, "without_harmful", lambda rules, default, sample: rules)
    assert len(recipes.c45rules().fit(table.table, table.target).rules_) == 7


@pytest.mark.parametrize("name", sorted(set(SETS) - WITHOUT_RULES))
def test_default_tree_makes_the_same_rules(name: str) -> None:
    """Without a tree given, growth is C4.5's too: same rules up to shorter thresholds."""
    table = SETS[name]()
    exact = recipes.c45rules().fit(table.table, table.target)
    readable = recipes.c45rules(tree=None).fit(table.table, table.target)
    assert readable.tree_.n_nodes == exact.tree_.n_nodes
    assert errors_of(readable, table) == errors_of(exact, table)


# ---------------------------------------------------------------- PART and C5.0


@dataclass(frozen=True)
class Comparison:
    """Another program's rules: data, training errors, default class, and why ours may differ."""

    table: Callable[[], data.DataSet]
    entry: tuple[str, str]
    our_errors: int
    our_default: str
    why: str = ""


OTHERS = {
    "PART iris": Comparison(
        data.iris,
        ("weka", "PART iris"),
        our_errors=4,
        our_default="setosa",
        why="PART's last rule is its default, virginica; ours covers all rows, so that the default "
        "is the first of three equal classes, as in C4.5 and C5.0",
    ),
    "PART kyphosis": Comparison(data.kyphosis, ("weka", "PART kyphosis"), 14, "absent"),
    "PART golf": Comparison(
        data.golf,
        ("weka", "PART golf"),
        our_errors=0,
        our_default="Play",
        why="PART builds each rule from a partial tree of its own that it prunes, and errs twice",
    ),
    "C5.0 iris": Comparison(data.iris, ("c50", "c50_iris_rules"), 4, "setosa"),
    "C5.0 kyphosis": Comparison(
        data.kyphosis,
        ("c50", "c50_kyphosis_rules"),
        our_errors=14,
        our_default="absent",
        why="C5.0 prunes its tree to a leaf and has no rule at all: 17 errors",
    ),
    "C5.0 stagec": Comparison(
        data.stagec,
        ("c50", "c50_stagec_rules"),
        our_errors=26,
        our_default="No",
        why="C5.0 groups the levels of ploidy and prunes its tree to three leaves: 32 errors",
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_beside_part_and_c50(name: str) -> None:
    """Same default class and training errors within one row, or a reason why not."""
    case = OTHERS[name]
    table = case.table()
    recorded = data.output(*case.entry)
    model = recipes.c45rules().fit(table.table, table.target)
    assert errors_of(model, table) == case.our_errors
    assert default_of(model, table) == case.our_default
    if "output" in recorded:
        theirs = re.search(r"Default class: (.+)", recorded["output"])[1]
    else:
        theirs = re.search(r"^: (.+?) \(", recorded["model"], re.MULTILINE)[1]
    is_close = abs(case.our_errors - recorded["train_errors"]) <= 1
    assert (is_close and theirs == case.our_default) == (not case.why)
