"""Parameters that have another name or place now: who gives an old one is told the new one.

`refuses` marks an estimator with its old words; its constructor, `set_params` and the reader of
model files then refuse them in one sentence.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

__all__ = [
    "CLASSES",
    "GROWTH",
    "NUMBERS",
    "SEARCH",
    "TREE",
    "old_word",
    "refuses",
]

Class = TypeVar("Class", bound=type[Any])
Words = Mapping[str, str]


def _rule(name: str) -> str:
    return f"growth_rules=GrowthRules({name}=...)"


_EARLY = "growth_rules=GrowthRules(early_stopping=EarlyStopping({}=...))"

GROWTH: Words = {
    "measure": "criterion",
    "max_leaves": "max_leaf_nodes",
    "min_gain": "min_impurity_decrease",
    "max_surrogates": "missing=Surrogates(max_surrogates=...)",
    **{name: _rule(name) for name in ("zero_gain", "min_impurity_fraction", "collapse")},
}
"""Of all that grow."""

TREE: Words = {
    "validation_fraction": _EARLY.format("fraction"),
    "patience": _EARLY.format("patience"),
    "honest_fraction": "prune=treewright.prune.Honest(fraction=..., pruner=...)",
    "merge_siblings": "model.with_tree(treewright.prune.merge_siblings(model.tree_)) after fit",
}
"""Of those that grow one tree."""

NUMBERS: Words = {"gain": "nothing in its place, as the plain decrease is the only gain here"}
"""Of regressors that grow."""

CLASSES: Words = {
    "priors": "class_weight=Priors(...)",
    "cost_in_split": "cost_matrix=Costs(matrix, in_split=...)",
    "smoothing_m": "smoothing, which takes the number",
}
"""Of classifiers."""

SEARCH: Words = {
    "alpha": "pair_levels",
}
"""Of optimal trees."""


def old_word(owner: type[Any], names: Iterable[str]) -> str | None:
    """Return a sentence on the first of these names that is an old word of the class, if any.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> old_word(TreeClassifier, ["max_depth", "measure"])
    "TreeClassifier has no parameter 'measure' any more; use criterion."
    """
    words: Words = getattr(owner, "_old_words", {})
    for name in names:
        if name in words:
            return f"{owner.__name__} has no parameter {name!r} any more; use {words[name]}."
    return None


def refuses(*tables: Words) -> Callable[[Class], Class]:
    """Let the constructor of a class refuse old words and name the new ones.

    The signature stays as it is, for scikit-learn and for readers.
    """

    def decorate(cls: Class) -> Class:
        init = cls.__init__
        cls._old_words = {name: new for table in tables for name, new in table.items()}

        @functools.wraps(init)
        def checked(self: Any, *args: Any, **parameters: Any) -> None:
            sentence = old_word(type(self), parameters)
            if sentence is not None:
                raise TypeError(sentence)
            init(self, *args, **parameters)

        cls.__init__ = checked
        return cls

    return decorate
