"""Why a tree is recommended, and what to try where none is worth it, in a sentence each."""

from __future__ import annotations

import math

from treewright.page.content import Model, PageContent, Step
from treewright.page.wording import ScoreWords

__all__ = ["advice", "is_clearly_better", "why_recommended"]

_WORSE, _NO_BETTER, _SHORTER, _BETTER = "worse", "no better", "shorter", "better"


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
        Some sentences; empty where there is nothing to compare.
    """
    words = words or ScoreWords.of(content)
    ours = content.chosen
    if ours.score is None:
        return ""
    compared = [
        (model, model.steps[model.chosen], errors)
        for model in content.models[1:]
        if (errors := _errors_better(ours, model.steps[model.chosen], content)) is not None
    ]
    if not compared:
        return ""
    score = words.with_error(ours.score, ours.standard_error)
    clauses = [f"its {content.measure.name} is {score}"]
    for state, verb in ((_WORSE, "worse"), (_NO_BETTER, "no better"), (_BETTER, "better")):
        named = [
            _named(model, step, words, with_effort=state != _WORSE)
            for model, step, errors in compared
            if _state(ours, step, errors) == state
        ]
        if named:
            clauses.append(f"{_listed(named)} {'is' if len(named) == 1 else 'are'} {verb}")
    parts = [f"Why this tree? In cross-validation {'; '.join(clauses)}."]
    shorter = [
        _named(model, step, words, with_effort=True)
        for model, step, errors in compared
        if _state(ours, step, errors) == _SHORTER
    ]
    if shorter:
        parts.append(
            f"Within one standard error of it, with less to read: {_listed(shorter)}. "
            "Where less to read counts for more than that difference, take "
            f"{'it' if len(shorter) == 1 else 'one of them'}."
        )
    if any(_state(ours, step, errors) == _BETTER for _, step, errors in compared):
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


def _state(ours: Step, other: Step, errors: float) -> str:
    """Tell how another tree, better by so many standard errors, stands to the recommended one."""
    if errors > 1.0:
        return _BETTER
    if errors < -1.0:
        return _WORSE
    return _SHORTER if other.tree.reading_effort < ours.tree.reading_effort else _NO_BETTER


def _named(model: Model, step: Step, words: ScoreWords, *, with_effort: bool) -> str:
    score = words.score(step.score if step.score is not None else math.nan)
    effort = f", {step.tree.reading_effort:.1f} values" if with_effort else ""
    return f'"{model.name}" ({score}{effort})'


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
