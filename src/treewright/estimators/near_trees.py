"""Trees that are nearly as good as an optimal one, in the words of its page."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, assert_never

from treewright.optimal import Alternatives
from treewright.page import NearTrees, Stability
from treewright.tree import Tree
from treewright.words import name_text, plural

__all__ = ["near_trees"]

Measured: TypeAlias = Literal["errors", "squared error", "objective"]

_CLAIM = (
    "For each column that the first question may read, the best of all trees that begin with it."
)
_MEASURES: dict[str, Measured] = {"errors": "errors", "squared_error": "squared error"}
_MOST_NAMED = 20  # columns that no tree reads
_MANY = 2.0**53  # up to which numbers of trees are exact
_NEEDED = "needed by all"


def near_trees(model: Any, found: Alternatives) -> NearTrees | None:
    """Say how many trees are nearly as good as the one of a model, and what they read.

    Parameters
    ----------
    model : OptimalTreeClassifier or OptimalTreeRegressor
        The fitted model.
    found : Alternatives
        Its alternatives.

    Returns
    -------
    NearTrees or None
        None where no tree was counted.
    """
    if not found.count:
        return None
    shares = sorted(found.columns.items(), key=lambda one: -one[1])
    proven = all(one.certificate.proven for one in found.first)
    return NearTrees(
        words=f"Of the {found.words}, {_how_many(found)}: {_how_near(model, found)}.",
        columns=tuple(
            Stability(name_text(name), share, _NEEDED if share == 1.0 else "")
            for name, share in shares
            if share > 0.0
        ),
        needless=_needless(found),
        claim=_CLAIM + (" Proven: none that begins so is better." if proven else ""),
        measure=_measure(model),
        losses=tuple(f"{one.certificate.objective:.6g}" for one in found.first),
    )


def _how_many(found: Alternatives) -> str:
    """Count the trees, the best one included."""
    if found.count == 1 and found.is_complete:
        return "no other one is as good as this one or nearly so"
    number = f"{found.count:,}" if found.count < _MANY else f"about {found.count:.3g}"
    least = "" if found.is_complete else "at least "
    return f"{least}{number} are as good as this one or nearly so"


def _needless(found: Alternatives) -> str:
    """Name the columns that no tree reads."""
    names = [name_text(name) for name in found.needless]
    if not names:
        return ""
    named = ", ".join(names[:_MOST_NAMED])
    if len(names) > _MOST_NAMED:
        named += f" and {len(names) - _MOST_NAMED} more"
    return f"Needless: {named}. None of these trees reads {'it' if len(names) == 1 else 'them'}."


def _measure(model: Any) -> Measured:
    """Name what is made smallest."""
    is_plain = not model.penalty and not model.term_penalty and not len(model.tree_.core.cost)
    return _MEASURES.get(model.objective, "objective") if is_plain else "objective"


def _how_near(model: Any, found: Alternatives) -> str:
    """Say what nearly as good means."""
    tree: Tree = model.tree_
    more, root = found.largest - found.objective, tree.core.statistics[0]
    match _measure(model):
        case "errors":
            total = float(tree.node_weights[0])
            share = f"{100.0 * more / total:.3g} %"
            if total != tree.core.rows[0]:
                return f"at most {share} of the weight of the training rows more is predicted wrong"
            return (
                f"at most {plural(int(more), 'error')} more ({share} of the {total:,.0f} training "
                f"rows) than the best one, which has {found.objective:.10g}"
            )
        case "squared error":
            return (
                "the squared error is larger than that of the best one by at most "
                f"{100.0 * more / float(root[2]):.3g} % of what one prediction for all rows has"
            )
        case "objective":
            return (
                f"an objective of at most {found.largest:.6g}, where the best has "
                f"{found.objective:.6g}"
            )
        case other:
            assert_never(other)
