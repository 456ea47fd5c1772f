"""The page about a fitted tree: a function that `FittedTree` has as a method."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from treewright.estimators.first_question import first_question
from treewright.optimal import Alternatives

if TYPE_CHECKING:
    from treewright.estimators.fitted import FittedTree

__all__ = ["report"]

_SECONDS = 10.0  # for counting trees that are nearly as good


def report(
    self: FittedTree,
    path: str | os.PathLike[str],
    X: Any,
    y: Any,
    *,
    test: bool = False,
    title: str | None = None,
    with_rows: bool = True,
    alternatives: Alternatives | bool = True,
) -> None:
    """Write one HTML page about the tree, which needs no network and no server.

    Parameters
    ----------
    path : str or path-like
        Where to write. The file appears whole or not at all.
    X : data frame, 2-D array, list of dicts, or dict of lists
        Rows: those it was fitted on, or others. They are drawn
        at the questions of the tree, and the first question of a greedy tree is found again on
        bootstrap samples of them, to see whether it would be another.
    y : array-like or series
        Their classes or numbers.
    test : bool, default False
        Whether the tree has not seen these rows. Only then do they judge it: score, confusion
        matrix, calibration. They must have taken no part in any choice.
    title : str or None, default None
        Heading of the page; by default the target's name.
    with_rows : bool, default True
        Whether values of single rows may stand in the page, as numbers or in pictures.
    alternatives : Alternatives or bool, default True
        Of an optimal tree the trees that are nearly as good: what its `alternatives` found, or
        whether to look for them, for ten seconds at most, where these are the rows of the fit. Give
        them beside test rows, or for another tolerance.

    Raises
    ------
    DataError
        If the rows do not fit the tree.
    WriteError
        If the file cannot be written.

    See Also
    --------
    save : The model itself, to be used again.

    Examples
    --------
    >>> import os, tempfile
    >>> from treewright import TreeClassifier
    >>> income, repaid = [[20], [35], [50], [28], [61], [45]], list("nyynyy")
    >>> model = TreeClassifier().fit(income, repaid)
    >>> page = os.path.join(tempfile.mkdtemp(), "page.html")
    >>> model.report(page, [[22], [80]], ["n", "y"], test=True)
    >>> os.path.getsize(page) > 10_000
    True
    """
    from treewright.estimators.near_trees import near_trees
    from treewright.evaluation import (
        JudgedRows,
        ceiling_sentence,
        first_questions,
        refitted,
        tree_content,
    )
    from treewright.page import write_page

    check_is_fitted(self)
    tree = self.tree_
    costs = tree.core.cost.reshape(tree.n_outputs, -1) if len(tree.core.cost) else None
    rows = JudgedRows.read(X, y, tree.schema, costs=costs)
    grow = first_question(self, X, y, rows.truth) if self._is_grown else None
    found = _alternatives(self, X, y, alternatives, test=test)
    near = None if found is None else near_trees(self, found)
    content = tree_content(
        tree,
        self.path_,
        rows,
        title=title or tree.schema.target or type(self).__name__,
        are_test_rows=test,
        has_risks=self._is_grown,
        with_rows=with_rows,
        stability=() if grow is None else first_questions(refitted(grow, rows.n_rows, seed=0)),
        ceiling=ceiling_sentence(self),
        near=near,
        first_questions=() if found is None else [one.tree for one in found.first],
    )
    write_page(content, path)


def _alternatives(
    model: Any, X: Any, y: Any, asked: Alternatives | bool, *, test: bool
) -> Alternatives | None:
    """Give the trees that are nearly as good as an optimal one, where they can be counted."""
    if not isinstance(asked, bool):
        return asked
    if not asked or test or not hasattr(model, "alternatives"):
        return None
    try:
        found: Alternatives = model.alternatives(X, y, n=0, time_limit=_SECONDS)
    except ValueError:  # other rows, or a model whose trees are not counted
        return None
    return found
