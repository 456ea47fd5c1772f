"""Split methods written in Python."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from treewright import _core
from treewright.exceptions import brief
from treewright.predicates import FlatTest, Predicate
from treewright.splits.base import SplitMethod

__all__ = ["PythonSplit", "split_method"]


class PythonSplit(SplitMethod):
    """A split method written in Python; made by :func:`split_method`.

    Call it with keyword arguments to change its parameters.

    Parameters
    ----------
    function : callable
        The decorated function.
    **parameters
        Its keyword parameters, where they differ from their defaults.

    See Also
    --------
    split_method : Makes one.

    Examples
    --------
    >>> from treewright import split_method
    >>> @split_method
    ... def along_all(X, y, w, rng, *, sign=1.0):
    ...     return [sign] * X.shape[1]
    >>> along_all(sign=-1.0).get_params()
    {'sign': -1.0}
    """

    def __init__(self, function: Callable[..., Any], **parameters: Any) -> None:
        defaults = _defaults(function)
        unknown = sorted(set(parameters) - set(defaults))
        if unknown:
            raise TypeError(
                f"{function.__name__} has no parameter {unknown[0]!r}; it has "
                f"{', '.join(map(repr, defaults)) or 'none'}."
            )
        self.function = function
        self.parameters: dict[str, Any] = {**defaults, **parameters}
        self.__doc__ = function.__doc__

    @property
    def name(self) -> str:
        """Module and name of the function."""
        return f"{self.function.__module__}:{self.function.__qualname__.removesuffix(_INSIDE)}"

    def __call__(self, **parameters: Any) -> PythonSplit:
        """Return the method with other parameters."""
        return PythonSplit(self.function, **{**self.parameters, **parameters})

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        is_easy = len(_positional(self.function)) == 4
        propose = self._propose_direction if is_easy else self._propose
        bits = np.random.PCG64(0)
        generator = np.random.Generator(bits)

        def call(node: _core.NodeData, seed: int) -> Iterable[FlatTest]:
            # Random numbers of the node in hand, in whatever order nodes are visited.
            bits.state = {
                "bit_generator": "PCG64",
                "state": {"state": seed << 64 | seed, "inc": seed << 1 | 1},
                "has_uint32": 0,
                "uinteger": 0,
            }
            return propose(node, generator)

        return _core.make_python_method(call)

    def _propose(self, node: _core.NodeData, rng: np.random.Generator) -> Iterable[FlatTest]:
        found = self.function(node, rng, **self.parameters)
        if found is None:
            return ()
        several = isinstance(found, Iterable) and not isinstance(found, str) and not _is_flat(found)
        return [self._encode(test) for test in found] if several else (self._encode(found),)

    def _encode(self, test: Any) -> FlatTest:
        if isinstance(test, Predicate):
            return test.encode()
        if not _is_flat(test):
            raise TypeError(
                f"{self.function.__name__} must return a predicate, several of them, or None. "
                f"Got {brief(test)}."
            )
        flat: FlatTest = test
        return flat

    def _propose_direction(
        self, node: _core.NodeData, rng: np.random.Generator
    ) -> Iterable[FlatTest]:
        X, y, w = node.X, np.asarray(node.y), node.w
        known = ~np.isnan(X).any(axis=1)
        if not known.all():
            X, y, w = X[known], y[known], w[known]
        if X.shape[0] == 0 or X.shape[1] == 0:
            return ()
        found = self.function(X, y, w, rng, **self.parameters)
        if found is None:
            return ()
        try:
            direction = np.asarray(found, dtype=np.float64)
        except (TypeError, ValueError):
            direction = np.empty(0)
        if direction.shape != (X.shape[1],) or not np.isfinite(direction).all():
            raise ValueError(
                f"{self.function.__name__} must return None or {X.shape[1]} finite coefficients, "
                f"one for each numeric column. Got {brief(found)}."
            )
        columns = node.numeric_columns
        used = np.flatnonzero(direction)
        if used.size == 0:
            return ()
        test = node.cut([columns[i] for i in used], direction[used].tolist())
        return () if test is None else (test,)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the keyword parameters of the function.

        Parameters
        ----------
        deep : bool, default True
            As scikit-learn has it; the parameters have no parameters of their own.

        Returns
        -------
        dict of str to object
            The parameters.
        """
        return dict(self.parameters)

    def set_params(self, **params: Any) -> PythonSplit:
        """Set keyword parameters of the function.

        Parameters
        ----------
        **params
            Parameters of the function by name.

        Returns
        -------
        PythonSplit
            The method itself.
        """
        self.parameters = self(**params).parameters
        return self

    def __eq__(self, other: object) -> bool:
        same_function = isinstance(other, PythonSplit) and self.function is other.function
        return same_function and super().__eq__(other)

    def __hash__(self) -> int:
        return hash((super().__hash__(), self.function))

    def __sklearn_clone__(self) -> PythonSplit:
        return PythonSplit(self.function, **self.parameters)

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        values = ", ".join(f"{key}={value!r}" for key, value in self.parameters.items())
        return f"{self.function.__name__}({values})"

    def __reduce__(self) -> tuple[Any, ...]:
        # Decorating gave the function's name to this object, so pickle would look for the function
        # and find the split method. It finds the function one step further on.
        module, _, path = self.name.partition(":")
        found = _look_up(module, path)
        if isinstance(found, PythonSplit) and found.function is self.function:
            self.function.__qualname__ = path + _INSIDE
        return _rebuild, (self.function, self.parameters)


