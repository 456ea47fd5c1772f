"""What must.json has: Tables II, III and IV of Leroux, Boussard, Dès (2018)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SAME = {"QE": "MUST-1"}  # Table II's name of it
SMALL_SETS = ("heart", "pima", "glass", "wine", "survival", "bupa", "balance_scale")


@dataclass(frozen=True)
class Printed:
    """One row of a table; accuracies in per cent, each mean with the +- that stands beside it."""

    table: str
    data: str
    method: str
    accuracy: float
    accuracy_spread: float
    leaves: float
    leaves_spread: float


def read_tables() -> dict[str, tuple[str, list[Printed]]]:
    """Return the title and the rows of each table."""
    return {
        table["table"]: (
            f"Table {table['table']} (section {table['section']}): {table['title']}",
            [Printed(table["table"], *row) for row in table["rows"]],
        )
        for table in _kept()["tables"]
    }


def _kept() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(Path(__file__).with_name("must.json").read_text("utf-8"))
    return kept
