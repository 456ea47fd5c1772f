"""Systems that choose splits by statistics, not by search: QUEST, CRUISE, FACT, Fisher's tree."""

from __future__ import annotations

from typing import Any

from treewright.estimators import GrowthRules, TreeClassifier
from treewright.prune import CostComplexity, CriticalValue
from treewright.recipes.classic import c45
from treewright.recipes.parts import makes
from treewright.splits import CRUISE, FACT, MUST, QUEST

__all__ = ["cruise", "fact", "fisher_tree", "quest"]


@makes(split=("linear", "alpha"), prune=("se",))
def quest(
    linear: bool = False, *, alpha: float = 0.05, se: float = 1.0, **parameters: Any
) -> TreeClassifier:
    """Return QUEST: columns by significance, one threshold by normal densities, two branches.

    Parameters
    ----------
    linear : bool, default False
        Cut the largest discriminant coordinate of the numeric columns instead of one column.
    alpha : float, default 0.05
        The level of significance; see :class:`treewright.splits.QUEST`.
    se : float, default 1.0
        The rule of k standard errors in 10-fold cross-validation; 0 takes the least risk.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change; ``prune=None`` gives the
        unpruned tree.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Loh, Shih (1997), Split selection methods for classification trees, *Statistica Sinica* 7.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> model = quest(readable=True, random_state=0).fit(X, y)
    >>> print(model.tree_)
    Classification tree for target: 178 rows, 3 leaves, depth 2
    Reading effort 1.72 values per row, training accuracy 89.3 %
    <BLANKLINE>
                           target  proportion  rows
    all rows                                    178
    ├─ flavanoids <= 1.27  2             88 %    49
    └─ flavanoids > 1.27                        129
       ├─ proline <= 790   1             86 %    72
       └─ proline > 790    0             95 %    57
    """
    return _pruned(QUEST(linear, alpha=alpha), se, parameters)


@makes(split=("linear", "alpha"), prune=("se",))
def cruise(
    linear: bool = False, *, alpha: float = 0.05, se: float = 1.0, **parameters: Any
) -> TreeClassifier:
    """Return CRUISE: columns by significance, a branch for each class predicted on them.

    Columns are chosen by significance tests on single columns; those on pairs of columns are not
    built.

    Parameters
    ----------
    linear : bool, default False
        Use linear scores of all numeric columns instead of one column.
    alpha : float, default 0.05
        The level of significance; see :class:`treewright.splits.CRUISE`.
    se : float, default 1.0
        The rule of k standard errors in 10-fold cross-validation; 0 takes the least risk.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change; ``prune=None`` gives the
        unpruned tree.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Kim, Loh (2001), Classification trees with unbiased multiway splits, *Journal of the American
    Statistical Association* 96.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> cruise(random_state=0).fit(X, y).tree_.n_leaves
    3
    """
    return _pruned(CRUISE(linear, alpha=alpha), se, parameters)


@makes(split=("components", "f_to_enter"))
def fact(*, components: float = 0.05, f_to_enter: float = 4.0, **parameters: Any) -> TreeClassifier:
    """Return FACT: one branch per class by linear discriminant analysis; growth stops by F ratios.

    Splits on categorical columns, which FACT turns into numbers, compete as sets of levels here. No
    F ratio stops them, so splits whose p-value is above 0.05 are cut off again.

    Parameters
    ----------
    components : float, default 0.05
        Principal components with an eigenvalue above this proportion of the largest are used.
    f_to_enter : float, default 4.0
        A node is split only if the F ratio of some numeric column is at least this.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    Loh, Vanichsetakul (1988), Tree-structured classification via generalized discriminant analysis,
    *Journal of the American Statistical Association* 83.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> fact().fit(X, y).tree_.n_leaves
    3
    """
    settings: dict[str, Any] = {
        "split": FACT(components, f_to_enter=f_to_enter),
        "prune": CriticalValue(),
    }
    return TreeClassifier(**{**_growth(), **settings, **parameters})


@makes(prune=("confidence",))
def fisher_tree(*, confidence: float = 0.25, **parameters: Any) -> TreeClassifier:
    """Return Fisher's decision tree: C4.5 on the discriminant direction of all numeric columns.

    More than two classes are taken as the largest one against the others. The published system
    offers its learner the original columns too; here only the direction is cut, and categorical
    columns have one branch per level.

    Parameters
    ----------
    confidence : float, default 0.25
        The confidence factor of pruning; smaller prunes more.
    **parameters
        Parameters of :class:`treewright.TreeClassifier` to change; ``prune=None`` gives the
        unpruned tree.

    Returns
    -------
    TreeClassifier
        Not fitted yet.

    References
    ----------
    López-Chau, Cervantes, López-García, Lamont (2013), Fisher's decision tree, *Expert Systems with
    Applications* 40.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> fisher_tree().fit(X, y).tree_.n_leaves
    3
    """
    split = MUST("all", multiclass="largest")
    return c45(confidence=confidence, **{"split": split, **parameters})


# The gain is not asked: tests are chosen by statistics, and a test of no gain may lead to others.
def _growth() -> dict[str, Any]:
    rules = GrowthRules(zero_gain=True)
    return {"min_samples_leaf": 5, "growth_rules": rules, "readable": False}


def _pruned(split: QUEST | CRUISE, se: float, parameters: dict[str, Any]) -> TreeClassifier:
    settings: dict[str, Any] = {"split": split, "prune": CostComplexity(se=se)}
    return TreeClassifier(**{**_growth(), **settings, **parameters})
