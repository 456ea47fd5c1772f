"""What exported code is given and what it says, in every language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Rows = list[dict[str, Any]]


@dataclass
class Answers:
    """What exported code says of some rows."""

    values: list[Any]
    shares: list[Sequence[float]] | None = None
