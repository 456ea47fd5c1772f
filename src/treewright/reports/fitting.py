"""Fitting a family of trees and turning it into what a page shows."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.evaluation import JudgedPath, JudgedRows, Scale, judged_path, panels_of
from treewright.exceptions import (
    ClassWithoutLeafWarning,
    NotProvenWarning,
    UnseenLevelWarning,
)
from treewright.page import Model, Panel
from treewright.prune import CostComplexity, cost_complexity_path, merge_siblings
from treewright.reports.families import Family, finder, grower, searcher
from treewright.reports.parts import Part
from treewright.reports.searching import cross_validated_front
from treewright.reports.settings import Settings
from treewright.schema import Schema
from treewright.tree import Tree
from treewright.tree.use import table_of, target_of

__all__ = ["FittedFamily", "Working", "cost_mapping", "fit_family"]

Working: TypeAlias = Callable[[str], AbstractContextManager[Callable[[float], None] | None]]
"""``working(words)`` is a context in which work goes on; it gives a callback for the fraction
done."""

_MOST_ROWS_JUDGED = 5_000  # cross-validation takes a sample of more, as readable trees do
_MOST_ROWS_GROWN = 100_000  # questions of larger tables come from a sample, counts from all rows


@dataclass(frozen=True, eq=False)
class FittedFamily:
    """A family of trees, fitted and cross-validated.

    Attributes
    ----------
    family : Family
        Which one.
    estimator : estimator
        Fitted on the training rows, with the recommended tree.
    path : JudgedPath
        Its trees.
    chosen : int
        Position of the recommended tree in the path.
    remark : str
        What is to be said of the fit: that a search was not proven, for example.
    proof : str
        What was proved of the recommended tree.
    """

    family: Family
    estimator: Any
    path: JudgedPath
    chosen: int
    remark: str = ""
    proof: str = ""

    @property
    def words(self) -> str:
        """How the trees were found."""
        return " ".join(filter(None, (self.family.words, self.remark, self.proof)))

    def model(
        self, scale: Scale, test: JudgedRows | None, shown: Part | None, *, n_panels: int
    ) -> Model:
        """Return the family as a page shows it.

        Parameters
        ----------
        scale : Scale
            How losses become scores.
        test : JudgedRows or None
            Rows of the hold-out set.
        shown : Part or None
            Training rows to draw questions with; None if no row may be shown.
        n_panels : int
            How many questions to draw.

        Returns
        -------
        Model
            Its trees, and pictures for the recommended one.
        """
        key = self.family.key
        found = getattr(self.estimator, "evidence_", None)
        steps, place = self.path.steps(
            self.chosen,
            scale,
            test,
            with_rows=shown is not None,
            thresholds={} if found is None else found.thresholds,
        )
        panels: tuple[Panel, ...] = ()
        if shown is not None:
            tree = steps[place].tree
            panels = panels_of(tree, shown.table, shown.answers, key=key, most=n_panels)
        return Model(key, self.family.name, self.words, steps, place, panels, self.proof)


def fit_family(
    family: Family,
    training: Part,
    target: str,
    settings: Settings,
    progress: Callable[[float], None] | None,
) -> FittedFamily:
    """Fit a family of trees on the training rows, and recommend one of them.

    Parameters
    ----------
    family : Family
        Which one.
    training : Part
        The rows.
    target : str
        Name of the target.
    settings : Settings
        What the user chose.
    progress : callable or None
        Called with the fraction of work done.

    Returns
    -------
    FittedFamily
        With the recommended tree.
    """
    if family.card.estimators:
        fit = _find
    elif family.card.is_search:
        fit = _search
    else:
        fit = _grow
    estimator, path, remark = fit(family, training, settings, progress)
    units = {name: unit for name, unit in settings.units.items() if name in training.table}
    schema: Schema = estimator.schema_.with_target(target, estimator.schema_.classes)
    schema = schema.with_units(units)
    estimator._set_schema(schema)
    path = JudgedPath(
        path.path.mapped(lambda tree: tree.with_schema(schema)), path.losses, path.standard_errors
    )
    chosen = path.path.chosen if family.card.estimators else None  # by folds and a loss of its own
    proof = "" if chosen is None else estimator.certificate_.claim
    if chosen is None:
        chosen = path.choose(settings.max_leaves)
    recommended = estimator.with_tree(path.tree(chosen))
    return FittedFamily(family, recommended, path, chosen, remark, proof)


def _grow(
    family: Family, training: Part, settings: Settings, progress: Callable[[float], None] | None
) -> tuple[Any, JudgedPath, str]:
    task = training.task
    some = training.sample(_MOST_ROWS_JUDGED, settings.seed)
    costs = cost_mapping(settings, some)
    judged = grower(family, task, settings, some.n_rows, costs=costs, progress=progress)
    judged.fit(some.table, some.answers)
    if some is training:
        return judged, judged_path(judged.path_, some.n_rows), ""
    many = training.sample(_MOST_ROWS_GROWN, settings.seed, with_every_level=True)
    costs = cost_mapping(settings, many)
    unpruned = CostComplexity(alpha=0.0)
    whole = grower(family, task, settings, many.n_rows, costs=costs, prune=unpruned)
    whole.fit(many.table, many.answers)
    sizes, grown_on = whole.path_, f"all {training.n_rows:,} training rows"
    if many is not training:
        sizes = cost_complexity_path(_counting(training, whole.schema_)(whole.tree_))
        grown_on = f"{many.n_rows:,} of the training rows and counted on {grown_on}"
    path = judged_path(sizes, training.n_rows, judged.path_, some.n_rows)
    remark = f"Grown on {grown_on}; cross-validation worked on {some.n_rows:,} of them."
    return whole, path, remark


def _find(
    family: Family, training: Part, settings: Settings, progress: Callable[[float], None] | None
) -> tuple[Any, JudgedPath, str]:
    """Find the best readable tree, which judges all its sizes by folds of its own."""
    costs = cost_mapping(settings, training)
    model = finder(family, training.task, settings, training.n_rows, costs=costs, progress=progress)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClassWithoutLeafWarning)  # the page shows it
        model.fit(training.table, training.answers)
    return model, judged_path(model.front_, training.n_rows), ""


def _search(
    family: Family, training: Part, settings: Settings, progress: Callable[[float], None] | None
) -> tuple[Any, JudgedPath, str]:
    task = training.task
    some = training.sample(_MOST_ROWS_JUDGED, settings.seed, with_every_level=True)

    def make(seconds: float, part: Part) -> Any:
        costs = cost_mapping(settings, part)
        return searcher(family, task, part.n_rows, costs=costs, time_limit=seconds)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotProvenWarning)  # said in the remark
        warnings.simplefilter("ignore", UnseenLevelWarning)  # rare levels are missing in some folds
        model, front = cross_validated_front(
            make,
            some,
            _losses_of(settings),
            seconds=settings.time_limit,
            seed=settings.seed,
            progress=progress,
        )
    remark = ""
    if not model.certificate_.is_complete:
        remark = "The search ended at its time limit; there may be a better one."
    if some is not training:
        remark = (
            f"Searched on {some.n_rows:,} of the training rows and counted on all "
            f"{training.n_rows:,}. {remark}"
        )
        front = front.mapped(_counting(training, model.schema_))
    return model, judged_path(front, some.n_rows), remark.rstrip()


def _losses_of(settings: Settings) -> Callable[[Tree, Part], NDArray[np.float64]]:
    """Say what each row loses by a tree: squared error, error or cost."""

    def lose(tree: Tree, part: Part) -> NDArray[np.float64]:
        answers = tree.predict(part.table)
        if part.is_regression:
            return np.asarray(np.square(answers - part.strata))
        if not settings.costs:
            return np.asarray(answers != part.answers, dtype=np.float64)
        pairs = zip(part.answers.tolist(), answers.tolist(), strict=True)
        return np.array([settings.cost(true, answer) for true, answer in pairs])

    return lose


def _counting(rows: Part, schema: Schema) -> Callable[[Tree], Tree]:
    """Return what gives trees the statistics and predictions of other rows."""
    table, target = table_of(rows.table, schema), target_of(rows.answers, schema, rows.n_rows)

    def count(tree: Tree) -> Tree:
        return merge_siblings(tree.with_core(_core.refit(tree.core, table, target, False)))

    return count


def cost_mapping(settings: Settings, part: Part) -> dict[Any, dict[Any, float]] | None:
    """Return the costs between the classes that occur in a part; None if none are given."""
    if not settings.costs or part.classes is None:
        return None
    present = [part.classes[code] for code in np.unique(part.strata).tolist()]
    return {true: {said: settings.cost(true, said) for said in present} for true in present}
