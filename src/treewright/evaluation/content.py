"""The content of a page about one fitted tree and its path, from rows of a table."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence

from treewright.evaluation.card import card_fields
from treewright.evaluation.columns import column_note
from treewright.evaluation.evidence import evidence_of, measure_of, trivial_of
from treewright.evaluation.panels import ROWS_DRAWN, panel_count, panels_of
from treewright.evaluation.paths import JudgedPath, Scale, judged_path
from treewright.evaluation.rows import JudgedRows
from treewright.evaluation.stability import RESAMPLES
from treewright.page import Model, NearTrees, PageContent, Panel, Stability, Step
from treewright.prune import Path, TreeSequence
from treewright.tree import Tree

__all__ = ["installed_version", "tree_content"]


def tree_content(
    tree: Tree,
    path: Path | TreeSequence,
    rows: JudgedRows,
    *,
    title: str,
    are_test_rows: bool,
    has_risks: bool = True,
    with_rows: bool = True,
    stability: tuple[Stability, ...] = (),
    ceiling: str = "",
    near: NearTrees | None = None,
    first_questions: Sequence[Tree] = (),
) -> PageContent:
    """Say what a page shows about a fitted tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    path : Path or TreeSequence
        The trees it was chosen from, or smaller ones; the tree need not be among them.
    rows : JudgedRows
        Rows of a table.
    title : str
        What the page is called.
    are_test_rows : bool
        Whether the tree has not seen these rows, so that it can be evaluated on them.
    has_risks : bool, default True
        Whether risks on held-out rows, where the path has some, are what the page measures; other
        losses are not shown.
    with_rows : bool, default True
        Whether values of single rows may be shown.
    stability : tuple of Stability, default ()
        First questions on bootstrap samples.
    ceiling : str, default ""
        A sentence on how well models do that are too large to read.
    near : NearTrees or None, default None
        Of an optimal tree those that are nearly as good.
    first_questions : sequence of Tree, default ()
        The best trees with each first question, the best of them first.

    Returns
    -------
    PageContent
        For :func:`treewright.page.page_html`.
    """
    n_trained, weight = float(tree.core.rows[0]), float(tree.node_weights[0])
    judged = judged_path(path, round(n_trained)).with_fitted(tree)
    # With weights of rows or classes held-out risks are no means of rows.
    if weight != n_trained or not has_risks:
        judged = JudgedPath(path, None, None, judged.fitted)
    assert judged.fitted is not None
    steps, place = judged.steps(
        judged.fitted[0], Scale.of(tree), rows if are_test_rows else None, with_rows=with_rows
    )
    others = "larger and smaller ones on its pruning path"
    if isinstance(path, TreeSequence) and not has_risks:
        others = "the best ones of other sizes"
    words = f"The fitted tree, and {others}."
    panels: tuple[Panel, ...] = ()
    drawn = rows.part(ROWS_DRAWN, 0)
    if with_rows:
        most = panel_count(rows.n_classes)
        panels = panels_of(tree, drawn.table, drawn.answers, key="tree", most=most)
    columns = zip(tree.schema.columns, rows.values.T, strict=True)
    return PageContent(
        title=title,
        measure=measure_of(rows),
        trivial=trivial_of(tree, rows),
        models=(Model("tree", "The fitted tree", words, steps, place, panels),),
        training_rows=n_trained,
        sample=rows.sample(0) if with_rows else None,
        stability=stability,
        resamples=RESAMPLES if stability else 0,
        ceiling=ceiling,
        near=near,
        first_questions=tuple(
            Step(
                one,
                None,
                None,
                evidence_of(one, rows, with_points=False) if are_test_rows else None,
            )
            for one in first_questions
        ),
        groupings=tuple(one.grouping for one in rows.grouped) if are_test_rows else (),
        columns=tuple(column_note(*one, with_rows=with_rows) for one in columns),
        card=card_fields(
            tree,
            rows.n_rows if are_test_rows else 0,
            is_cross_validated=judged.losses is not None,
        ),
        origin=(("treewright", installed_version()),),
        drawn_rows=0 if drawn is rows else drawn.n_rows,
    )


def installed_version() -> str:
    """Return the version of treewright."""
    try:
        return importlib.metadata.version("treewright")
    except importlib.metadata.PackageNotFoundError:  # run from a folder without being installed
        return "not installed"
