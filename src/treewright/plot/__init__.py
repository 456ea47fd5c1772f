"""Pictures of a tree beside its data, drawn with matplotlib.

This room is the only one that needs matplotlib, and loads it when it is first used. It takes a Tree
and rows, never an estimator, and keeps away from pyplot: a figure belongs to whoever asked for it.

In this order, each using only what stands before: ``rows`` (which rows reach a node), ``words``
(texts short enough to draw), ``styles`` (colours, markers, hatches), ``geometry`` (cuts in a box),
``panel`` (what one picture needs to know), ``axes`` (ticks, names, branches of one pair of axes),
``points`` (rows as points), ``scale`` (an axis divided by branch), ``histogram`` (rows as bars),
``along`` (rows along one number), ``scatter`` (rows over two or three columns), ``levels`` (rows by
level), ``coefficients`` (the weights of a sum), ``pairs`` and ``machines`` (the regions of such
tests), ``kinds`` (which picture suits a test), ``legend``, ``split_panels`` (the figures).
"""

from treewright.exceptions import MissingDependencyError

try:
    import matplotlib  # noqa: F401
except ImportError:
    raise MissingDependencyError(
        "treewright.plot needs the package matplotlib; install it with "
        "'pip install \"treewright[plot]\"'."
    ) from None

from treewright.plot.split_panels import split_panel, split_panels

__all__ = ["split_panel", "split_panels"]
