"""Trees and rows for tests of exported code: every kind of test, policy and column.

Trees are random but the same each time. Half of the rows lie on or beside a border of the tree, so
that a sum in another order, or a threshold with a digit less, sends some of them another way.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import numpy as np
from handmade import Plan, build, inner
from numpy.typing import NDArray

from treewright import OptimalTreeClassifier, _core
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Predicate, Subset
from treewright.predicates.pair import CONNECTIVES
from treewright.schema import Column, Schema
from treewright.tree import Tree
from treewright.tree.node import MISSING_POLICIES, STOP_POLICIES

KINDS = ("axis", "linear", "subset", "multiway", "pair", "machine")

HOSTILE_TEXTS = (
    "</script><script>alert(1)</script>",
    '"; DROP TABLE rows; --',
    "'; DROP TABLE rows; --",
    "*/ #error\n/*",
    "'''\n\"\"\"\\",
    "\\",
    "??/\n??'",
    "?><?php exit(); ?>",
    "{{ 7 * 7 }}{% raw %}${7}",
    "line\nfeed\r\ttab\u2028\u2029",
    "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe",
    "שלום עולם",
    "🙈🙉\N{ZERO WIDTH JOINER}🙊",
    "<!-- --> ]]>",
    "__proto__",
    "class",
    "",
    " ",
    "NULL",
    "nan",
    "x" * 10_000,
)

COLUMNS = (
    Column("age", "numeric", unit="years"),
    Column("income", "numeric"),
    Column("debt ratio", "numeric"),
    Column("member", "boolean"),
    Column("home", "categorical", ("own", "rent", 'it\'s "else"', "boat")),
    Column("rooms", "categorical", (1, 2, 3.5, -4)),
    Column("size", "ordinal", ("small", "medium", "large")),
    Column("grade", "ordinal", (1, 2, 3, 4)),
)
# Levels that only some languages can tell apart.
MIXED = Column("mixed", "categorical", (1, 1.0, "1", True, "one"))
TEXT_AND_NUMBERS = Column("code", "categorical", (1, "1", True, 2.5, "two"))


def schema_of(task: str, columns: tuple[Column, ...] = COLUMNS, n_classes: int = 3) -> Schema:
    """Columns of all kinds with classes or a number to predict."""
    classes = tuple(f"class {k}" for k in range(n_classes)) if task == "classes" else None
    return Schema(columns, classes, "answer")


def random_tree(
    seed: object,
    schema: Schema,
    *,
    kinds: tuple[str, ...] = KINDS,
    policies: tuple[str, ...] = MISSING_POLICIES,
    depth: int = 3,
    costs: bool = False,
) -> Tree:
    """A tree of this depth with tests of these kinds, all of them in turn."""
    rng = random.Random(repr(seed))
    turns = (cycle(rng.sample(words, len(words))) for words in (kinds, policies))
    tree = build(schema, _plan(rng, schema, *turns, depth))
    if not costs:
        return tree
    content = tree.to_json()
    k = len(schema.classes or ())
    content["cost_matrix"] = [
        [0 if i == j else rng.choice([1, 2, 5.5]) for j in range(k)] for i in range(k)
    ]
    return Tree.from_json(content, schema)


def _plan(
    rng: random.Random,
    schema: Schema,
    kinds: Iterator[str],
    policies: Iterator[str],
    depth: int,
) -> Plan:
    if depth == 0:
        return Plan(_statistics(rng, schema))
    test = random_test(rng, schema, next(kinds))
    missing = next(policies)
    surrogates: list[tuple[Predicate, bool, float, float]] = []
    if missing.startswith("surrogate") and test.n_branches == 2:
        for kind in rng.choice([("axis",), ("subset", "axis")]):
            surrogates.append((random_test(rng, schema, kind), rng.random() < 0.5, 0.8, 0.5))
    below = [_plan(rng, schema, kinds, policies, depth - 1) for _ in range(test.n_branches)]
    return inner(
        test,
        *below,
        missing=missing,
        default_branch=rng.randrange(test.n_branches),
        surrogates=surrogates,
        stopped=_statistics(rng, schema) if missing in STOP_POLICIES else (),
    )


def _statistics(rng: random.Random, schema: Schema) -> tuple[float, ...]:
    if schema.classes is None:
        return rng.randrange(50) + 1.0, rng.gauss(0.0, 100.0), 3.0
    if rng.random() < 0.1:
        return (0.0,) * len(schema.classes)  # no row came here
    if rng.random() < 0.5:
        return (*(float(rng.randrange(20)) for _ in schema.classes[:-1]), 1.0)
    return tuple(rng.random() * 7.0 for _ in schema.classes)


def random_test(rng: random.Random, schema: Schema, kind: str) -> Predicate:
    """A test of one kind over some of the columns."""
    is_number = [column.kind in ("numeric", "ordinal") for column in schema.columns]
    numbers = [position for position, is_one in enumerate(is_number) if is_one]
    levels = [position for position, is_one in enumerate(is_number) if not is_one]
    chosen = tuple(rng.sample(numbers, rng.randint(min(2, len(numbers)), min(4, len(numbers)))))
    match kind:
        case "axis":
            return Axis(position := rng.choice(numbers), _threshold(rng, schema.columns[position]))
        case "linear":
            terms: list[tuple[int, int | None]] = [(column, None) for column in chosen]
            if levels and rng.random() < 0.5:
                for column in rng.choices(levels, k=2):
                    level = rng.randrange(len(schema.columns[column].levels))
                    terms.append((column, level))
                terms = rng.sample(sorted({*terms}, key=repr), rng.randint(1, len({*terms})))
            found, codes_of = zip(*terms, strict=True)
            return Linear(found, tuple(_number(rng) for _ in terms), _number(rng), codes_of)
        case "subset":
            column = rng.choice(levels)
            codes = list(range(len(schema.columns[column].levels)))
            rng.shuffle(codes)
            n_left = rng.randint(1, len(codes) - 1)
            n_known = rng.randint(n_left + 1, len(codes))  # the others are on neither side
            return Subset(
                column, tuple(sorted(codes[:n_left])), tuple(sorted(codes[n_left:n_known]))
            )
        case "multiway":
            column = rng.choice(levels)
            n_levels = len(schema.columns[column].levels)
            n_branches = rng.randint(2, n_levels)
            branches = [*range(n_branches)]
            branches += [rng.randrange(n_branches) for _ in range(n_levels - n_branches)]
            rng.shuffle(branches)
            return Multiway(column, tuple(branches))
        case "pair":
            parts = [random_test(rng, schema, rng.choice(["axis", "subset"])) for _ in range(2)]
            return Pair(rng.choice(CONNECTIVES), *parts)
    n_branches = rng.randint(2, 4)
    rows = [tuple(_number(rng) for _ in chosen) for _ in range(n_branches)]
    return Machine(chosen, tuple(rows), tuple(_number(rng) for _ in range(n_branches)))


def _number(rng: random.Random) -> float:
    return rng.choice([rng.gauss(0.0, 3.0), round(rng.gauss(0.0, 3.0), 1), 0.1, -1.0, 0.0, 1e-7])


def _threshold(rng: random.Random, column: Column) -> float:
    if column.kind == "ordinal":
        return rng.choice([-0.5, 0.0, 0.5, 1.0, 1.5, float(len(column.levels))])
    return _number(rng)


def joined_over_missing(connective: str) -> Tree:
    """A tree of the search with a pair on top, over columns with missing values."""
    numbers = np.random.default_rng(CONNECTIVES.index(connective))
    age, pulse = numbers.normal(size=(2, 200)).round(1)
    age[::7] = pulse[::5] = math.nan
    home = [None if row % 6 == 0 else "own" if row % 4 < 2 else "rent" for row in range(200)]
    pair = Pair(connective, Axis(0, 0.4), Axis(1, -0.3))
    flat = _core.Table(np.column_stack([age, pulse]), np.zeros(2, dtype=np.int32))
    side = np.where((found := _core.route(pair.encode(), flat)) < 0, 1, found)
    y = np.where(side == 0, "in", np.where([place == "own" for place in home], "own", "out"))
    model = OptimalTreeClassifier(3, max_nodes=2, pair_levels=1, pair_functions=5)
    tree = model.fit({"age": age, "pulse": pulse, "home": home}, y).tree_
    assert isinstance(tree.node(0).predicate, Pair)
    return tree


def branching_over_missing() -> Tree:
    """A tree of the search with a branch per level, some rows without one, and levels unmet."""
    home = [None if row % 9 == 0 else "abcd"[row % 4] for row in range(144)]
    age = np.where(np.arange(144) % 16 < 8, 1.5, 4.0)
    age[::11] = math.nan
    rooms = [row % 4 if old != 4.0 or row % 4 != 3 else 1 for row, old in enumerate(age)]
    y = [f"{place} {old > 2}" for place, old in zip(home, age, strict=True)]
    table = {"home": home, "age": age, "rooms": list(map(str, rooms))}
    tree = OptimalTreeClassifier(2, categorical="multiway").fit(table, y).tree_
    assert any(isinstance(node.predicate, Multiway) for node in tree.walk())
    return tree


def random_rows(seed: object, tree: Tree, n_rows: int) -> NDArray[np.float64]:
    """Rows as the core sees them, NaN where missing; many on a border of the tree."""
    rng = random.Random(repr(seed))
    tests = [node.predicate for node in tree.walk() if node.predicate is not None]
    columns = tree.schema.columns
    rows = np.empty((n_rows, len(columns)))
    for row in rows:
        for position, column in enumerate(columns):
            if column.kind == "numeric":
                row[position] = rng.choice([rng.gauss(0, 3), round(rng.gauss(0, 3), 1), 0.0, 1.0])
            else:
                row[position] = rng.randrange(len(column.levels))
        if tests and rng.random() < 0.5:
            _to_border(rng, columns, row, rng.choice(tests))
        if rng.random() < 0.5:
            for position in range(len(columns)):
                if rng.random() < 0.3:
                    row[position] = math.nan
    return rows


def _to_border(
    rng: random.Random, columns: tuple[Column, ...], row: NDArray[np.float64], test: Predicate
) -> None:
    """Move one number of a row to where a test changes its mind, or to a double beside it."""
    match test:
        case Pair():
            return _to_border(rng, columns, row, rng.choice([test.first, test.second]))
        case Axis(column, threshold):
            coefficients, chosen, bound = (1.0,), (column,), threshold
        case Linear(_, _, bound):
            at_levels = sum(
                c for j, c, level in test.terms if level is not None and row[j] == level
            )
            bound -= at_levels
            numeric = [(j, c) for j, c, level in test.terms if level is None]
            chosen, coefficients = zip(*numeric, strict=True) if numeric else ((), ())
        case Machine(chosen, table, intercepts):
            first, second = rng.sample(range(len(table)), 2)
            pairs = zip(table[first], table[second], strict=True)
            coefficients = tuple(one - other for one, other in pairs)
            bound = intercepts[second] - intercepts[first]
        case _:
            return None
    for column, coefficient in zip(chosen, coefficients, strict=True):
        if columns[column].kind == "numeric" and coefficient != 0.0:
            terms = zip(coefficients, chosen, strict=True)
            rest = sum(c * row[other] for c, other in terms if other != column)
            value = (bound - rest) / coefficient
            for _ in range(rng.randrange(3)):
                value = math.nextafter(value, rng.choice([-math.inf, math.inf]))
            row[column] = value
            return None
    return None


def named_rows(seed: object, schema: Schema, values: NDArray[np.float64]) -> list[dict[str, Any]]:
    """The same rows by name, with levels; where missing None, or a level nobody knows."""
    rng = random.Random(repr(seed))
    unseen = {column.name: _unseen(column) for column in schema.columns}
    rows = []
    for codes in values.tolist():
        row: dict[str, Any] = {}
        for column, code in zip(schema.columns, codes, strict=True):
            if math.isnan(code):
                row[column.name] = rng.choice([None, unseen[column.name]])
            else:
                row[column.name] = code if column.kind == "numeric" else column.levels[int(code)]
        rows.append(row)
    return rows


def _unseen(column: Column) -> Any:
    if column.kind in ("numeric", "boolean"):
        return None
    return "nobody knows" if isinstance(column.levels[0], str) else 987_654


def hostile_schema(task: str) -> Schema:
    """Names, levels, units and classes that try to break out of code."""
    names = [text for text in HOSTILE_TEXTS if text]  # a column in SQL needs a name
    numbers = tuple(Column(text, "numeric", unit=text) for text in names[::3])
    levels = tuple(Column(text, "categorical", HOSTILE_TEXTS) for text in names[1::3])
    ordered = tuple(Column(text, "ordinal", HOSTILE_TEXTS) for text in names[2::3])
    classes = HOSTILE_TEXTS if task == "classes" else None
    return Schema((*numbers, *levels, *ordered), classes, HOSTILE_TEXTS[0])


# What exported code calls things itself: helpers, arguments, results, types, keywords; and names
# that become the same once signs are left out.
CLASHING_NAMES = (
    "prediction", "probabilities", "probability of class 0", "label", "treewright node", "step",
    "source", "branch 0", "share 1", "class 0", "rows", "node", "score", "scores", "x", "row",
    "out", "value", "values", "answer", "shares", "branch", "self", "predict", "predict_proba",
    "tree_row", "tree_predict", "class", "def", "if", "int", "double", "isnan", "math", "Math",
    "NaN", "nan", "float", "None", "true", "function", "const", "import", "return", "main",
    "variable", "input", "a b", "a_b", "a-b", "a  b", "a_b_2", "1", "_1", "Número", "N_mero",
)  # fmt: skip


def clashing_schema() -> Schema:
    """Columns named like the helpers of every target, by turns of each kind."""
    # Databases take upper and lower case for the same.
    names = list({name.casefold(): name for name in CLASHING_NAMES}.values())
    numbers = tuple(Column(name, "numeric") for name in names[::2])
    levels = tuple(
        Column(name, "categorical", ("prediction", "node", "x", f"{name}!")) for name in names[1::2]
    )
    return Schema((*numbers, *levels), ("prediction", "class 0", "x"), "label")


def tree_of_all_columns(schema: Schema) -> Tree:
    """A sum of all numbers, then a test of each categorical column."""
    rng = random.Random(0)
    numbers = [k for k, column in enumerate(schema.columns) if column.kind == "numeric"]
    plan = Plan(_statistics(rng, schema))
    for position, column in enumerate(schema.columns):
        if column.levels:
            test = Subset(position, (0,), tuple(range(1, len(column.levels))))
            plan = inner(test, Plan(_statistics(rng, schema)), plan)
    weights = tuple(_number(rng) for _ in numbers)
    return build(
        schema, inner(Linear(tuple(numbers), weights, 0.5), plan, Plan(_statistics(rng, schema)))
    )
