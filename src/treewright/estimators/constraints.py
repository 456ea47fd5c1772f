"""Constraints of domain experts: what reading a column costs, and which columns go together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from numbers import Integral
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from treewright.base.parameters import Check, count, none, number, one_of
from treewright.base.settings import Settings
from treewright.estimators.refusals import check_pruner_only_cuts, refused
from treewright.exceptions import SchemaError, brief
from treewright.schema import Schema
from treewright.tree.column_limits import NO_LIMITS, ColumnLimits

__all__ = ["CONSTRAINTS_CHECK", "Constraints", "check_constraints", "column_limits"]

_BESIDE = "'constraints'"

ColumnName: TypeAlias = str | int

_MOST = 1_000_000


def _is_column(value: Any) -> bool:
    return isinstance(value, str) or (
        isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0
    )


def _are_columns(value: Any, n_least: int = 1) -> bool:
    is_list = isinstance(value, Collection) and not isinstance(value, str | Mapping)
    return is_list and len(value) >= n_least and all(map(_is_column, value))


def _are_costs(given: Any) -> bool:
    is_cost = number(0).accepts
    if isinstance(given, Mapping):
        return all(map(_is_column, given)) and all(map(is_cost, given.values()))
    if isinstance(given, str) or np.ndim(given) != 1:
        return False
    return all(map(is_cost, np.asarray(given).tolist()))


def _are_groups(given: Any) -> bool:
    is_list = isinstance(given, Collection) and not isinstance(given, str | Mapping)
    return is_list and all(map(_are_columns, given))


def _are_pairs(given: Any) -> bool:
    return _are_groups(given) and all(len(pair) == 2 == len(set(pair)) for pair in given)


class Constraints(Settings):
    """What experts ask of a tree beside that it predicts well.

    Given as `constraints` of an estimator. Columns are named, or given by position.

    Parameters
    ----------
    column_costs : mapping, array-like of float or None, default None
        Price of reading a column, 0 for columns not named: ``{"biopsy": 0.05}``, or one number per
        column. A row pays it once, where its path first reads the column. Growth takes a split for
        the decrease of impurity per row less what its new columns cost; the optimal search adds the
        mean price of a row to the objective. Give it where values have to be measured or bought.
    max_columns : int or None, default None
        Most columns in the whole tree. Set it where each column has to be collected or maintained.
    interactions : sequence of sequences of columns or None, default None
        Groups of columns: the columns of a path all belong to one group. Columns in no group form a
        further one, as in scikit-learn's `interaction_cst`. Give it where only some columns may be
        weighed against each other.
    forbidden_pairs : sequence of pairs of columns or None, default None
        Two columns that no path reads both. Give it where a combination may not decide.
    first_columns : sequence of columns or None, default None
        The first split of the tree reads these columns only. Give it where a decision has to begin
        with what is known first.
    max_terms : int or None, default None
        Most values that one split looks at. Set it where linear combinations grow too long.
    whole_coefficients : int or None, default None
        Coefficients of linear combinations are whole numbers, this large at most, in the units of
        the columns. Set it where a person adds up points.

    See Also
    --------
    treewright.TreeClassifier : Whose `constraints` parameter takes it.
    treewright.OptimalTreeClassifier : The best tree under constraints, with a proof.

    Examples
    --------
    >>> from treewright import Constraints, TreeClassifier
    >>> patients = {
    ...     "age": [30, 41, 52, 63, 35, 58, 66, 71],
    ...     "biopsy": [1, 2, 7, 8, 2, 9, 8, 9],
    ... }
    >>> ill = ["no", "no", "yes", "yes", "no", "yes", "yes", "yes"]
    >>> priced = Constraints(column_costs={"biopsy": 0.3})
    >>> model = TreeClassifier(constraints=priced).fit(patients, ill)
    >>> [model.schema_.names[column] for column in model.tree_.columns_read]
    ['age']
    """

    _checks: ClassVar[dict[str, Check]] = {
        "column_costs": one_of(
            none(),
            Check(
                "a mapping of columns, or a list with one number per column, of costs >= 0",
                _are_costs,
            ),
        ),
        "max_columns": one_of(none(), count(1, _MOST)),
        "interactions": one_of(none(), Check("a list of lists of columns", _are_groups)),
        "forbidden_pairs": one_of(
            none(), Check("a list of pairs of two different columns", _are_pairs)
        ),
        "first_columns": one_of(none(), Check("a list of columns", _are_columns)),
        "max_terms": one_of(none(), count(1, _MOST)),
        "whole_coefficients": one_of(none(), count(1, _MOST)),
    }

    def __init__(
        self,
        column_costs: Mapping[ColumnName, float] | ArrayLike | None = None,
        max_columns: int | None = None,
        interactions: Sequence[Collection[ColumnName]] | None = None,
        forbidden_pairs: Sequence[Collection[ColumnName]] | None = None,
        first_columns: Collection[ColumnName] | None = None,
        max_terms: int | None = None,
        whole_coefficients: int | None = None,
    ) -> None:
        self.column_costs = column_costs
        self.max_columns = max_columns
        self.interactions = interactions
        self.forbidden_pairs = forbidden_pairs
        self.first_columns = first_columns
        self.max_terms = max_terms
        self.whole_coefficients = whole_coefficients


CONSTRAINTS_CHECK = one_of(
    none(), Check("a Constraints", lambda value: isinstance(value, Constraints))
)


def check_constraints(model: Any) -> None:
    """Refuse parameters of growth under which constraints could not be kept.

    Parameters
    ----------
    model : TreeClassifier or TreeRegressor
        Its parameters are checked one by one already.

    Raises
    ------
    ValueError
        With the parameter, and what to choose.
    """
    if model.constraints is None:
        return
    missing = model.missing if isinstance(model.missing, str) else "surrogate"
    if missing.startswith("surrogate"):
        allowed = "'default', 'fraction' or 'stop', as surrogates read further columns,"
        raise refused(model, "missing", allowed, _BESIDE)
    check_pruner_only_cuts(model, _BESIDE)


def column_limits(owner: str, given: Constraints | None, schema: Schema) -> ColumnLimits:
    """Return constraints with columns by position.

    Parameters
    ----------
    owner : str
        Name of the estimator, for messages.
    given : Constraints or None
        Its `constraints`.
    schema : Schema
        The columns.

    Returns
    -------
    ColumnLimits
        As growth and search take them.

    Raises
    ------
    ValueError
        If a column is unknown.

    Examples
    --------
    >>> from treewright import Schema
    >>> schema = Schema.from_data({"age": [31, 58], "income": [20.5, 31.0]})[0]
    >>> column_limits("TreeClassifier", Constraints(first_columns=["income"]), schema).first_columns
    (1,)
    """
    if given is None:
        return NO_LIMITS
    reader = _Reader(owner, schema)
    return ColumnLimits(
        costs=reader.costs(given.column_costs),
        max_columns=_below(given.max_columns, schema.n_columns),
        groups=reader.groups(given.interactions),
        forbidden_pairs=reader.pairs(given.forbidden_pairs),
        first_columns=reader.columns("first_columns", given.first_columns),
        max_terms=None if given.max_terms is None else int(given.max_terms),
        largest_whole=None if given.whole_coefficients is None else int(given.whole_coefficients),
    )


class _Reader:
    """Finds the columns that constraints name."""

    def __init__(self, owner: str, schema: Schema) -> None:
        self._owner, self._schema = owner, schema

    def column(self, where: str, given: ColumnName) -> int:
        if isinstance(given, str):
            try:
                return self._schema.index(given)
            except SchemaError as error:
                raise self._wrong(where, f"must name columns of the table. {error}") from None
        if int(given) >= self._schema.n_columns:
            known = f"positions below {self._schema.n_columns}, the number of columns"
            raise self._wrong(where, f"must name columns of the table, or {known}. Got {given}.")
        return int(given)

    def columns(self, where: str, given: Collection[ColumnName] | None) -> tuple[int, ...]:
        return () if given is None else tuple(sorted({self.column(where, one) for one in given}))

    def pairs(self, given: Sequence[Collection[ColumnName]] | None) -> tuple[tuple[int, int], ...]:
        pairs = []
        for pair in () if given is None else given:
            one, *others = self.columns("forbidden_pairs", pair)
            if not others:
                name = brief(self._schema.names[one])
                raise self._wrong(
                    "forbidden_pairs", f"must hold pairs of two columns. Got {name} twice."
                )
            pairs.append((one, others[0]))
        return tuple(pairs)

    def costs(self, given: Mapping[ColumnName, float] | ArrayLike | None) -> tuple[float, ...]:
        if given is None:
            return ()
        n_columns = self._schema.n_columns
        costs = [0.0] * n_columns
        if isinstance(given, Mapping):
            for name, cost in given.items():
                costs[self.column("column_costs", name)] = float(cost)
        else:
            costs = [float(cost) for cost in np.asarray(given).tolist()]
            if len(costs) != n_columns:
                raise self._wrong(
                    "column_costs",
                    f"must have one number for each of the {n_columns} columns. Got {len(costs)}.",
                )
        return tuple(costs) if any(costs) else ()

    def groups(self, given: Sequence[Collection[ColumnName]] | None) -> tuple[tuple[int, ...], ...]:
        if given is None:
            return ()
        groups = [self.columns("interactions", group) for group in given]
        named = {column for group in groups for column in group}
        rest = tuple(sorted(set(range(self._schema.n_columns)) - named))
        if rest:
            groups.append(rest)
        return () if len(rest) == self._schema.n_columns else tuple(groups)

    def _wrong(self, where: str, what: str) -> ValueError:
        return ValueError(
            f"The 'constraints' parameter of {self._owner} must fit the table: {where!r} {what}"
        )


def _below(asked: int | None, n_columns: int) -> int | None:
    """Return a limit that limits something."""
    return None if asked is None or asked >= n_columns else int(asked)
