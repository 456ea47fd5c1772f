"""The accuracy of forests on data sets: folds, paired differences, and how large chance is."""

from __future__ import annotations

import statistics
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.common.cross_validation import (
    Fold,
    Outcome,
    corrected_error,
    rows_of,
    seed_of,
    work_through,
)
from benchmarks.common.data_sets import DataSet
from benchmarks.common.measuring import clocked
from benchmarks.common.report import Table, verdict
from benchmarks.peers.forest_work import ForestJob, make_forest

FOLDS = 10
OTHER_SEEDS = "scikit-learn, other seeds"
EXACT = ("scikit-learn", OTHER_SEEDS, "treewright")
OBLIQUE = ("must_forest", "logistic_forest", "treeple")
ERRORS = 2.0  # standard errors that are still chance

Outcomes = dict[tuple[str, str], Outcome]  # by data and forest


@dataclass(frozen=True)
class Task:
    """Grow one forest on nine tenths of the rows, judge it on the rest."""

    forest: str
    trees: int
    repeat: int
    fold: int

    def do(self, data: DataSet) -> list[Fold]:
        trained, held_out = rows_of(data, self.repeat, self.fold, FOLDS)
        table = np.column_stack([*data.columns.values()])
        seed = seed_of(self.repeat, self.fold) + (10_000 if self.forest == OTHER_SEEDS else 0)
        library = self.forest.removesuffix(", other seeds")
        model = make_forest(ForestJob(library, trees=self.trees)).set_params(random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what peers say of small samples
            _, busy, _ = clocked(model.fit, table[trained], data.target[trained])
            accuracy = model.score(table[held_out], data.target[held_out])
        return [Fold(data.name, self.forest, self.repeat, self.fold, accuracy, 0, 0, 0.0, busy)]


def run_sets(
    sets: Sequence[DataSet], forests: Sequence[str], trees: int, repeats: int, n_jobs: int
) -> Outcomes:
    """Cross-validate the forests on all sets."""
    outcomes: Outcomes = {}
    places = [(repeat, fold) for repeat in range(repeats) for fold in range(FOLDS)]
    for data in sets:
        tasks = [Task(name, trees, *place) for place in places for name in forests]
        folds = work_through(data, tasks, n_jobs)
        for name in forests:
            own = [fold for fold in folds if fold.method == name]
            outcomes[data.name, name] = Outcome(data, name, own)
    return outcomes


def differences(outcomes: Outcomes, first: str, second: str) -> np.ndarray:
    """Return how many points the first forest is ahead, by set."""
    sets = dict.fromkeys(data for data, _ in outcomes)
    return np.array(
        [outcomes[data, first].accuracy - outcomes[data, second].accuracy for data in sets]
    )


def noise_table(outcomes: Outcomes) -> Table:
    table = Table(
        "Accuracy beside scikit-learn, over the sets",
        "Points of accuracy: mean over the sets, its standard error, the mean size on a set, and "
        "the largest. The second row is what chance does: the same forests of scikit-learn with "
        f"other seeds. Asked: a mean within {ERRORS:g} standard errors of 0.",
        "forest|sets|difference|standard error|mean size|largest|verdict",
    )
    for name in ("treewright", OTHER_SEEDS):
        gains = differences(outcomes, name, "scikit-learn")
        row = [name, str(len(gains)), f"{gains.mean():+.2f}", "-"]
        row += [f"{size(np.abs(gains)):.2f}" for size in (np.mean, np.max)]
        words = ""
        if len(gains) > 1:
            error = gains.std(ddof=1) / np.sqrt(len(gains))
            row[3] = f"{error:.2f}"
            misses = ["accuracy"] if abs(gains.mean()) > ERRORS * error else []
            words = verdict(misses) if name == "treewright" else ""
        table.rows.append([*row, words])
    return table


def accuracy_table(outcomes: Outcomes, forests: Sequence[str]) -> Table:
    first, *others = forests
    table = Table(
        f"Accuracy on the sets, beside {first}",
        "Per cent; differences fold by fold, +- their standard error, corrected for the rows that "
        "folds share.",
        f"data|{first}|" + "|".join(others),
    )
    for data in dict.fromkeys(data for data, _ in outcomes):
        base = outcomes[data, first]
        row = [data, f"{base.accuracy:.1f}"]
        for name in others:
            gain = outcomes[data, name].accuracies - base.accuracies
            row.append(f"{gain.mean():+.1f} +- {corrected_error(gain):.1f}")
        table.rows.append(row)
    means = [_mean(outcomes, name) for name in forests]
    row = ["mean", f"{means[0]:.1f}", *(f"{mean - means[0]:+.2f}" for mean in means[1:])]
    table.rows.append(row)
    return table


def _mean(outcomes: Outcomes, forest: str) -> float:
    return statistics.fmean(one.accuracy for (_, name), one in outcomes.items() if name == forest)


def describe(outcome: Outcome) -> dict[str, Any]:
    """Return what is known of one forest on one set, for the file."""
    return {
        "data": outcome.data.name,
        "forest": outcome.method,
        "accuracy": round(outcome.accuracy, 3),
        "seconds": round(outcome.mean("seconds"), 5),
        "accuracies_of_repeats": outcome.accuracies.mean(axis=1).round(3).tolist(),
    }
