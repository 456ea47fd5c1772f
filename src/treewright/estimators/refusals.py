"""What is said of a parameter that another one does not go with."""

from __future__ import annotations

from typing import Any

from treewright.exceptions import brief
from treewright.prune import as_pruner

__all__ = ["check_pruner_only_cuts", "refused"]


def refused(model: Any, name: str, allowed: str, beside: str) -> ValueError:
    """Return the error of a parameter that may not be what it is.

    Parameters
    ----------
    model : estimator
        Whose parameter it is.
    name : str
        The parameter.
    allowed : str
        What it must be.
    beside : str
        Which other parameter or argument asks for that.

    Returns
    -------
    ValueError
        To be raised.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> print(refused(TreeClassifier(missing="stop"), "missing", "'default'", "a 'limit'"))
    The 'missing' parameter of TreeClassifier must be 'default' beside a 'limit'. Got 'stop'.
    """
    return ValueError(
        f"The {name!r} parameter of {type(model).__name__} must be {allowed} beside {beside}. Got "
        f"{brief(getattr(model, name))}."
    )


def check_pruner_only_cuts(model: Any, beside: str, *, by_all_rows: bool = False) -> None:
    """Refuse a pruner that makes other nodes than those that were grown.

    Parameters
    ----------
    model : estimator
        Forests have no pruner.
    beside : str
        Which other parameter or argument asks for that.
    by_all_rows : bool, default False
        Whether it must hold out no rows, too.

    Raises
    ------
    ValueError
        With the pruner, and what to choose.
    """
    pruner = as_pruner(getattr(model, "prune", None))
    for one in () if pruner is None else (pruner, *pruner.parts):
        if not one.keeps_nodes or (by_all_rows and one.holds_out):
            kind = "only cuts, by all rows" if by_all_rows else "only cuts"
            raise refused(
                model, "prune", f"a pruner that {kind}, such as 'cost_complexity',", beside
            )
