"""One branch per class by multinomial logistic regression."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, count, none, number, one_of
from treewright.splits.base import SplitMethod

__all__ = ["PBOT"]


class PBOT(SplitMethod):
    """Splits of P-BOT: a branch for each class that multinomial logistic regression predicts.

    Parameters
    ----------
    ridge : float, default 0.01
        What half a squared coefficient costs, on standardised columns and with weights of rows as
        they are. It keeps classes that can be separated from growing without end; must be positive.
    levels : int or None, default 2
        Levels of splits. Leaves of the last level predict the class of the regression, those
        above the majority class of their rows. 1 is the regression itself; None goes on as long as
        the tree may grow, and leaves predict their majority class. At most ``max_depth``.

    See Also
    --------
    LMDT : Linear scores by perceptrons.
    treewright.recipes.pbot : The whole system.

    Notes
    -----
    For classification only. A class that is predicted for no row of the node has a branch too, a
    leaf that predicts the class, unless there is one numeric column only. With costs of errors,
    leaves that hold rows predict the cheapest class. A row that lacks one of the columns has no
    known branch; rows with a missing value take no part in the regression, and a leaf that they are
    sent to predicts the majority class of its rows on the last level too (but for
    ``missing="fraction"``).

    References
    ----------
    Axelrod, Campos, Envarli (2005), Perceptron-based oblique trees (P-BOT), Georgia Institute of
    Technology; as reviewed by Truong (2009), Fast growing and concise oblique trees via
    logistic regression models, section 3.2.4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> for levels in (1, 2):
    ...     model = TreeClassifier(split=PBOT(levels=levels), min_samples_split=10).fit(X, y)
    ...     print((model.predict(X) != y).sum(), "errors")
    2 errors
    1 errors
    """

    _checks: ClassVar[dict[str, Check]] = {
        "ridge": number(0.0, above=True),
        "levels": one_of(none(), count(1)),
    }

    def __init__(self, ridge: float = 0.01, *, levels: int | None = 2) -> None:
        self.ridge = ridge
        self.levels = levels

    @property
    def for_classes_only(self) -> bool:
        """Whether the method has no form for a numeric target."""
        return True

    def check_depth(self, max_depth: int | None) -> None:
        """Refuse more levels than the tree may have.

        Parameters
        ----------
        max_depth : int or None
            Most splits on a path; None for no limit.
        """
        if self.levels is not None and max_depth is not None and self.levels > max_depth:
            raise ValueError(
                "The 'levels' parameter of PBOT must not be above 'max_depth', which is "
                f"{max_depth}. Got {self.levels}; set both, or 'max_depth' to None."
            )

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = {
            "ridge": float(self.ridge),
            "levels": 0.0 if self.levels is None else float(self.levels),
        }
        return _core.make_method("pbot", parameters, [])
