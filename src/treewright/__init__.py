"""Decision trees that a person can read.

The public names below are loaded when they are first used, so that ``import treewright`` and the
command line answer at once.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_HOMES = {
    "Axis": "treewright.splits",
    "Best": "treewright.splits",
    "CARTLC": "treewright.splits",
    "Categorical": "treewright.splits",
    "Climb": "treewright.splits",
    "CRUISE": "treewright.splits",
    "FTest": "treewright.splits",
    "FACT": "treewright.splits",
    "ForestClassifier": "treewright.estimators",
    "ForestRegressor": "treewright.estimators",
    "HHCART": "treewright.splits",
    "LMDT": "treewright.splits",
    "LinearProgram": "treewright.splits",
    "Logistic": "treewright.splits",
    "MUST": "treewright.splits",
    "OC1": "treewright.splits",
    "OptimalTreeClassifier": "treewright.estimators",
    "OptimalTreeRegressor": "treewright.estimators",
    "PBOT": "treewright.splits",
    "Pairs": "treewright.splits",
    "QUEST": "treewright.splits",
    "RuleSetClassifier": "treewright.estimators",
    "SADT": "treewright.splits",
    "Schema": "treewright.schema",
    "Tree": "treewright.tree",
    "TreeClassifier": "treewright.estimators",
    "TreeRegressor": "treewright.estimators",
    "WODT": "treewright.splits",
    "load": "treewright.estimators",
    "rank_columns": "treewright.splits",
    "split_method": "treewright.splits",
}
_MODULES = frozenset(
    {
        "datasets",
        "estimators",
        "evaluation",
        "exceptions",
        "explain",
        "export",
        "expressions",
        "files",
        "measures",
        "modelfile",
        "optimal",
        "page",
        "plot",
        "predicates",
        "prune",
        "recipes",
        "reports",
        "rules",
        "schema",
        "splits",
        "statistics",
        "testing",
        "tree",
    }
)

__all__ = [
    "HHCART",
    "LMDT",
    "MUST",
    "OC1",
    "PBOT",
    "SADT",
    "WODT",
    "Axis",
    "Best",
    "CARTLC",
    "Categorical",
    "Climb",
    "CRUISE",
    "FTest",
    "FACT",
    "ForestClassifier",
    "ForestRegressor",
    "LinearProgram",
    "Logistic",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "Pairs",
    "QUEST",
    "RuleSetClassifier",
    "Schema",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "__version__",
    "datasets",
    "load",
    "rank_columns",
    "recipes",
    "split_method",
    "testing",
]

if TYPE_CHECKING:
    from treewright import datasets, recipes, testing
    from treewright.estimators import (
        ForestClassifier,
        ForestRegressor,
        OptimalTreeClassifier,
        OptimalTreeRegressor,
        RuleSetClassifier,
        TreeClassifier,
        TreeRegressor,
        load,
    )
    from treewright.schema import Schema
    from treewright.splits import (
        CARTLC,
        CRUISE,
        FACT,
        HHCART,
        LMDT,
        MUST,
        OC1,
        PBOT,
        QUEST,
        SADT,
        WODT,
        Axis,
        Best,
        Categorical,
        Climb,
        FTest,
        LinearProgram,
        Logistic,
        Pairs,
        rank_columns,
        split_method,
    )
    from treewright.tree import Tree

    __version__: str


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("treewright")
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"treewright.{name}")
    raise AttributeError(f"module 'treewright' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES})
