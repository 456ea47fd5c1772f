"""What a tree is found from, and what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from treewright.base.workers import Report
from treewright.estimators.training import TrainingRows
from treewright.optimal.goals import ClassGoal, NumberGoal
from treewright.readable.boosting import Boosting
from treewright.readable.choosing import Thresholds
from treewright.readable.given import PlacedRows
from treewright.readable.pool import Budget, ParetoFront
from treewright.readable.soft import SoftClasses, SoftNumbers
from treewright.readable.teacher import Ceiling
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = ["Chosen", "Fit", "Goal", "Soft", "Wide"]

Goal: TypeAlias = ClassGoal | NumberGoal
Soft: TypeAlias = SoftClasses | SoftNumbers


@dataclass(frozen=True)
class Wide:
    """More rows than teachers, proposals and folds see.

    Parameters
    ----------
    rows, goal : TrainingRows, ClassGoal or NumberGoal
        Those that the final tree is searched on.
    learn : callable
        Gives what it learns of them, which takes a while.
    n_rows : int
        How many rows there are.
    everything : callable
        Gives all of them, which are counted in its leaves, in an order that does not depend on how
        they were given.
    """

    rows: TrainingRows
    goal: Goal
    learn: Callable[[], Soft]
    n_rows: int
    everything: Callable[[], tuple[TrainingRows, Goal]]

    @cached_property
    def target(self) -> Soft:
        """What the final tree learns of its rows."""
        return self.learn()

    @property
    def is_all(self) -> bool:
        """Whether these are all rows."""
        return len(self.rows.values) == self.n_rows


@dataclass(frozen=True)
class Fit:
    """What a tree is found from.

    Parameters
    ----------
    placed : PlacedRows
        The rows that are taught and folded, with the weights that they are learned with.
    goal : ClassGoal or NumberGoal
        Their true classes or numbers, with their own weights.
    learn : callable
        ``learn(placed, report)`` gives what trees learn of rows: what a teacher says of them who
        knows no others.
    target : SoftClasses or SoftNumbers
        The same of all these rows.
    budget : Budget
        Which trees are allowed.
    seed : int
        Of samples and folds.
    is_learnable : bool
        Whether some teacher does better than one prediction for all rows.
    wide : Wide or None
        More rows, where there are many.
    sacrificed : tuple of str
        What the time limit has cost so far.
    compare : Boosting or None
        Says how good a model too large to read is that teaches nothing.
    schema : Schema or None
        That of the trees, where they have a label more than the rows: that of referral.
    """

    placed: PlacedRows
    goal: Goal
    learn: Callable[[PlacedRows, Report], Soft]
    target: Soft
    budget: Budget
    seed: int
    is_learnable: bool
    wide: Wide | None = None
    sacrificed: tuple[str, ...] = ()
    compare: Boosting | None = None
    schema: Schema | None = None

    @property
    def schema_of_trees(self) -> Schema:
        """Columns, and what leaves may say."""
        return self.rows.schema if self.schema is None else self.schema

    @property
    def rows(self) -> TrainingRows:
        """The rows that are taught and folded."""
        return self.placed.rows

    @property
    def rows_searched(self) -> tuple[int, int] | None:
        """How many rows trees are searched on, and how many there are; None if on all."""
        if self.wide is None or self.wide.is_all:
            return None
        return len(self.wide.rows.values), self.wide.n_rows


@dataclass(frozen=True)
class Chosen:
    """The best tree of every size, and the size that was chosen.

    Parameters
    ----------
    trees : dict of int to Tree
        By their number of leaves.
    leaves : int
        The chosen one.
    front : ParetoFront
        Plans over the pool.
    risks, errors : dict of int to float
        Mean cost of wrong predictions, or squared error, on held-out rows and its standard error;
        empty where the size was given.
    scores : dict of int to float
        Mean accuracy, or coefficient of determination, on held-out rows.
    columns : dict of int to int
        How many of the trees of all rows and of the folds read each column.
    n_trees : int
        How many trees these are.
    sacrificed : tuple of str
        What the time limit cost.
    thresholds : dict of int to Thresholds
        Of two classes, what other thresholds than one half do on held-out rows.
    others : tuple of Tree
        The best trees of at most as many leaves whose roots read other columns.
    ceilings : tuple of Ceiling
        How good models too large to read are that teach nothing.
    """

    trees: dict[int, Tree]
    leaves: int
    front: ParetoFront
    risks: dict[int, float] = field(default_factory=dict)
    errors: dict[int, float] = field(default_factory=dict)
    scores: dict[int, float] = field(default_factory=dict)
    columns: dict[int, int] = field(default_factory=dict)
    n_trees: int = 1
    sacrificed: tuple[str, ...] = ()
    thresholds: dict[int, Thresholds] = field(default_factory=dict)
    others: tuple[Tree, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()
