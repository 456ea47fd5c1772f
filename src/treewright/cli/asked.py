"""What the user of `treewright fit` asked for."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.base.tasks import AskedTask
from treewright.cli.reading import Reading
from treewright.splits.card import Card
from treewright.splits.cards import CARDS

__all__ = ["Asked"]


@dataclass(frozen=True)
class Asked:
    """What the user asked for: the options by their names."""

    files: tuple[str, ...]
    target: str
    output: str | None
    method: str
    features: str | None
    task: AskedTask
    prune: str
    max_depth: int | None
    max_leaves: int | None
    min_samples_leaf: int | None
    time_limit: float | None
    abstain_cost: float | None
    weights: str | None
    drop: tuple[str, ...]
    keep: tuple[str, ...]
    text: tuple[str, ...]
    test: str | None
    seed: int | None
    reading: Reading

    @property
    def file(self) -> str:
        """The table, or the first of its files."""
        return self.files[0]

    @property
    def card(self) -> Card:
        """The card of the method."""
        return next(card for card in CARDS if card.command == self.method)

    @property
    def is_readable(self) -> bool:
        """Whether the tree is that of the estimators of readable trees."""
        return bool(self.card.estimators)
