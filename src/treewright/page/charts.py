"""The charts of the page: scores against reading effort, predictions against what is true."""

from __future__ import annotations

import math

from markupsafe import Markup, escape

from treewright.page.content import PageContent, Step
from treewright.page.evidence import CalibrationPoint, Ranking, Residuals
from treewright.page.frame import MARKERS, Frame, nice_ticks
from treewright.page.wording import ScoreWords
from treewright.words import number_text

__all__ = ["calibration_chart", "effort_chart", "marker", "precision_chart", "residual_chart"]


def effort_chart(content: PageContent, words: ScoreWords) -> Markup:
    """Draw how well the trees of each path do against the values a reader looks at.

    Bars are one standard error to either side. Points know their model and step by ``data-model``
    and ``data-step``, so that a script can mark the one that is shown.

    Returns
    -------
    Markup
        An svg element.
    """
    scores = [end for model in content.models for step in model.steps for end in _ends(step)]
    low, high = min([*scores, content.trivial.score]), max([*scores, content.trivial.score])
    margin = 0.08 * (high - low) or 0.05 * abs(high) or 0.05
    efforts = [step.tree.reading_effort for model in content.models for step in model.steps]
    most = max(efforts) or 1.0
    frame = Frame(372, 214, (-0.03 * most, 1.03 * most), (low - margin, high + margin))
    parts = _trivial_line(frame, content, words)
    for code, model in enumerate(content.models):
        points, line = [], []
        for number, step in enumerate(model.steps):
            ends = _ends(step)
            if step.score is None or not ends:
                continue
            x, y = frame.x(step.tree.reading_effort), frame.y(step.score)
            start, end = map(frame.y, ends)
            line.append(f"{x:g} {y:g}")
            chosen = " chosen" if number == model.chosen else ""
            points.append(
                f'<g class="point{chosen}" data-model="{code}" data-step="{number}">'
                f'<path class="bar" d="M{x:g} {start:g}V{end:g}"/>'
                f'<path class="mark" transform="translate({x:g} {y:g})" d="{marker(code)}"/></g>'
            )
        path = f'<path class="line" d="M{"L".join(line)}"/>' if line else ""
        parts.append(f'<g class="series" data-series="{code}">{path}{"".join(points)}</g>')
    parts.append('<circle class="now" r="10"/>')
    return frame.drawing(
        parts,
        name=f"{words.measure.name.capitalize()} of each tree against the values a reader looks at",
        x_words="values a reader looks at per row",
        y_words=f"{words.measure.name}, cross-validated{_in_unit(words)}",
        x_ticks=[(tick, number_text(tick)) for tick in nice_ticks(0.0, 1.03 * most)],
        y_ticks=_score_ticks(frame, words),
    )


def marker(code: int) -> str:
    """Return the shape of a model's points."""
    return MARKERS[code % len(MARKERS)]


def calibration_chart(points: tuple[CalibrationPoint, ...], class_words: str) -> Markup:
    """Draw the observed proportion of a class against its predicted probability.

    Parameters
    ----------
    points : tuple of CalibrationPoint
        Groups of rows.
    class_words : str
        The class that is predicted.

    Returns
    -------
    Markup
        An svg element.
    """
    frame = Frame(344, 318, (-0.02, 1.02), (-0.02, 1.02), right=24)
    parts = [
        f'<path class="trivial" d="M{frame.x(0):g} {frame.y(0):g}L{frame.x(1):g} {frame.y(1):g}"/>'
    ]
    for point in points:
        x, y = frame.x(point.stated), frame.y(point.observed)
        parts.append(
            f'<g class="point"><path class="bar" d="M{x:g} {frame.y(point.low):g}'
            f'V{frame.y(point.high):g}"/>'
            f'<path class="mark" transform="translate({x:g} {y:g})" d="{marker(0)}"/></g>'
        )
    ticks = [(share / 4, f"{25 * share} %") for share in range(5)]
    return frame.drawing(
        [f'<g class="series" data-series="0">{"".join(parts)}</g>'],
        name=f"Observed proportion of {class_words} against its predicted probability",
        x_words=f"predicted probability of {class_words}",
        y_words="observed proportion, with 95 % interval",
        x_ticks=ticks,
        y_ticks=ticks,
    )


