"""What stands in the boxes of a drawn tree and on its branches: texts that fit, and small bars.

A split stands in its box as a question; the branches bear yes and no, or their conditions. A leaf
says what it predicts, how sure that is and of how many rows, with a bar of the classes of these
rows, or of the mean and the standard deviation of their numbers. What had to be shortened is told
in full by a tooltip.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, assert_never

from treewright.plot.tree.lettering import broken, text_width
from treewright.plot.words import (
    BRANCH_NAMES,
    PictureRenderer,
    branch_names,
    full_question,
    question,
    with_few_digits,
)
from treewright.predicates import Axis, Linear, Machine, Multiway, Pair, Subset
from treewright.schema import Schema
from treewright.schema.shortening import short_schema
from treewright.tree import Tree, answer_text
from treewright.tree.branching import ShowMissing, unknown_words
from treewright.tree.missing_text import missing_sentences, missing_words
from treewright.tree.node import Node
from treewright.tree.tree_text import class_text, value_text
from treewright.words import count_text, name_text, plural, share_text

__all__ = ["LINE", "SMALL", "TYPE", "Bar", "Content", "Contents", "Label", "Line", "Spread"]

TYPE = 13.0  # size of type in pixels
SMALL = 12.0  # of counts and of branches; nothing is smaller
LINE = 17.0  # from line to line

_LONGEST_NAME = 48  # in signs; there is room for several lines
_LONGEST_LEVEL = 48
_LONGEST_TARGET = 16  # in front of classes
_BOX_TEXT = 190.0  # the widest text in a box
_LABEL_TEXT = 132.0  # and on a branch
_QUESTION_LINES = 5
_ANSWER_LINES = 2
_LABEL_LINES = 3
_MISSING_LINES = 2
_TERMS_IN_QUESTION = 6
_COLUMNS_IN_SCORE = 3
_SEGMENTS = 5
_THINNEST_SEGMENT = 0.015
_CLASSES_IN_TOOLTIP = 6


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text: bold, plain, or small."""

    text: str
    look: Literal["bold", "plain", "small"] = "plain"

    @property
    def width(self) -> float:
        """How wide it is."""
        size = SMALL if self.look == "small" else TYPE
        return text_width(self.text, size, is_bold=self.look == "bold")


