"""How far the classes lie apart on each column: what :class:`FTest` chooses by."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treewright import _core
from treewright.base.parameters import check_arguments, choice
from treewright.base.tasks import TASKS, Task, is_regression
from treewright.exceptions import DataError
from treewright.schema import Schema, encode_labels, target_name
from treewright.tree import Tree
from treewright.tree.use import table_of, target_of, weights_of
from treewright.words import name_text, plural
from treewright.words.text_table import Line, aligned

__all__ = ["ColumnRanking", "RankedColumn", "rank_columns", "rank_columns_at"]

_WIDTH = 80


@dataclass(frozen=True)
class RankedColumn:
    """What one column says about the target.

    Attributes
    ----------
    name : str
        The column.
    weight : float
        For two classes ``|m1 - m2| / sqrt(SSW)``, the weight of dGMML; for more ``sqrt(SSB /
        SSW)``; for regression the absolute correlation. Infinite where the classes are separated
        without any spread, minus infinity where the column is never chosen, NaN for a
        categorical one.
    statistic : float
        F, or chi-square for a categorical column and classes; NaN where nothing can be tested.
    p_value : float
        Its p-value; 0 where it is below the smallest double.
    log_p : float
        The natural logarithm of the p-value, finite also where that is 0.

    See Also
    --------
    ColumnRanking : All columns.

    Examples
    --------
    >>> column = rank_columns({"age": [25, 38, 52, 61]}, ["no", "no", "yes", "yes"]).columns[0]
    >>> column.name, round(column.p_value, 3)
    ('age', 0.087)
    """

    name: str
    weight: float
    statistic: float
    p_value: float
    log_p: float

    @property
    def can_be_chosen(self) -> bool:
        """Whether the column separates the classes at all."""
        return self.weight >= 0 or (math.isnan(self.weight) and not math.isnan(self.statistic))


@dataclass(frozen=True)
class ColumnRanking:
    """Columns from the best to the worst; those that are never chosen last.

    Printing it gives a table.

    Parameters
    ----------
    columns : tuple of RankedColumn
        The columns, the best first.
    n_rows : int
        Number of rows they were ranked on.

    See Also
    --------
    rank_columns : Makes one of rows.
    RankedColumn : One of the columns.

    Examples
    --------
    >>> ranking = rank_columns({"age": [25, 38, 52, 61]}, ["no", "no", "yes", "yes"])
    >>> ranking.columns[0].name, ranking.n_rows
    ('age', 4)
    """

    columns: tuple[RankedColumn, ...]
    n_rows: int

    def __iter__(self) -> Iterator[RankedColumn]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, place: int) -> RankedColumn:
        return self.columns[place]

    def __str__(self) -> str:
        lines = [Line("", "", name_text(column.name), _cells(column)) for column in self.columns]
        headings = ["weight", "statistic", "p-value"]
        table = aligned(headings, lines, [True, True, True], _WIDTH)
        return "\n".join([f"Columns by F test, {plural(self.n_rows, 'row')}", *table])


def rank_columns(
    X: Any, y: Any, sample_weight: Any = None, *, task: Task = "classification"
) -> ColumnRanking:
    """Rank columns by how far the classes lie apart on each, as dGMML does at a node.

    Parameters
    ----------
    X : data frame, 2-D array, list of dicts, or dict of lists
        The rows.
    y : array-like or series
        One label or number per row.
    sample_weight : array-like of float or None, default None
        Weights of the rows.
    task : {"classification", "regression"}, default "classification"
        What `y` holds. Numbers are ranked by their correlation, which is ours.

    Returns
    -------
    ColumnRanking
        The best column first. By the weight; by p-value where values are missing or columns are
        categorical.

    References
    ----------
    Li, Chen (2022), A novel splitting criterion inspired by geometric mean metric learning for
    decision tree, arXiv:2204.11011, equations 9 and 10.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> print(rank_columns(X[50:], y[50:]))
    Columns by F test, 100 rows
                        weight  statistic  p-value
    petal width (cm)    0.2955      213.9  2.2e-26
    petal length (cm)   0.2546      158.9  3.2e-22
    sepal length (cm)   0.1137      31.69  1.7e-07
    sepal width (cm)   0.06477      10.28   0.0018
    """
    check_arguments("rank_columns", {"task": task}, {"task": choice(*TASKS)})
    schema, values = Schema.from_data(X, target=target_name(y))
    if not is_regression(task):
        _, labels = encode_labels(y, n_rows=len(values))
        schema = schema.with_target(schema.target, labels)
    table = _core.Table(values, schema.n_levels)
    return _ranking(schema, table, target_of(y, schema, table.n_rows, sample_weight))


def rank_columns_at(
    tree: Tree, node: int, X: Any, y: Any, sample_weight: Any = None
) -> ColumnRanking:
    """Rank columns on the rows that reach a node of a tree.

    Parameters
    ----------
    tree : Tree
        The tree, by whatever method it was grown.
    node : int
        Id of a node; the root is 0.
    X : data frame, 2-D array, list of dicts, or dict of lists
        The rows.
    y : array-like or series
        Their classes or numbers.
    sample_weight : array-like of float or None, default None
        Their weights; None gives every row weight 1.

    Returns
    -------
    ColumnRanking
        As :func:`rank_columns` gives it.

    Raises
    ------
    DataError
        If there is no such node, or no row reaches it.
    """
    if not 0 <= node < tree.n_nodes:
        raise DataError(f"The tree has nodes 0 to {tree.n_nodes - 1}. Got {node}.")
    table = table_of(X, tree.schema)
    passes = tree.decision_path(table)[:, [node]].toarray().ravel()
    weights = weights_of(sample_weight, table.n_rows) * passes
    if not weights.any():
        raise DataError(f"None of the rows reaches node {node}.")
    return _ranking(tree.schema, table, target_of(y, tree.schema, table.n_rows, weights))


def _ranking(schema: Schema, table: _core.Table, target: _core.Target) -> ColumnRanking:
    ranked, n_rows = _core.rank_columns(table, target)
    columns = tuple(
        RankedColumn(schema.names[column], weight, statistic, math.exp(log_p), log_p)
        for column, weight, statistic, log_p in ranked
    )
    return ColumnRanking(columns, n_rows)


def _cells(column: RankedColumn) -> tuple[str, str, str]:
    if not column.can_be_chosen:
        return "-", "-", "-"
    weight = "" if math.isnan(column.weight) else f"{column.weight:.4g}"
    if math.isnan(column.statistic):
        return weight, "-", "-"
    p_value = f"{column.p_value:.2g}"
    if column.p_value == 0 and math.isfinite(column.log_p):
        p_value = f"1e{column.log_p / math.log(10):.0f}"
    return weight, f"{column.statistic:.4g}", p_value
