"""From the card of a method to the estimator it stands for, and what can be read from that."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from treewright import readable, recipes
from treewright.base.tasks import TASKS, Task
from treewright.prune import PRUNERS, as_pruner
from treewright.recipes.parts import tree_for
from treewright.splits import CARDS, Card, as_split

__all__ = ["card_named", "make", "pruner_of", "python_line", "takes_features", "tasks_of"]


def card_named(command: str) -> Card:
    """Return the card by the word of the command line.

    Parameters
    ----------
    command : str
        The word of ``--method``.

    Returns
    -------
    Card
        The method.

    Raises
    ------
    KeyError
        If there is none.
    """
    return {card.command: card for card in CARDS}[command]


def make(card: Card, task: str = "classification", **parameters: Any) -> Any:
    """Return the estimator that a method stands for, not fitted yet.

    Parameters
    ----------
    card : Card
        The method.
    task : {"classification", "regression"}, default "classification"
        What is predicted.
    **parameters
        Parameters of its estimator or recipe or, where it has neither, `features` and those of the
        estimator of a tree.

    Returns
    -------
    estimator
        That on the card, or by the first recipe on it, or else a tree by the split method that is
        pruned by cross-validation.

    Examples
    --------
    >>> make(card_named("must"), features=3).split
    MUST(features=3)
    >>> make(card_named("readable"), "regression", max_terms=2)
    ReadableTreeRegressor(max_terms=2)
    """
    if card.estimators:
        return _estimator(card, task)(**parameters)
    if card.recipes:
        by_task = {"task": task} if "task" in _signature(card) else {}
        return _recipe(card)(**by_task, **parameters)
    own = {"features": parameters.pop("features")} if "features" in parameters else {}
    settings = {"split": card.load()(**own), "prune": "cost_complexity"}
    return tree_for(card.name, task, {**settings, **parameters})


def tasks_of(card: Card) -> tuple[Task, ...]:
    """Return what a method can predict.

    Parameters
    ----------
    card : Card
        The method.

    Returns
    -------
    tuple of str
        "classification", "regression" or both.

    Examples
    --------
    >>> tasks_of(card_named("cart")), tasks_of(card_named("oc1"))
    (('classification', 'regression'), ('classification',))
    """
    if card.estimators:
        return TASKS
    if card.recipes:
        for_both = "task" in _signature(card)
    else:
        for_both = not as_split(card.examples[0]).for_classes_only
    return TASKS if for_both else TASKS[:1]


def takes_features(card: Card) -> bool:
    """Tell whether the most columns of a split can be given.

    Parameters
    ----------
    card : Card
        The method.

    Returns
    -------
    bool
        Whether ``--features`` is for it.

    Examples
    --------
    >>> [takes_features(card_named(name)) for name in ("readable", "must", "cart")]
    [True, True, False]
    """
    return not {"features", "max_terms"}.isdisjoint(_signature(card))


def pruner_of(card: Card, task: str = "classification") -> str | None:
    """Return the name of the pruner that a method is published with, or None.

    Parameters
    ----------
    card : Card
        The method.
    task : {"classification", "regression"}, default "classification"
        What is predicted.

    Returns
    -------
    str or None
        As ``prune=`` takes it.

    Examples
    --------
    >>> pruner_of(card_named("c45")), pruner_of(card_named("id3"))
    ('error_based', None)
    """
    pruner = as_pruner(getattr(make(card, task), "prune", None))
    return None if pruner is None else {cls: name for name, cls in PRUNERS.items()}[type(pruner)]


def python_line(card: Card) -> str:
    """Write in Python what :func:`make` returns for classification.

    Parameters
    ----------
    card : Card
        The method.

    Returns
    -------
    str
        An expression of names in :mod:`treewright`.

    Examples
    --------
    >>> python_line(card_named("must")), python_line(card_named("readable"))
    ('recipes.must()', 'ReadableTreeClassifier()')
    >>> python_line(card_named("best-subset"))
    'TreeClassifier(split="best_subset", prune="cost_complexity")'
    """
    if card.estimators:
        return f"{card.estimators[0]}()"
    if card.recipes:
        return f"recipes.{card.recipes[0]}()"
    return f'TreeClassifier(split="{card.name}", prune="cost_complexity")'


def _estimator(card: Card, task: str) -> Callable[..., Any]:
    by_task: dict[str, str] = dict(zip(TASKS, card.estimators, strict=True))
    found: Callable[..., Any] = getattr(readable, by_task[task])
    return found


def _recipe(card: Card) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(recipes, card.recipes[0])
    return found


def _signature(card: Card) -> Any:
    if card.estimators:
        made_by = _estimator(card, TASKS[0])
    else:
        made_by = _recipe(card) if card.recipes else card.load()
    return inspect.signature(made_by).parameters
