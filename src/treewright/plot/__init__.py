"""Pictures of trees and of their data, drawn with matplotlib.

This room is the only one that needs matplotlib, and loads it when it is first used. It takes a Tree
and rows, never an estimator, and keeps away from pyplot: a figure belongs to whoever asked for it.

In this order, each using only what stands before: ``rows`` (which rows reach a node), ``words``
(texts short enough to draw), ``styles`` (colours, markers, hatches), ``geometry`` (cuts in a box),
``panel`` (what one picture needs to know), ``axes`` (ticks, names, branches of one pair of axes),
``figures`` (what all figures share), ``points`` (rows as points), ``legend``.

Tests of a tree: ``scale`` (an axis divided by branch), ``histogram`` (rows as bars), ``along``
(rows along one number), ``scatter`` (rows over two or three columns), ``levels`` (rows by level),
``coefficients`` (the weights of a sum), ``pairs`` and ``machines`` (the regions of such tests),
``kinds`` (which picture suits a test), ``split_panels`` (the figures).

Whole trees: ``chosen_columns`` (columns by name or position), ``pieces`` (a window cut along the
tests), ``plane`` (which window), ``decision_regions`` (the figure); ``path_steps`` (a sequence of
trees); ``skeleton_layout`` and ``skeletons`` (shapes of trees). Before there is a tree:
``impurities`` (every cut along a number), ``impurity_profile``, ``ideal_splits`` (boundaries of
logistic regressions), ``impurity_surface``.
"""

from treewright.exceptions import MissingDependencyError

try:
    import matplotlib  # noqa: F401
except ImportError:
    raise MissingDependencyError(
        "treewright.plot needs the package matplotlib; install it with "
        "'pip install \"treewright[plot]\"'."
    ) from None

from treewright.plot.decision_regions import decision_regions
from treewright.plot.impurity_profile import impurity_profile
from treewright.plot.impurity_surface import impurity_surface
from treewright.plot.path_steps import path_steps
from treewright.plot.skeletons import skeletons
from treewright.plot.split_panels import split_panel, split_panels

__all__ = [
    "decision_regions",
    "impurity_profile",
    "impurity_surface",
    "path_steps",
    "skeletons",
    "split_panel",
    "split_panels",
]
