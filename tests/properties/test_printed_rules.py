"""What is printed of a tree, read back by someone who knows only the words, is what the tree does.

For trees of all six kinds of tests and all policies for missing values, and for rows with every
level of the schema, levels that no test lists, levels that are new and missing values.
"""

from __future__ import annotations

import math
import random
import re
import warnings

import numpy as np
import pytest
from handmade import Plan, build, inner, leaf
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_parser import UNSEEN, condition_of, rule_of

from treewright import _core
from treewright.exceptions import UnseenLevelWarning
from treewright.explain import explain_row
from treewright.export.diagrams import boxes
from treewright.export.markdown import Markdown
from treewright.export.rules import Rules
from treewright.page.rule_lines import rule_lines
from treewright.plot import tree_layout
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Subset
from treewright.predicates.pair import CONNECTIVES
from treewright.schema import Column, Schema
from treewright.tree import Tree
from treewright.tree.node import MISSING_POLICIES

KINDS = ("axis", "linear", "subset", "multiway", "pair", "machine")
CITIES = ("Bergen", "missing", "Oslo", "Rome", "unseen", "Voss")
SIZES = ("small", "medium", "large", "huge")
COLUMNS = (
    ("age", "numeric", ()),
    ("pulse", "numeric", ()),
    ("city", "categorical", CITIES),
    ("job", "categorical", ("clerk", "cook", "known", "pilot")),
    ("smoker", "boolean", ()),
    ("size", "ordinal", SIZES),
    ("then", "boolean", ()),  # a word of conditions, so quoted where it stands alone
)
ORDERS = {"size": SIZES}
NUMBERS, LEVELS = (0, 1, 5), (2, 3, 4, 6)

seeds = st.integers(0, 2**32 - 1).map(random.Random)


def schema_of(random: random.Random) -> Schema:
    columns = (
        Column(name, kind, levels, has_missing=random.random() < 0.5)
        for name, kind, levels in COLUMNS
    )
    return Schema(tuple(columns), ("no", "yes"))


def number(random: random.Random) -> float:
    return round(random.uniform(-2.0, 3.0), 3) or 1.0


def axis(random: random.Random) -> Axis:
    return Axis(random.choice(NUMBERS), number(random))


def subset(random: random.Random) -> Subset:
    column = random.choice(LEVELS)
    codes = list(range(len(COLUMNS[column][2]) or 2))
    random.shuffle(codes)
    n_left = random.randint(1, len(codes) - 1)
    n_right = random.randint(1, len(codes) - n_left)
    right = codes[n_left : n_left + n_right]
    return Subset(column, tuple(sorted(codes[:n_left])), tuple(sorted(right)))


def test_of_kind(kind: str, random: random.Random):
    chosen = tuple(random.sample(NUMBERS, random.randint(1, 3)))
    match kind:
        case "axis":
            return axis(random)
        case "subset":
            return subset(random)
        case "linear":
            return Linear(chosen, tuple(number(random) for _ in chosen), number(random))
        case "multiway":
            column = random.choice(LEVELS)
            count = len(COLUMNS[column][2]) or 2
            n_branches = random.randint(2, count)
            branches = [*range(n_branches)]
            branches += random.choices(range(n_branches), k=count - n_branches)
            random.shuffle(branches)
            return Multiway(column, tuple(branches))
        case "pair":
            parts = (random.choice((axis, subset))(random) for _ in range(2))
            return Pair(random.choice(CONNECTIVES), *parts)
    rows = tuple(tuple(number(random) for _ in chosen) for _ in range(random.randint(2, 3)))
    return Machine(chosen, rows, tuple(number(random) for _ in rows))


test_of_kind.__test__ = False


def plan(random: random.Random, depth: int, kinds, policies) -> Plan:
    if depth == 0:
        return leaf(random.randint(1, 9), random.randint(1, 9))
    test = test_of_kind(random.choice(kinds), random)
    missing = random.choice(policies)
    surrogates = ()
    if missing.startswith("surrogate") and test.n_branches == 2:
        surrogates = tuple(
            (random.choice((axis, subset))(random), random.random() < 0.5, 0.9, 0.8)
            for _ in range(random.randint(0, 2))
        )
    depths = [random.choice((0, depth - 1)) for _ in range(test.n_branches)]
    return inner(
        test,
        *(plan(random, below, kinds, policies) for below in depths),
        missing=missing,
        default_branch=random.randrange(test.n_branches),
        surrogates=surrogates,
        stopped=(1, 2) if missing.endswith("stop") else (),
    )


def tree_of(random: random.Random, kinds=KINDS, policies=MISSING_POLICIES) -> Tree:
    return build(schema_of(random), plan(random, 3, kinds, policies))


def cells_of(column: Column) -> list[object]:
    """All levels, a new one where there can be one, and nothing; of a number some of all sizes."""
    if column.kind == "numeric":
        return [-1.7, -0.4, 0.3, 0.9, 1.4, 2.2, 4.1, None]
    return [*column.levels, *([UNSEEN] * (column.kind != "boolean")), None]


