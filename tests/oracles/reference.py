"""Trees of all programs in one neutral form, and what differs between two of them.

Readers turn rpart's node list, the text of Weka's J48 and Id3, the text of C4.5 release 8 and a
fitted treewright tree into a `Node`. Branches are found by a key, not by position, so that the
order in which a program lists (or orients) its branches does not matter: ``"<="`` and ``">"`` for
a threshold, the frozen set of levels for a category.

`differences(expected, found)` returns sentences, one for each thing that is not the same; an empty
list means the same tree. The path to the node stands in front of every sentence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Key = str | frozenset[str]


@dataclass(frozen=True)
class Surrogate:
    """A back-up test of rpart's kind; `threshold` is None for a category."""

    column: str
    threshold: float | None
    agreement: float
    adjusted: float


@dataclass(frozen=True, kw_only=True)
class Node:
    """One node; what a program does not tell is None. `label` is a class index or a number."""

    number: int
    label: float | None = None
    rows: float | None = None
    weight: float | None = None
    errors: float | None = None
    class_weights: tuple[float, ...] | None = None
    column: str | None = None
    threshold: float | None = None
    gain: float | None = None
    branches: Mapping[Key, Node] = field(default_factory=dict)
    surrogates: tuple[Surrogate, ...] | None = None

    def walk(self) -> Iterator[Node]:
        """This node and all below it."""
        yield self
        for child in self.branches.values():
            yield from child.walk()

    @property
    def is_leaf(self) -> bool:
        return not self.branches


def column_key(name: str) -> str:
    """The programs spell column names differently (``Petal.Width``, ``Petal_Width``)."""
    return name.lower().replace(".", "_")


# ---------------------------------------------------------------- rpart


def read_rpart(entry: Mapping[str, Any], levels: Mapping[str, Sequence[str]]) -> Node:
    """Read a recorded rpart fit; `levels` gives the levels of its categorical columns.

    Nodes are numbered 2k (left) and 2k + 1 (right). ``ncat`` -1 sends ``x < index`` left, +1 right;
    above 1 it is the number of levels and ``csplit`` tells their sides: 1 left, 3 right, 2 absent.
    rpart's gain of a number is the share of the node's sum of squares; here it is the decrease.
    """
    by_number = {node["node"]: node for node in entry["nodes"]}
    classes = entry.get("levels")

    def build(number: int) -> Node:
        raw = by_number[number]
        label = classes.index(raw["yval"]) if classes else raw["yval"]
        seen = {
            "number": number,
            "label": label,
            "rows": raw["n"],
            "weight": raw["wt"],
            "errors": raw["dev"],
            "class_weights": tuple(raw["counts"]) if classes else None,
        }
        if "split" not in raw:
            return Node(**seen)
        split = raw["split"]
        left, right = build(2 * number), build(2 * number + 1)
        threshold = None
        branches: dict[Key, Node]
        if abs(split["ncat"]) == 1:
            threshold = split["index"]
            below, above = (left, right) if split["ncat"] < 0 else (right, left)
            branches = {"<=": below, ">": above}
        else:
            names = levels[raw["var"]]
            sides = list(zip(names, split["csplit"], strict=True))
            branches = {
                frozenset(name for name, side in sides if side == 1): left,
                frozenset(name for name, side in sides if side == 3): right,
            }
        return Node(
            **seen,
            column=column_key(raw["var"]),
            threshold=threshold,
            gain=split["improve"] * (1.0 if classes else raw["dev"]),
            branches=branches,
            surrogates=tuple(
                Surrogate(
                    column_key(surrogate["var"]),
                    surrogate["index"] if abs(surrogate["ncat"]) == 1 else None,
                    surrogate["agree"],
                    surrogate["adj"],
                )
                for surrogate in raw.get("surrogate", [])
            ),
        )

    return build(1)


# ---------------------------------------------------------------- printed trees


LINE = re.compile(
    r"""^(?P<bars>(?:\|\s+)*)
        (?:(?P<column>.+?)\ (?P<operator><=|>|=)\ (?P<value>.+?))?     # absent: the tree is a leaf
        (?:\ ?:(?:\ (?P<label>.+?)(?:\ \((?P<weight>[\d.]+)(?:/(?P<errors>[\d.]+))?\))?)?)?$""",
    re.VERBOSE,
)


