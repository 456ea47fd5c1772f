"""Hill climbing from what another method proposes."""

from __future__ import annotations

from typing import ClassVar, Self

from treewright import _core
from treewright.base.parameters import Check, anything, count
from treewright.splits.base import SplitMethod
from treewright.splits.naming import as_split

__all__ = ["Climb"]


class Climb(SplitMethod):
    """Linear splits of another method, their coefficients moved while the impurity falls.

    Each coefficient in turn is moved to where it divides the rows of the node best. No column is
    added, and the better of the old and the new split is kept. Splits of other kinds, and splits on
    one column, stay as they are.

    Parameters
    ----------
    method : SplitMethod or str
        What proposes the splits to start from, such as ``MUST(2)`` or ``Logistic()``.
    n_jumps : int, default 0
        Random directions tried where no coefficient helps. 0 keeps the climb free of chance.
    max_passes : int, default 20
        Most passes over the coefficients.

    See Also
    --------
    OC1 : The climb from a threshold and random starts.
    Best : The best of several methods.

    Notes
    -----
    For regression `criterion` must be ``"squared_error"``.

    References
    ----------
    Truong (2009), Fast growing and concise oblique trees via logistic regression models, DPhil
    thesis, University of Oxford.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> from treewright.splits import MUST
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> start = MUST(2, selection="fisher", concise=None)
    >>> for split in (start, Climb(start)):
    ...     model = TreeClassifier(split=split, max_depth=2).fit(X, y)
    ...     print(f"{model.score(X, y):.3f}")
    0.973
    0.980
    """

    _checks: ClassVar[dict[str, Check]] = {
        "method": anything("a split method"),
        "n_jumps": count(0),
        "max_passes": count(1),
    }

    def __init__(
        self, method: SplitMethod | str, *, n_jumps: int = 0, max_passes: int = 20
    ) -> None:
        self.method = method
        self.n_jumps = n_jumps
        self.max_passes = max_passes

    @property
    def parts(self) -> tuple[SplitMethod, ...]:
        """The method to start from."""
        return (as_split(self.method),)

    @property
    def for_classes_only(self) -> bool:
        """Whether the method to start from has no form for a numeric target."""
        return self.parts[0].for_classes_only

    @property
    def tests_levels(self) -> bool:
        """Whether the method to start from splits categorical columns itself."""
        return self.parts[0].tests_levels

    def with_levels(self, levels: SplitMethod) -> Self:
        """Return a method that climbs from one that splits categorical columns too.

        Parameters
        ----------
        levels : SplitMethod
            How categorical columns are split.

        Returns
        -------
        Climb
            The method with it.
        """
        start = self.parts[0].with_levels(levels)
        return type(self)(start, n_jumps=self.n_jumps, max_passes=self.max_passes)

    def check(self) -> None:
        """Refuse a parameter of a wrong value, here or in the method to start from."""
        super().check()
        self.parts[0].check()

    def check_depth(self, max_depth: int | None) -> None:
        """Refuse a method whose parameters a tree of this depth would ignore.

        Parameters
        ----------
        max_depth : int or None
            Most splits on a path; None for no limit.
        """
        self.parts[0].check_depth(max_depth)

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = {
            "n_jumps": float(self.n_jumps),
            "max_passes": float(self.max_passes),
        }
        return _core.make_method("climb", parameters, [self.parts[0].build()])