@dataclass(frozen=True, slots=True)
class Bar:
    """The classes of some rows: code and proportion of each that can be seen, -1 for all others."""

    segments: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and one standard deviation to either side, as places between 0 and 1 on one scale."""

    low: float
    mean: float
    high: float


@dataclass(frozen=True, slots=True)
class Label:
    """The words on a branch, and those in full if they had to be cut."""

    lines: tuple[str, ...]
    full: str | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """What stands in one box."""

    lines: tuple[Line, ...]
    tooltip: str
    bar: Bar | Spread | None
    answer: int | None  # code of the class, of a leaf


class Contents:
    """The words of a tree, in sizes that can be drawn.

    Parameters
    ----------
    tree : Tree
        The tree.
    show_missing : bool, collection of str or None, default None
        Of which columns splits say what becomes of missing values. Where rows stopped for want of a
        value it is always said.
    """

    def __init__(self, tree: Tree, show_missing: ShowMissing = None) -> None:
        self._tree = tree
        self._show_missing = show_missing
        self._short = short_schema(tree.schema, names=_LONGEST_NAME, levels=_LONGEST_LEVEL)
        self._root = tree.node(0)
        self._made: dict[tuple[int, ...], Content] = {}
        self._labels: dict[int, tuple[Label, ...]] = {}

    def of(self, node: int, folded: tuple[int, ...] = ()) -> Content:
        """Give the content of the box of a node, or of the box that stands for folded ones."""
        key = (node, *folded)
        if key not in self._made:
            self._made[key] = self._folded(folded) if folded else self._node(self._tree.node(node))
        return self._made[key]

    def labels(self, node: int) -> tuple[Label, ...]:
        """Give the words on each branch of a node."""
        if node not in self._labels:
            inner = self._tree.node(node)
            short = _labels(inner, self._short, short_sets=True)
            full = _labels(inner, self._tree.schema, are_full=True)
            self._labels[node] = tuple(
                Label(lines, _unless_drawn(words, lines))
                for lines, words in zip(map(_label_lines, short), full, strict=True)
            )
        return self._labels[node]

    def label_of_several(self, node: int, children: Sequence[int]) -> Label:
        """Give the words on the one branch that stands for those to several children."""
        inner = self._tree.node(node)
        names = _labels(inner, self._tree.schema)
        branches = [child - inner.children[0] for child in children]
        match inner.predicate:
            case Multiway():
                groups = inner.predicate.levels_of_branch
                words = plural(sum(len(groups[branch]) for branch in branches), "other level")
            case None | Axis() | Linear() | Subset() | Pair() | Machine():
                words = plural(len(children), "other branch")
            case _:
                assert_never(inner.predicate)
        return Label((words,), ", ".join(names[branch] for branch in branches))

    @cached_property
    def scale(self) -> tuple[float, float]:
        """The ends of the scale of all spreads."""
        ends = [_ends(node) for node in self._tree.leaves() if node.weight > 0.0]
        known = [end for pair in ends for end in pair if math.isfinite(end)]
        return (min(known), max(known)) if known else (0.0, 0.0)

    def number(self, value: float) -> str:
        """Write a predicted number."""
        return value_text(value, self._tree.decimals)

    def class_name(self, code: int) -> str:
        """Name a class."""
        assert self._short.classes is not None, "numbers have no classes"
        return class_text(self._short.classes[code])

    @cached_property
    def predicted(self) -> str:
        """The name of the target in front of a class, where classes are named as branches are.

        A long one is left out, which would make every leaf wide.
        """
        target, classes = self._short.target or "", self._short.classes or ()
        is_alike = any(class_text(label) in BRANCH_NAMES for label in classes)
        return f"{name_text(target)}: " if is_alike and 0 < len(target) <= _LONGEST_TARGET else ""

    def question(self, node: Node) -> str:
        """Say the split of an inner node; sums of many columns are only named."""
        return question(node, self._short, most_terms=_TERMS_IN_QUESTION)

    def missing(self, node: Node) -> str:
        """Say what becomes of missing values, if that is asked for or rows have stopped here."""
        stopped = self._tree.stopped_rows(node.id)
        show = True if stopped > 0.0 else self._show_missing
        unknown = unknown_words(node, self._tree.schema, show)
        names = _labels(node, self._short, with_unseen=False)
        return missing_words(node, self._short, names, unknown, stopped)

    def certainty(self, node: Node) -> str:
        """Say how sure the prediction of a node is, and of how many rows."""
        rows = plural(node.rows, "row")
        if not node.weight > 0.0:
            return rows
        if node.share is None:
            return f"± {self.number(node.standard_deviation or 0.0)}, {rows}"
        return f"{share_text(node.share)}, {rows}"

    def _node(self, node: Node) -> Content:
        name = name_text(node.name) if node.name else ""
        drawn = broken(name, _BOX_TEXT, 1, SMALL)
        named = tuple(Line(words, "small") for words in drawn if words)
        full = [_unless_drawn(name, drawn)]
        if node.predicate is None:
            answer = None if node.share is None else int(node.value)
            answers, words = self._answer(node)
            lines = (*named, *answers, Line(self.certainty(node), "small"))
            return Content(lines, self._tooltip(node, *full, words), self._bar(node), answer)
        questions = broken(self.question(node), _BOX_TEXT, _QUESTION_LINES, TYPE)
        full.append(_unless_drawn(_full_words(node, self._tree.schema), questions))
        rows = Line(plural(node.rows, "row"), "small")
        missing = broken(self.missing(node), _BOX_TEXT, _MISSING_LINES, SMALL)
        under = (Line(words, "small") for words in missing if words)
        lines = (*named, *map(Line, questions), rows, *under)
        schema = self._tree.schema
        own = answer_text(node, self._tree.decimals)
        names = _labels(node, schema, with_unseen=False)
        sentences = missing_sentences(node, schema, names, own)
        tooltip = "\n".join([self._tooltip(node, *full), *sentences])
        return Content(lines, tooltip, self._bar(node), None)

    def _folded(self, nodes: tuple[int, ...]) -> Content:
        tree = self._tree
        n_leaves = plural(sum(tree.n_leaves_below(node) for node in nodes), "more leaf")
        rows = sum(tree.node(node).rows for node in nodes)
        share = rows / self._root.rows if self._root.rows > 0.0 else math.nan
        words = [n_leaves, f"{share_text(share)} of rows"]
        tooltip, bar = f"{n_leaves}, {plural(rows, 'row')}", None
        if len(nodes) == 1:
            node = tree.node(nodes[0])
            tooltip, bar = f"{n_leaves}. {self._tooltip(node)}", self._bar(node)
        return Content(tuple(Line(text, "small") for text in words), tooltip, bar, None)

    def _answer(self, node: Node) -> tuple[tuple[Line, ...], str | None]:
        """Give the lines of a prediction, and the words in full if they had to be cut."""
        if node.share is None:
            return (Line(self.number(node.value), "bold"),), None
        words = self.predicted + self.class_name(int(node.value))
        lines = broken(words, _BOX_TEXT, _ANSWER_LINES, TYPE, is_bold=True)
        full = _unless_drawn(self.predicted + class_text(node.label), lines)
        return tuple(Line(line, "bold") for line in lines), full

    def _bar(self, node: Node) -> Bar | Spread | None:
        if not node.weight > 0.0:
            return None
        if node.share is not None:
            return _class_bar([part / node.weight for part in node.statistics])
        low, high = self.scale
        if not high > low:
            return None
        start, end = _ends(node)
        places = [(value - low) / (high - low) for value in (start, node.statistics[1], end)]
        return Spread(*(min(max(place, 0.0), 1.0) for place in places))

    def _tooltip(self, node: Node, *full: str | None) -> str:
        """Say what the box does not: the words in full if they were cut, and the rows by class."""
        words = [part for part in full if part is not None]
        where = f"Node {node.id}"
        if self._root.rows > 0.0:
            where += f", {share_text(node.rows / self._root.rows)} of all rows"
        words.append(where)
        if node.share is not None and node.weight > 0.0:
            words.append(self._class_counts(node))
        elif node.share is None and node.predicate is not None and node.weight > 0.0:
            spread = self.number(node.standard_deviation or 0.0)
            words.append(f"mean {self.number(node.statistics[1])} ± {spread}")
        return "\n".join(words)

    def _class_counts(self, node: Node) -> str:
        ranked = sorted(enumerate(node.statistics), key=lambda pair: (-pair[1], pair[0]))
        found = [(code, weight) for code, weight in ranked if weight > 0.0]
        words = [
            f"{self.class_name(code)} {count_text(weight)}"
            for code, weight in found[:_CLASSES_IN_TOOLTIP]
        ]
        if len(found) > _CLASSES_IN_TOOLTIP:
            words.append(f"{len(found) - _CLASSES_IN_TOOLTIP} more classes")
        return ", ".join(words)


def _labels(
    node: Node,
    schema: Schema,
    *,
    are_full: bool = False,
    with_unseen: bool = True,
    short_sets: bool = False,
) -> tuple[str, ...]:
    """Name the branches; scores of few columns by themselves, since a number says nothing."""
    predicate = node.predicate
    match predicate:
        case Machine() if are_full or len(predicate.columns) <= _COLUMNS_IN_SCORE:
            told = predicate if are_full else with_few_digits(predicate)
            return tuple(map(PictureRenderer().score_text, told.scores(schema)))
        case None | Axis() | Linear() | Subset() | Multiway() | Pair() | Machine():
            return branch_names(node, schema, with_unseen=with_unseen, short_sets=short_sets)
        case _:
            assert_never(predicate)


def _label_lines(words: str) -> tuple[str, ...]:
    return broken(words, _LABEL_TEXT, _LABEL_LINES, SMALL)


def _full_words(node: Node, schema: Schema) -> str:
    match node.predicate:
        case Multiway() | Machine():
            return question(node, schema)
        case None | Axis() | Linear() | Subset() | Pair():
            return full_question(node, schema)
        case _:
            assert_never(node.predicate)


def _unless_drawn(words: str, lines: Sequence[str]) -> str | None:
    """Return words only if lines do not hold all of them; lines may end within a word."""
    return None if "".join(lines).replace(" ", "") == words.replace(" ", "") else words


def _class_bar(shares: Sequence[float]) -> Bar:
    """Choose the classes that can be seen in a bar, in their order; the rest is one segment."""
    ranked = sorted(range(len(shares)), key=lambda code: (-shares[code], code))
    seen = [code for code in ranked[:_SEGMENTS] if shares[code] >= _THINNEST_SEGMENT]
    segments = [(code, shares[code]) for code in sorted(seen)]
    rest = 1.0 - sum(share for _, share in segments)
    if rest >= _THINNEST_SEGMENT:
        segments.append((-1, rest))
    return Bar(tuple(segments))


def _ends(node: Node) -> tuple[float, float]:
    mean, spread = node.statistics[1], node.standard_deviation or 0.0
    return mean - spread, mean + spread
