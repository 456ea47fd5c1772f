"""The numbers that oblique_logistic.py sets ours beside.

Those of the R package oblique.tree 1.1.1 were recorded by running it: `logistic-oracle.json`, in
the folder `spec` beside the data. They are not part of the repository. Those of an independent
implementation, which grew the same trees as the package, are in `oblique_logistic.json`.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

Numbers = tuple[int, float, int, int]  # leaves, their deviance, training errors, complexity

# The kinds of trees, by mode and way of making tests concise, and what the package calls them.
TESTS: dict[str, tuple[str, str | None]] = {
    "axis": ("axis", None),
    "mixture": ("mixture", None),
    "oblique": ("oblique", None),
    "oblique AIC": ("oblique", "aic"),
    "oblique BIC": ("oblique", "bic"),
    "mixture AIC": ("mixture", "aic"),
    "mixture BIC": ("mixture", "bic"),
}
_MODES = {"axis": "off", "mixture": "on", "oblique": "only"}
_SETS = {"crabs5": "crabs5", "crabs_pc": "crabspc", "pima_tr": "Pima", "fgl": "fgl"}


@functools.cache
def reference() -> dict[str, Any]:
    """Return the numbers of the reference by table."""
    return json.loads(Path(__file__).with_name("oblique_logistic.json").read_text())


class Package:
    """What the package gave, where it was recorded."""

    def __init__(self, data_folder: Path) -> None:
        path = data_folder.parent / "spec" / "logistic-oracle.json"
        self.is_there = path.is_file()
        self._trees = json.loads(path.read_text("utf-8"))["trees"] if self.is_there else {}

    def tree(self, data: str, tests: str) -> Numbers | None:
        """Return the size and fit of a tree."""
        found = self._entry(data, tests).get("tree")
        if found is not None:
            names = ("leaves", "leaf_dev", "train_errors", "complexity")
            return tuple(found[name] for name in names)
        printed = reference()["trees"].get(data)
        return tuple(printed[tests]) if printed else None

    def test_errors(self, data: str, tests: str) -> int | None:
        """Return the errors on rows not trained on: those of pima_te."""
        return self._entry(data, tests).get("test_errors")

    def trimmed(self, data: str) -> dict[int, float]:
        """Return the deviance of the trimmed oblique tree by its complexity."""
        found = self._entry(data, "oblique").get("trim_partial_deviance", {})
        return dict(zip(found.get("comp", ()), found.get("dev", ()), strict=True))

    def _entry(self, data: str, tests: str) -> dict[str, Any]:
        mode, concise = TESTS[tests]
        selection = f"model.selection.{concise}" if concise else "none"
        return self._trees.get(f"{_SETS.get(data)}.{_MODES[mode]}.{selection}.deviance", {})
