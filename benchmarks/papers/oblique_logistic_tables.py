"""What oblique_logistic.py says: ours beside the package's and reference numbers."""

from __future__ import annotations

import math
import statistics

from benchmarks.common.cross_validation import Outcome, corrected_error, spread_of_repeats
from benchmarks.common.report import Table, count, seconds, verdict
from benchmarks.papers.oblique_logistic_numbers import TESTS, Numbers, Package, reference
from benchmarks.papers.oblique_logistic_work import PRUNED, WholeTree

Outcomes = dict[tuple[str, str], Outcome]  # by data and method
Grown = dict[tuple[str, str], Numbers]  # by data and tests
TestErrors = dict[tuple[str, str], int]  # by who grew the tree and tests

ASKED_TRIMMED = {("pima_tr", 21): 160.9, ("crabs5", 7): 19.6}
ROUNDING = 0.05  # of what is asked of trimming
MOST_MINUTES = 10.0  # for a tree of 26 classes
PLAIN = "cart()"


def grown_table(package: Package, same: Grown, ours: Grown) -> Table:
    table = Table(
        "Trees on all rows",
        "Leaves / their deviance / training errors / complexity (1 and the columns in all tests). "
        "The package is R's oblique.tree 1.1.1; oblique_tree is our recipe with its solver; ours "
        "is oblique_logistic with its own solver, without pruning, rounding and the limit on "
        "columns in small nodes. Asked: oblique_tree is as the package everywhere, ours with all "
        "columns or BIC on all sets but fgl, whose nodes can be separated in many ways.",
        "data|tests|package|oblique_tree|ours|verdict",
    )
    for data, tests in same:
        theirs, compatible, own = package.tree(data, tests), same[data, tests], ours[data, tests]
        misses = []
        if theirs is not None:
            misses = [f"oblique_tree {what}" for what in _differences(theirs, compatible)]
            if data != "fgl" and "AIC" not in tests:
                misses += [f"ours {what}" for what in _differences(theirs, own)]
        table.rows.append(
            [
                *(data, tests, "-" if theirs is None else _in_short(theirs)),
                *(_in_short(compatible), _in_short(own)),
                "" if theirs is None else verdict(misses),
            ]
        )
    return table


def _in_short(numbers: Numbers) -> str:
    leaves, deviance, errors, complexity = numbers
    return f"{leaves} / {deviance:.3f} / {errors} / {complexity}"


def _differences(theirs: Numbers, ours: Numbers) -> list[str]:
    names = ("leaves", "deviance", "errors", "complexity")
    close = (math.isclose(a, b, abs_tol=1e-3) for a, b in zip(theirs, ours, strict=True))
    return [name for name, is_close in zip(names, close, strict=True) if not is_close]


def errors_table(package: Package, errors: TestErrors) -> Table:
    table = Table(
        "Errors on the 332 rows of pima_te",
        "Of the trees above, grown on pima_tr.",
        "tests|package|oblique_tree|ours",
    )
    for tests in TESTS if errors else ():
        theirs = count(package.test_errors("pima_tr", tests))
        table.rows.append([tests, theirs, *(str(errors[who, tests]) for who in ("same", "ours"))])
    return table


def validated_table(outcomes: Outcomes) -> Table:
    table = Table(
        "Cross-validated errors of unpruned trees",
        "Error rates of 10-fold cross-validations. The reference's are means of 3, ours are means "
        "with the standard deviation over the repeats. Asked of our defaults: within one standard "
        "error of the reference, sqrt(p (1 - p) / rows). The default rounds numbers and lets a "
        "column of a concise test stand on at least 5 rows of the smaller side; the last line of "
        "a set has neither, as the reference.",
        "data|tests|reference|ours|of repeats|difference|standard error|leaves|complexity|verdict",
    )
    for (data, method), ours in outcomes.items():
        tests = method.partition(",")[0]
        asked = reference()["cross_validated"].get(data, {}).get(tests)
        if method in PRUNED or asked is None:
            continue
        rate = 1 - ours.accuracy / 100
        error = math.sqrt(asked * (1 - asked) / ours.data.n_rows)
        spread = spread_of_repeats(ours.accuracies)
        misses = ["error"] if abs(rate - asked) > error else []
        table.rows.append(
            [
                *(data, method, f"{asked:.4f}", f"{rate:.4f}"),
                *("-" if spread is None else f"{spread / 100:.4f}", f"{rate - asked:+.4f}"),
                *(f"{error:.4f}", f"{ours.mean('leaves'):.1f}", f"{ours.mean('complexity'):.1f}"),
                verdict(misses),
            ]
        )
    return table


