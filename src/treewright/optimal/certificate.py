"""Certificate: what a search for the best tree has proved, in numbers and in one sentence.

    objective      = cost of the training rows + penalty * (leaves - 1)
                     + term penalty * (columns beyond the first in a split, summed over the splits)
    optimality gap = (objective - lower bound) / objective

The cost is the summed weight of the rows predicted wrong, their summed costs under a cost matrix,
the summed squared error, or what `objective=` asks for; a score of the field's then stands beside
it. No tree that was allowed costs less than the lower bound. Where the
search came to its end and the two are equal, but for a billionth that the sums of doubles can be
off, the tree is proven to be the best: its status is "optimal". Weights, costs or numbers that had
to be rounded for the search can leave more between them; the status is then "rounded". A tree that
was grown greedily from the best one of a search is "extended".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

from treewright.base.jsonform import (
    JSON,
    plain_number,
    read_choice,
    read_number,
    read_object,
    read_text,
)
from treewright.exceptions import ModelFileError, brief

__all__ = [
    "Certificate",
    "Ending",
    "SearchProgress",
    "Status",
    "ending_of",
    "gap_between",
    "is_closed",
]

Status: TypeAlias = Literal[
    "optimal", "rounded", "time_limit", "memory_limit", "interrupted", "stopped", "extended"
]

_STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True)
class Ending:
    """What a status says of the end of a search."""

    reason: str  # why the tree is not proven to be the best; empty if it is
    is_complete: bool = False  # came to its end
    is_limit: bool = False  # by a parameter of its name
    is_asked_for: bool = False  # by somebody who does not want to wait


_ENDINGS: dict[Status, Ending] = {
    "optimal": Ending("", is_complete=True),
    "rounded": Ending("weights, costs or targets were rounded for the search", is_complete=True),
    "time_limit": Ending("the time limit was reached", is_limit=True),
    "memory_limit": Ending("the memory limit was reached", is_limit=True),
    "interrupted": Ending("it was interrupted", is_asked_for=True),
    "stopped": Ending("the progress callback asked it to stop", is_asked_for=True),
    "extended": Ending("the tree was grown beyond what was searched", is_complete=True),
}
_ROUNDING = 1e-9  # relative, of sums of doubles
_NUMBERS = ("objective", "lower_bound")
_SCORES = ("score", "score_bound")
_FURTHER = ("lower_bound_all_thresholds", "statistics", "measure", *_SCORES)


def gap_between(objective: float, lower_bound: float) -> float:
    """Return how far a bound lies below an objective, as a proportion of the objective."""
    return (objective - lower_bound) / objective if objective > lower_bound else 0.0


def is_closed(objective: float, lower_bound: float) -> bool:
    """Tell whether a bound is as large as an objective, but for what sums of doubles can be off."""
    return gap_between(objective, lower_bound) <= _ROUNDING


def ending_of(status: Status) -> Ending:
    """Return what a status says of the end of a search."""
    return _ENDINGS[status]


@dataclass(frozen=True)
class SearchProgress:
    """How far a search is; the `progress` callback of optimal trees is given one now and then.

    Parameters
    ----------
    elapsed : float
        Seconds since the search began.
    best : float
        Objective of the best tree so far.
    bound : float
        No tree costs less than this.
    closed, total : int
        Splits at the root that are settled, and all of them.

    See Also
    --------
    Certificate : What is known at the end.

    Examples
    --------
    >>> SearchProgress(elapsed=2.0, best=20.0, bound=15.0, closed=3, total=40).gap
    0.25
    """

    elapsed: float
    best: float
    bound: float
    closed: int
    total: int

    @property
    def gap(self) -> float:
        """How far the bound lies below the best, as a proportion of the best."""
        return gap_between(self.best, self.bound)


@dataclass(frozen=True)
class Certificate:
    """What a search has proved about its tree.

    Parameters
    ----------
    objective : float
        Cost of the tree on the training rows (weight of wrong predictions, summed costs, or summed
        squared error), with `penalty` for each leaf but one and `term_penalty` for each column
        beyond the first in a split.
    lower_bound : float
        No tree that was allowed, over these conditions, has a smaller objective.
    status : {"optimal", "rounded", "time_limit", "memory_limit", "interrupted", "stopped", ...}
        How the search ended: ``optimal`` where the two numbers above are the same (to a billionth,
        which sums of doubles can be off), ``rounded`` where the search came to its end but weights,
        costs or targets had to be rounded for it, which leaves an optimality gap here or at another
        tree of the Pareto front, ``extended`` where the tree was then grown further; the others
        before its end.
    seconds : float or None
        How long it took; None where that is left out, as in files that are the same every time.
    tests : str
        Over which trees and conditions it holds, in plain words.
    lower_bound_all_thresholds : float or None, default None
        No tree over every threshold of the columns has a smaller objective, even where only some
        were offered; equal to `lower_bound` where all were. None where the conditions were given.
    statistics : mapping of str to number or str
        Counts of the search, for the curious.
    measure : str, default ""
        With another `objective` than errors or squared errors, the name of its score, such as
        ``"balanced accuracy"``.
    score : float or None, default None
        That score of the tree on the training rows.
    score_bound : float or None, default None
        No tree that was allowed has a better one; None where the objective has penalties in it.

    See Also
    --------
    treewright.OptimalTreeClassifier : Has one as ``certificate_``.
    SearchProgress : What is known while the search goes on.

    Examples
    --------
    >>> trees = "trees of depth 3 over 40 conditions"
    >>> certificate = Certificate(12.0, 9.0, "time_limit", 1.5, trees)
    >>> certificate.proven, certificate.gap
    (False, 0.25)
    >>> print(certificate)
    Objective 12, not proven: the time limit was reached after 1.5 s.
    None of the trees of depth 3 over 40 conditions can go below 9 (optimality gap 25 %).
    """

    objective: float
    lower_bound: float
    status: Status
    seconds: float | None
    tests: str
    lower_bound_all_thresholds: float | None = None
    statistics: Mapping[str, int | float | str] = field(default_factory=dict, hash=False)
    measure: str = ""
    score: float | None = None
    score_bound: float | None = None

    @property
    def proven(self) -> bool:
        """Whether no allowed tree is better."""
        return self.status == "optimal"

    @property
    def is_complete(self) -> bool:
        """Whether the search came to its end; the optimality gap left, if any, is by rounding."""
        return ending_of(self.status).is_complete

    @property
    def gap(self) -> float:
        """How far the bound lies below the objective, as a proportion of the objective."""
        return gap_between(self.objective, self.lower_bound)

    @property
    def claim(self) -> str:
        """What is proven, without the objective, for a reader; empty if nothing is.

        Examples
        --------
        >>> Certificate(9.0, 9.0, "optimal", 1.5, "trees of depth 3 over 40 conditions").claim
        'None of the trees of depth 3 over 40 conditions is better.'
        """
        return f"None of the {self.tests} is better." if self.proven else ""

    @property
    def reason(self) -> str:
        """Why the tree is not proven to be the best; empty if it is."""
        return ending_of(self.status).reason

    def on_sample(self, n_rows: int) -> Certificate:
        """Return the certificate of a search that saw a sample of the rows.

        Parameters
        ----------
        n_rows : int
            Rows of the sample.

        Returns
        -------
        Certificate
            One that says so.

        Examples
        --------
        >>> proof = Certificate(9.0, 9.0, "optimal", 1.5, "trees of depth 3 over 40 conditions")
        >>> proof.on_sample(20_000).claim
        'None of the trees of depth 3 over 40 conditions, seen on 20,000 sampled rows, is better.'
        """
        return replace(self, tests=f"{self.tests.rstrip(',')}, seen on {n_rows:,} sampled rows,")

    def __str__(self) -> str:
        took = "" if self.seconds is None else f" in {self.seconds:.2g} s"
        objective = f"Objective {self.objective:.10g}{self._score}"
        bound = (
            f"None of the {self.tests} can go below {self.lower_bound:.10g} "
            f"(optimality gap {_percent(self.gap)}{self._best_score})."
        )
        if self.proven:
            first = f"{objective}, proven optimal{took}:\nnone of the {self.tests} does better."
        elif self.is_complete:
            first = f"{objective}, optimal up to rounding{took}: {self.reason}.\n{bound}"
        else:
            after = took.replace(" in ", " after ")
            first = f"{objective}, not proven: {self.reason}{after}.\n{bound}"
        of_all = self.lower_bound_all_thresholds
        if of_all is None or of_all == self.lower_bound:
            return first
        return f"{first}\nOver every threshold of the columns, none can go below {of_all:.10g}."

    @property
    def _score(self) -> str:
        return "" if self.score is None else f" ({self.measure} {self.score:.4g})"

    @property
    def _best_score(self) -> str:
        """What no tree can go beyond, where a score is known."""
        if self.score is None or self.score_bound is None:
            return ""
        side = "most" if self.score_bound >= self.score else "least"
        return f"; {self.measure} {self.score_bound:.4g} at {side}"

    def to_json(self) -> JSON:
        """Write the certificate as a JSON object."""
        bound = self.lower_bound_all_thresholds
        scores = {} if not self.measure else {"measure": self.measure, **self._scores()}
        return {
            "objective": plain_number(self.objective),
            "lower_bound": plain_number(self.lower_bound),
            "status": self.status,
            "seconds": None if self.seconds is None else plain_number(self.seconds),
            "tests": self.tests,
            "lower_bound_all_thresholds": None if bound is None else plain_number(bound),
            "statistics": {
                name: plain_number(value) if isinstance(value, float) else value
                for name, value in self.statistics.items()
            },
            **scores,
        }

    def _scores(self) -> JSON:
        given = {name: getattr(self, name) for name in _SCORES}
        return {name: plain_number(one) for name, one in given.items() if one is not None}

    @classmethod
    def from_json(cls, value: object) -> Certificate:
        """Read what `to_json` wrote, trusting nothing.

        Parameters
        ----------
        value : object
            What was read from JSON.

        Returns
        -------
        Certificate
            The certificate.

        Raises
        ------
        ModelFileError
            If it is not a certificate.
        """
        data = read_object(
            value, "The certificate", (*_NUMBERS, "seconds", "status", "tests"), _FURTHER
        )
        objective, lower_bound = (
            read_number(data[name], f"'{name}' of the certificate") for name in _NUMBERS
        )
        seconds = data["seconds"]
        if seconds is not None:
            seconds = read_number(seconds, "'seconds' of the certificate")
        bound = data.get("lower_bound_all_thresholds")
        if bound is not None:
            bound = read_number(bound, "'lower_bound_all_thresholds' of the certificate")
        if not 0.0 <= lower_bound <= objective or (seconds or 0.0) < 0.0:
            raise ModelFileError(
                "The certificate must have 0 <= lower_bound <= objective and seconds >= 0. Got "
                f"{lower_bound}, {objective} and {seconds}."
            )
        status = read_choice(data["status"], "The status", _STATUSES)
        if status == "optimal" and not is_closed(objective, lower_bound):
            status = "rounded"  # which older files do not tell apart
        return cls(
            objective,
            lower_bound,
            status,
            seconds,
            read_text(data["tests"], "'tests' of the certificate"),
            bound,
            _read_statistics(data.get("statistics", {})),
            read_text(data.get("measure", ""), "'measure' of the certificate"),
            *(
                read_number(data[name], f"'{name}' of the certificate") if name in data else None
                for name in _SCORES
            ),
        )


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _read_statistics(value: object) -> dict[str, int | float | str]:
    if not isinstance(value, dict):
        raise ModelFileError("The statistics of the certificate must be an object.")
    for name, item in value.items():
        if isinstance(item, bool) or not isinstance(item, int | float | str):
            raise ModelFileError(
                f"The statistic {brief(name)} of the certificate must be a number or a text. "
                f"Got {brief(item)}."
            )
    return value
