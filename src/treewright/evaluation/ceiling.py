"""What a readable tree gives up: a sentence on the best model that nobody can read."""

from __future__ import annotations

from typing import Any

__all__ = ["ceiling_sentence"]


def ceiling_sentence(model: Any) -> str:
    """Say how well the best model too large to read does on held-out rows.

    Parameters
    ----------
    model : estimator
        A fitted tree.

    Returns
    -------
    str
        A sentence; empty if nothing is known of larger models, as only readable trees do.
    """
    evidence = getattr(model, "evidence_", None)
    if evidence is None or evidence.ceiling is None:
        return ""
    if evidence.ceiling.score <= evidence.baseline:
        return "No model too large to read does better than the baseline either."
    what = "an accuracy" if model.tree_.is_classification else "an explained variance"
    if getattr(model, "abstain_cost", None) is not None:
        what = "a score (1 less the mean cost of mistakes and referrals)"
    return (
        f"The best model too large to read, {evidence.ceiling.name}, has {what} of "
        f"{100.0 * evidence.ceiling.score:.1f} % in cross-validation."
    )
