"""Why a tree is recommended, and what to try where none is worth it, in a sentence each."""

from __future__ import annotations

import math

from treewright.page.content import Model, PageContent, Step
from treewright.page.wording import ScoreWords

__all__ = ["advice", "is_clearly_better", "why_recommended"]


def why_recommended(content: PageContent, words: ScoreWords | None = None) -> str:
    """Hold the recommended tree against those of the other families, by cross-validation.

    Parameters
    ----------
    content : PageContent
        The page.
    words : ScoreWords or None, default None
        How scores are written; None: as the page writes them.

    Returns
    -------
    str
        One or two sentences; empty where there is nothing to compare.
    """
    words = words or ScoreWords.of(content)
    others = content.models[1:]
    ours = content.chosen
    clauses = [_compared(ours, model, content, words) for model in others]
    found = [clause for clause in clauses if clause]
    parts = []
    if found:
        parts.append(f"Why this tree? In cross-validation {_listed(found)}.")
    if any(
        (_errors_better(ours, model.steps[model.chosen], content) or 0.0) > 1.0 for model in others
    ):
        parts.append("Folds differ between families, so look at the better one, too.")
    return " ".join(parts)


def is_clearly_better(step: Step, content: PageContent) -> bool:
    """Tell whether the whole interval of a tree on held-out rows is better than the baseline.

    Parameters
    ----------
    step : Step
        The tree.
    content : PageContent
        Its page.

    Returns
    -------
    bool
        True where there is no hold-out set.
    """
    evidence, trivial = step.evidence, content.trivial.score
    if evidence is None:
        return True
    if content.measure.higher_is_better:
        return evidence.low > trivial
    return evidence.high < trivial


def advice(content: PageContent) -> str:
    """Say what to try where the recommended tree is not clearly better than the baseline.

    Parameters
    ----------
    content : PageContent
        The page.

    Returns
    -------
    str
        Sentences; empty where the tree is better.
    """
    if is_clearly_better(content.chosen, content):
        return ""
    if not content.chosen.tree.is_classification:
        return "More rows, or columns that say more about the target, may help; no setting will."
    words = "More rows, or columns that say more about the target, may help."
    if content.chosen.evidence is None or content.chosen.evidence.confusion is None:
        return words
    if content.chosen.evidence.confusion.costs is not None:
        return words
    return (
        f"{words} If a rare class matters more than others, say what its errors cost (--cost "
        "TRUE:PREDICTED=COST, or costs= in Python), or weigh classes alike (class_weight="
        '"balanced" in Python): accuracy alone rewards the baseline.'
    )


def _compared(ours: Step, model: Model, content: PageContent, words: ScoreWords) -> str:
    """Say how the tree of another family does; empty where one of the two has no score."""
    other = model.steps[model.chosen]
    difference = _errors_better(ours, other, content)
    if other.score is None or difference is None:
        return ""
    is_shorter = other.tree.reading_effort < ours.tree.reading_effort
    effort = f"{other.tree.reading_effort:.1f} values to read"
    name = f'"{model.name}"'
    score = words.score(other.score)
    if difference > 1.0:
        return f"{name} is better ({score}) with {effort}"
    if difference < -1.0:
        return f"{name} is worse ({score})"
    if is_shorter:
        return f"{name} is as good within one standard error ({score}) with only {effort}"
    return f"{name} is no better ({score}) for {effort}"


def _errors_better(ours: Step, other: Step, content: PageContent) -> float | None:
    """Say by how many standard errors another tree is better; None where a score is unknown."""
    if ours.score is None or other.score is None:
        return None
    better = other.score - ours.score
    better = better if content.measure.higher_is_better else -better
    error = math.hypot(ours.standard_error or 0.0, other.standard_error or 0.0)
    return better / error if error > 0.0 else math.copysign(math.inf, better) if better else 0.0


def _listed(clauses: list[str]) -> str:
    if len(clauses) < 2:
        return "".join(clauses)
    return f"{', '.join(clauses[:-1])} and {clauses[-1]}"
