"""A tree as indented text, and a path as one sentence.

    Classification tree for species: 150 rows, 3 leaves, depth 2
    Reading effort 1.67 values per row, training accuracy 96.0 %

                                   species     proportion  rows
    all rows                                                150
    ├─ petal length <= 2.45 cm     setosa           100 %    50
    └─ petal length > 2.45 cm                               100
       ├─ petal width <= 1.75 cm   versicolor        91 %    54
       └─ petal width > 1.75 cm    virginica         98 %    46

One line per branch; conditions and class names too long for the line go on below, nothing is left
out. Thresholds are printed exactly as the tree uses them; proportions, means and standard
deviations are rounded. The text depends on the tree only, not on the terminal.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Protocol

from treewright.expressions import And, Expression, Largest, TextRenderer
from treewright.schema import Level, Schema
from treewright.tree.branching import told_branches, unknown_words
from treewright.tree.node import Node
from treewright.words import count_text, name_text, number_text, plural, share_text
from treewright.words.text_table import Line, Rails, aligned, rails_for

__all__ = [
    "BranchRenderer",
    "ReadableTree",
    "back_up_text",
    "class_text",
    "decimals_for",
    "divided_note",
    "heading",
    "rule_text",
    "sentence",
    "tree_text",
    "value_text",
]


_BRANCH_NAMES = ("the first branch", "the second branch")


class ReadableEdit(Protocol):
    """What the heading says of a change."""

    @property
    def is_by_hand(self) -> bool:
        """Whether somebody chose it, rather than a computation on other rows."""


class ReadableTree(Protocol):
    """What must be known of a tree to print it."""

    @property
    def schema(self) -> Schema:
        """Columns and classes."""

    @property
    def is_classification(self) -> bool:
        """Whether it predicts classes."""

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""

    @property
    def depth(self) -> int:
        """Number of splits on the longest path."""

    @property
    def reading_effort(self) -> float:
        """Values a reader looks at per row."""

    @property
    def training_score(self) -> float:
        """Accuracy or R squared on the training rows."""

    @property
    def undecided_share(self) -> float:
        """Proportion of the training rows that are referred to a person."""

    @property
    def edits(self) -> Sequence[ReadableEdit]:
        """What was changed after growth, the first change first."""

    def node(self, index: int) -> Node:
        """One node."""

    def n_leaves_below(self, index: int) -> int:
        """Count the leaves under a node."""

    def stopped_rows(self, index: int) -> float:
        """Count the training rows that ended at an inner node."""


class BranchRenderer(TextRenderer):
    """Words for one branch beside its siblings, which show the other scores."""

    def render_largest(self, expression: Largest) -> str:
        """Write the branch's own score only."""
        return f"largest score: {self.score_text(expression.scores[expression.index])}"


_BRANCH = BranchRenderer()


def tree_text(
    tree: ReadableTree,
    *,
    max_depth: int | None = None,
    width: int = 100,
    show_missing: bool | None = None,
    ascii_only: bool = False,
) -> str:
    """Write a tree as indented text; `Tree.to_text` tells about the parameters.

    Returns
    -------
    str
        Lines without trailing blanks or a final line feed.
    """
    rails = rails_for(ascii_only=ascii_only)
    lines = _Writer(tree, rails, max_depth, width, show_missing).lines()
    headings = _headings(tree)
    if all(line.cells[2:3] == line.cells[3:4] for line in lines):
        headings = headings[:3]  # weights say nothing new where each row counts as one
    is_number = [not tree.is_classification, *[True] * (len(headings) - 1)]
    table = aligned(headings, lines, is_number, width)
    return "\n".join([*heading(tree, ascii_only=ascii_only), "", *table])


def rule_text(
    conditions: Iterable[Expression], leaf: Node, decimals: int, *, rows: float | None = None
) -> str:
    """Write the path to a leaf and its prediction as one sentence.

    Parameters
    ----------
    conditions : iterable of Expression
        What holds for every row of the leaf.
    leaf : Node
        The leaf.
    decimals : int
        Digits behind the point of a predicted number.
    rows : float or None, default None
        Training rows that end there, if not all rows of the node do.

    Returns
    -------
    str
        For example "if 18 < age <= 55 and city is Oslo then yes (93 %, 41 rows)".
    """
    counted = plural(leaf.rows if rows is None else rows, "row")
    if leaf.share is None:
        answer = value_text(leaf.value, decimals)
        certainty = f"sd {value_text(_number(leaf.standard_deviation), decimals)}, "
    else:
        answer = class_text(leaf.label)
        certainty = "" if math.isnan(leaf.share) else f"{share_text(leaf.share)}, "
    answer += f" ({certainty}{counted})" if leaf.weight > 0.0 else f" ({counted})"
    if leaf.name:
        answer += f": {name_text(leaf.name)}"
    return sentence(conditions, answer)


