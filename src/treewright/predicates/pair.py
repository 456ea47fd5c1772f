"""The predicate that joins two simple conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never, get_args

from treewright.base.jsonform import JSON
from treewright.expressions import And, Expression, Not, Or, Xor, or_missing
from treewright.predicates.base import BasePredicate, FlatKind, FlatTest
from treewright.predicates.one_column import Axis, Simple, Subset
from treewright.schema import Schema

__all__ = ["CONNECTIVES", "Connective", "Pair"]

Connective: TypeAlias = Literal["and", "or", "xor", "and not"]

_TwoBranches: TypeAlias = tuple[Expression, ...]

# In the order of the numbers the core uses.
CONNECTIVES: tuple[Connective, ...] = get_args(Connective)


@dataclass(frozen=True, slots=True)
class Pair(BasePredicate):
    """Two simple conditions joined by and, or, xor, or and not.

    A part that settles the outcome alone needs no other: ``false and unknown`` is false.

    Parameters
    ----------
    connective : {"and", "or", "xor", "and not"}
        How the parts are joined; branch 0 is taken when the whole is true. "and not" is true where
        the first part is true and the second is not.
    first, second : Axis or Subset
        The parts; branch 0 of a part counts as true.

    See Also
    --------
    Axis : A numeric part.
    Subset : A categorical part.
    parts_of : The parts of a predicate of any kind.

    Examples
    --------
    >>> from treewright.schema import Column, Schema
    >>> schema = Schema((Column("age", "numeric"), Column("pulse", "numeric")))
    >>> print(*Pair("and", Axis(0, 30.0), Axis(1, 90.0)).branches(schema), sep=" | ")
    age <= 30 and pulse <= 90 | age > 30 or pulse > 90
    >>> print(*Pair("and not", Axis(0, 30.0), Axis(1, 90.0)).branches(schema), sep=" | ")
    age <= 30 and pulse > 90 | age > 30 or pulse <= 90
    """

    connective: Connective
    first: Simple
    second: Simple

    def __post_init__(self) -> None:
        if self.connective not in CONNECTIVES:
            raise ValueError(
                "The 'connective' of Pair must be 'and', 'or', 'xor' or 'and not'. "
                f"Got {self.connective!r}."
            )
        for part in (self.first, self.second):
            if not isinstance(part, Simple):
                raise TypeError(
                    "The parts of Pair must be Axis or Subset predicates. "
                    f"Got {type(part).__name__}."
                )

    @property
    def columns(self) -> tuple[int, ...]:
        """Positions of the columns it reads, each once."""
        return tuple(dict.fromkeys((self.first.column, self.second.column)))

    def branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say each branch as an expression.

        Parameters
        ----------
        schema : Schema
            Names, levels and units of the columns.

        Returns
        -------
        tuple of Expression
            One per branch.
        """
        first, second = self.first.branches(schema), self.second.branches(schema)
        if self.connective == "xor" and self._has_opposites(schema):
            whole = Xor((first[0], second[0]))
            return whole, Not(whole)
        return self._joined(first, second)

    def possible_branches(self, schema: Schema) -> tuple[Expression, ...]:
        """Say of each branch which rows may take it: those that do, and those of unknown branch."""
        if self.connective == "xor" and self._has_opposites(schema):
            return tuple(map(or_missing, self.branches(schema)))
        return self._joined(
            self.first.possible_branches(schema), self.second.possible_branches(schema)
        )

    def unknown(self, schema: Schema) -> Expression:
        """Say for which rows the branch is not known."""
        first, second = self.first.unknown(schema), self.second.unknown(schema)
        if self.connective == "xor":
            return Or((first, second))
        # Neither part settles it alone, and one of them is unknown.
        open_first = self.first.possible_branches(schema)[self.connective == "or"]
        open_second = self.second.possible_branches(schema)[self.connective != "and"]
        return Or((And((first, open_second)), And((open_first, second))))

    def _joined(self, first: _TwoBranches, second: _TwoBranches) -> tuple[Expression, ...]:
        """Join what is said of the branches of the parts."""
        match self.connective:
            case "and":
                return And((first[0], second[0])), Or((first[1], second[1]))
            case "or":
                return Or((first[0], second[0])), And((first[1], second[1]))
            case "and not":
                return And((first[0], second[1])), Or((first[1], second[0]))
            case "xor":
                return (
                    Or((And((first[0], second[1])), And((first[1], second[0])))),
                    Or((And((first[0], second[0])), And((first[1], second[1])))),
                )
            case _:
                assert_never(self.connective)

    def _has_opposites(self, schema: Schema) -> bool:
        """Tell whether each part is false wherever a reader finds that it does not hold.

        Of a set of levels that is not so: a level on neither side makes it unknown.
        """
        return all(_has_opposite(part, schema) for part in (self.first, self.second))

    def encode(self) -> FlatTest:
        """Write the predicate in the flat form of the core."""
        features = [CONNECTIVES.index(self.connective)]
        numbers: list[float] = []
        for part in (self.first, self.second):
            kind, part_features, part_numbers = part.encode()
            features += [kind, len(part_features), *part_features]
            numbers += part_numbers
        return FlatKind.PAIR, features, numbers

    def to_json(self) -> JSON:
        """Write the predicate as a JSON object."""
        return {
            "kind": "pair",
            "connective": self.connective,
            "first": self.first.to_json(),
            "second": self.second.to_json(),
        }


def _has_opposite(part: Simple, schema: Schema) -> bool:
    match part:
        case Axis():
            return True
        case Subset(column):
            return schema.columns[column].kind == "boolean"
        case _:
            assert_never(part)