def read_text(text: str, classes: Sequence[str]) -> Node:
    """Read an indented tree as Weka's J48 and Id3 and as C4.5 print it.

    ``windy = true: Don't Play (2.0/1.0)`` is a leaf of weight 2 with 1 error; a line without a
    label opens an inner node; one ``|`` stands for each level of depth.
    """
    lines = [match for match in map(LINE.match, tree_lines(text)) if match is not None]
    counter = iter(range(1, len(lines) + 2))

    def build(start: int, depth: int) -> tuple[Node, int]:
        number = next(counter)
        column, threshold = lines[start]["column"], None
        branches: dict[Key, Node] = {}
        position = start
        while position < len(lines) and lines[position]["bars"].count("|") == depth:
            line = lines[position]
            if line["column"] != column:
                raise ValueError(f"two columns under one node: {line[0]!r}")
            key: Key = line["operator"]
            if key == "=":
                key = frozenset([line["value"]])
            else:
                threshold = float(line["value"])
            if line["label"] is None:
                branches[key], position = build(position + 1, depth + 1)
            else:
                branches[key], position = leaf(line), position + 1
        node = Node(
            number=number, column=column_key(column), threshold=threshold, branches=branches
        )
        return node, position

    def leaf(line: re.Match[str]) -> Node:
        weight = None if line["weight"] is None else float(line["weight"])
        errors = None if weight is None else float(line["errors"] or 0)
        label = None if line["label"] == "null" else classes.index(line["label"])
        return Node(number=next(counter), label=label, weight=weight, errors=errors)

    if lines[0]["column"] is None:
        return leaf(lines[0])
    tree, end = build(0, 0)
    if end != len(lines):
        raise ValueError(f"line {lines[end][0]!r} belongs to no node")
    return tree


def tree_lines(text: str) -> list[str]:
    """The lines of the first tree in a listing, without headings, rulers and the size summary."""
    first_tree = text.split("Simplified Decision Tree:")[0].split("Number of Leaves")[0]
    headings = ("Decision Tree:", "Id3", "J48", "---")
    return [
        line.rstrip()
        for line in first_tree.splitlines()
        if line.strip() and not line.startswith(headings)
    ]


# ---------------------------------------------------------------- treewright


def read_fitted(tree: Any) -> Node:
    """Read a fitted tree; `number` is treewright's own node id.

    The classes must be numbers, the codes of the reference program: it may declare classes that do
    not occur in the data, and then a code is not treewright's class index.
    """
    core, schema = tree.core, tree.schema
    names = [column_key(column.name) for column in schema.columns]

    def level_names(column: int, codes: Sequence[int]) -> frozenset[str]:
        return frozenset(str(schema.columns[column].levels[code]) for code in codes)

    def build(node: int) -> Node:
        statistics = tuple(float(value) for value in core.statistics[node])
        value = float(core.value[node])
        label = schema.classes[int(value)] if core.is_classification else value
        seen: dict[str, Any] = {"number": node, "label": label, "rows": float(core.rows[node])}
        if core.is_classification:
            weight = math.fsum(statistics)
            seen |= {"weight": weight, "class_weights": statistics}
            seen["errors"] = weight - statistics[int(value)]
        else:
            seen |= {"weight": statistics[0], "errors": statistics[2]}
        test = core.test(node)
        if test is None:
            return Node(**seen)
        first = int(core.first_child[node])
        children = [build(first + branch) for branch in range(int(core.n_branches[node]))]
        column, threshold, keys = describe(test, level_names)
        return Node(
            **seen,
            column=names[column],
            threshold=threshold,
            gain=float(core.gain[node]),
            branches=dict(zip(keys, children, strict=True)),
            surrogates=tuple(
                Surrogate(names[where], cut, agreement, adjusted)
                for (where, cut, _), agreement, adjusted in (
                    (describe(flat, level_names), agreement, adjusted)
                    for flat, _, agreement, adjusted in core.surrogates(node)
                )
            ),
        )

    return build(0)


def describe(
    test: tuple[int, Sequence[int], Sequence[float]],
    level_names: Callable[[int, Sequence[int]], frozenset[str]],
) -> tuple[int, float | None, list[Key]]:
    """Column, threshold and branch keys of a flat test of the compiled core."""
    kind, features, numbers = test
    column = int(features[0])
    if kind == 0:
        return column, float(numbers[0]), ["<=", ">"]
    if kind == 2:
        split = 2 + int(features[1])
        return (
            column,
            None,
            [level_names(column, features[2:split]), level_names(column, features[split:])],
        )
    if kind == 3:
        branch_of_level = list(features[1:])
        return (
            column,
            None,
            [
                level_names(
                    column, [level for level, at in enumerate(branch_of_level) if at == branch]
                )
                for branch in range(max(branch_of_level) + 1)
            ],
        )
    raise ValueError(f"The reference programs make no test of kind {kind}.")


# ---------------------------------------------------------------- comparison


@dataclass(frozen=True)
class Rules:
    """How closely two trees must agree; tolerances are relative unless they say otherwise."""

    gain_scale: float = 1.0
    """Found gains are multiplied by this first (ln 2 where the program uses natural logarithms)."""
    number: float = 1e-9
    """Thresholds, gains, agreements."""
    weight_absolute: float = 1e-6
    """Weights and errors; printed trees have only one decimal."""
    found_may_go_on: bool = False
    """The expected tree may stop earlier (rpart's complexity limit)."""
    weights: bool = True
    """Compare weights and errors (priors and costs give them another meaning in rpart)."""
    labels: bool = True
    surrogates: bool = False


