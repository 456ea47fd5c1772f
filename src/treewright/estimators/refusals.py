"""What is said of a parameter that another one does not go with."""

from __future__ import annotations

from typing import Any

from treewright.exceptions import brief

__all__ = ["refused"]


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
