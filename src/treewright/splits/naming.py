"""From what a user gives as ``split=`` to a split method: an object, a name, a name with arguments.

A name is that of the card, words joined by ``_`` or ``-``: "axis", "must", "cart_lc". Arguments
stand in brackets as in Python, and texts need no quotes: "must(3)", "must(all)",
"hhcart(dominant, features=2)", "best(axis, must(2))". Nothing of it is run.
"""

from __future__ import annotations

import ast
import difflib
import inspect
from typing import Any

from treewright.exceptions import brief
from treewright.splits.base import SplitMethod
from treewright.splits.cards import CARDS

__all__ = ["as_split", "registered", "split_names", "split_words"]

_CARDS = {card.name: card for card in CARDS if card.method}
_LONGEST = 500  # characters of a name with arguments; Python's own reader fails at absurd ones


def split_names() -> tuple[str, ...]:
    """Return the names of all split methods.

    Examples
    --------
    >>> "must" in split_names(), "cart_lc" in split_names()
    (True, True)
    """
    return tuple(sorted(name for name, card in _CARDS.items() if card.use != "authors"))


def split_words() -> str:
    """Say what a split method may be given as."""
    return (
        f"the name of a split method ({', '.join(split_names())}), also as in 'must(3)', or an "
        "object such as MUST(3)"
    )


def as_split(split: str | SplitMethod, who: str = "A split method") -> SplitMethod:
    """Return the split method that a user's word stands for.

    Parameters
    ----------
    split : str or SplitMethod
        The method, its name, or its name with arguments.
    who : str, default "A split method"
        What messages call it.

    Returns
    -------
    SplitMethod
        The method; an object is returned as it is. Its parameters are not checked yet.

    Raises
    ------
    ValueError
        If there is no such method, or it has no such parameter.

    Examples
    --------
    >>> as_split("must(3)"), as_split("cart-lc"), as_split("best(axis, must(all))")
    (MUST(features=3), CARTLC(), Best(Axis(), MUST(features='all')))
    """
    if isinstance(split, SplitMethod):
        return split
    if not isinstance(split, str):
        raise ValueError(f"{who} must be {split_words()}. Got {brief(split)}.")
    name = split.partition("(")[0]
    found = _class_named(name)
    if found is None:
        known = difflib.get_close_matches(_key(name), split_names(), n=1)
        hint = f" Did you mean {known[0]!r}?" if known else ""
        raise ValueError(f"{who} must be {split_words()}. Got {brief(split)}.{hint}")
    try:
        parsed = ast.parse(_call_text(split) if len(split) <= _LONGEST else "", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        parsed = None
    if not isinstance(parsed, ast.Call) or not isinstance(parsed.func, ast.Name):
        raise ValueError(
            f"{who} must have its arguments written as in 'must(3)' or 'must(features=3)'. "
            f"Got {brief(split)}."
        )
    return _called(found, parsed, split)


def _call_text(split: str) -> str:
    """Write a name with arguments as a call that Python can parse, whatever the name."""
    _, bracket, rest = split.strip().partition("(")
    return f"method({rest}" if bracket else "method()"


def _called(found: type[SplitMethod], call: ast.Call, text: str) -> SplitMethod:
    """Make a method with the arguments of a call."""
    arguments = [_value(argument, text) for argument in call.args]
    named = {str(keyword.arg): _value(keyword.value, text) for keyword in call.keywords}
    try:
        if len(named) < len(call.keywords):
            raise TypeError("an argument is given twice")
        inspect.signature(found).bind(*arguments, **named)
    except TypeError as error:
        known = ", ".join(inspect.signature(found).parameters)
        raise ValueError(
            f"The arguments of the split method {brief(text)} do not fit: {error}. "
            f"{found.__name__} takes {known or 'none'}."
        ) from None
    return found(*arguments, **named)


def _value(node: ast.expr, text: str) -> Any:
    """Read one argument: a number, a word, a boolean, None, or a split method."""
    match node:
        case ast.Constant(value=str() | int() | float() | None):
            return node.value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.Name():
            found = _class_named(node.id)
            if found is None:
                return node.id
            return _called(found, ast.Call(func=node, args=[], keywords=[]), text)
        case ast.Call(func=ast.Name(id=name)):
            found = _class_named(name)
            if found is not None:
                return _called(found, node, text)
    given = ast.get_source_segment(_call_text(text), node) or text
    raise ValueError(
        f"An argument of the split method {brief(text)} must be a number, a word or a split "
        f"method. Got {brief(given)}."
    )


def registered() -> list[SplitMethod]:
    """Return what the common tests try: the examples on every card.

    Examples
    --------
    >>> registered()[0]
    MUST(features=1)
    """
    return [as_split(example) for card in CARDS for example in card.examples]


def _class_named(name: str) -> type[SplitMethod] | None:
    card = _CARDS.get(_key(name))
    return None if card is None else card.load()


def _key(name: str) -> str:
    return name.strip().lower().replace("-", "_")
