"""One row explained: its decision path, the prediction, its certainty, the counterfactual."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from treewright import _core
from treewright.exceptions import SchemaError
from treewright.explain.answers import Question
from treewright.explain.cell_words import cell_value, change_words
from treewright.explain.explanation import Change, Explanation, Nearest, Others
from treewright.explain.nearest import nearest_change
from treewright.explain.row import Row, read_row
from treewright.explain.scales import Scales
from treewright.explain.search import Found, possible_answers
from treewright.explain.steps import steps_of, unsure_of
from treewright.tree import Tree, answer_interval, interval_text
from treewright.tree.tree_text import class_text, value_text
from treewright.words import name_text

__all__ = ["explain_row"]


def explain_row(
    tree: Tree,
    row: Any,
    *,
    scales: Scales | None = None,
    fixed: Iterable[str] = (),
    others: Iterable[Tree] = (),
) -> Explanation:
    """Explain the prediction of a tree for one row.

    Parameters
    ----------
    tree : Tree
        The tree.
    row : mapping, series, list, 1-D array, or table with one row
        The row. Columns that a mapping or a series does not name are missing.
    scales : Scales, optional
        What counts as a small change in each column; ``Scales.of_rows`` takes it from data. By
        default it is read off the splits of the tree.
    fixed : iterable of str, default ()
        Columns that cannot change, such as the age of a person: they are left out of the search for
        the nearest counterfactual.
    others : iterable of Tree, default ()
        Other trees of the same columns, such as those that are nearly as good: how many of them
        predict the same is told.

    Returns
    -------
    Explanation
        ``print`` it for the words; its parts are plain values.

    Raises
    ------
    DataError
        If it is not one row.
    SchemaError
        If it does not fit the columns of the tree.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> table = {"age": [23, 31, 38, 45, 52, 58, 61, 67], "smoker": [False, True] * 4}
    >>> sick = ["no", "no", "no", "no", "no", "yes", "yes", "yes"]
    >>> model = TreeClassifier().fit(table, sick)
    >>> print(explain_row(model.tree_, {"age": 42, "smoker": True}))
    The prediction is no (100 %, 57 % to 100 %; 5 training rows)
    <BLANKLINE>
    1. age <= 55? age is 42: yes
       13 below the cut
    <BLANKLINE>
    Nearest counterfactual: yes (100 %) with age 56 instead of 42.
    """
    given = read_row(tree, row)
    question = Question(
        tree,
        given.values,
        Scales.of_tree(tree, given) if scales is None else scales,
        frozenset(tree.schema.index(name) for name in fixed),
    )
    steps = steps_of(tree, given)
    unsure = tuple(unsure_of(tree, given, steps))
    found, is_complete = nearest_change(question)
    table = _core.Table(given.values[np.newaxis], tree.schema.n_levels)
    end = tree.node(int(tree.core.apply(table)[0]))
    is_divided = any(step.decided_by == "fraction" for step in steps)
    interval = None if is_divided else answer_interval(end)
    target = tree.schema.target
    possible, are_all = (
        possible_answers(question) if unsure else (frozenset({question.answer}), True)
    )
    return Explanation(
        target=None if target is None else name_text(target),
        label=_label(tree, question.answer),
        answer=_answer_text(tree, question.answer),
        certainty=_certainty(question, given.values),
        proportion=None if is_divided or not tree.is_classification else end.share,
        interval=interval,
        interval_text=interval_text(end, interval, tree.decimals),
        rows=end.rows,
        node=end.id,
        steps=steps,
        nearest=None if found is None else _nearest(question, given, found),
        note=_note(question, is_complete) if found is None else "",
        unsure=unsure,
        possible=tuple(_label(tree, answer) for answer in sorted(possible)),
        possible_text=_possible_text(tree, sorted(possible), are_all),
        others=_others(question, others),
    )


def _others(question: Question, trees: Iterable[Tree]) -> tuple[Others, ...]:
    """Count what other trees predict for a row; classes in their order, numbers rising."""
    tree, found = question.tree, Counter[float]()
    for other in trees:
        if other.schema != tree.schema:
            raise SchemaError("The other trees are for other columns or classes than the tree.")
        found[replace(question, tree=other).answer] += 1
    return tuple(
        Others(_label(tree, answer), _answer_text(tree, answer), found[answer])
        for answer in sorted(found)
    )


def _label(tree: Tree, answer: float) -> str | int | float | bool:
    classes = tree.schema.classes
    return answer if classes is None else classes[int(answer)]


def _answer_text(tree: Tree, answer: float) -> str:
    classes = tree.schema.classes
    return class_text(classes[int(answer)]) if classes else value_text(answer, tree.decimals)


def _possible_text(tree: Tree, answers: list[float], are_all: bool) -> str:
    texts = [_answer_text(tree, answer) for answer in answers]
    found = " or ".join(texts) if tree.is_classification else f"{texts[0]} to {texts[-1]}"
    return found if are_all else f"{found}, or others"


def _certainty(question: Question, values: Any) -> float | None:
    """Give the probability of the predicted class where a row ends; NaN at an empty leaf."""
    tree = question.tree
    if not tree.is_classification:
        return None
    rows = np.ascontiguousarray(values[np.newaxis])
    table = _core.Table(rows, tree.schema.n_levels)
    if not tree.node_weights[tree.core.apply(table)[0]] > 0.0:
        return math.nan
    return float(tree.core.distribution(table)[0, int(question.answers(rows)[0])])


def _nearest(question: Question, row: Row, found: Found) -> Nearest:
    columns = question.tree.schema.columns
    changes = []
    for index, value in sorted(found.changes.items()):
        column, before = columns[index], float(row.values[index])
        changes.append(
            Change(
                column.name,
                cell_value(column, before, whole=row.is_whole(index)),
                cell_value(column, value, whole=row.is_whole(index)),
                change_words(column, before, value),
            )
        )
    changed = question.changed(found.changes)
    answer = float(question.answers(changed[np.newaxis])[0])
    return Nearest(
        changes=tuple(changes),
        label=_label(question.tree, answer),
        answer=_answer_text(question.tree, answer),
        certainty=_certainty(question, changed),
        cost=question.total_cost(found.changes.items()),
        is_smallest=found.is_smallest,
    )


def _note(question: Question, is_complete: bool) -> str:
    """Say why there is no counterfactual."""
    if not is_complete:
        return "No change of one value gives another prediction; not all larger ones were tried."
    if question.tree.n_leaves == 1:
        return "The tree predicts this for every row."
    if question.fixed or np.isnan(question.values[list(question.tree.columns_read)]).any():
        return "No change of the known values that may change gives another prediction."
    return "No change of the values gives another prediction."
