"""Decision trees that a person can read.

The public names below are loaded when they are first used, so that ``import treewright`` and the
command line start at once. Split methods live in :mod:`treewright.splits`; ``treewright.MUST``
is found there too.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright import datasets, plot, prune, recipes, splits
    from treewright.estimators import (
        Constraints,
        ForestClassifier,
        ForestRegressor,
        OptimalTreeClassifier,
        OptimalTreeRegressor,
        RuleSetClassifier,
        TreeClassifier,
        TreeRegressor,
    )
    from treewright.loading import load
    from treewright.readable import ReadableTreeClassifier, ReadableTreeRegressor
    from treewright.reports import report
    from treewright.schema import Schema
    from treewright.splits import split_method
    from treewright.tree import Tree

    __version__: str

__all__ = [
    "Constraints",
    "ForestClassifier",
    "ForestRegressor",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "ReadableTreeClassifier",
    "ReadableTreeRegressor",
    "RuleSetClassifier",
    "Schema",
    "Tree",
    "TreeClassifier",
    "TreeRegressor",
    "__version__",
    "datasets",
    "load",
    "plot",
    "prune",
    "recipes",
    "report",
    "split_method",
    "splits",
]

_HOMES = {
    "Constraints": "estimators",
    "ForestClassifier": "estimators",
    "ForestRegressor": "estimators",
    "OptimalTreeClassifier": "estimators",
    "OptimalTreeRegressor": "estimators",
    "ReadableTreeClassifier": "readable",
    "ReadableTreeRegressor": "readable",
    "RuleSetClassifier": "estimators",
    "Schema": "schema",
    "Tree": "tree",
    "TreeClassifier": "estimators",
    "TreeRegressor": "estimators",
    "load": "loading",
    "report": "reports",
}
_MODULES = frozenset(
    {
        "bigdata",
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
        "readable",
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


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("treewright")
    if name in _MODULES:
        return importlib.import_module(f"treewright.{name}")
    if name in _HOMES:
        return getattr(importlib.import_module(f"treewright.{_HOMES[name]}"), name)
    from treewright import splits
    from treewright.base.lazy import no_attribute

    if name in splits.__all__:
        return getattr(splits, name)
    known = (*_HOMES, *_MODULES, *splits.__all__)
    raise no_attribute("treewright", name, dict.fromkeys(known))


def __dir__() -> list[str]:
    return sorted({*__all__, *_MODULES})
