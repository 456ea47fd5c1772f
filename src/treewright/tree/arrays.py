"""The arrays of the compiled tree, one entry per node, fetched once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright import _core

__all__ = ["Arrays"]


@dataclass(frozen=True, slots=True)
class Arrays:
    """What the compiled tree says of its nodes, as arrays."""

    first_child: NDArray[np.int32]
    n_branches: NDArray[np.int32]
    parent: NDArray[np.int32]
    depth: NDArray[np.int32]
    rows: NDArray[np.float64]
    statistics: NDArray[np.float64]
    stopped: NDArray[np.float64]  # statistics of the rows that ended at an inner node
    weight: NDArray[np.float64]
    value: NDArray[np.float64]
    probabilities: NDArray[np.float64]  # of classes; of numbers, the number
    gain: NDArray[np.float64]
    missing: NDArray[np.int8]
    default_branch: NDArray[np.int32]

    @classmethod
    def of(cls, core: _core.Tree) -> Arrays:
        """Fetch the arrays of a compiled tree."""
        statistics = core.statistics
        return cls(
            first_child=core.first_child,
            n_branches=core.n_branches,
            parent=core.parent,
            depth=core.depth,
            rows=core.rows,
            statistics=statistics,
            stopped=core.stopped_statistics,
            weight=statistics.sum(axis=1) if core.is_classification else statistics[:, 0],
            value=core.value,
            probabilities=core.probabilities,
            gain=core.gain,
            missing=core.missing,
            default_branch=core.default_branch,
        )

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Whether each node is a leaf."""
        leaves: NDArray[np.bool_] = self.n_branches == 0
        return leaves
