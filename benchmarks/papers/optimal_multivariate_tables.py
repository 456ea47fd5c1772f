"""What optimal_multivariate.py says of its trees: the paper's four plots as tables, and more."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from benchmarks.common.report import Table, seconds, times, verdict
from benchmarks.papers.optimal_multivariate_work import DEPTHS, METHODS, Tree, is_defined


def _of(trees: Sequence[Tree], data: str, method: str, depth: int) -> list[Tree]:
    wanted = data, method, depth
    return [tree for tree in trees if (tree.data, tree.method, tree.depth) == wanted]


def _methods(depth: int) -> list[str]:
    return [method for method in METHODS if is_defined(method, depth)]


def _sets(trees: Sequence[Tree]) -> list[str]:
    return [*dict.fromkeys(tree.data for tree in trees)]


def accuracy_table(trees: Sequence[Tree], depth: int) -> Table:
    methods = _methods(depth)
    table = Table(
        f"Accuracy on the rows trained on, depth {depth}",
        "Means over ten folds, each fold of a tenth of the rows being all that a tree is made "
        "from. Asked: no optimal tree is worse than the greedy one of the same tests, nor than the "
        "optimal one with fewer.",
        "data|rows a fold|" + "|".join(methods) + "|verdict",
    )
    for data in _sets(trees):
        own = {method: _of(trees, data, method, depth) for method in methods}
        means = {
            name: statistics.fmean(one.accuracy for one in found) for name, found in own.items()
        }
        row = [data, str(own["MurTree-0"][0].rows), *(f"{mean:.2f}" for mean in means.values())]
        table.rows.append([*row, verdict(disorder(own))])
    return table


def disorder(own: dict[str, list[Tree]]) -> list[str]:
    """Pairs of methods of which the one that can do all that the other can makes more errors."""
    wider = [("MurTree-0", "CART-0"), ("MurTree-1", "CART-1")]
    wider += [("MurTree-1", "MurTree-0"), ("MurTree-2", "MurTree-1")]
    return [
        f"{better} worse than {other}"
        for better, other in wider
        if better in own
        for one, two in zip(own[better], own[other], strict=True)
        if one.proven and one.errors > two.errors
    ]


def time_table(trees: Sequence[Tree], depth: int) -> Table:
    methods = _methods(depth)
    optimal = [name for name in methods if name.startswith("MurTree")]
    table = Table(
        f"Time, depth {depth}",
        "Mean process CPU time of a fold on one thread, and how many times longer pairs take. The "
        "paper ran its MurTree on 128 threads and saw many orders of magnitude.",
        "data|"
        + "|".join(methods)
        + "|CART-1 / CART-0|"
        + "|".join(f"{name} / MurTree-0" for name in optimal[1:]),
    )
    for data in _sets(trees):
        means = {
            name: statistics.fmean(tree.seconds for tree in _of(trees, data, name, depth))
            for name in methods
        }
        row = [data, *map(seconds, means.values()), times(means["CART-1"] / means["CART-0"])]
        row += [times(means[name] / means["MurTree-0"]) for name in optimal[1:]]
        table.rows.append(row)
    return table


def whole_table(trees: Sequence[Tree], depth: int) -> Table:
    methods = _methods(depth)
    table = Table(
        f"The whole files, depth {depth}",
        "Errors on all rows and process CPU time of one run. A number with > is the best found "
        "when the time was out.",
        "data|rows|" + "|".join(f"{name}|time" for name in methods) + "|verdict",
    )
    for data in _sets(trees):
        own = {method: _of(trees, data, method, depth) for method in methods}
        row = [data, str(own["MurTree-0"][0].rows)]
        for (tree,) in own.values():
            row += [("" if tree.proven else "> ") + str(tree.errors), seconds(tree.seconds)]
        table.rows.append([*row, verdict(disorder(own))])
    return table


def size_table(trees: Sequence[Tree]) -> Table:
    """Whether the accuracy is paid for by reading: means over the files."""
    table = Table(
        "What a reader gets, whole files",
        "Means over the files: accuracy in per cent, leaves, and the values that a reader looks at "
        "per row (a test of a pair counts as two).",
        "method|depth|accuracy|leaves|reading effort",
    )
    for depth in DEPTHS:
        for method in _methods(depth):
            own = [tree for tree in trees if (tree.method, tree.depth) == (method, depth)]
            accuracy = statistics.fmean(tree.accuracy for tree in own)
            leaves = statistics.fmean(tree.leaves for tree in own)
            effort = statistics.fmean(tree.effort for tree in own)
            row = [method, str(depth), f"{accuracy:.2f}", f"{leaves:.1f}", f"{effort:.2f}"]
            table.rows.append(row)
    return table
