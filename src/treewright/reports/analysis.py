"""From a table to the content of a page: infer the columns, divide, fit, evaluate."""

from __future__ import annotations

import contextlib
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.estimators.training import read_classes, read_numbers
from treewright.evaluation import (
    RESAMPLES,
    ROWS_DRAWN,
    JudgedRows,
    Scale,
    card_fields,
    ceiling_sentence,
    every_question,
    evidence_of,
    first_questions,
    installed_version,
    measure_of,
    panel_count,
    refitted,
    trivial_of,
)
from treewright.exceptions import ClassWithoutLeafWarning, NotProvenWarning, UnseenLevelWarning
from treewright.page import DataNote, Evidence, Model, PageContent, Step
from treewright.reports.columns import InferredColumn, notes_of
from treewright.reports.families import families, finder, grower, searcher
from treewright.reports.fitting import (
    FittedFamily,
    Working,
    cost_mapping,
    fit_family,
)
from treewright.reports.leaks import suspected_leaks
from treewright.reports.parts import Part, divide, read_rows
from treewright.reports.settings import Settings
from treewright.schema import Level, Schema
from treewright.tree import Tree
from treewright.words import level_texts, plural

__all__ = ["Analysis", "analyse", "quietly"]

_ROWS_REFITTED = 1_000
_RARE = 5
_UNSEEN = (
    "Some rows of the hold-out set have levels that occur in no training row; these cells are "
    "treated as missing."
)


@dataclass(frozen=True, eq=False)
class Analysis:
    """What was found about a table.

    Attributes
    ----------
    content : PageContent
        For the page.
    estimator : estimator
        The recommended tree, to be saved.
    columns : list of InferredColumn
        What each column was taken for.
    """

    content: PageContent
    estimator: Any
    columns: list[InferredColumn]

    @property
    def families(self) -> tuple[Model, ...]:
        """All trees, family by family, the recommended one first."""
        return self.content.models

    @property
    def evidence(self) -> Evidence | None:
        """What held-out rows say of the recommended tree; None if there are none."""
        return self.content.chosen.evidence

    @property
    def frontier(self) -> tuple[Step, ...]:
        """Trees of all families that no other is better than with as little reading.

        They are compared by cross-validation; the least to read comes first.
        """
        sign = 1.0 if self.content.measure.higher_is_better else -1.0
        known = [step for model in self.families for step in model.steps if step.score is not None]
        known.sort(key=lambda step: (step.tree.reading_effort, -sign * (step.score or 0.0)))
        kept: list[Step] = []
        for step in known:
            if not kept or sign * (step.score or 0.0) > sign * (kept[-1].score or 0.0):
                kept.append(step)
        return tuple(kept)


@contextlib.contextmanager
def quietly(words: str) -> Iterator[None]:
    """Show no progress."""
    yield None


def analyse(
    table: Mapping[str, Any],
    y: Any,
    *,
    target: str,
    title: str,
    is_regression: bool,
    columns: list[InferredColumn],
    settings: Settings,
    working: Working = quietly,
) -> Analysis:
    """Find readable trees for a table, and what to think of them.

    Parameters
    ----------
    table : mapping of str to column
        All columns but the target.
    y : column
        The target, known in every row.
    target : str
        Its name.
    title : str
        What the page is called.
    is_regression : bool
        Whether the target is a number.
    columns : list of InferredColumn
        What the columns were taken for, by :func:`infer_columns`.
    settings : Settings
        What the user chose.
    working : callable
        ``working(words)`` is a context that shows progress.

    Returns
    -------
    Analysis
        For the page and for the model file.
    """
    usable = {inferred.name: table[inferred.name] for inferred in columns if inferred.is_used}
    rows = read_rows(usable, y, is_regression=is_regression)
    training, test = divide(rows, settings.test_share, settings.seed)
    n_numbers = sum(inferred.is_number for inferred in columns)
    with working("Looking at the columns"):
        notes = notes_of(columns, target) + _class_notes(rows)
        notes += suspected_leaks(rows)
    fitted = []
    for family in families(settings, n_numbers):
        with working(f"Fitting: {family.name.lower()}") as progress:
            fitted.append(fit_family(family, training, target, settings, progress))
    with working("Refitting on bootstrap samples") as progress:
        others = _refitted(fitted[0], training, settings, progress)

    tree = fitted[0].estimator.tree_
    schema = tree.schema
    judged = test or training
    costs = _cost_matrix(settings, schema.classes)
    positive = None
    if settings.positive is not None and schema.classes is not None:
        positive = schema.classes.index(settings.positive)
    with working("Evaluating on the hold-out set"):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UnseenLevelWarning)
            rows_judged = JudgedRows.read(
                judged.table, judged.answers, schema, costs=costs, positive=positive
            )
        if caught:
            notes.append(DataNote("other", None, _UNSEEN))
        scale = Scale.of(tree)
        shown = training.sample(ROWS_DRAWN, settings.seed) if settings.with_rows else None
        models = tuple(
            one.model(
                scale,
                None if test is None else rows_judged,
                shown,
                n_panels=panel_count(rows_judged.n_classes, is_beside=place > 0),
            )
            for place, one in enumerate(fitted)
        )
    content = PageContent(
        title=title,
        measure=measure_of(rows_judged),
        trivial=trivial_of(tree, rows_judged),
        models=models,
        training_rows=training.n_rows,
        sample=rows_judged.sample(settings.seed) if settings.with_rows else None,
        stability=first_questions(others),
        questions=every_question(tree, others),
        resamples=RESAMPLES,
        first_questions=_first_questions(
            fitted[0].estimator, schema, None if test is None else rows_judged
        ),
        notes=tuple(notes),
        columns=tuple(inferred.note(with_rows=settings.with_rows) for inferred in columns),
        card=card_fields(
            tree,
            0 if test is None else test.n_rows,
            is_cross_validated=fitted[0].path.losses is not None,
            words=fitted[0].words,
        ),
        ceiling=ceiling_sentence(fitted[0].estimator),
        groupings=() if test is None else tuple(one.grouping for one in rows_judged.grouped),
        origin=_origin(settings, rows.n_rows),
        positive=positive,
        drawn_rows=0 if shown is None or shown is training else shown.n_rows,
    )
    return Analysis(content, fitted[0].estimator, columns)


