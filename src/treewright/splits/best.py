"""Several methods as one."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone

from treewright import _core
from treewright.splits.base import SplitMethod
from treewright.splits.naming import as_split

__all__ = ["Best"]


class Best(SplitMethod):
    """The best of what several methods propose at each node.

    Parameters
    ----------
    *methods : SplitMethod or str
        The methods, or their names; the parameters of objects are reached as ``method_0__rules``
        and so on.

    See Also
    --------
    Climb : Improve what one method proposes.
    Axis : One of the methods that are often combined.

    Examples
    --------
    >>> from treewright.splits import Axis, Categorical
    >>> Best(Axis(), Categorical("multiway"))
    Best(Axis(), Categorical(kind='multiway'))
    """

    def __init__(self, *methods: SplitMethod | str) -> None:
        self.methods: tuple[SplitMethod | str, ...] = methods

    @property
    def parts(self) -> tuple[SplitMethod, ...]:
        """The methods."""
        return tuple(as_split(method) for method in self.methods)

    @property
    def takes_proportions(self) -> bool:
        """Whether a row may be some of several classes, as a teacher says."""
        return all(method.takes_proportions for method in self.parts)

    @property
    def for_classes_only(self) -> bool:
        """Whether one of the methods has no form for a numeric target."""
        return any(method.for_classes_only for method in self.parts)

    @property
    def tests_levels(self) -> bool:
        """Whether one of the methods splits categorical columns itself."""
        return any(method.tests_levels for method in self.parts)

    def check(self) -> None:
        """Refuse an empty list, what is no split method, and wrong parameters of the methods."""
        if not self.methods:
            raise ValueError("Best needs at least one split method, such as Best(Axis()).")
        for method in self.parts:
            method.check()

    def check_depth(self, max_depth: int | None) -> None:
        """Refuse methods whose parameters a tree of this depth would ignore.

        Parameters
        ----------
        max_depth : int or None
            Most splits on a path; None for no limit.
        """
        for method in self.parts:
            method.check_depth(max_depth)

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        return _core.make_method("best", {}, [method.build() for method in self.parts])

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the methods by name, and with `deep` their parameters.

        Parameters
        ----------
        deep : bool, default True
            Whether to give the parameters of the methods too.

        Returns
        -------
        dict of str to object
            The methods and parameters.
        """
        params: dict[str, Any] = {}
        for i, method in enumerate(self.methods):
            params[f"method_{i}"] = method
            if deep and isinstance(method, SplitMethod):
                for key, value in method.get_params().items():
                    params[f"method_{i}__{key}"] = value
        return params

    def set_params(self, **params: Any) -> Best:
        """Set methods by name, or parameters of them.

        Parameters
        ----------
        **params
            ``method_0`` and so on for methods, ``method_0__rules`` for their parameters.

        Returns
        -------
        Best
            The method itself.
        """
        methods = list(self.methods)
        nested: dict[int, dict[str, Any]] = {}
        names = {f"method_{i}": i for i in range(len(methods))}
        for key, value in params.items():
            name, _, rest = key.partition("__")
            if name not in names:
                raise ValueError(
                    f"Invalid parameter {key!r} for {self!r}; valid ones are {sorted(names)}."
                )
            if rest:
                nested.setdefault(names[name], {})[rest] = value
            else:
                methods[names[name]] = value
        for i, values in nested.items():
            methods[i] = as_split(methods[i]).set_params(**values)
        self.methods = tuple(methods)
        return self

    def __sklearn_clone__(self) -> Best:
        return Best(*(clone(method, safe=False) for method in self.methods))

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        return f"Best({', '.join(repr(method) for method in self.methods)})"
