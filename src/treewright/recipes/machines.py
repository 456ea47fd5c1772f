"""Systems that fit a linear machine or a linear program at each node: LMDT, P-BOT, Brown's tree."""

from __future__ import annotations

from typing import Any

from treewright.estimators import GrowthRules, TreeClassifier
from treewright.prune import CostComplexity
from treewright.recipes.parts import makes
from treewright.splits import LMDT, PBOT, LinearProgram

__all__ = ["linear_program", "lmdt", "pbot"]


@makes(split=("elimination",))
def lmdt(*, elimination: float | None = 0.01, **parameters: Any) -> TreeClassifier:
    """Return LMDT: one branch per class by perceptrons that cool down; reduced-error pruning.

    A baseline. Training is random; set ``random_state`` to have the same tree again. Splits on
    categorical columns compete as sets of levels.

    Parameters
    ----------
    elimination : float or None, default 0.01
        Columns are removed while the proportion of rows classified correctly stays within this of
        the best; see :class:`treewright.splits.LMDT`, which has the temperatures too.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change; ``prune=None`` gives the
        unpruned tree.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Utgoff, Brodley (1991), Linear machine decision trees, technical report, University of
    Massachusetts.

    Brodley, Utgoff (1995), Multivariate decision trees, *Machine Learning* 19.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> lmdt(random_state=0).fit(X, y).tree_.n_leaves
    3
    """
    settings: dict[str, Any] = {
        "split": LMDT(elimination=elimination),
        "prune": "reduced_error",
        "growth_rules": GrowthRules(zero_gain=True),
        "readable": False,
    }
    return TreeClassifier(**{**settings, **parameters})


@makes(split=("ridge",))
def pbot(*, ridge: float = 0.01, levels: int = 2, **parameters: Any) -> TreeClassifier:
    """Return P-BOT: two levels of multinomial logistic regression, a branch a predicted class.

    A baseline, not meant to be read. In each branch with several classes and 10 rows at least, a
    second regression gives the prediction; in the others the majority does. Splits on categorical
    columns compete as sets of levels.

    Parameters
    ----------
    ridge : float, default 0.01
        What half a squared coefficient costs; see :class:`treewright.splits.PBOT`.
    levels : int, default 2
        Levels of regressions; 1 is the regression itself.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change, such as ``min_samples_split``.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Axelrod, Campos, Envarli (2005), Perceptron-based oblique trees (P-BOT), Georgia Institute of
    Technology; as reviewed by Truong (2009), Fast growing and concise oblique trees via
    logistic regression models, section 3.2.4.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = pbot().fit(X, y)
    >>> int((model.predict(X) != y).sum())
    1
    """
    settings: dict[str, Any] = {
        "split": PBOT(ridge, levels=levels),
        "max_depth": levels,
        "min_samples_split": 10,
        "growth_rules": GrowthRules(zero_gain=True),
        "readable": False,
    }
    return TreeClassifier(**{**settings, **parameters})


@makes(split=("loss",), prune=("se",))
def linear_program(*, loss: str = "minimax", se: float = 1.0, **parameters: Any) -> TreeClassifier:
    """Return the tree of Brown, Pittard and Park: linear splits by linear programming.

    A baseline. Growth by the Gini index and cost-complexity pruning are ours; what is known of the
    system ends with its splits. Splits on categorical columns compete as sets of levels.

    Parameters
    ----------
    loss : {"minimax", "hinge"}, default "minimax"
        What the programs make small: the worst error, as published, or the sum of errors, which
        one outlier does not upset; see :class:`treewright.splits.LinearProgram`.
    se : float, default 1.0
        The rule of k standard errors in 10-fold cross-validation; 0 takes the least risk.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change; ``prune=None`` gives the
        unpruned tree, in an eleventh of the time.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Brown, Pittard, Park (1996), Classification trees with optimal multivariate decision nodes,
    *Pattern Recognition Letters* 17.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> linear_program(loss="hinge").fit(X, y).tree_.n_leaves
    3
    """
    settings: dict[str, Any] = {
        "split": LinearProgram(loss),
        "prune": CostComplexity(se=se),
        "readable": False,
    }
    return TreeClassifier(**{**settings, **parameters})
