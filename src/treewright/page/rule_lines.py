"""RuleLine: one leaf as a line of the table of rules, with what its picture shows."""

from __future__ import annotations

import math
from dataclasses import dataclass

from treewright.expressions import TextRenderer
from treewright.tree import LeafRule, Tree
from treewright.tree.branching import ShowMissing, missing_is_said

__all__ = ["RuleLine", "fitting_sentence", "rule_lines"]


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One line of the table of rules.

    Parameters
    ----------
    conditions : tuple of str
        What holds of every row of the leaf.
    short : tuple of str
        The same, with the first few levels of long sets only.
    answer, name : str
        What it says, and what readers call it.
    share : float or None
        Proportion of the predicted class; None in regression and where no row came.
    interval_text : str
        95 % interval of the proportion or the mean, in words; empty where unknown.
    fill : float
        How far the bar of the picture reaches, from 0 to 1.
    ends : tuple of (float, float) or None
        Where on the bar the interval lies.
    kind : str
        The class of style that gives the bar its colour.
    rows, cover : float
        Training rows of the leaf, and their proportion of all.
    """

    conditions: tuple[str, ...]
    short: tuple[str, ...]
    answer: str
    name: str
    share: float | None
    interval_text: str
    fill: float
    ends: tuple[float, float] | None
    kind: str
    rows: float
    cover: float


def rule_lines(tree: Tree, n_colours: int, show_missing: ShowMissing = None) -> list[RuleLine]:
    """Give the leaves of a tree as lines of a table, those of most rows first.

    Parameters
    ----------
    tree : Tree
        Any tree.
    n_colours : int
        How many colours there are for classes.
    show_missing : bool, collection of str or None, default None
        Of which columns is said what becomes of missing values.

    Returns
    -------
    list of RuleLine
        One per leaf.
    """
    rules = tree.leaf_rules(order="rows", show_missing=show_missing)
    full, short = TextRenderer(), TextRenderer(short_sets=True)
    intervals = [rule.interval for rule in rules if rule.interval is not None]
    low = min((ends[0] for ends in intervals), default=0.0)
    span = max((ends[1] for ends in intervals), default=1.0) - low
    lines = []
    for rule in rules:
        share = rule.probability
        if share is not None:
            fill, ends = (share if math.isfinite(share) else 0.0), rule.interval
            kind = f"c{int(tree.node(rule.node).value) % n_colours}"
        else:
            fill, kind = 0.0, "mean"
            ends = None if rule.interval is None or span <= 0.0 else _placed(rule, low, span)
        lines.append(
            RuleLine(
                conditions=tuple(map(full.nested, rule.conditions)),
                short=tuple(map(short.nested, rule.conditions)),
                answer=rule.answer,
                name=rule.name,
                share=None if share is None or math.isnan(share) else share,
                interval_text=rule.interval_text,
                fill=fill,
                ends=ends,
                kind=kind,
                rows=rule.rows,
                cover=rule.cover,
            )
        )
    return lines


def fitting_sentence(tree: Tree, show_missing: ShowMissing = None) -> str:
    """Say how many of the lines fit a row.

    Parameters
    ----------
    tree : Tree
        Any tree.
    show_missing : bool, collection of str or None, default None
        Of which columns the lines say what becomes of missing values.

    Returns
    -------
    str
        One sentence, or two.
    """
    inner = [node for node in tree.walk() if node.predicate is not None]
    tells = missing_is_said(show_missing)
    read = {column for node in inner if node.predicate for column in node.predicate.columns}
    read |= {c for node in inner for s in node.surrogates for c in s.predicate.columns}
    if tree.core.divides_rows:
        return (
            "A row whose values are known fits exactly one of them; where one is missing or new, "
            "the row goes down every branch, by its proportion of the rows, and fits none."
        )
    if all(tells(tree.schema.columns[column]) for column in read):
        return "Every row fits exactly one of them."
    return (
        "Every row fits exactly one of them, unless a value is missing that was never missing in "
        "training."
    )


def _placed(rule: LeafRule, low: float, span: float) -> tuple[float, float]:
    """Place the interval of a mean on a bar that reaches over all of them."""
    assert rule.interval is not None
    first, last = rule.interval
    return (first - low) / span, (last - low) / span
