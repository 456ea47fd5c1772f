"""What a user may choose about a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from treewright.exceptions import brief
from treewright.schema import Level
from treewright.splits import CARDS, DEFAULT

__all__ = ["METHODS", "ColumnKind", "Settings"]

METHODS = {card.name: card for card in CARDS if card.report is not None}
ColumnKind: TypeAlias = Literal["number", "category", "date", "identifier"]


@dataclass(frozen=True)
class Settings:
    """What a user may choose about a report.

    Parameters
    ----------
    method : {"readable", "cart", "must", "optimal"}, default "readable"
        The family that is recommended; the others stand beside it.
    features : int, default 2
        Numeric columns in a linear combination of ``must``.
    max_leaves : int, default 12
        The largest tree that may be recommended: what a person can read. That of "readable" has 8
        at most.
    test_share : float, default 0.25
        Proportion of the rows in the hold-out set.
    seed : int, default 0
        Of the hold-out set, the folds and the bootstrap samples.
    time_limit : float, default 60
        Seconds for the search of the best trees, cross-validation included.
    types : mapping of str to str, default {}
        What some columns are, where a guess would be wrong.
    units : mapping of str to str, default {}
        Units of some numeric columns, for reading.
    drop : sequence of str, default ()
        Columns not to use.
    keep : sequence of str, default ()
        Columns to use though they seem to say nothing of new rows.
    positive : label or None, default None
        The class that matters most.
    costs : mapping of (label, label) to float, default {}
        Misclassification costs by true and predicted class; errors not named cost 1.
    with_rows : bool, default True
        Whether values of single rows may stand in the page.
    """

    method: str = DEFAULT.name
    features: int = 2
    max_leaves: int = 12
    test_share: float = 0.25
    seed: int = 0
    time_limit: float = 60.0
    types: Mapping[str, ColumnKind] = field(default_factory=lambda: MappingProxyType({}))
    units: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()
    positive: Level | None = None
    costs: Mapping[tuple[Level, Level], float] = field(default_factory=lambda: MappingProxyType({}))
    with_rows: bool = True

    def __post_init__(self) -> None:
        _check(self)

    def cost(self, true: Level, answer: Level) -> float:
        """Return what a prediction costs.

        Parameters
        ----------
        true : label
            The true class.
        answer : label
            The predicted class.

        Returns
        -------
        float
            The cost; 0 for a correct prediction and 1 for an error, where nothing else is said.
        """
        return self.costs.get((true, answer), float(true != answer))


def _check(settings: Settings) -> None:
    """Refuse a value that no report can be made with."""
    wrong = {
        "method": (settings.method in METHODS, f"one of {', '.join(map(repr, METHODS))}"),
        "features": (settings.features in (2, 3), "2 or 3"),
        "max_leaves": (settings.max_leaves >= 2, "at least 2"),
        "test_share": (0.0 < settings.test_share <= 0.9, "above 0 and at most 0.9"),
        "seed": (0 <= settings.seed < 2**32, "a whole number from 0 to 4294967295"),
        "time_limit": (settings.time_limit > 0.0, "a number of seconds above 0"),
    }
    for name, (is_right, allowed) in wrong.items():
        if not is_right:
            got = brief(getattr(settings, name))
            raise ValueError(f"The '{name}' of a report must be {allowed}. Got {got}.")
    for column, kind in settings.types.items():
        if kind not in get_args(ColumnKind):
            raise ValueError(
                f"The 'types' of a report must be out of {', '.join(get_args(ColumnKind))}. Got "
                f"{brief(kind)} for the column {brief(column)}."
            )
