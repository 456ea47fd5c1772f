"""The story of a readable tree in a few lines: what it is, how good it is, and what it costs."""

from __future__ import annotations

from typing import Any

from treewright.words import plural

__all__ = ["story_of"]


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
    tree, evidence = model.tree_, getattr(model, "evidence_", None)
    lines = [tree.to_text(), ""]
    if tree.n_leaves == 1:
        lines.append("One prediction for all rows: no split was found to be worth its place.")
    if evidence is not None:
        show = _percent if tree.is_classification else _number
        what = "accuracy" if tree.is_classification else "R²"
        if evidence.score is not None:
            lines.append(
                f"On held-out rows: {what} {show(evidence.score)} ± "
                f"{show(evidence.standard_error)}; one prediction for all rows has "
                f"{show(evidence.baseline)}."
            )
        if evidence.ceiling is not None:
            lines.append(
                f"The best model too large to read, {evidence.ceiling.name}: "
                f"{show(evidence.ceiling.score)}."
            )
    if model.certificate_ is not None:
        lines.append(f"None of the {model.certificate_.tests} is better.")
    sizes = ", ".join(str(entry.leaves) for entry in reversed(model.path_))
    lines.append(f"Trees of {sizes} {plural(2, 'leaf').split()[1]} are at hand: at(leaves=).")
    return "\n".join(lines)


def _percent(share: float) -> str:
    return f"{100.0 * share:.1f} %"


def _number(value: float) -> str:
    return f"{value:.3f}"
