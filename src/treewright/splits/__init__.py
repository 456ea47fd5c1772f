"""Split methods: ways of finding the test at a node.

The objects here hold parameters only; the loops are in the compiled core or, for methods written
in Python, in the decorated function. Methods compose: ``Best(Axis(), my_method)`` takes the better
of what the two propose at every node. To add a method of the core, give its parameter class a file
of its own and list it in ``METHODS``.
"""

from __future__ import annotations

from collections.abc import Iterable

from treewright.splits.axis import Axis
from treewright.splits.base import NodeData, SplitMethod
from treewright.splits.best import Best
from treewright.splits.cart_lc import CARTLC
from treewright.splits.categorical import Categorical
from treewright.splits.climb import Climb
from treewright.splits.cruise import CRUISE
from treewright.splits.example import Example
from treewright.splits.f_test import FTest
from treewright.splits.fact import FACT
from treewright.splits.hhcart import HHCART
from treewright.splits.linear_program import LinearProgram
from treewright.splits.lmdt import LMDT
from treewright.splits.logistic import Logistic
from treewright.splits.must import MUST
from treewright.splits.naming import as_split, split_names, split_words
from treewright.splits.oc1 import OC1
from treewright.splits.pairs import Pairs
from treewright.splits.pbot import PBOT
from treewright.splits.python import PythonSplit, split_method
from treewright.splits.quest import QUEST
from treewright.splits.ranking import ColumnRanking, RankedColumn, rank_columns, rank_columns_at
from treewright.splits.sadt import SADT
from treewright.splits.wodt import WODT

__all__ = [
    "HHCART",
    "SADT",
    "WODT",
    "LMDT",
    "METHODS",
    "MUST",
    "OC1",
    "PBOT",
    "Axis",
    "Best",
    "CARTLC",
    "Categorical",
    "Climb",
    "ColumnRanking",
    "CRUISE",
    "Example",
    "FTest",
    "FACT",
    "LinearProgram",
    "Logistic",
    "NodeData",
    "Pairs",
    "PythonSplit",
    "QUEST",
    "RankedColumn",
    "SplitMethod",
    "as_split",
    "rank_columns",
    "rank_columns_at",
    "registered",
    "split_method",
    "split_names",
    "split_words",
]

METHODS: dict[str, tuple[SplitMethod, ...]] = {
    "Axis": (Axis(), Axis("c45")),
    "CARTLC": (CARTLC(), CARTLC(2, beta=0.0)),
    "Categorical": tuple(map(Categorical, ("subset", "multiway", "grouped"))),
    "Climb": (Climb(MUST("all")), Climb(Logistic(), n_jumps=2)),
    "CRUISE": (CRUISE(), CRUISE(transform=False), CRUISE(linear=True)),
    "Example": (Example(),),
    "FTest": (
        FTest(),
        FTest(threshold="closest"),
        FTest(threshold="median", fallback=0.2),
        FTest(threshold="class_midpoint", selection="impurity"),
        FTest(2),
        FTest("all", variant="paper"),
    ),
    "FACT": (FACT(), FACT(0.0, f_to_enter=0.0)),
    "HHCART": (HHCART(), HHCART("dominant", features=2, standardize=True)),
    "SADT": (SADT(patience=20), SADT(2, start="random", patience=20)),
    "WODT": (WODT(max_iterations=20), WODT(2, n_starts=2, max_iterations=10)),
    "LMDT": (LMDT(), LMDT(elimination=None)),
    "LinearProgram": (LinearProgram(), LinearProgram("minimax")),
    "Logistic": (Logistic(), Logistic(None), Logistic("l1_bic"), Logistic(climb=True)),
    "MUST": (MUST(1), MUST(2), MUST(3), MUST("all")),
    "OC1": (
        OC1(n_restarts=2),
        OC1(2, n_restarts=1, n_jumps=0, order="sequential"),
        OC1(n_restarts=3, order="random", n_random=4, axis_bias=1.1, n_jobs=2),
    ),
    "PBOT": (PBOT(), PBOT(levels=1), PBOT(levels=None)),
    "Pairs": (Pairs(), Pairs(None, functions=5), Pairs(thresholds=2)),
    "QUEST": (QUEST(), QUEST(linear=True)),
}
"""The methods of the library by the name of their class, each as the common tests try it."""


def registered() -> Iterable[SplitMethod]:
    """Return what the common tests try: every method of the library, and one made of others."""
    return (*(method for tried in METHODS.values() for method in tried), Best(Axis()))