def _first_questions(model: Any, schema: Schema, test: JudgedRows | None) -> tuple[Step, ...]:
    """Evaluate the best trees with other first questions, which only readable trees know of."""
    found = getattr(model, "evidence_", None)
    trees = () if found is None else (tree.with_schema(schema) for tree in found.first_questions)
    return tuple(
        Step(tree, None, None, None if test is None else evidence_of(tree, test, with_points=False))
        for tree in trees
    )


def _class_notes(rows: Part) -> list[DataNote]:
    if rows.classes is None:
        return []
    counts = np.bincount(rows.strata, minlength=len(rows.classes))
    rare = [rows.classes[code] for code in np.flatnonzero(counts < _RARE).tolist()]
    if not rare:
        return []
    shown = ", ".join(level_texts(rare[:3], rows.classes)) + ", ..." * (len(rare) > 3)
    words = f"{plural(len(rare), 'class')} with fewer than {_RARE} rows: {shown}."
    return [DataNote("other", None, words)]


def _refitted(
    fitted: FittedFamily,
    training: Part,
    settings: Settings,
    progress: Callable[[float], None] | None,
) -> list[Tree]:
    """Find trees as large as the recommended one on bootstrap samples."""
    some = training.sample(_ROWS_REFITTED, settings.seed)
    find = _found_again if fitted.family.card.estimators else _grown_again
    return refitted(
        find(fitted, some, settings), some.n_rows, seed=settings.seed, progress=progress
    )


def _found_again(
    fitted: FittedFamily, some: Part, settings: Settings
) -> Callable[[NDArray[np.intp]], Tree]:
    """Say how a readable tree is found again; rows that were drawn twice weigh twice as much.

    Neither a teacher nor proposals of samples: they take ten times as long.
    """
    leaves = fitted.estimator.tree_.n_leaves
    few = {} if some.is_regression else {"n_bootstraps": 0}
    estimator: Any = finder(
        fitted.family,
        some.task,
        settings,
        some.n_rows,
        costs=cost_mapping(settings, some),
        size=leaves,
        max_leaf_nodes=leaves,
        label_share=1.0,
        **few,
    )
    read = read_numbers if some.is_regression else read_classes
    rows = read(some.table, some.answers, None, type(estimator).__name__)

    def find(drawn: NDArray[np.intp]) -> Tree:
        weights = np.bincount(drawn, minlength=some.n_rows).astype(np.float64)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ClassWithoutLeafWarning)  # the page shows it
            estimator._fit_rows(rows.weighing(weights), time.perf_counter(), alone=True)
        tree: Tree = estimator.tree_
        return tree

    return find


def _grown_again(
    fitted: FittedFamily, some: Part, settings: Settings
) -> Callable[[NDArray[np.intp]], Tree]:
    """Say how a tree of another family is grown or searched for again."""
    leaves = fitted.estimator.tree_.n_leaves

    def grow(rows: NDArray[np.intp]) -> Tree:
        part = some.take(rows)
        costs = cost_mapping(settings, part)
        estimator: Any
        if fitted.family.card.is_search:
            seconds = settings.time_limit / RESAMPLES
            estimator = searcher(
                fitted.family,
                part.task,
                part.n_rows,
                costs=costs,
                front=False,
                time_limit=seconds,
            )
        else:
            estimator = grower(
                fitted.family,
                part.task,
                settings,
                part.n_rows,
                costs=costs,
                prune=None,
                max_leaf_nodes=max(2, leaves),
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NotProvenWarning)
            estimator.fit(part.table, part.answers)
        tree: Tree = estimator.tree_
        return tree

    return grow


def _cost_matrix(
    settings: Settings, classes: tuple[Level, ...] | None
) -> NDArray[np.float64] | None:
    if not settings.costs or classes is None:
        return None
    return np.array([[settings.cost(true, said) for said in classes] for true in classes])


def _origin(settings: Settings, n_rows: int) -> tuple[tuple[str, str], ...]:
    return (
        ("rows", f"{n_rows:,}"),
        ("method", settings.method),
        ("seed", str(settings.seed)),
        ("treewright", installed_version()),
    )