def rows_of(random: random.Random, schema: Schema, count: int = 60) -> list[dict[str, object]]:
    """Rows in which each cell of each column occurs."""
    columns = []
    for column in schema.columns:
        cells = cells_of(column)
        drawn = cells + random.choices(cells, k=count - len(cells))
        random.shuffle(drawn)
        columns.append(drawn)
    names = [column.name for column in schema.columns]
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]


def table_of(schema: Schema, rows) -> _core.Table:
    def code(column: Column, cell: object) -> float:
        if cell is None or cell == UNSEEN:
            return math.nan
        return float(cell) if column.kind == "numeric" else float(column.levels.index(cell))

    values = [[code(column, row[column.name]) for column in schema.columns] for row in rows]
    return _core.Table(np.asfortranarray(values), schema.n_levels)


def ends_of(tree: Tree, rows) -> list[list[int]]:
    """The node of `apply` for each row; none for a row that is divided."""
    table = table_of(tree.schema, rows)
    parts = np.diff(tree.leaf_shares(table).indptr)
    ends = tree.apply(table)
    return [[int(end)] if n == 1 else [] for end, n in zip(ends, parts, strict=True)]


def is_told(row, schema: Schema, *, by_default: bool) -> bool:
    """Whether a row has only such gaps as are told without being asked.

    New levels of a categorical column are told wherever a branch takes them by default.
    """
    return all(
        column.has_missing
        or (row[column.name] is not None and row[column.name] != UNSEEN)
        or (by_default and column.kind == "categorical" and row[column.name] == UNSEEN)
        for column in schema.columns
    )


def fitting(rules, row) -> list[int]:
    return [node for node, holds in rules if holds(row)]


@pytest.mark.parametrize("policy", MISSING_POLICIES)
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=10)
@given(random=seeds)
def test_exactly_one_printed_rule_fits_each_row_and_it_is_the_leaf_of_apply(kind, policy, random):
    tree = tree_of(random, (kind,), (policy,))
    rows = rows_of(random, tree.schema)
    ends = ends_of(tree, rows)
    nodes = [rule.node for rule in tree.leaf_rules(show_missing=True)]
    texts = tree.rules(show_missing=True)
    rules = [(node, rule_of(text, ORDERS)) for node, text in zip(nodes, texts, strict=True)]
    assert [fitting(rules, row) for row in rows] == ends
    # Unasked, the same holds for all that is told.
    nodes = [rule.node for rule in tree.leaf_rules()]
    rules = [(n, rule_of(text, ORDERS)) for n, text in zip(nodes, tree.rules(), strict=True)]
    by_default = policy == "default"
    for row, end in zip(rows, ends, strict=True):
        if is_told(row, tree.schema, by_default=by_default):
            assert fitting(rules, row) == end


@given(random=seeds)
def test_all_lists_of_rules_fit_each_row_once(random):
    tree = tree_of(random)
    rows = [row for row in rows_of(random, tree.schema) if is_told(row, tree.schema, by_default=0)]
    ends = ends_of(tree, rows)
    nodes = [rule.node for rule in tree.leaf_rules(order="rows")]
    page = [" and ".join(line.conditions) for line in rule_lines(tree, 5)]
    sentences = Rules(order="rows").export(tree).splitlines()
    table = re.sub(r"\\(.)", r"\1", Markdown(order="rows").export(tree)).splitlines()[4:]
    for texts in (page, sentences, [line.split(" | ")[0].removeprefix("| ") for line in table]):
        rules = [
            (node, rule_of(text if text != "always" else "always ", ORDERS))
            for node, text in zip(nodes, texts, strict=False)
        ]
        assert len(texts) >= len(nodes)
        assert [fitting(rules, row) for row in rows] == ends


