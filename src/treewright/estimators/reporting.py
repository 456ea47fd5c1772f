"""The page about a fitted tree: a function that `FittedTree` has as a method."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from sklearn.utils.validation import check_is_fitted

from treewright.estimators.first_question import first_question

if TYPE_CHECKING:
    from treewright.estimators.fitted import FittedTree

__all__ = ["report"]


def report(
    self: FittedTree,
    path: str | os.PathLike[str],
    X: Any,
    y: Any,
    *,
    test: bool = False,
    title: str | None = None,
    with_rows: bool = True,
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
    )
    write_page(content, path)