def sentence(conditions: Iterable[Expression], answer: str) -> str:
    """Write conditions that all hold and the prediction they lead to.

    Examples
    --------
    >>> from treewright.expressions import Compare
    >>> from treewright.schema import Column
    >>> sentence([Compare(Column("age", "numeric"), "<=", 42.0)], "yes"), sentence([], "no")
    ('if age <= 42 then yes', 'always no')
    """
    renderer = TextRenderer()
    found = tuple(conditions)
    if not found:
        return f"always {answer}"
    words = renderer.render(found[0] if len(found) == 1 else And(found))
    return f"if {words} then {answer}"


def class_text(label: Level) -> str:
    """Write the label of a class.

    Examples
    --------
    >>> print(class_text("repaid"), class_text(True), class_text(2.0))
    repaid true 2
    """
    if isinstance(label, str):
        return name_text(label)
    if isinstance(label, bool):
        return "true" if label else "false"
    return str(label) if isinstance(label, int) else number_text(label)


def value_text(value: float, decimals: int) -> str:
    """Write a predicted number or a spread.

    Examples
    --------
    >>> value_text(22.6043, 2), value_text(22.6043, 0)
    ('22.60', '23')
    """
    if not math.isfinite(value):
        return "-"
    if decimals > 12 or abs(value) >= 1e15:
        return f"{value:.4g}"
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def decimals_for(spread: float, value: float = 0.0) -> int:
    """Choose the digits behind the point: three that count in the spread of the numbers.

    Examples
    --------
    >>> decimals_for(9.2), decimals_for(0.0312), decimals_for(1500.0)
    (2, 4, 0)
    """
    size = spread if spread > 0.0 and math.isfinite(spread) else abs(value)
    if size <= 0.0 or not math.isfinite(size):
        return 0
    return max(0, 2 - math.floor(math.log10(size)))


def back_up_text(node: Node, schema: Schema, names: Sequence[str]) -> str:
    """Say which surrogate splits stand in where the branch is not known.

    Parameters
    ----------
    node : Node
        An inner node that has surrogate splits.
    schema : Schema
        Its columns.
    names : sequence of str
        What its two branches are called.

    Returns
    -------
    str
        For example "yes when pulse <= 82 (agrees 90 %)"; of levels both branches are told, since
        there may be others.
    """
    words = []
    for surrogate in node.surrogates:
        branches = surrogate.predicate.branches(schema)
        # The branch of the surrogate that leads the same way as the first branch of the node.
        ways = branches[::-1] if surrogate.swapped else branches
        told = list(zip(names, ways, strict=True))
        [column] = surrogate.predicate.columns
        if schema.columns[column].kind != "categorical":
            told = told[:1]  # the other is the opposite
        when = ", ".join(f"{name} when {_BRANCH.render(way)}" for name, way in told)
        words.append(f"{when} (agrees {share_text(surrogate.agreement)})")
    return ", else ".join(words)


def divided_note(tree: ReadableTree, nodes: Iterable[Node]) -> str:
    """Say below rules that rows may be divided, so that they fit none; empty where none is."""
    inner = [node for node in nodes if node.predicate is not None and node.missing == "fraction"]
    found = [unknown_words(node, tree.schema, None) for node in inner]
    return f"{_division(found)}, and fits no rule." if any(found) else ""


def _division(unknown: Iterable[str]) -> str:
    """Say which rows go down every branch."""
    found = list(unknown)
    rows = " or ".join(
        words
        for part, words in (("missing", "a missing value"), ("another", "another level"))
        if any(part in each for each in found)
    )
    return f"A row with {rows} goes down every branch, by its proportion of the rows"


