"""Making a report: analyse, write the page and the model, and say in a few lines what was found."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from treewright.base.progress import working
from treewright.cli.console import Console, warnings_as_notes
from treewright.cli.tables import Target
from treewright.page import Model, PageContent, advice, why_recommended
from treewright.reports import Analysis, InferredColumn, Settings
from treewright.reports.making import write_page_about
from treewright.schema import NumberForm
from treewright.words import name_text, number_text, plural, visible

__all__ = ["say_what_was_found", "write_report"]

_SHOWN_COLUMNS = 12
_SHOWN_LEAKS = 3


def write_report(
    table: Mapping[str, Any],
    target: Target,
    settings: Settings,
    *,
    title: str,
    is_regression: bool,
    columns: list[InferredColumn],
    forms: Mapping[str, NumberForm],
    page: str,
    model: str,
) -> Analysis:
    """Analyse a table, and write the page and the model.

    Parameters
    ----------
    table : mapping of str to column
        All columns but the target.
    target : Target
        What to predict, known in every row.
    settings : Settings
        What the user chose.
    title : str
        What the page is called.
    is_regression : bool
        Whether the target is a number.
    columns : list of InferredColumn
        What the columns were taken for.
    forms : mapping of str to NumberForm
        How numbers of some columns were written, for the model to remember.
    page, model : str
        Where the two files go.

    Returns
    -------
    Analysis
        What was found.
    """
    with warnings_as_notes():
        analysis = write_page_about(
            table,
            target,
            settings,
            title=title,
            is_regression=is_regression,
            columns=columns,
            forms=forms,
            page=page,
            working=working,
        )
    with working("Writing the model"):
        _without_time(analysis.estimator).save(model)
    return analysis


def _without_time(estimator: Any) -> Any:
    """Leave out how long a search took, so that the same table gives the same file."""
    certificate = getattr(estimator, "certificate_", None)
    if certificate is None:
        return estimator
    model = copy(estimator)
    model.certificate_ = replace(certificate, seconds=None)
    return model


def say_what_was_found(console: Console, analysis: Analysis, page: str, model: str) -> None:
    """Say in a few lines what was found and where it is.

    Parameters
    ----------
    console : Console
        Where to say it.
    analysis : Analysis
        What was found.
    page, model : str
        Where the two files are.
    """
    for line in _lines(analysis):
        console.paragraph(line)
    size = os.path.getsize(page) / 1000
    console.paragraph(f"Wrote {visible(page)} ({size:,.0f} kB): open it in a browser.", "bold")
    console.paragraph(
        f"Wrote {visible(model)}: treewright predict {shlex.quote(visible(model))} NEW.csv "
        "-o predictions.csv"
    )


def _lines(analysis: Analysis) -> list[str]:
    content = analysis.content
    first, *others = content.models
    tree = content.chosen.tree
    n_test = content.chosen.evidence.rows if content.chosen.evidence else 0
    lines = [
        _columns_line(analysis),
        f"Grown on {content.training_rows:,.0f} rows, "
        + (f"evaluated on {n_test:,.0f} hold-out rows." if n_test else "too few to hold any out."),
        f"{first.name}: {plural(tree.n_leaves, 'leaf')}, depth {tree.depth}, "
        f"{tree.reading_effort:.1f} values to read per row. {_score_words(content)}",
        *_proof_lines(analysis),
    ]
    if content.ceiling:
        lines.append(content.ceiling)
    lines += [_beside(model, content) for model in others]
    lines += filter(None, (why_recommended(content).replace("\u00a0", " "), advice(content)))
    lines.append(_stability_line(content))
    lines.append(_leaks_line(content))
    return lines


def _proof_lines(analysis: Analysis) -> list[str]:
    """Say what was proved about the tree that is shown, if anything was."""
    certificate = getattr(analysis.estimator, "certificate_", None)
    if certificate is None or not certificate.proven:
        return []
    return [f"Proven: {certificate.claim[0].lower()}{certificate.claim[1:]}"]


def _columns_line(analysis: Analysis) -> str:
    used = [f"{name_text(one.name)} ({one.kind})" for one in analysis.columns if one.is_used]
    out = [f"{name_text(one.name)} ({one.kind})" for one in analysis.columns if not one.is_used]
    words = f"Taken for: {_some(used)}."
    return f"{words} Left out: {_some(out)}." if out else words


def _some(words: Sequence[str]) -> str:
    rest = len(words) - _SHOWN_COLUMNS
    shown = ", ".join(words[:_SHOWN_COLUMNS])
    return f"{shown} and {rest} more" if rest > 0 else shown


def _score_words(content: PageContent) -> str:
    evidence, measure = content.chosen.evidence, content.measure
    if evidence is None:
        return ""
    name = measure.name[0].upper() + measure.name[1:]
    return (
        f"{name} {_shown(evidence.score, content)} (95 % interval "
        f"{_shown(evidence.low, content)} to {_shown(evidence.high, content)}), "
        f"baseline ({content.trivial.words}) {_shown(content.trivial.score, content)}."
    )


def _shown(score: float, content: PageContent) -> str:
    if score != score:
        return "unknown"
    return (
        f"{100 * score:.1f} %" if content.measure.is_share else number_text(float(f"{score:.3g}"))
    )


def _beside(model: Model, content: PageContent) -> str:
    step = model.steps[model.chosen]
    score = "" if step.evidence is None else f", {_shown(step.evidence.score, content)}"
    tree = step.tree
    return (
        f"Beside it, {model.name[0].lower()}{model.name[1:]}: {plural(tree.n_leaves, 'leaf')}, "
        f"{tree.reading_effort:.1f} values{score}."
    )


def _stability_line(content: PageContent) -> str:
    shares = [
        f"{one.words} {round(one.share * content.resamples)}" for one in content.stability[:3]
    ]
    return f"First question in {content.resamples} bootstrap samples: {', '.join(shares)}."


def _leaks_line(content: PageContent) -> str:
    leaks = list(dict.fromkeys(one.column for one in content.notes if one.kind == "leak"))
    if not leaks:
        return "No column seems to leak the target."
    shown = ", ".join(name_text(name or "") for name in leaks[:_SHOWN_LEAKS])
    more = f" and {len(leaks) - _SHOWN_LEAKS} more" if len(leaks) > _SHOWN_LEAKS else ""
    return f"May leak the target: {shown}{more}; use --drop where that is only known afterwards."
