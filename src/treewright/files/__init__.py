"""Tables in files: reading them whatever their format, writing them all or not at all.

Names are loaded when they are first used, so that a path can be checked (:mod:`.paths`) before
anything heavy is imported.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright.files.numbers import read_numbers
    from treewright.files.paths import SUFFIXES
    from treewright.files.reading import read_table
    from treewright.files.sources import MAX_BYTES
    from treewright.files.writing import atomic_write, write_table

__all__ = ["MAX_BYTES", "SUFFIXES", "atomic_write", "read_numbers", "read_table", "write_table"]

_HOMES = {
    "MAX_BYTES": "sources",
    "SUFFIXES": "paths",
    "atomic_write": "writing",
    "read_numbers": "numbers",
    "read_table": "reading",
    "write_table": "writing",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