class Drawing:
    """A tree read back from its drawing: the words of its branches, and of rows left open."""

    def __init__(self, text: str, *, nodes: list[int]) -> None:
        self.children: dict[int, list[tuple[int, str]]] = {node: [] for node in nodes}
        self.left_open: dict[int, list[str]] = {node: [] for node in nodes}
        self.divides = "goes down every branch" in text
        above: list[int] = []
        found = iter(nodes)
        for line in text.split("\n\n")[1].splitlines()[1:]:
            rails, words = re.match(r"((?:[│├└ ][ ─] )*)(.*)", line).groups()
            words, depth = words.split("  ")[0], len(rails) // 3
            if words.startswith("if "):
                self.left_open[above[depth - 1]].append(words)
                continue
            node = next(found)
            above = [*above[:depth], node]
            if depth:
                self.children[above[depth - 1]].append((node, words))

    def ends(self, row, node: int = 0) -> list[int]:
        """Where a row ends; nowhere if it is divided."""
        children = self.children[node]
        if not children:
            return [node]
        taken = self.taken([words for _, words in children], row)
        if taken is None:
            taken = self.instead(node, row)
        if taken is None:
            return []
        return [node] if taken < 0 else self.ends(row, children[taken][0])

    def taken(self, branches: list[str], row) -> int | None:
        """The one branch whose words fit."""
        if branches[0].startswith("largest score: "):
            scores = [words.removeprefix("largest score: ") for words in branches]
            default = [" missing" in score for score in scores]
            bare = [re.split(",? or ", score)[0] for score in scores]
            fits = [
                condition_of(
                    f"{bare[branch]} is largest, against "
                    + " and ".join(other for i, other in enumerate(bare) if i != branch),
                    ORDERS,
                )(row)
                for branch in range(len(bare))
            ]
            if not any(fits) and any(default):
                return default.index(True)
        else:
            fits = [condition_of(words, ORDERS)(row) for words in branches]
        assert sum(fits) <= 1, (branches, row)
        return fits.index(True) if any(fits) else None

    def instead(self, node: int, row) -> int | None:
        """What the lines below a node say of a row that no branch fits; -1 for a stop."""
        names = ["the first branch", "the second branch"]
        for line in self.left_open[node]:
            what = line.split(", ", 1)[1]
            if what == "stop here":
                return -1
            if what in names:
                return names.index(what)
            for test in re.split(r" \(agrees 90 %\)(?:, else )?", what)[:-1]:
                ways = re.split(r", (?=the second branch when )", test)
                for way in ways:
                    name, words = way.split(" when ", 1)
                    if condition_of(words, ORDERS)(row):
                        return names.index(name)
                columns = {word for word in re.findall(r"\w+", words) if word in row}
                known = all(row[name] not in (None, UNSEEN) for name in columns)
                if len(ways) == 1 and known:
                    return 1 - names.index(name)
        return None


@pytest.mark.parametrize("policy", MISSING_POLICIES)
@given(random=seeds)
def test_a_row_ends_where_the_drawing_leads_it(policy, random):
    tree = tree_of(random, policies=(policy,))
    rows = rows_of(random, tree.schema)
    nodes = [node.id for node in tree.walk()]
    ends = ends_of(tree, rows)
    whole = Drawing(tree.to_text(width=10_000, show_missing=True), nodes=nodes)
    assert [whole.ends(row) for row in rows] == ends
    assert whole.divides == (policy == "fraction" and tree.n_nodes > 1)
    unasked = Drawing(tree.to_text(width=10_000), nodes=nodes)
    for row, end in zip(rows, ends, strict=True):
        if is_told(row, tree.schema, by_default=policy == "default"):
            assert unasked.ends(row) == end


@pytest.mark.long
@settings(max_examples=15)
@given(random=seeds)
def test_each_step_of_an_explanation_says_what_is_true_of_the_row(random):
    tree = tree_of(random, policies=("default",))
    for row in rows_of(random, tree.schema, 12)[:5]:
        codes = table_of(tree.schema, [row]).values[0]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnseenLevelWarning)
            explanation = explain_row(tree, row)
        assert explanation.node == ends_of(tree, [row])[0][0]
        for step in explanation.steps:
            columns = tree.node(step.node).predicate.columns
            is_known = not np.isnan(codes[list(columns)]).any()
            if step.answer.endswith(("yes", "no")) and is_known:
                says = "yes" if condition_of(step.question, ORDERS)(row) else "no"
                assert step.answer.endswith(says), (str(explanation), row)


@given(random=seeds)
def test_the_questions_of_diagrams_and_drawings_lead_to_the_leaf_of_apply(random):
    tree = tree_of(random, ("axis", "subset", "pair"), ("default",))
    rows = [row for row in rows_of(random, tree.schema) if is_told(row, tree.schema, by_default=1)]
    drawn = {box.node: box.content for box in tree_layout(tree).boxes}
    found = {box.node.id: box for box in boxes(tree)}
    for row, [end] in zip(rows, ends_of(tree, rows), strict=True):
        node = 0
        while (box := found[node]).ways:
            lines = " ".join(box.lines)
            question, others = lines.split("?", 1)
            pictured = "".join(line.text for line in drawn[node].lines).replace(" ", "")
            if "…" not in pictured:
                assert pictured.split("?")[0] == question.replace(" ", ""), (pictured, question)
            is_yes = condition_of(question, ORDERS)(row)
            named = {word for word in re.findall(r"\w+", question) if word in row}
            is_open = any(
                row[name] is None or (row[name] == UNSEEN and name == "size") for name in named
            )
            if is_open and not is_certain(tree.node(node), tree.schema, row):
                is_yes = others.endswith("if missing: yes")
            node = {way.lines: way.child for way in box.ways}["yes" if is_yes else "no",]
        assert node == end


def is_certain(node, schema: Schema, row) -> bool:
    """Whether the test knows the branch of a row though a value is missing."""
    return _core.route(node.predicate.encode(), table_of(schema, [row]))[0] >= 0
