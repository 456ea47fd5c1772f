"""Readable oblique splits by linear discriminant analysis."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, choice, count, none, one_of
from treewright.splits.base import SplitMethod

__all__ = ["MUST"]


class MUST(SplitMethod):
    """Splits on a few numeric columns by linear discriminant analysis: readable oblique splits.

    Parameters
    ----------
    features : int or "all", default 2
        Columns in a split, at most. 1 guesses a threshold on every column, takes the best column
        and cuts it where it is best; 2 and 3 give lines and planes that can be drawn.
    selection : {"forward", "fisher", "mahalanobis"}, default "forward"
        How columns are chosen. "fisher", as in the paper: each by itself (with a numeric target by
        its correlation with it). "forward": the best by itself, joined one by one by the column
        with which the groups lie furthest apart. "mahalanobis": by their part in the direction of
        all columns, which misleads where columns go together.
        Not for one column of classes, which is chosen by its guess, nor with
        ``multiclass="scatter"``, which has contributions of its own.
    multiclass : {"means", "rows", "best_bipartition", "largest", "scatter"}, default "means"
        What to do with more than two classes: divide them in two groups by 2-means on the means of
        the classes or on the rows, in the best of all ways (up to 6 classes, ``"means"`` beyond),
        or into the largest class and the others; or look for the direction that spreads all
        classes (``"scatter"``). ``"rows"`` is what the paper has; it reads the table many times.
    direction : {"ridge", "covariance", "bipartition"}, default "ridge"
        For regression: that of least squares ("covariance"); the same by ridge regression, which
        trusts columns that go together the less the fewer rows there are; or the discriminant of
        the target cut in two.
    small_sample : {"ridge", "null_space"}, default "ridge"
        What to do where there are no more rows than columns: some direction then separates any
        groups. "null_space" takes it, as the paper has it. Not with ``multiclass="scatter"``.
    concise : {"bic", "score"} or None, default "bic"
        When a condition on one column takes the place of one on several: "score" where the best
        condition on one column, of all columns and thresholds, scores at least as well; "bic" also
        where the further columns save fewer bits in describing the target than they cost, half the
        logarithm of the rows each. None never does, as in the paper. Not with
        ``features="all"``, which asks for them all.

    See Also
    --------
    Logistic : Linear combinations by logistic regression.
    FTest : A threshold, or a linear combination, without a search.
    treewright.recipes.must : The whole system, with pruning.

    Notes
    -----
    Under "bic" weights count as so many rows; if they sum to less than the number of rows, each
    counts once on average.

    References
    ----------
    Leroux, Boussard, Des (2018), Inducing readable oblique decision trees, *ICTAI*.

    Schwarz (1978), Estimating the dimension of a model, *Annals of Statistics* 6(2), 461-464.

    Hoerl, Kennard, Baldwin (1975), Ridge regression: some simulations, *Communications in
    Statistics* 4(2), 105-123.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = TreeClassifier(split=MUST(features=2), gain="balanced", criterion="entropy")
    >>> model.set_params(max_depth=2).fit(X, y).tree_.n_leaves
    3
    """

    _checks: ClassVar[dict[str, Check]] = {
        "features": one_of(count(1), choice("all")),
        "selection": choice("forward", "fisher", "mahalanobis"),
        "multiclass": choice("means", "rows", "best_bipartition", "scatter", "largest"),
        "direction": choice("ridge", "covariance", "bipartition"),
        "small_sample": choice("ridge", "null_space"),
        "concise": one_of(choice("bic", "score"), none()),
    }

    def __init__(
        self,
        features: int | str = 2,
        *,
        selection: str = "forward",
        multiclass: str = "means",
        direction: str = "ridge",
        small_sample: str = "ridge",
        concise: str | None = "bic",
    ) -> None:
        self.features = features
        self.selection = selection
        self.multiclass = multiclass
        self.direction = direction
        self.small_sample = small_sample
        self.concise = concise

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = self.get_params(deep=False)
        parameters["concise"] = self.concise or "none"
        parameters["features"] = 0.0 if self.features == "all" else float(self.features)
        return _core.make_method("must", parameters, [])