def trimmed_table(package: Package, paths: dict[tuple[str, bool], dict[int, float]]) -> Table:
    table = Table(
        "Trimming at equal complexity",
        "Deviance of the leaves of the package's oblique tree, trimmed until every test has one "
        "column. The package follows an L1 path and exchanges branches of falling columns; ours "
        "drops the column that costs the least and fits the rest anew. Ours takes branches "
        "without rows away, which the reference kept. Asked: no more than the reference at "
        "complexity 21 on pima_tr and 7 on crabs5.",
        "data|complexity|package|ours|less than the package's|reference|ours, empty branches kept|"
        "verdict",
    )
    for data in (data for data, drop_empty in paths if drop_empty):
        theirs, known = package.trimmed(data), dict(reference()["trimmed"].get(data, ()))
        sequences = (theirs, paths[data, True], known, paths[data, False])
        for complexity in sorted({*theirs, *known}, reverse=True):
            numbers = [sequence.get(complexity) for sequence in sequences]
            cells = ["-" if number is None else f"{number:.2f}" for number in numbers]
            cells.insert(2, _compared(numbers[1], numbers[0]))
            words, asked = "", ASKED_TRIMMED.get((data, complexity))
            if asked is not None:
                met = numbers[1] is not None and numbers[1] <= asked + ROUNDING
                words = verdict([] if met else [f"more than {asked:g}"])
            table.rows.append([data, str(complexity), *cells, words])
    return table


def _compared(ours: float | None, theirs: float | None) -> str:
    if ours is None or theirs is None:
        return "-"
    if math.isclose(ours, theirs, abs_tol=1e-3):
        return "equal"
    return "yes" if ours < theirs else "no"


def squeezed_table(paths: dict[tuple[str, bool], list[Numbers]]) -> Table:
    table = Table(
        "Squeezing",
        "Complexity / deviance of the leaves / training errors of the same trees, all slopes "
        "shrunk to a share of their sum. The reference does not fit tests anew on the columns "
        "left.",
        "data|share|reference|not fitted anew|fitted anew",
    )
    for data, known in reference()["squeezed"].items():
        if (data, True) not in paths:
            continue
        both = zip(paths[data, False], paths[data, True], strict=True)
        for (share, complexity, deviance, errors), ours in zip(known, both, strict=True):
            cells = (f"{one[3]} / {one[1]:.1f} / {one[2]}" for one in ours)
            theirs = f"{complexity} / {deviance:.1f} / {errors}"
            table.rows.append([data, f"{share:g}", theirs, *cells])
    return table


def pruned_table(outcomes: Outcomes) -> Table:
    table = Table(
        "Pruned recipes",
        "Recipes as they are, each cut back by 10-fold cross-validation inside the rows trained "
        "on. Accuracy in per cent +- its standard error, corrected for the rows that folds share; "
        "the difference to cart(), fold by fold, +- its corrected error. Reading effort: values "
        "looked at per row.",
        "data|method|accuracy|beside cart()|leaves|complexity|reading effort|seconds a fit",
    )
    for (data, method), ours in outcomes.items():
        if method not in PRUNED:
            continue
        gain = ours.accuracies - outcomes[data, PLAIN].accuracies
        beside = f"{gain.mean():+.1f} +- {corrected_error(gain):.1f}"
        table.rows.append(
            [
                *(data, method, f"{ours.accuracy:.1f} +- {corrected_error(ours.accuracies):.1f}"),
                *("-" if method == PLAIN else beside, f"{ours.mean('leaves'):.1f}"),
                *(f"{ours.mean('complexity'):.1f}", f"{ours.mean('effort'):.2f}"),
                seconds(ours.mean("seconds")),
            ]
        )
    return table


def pruned_means(outcomes: Outcomes) -> Table:
    """Means over the sets, each with the same weight."""
    n_sets = len({data for data, _ in outcomes})
    table = Table(
        "Pruned recipes, means over the sets",
        f"Over {n_sets} sets.",
        "method|accuracy|leaves|complexity|reading effort",
    )
    for method in PRUNED if n_sets else ():
        own = [ours for (_, name), ours in outcomes.items() if name == method]
        cells = [f"{statistics.fmean(ours.accuracy for ours in own):.1f}"]
        for name in ("leaves", "complexity", "effort"):
            cells.append(f"{statistics.fmean(ours.mean(name) for ours in own):.1f}")
        table.rows.append([method, *cells])
    return table


def divided_table(found: dict[str, dict[str, list[float]]]) -> Table:
    table = Table(
        "Ways of dividing many classes",
        "Deviance a row after the first test, over the ways of dividing the classes that were "
        "tried; of random ways the least and the largest of five seeds. Asked of auto: as good as "
        "the best known, that of exhaustive or else the reference's of auto.",
        "data|ways|reference|ours|verdict",
    )
    for data, impurities in found.items():
        known = reference()["bipartitions"][data]
        best = float(known.get("exhaustive", known["auto, 64"]))
        for name, values in impurities.items():
            words = "-".join(dict.fromkeys(f"{one:.4f}" for one in (min(values), max(values))))
            misses = [f"more than {best}"] if max(values) > best + 5e-5 else []
            judged = verdict(misses) if name.startswith("auto") else ""
            table.rows.append([data, name, known.get(name, "-"), words, judged])
    return table


def whole_table(trees: list[WholeTree]) -> Table:
    table = Table(
        "A whole tree of 26 classes",
        "letter, grown to the end on three quarters of the rows without pruning, judged on the "
        f"rest. Asked: minutes, here at most {MOST_MINUTES:g}, of process CPU time.",
        "tests|rows|time|leaves|complexity|accuracy|verdict",
    )
    for tree in trees:
        misses = ["time"] if tree.seconds > 60 * MOST_MINUTES else []
        size = (count(tree.leaves), count(tree.complexity), f"{100 * tree.accuracy:.1f} %")
        row = [tree.tests, count(tree.rows), seconds(tree.seconds), *size, verdict(misses)]
        table.rows.append(row)
    return table
