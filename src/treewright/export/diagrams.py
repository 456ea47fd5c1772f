"""What the diagrams of a tree show: boxes with a few lines of words, and edges between them.

A split with two branches is a question, whose branches are yes and no; a split with more says the
condition of each branch beside it. Numbers are written as the tree uses them. Names, levels and
sentences of any length are cut, with three dots, so that a box stays a box; rules and code have
them in full.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from treewright.expressions import Expression, Largest, asked_branch, yes_and_no
from treewright.schema import Schema
from treewright.schema.shortening import short_schema, shortened, wrapped
from treewright.tree import Tree, answer_text
from treewright.tree.branching import told_branches, unknown_words
from treewright.tree.missing_text import missing_words
from treewright.tree.node import Node
from treewright.tree.tree_text import BranchRenderer, value_text
from treewright.words import name_text, plural, share_text
from treewright.words.colours import class_colour, tinted

__all__ = ["Box", "Way", "boxes", "title"]

_YES, _NO = "yes", "no"
_LONGEST_WORD = 40
_LINE = 44
_MOST_LINES = 6

_FRAME = "#555555"
# Black type stays readable on the deepest ground.
_FAINTEST, _DEEPEST = 0.1, 0.5


@dataclass(frozen=True, slots=True)
class Way:
    """The edge from a box to one of its children.

    Parameters
    ----------
    child : int
        Id of the node it leads to.
    lines : tuple of str
        For whom: yes, no, or words.
    share : float
        Proportion of the rows of the box that go there.
    """

    child: int
    lines: tuple[str, ...]
    share: float

    @property
    def is_yes_or_no(self) -> bool:
        """Whether it is one of the branches yes and no."""
        return self.lines in ((_YES,), (_NO,))


@dataclass(frozen=True, slots=True)
class Box:
    """One node as a diagram shows it.

    Parameters
    ----------
    node : Node
        The node.
    lines : tuple of str
        What is written inside, as plain text.
    colour : str
        Of its frame, as ``#RRGGBB``: that of its class at a leaf.
    strength : float
        How much of this colour is in its ground, from 0 (white) to 1.
    ways : tuple of Way
        Where it goes on; none at a leaf.
    """

    node: Node
    lines: tuple[str, ...]
    colour: str
    strength: float
    ways: tuple[Way, ...]

    @property
    def ground(self) -> str:
        """The colour of its inside, as ``#RRGGBB``."""
        return tinted(self.colour, self.strength)


def boxes(tree: Tree) -> Iterator[Box]:
    """Give the boxes of a tree in reading order.

    Parameters
    ----------
    tree : Tree
        Any tree.

    Yields
    ------
    Box
        One per node.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> model = TreeClassifier().fit({"age": [20, 30, 50, 60]}, ["no", "no", "yes", "yes"])
    >>> for box in boxes(model.tree_):
    ...     print(box.lines, *(way.lines[0] for way in box.ways))
    ('age <= 40?', '4 rows') yes no
    ('no', '100 %, 2 rows')
    ('yes', '100 %, 2 rows')
    """
    schema = short_schema(tree.schema, names=_LONGEST_WORD, levels=_LONGEST_WORD)
    decimals = tree.decimals
    for node in tree.walk():
        name = [shortened(name_text(node.name), _LINE)] if node.name else []
        colour, strength = _colour(node)
        if node.predicate is None:
            yield Box(node, (*name, *_answer(node, decimals)), colour, strength, ())
            continue
        branches = told_branches(node, schema, False)
        question = _lines(_question(branches))
        shares = _shares(tree, node)
        ways = zip(node.children, _answers(branches), shares, strict=True)
        yield Box(
            node,
            (*name, *question, plural(node.rows, "row"), *_missing(tree, node, schema, branches)),
            colour,
            strength,
            tuple(Way(child, _lines(words), share) for child, words, share in ways),
        )


def title(tree: Tree) -> str:
    """Say in one line what the tree is for.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> title(TreeClassifier().fit({"age": [20, 60]}, ["no", "yes"]).tree_)
    'Classification tree'
    """
    task = "Classification" if tree.is_classification else "Regression"
    target = tree.schema.target
    purpose = "" if target is None else f" for {shortened(name_text(target), _LINE)}"
    return f"{task} tree{purpose}"


def _question(branches: tuple[Expression, ...]) -> str:
    if len(branches) == 2:
        return f"{branches[asked_branch(branches)]}?"
    if isinstance(branches[0], Largest):
        return "Which score is largest?"
    return f"{', '.join(name_text(column.name) for column in branches[0].columns)}?"


def _answers(branches: tuple[Expression, ...]) -> tuple[str, ...]:
    if len(branches) == 2:
        return yes_and_no(branches)
    renderer = BranchRenderer()
    return tuple(renderer.render(branch) for branch in branches)


def _missing(
    tree: Tree, node: Node, schema: Schema, branches: tuple[Expression, ...]
) -> tuple[str, ...]:
    """Say what becomes of a row whose branch is not known, where such rows are to be expected."""
    stopped = tree.stopped_rows(node.id)
    unknown = unknown_words(node, schema, True if stopped > 0.0 else None)
    words = missing_words(node, schema, _answers(branches), unknown, stopped)
    return _lines(words) if words else ()


def _answer(node: Node, decimals: int) -> tuple[str, str]:
    """Say what a leaf predicts, and how certain that is."""
    words, rows = shortened(answer_text(node, decimals), _LINE), plural(node.rows, "row")
    if not node.weight > 0.0:
        return words, rows
    if node.share is not None:
        return words, f"{share_text(node.share)}, {rows}"
    assert node.standard_deviation is not None, "numbers have a spread"
    return words, f"sd {value_text(node.standard_deviation, decimals)}, {rows}"


def _colour(node: Node) -> tuple[str, float]:
    """Colour a leaf by its class, the deeper the surer; other nodes are white with a grey frame."""
    if not node.is_leaf or node.share is None:
        return _FRAME, 0.0
    share = node.share if math.isfinite(node.share) else 0.0
    return class_colour(int(node.value)), _FAINTEST + (_DEEPEST - _FAINTEST) * share


def _shares(tree: Tree, node: Node) -> list[float]:
    weights = tree.node_weights[list(node.children)]
    total = float(weights.sum())
    return [float(weight) / total if total > 0.0 else 0.0 for weight in weights]


def _lines(words: str) -> tuple[str, ...]:
    return tuple(wrapped(words, _LINE, _MOST_LINES).split("\n"))
