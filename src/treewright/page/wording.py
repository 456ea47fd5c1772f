"""Scores and counts as a reader wants them: with as many digits as they are sure of."""

from __future__ import annotations

import math

from treewright.page.content import Measure, PageContent, Step
from treewright.words import count_text, visible

__all__ = ["ScoreWords", "grouped", "shown_number", "step_words"]

_MOST_DECIMALS = 6


class ScoreWords:
    """The scores of one page in words, all with the same number of digits.

    Parameters
    ----------
    measure : Measure
        What the scores mean.
    resolution : float
        The standard error of the scores: digits far below it say nothing.

    Examples
    --------
    >>> words = ScoreWords(Measure("accuracy"), 0.012)
    >>> words.number(0.8534), words.number(0.1)
    ('85', '10')
    >>> print(ScoreWords(Measure("error", is_share=False, unit="kg"), 0.012).score(3.14159))
    3.14 kg
    """

    def __init__(self, measure: Measure, resolution: float) -> None:
        self.measure = measure
        self._factor = 100.0 if measure.is_share else 1.0
        size = resolution * self._factor
        is_known = size > 0.0 and math.isfinite(size)
        digits = -math.floor(math.log10(size)) if is_known else 1
        self._decimals = min(max(0, digits), _MOST_DECIMALS)

    @classmethod
    def of(cls, content: PageContent) -> ScoreWords:
        """Choose the digits for a page by the error of the tree it recommends."""
        step = content.chosen
        if step.evidence is not None:
            return cls(content.measure, (step.evidence.high - step.evidence.low) / 4.0)
        return cls(content.measure, step.standard_error or math.nan)

    @property
    def unit(self) -> str:
        """The unit with the blank before it; empty if there is none."""
        if self.measure.is_share:
            return "\u00a0%"
        return f" {visible(self.measure.unit)}" if self.measure.unit else ""

    def number(self, score: float) -> str:
        """Write a score without its unit."""
        if not math.isfinite(score):
            return "-"
        text = f"{score * self._factor:,.{self._decimals}f}"
        return text.removeprefix("-") if float(text.replace(",", "")) == 0.0 else text

    def score(self, score: float) -> str:
        """Write a score with its unit."""
        return self.number(score) + self.unit

    def with_error(self, score: float, error: float | None) -> str:
        """Write a score and its standard error."""
        spread = "" if error is None else f" ± {self.number(error)}"
        return f"{self.number(score)}{spread}{self.unit}"

    def interval(self, low: float, high: float) -> str:
        """Write the ends of an interval."""
        return f"{self.number(low)} to {self.number(high)}{self.unit}"


def grouped(count: float) -> str:
    """Write a count with commas between thousands.

    Examples
    --------
    >>> grouped(32561), grouped(12.25)
    ('32,561', '12.2')
    """
    return f"{int(count):,}" if float(count).is_integer() else count_text(count)


def step_words(step: Step, words: ScoreWords) -> str:
    """Say how large a tree is and how well trees of its size do.

    Returns
    -------
    str
        For example "5 leaves, 2.1 values read per row, cross-validated accuracy 85 ± 1 %".
    """
    leaves = "1 leaf" if step.tree.n_leaves == 1 else f"{grouped(step.tree.n_leaves)} leaves"
    parts = [leaves, f"{step.tree.reading_effort:.1f} values read per row"]
    if step.score is not None:
        score = words.with_error(step.score, step.standard_error)
        parts.append(f"cross-validated {words.measure.name} {score}")
    return ", ".join(parts)


def shown_number(number: float) -> str:
    """Write a number that was computed, with three digits that count.

    Examples
    --------
    >>> shown_number(0.123456), shown_number(12345.678), shown_number(5.0), shown_number(1.234e-7)
    ('0.123', '12,346', '5', '1.23e-07')
    """
    if not math.isfinite(number):
        return "-"
    size = abs(number)
    decimals = 0 if size >= 100.0 or size == 0.0 else 2 - math.floor(math.log10(size))
    if decimals > _MOST_DECIMALS:
        return f"{number:.3g}"
    text = f"{number:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
