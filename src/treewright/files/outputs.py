"""Where results go: what can be said of a path before any work is done."""

from __future__ import annotations

import os
from collections.abc import Sequence

from treewright.exceptions import WriteError, brief_path

__all__ = ["check_output"]


def check_output(path: str, inputs: Sequence[str], suffixes: Sequence[str]) -> None:
    """Refuse a place for output before any work is done: better now than in an hour."""
    shown = brief_path(path)
    final = os.path.realpath(path)
    for source in inputs:
        if final == os.path.realpath(source) or (
            os.path.exists(path) and os.path.exists(source) and os.path.samefile(path, source)
        ):
            raise WriteError(f"The output {shown} is also an input; give it another name.")
    if os.path.isdir(final):
        raise WriteError(f"The output {shown} is a folder; name a file in it.")
    is_special = os.path.exists(final) and not os.path.isfile(final)  # /dev/null
    if not is_special and not path.lower().endswith(tuple(suffixes)):
        raise WriteError(f"The output {shown} must have a name that ends in {_either(suffixes)}.")
    folder = os.path.dirname(final)
    if not os.path.isdir(folder):
        raise WriteError(f"The folder of the output {shown} is not there; make it first.")
    if os.path.exists(final) and not os.access(final, os.W_OK):
        raise WriteError(f"The output {shown} is there already and may not be changed.")
    if not is_special and not os.access(folder, os.W_OK | os.X_OK):
        raise WriteError(f"The folder of the output {shown} may not be written to.")


def _either(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
