"""The tables behind the recorded outputs that everybody has: bundled, or made by a rule.

Iris, wine, breast cancer and diabetes come with scikit-learn, loans and households with treewright.
MONK's problems (Thrun et al. 1991) are rules over all 432 rows of six attributes; of their random
training parts `recorded.json` keeps the row numbers. The 958 boards at the end of tic-tac-toe are
played out. Golf and tennis, fourteen rows each, are Quinlan's and stand in `recorded.json`.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pandas as pd
from sklearn import datasets as bundled

from treewright import datasets

MONK_LEVELS = (3, 3, 2, 3, 4, 2)
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def iris() -> pd.DataFrame:
    """The columns as R has them; the rows are R's, too."""
    table = bundled.load_iris(as_frame=True)
    names = [name.removesuffix(" (cm)").replace(" ", "_") for name in table.feature_names]
    return table.data.set_axis(names, axis=1).assign(target=table.target_names[table.target])


def wine() -> pd.DataFrame:
    table = bundled.load_wine(as_frame=True)
    names = [name.replace("/", "_") for name in table.feature_names]
    return table.data.set_axis(names, axis=1).assign(target=table.target_names[table.target])


def cancer() -> pd.DataFrame:
    table = bundled.load_breast_cancer(as_frame=True)
    names = [name.replace(" ", "_") for name in table.feature_names]
    return table.data.set_axis(names, axis=1).assign(target=table.target_names[table.target])


def diabetes() -> pd.DataFrame:
    return bundled.load_diabetes(as_frame=True, scaled=False).frame


def households() -> pd.DataFrame:
    return _with_categories(datasets.load_households(as_frame="pandas"), target="behind")


def loans() -> pd.DataFrame:
    table = datasets.load_loans(as_frame="pandas").drop(columns="interest_rate")
    return _with_categories(table, target="repaid")


def rates() -> pd.DataFrame:
    """Loans with the interest rate as the target."""
    table = datasets.load_loans(as_frame="pandas").drop(columns="repaid")
    return _with_categories(table, target="interest_rate")


def monk(number: int) -> pd.DataFrame:
    """All rows of one of MONK's problems, with the class of its rule."""
    names = [f"attribute#{place}" for place in range(1, 7)]
    rows = list(itertools.product(*(range(1, levels + 1) for levels in MONK_LEVELS)))
    table = pd.DataFrame(rows, columns=names)
    first, second, _, fourth, fifth, _ = (table[name] for name in names)
    belongs = {
        1: (first == second) | (fifth == 1),
        2: (table == 1).sum(axis=1) == 2,
        3: ((fifth == 3) & (fourth == 1)) | ((fifth != 4) & (second != 3)),
    }[number]
    for name, levels in zip(names, MONK_LEVELS, strict=True):
        known = [str(level) for level in range(1, levels + 1)]
        table[name] = pd.Categorical(table[name].astype(str), categories=known)
    return table.assign(target=belongs.astype(int).astype(str))


def tic_tac_toe() -> tuple[np.ndarray, np.ndarray]:
    """The boards at the end of a game that x began, one row per mark and square; who won."""
    ends: set[str] = set()

    @functools.cache  # a board is reached in many orders
    def play(board: str, mark: str, other: str) -> None:
        won = any(all(board[square] == other for square in line) for line in LINES)
        if won or " " not in board:
            ends.add(board)
            return
        for square in (square for square in range(9) if board[square] == " "):
            play(board[:square] + mark + board[square + 1 :], other, mark)

    play(" " * 9, "x", "o")
    boards = sorted(ends)
    conditions = [
        [board[square] == mark for board in boards] for square in range(9) for mark in "xo "
    ]
    wins = [any(all(board[i] == "x" for i in line) for line in LINES) for board in boards]
    return np.array(conditions), np.array(wins, dtype=np.int64)


def _with_categories(table: pd.DataFrame, *, target: str) -> pd.DataFrame:
    """Text and booleans as categories with sorted levels, the target last."""
    values = table.pop(target)
    for column in table.columns:
        if not pd.api.types.is_numeric_dtype(table[column]) or table[column].dtype == bool:
            text = table[column].map(lambda value: str(value), na_action="ignore")
            table[column] = pd.Categorical(text, categories=sorted(text.dropna().unique()))
    return table.assign(target=values)
