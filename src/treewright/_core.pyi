"""Loops over rows and the search: the compiled core of treewright."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


def symmetric_eigen(matrix: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))]]:
    """
    Eigenvalues (ascending) and eigenvectors (rows of the second array) of a symmetric matrix.
    """

def solve_positive(matrix: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], right: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The solution of a symmetric positive definite system of equations."""

def shortest_between(low: float, high: float) -> float:
    """The shortest decimal t with low <= t < high, nearest the middle."""

def round_significant(value: float, digits: int) -> float:
    """The value rounded to so many significant decimal digits."""

class Table:
    """Columns of doubles; categorical ones hold level codes."""

    def __init__(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], n_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    @property
    def n_rows(self) -> int: ...

    @property
    def values(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)]: ...

    @property
    def n_columns(self) -> int: ...

class Target:
    """Labels or numbers with the weights of the rows."""

    @staticmethod
    def classes(labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], split_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, case_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, proportions: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> Target: ...

    @staticmethod
    def numbers(numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Target: ...

    @property
    def labels(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """Class codes; none if the target is numbers."""

    @property
    def case_weights(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """Weights before priors and class weights."""

    @property
    def total_case_weight(self) -> float:
        """Sum of the weights before priors and class weights."""

def row_hashes(table: Table, truth: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]:
    """A number for each row that depends on what it holds, as if by chance."""

class Ranks:
    """The keys of all columns, for many growths on one table."""

    def __init__(self, table: Table, target: Target, progress: object | None = None) -> None: ...

def impurity(measure: str, statistics: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """The impurity of a node with these statistics."""

def decrease(measure: str, parent: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], branches: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """
    The decrease of impurity by a split; `branches` holds the statistics one after the other.
    """

def split_information(weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """The entropy of the branch proportions, in bits."""

def check_test(flat: object, n_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
    """
    The number of branches of a well-formed flat split; ValueError otherwise.
    """

def route(flat: object, table: Table, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """
    The branch of every row, or of some, under a flat split; -1 where it is unknown.
    """

def branch_bits(flats: Sequence, table: Table) -> tuple[Annotated[NDArray[numpy.uint8], dict(shape=(None, None))], Annotated[NDArray[numpy.uint8], dict(shape=(None, None))]]:
    """
    Of flat splits, bits of the rows that take branch 0, and of those whose branch is unknown.
    """

class Tree:
    """Flat arrays of nodes; never changes."""

    @staticmethod
    def from_state(state: dict[str, Any]) -> Tree: ...

    @staticmethod
    def from_nodes(nodes: dict[str, Any], tests: list, is_classification: bool, n_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Tree:
        """Arrays of nodes and their flat splits, None in leaves."""

    def state(self) -> dict[str, Any]: ...

    def __getstate__(self) -> dict[str, Any]: ...

    def __setstate__(self, arg: dict[str, Any], /) -> None: ...

    def validate(self) -> None: ...

    def __eq__(self, arg: Tree, /) -> bool: ...

    @property
    def n_nodes(self) -> int: ...

    @property
    def n_outputs(self) -> int: ...

    @property
    def wrong_weight(self) -> float:
        """Of the training rows in leaves that predict another class."""

    @property
    def is_classification(self) -> bool: ...

    @property
    def n_levels(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def cost(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def first_child(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def n_branches(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def rows(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def value(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def gain(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]: ...

    @property
    def missing(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,), writable=False)]: ...

    @property
    def default_branch(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...

    @property
    def statistics(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)]: ...

    @property
    def probabilities(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Of the classes at each node: its own, or the proportions in its statistics.
        """

    @property
    def has_own_probabilities(self) -> bool: ...

    @property
    def stopped_statistics(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """Of the training rows that ended at each inner node."""

    @property
    def kind(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,), writable=False)]: ...

    @property
    def parent(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    @property
    def depth(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    def test(self, node: int) -> tuple[int, list[int], list[float]] | None: ...

    def surrogates(self, node: int) -> list[tuple[tuple[int, list[int], list[float]], bool, float, float]]: ...

    def route(self, node: int, table: Table) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    def apply(self, table: Table) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]: ...

    def leaf_shares(self, table: Table) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]: ...

    def decision_paths(self, table: Table) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]: ...

    def distribution(self, table: Table) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    @property
    def divides_rows(self) -> bool:
        """Some node divides rows among its branches."""

    def predict_classes(self, table: Table) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

    def predict_values(self, table: Table) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    def collapse(self, mask: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Tree, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]: ...

    def splice(self, stand_in: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Tree, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]: ...

    def with_tests(self, changes: dict[int, tuple[tuple[int, list[int], list[float]], bool]]) -> tuple[Tree, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """
        The tree with other splits at some nodes, whose two branches change places if the second item is true; also gives the old id of each node. Statistics stay as they were.
        """

def sum_answers(trees: Sequence[Tree], table: Table, votes: bool = False, n_threads: int = 1, progress: object | None = None, is_asked: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    Class probabilities (or votes) or numbers of all trees, summed row by row; `is_asked` has a flag for each tree and row, all rows of the first tree in front.
    """

class NodeData:
    """A node while its split is being looked for."""

    @property
    def n_rows(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def rows(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

    @property
    def columns(self) -> list[int]: ...

    @property
    def numeric_columns(self) -> list[int]: ...

    def values(self, columns: Sequence[int]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    @property
    def X(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]: ...

    @property
    def y(self) -> object: ...

    @property
    def w(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def statistics(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

    @property
    def n_classes(self) -> int: ...

    @property
    def seconds_left(self) -> float:
        """Seconds until the time limit of the growth; infinity if it has none."""

    def cut(self, columns: Sequence[int], coefficients: Sequence[float]) -> tuple[int, list[int], list[float]] | None:
        """The linear split along a direction with the best threshold, or None."""

class Method:
    """A way of finding splits, ready for growth."""

    @property
    def needs_sorted_columns(self) -> bool: ...

def make_method(name: str, parameters: Mapping[str, float | str], parts: Sequence[Method]) -> Method:
    """The split method of this name."""

def make_python_method(propose: Callable) -> Method:
    """
    A split method that calls propose(node, seed) -> iterable of flat splits.
    """

def discriminant_direction(scatter: Sequence[float], difference: Sequence[float], n_rows: float, null_space: bool) -> list[float]:
    """
    Where two groups lie furthest apart, given their within scatter (row by row) and the difference of their means; empty if they do not differ.
    """

def threshold_between(mean_0: float, deviation_0: float, mean_1: float, deviation_1: float) -> float:
    """A threshold between two groups by their means and standard deviations."""

def principal_axes(covariance: Sequence[float], n_columns: int) -> list[float]:
    """
    The eigenvectors of a matrix given row by row, one after the other, the largest eigenvalue first.
    """

def method_names() -> list[str]:
    """The names make_method knows."""

def soft_entropy(columns: Sequence[Sequence[float]], target: Target, at: Sequence[float]) -> tuple[float, list[float]]:
    """
    The soft entropy of the sides of a hyperplane, given by its slopes and its offset, and the gradient.
    """

def minimum_of(function: Callable[[Sequence[float]], tuple[float, Sequence[float]]], start: Sequence[float], max_iterations: int, tolerance: float) -> tuple[list[float], float, int, bool]:
    """
    Where a smooth function is smallest, its value there, the steps taken and whether the gradient is as small as asked; function(at) -> (value, gradient).
    """

class Sweep:
    """Where a hyperplane that moves along a line divides rows best."""

    def __init__(self, target: Target, measure: str, gain: str, min_count: float, min_weight: float, cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def score(self, v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """
        The score of the division by v <= 0; -infinity where a side is too small.
        """

    def best_step(self, v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], x: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[float, float]:
        """
        The length t and the score of the best division by v + t x <= 0 other than that at 0.
        """

def significance(table: Table, target: Target, column: int, test: str) -> tuple[float, float, float, float]:
    """
    Statistic, degrees of freedom (the second 0 for chi-square) and logarithm of the p-value.
    """

def columns_by_significance(table: Table, target: Target, alpha: float) -> list[int]:
    """The columns in the order of QUEST's choice."""

def rank_columns(table: Table, target: Target) -> tuple[list[tuple[int, float, float, float]], int]:
    """
    Column, weight, statistic and logarithm of the p-value of every column, the best first; and the number of rows.
    """

def normal_point(share_a: float, mean_a: float, variance_a: float, share_b: float, mean_b: float, variance_b: float) -> float:
    """Where two normal groups meet."""

def crimcoord(table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The crimcoord of each level, from the table of levels and classes."""

class LogisticModel:
    """A logistic model, in the units of the table."""

    @property
    def test(self) -> tuple:
        """Its boundary as a flat split; of kind -1 without a column."""

    @property
    def is_swapped(self) -> bool:
        """Rows outside go to branch 1, not 0."""

    @property
    def columns(self) -> list[int]: ...

    @property
    def slopes(self) -> list[float]: ...

    @property
    def intercept(self) -> float: ...

    @property
    def deviance(self) -> float: ...

    @property
    def penalty(self) -> float:
        """The penalty, for models of an L1 path."""

    @property
    def iterations(self) -> int: ...

    @property
    def converged(self) -> bool: ...

class NodeModels:
    """Logistic models of the rows of a node."""

    def __init__(self, table: Table, target: Target, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Sequence[int], inside: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], solver: str = 'ridge', tau: float = 0.0001) -> None: ...

    @property
    def can_fit(self) -> bool:
        """Some column has spread, and there are rows inside and outside."""

    def fit(self) -> LogisticModel:
        """The model on all columns."""

    def dropping(self) -> list[LogisticModel]:
        """
        Models without the column that costs least, one after the other, down to one column.
        """

    def lasso(self, n_lambdas: int = 100, least_lambda: float = 0.0001, one_at_a_time: bool = True, in_raw_units: bool = False) -> list[LogisticModel]:
        """Models under an L1 penalty, the largest penalty first."""

    def squeezed(self, shares: Sequence[float], refit: bool) -> list[LogisticModel]:
        """
        Models whose slopes sum to a proportion of those at the end of the L1 path, in absolute value; the full model for a proportion of 1.
        """

def ways_to_divide(table: Table, columns: Sequence[int], target: Target, kind: str, at_most: int, seed: int) -> list[list[int]]:
    """For each way of dividing the classes in two, which are inside."""

class ColumnRules:
    """What a tree may read, and what that costs."""

    def __init__(self) -> None: ...

    @property
    def costs(self) -> list[float]: ...

    @costs.setter
    def costs(self, arg: Sequence[float], /) -> None: ...

    @property
    def max_columns(self) -> int: ...

    @max_columns.setter
    def max_columns(self, arg: int, /) -> None: ...

    @property
    def groups(self) -> list[list[int]]: ...

    @groups.setter
    def groups(self, arg: Sequence[Sequence[int]], /) -> None: ...

    @property
    def enemies(self) -> list[tuple[int, int]]: ...

    @enemies.setter
    def enemies(self, arg: Sequence[tuple[int, int]], /) -> None: ...

    @property
    def first(self) -> list[int]: ...

    @first.setter
    def first(self, arg: Sequence[int], /) -> None: ...

    @property
    def max_terms(self) -> int: ...

    @max_terms.setter
    def max_terms(self, arg: int, /) -> None: ...

    @property
    def largest_whole(self) -> int: ...

    @largest_whole.setter
    def largest_whole(self, arg: int, /) -> None: ...

class GrowOptions:
    """How a tree is grown."""

    def __init__(self) -> None: ...

    @property
    def measure(self) -> object: ...

    @measure.setter
    def measure(self, arg: str, /) -> None: ...

    @property
    def gain(self) -> object: ...

    @gain.setter
    def gain(self, arg: str, /) -> None: ...

    @property
    def missing(self) -> int: ...

    @missing.setter
    def missing(self, arg: int, /) -> None: ...

    @property
    def measure_cost(self) -> list[float]: ...

    @measure_cost.setter
    def measure_cost(self, arg: Sequence[float], /) -> None: ...

    @property
    def cost(self) -> list[float]: ...

    @cost.setter
    def cost(self, arg: Sequence[float], /) -> None: ...

    @property
    def max_depth(self) -> int: ...

    @max_depth.setter
    def max_depth(self, arg: int, /) -> None: ...

    @property
    def max_leaves(self) -> int: ...

    @max_leaves.setter
    def max_leaves(self, arg: int, /) -> None: ...

    @property
    def max_features(self) -> int: ...

    @max_features.setter
    def max_features(self, arg: int, /) -> None: ...

    @property
    def max_surrogates(self) -> int: ...

    @max_surrogates.setter
    def max_surrogates(self, arg: int, /) -> None: ...

    @property
    def min_samples_split(self) -> float: ...

    @min_samples_split.setter
    def min_samples_split(self, arg: float, /) -> None: ...

    @property
    def min_samples_leaf(self) -> float: ...

    @min_samples_leaf.setter
    def min_samples_leaf(self, arg: float, /) -> None: ...

    @property
    def min_leaf_weight(self) -> float: ...

    @min_leaf_weight.setter
    def min_leaf_weight(self, arg: float, /) -> None: ...

    @property
    def min_gain(self) -> float: ...

    @min_gain.setter
    def min_gain(self, arg: float, /) -> None: ...

    @property
    def min_impurity_fraction(self) -> float: ...

    @min_impurity_fraction.setter
    def min_impurity_fraction(self, arg: float, /) -> None: ...

    @property
    def zero_gain(self) -> bool: ...

    @zero_gain.setter
    def zero_gain(self, arg: bool, /) -> None: ...

    @property
    def readable(self) -> bool: ...

    @readable.setter
    def readable(self, arg: bool, /) -> None: ...

    @property
    def collapse(self) -> bool: ...

    @collapse.setter
    def collapse(self, arg: bool, /) -> None: ...

    @property
    def trends(self) -> list[int]: ...

    @trends.setter
    def trends(self, arg: Sequence[int], /) -> None: ...

    @property
    def columns(self) -> ColumnRules: ...

    @columns.setter
    def columns(self, arg: ColumnRules, /) -> None: ...

    @property
    def patience(self) -> int: ...

    @patience.setter
    def patience(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def n_threads(self) -> int: ...

    @n_threads.setter
    def n_threads(self, arg: int, /) -> None: ...

def readable_test(test: object, table: Table, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], keep_terms: bool = False) -> tuple[tuple, bool]:
    """
    The split with the shortest numbers that send these rows the same way, and whether its two branches changed places; a linear split loses the terms that no row needs.
    """

def grow(table: Table, target: Target, method: Method, options: GrowOptions, validation_table: Table | None = None, validation_target: Target | None = None, time_limit: float | None = None, progress: object | None = None, ranks: Ranks | None = None) -> tuple[Tree, bool]:
    """Grow a tree; also says whether the time limit cut it short."""

def grow_all(table: Table, tasks: Sequence[tuple[Target, Method, GrowOptions]], time_limit: float | None = None, progress: object | None = None, ranks: Ranks | None = None) -> list[tuple[Tree, bool]]:
    """
    Grow a tree for each target, method and options, as `grow` does, up to the first that the time limit cuts short.
    """

def bag_counts(seed: int, number: int, purpose: int, n_rows: int, n_draws: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """How often each row stands in the bag of a tree."""

def seed_for(seed: int, number: int, purpose: int) -> int:
    """The seed of what is random for one purpose in one tree."""

class Tally:
    """A line of sums for every bin of every cell."""

    def __init__(self, cells: tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[Any]], n_classes: int) -> None: ...

    def add(self, tree: Tree, place_of_node: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Table, target: Target) -> None:
        """Count the rows of a part of a table."""

    def take_lines(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """The lines of all parts that were added; ends the tally."""

def runs(tree: Tree, place_of_node: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], cells: tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[Any]], wanted: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Table, target: Target) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    Of the wanted bins, a line of sums for every distinct value, with the bin in front.
    """

def merge_lines(n_classes: int, first: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """The lines of both parts."""

def merge_runs(n_classes: int, first: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """The distinct values of both parts."""

def has_bound(measure: str, cost: Sequence[float], n_classes: int) -> bool:
    """Whether sums of a bin bound what cuts inside of it are worth."""

def sample_edges(tree: Tree, place_of_node: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], table: Table, target: Target, measure: str, combinations: Sequence[Any], places: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_edges: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """Places, columns, beginnings and edges of a cell for each column."""

def moments(tree: Tree, place_of_node: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_places: int, sets: Sequence[tuple[int, Sequence[int]]], table: Table, target: Target) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    Rows, weight, means and products of each class, for sets of columns at open nodes.
    """

def merge_moments(sets: Sequence[tuple[int, Sequence[int]]], n_classes: int, first: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """The moments of both parts."""

def sides(tree: Tree, place_of_node: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_places: int, compared: Sequence[tuple[int, object, object]], table: Table, target: Target) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    Where the scores of other linear combinations lie on the two sides of one.
    """

def merge_sides(first: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], second: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """The sides of both parts."""

class PartitionedGrowth:
    """Growth of a tree from sums over the parts of a table."""

    def __init__(self, n_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, options: GrowOptions, level_tests: str, n_rows: int, unit_weights: bool, method: Method | None) -> None: ...

    def wanted(self) -> tuple[Any, ...]:
        """
        What the method lacks: sets of columns whose moments, columns whose bins, limits and splits are wanted; and the combinations that stand behind the columns.
        """

    def put_moments(self, sets: Sequence[tuple[int, Sequence[int]]], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Take the moments of sets of columns."""

    def put_below(self, cells: tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[Any]], lines: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """Take the sums up to limits, one a cell."""

    def put_sides(self, compared: Sequence[tuple[int, object, object]], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """Take where the scores of other splits lie."""

    def give_up(self) -> None:
        """Let what is unsettled stay so."""

    def plant(self, statistics: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Begin with a root of these statistics."""

    @property
    def n_open(self) -> int: ...

    @property
    def rows(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Of each open node."""

    @property
    def means(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Of the target in each open node; 0 for classes."""

    def tree(self) -> tuple[Tree, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
        """The tree so far, and which of its nodes are open."""

    def put(self, cells: tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[Any]], lines: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """Take the sums of all columns."""

    def refine(self, cells: tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[Any]], lines: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """Take the sums of finer bins."""

    def refine_by_value(self, cells: tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[Any]], runs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """Take the sums of distinct values."""

    def unsettled(self) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))]]:
        """
        Places, columns and (lower, upper, low, high, rows) of bins that may hold a better cut.
        """

    def bounds(self, place: int, column: int) -> tuple[list[float], list[list[float]]]:
        """
        What cuts inside each bin that holds rows are worth at most, and those at their ends for each place of missing values.
        """

    def options_at(self, depth: int) -> GrowOptions:
        """How a node at a depth is grown where its rows are in memory."""

    def graft(self, place: int, grown: Tree) -> None:
        """Take what was grown of an open node; the places behind it move up."""

    def settle(self) -> None:
        """Choose splits and divide nodes."""

    def finish(self) -> tuple[Tree, bool]:
        """The tree, and whether nodes are still open."""

    def gaps(self) -> list[tuple[int, float]]:
        """
        Nodes of the tree that are not proven, with what a better cut may bring.
        """

def cheap_cuts(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], extra: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], gap: float) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    What rows before a cut lose more, and the values next to it; cuts that cannot be the best may be absent.
    """

def weakest_links(tree: Tree, risk: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], size: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    For each inner node the alpha at which it becomes a leaf or goes; -1 for leaves.
    """

def node_losses(tree: Tree, table: Table, target: Target, absolute_error: bool = False) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    Summed losses and squared losses of rows at each node: of all rows, of those that stop.
    """

def refit(tree: Tree, table: Table, target: Target, absolute_error: bool = False) -> Tree:
    """The tree with the statistics and predictions of these rows."""

def with_statistics(tree: Tree, rows: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], statistics: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Tree:
    """The tree with row counts and statistics, and predictions by these."""

def risk_of_part(part: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], all: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], risk: str, cost: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """What some rows of a node lose by the prediction of all of them."""

def what_is_below(tree: Tree, node: int, table: Table, target: Target, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], risk: str, drop_empty: bool) -> tuple[float, int]:
    """
    Risk of the leaves and columns in the splits at and below a node when these rows reach it.
    """

def refit_below(tree: Tree, node: int, table: Table, target: Target, rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], absolute_error: bool = False) -> tuple[Tree, dict[int, NDArray[numpy.uint32]]]:
    """
    The tree with the statistics and predictions of these rows at and below a node, and the rows of each of these nodes.
    """

def error_based(tree: Tree, table: Table, target: Target, extra_errors: Callable) -> tuple[Tree, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    Prune by expected errors, raising branches; also gives the old id of each node. extra_errors(weights, errors) gives one number per leaf.
    """

class SearchOptions:
    """How to search for an optimal tree, in units of the problem."""

    def __init__(self) -> None: ...

    @property
    def max_depth(self) -> int: ...

    @max_depth.setter
    def max_depth(self, arg: int, /) -> None: ...

    @property
    def max_nodes(self) -> int: ...

    @max_nodes.setter
    def max_nodes(self, arg: int, /) -> None: ...

    @property
    def penalty(self) -> int: ...

    @penalty.setter
    def penalty(self, arg: int, /) -> None: ...

    @property
    def min_rows(self) -> int: ...

    @min_rows.setter
    def min_rows(self, arg: int, /) -> None: ...

    @property
    def min_weight(self) -> int: ...

    @min_weight.setter
    def min_weight(self, arg: int, /) -> None: ...

    @property
    def pair_levels(self) -> int: ...

    @pair_levels.setter
    def pair_levels(self, arg: int, /) -> None: ...

    @property
    def pair_functions(self) -> int: ...

    @pair_functions.setter
    def pair_functions(self, arg: int, /) -> None: ...

    @property
    def pair_price(self) -> int: ...

    @pair_price.setter
    def pair_price(self, arg: int, /) -> None: ...

    @property
    def front(self) -> bool: ...

    @front.setter
    def front(self, arg: bool, /) -> None: ...

    @property
    def n_jobs(self) -> int: ...

    @n_jobs.setter
    def n_jobs(self, arg: int, /) -> None: ...

    @property
    def seconds(self) -> float: ...

    @seconds.setter
    def seconds(self, arg: float, /) -> None: ...

    @property
    def memory(self) -> int: ...

    @memory.setter
    def memory(self, arg: int, /) -> None: ...

    @property
    def kernel(self) -> str: ...

    @kernel.setter
    def kernel(self, arg: str, /) -> None: ...

    @property
    def similarity(self) -> bool: ...

    @similarity.setter
    def similarity(self, arg: bool, /) -> None: ...

    @property
    def cache(self) -> bool: ...

    @cache.setter
    def cache(self, arg: bool, /) -> None: ...

    @property
    def reduction(self) -> bool: ...

    @reduction.setter
    def reduction(self, arg: bool, /) -> None: ...

    @property
    def ordering(self) -> bool: ...

    @ordering.setter
    def ordering(self, arg: bool, /) -> None: ...

    @property
    def fused(self) -> bool: ...

    @fused.setter
    def fused(self, arg: bool, /) -> None: ...

    @property
    def chain_length(self) -> int: ...

    @chain_length.setter
    def chain_length(self, arg: int, /) -> None: ...

    @property
    def limit(self) -> int: ...

    @limit.setter
    def limit(self, arg: int, /) -> None: ...

    @property
    def smallest(self) -> bool: ...

    @smallest.setter
    def smallest(self, arg: bool, /) -> None: ...

class SearchTree:
    """A tree over conditions, its nodes in preorder."""

    def __init__(self, first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], passed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], failed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        A tree of single conditions: that of each node (-1 in leaves), and its children.
        """

    def over(self, tests: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], unknown: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> SearchTree:
        """
        The same tree, its conditions numbered by their place among these; beside each the column of bits that has the rows whose branch it does not know, -1 for none.
        """

    @property
    def first(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Condition of each node, -1 in leaves."""

    @property
    def second(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Second condition where two are joined, else -1."""

    @property
    def function(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """0 one condition, 1 and, 2 or, 3 xor, 4 first and not second."""

    @property
    def passed(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Child for rows that meet the condition."""

    @property
    def failed(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Child for rows that do not."""

    @property
    def answers(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Label of each leaf, -1 elsewhere."""

class SearchFrontPoint:
    """The best tree of one size."""

    @property
    def n_tests(self) -> int: ...

    @property
    def cost(self) -> int:
        """Without the penalty for size."""

    @property
    def tree(self) -> SearchTree: ...

class SearchResult:
    """What a search found and proved."""

    @property
    def found(self) -> bool:
        """Whether a tree costs less than the limit of the options."""

    @property
    def objective(self) -> int: ...

    @property
    def lower_bound(self) -> int: ...

    @property
    def status(self) -> str: ...

    @property
    def status_of_size(self) -> str:
        """
        Whether the smallest of equally good trees was found, where that was asked for.
        """

    @property
    def tree(self) -> SearchTree: ...

    @property
    def front(self) -> list[SearchFrontPoint]: ...

    @property
    def statistics(self) -> dict[str, Any]: ...

def search_tree(bits: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_rows: int, targets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], prices: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], last_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], chains: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], options: SearchOptions, progress: object | None = None, losses: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, ranks: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, unknown: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, unknown_of: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> SearchResult:
    """
    Search for the tree of least cost over conditions given as columns of bits; or, where the search goes along chains only, as how many conditions of each chain a row fails. Where conditions are joined, `unknown` holds sets of rows, and `unknown_of` says whose branch each condition does not know (-1: it knows all).
    """

def reads_ranks_only(n_rows: int, chains: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], options: SearchOptions) -> bool:
    """
    Whether a search goes along chains only, so that ranks may stand for its bits.
    """

def search_kernels() -> list[str]:
    """
    Names of the counting kernels this processor can run, the fastest first.
    """

def count_pairs(bits: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_rows: int, kernel: str) -> Annotated[NDArray[numpy.int64], dict(shape=(None, None))]:
    """
    How many rows meet each pair of conditions, counted by one kernel of the search.
    """

class SearchOrderRules:
    """
    In which order the leaves of a tree must stand, by columns and conditions.
    """

    def __init__(self) -> None: ...

    @property
    def trends(self) -> list[int]: ...

    @trends.setter
    def trends(self, arg: Sequence[int], /) -> None: ...

    @property
    def n_levels(self) -> list[int]: ...

    @n_levels.setter
    def n_levels(self, arg: Sequence[int], /) -> None: ...

    @property
    def has_missing(self) -> list[int]: ...

    @has_missing.setter
    def has_missing(self, arg: Sequence[int], /) -> None: ...

    @property
    def sides(self) -> list[int]: ...

    @sides.setter
    def sides(self, arg: Sequence[int], /) -> None: ...

    @property
    def columns(self) -> list[int]: ...

    @columns.setter
    def columns(self, arg: Sequence[int], /) -> None: ...

    @property
    def thresholds(self) -> list[float]: ...

    @thresholds.setter
    def thresholds(self, arg: Sequence[float], /) -> None: ...

    @property
    def levels(self) -> list[list[int]]: ...

    @levels.setter
    def levels(self, arg: Sequence[Sequence[int]], /) -> None: ...

    @property
    def unknown(self) -> list[int]: ...

    @unknown.setter
    def unknown(self, arg: Sequence[int], /) -> None: ...

class LimitedSearchOptions:
    """How to search for an optimal tree under rules of columns."""

    def __init__(self) -> None: ...

    @property
    def max_depth(self) -> int: ...

    @max_depth.setter
    def max_depth(self, arg: int, /) -> None: ...

    @property
    def penalty(self) -> float: ...

    @penalty.setter
    def penalty(self, arg: float, /) -> None: ...

    @property
    def min_rows(self) -> float: ...

    @min_rows.setter
    def min_rows(self, arg: float, /) -> None: ...

    @property
    def min_weight(self) -> float: ...

    @min_weight.setter
    def min_weight(self, arg: float, /) -> None: ...

    @property
    def limit(self) -> float: ...

    @limit.setter
    def limit(self, arg: float, /) -> None: ...

    @property
    def seconds(self) -> float: ...

    @seconds.setter
    def seconds(self, arg: float, /) -> None: ...

    @property
    def memory(self) -> int: ...

    @memory.setter
    def memory(self, arg: int, /) -> None: ...

    @property
    def hint_cost(self) -> float: ...

    @hint_cost.setter
    def hint_cost(self, arg: float, /) -> None: ...

    @property
    def least(self) -> float: ...

    @least.setter
    def least(self, arg: float, /) -> None: ...

    @property
    def unit(self) -> float: ...

    @unit.setter
    def unit(self, arg: float, /) -> None: ...

class LimitedSearchResult:
    """What such a search found and proved."""

    @property
    def found(self) -> bool: ...

    @property
    def objective(self) -> float: ...

    @property
    def lower_bound(self) -> float: ...

    @property
    def status(self) -> str: ...

    @property
    def tree(self) -> SearchTree: ...

    @property
    def statistics(self) -> dict[str, Any]: ...

def search_limited_tree(bits: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_rows: int, codes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], prices: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], last_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], chains: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Sequence[Sequence[int]], rules: ColumnRules, order: SearchOrderRules, hint: SearchTree | None, options: LimitedSearchOptions, progress: object | None = None, levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, level_columns: Sequence[int] = [], n_levels: Sequence[int] = []) -> LimitedSearchResult:
    """
    Search for the tree of least cost that keeps rules of columns; where there are levels (-1: missing), each column's may have a branch each. Such splits are numbered after the others, one for each level that rows without one may go with.
    """

class NearOptions:
    """Which trees near the best one are looked for."""

    def __init__(self) -> None: ...

    @property
    def slack(self) -> int: ...

    @slack.setter
    def slack(self, arg: int, /) -> None: ...

    @property
    def known(self) -> int: ...

    @known.setter
    def known(self, arg: int, /) -> None: ...

    @property
    def n_trees(self) -> int: ...

    @n_trees.setter
    def n_trees(self, arg: int, /) -> None: ...

    @property
    def with_idle_tests(self) -> bool: ...

    @with_idle_tests.setter
    def with_idle_tests(self, arg: bool, /) -> None: ...

    @property
    def with_first(self) -> bool: ...

    @with_first.setter
    def with_first(self, arg: bool, /) -> None: ...

class NearTree:
    """One of these trees."""

    @property
    def cost(self) -> int: ...

    @property
    def tree(self) -> SearchTree: ...

class FirstTree:
    """The best tree whose root reads some columns."""

    @property
    def columns(self) -> list[int]: ...

    @property
    def cost(self) -> int: ...

    @property
    def tree(self) -> SearchTree: ...

class NearResult:
    """What such a search found and proved."""

    @property
    def optimum(self) -> int: ...

    @property
    def status(self) -> str: ...

    @property
    def costs(self) -> list[int]:
        """What trees cost, the least first."""

    @property
    def counts(self) -> list[float]:
        """How many trees cost so much."""

    @property
    def without(self) -> list[float]:
        """Of each column, trees that do not read it."""

    @property
    def trees(self) -> list[NearTree]:
        """The best ones, no two with the same predictions."""

    @property
    def has_all_trees(self) -> bool:
        """Whether no other tree predicts anything else."""

    @property
    def first(self) -> list[FirstTree]: ...

    @property
    def status_of_first(self) -> str: ...

    @property
    def statistics(self) -> dict[str, Any]: ...

def search_near_trees(bits: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_rows: int, targets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], prices: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], last_levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], chains: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], columns: Sequence[Sequence[int]], n_columns: int, options: SearchOptions, near: NearOptions, progress: object | None = None) -> NearResult:
    """Search for all trees that cost little more than the best one."""

def propose_conditions(terms: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], is_classification: bool, n_numeric: int, n_terms: int, min_weight: float, depth: int, sample_depth: int, n_samples: int, screened: int, shrinkage: float, ridge: float, branches_on_all: bool, enough: int, seed: int, progress: object | None = None) -> list:
    """
    Conditions of small greedy trees over soft targets: (terms, weights, threshold, rows that meet it).
    """

class PoolTree:
    """The best tree of one size over a pool."""

    @property
    def cost(self) -> float: ...

    @property
    def tree(self) -> SearchTree: ...

class PoolFront:
    """The best trees of every size over a pool."""

    @property
    def trees(self) -> list[PoolTree]: ...

    @property
    def by_group(self) -> list[list[PoolTree]]: ...

def search_pool(bits: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], amounts: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], prices: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], gini: float, min_weight: float, max_depth: int, max_leaves: int, n_jobs: int, progress: object | None = None, groups: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, columns: Sequence[Sequence[int]] = [], rules: ColumnRules | None = None, trends: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> PoolFront:
    """
    The best tree of every number of leaves over a pool of conditions, by counting all triples; with groups of conditions the same for each group at the root, under rules of the columns that conditions read only trees whose paths keep them, with trends of conditions only trees whose leaves stand in their order.
    """

def split_costs(met: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], gini: float, min_weight: float) -> tuple[float, Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    What some rows cost in one leaf, and in the two leaves that each condition makes of them.
    """

def class_nodes(tree: SearchTree, bits: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], classes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)]) -> dict[str, Any]:
    """
    The nodes of a plan in the order of a tree, with class weights, predictions and gains.
    """

def loss_nodes(tree: SearchTree, bits: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], cheapest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], losses: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)]) -> dict[str, Any]:
    """
    The nodes of a plan in the order of a tree: weights by cheapest label, the label that loses least, and gains.
    """

def number_nodes(tree: SearchTree, bits: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> dict[str, Any]:
    """
    The nodes of a plan in the order of a tree, with weights, means, squares and gains.
    """

def two_valued_columns(values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), device='cpu', writable=False)], kernel: str = 'auto') -> tuple:
    """
    Columns with two values, none missing: their places, the lower and the higher value and the bits of rows with the lower one; and the places of columns with more, or with missing values.
    """

def logistic_answers(learned: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, ridge: float, asked: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], progress: object | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    Probabilities that logistic regression gives other rows; matrices are term by term.
    """

def linear_answers(learned: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], ridge: float, asked: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Numbers that linear regression gives other rows."""

def boosted_classes(learned: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, asked: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_rounds: int, n_leaves: int, rate: float, progress: object | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    Probabilities that boosted trees give other rows; matrices are of bins, term by term.
    """

def boosted_numbers(learned: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], numbers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], asked: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_rounds: int, n_leaves: int, rate: float, progress: object | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """Numbers that boosted trees give other rows."""
