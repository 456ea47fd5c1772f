"""Names of a package that are loaded when they are first used."""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["loader", "no_attribute"]


def loader(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package whose names are loaded when they are first used.

    Parameters
    ----------
    package : str
        Name of the package.
    homes : mapping of str to str
        For each name the module inside of the package that it comes from.

    Returns
    -------
    callable
        From a name to its value, which the package then keeps. An unknown name is an
        AttributeError that suggests one.
    """

    def load(name: str) -> Any:
        if name not in homes:
            raise no_attribute(package, name, homes)
        value = getattr(importlib.import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load


def no_attribute(module: str, name: str, known: Mapping[str, Any]) -> AttributeError:
    """Return the error for a name that a module does not have, with one that it has.

    Parameters
    ----------
    module : str
        Name of the module.
    name : str
        The name that it does not have.
    known : mapping of str to object
        The names that it has, as keys.

    Returns
    -------
    AttributeError
        The error, to be raised.

    Examples
    --------
    >>> print(no_attribute("tools", "Hamer", {"Hammer": 1, "Saw": 2}))
    module 'tools' has no attribute 'Hamer'. Did you mean 'Hammer'?
    """
    folded = {one.casefold(): one for one in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.75)
    hint = f". Did you mean {folded[near[0]]!r}?" if near else ""
    return AttributeError(f"module {module!r} has no attribute {name!r}{hint}", name=name)
