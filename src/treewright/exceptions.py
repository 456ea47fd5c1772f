"""Every error and warning of treewright, in one place.

Each one derives from the built-in exception that a caller would expect, so that ``except
ValueError`` keeps working, and from :class:`TreewrightError`, so that a program can turn exactly
our errors into one sentence for its user. A message says which column or argument of what, what is
allowed, what came (the first offending value and how many there are), and what to do.
"""

from __future__ import annotations

__all__ = [
    "ClassWithoutLeafWarning",
    "DataError",
    "DataTypeError",
    "EngineError",
    "InfinityError",
    "MissingDependencyError",
    "ModelFileError",
    "NotProvenWarning",
    "OutOfBagWarning",
    "SchemaError",
    "TableFileError",
    "TimeLimitWarning",
    "TreewrightError",
    "UnseenLevelWarning",
    "UnsupportedError",
    "WriteError",
    "brief",
    "brief_path",
]

_LONGEST_QUOTE = 60


class TreewrightError(Exception):
    """The base of every error that treewright raises on purpose."""


class DataError(TreewrightError, ValueError):
    """The data handed over cannot be used as it is."""


class DataTypeError(DataError, TypeError):
    """The data is of a type that cannot be read as a table, or holds cells of such a type."""


class InfinityError(DataError):
    """A column holds infinity; what to do about it stands behind the last semicolon."""


class SchemaError(DataError):
    """A schema is broken, or data does not fit the schema it is read with."""


class TableFileError(DataError):
    """A file cannot be read as a table."""


class WriteError(TreewrightError, OSError):
    """A file cannot be written."""


class EngineError(TreewrightError, RuntimeError):
    """The machines that read a large table cannot be reached, or lost their work for good."""


class ModelFileError(TreewrightError, ValueError):
    """A model file is broken, of an unknown version, or no model file at all."""


class MissingDependencyError(TreewrightError, ImportError):
    """A feature needs a package that is not installed."""


class UnsupportedError(TreewrightError, ValueError):
    """A target language cannot say what the tree does."""


class ClassWithoutLeafWarning(UserWarning):
    """More classes than a tree may have leaves, so that some are never predicted."""


class NotProvenWarning(UserWarning):
    """A search that ended before it could prove that its tree is the best one."""


class OutOfBagWarning(UserWarning):
    """Rows that stand in the bags of all trees of a forest, so that none can predict them."""


class TimeLimitWarning(UserWarning):
    """Work that stopped at its time limit with a result that more time would change."""


class UnseenLevelWarning(UserWarning):
    """New data holds category levels that were not there when the tree was grown."""


def brief(value: object) -> str:
    r"""Quote a value for a message, on one line and cut short when it is long.

    Parameters
    ----------
    value : object
        A cell, a level, a column name or a path: any text, control characters too.

    Returns
    -------
    str
        ``repr(value)``, at most 60 characters of it.

    Examples
    --------
    >>> brief("rent\n")
    "'rent\\n'"
    >>> len(brief("x" * 5000))
    60
    """
    if isinstance(value, str):
        # Cut before quoting: a cell may be megabytes long.
        text = repr(str(value[: _LONGEST_QUOTE + 1]))
    else:
        if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
            value = value.item()  # type: ignore[attr-defined]
        try:
            text = " ".join(repr(value).split())
        except ValueError:  # an integer of thousands of digits
            text = f"a very long {type(value).__name__}"
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "..."


def brief_path(path: object) -> str:
    """Quote the path of a file for a message; of a long one its end, where the name is.

    Parameters
    ----------
    path : object
        The path, as a text or whatever ``str`` makes one of.

    Returns
    -------
    str
        The path in quotes.

    Examples
    --------
    >>> brief_path("data/loans.csv")
    "'data/loans.csv'"
    """
    text = repr(str(path)[-4 * _LONGEST_QUOTE :])
    return text if len(text) <= 2 * _LONGEST_QUOTE else "'..." + text[-2 * _LONGEST_QUOTE + 4 :]
