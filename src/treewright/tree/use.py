"""A compiled tree on rows of data: where they go and what is predicted for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.schema import Schema

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["decision_path", "leaf_shares", "predict", "table_of"]


def table_of(X: Any, schema: Schema) -> _core.Table:
    """Encode rows for the core; a table of the core is taken as it is."""
    if isinstance(X, _core.Table):
        return X
    return _core.Table(schema.encode(X), schema.n_levels)


def leaf_shares(core: _core.Tree, table: _core.Table) -> csr_matrix:
    """Find which share of each row ends in each leaf."""
    starts, leaves, shares = core.leaf_shares(table)
    return _by_node(core, table, starts, leaves, shares)


def decision_path(core: _core.Tree, table: _core.Table) -> csr_matrix:
    """Mark the nodes each row passes."""
    starts, nodes = core.decision_paths(table)
    path = _by_node(core, table, starts, nodes, np.ones(len(nodes), dtype=np.int64))
    path.sort_indices()
    return path


def predict(core: _core.Tree, schema: Schema, table: _core.Table) -> NDArray[Any]:
    """Predict the class label or the number of each row."""
    if schema.classes is None:
        return core.predict_values(table)
    codes = core.predict_classes(table)
    if core.divides_rows:
        starts, _, _ = core.leaf_shares(table)
        divided = np.diff(starts) > 1
        if np.any(divided):
            codes[divided] = np.argmax(core.distribution(table)[divided], axis=1)
    return _label_array(schema.classes)[codes]


def _by_node(
    core: _core.Tree,
    table: _core.Table,
    starts: NDArray[np.int64],
    nodes: NDArray[np.int32],
    values: NDArray[Any],
) -> csr_matrix:
    from scipy.sparse import csr_matrix

    return csr_matrix((values, nodes, starts), shape=(table.n_rows, core.n_nodes))


def _label_array(classes: tuple[Any, ...]) -> NDArray[Any]:
    """Make an array of class labels; labels of different types stay what they are."""
    if len({type(label) for label in classes}) > 1:
        labels = np.empty(len(classes), dtype=object)
        labels[:] = classes
        return labels
    return np.array(classes)