def precision_chart(ranking: Ranking, class_words: str) -> Markup:
    """Draw the precision at each recall that a probability threshold can reach.

    Parameters
    ----------
    ranking : Ranking
        The points.
    class_words : str
        The class that is looked for.

    Returns
    -------
    Markup
        An svg element.
    """
    frame = Frame(344, 318, (-0.02, 1.02), (-0.02, 1.02), right=24)
    base = frame.y(ranking.prevalence)
    places = [(frame.x(one.recall), frame.y(one.precision)) for one in ranking.points]
    line = "L".join(f"{x:g} {y:g}" for x, y in places)
    dots = "".join(
        f'<g class="point"><path class="mark" transform="translate({x:g} {y:g})" '
        f'd="{marker(0)}"/></g>'
        for x, y in places
    )
    ticks = [(share / 4, f"{25 * share} %") for share in range(5)]
    return frame.drawing(
        [
            f'<path class="trivial" d="M{frame.x(0):g} {base:g}H{frame.x(1):g}"/>',
            f'<g class="series" data-series="0"><path class="line" d="M{line}"/>{dots}</g>',
        ],
        name=f"Precision against recall of {class_words}, one point a threshold",
        x_words=f"recall of {class_words}",
        y_words="precision",
        x_ticks=ticks,
        y_ticks=ticks,
    )


def residual_chart(residuals: Residuals, unit: str | None) -> Markup:
    """Draw the true numbers of some rows against the predicted ones.

    Returns
    -------
    Markup
        An svg element.
    """
    numbers = [number for pair in residuals.points for number in pair]
    low, high = min(numbers), max(numbers)
    margin = 0.03 * (high - low) or 0.05 * abs(high) or 0.5
    ends = (low - margin, high + margin)
    frame = Frame(344, 318, ends, ends, left=64)
    first, last = (f"{frame.x(end):g} {frame.y(end):g}" for end in ends)
    dots = "".join(
        f"M{frame.x(predicted):g} {frame.y(true):g}h0" for predicted, true in residuals.points
    )
    suffix = f", {unit}" if unit else ""
    ticks = [(tick, number_text(tick)) for tick in nice_ticks(*ends, most=5)]
    return frame.drawing(
        [f'<path class="trivial" d="M{first}L{last}"/>', f'<path class="dots" d="{dots}"/>'],
        name="True numbers against predicted ones",
        x_words=f"predicted{suffix}",
        y_words=f"true{suffix}",
        x_ticks=ticks,
        y_ticks=ticks,
    )


def _ends(step: Step) -> tuple[float, ...]:
    """Give the ends of the error bar; none if there is no score that can be drawn."""
    if step.score is None:
        return ()
    error = step.standard_error or 0.0
    ends = step.score - error, step.score + error
    return ends if all(map(math.isfinite, ends)) else ()


def _trivial_line(frame: Frame, content: PageContent, words: ScoreWords) -> list[str]:
    y, right = frame.y(content.trivial.score), frame.width - frame.right
    return [
        f'<path class="trivial" d="M{frame.left:g} {y:g}H{right:g}"/>',
        f'<text class="note" x="{right:g}" y="{y - 6:g}" text-anchor="end">'
        f"baseline: {escape(words.score(content.trivial.score))}</text>",
    ]


def _score_ticks(frame: Frame, words: ScoreWords) -> list[tuple[float, str]]:
    factor = 100.0 if words.measure.is_share else 1.0
    ticks = nice_ticks(*frame.y_range, most=5)
    return [(tick, number_text(float(f"{tick * factor:.10g}"))) for tick in ticks]


def _in_unit(words: ScoreWords) -> str:
    return f" ({words.unit.strip()})" if words.unit else ""