EXACT = Rules()


def differences(expected: Node, found: Node, rules: Rules = EXACT) -> list[str]:
    """Tell in sentences how `found` departs from `expected`; nothing if it does not."""
    sentences: list[str] = []
    roots = expected, found

    def same(one: float | None, other: float | None, absolute: float = 0.0) -> bool:
        if one is None or other is None:
            return one is other
        return math.isclose(one, other, rel_tol=rules.number, abs_tol=absolute or 1e-9)

    def compare(one: Node, other: Node, path: str) -> None:
        def tell(sentence: str) -> None:
            sentences.append(f"{path or 'root'}: {sentence}")

        for quantity in ("rows", "weight", "errors") if rules.weights else ("rows",):
            wanted, got = getattr(one, quantity), getattr(other, quantity)
            if wanted is not None and not same(wanted, got, rules.weight_absolute):
                tell(f"{quantity} {got} instead of {wanted}")
        if one.class_weights is not None:
            # Priors and costs scale the weight of a class in the whole tree: compare the shares.
            for index, (wanted, got) in enumerate(
                zip(shares(one, roots[0]), shares(other, roots[1]), strict=True)
            ):
                if not same(wanted, got):
                    tell(f"share {got} of class {index} instead of {wanted}")
        if rules.labels and one.label is not None and not same(one.label, other.label):
            tell(f"label {other.label} instead of {one.label}")
        if one.is_leaf:
            if not other.is_leaf and not rules.found_may_go_on:
                tell(f"splits on {other.column} instead of being a leaf")
            return
        if (one.column, bool(one.threshold is None)) != (
            other.column,
            bool(other.threshold is None),
        ):
            tell(
                f"tests {other.column} (gain {other.gain}) instead of {one.column} "
                f"(gain {one.gain})"
            )
            return
        if not same(one.threshold, other.threshold):
            tell(f"cuts {one.column} at {other.threshold} instead of {one.threshold}")
            return
        if set(one.branches) != set(other.branches):
            tell(
                f"branches {readable(other.branches)} of {one.column} "
                f"instead of {readable(one.branches)}"
            )
            return
        if one.gain is not None and not same(
            one.gain, None if other.gain is None else other.gain * rules.gain_scale
        ):
            tell(f"gain {other.gain} (times {rules.gain_scale}) instead of {one.gain}")
        if rules.surrogates:
            compare_surrogates(one.surrogates or (), other.surrogates or (), tell)
        for key, child in one.branches.items():
            name = key if isinstance(key, str) else "in {" + ", ".join(sorted(key)) + "}"
            cut = "" if one.threshold is None else f" {one.threshold:.6g}"
            compare(child, other.branches[key], f"{path} / {one.column} {name}{cut}".lstrip(" /"))

    def compare_surrogates(
        wanted: Sequence[Surrogate], got: Sequence[Surrogate], tell: Callable[[str], None]
    ) -> None:
        if [surrogate.column for surrogate in wanted] != [surrogate.column for surrogate in got]:
            tell(f"surrogates {list(got)} instead of {list(wanted)}")
            return
        for one, other in zip(wanted, got, strict=True):
            for quantity in ("threshold", "agreement", "adjusted"):
                if not same(getattr(one, quantity), getattr(other, quantity)):
                    tell(f"surrogate {other} instead of {one}")
                    break

    compare(expected, found, "")
    return sentences


def shares(node: Node, root: Node) -> list[float]:
    """What part of each class's weight in the whole tree is in this node."""
    pairs = zip(node.class_weights or (), root.class_weights or (), strict=True)
    return [part / whole if whole else 0.0 for part, whole in pairs]


def readable(branches: Mapping[Key, Node]) -> list[str]:
    """Branch keys in a stable order, for messages."""
    return sorted(key if isinstance(key, str) else str(sorted(key)) for key in branches)


def matched(expected: Node, found: Node) -> dict[int, int]:
    """Numbers of found nodes -> numbers of the expected nodes in the same place."""
    pairs = {found.number: expected.number}
    for key, child in expected.branches.items():
        if key in found.branches:
            pairs |= matched(child, found.branches[key])
    return pairs


def rows_in_expected_leaves(
    expected: Node, found: Node, leaf_of_row: Sequence[int], parent: Sequence[int]
) -> list[int]:
    """Expected leaf number of every row, from the found leaf of every row.

    Where the found tree goes on below an expected leaf, climb to the node in the same place.
    """
    pairs = matched(expected, found)
    leaves = {node.number for node in expected.walk() if node.is_leaf}
    answer = []
    for leaf in leaf_of_row:
        node = int(leaf)
        while pairs.get(node) not in leaves and parent[node] >= 0:
            node = int(parent[node])
        answer.append(pairs.get(node, -1))
    return answer