_INSIDE = ".function"


def split_method(function: Callable[..., Any]) -> PythonSplit:
    """Make a split method of a function.

    Parameters
    ----------
    function : callable
        Either ``(X, y, w, rng) -> direction``: given the numeric columns of a node's rows that
        lack no value, their labels (0..K-1) or numbers, and weights, it returns one coefficient a
        column, or None; the best threshold along that direction is found for it. Or, with full
        control, ``(node, rng) -> Predicate, several of them, or None`` with a
        :class:`~treewright.splits.NodeData`. Keyword-only arguments become parameters that
        ``GridSearchCV`` can reach.

    Returns
    -------
    PythonSplit
        To be given as ``split=`` to an estimator; call it to change parameters.

    See Also
    --------
    treewright.testing.check_split_method : Whether a method keeps its promises.
    treewright.splits.SplitMethod : What such a method becomes.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import TreeClassifier, split_method
    >>> @split_method
    ... def towards_class_one(X, y, w, rng):
    ...     if len(set(y)) < 2:
    ...         return None
    ...     return X[y == 1].mean(axis=0) - X[y == 0].mean(axis=0)
    >>> X = np.random.default_rng(0).normal(size=(100, 3))
    >>> y = X[:, 0] + X[:, 1] > 0
    >>> TreeClassifier(split=towards_class_one, max_depth=1).fit(X, y).score(X, y) > 0.9
    True
    """
    positional = inspect.signature(function).parameters
    n_positional = len(_positional(function))
    optional = [
        name
        for name in _positional(function)
        if positional[name].default is not inspect.Parameter.empty
    ]
    if n_positional not in (2, 4) or optional:
        raise TypeError(
            "A split method takes (node, rng) or (X, y, w, rng), further parameters by keyword "
            f"only. {function.__qualname__} takes {n_positional} positional arguments; put "
            "parameters behind a '*'."
        )
    return PythonSplit(function)


def _positional(function: Callable[..., Any]) -> list[str]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.kind in kinds]


def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.values()
    keywords = [p for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    for p in keywords:
        if p.default is inspect.Parameter.empty:
            raise TypeError(f"The parameter {p.name!r} of {function.__name__} needs a default.")
    return {p.name: p.default for p in keywords}


def _is_flat(found: object) -> bool:
    """Tell whether this is a split as the core writes it, such as ``node.cut`` returns."""
    return isinstance(found, tuple) and len(found) == 3 and isinstance(found[0], int)


def _look_up(module: str, path: str) -> object:
    try:
        found: object = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found


def _rebuild(function: Callable[..., Any], parameters: dict[str, Any]) -> PythonSplit:
    return PythonSplit(function, **parameters)
