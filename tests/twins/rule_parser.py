"""A reader of printed rules who knows nothing of treewright: words in, true or false of a row out.

    rule      "if" condition {"and" condition} "then" ..., or "always" ...
    condition sums, sets of levels, "or missing", "or unseen", brackets, exactly one of (a) and (b)

A comparison with a missing value, and a set of levels asked about a missing value or about a level
that is new, do not hold; "not in" holds for new levels. An ordinal column is compared by the order
of its levels. A boolean column is said by its name alone, or with "not" before it. Names of columns
and levels must be plain words, or quoted where they are said alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]
Condition = Callable[[Row], bool]

TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|[A-Za-z_][\w.-]*|-?\d[\w.+-]*|<=|>=|[<>(){},*+-])')
NUMBER = re.compile(r"-?\d")


def rule_of(text: str, orders: Mapping[str, Sequence[str]]) -> Condition:
    """Read the conditions of a rule; `orders` are the levels of ordinal columns."""
    if text.startswith("always "):
        return lambda row: True
    words = text.removeprefix("if ").split(" then ")[0]
    return condition_of(words, orders)


def condition_of(words: str, orders: Mapping[str, Sequence[str]]) -> Condition:
    """Read a condition."""
    reader = Reader(words, orders)
    condition, _ = reader.any_of()
    assert reader.peek() is None, f"cannot read {reader.tokens[reader.at :]} of {words!r}"
    return condition


class Reader:
    """Words one by one. Each method gives a condition and the columns it speaks of."""

    def __init__(self, words: str, orders: Mapping[str, Sequence[str]]) -> None:
        self.tokens = TOKEN.findall(words)
        assert "".join(self.tokens) == words.replace(" ", ""), words
        self.orders = orders
        self.at = 0

    def peek(self, ahead: int = 0) -> str | None:
        place = self.at + ahead
        return self.tokens[place] if place < len(self.tokens) else None

    def take(self, *wanted: str) -> str:
        token = self.tokens[self.at]
        assert not wanted or token in wanted, f"{wanted} in {self.tokens}, got {token}"
        self.at += 1
        return token

    def has(self, *words: str) -> bool:
        if tuple(self.tokens[self.at : self.at + len(words)]) != words:
            return False
        self.at += len(words)
        return True

    def any_of(self) -> tuple[Condition, list[str]]:
        parts, columns = self.all_of()
        found = [parts]
        while True:
            if self.has(",", "or", "missing") or self.has("or", "missing"):
                if self.has("or", "unseen"):
                    found.append(is_unseen(columns))
                found.append(is_missing(columns))
            elif self.has("or", "unseen"):
                found.append(is_unseen(columns))
            elif self.has(",", "or") or self.has("or"):
                more, columns = self.all_of()
                found.append(more)
            else:
                return (lambda row: any(part(row) for part in found)), columns

    def all_of(self) -> tuple[Condition, list[str]]:
        first, columns = self.one()
        found = [first]
        while self.has("and"):
            more, others = self.one()
            found.append(more)
            columns = [*columns, *others]
        return (lambda row: all(part(row) for part in found)), columns

    def one(self) -> tuple[Condition, list[str]]:
        if self.peek() == "(":
            return self.bracket()
        for words, holds in (
            (("exactly", "one", "of"), True),
            (("both", "or", "neither", "of"), False),
        ):
            if self.has(*words):
                return self.two(holds)
        is_negated = self.has("not")
        if is_negated or self.is_flag():
            name = unquoted(self.take())
            return (lambda row: row[name] is not None and row[name] != is_negated), [name]
        if self.is_lower_bound():
            low = self.take()
            self.take("<")
            name, columns = self.sum()
            self.take("<=")
            high = self.take()
            above, below = self.compare(name, ">", low), self.compare(name, "<=", high)
            return (lambda row: above(row) and below(row)), columns
        name, columns = self.sum()
        if self.has("is", "largest"):
            return self.largest(name, columns)
        if self.peek() in ("is", "in", "not"):
            return self.levels(columns[0]), columns
        operator = self.take("<=", ">", "<", ">=")
        return self.compare(name, operator, self.take()), columns

    def bracket(self) -> tuple[Condition, list[str]]:
        self.take("(")
        found = self.any_of()
        self.take(")")
        return found

    def two(self, wanted: bool) -> tuple[Condition, list[str]]:
        first, columns = self.bracket()
        self.take("and")
        second, others = self.bracket()
        columns = [*columns, *others]
        missing, unseen = is_missing(columns), is_unseen(columns)
        return (
            lambda row: not (missing(row) or unseen(row)) and (first(row) != second(row)) == wanted,
            columns,
        )

    def is_lower_bound(self) -> bool:
        return self.peek(1) == "<" and self.peek() not in self.orders

    def is_flag(self) -> bool:
        """Whether a name stands alone."""
        return self.peek(1) in (None, "and", "or", ",", ")")

    def sum(self) -> tuple[Any, list[str]]:
        """Read a weighted sum; a bare name stays a name, but not the rank of one."""
        terms: list[tuple[float, str | None]] = []
        is_rank = self.peek() == "rank" and self.peek(1) == "("
        sign = 1.0
        while True:
            if self.has("-"):
                sign = -1.0
            token = self.take()
            if NUMBER.match(token):
                factor = float(token)
                if self.has("*"):
                    terms.append((sign * factor, self.name()))
                else:
                    terms.append((sign * factor, None))
            else:
                self.at -= 1
                terms.append((sign, self.name()))
            if self.has("+") or self.peek() == "-":
                sign = 1.0
            else:
                break
        columns = [name for _, name in terms if name is not None]
        if len(terms) == 1 and terms[0] == (1.0, columns[0] if columns else None) and not is_rank:
            return columns[0], columns
        return terms, columns

    def name(self) -> str:
        if self.has("rank", "("):
            name = self.take()
            self.take(")")
            return name
        return unquoted(self.take())

    def number(self, what: Any, row: Row) -> float | None:
        if isinstance(what, str):
            what = [(1.0, what)]
        total = 0.0
        for factor, name in what:
            if name is None:
                total += factor
                continue
            value = row[name]
            if name in self.orders and value is not None:
                value = self.orders[name].index(value) if value in self.orders[name] else None
            if value is None:
                return None
            total += factor * value
        return total

    def compare(self, what: Any, operator: str, bound: str) -> Condition:
        if isinstance(what, str) and what in self.orders:
            limit = float(self.orders[what].index(bound))
        else:
            limit = float(bound)

        def holds(row: Row) -> bool:
            number = self.number(what, row)
            if number is None:
                return False
            if operator == "<":
                return number < limit
            if operator == ">=":
                return number >= limit
            return number <= limit if operator == "<=" else number > limit

        return holds

    def largest(self, own: Any, columns: list[str]) -> tuple[Condition, list[str]]:
        """The first of equal scores wins, so of two that print alike the test must know the order:
        strict against all others, which rows of the test never tie with."""
        others = []
        if self.has(",", "against"):
            others.append(self.sum())
            while self.has("and"):
                others.append(self.sum())
        names = [*columns, *(name for _, more in others for name in more)]

        def holds(row: Row) -> bool:
            mine = self.number(own, row)
            rest = [self.number(other, row) for other, _ in others]
            if mine is None or any(number is None for number in rest):
                return False
            return all(mine > number for number in rest)

        return holds, names

    def levels(self, column: str) -> Condition:
        negated = False
        if self.take("is", "in", "not") == "is":
            if self.has("known"):
                return lambda row: row[column] is not None
            if self.has("missing"):
                if self.has("or", "unseen"):
                    unseen = is_unseen([column])
                    return lambda row: row[column] is None or unseen(row)
                return lambda row: row[column] is None
            negated = self.has("not")
            levels = [self.level()]
        else:
            if self.tokens[self.at - 1] == "not":
                negated = True
                self.take("in")
            self.take("{")
            levels = []
            while not self.has("}"):
                levels.append(self.level())
                self.has(",")

        def holds(row: Row) -> bool:
            value = row[column]
            return value is not None and (value in levels) != negated

        return holds

    def level(self) -> Any:
        token = self.take()
        if token in ("true", "false"):
            return token == "true"
        return unquoted(token)


def unquoted(token: str) -> str:
    return token[1:-1] if token.startswith('"') else token


def is_missing(columns: Sequence[str]) -> Condition:
    return lambda row: any(row[column] is None for column in columns)


def is_unseen(columns: Sequence[str]) -> Condition:
    """New levels are called so in the rows of the tests."""
    return lambda row: any(row[column] == UNSEEN for column in columns)


UNSEEN = "brand-new"
