"""Two simple conditions joined by and, or, xor."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, count, none, one_of
from treewright.splits.axis import Axis
from treewright.splits.base import SplitMethod

__all__ = ["Pairs"]


class Pairs(SplitMethod):
    r"""Conditions and, in the first levels of a tree, pairs joined by and, or, xor: CART-alpha.

    Parameters
    ----------
    levels : int or None, default 1
        Levels of the tree, the root's being the first, where pairs are tried beside single
        conditions; the alpha of the paper. 0 gives single conditions only, None tries pairs
        everywhere. At most ``max_depth``.
    functions : {3, 5}, default 3
        How two conditions may be joined: ``and``, ``or``, ``xor``, as in the paper; or also "one
        and not the other", both ways, which makes the list complete.
    thresholds : int, default 16
        The most conditions of one column that are joined with others. Raise it where cuts must be
        exact; the work grows with its square.

    See Also
    --------
    Axis : Single thresholds.
    treewright.OptimalTreeClassifier : The same pairs in trees that are proven best.
    treewright.recipes.cart_alpha : The whole system.

    Notes
    -----
    Single conditions are those of :class:`treewright.splits.Axis` and, for categorical columns,
    those that ``categorical=`` names. The conditions that are joined are fewer:

    - a numeric column with two values, such as 0 and 1, has one: between them;
    - another numeric column is cut between all its values in the node if there are no more cuts
      than `thresholds`; otherwise at quantiles of the node's rows, and where one cut is best;
    - a level of a categorical column is tested against the other levels in the node, the most
      frequent `thresholds` of them; of two levels one is.

    Two cuts of one numeric column are joined to the interval between them, whatever `functions`
    is. A single condition is kept unless a pair is better by the measure of the tree. A row lacking
    one of two values is sent on by the other where that settles the outcome, and follows
    ``missing=`` where it does not. For absolute error, pairs are compared by squared error.

    References
    ----------
    Mălan (2021), Devising multivariate splits for optimal decision trees, Delft University of
    Technology, section 5.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> table = {"smoker": [0, 0, 1, 1] * 3, "runner": [0, 1, 0, 1] * 3, "age": range(12)}
    >>> answers = ["well", "well", "ill", "well"] * 3
    >>> model = TreeClassifier(split=Pairs(functions=5)).fit(table, answers)
    >>> print("\n".join(model.rules()))
    if runner <= 0 and smoker > 0 then ill (100 %, 3 rows)
    if runner > 0 or smoker <= 0 then well (100 %, 9 rows)
    """

    _checks: ClassVar[dict[str, Check]] = {
        "levels": one_of(none(), count(0)),
        "functions": Check("3 or 5", lambda value: value in (3, 5)),
        "thresholds": count(1),
    }

    def __init__(self, levels: int | None = 1, *, functions: int = 3, thresholds: int = 16) -> None:
        self.levels = levels
        self.functions = functions
        self.thresholds = thresholds

    def check_depth(self, max_depth: int | None) -> None:
        """Refuse more levels than the tree may have.

        Parameters
        ----------
        max_depth : int or None
            Most splits on a path; None for no limit.
        """
        if self.levels is not None and max_depth is not None and self.levels > max_depth:
            raise ValueError(
                "The 'levels' parameter of Pairs must not be above 'max_depth', which is "
                f"{max_depth}. Got {self.levels}; lower it, or set it to None for all levels."
            )

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = {
            "levels": -1.0 if self.levels is None else float(self.levels),
            "functions": float(self.functions),
            "thresholds": float(self.thresholds),
        }
        pairs = _core.make_method("pairs", parameters, [])
        return _core.make_method("best", {}, [Axis().build(), pairs])
