"""The binary files of the optimal-tree literature: zeros and ones, the class comes first."""

from __future__ import annotations

from pathlib import Path

import numpy as np

# All of the collection that are at hand.
BINARY_SETS = (
    *("anneal", "audiology", "australian-credit", "breast-wisconsin", "diabetes"),
    *("german-credit", "heart-cleveland", "hepatitis", "hypothyroid", "ionosphere"),
    *("kr-vs-kp", "lymph", "mushroom", "pendigits", "primary-tumor", "segment", "soybean"),
    *("splice-1", "tic-tac-toe", "vehicle", "vote", "yeast", "zoo-1"),
)
# Mălan (2022), Table 2.
PAPER_SETS = (
    *("anneal", "audiology", "breast-wisconsin", "diabetes", "heart-cleveland", "hepatitis"),
    *("kr-vs-kp", "lymph", "mushroom", "primary-tumor", "segment", "soybean", "tic-tac-toe"),
    *("vote", "yeast"),
)


def path_of(folder: Path, name: str) -> Path | None:
    """Return where a file is, packed or not; None if it is not there."""
    for ending in (".txt", ".txt.gz"):
        path = folder / "binary" / f"{name}{ending}"
        if path.is_file():
            return path
    return None


def read_binary(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the columns of zeros and ones, and the classes."""
    table = np.loadtxt(path, dtype=np.int32)
    return np.ascontiguousarray(table[:, 1:]), table[:, 0].copy()