class _Writer:
    """Walks a tree in reading order and makes a line for each branch."""

    def __init__(
        self,
        tree: ReadableTree,
        rails: Rails,
        max_depth: int | None,
        width: int,
        show_missing: bool | None,
    ) -> None:
        self.tree = tree
        self.rails = rails
        self.max_depth = math.inf if max_depth is None else max_depth
        self.show_missing = show_missing
        # Indentation takes half of the line at most; below, the depth is written as a number.
        self.deepest_rail = max(4, width // 2 // len(rails.none))
        root = tree.node(0)
        spread = _number(root.standard_deviation)
        self.decimals = 0 if tree.is_classification else decimals_for(spread, root.value)

    def lines(self) -> list[Line]:
        """Give the lines of the whole tree."""
        lines: list[Line] = []
        divided: set[str] = set()
        policies = set()
        pending = [(0, "all rows", "", "")]
        while pending:
            number, words, prefix, hang = pending.pop()
            node = self.tree.node(number)
            if node.name:
                words += f" [{name_text(node.name)}]"
            is_cut = not node.is_leaf and node.depth >= self.max_depth
            more = self.rails.none if node.is_leaf else self.rails.down
            lines.append(Line(prefix, hang + more, words, self._cells(node, is_cut)))
            if node.predicate is None:
                continue
            policies.add(node.missing)
            if is_cut:
                hidden = f"... {plural(self.tree.n_leaves_below(number), 'more leaf')}"
                lines.append(Line(hang + self.rails.last, hang + self.rails.none, hidden))
                continue
            unknown = self._unknown(node)
            if unknown and node.missing == "fraction":
                divided.add(unknown)
            elif unknown:
                lines += self._without_branch(node, unknown, hang + self.rails.down)
            pending.extend(reversed(self._branches(node, hang)))
        if divided:
            note = _division(divided)
            note += "." if len(policies) == 1 else ', except where a line says "missing".'
            lines += [Line("", "", ""), Line("", "", note)]
        return lines

    def _unknown(self, node: Node) -> str:
        """Name the rows that a split leaves open, if that is said; rows that stopped ask for it."""
        is_asked = self.show_missing is None and self.tree.stopped_rows(node.id) > 0.0
        return unknown_words(node, self.tree.schema, is_asked or self.show_missing)

    def _branches(self, node: Node, hang: str) -> list[tuple[int, str, str, str]]:
        """Give id, words, prefix and further indentation of each child."""
        assert node.predicate is not None
        branches = []
        expressions = told_branches(node, self.tree.schema, self.show_missing)
        for branch, (child, expression) in enumerate(zip(node.children, expressions, strict=True)):
            words = _BRANCH.render(expression)
            is_last = branch == len(expressions) - 1
            corner = self.rails.last if is_last else self.rails.middle
            if node.depth < self.deepest_rail:
                below = hang + (self.rails.none if is_last else self.rails.down)
                branches.append((child, words, hang + corner, below))
            else:
                depth = f"[{node.depth + 1}] "
                branches.append((child, words, depth + corner, " " * len(depth + corner)))
        return branches

    def _without_branch(self, node: Node, unknown: str, hang: str) -> list[Line]:
        """Say below a node what is done where the branch is not known, unless a branch says it."""
        lines = []
        if node.has_back_up:
            back_up = back_up_text(node, self.tree.schema, _BRANCH_NAMES)
            lines.append(Line(hang, hang, f"if {unknown}, {back_up}"))
            unknown = "that is not known either"
        if node.may_stop:
            rows = self.tree.stopped_rows(node.id)
            below = sum(self.tree.node(child).weight for child in node.children)
            weight = node.weight - below if rows else 0.0
            cells = (*self._answer(node), count_text(rows), count_text(weight))
            lines.append(Line(hang, hang, f"if {unknown}, stop here", cells))
        elif node.has_back_up:
            assert node.default_branch is not None, "an inner node has a default branch"
            lines.append(Line(hang, hang, f"if {unknown}, {_BRANCH_NAMES[node.default_branch]}"))
        return lines

    def _cells(self, node: Node, is_cut: bool) -> tuple[str, ...]:
        """Give prediction, certainty, rows and weight."""
        answer = self._answer(node) if node.is_leaf or is_cut else ("", "")
        return *answer, count_text(node.rows), count_text(node.weight)

    def _answer(self, node: Node) -> tuple[str, str]:
        """Give the prediction of a node and its certainty."""
        if node.share is not None:
            return class_text(node.label), share_text(node.share)
        spread = _number(node.standard_deviation)
        return value_text(node.value, self.decimals), value_text(spread, self.decimals)


def heading(tree: ReadableTree, *, ascii_only: bool = False) -> list[str]:
    """Say in two or three lines what the tree is for, how large it is and how well it fits."""
    root = tree.node(0)
    target = tree.schema.target
    task = "Classification" if tree.is_classification else "Regression"
    sizes = [
        plural(root.rows, "row"),
        plural(tree.n_leaves, "leaf"),
        f"depth {tree.depth}",
    ]
    purpose = f" for {name_text(target)}" if target is not None else ""
    facts = [f"Reading effort {tree.reading_effort:.2f} values per row"]
    score = tree.training_score
    decided = 1.0 - tree.undecided_share
    if 0.0 < decided < 1.0:
        facts.append(
            f"training accuracy {100.0 * score / decided:.1f} % of the {100.0 * decided:.1f} % of "
            "rows that are decided"
        )
    elif tree.is_classification and decided == 0.0:
        facts.append("every row is referred")
    elif math.isfinite(score) and tree.is_classification:
        facts.append(f"training accuracy {100.0 * score:.1f} %")
    elif math.isfinite(score):
        facts.append(f"training {'R2' if ascii_only else 'R²'} {score:.3f}")
    lines = [f"{task} tree{purpose}: {', '.join(sizes)}", ", ".join(facts)]
    n_by_hand = sum(edit.is_by_hand for edit in tree.edits)
    if n_by_hand:
        lines.append(f"Changed by hand: {plural(n_by_hand, 'edit')}")
    if n_by_hand < len(tree.edits):
        lines.append(f"Leaves refitted on {plural(root.rows, 'row')}")
    return lines


def _headings(tree: ReadableTree) -> tuple[str, ...]:
    fallback = "class" if tree.is_classification else "value"
    answer = fallback if tree.schema.target is None else name_text(tree.schema.target)
    return answer, "proportion" if tree.is_classification else "sd", "rows", "weight"


def _number(value: float | None) -> float:
    return math.nan if value is None else value
