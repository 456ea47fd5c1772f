"""A compiled tree on rows of data: where they go and what is predicted for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.exceptions import DataError, brief
from treewright.schema import Level, Schema, encode_labels, encode_numbers
from treewright.schema.columns import exactly

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = [
    "class_codes",
    "decision_path",
    "label_array",
    "leaf_shares",
    "predict",
    "table_of",
    "target_of",
    "weights_of",
]


def table_of(X: Any, schema: Schema, columns: Sequence[int] | None = None) -> _core.Table:
    """Encode rows for the core by the columns that are read; a table of the core stays as it is.

    Parameters
    ----------
    X : data frame, 2-D array, list of dicts, or treewright._core.Table
        The rows.
    schema : Schema
        The columns that they must have.
    columns : sequence of int or None, default None
        Positions of the columns that are read, the only ones that must be there; None for all.

    Returns
    -------
    treewright._core.Table
        The rows, as the core reads them.
    """
    if isinstance(X, _core.Table):
        return X
    return _core.Table(schema.encode(X, columns=columns), schema.n_levels)


def target_of(y: Any, schema: Schema, n_rows: int, sample_weight: Any = None) -> _core.Target:
    """Encode the targets of rows for the core; a target of the core is taken as it is.

    Parameters
    ----------
    y : array-like, series, or treewright._core.Target
        One label or number per row; labels must be classes of the schema.
    schema : Schema
        The schema of the tree.
    n_rows : int
        The number of rows there should be.
    sample_weight : array-like of float or None, default None
        Weights of the rows, 0 or more; 1 each if None.

    Returns
    -------
    treewright._core.Target
        Codes in the order of the schema's classes, or numbers.

    Raises
    ------
    DataError
        If a label is not among the classes, or weights are not as many as rows or negative.
    """
    if isinstance(y, _core.Target):
        return y
    weights = weights_of(sample_weight, n_rows)
    if schema.classes is None:
        return _core.Target.numbers(encode_numbers(y, n_rows=n_rows), weights)
    codes = class_codes(y, schema.classes, n_rows)
    return _core.Target.classes(codes, len(schema.classes), weights)


def class_codes(y: Any, classes: tuple[Level, ...], n_rows: int) -> NDArray[np.int32]:
    """Turn labels into positions in the classes of a tree.

    Raises
    ------
    DataError
        If a label is not among the classes, or there are not as many as rows.
    """
    codes, labels = encode_labels(y, n_rows=n_rows)
    known = {label: code for code, label in enumerate(classes)}
    strangers = [label for label in labels if label not in known]
    if strangers:
        raise DataError(
            f"The target holds {brief(strangers[0])}, which is not one of the classes of the tree: "
            f"{', '.join(brief(label) for label in classes)}."
        )
    code_of = np.array([known[label] for label in labels], dtype=np.int32)
    return code_of[codes]


def weights_of(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Check the weights of rows; 1 each if None."""
    if sample_weight is None:
        return np.ones(n_rows)
    try:
        weights = np.ascontiguousarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"Weights must be numbers, one per row. Got {brief(sample_weight)}."
        ) from None
    if weights.shape != (n_rows,):
        raise DataError(
            f"There must be one weight a row, {n_rows} in all. Got an array of shape "
            f"{weights.shape}."
        )
    if not np.all(np.isfinite(weights)) or np.any(weights < 0.0):
        raise DataError("Weights must be finite numbers of at least 0.")
    return weights


def leaf_shares(core: _core.Tree, table: _core.Table) -> csr_matrix:
    """Find what proportion of each row ends in each node."""
    starts, leaves, shares = core.leaf_shares(table)
    return _by_node(core, table, starts, leaves, shares)


def decision_path(core: _core.Tree, table: _core.Table) -> csr_matrix:
    """Mark the nodes each row passes.

    Parameters
    ----------
    core : treewright._core.Tree
        The compiled tree.
    table : treewright._core.Table
        The rows, as the core reads them.

    Returns
    -------
    csr_matrix
        Rows times nodes, 1 where the row passes the node.
    """
    starts, nodes = core.decision_paths(table)
    path = _by_node(core, table, starts, nodes, np.ones(len(nodes), dtype=np.int64))
    path.sort_indices()
    return path


def predict(core: _core.Tree, schema: Schema, table: _core.Table) -> NDArray[Any]:
    """Predict the class label or the number of each row."""
    if schema.classes is None:
        return core.predict_values(table)
    return label_array(schema.classes)[core.predict_classes(table)]


def _by_node(
    core: _core.Tree,
    table: _core.Table,
    starts: NDArray[np.int64],
    nodes: NDArray[np.int32],
    values: NDArray[Any],
) -> csr_matrix:
    from scipy.sparse import csr_matrix

    return csr_matrix((values, nodes, starts), shape=(table.n_rows, core.n_nodes))


def label_array(classes: tuple[Any, ...]) -> NDArray[Any]:
    """Make an array of class labels, of objects where NumPy would make others of them.

    It does of labels of several types, of text that ends in the character 0, and of whole numbers
    some of which need a sign and some 64 bits.

    Examples
    --------
    >>> label_array((1, 2)).dtype, label_array((-1, 2**63)).dtype
    (dtype('int64'), dtype('O'))
    """
    labels = np.array(classes)
    if exactly(labels.tolist()) != exactly(classes):
        labels = np.empty(len(classes), dtype=object)
        labels[:] = classes
    return labels
