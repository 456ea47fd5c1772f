"""The story of a readable tree in a few lines: what it is, how good it is, and what it costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.tree import Tree
from treewright.words import name_text, plural

__all__ = ["classes_without_leaf", "sizes_line", "story_lines", "story_of"]


def story_of(model: Any) -> str:
    """Tell of a fitted readable tree.

    Parameters
    ----------
    model : ReadableTreeClassifier or ReadableTreeRegressor
        The fitted estimator.

    Returns
    -------
    str
        The tree, and a few lines on it.
    """
    sizes = sizes_line(model, "at(leaves=)")
    return "\n".join([model.tree_.to_text(), "", *story_lines(model), sizes])


def story_lines(model: Any, *, ascii_only: bool = False) -> list[str]:
    """Tell how good a fitted readable tree is.

    Parameters
    ----------
    model : ReadableTreeClassifier or ReadableTreeRegressor
        The fitted estimator; one that was loaded has no evidence.
    ascii_only : bool, default False
        Whether a superscript and a plus-minus sign cannot be written.

    Returns
    -------
    list of str
        Sentences, without line breaks.
    """
    tree, evidence, lines = model.tree_, getattr(model, "evidence_", None), []
    if tree.n_leaves == 1:
        lines.append("One prediction for all rows: no split was found to be worth its place.")
    left_out = classes_without_leaf(tree)
    if left_out and tree.n_leaves > 1:
        lines.append(f"Classes that no leaf predicts: {', '.join(map(name_text, left_out))}.")
    if evidence is not None:
        show = _percent if tree.is_classification else _number
        what = "accuracy" if tree.is_classification else "R2" if ascii_only else "R²"
        if getattr(model, "abstain_cost", None) is not None:
            what = "1 less the mean cost of mistakes and referrals"
        if evidence.score is not None:
            lines.append(
                f"On held-out rows: {what} {show(evidence.score)} {'+-' if ascii_only else '±'} "
                f"{show(evidence.standard_error)}; one prediction for all rows has "
                f"{show(evidence.baseline)}."
            )
        if evidence.ceiling is not None and evidence.ceiling.score <= evidence.baseline:
            lines.append("No model too large to read does better than one prediction either.")
        elif evidence.ceiling is not None:
            lines.append(
                f"The best model too large to read, {evidence.ceiling.name}: "
                f"{show(evidence.ceiling.score)}."
            )
        if evidence.larger:
            told = "; ".join(
                f"{leaves} leaves: {show(score)}" for leaves, score in evidence.larger.items()
            )
            lines.append(f"What larger trees would reach: {told}.")
        needed = [name for name, part in evidence.columns.items() if part == 1.0]
        if needed:
            lines.append(
                f"Read by this tree and by those of all folds: {', '.join(map(name_text, needed))}."
            )
        if evidence.sacrificed:
            lines.append(f"The time limit left no time for {', '.join(evidence.sacrificed)}.")
        if evidence.rows is not None:
            searched, every = evidence.rows
            lines.append(
                f"Searched for on {searched:,} of {every:,} rows; thresholds and counts are those "
                "of all rows."
            )
    if model.certificate_ is not None and model.certificate_.proven:
        lines.append(model.certificate_.claim)
    return lines


def sizes_line(model: Any, how: str) -> str:
    """Say which other trees there are.

    Parameters
    ----------
    model : ReadableTreeClassifier or ReadableTreeRegressor
        The fitted estimator.
    how : str
        How to get one of them.

    Returns
    -------
    str
        A sentence.
    """
    sizes = ", ".join(str(entry.leaves) for entry in reversed(model.path_))
    return f"Trees of {sizes} {plural(2, 'leaf').split()[1]} are at hand: {how}."


def classes_without_leaf(tree: Tree) -> list[str]:
    """Give the classes that a tree never predicts.

    Parameters
    ----------
    tree : Tree
        The tree; of regression it has none.

    Returns
    -------
    list of str
        Their labels as texts.
    """
    core, labels = tree.core, tree.schema.classes or ()
    if not tree.is_classification:
        return []
    told = set(core.value[core.n_branches == 0].tolist())
    told.update(np.flatnonzero(core.statistics[0] == 0.0).tolist())  # the label of referral
    return [str(label) for place, label in enumerate(labels) if place not in told]


def _percent(share: float) -> str:
    return f"{100.0 * share:.1f} %"


def _number(value: float) -> str:
    return f"{value:.3f}"
