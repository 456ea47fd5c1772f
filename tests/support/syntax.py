"""Source text as a syntax tree, made once for all tests that look at it."""

from __future__ import annotations

import ast
import functools

__all__ = ["parsed"]


@functools.cache
def parsed(text: str) -> ast.Module:
    """Give the syntax tree of a file's text; nobody changes it."""
    return ast.parse(text)
