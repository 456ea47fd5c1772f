"""Time limits and Ctrl-C: every estimator, recipe and command on an instance that takes long.

All is measured in processor time, since the clock of a busy machine says little. A timer of the
processor time of this process stands for the user: its signal is handled as that of Ctrl-C is, and
noticed where that is noticed.
"""

from __future__ import annotations

import contextlib
import inspect
import signal
import subprocess
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import click
import numpy as np
import pytest
from clocked import clocked

import treewright
from treewright import (
    ForestClassifier,
    ForestRegressor,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
    ReadableTreeClassifier,
    ReadableTreeRegressor,
    RuleSetClassifier,
    TreeClassifier,
    TreeRegressor,
    recipes,
)
from treewright.exceptions import DataError
from treewright.optimal import column_generation, refinement
from treewright.optimal.proposals import Proposal
from treewright.predicates import Axis
from treewright.splits import LMDT, MUST, PBOT, LinearProgram

pytestmark = pytest.mark.skipif(
    not hasattr(signal, "ITIMER_PROF"), reason="there is no timer of processor time here"
)

LATEST = 0.05  # seconds of processor time after the limit
SOON = 0.3  # seconds after Ctrl-C
NOISE = 3.0  # on a machine whose caches others use, the same work takes up to so much longer
QUIET = 0.012  # seconds of processor time that `noise` takes for one round on a quiet machine

Table = tuple[Any, Any]


def noise() -> float:
    """How much longer work may take here and now: some machines are slowed down by others."""
    rounds = []
    for _ in range(5):
        began, total = time.process_time(), 0
        for step in range(200_000):
            total += step
        rounds.append(time.process_time() - began)
    return NOISE * max(1.0, max(rounds) / QUIET)


@cache
def numbers(n_rows: int = 4000, n_columns: int = 20) -> np.ndarray:
    return np.random.default_rng(21).normal(size=(n_rows, n_columns))


def classes(n_classes: int, n_rows: int = 4000) -> np.ndarray:
    return np.random.default_rng(n_classes).integers(0, n_classes, n_rows)


def many_classes() -> Table:
    return numbers(), classes(1000)


def few_classes() -> Table:
    return numbers(20_000), classes(3, 20_000)


def a_number() -> Table:
    return numbers(20_000), np.random.default_rng(5).normal(size=20_000)


def levels(n_levels: int, n_rows: int, n_classes: int) -> Table:
    codes = np.random.default_rng(7).integers(0, n_levels, (n_rows, 2))
    columns = {f"c{j}": [f"l{code}" for code in codes[:, j]] for j in range(2)}
    return columns, classes(n_classes, n_rows)


def many_levels() -> Table:
    return levels(1500, 6000, 100)


def wide() -> Table:
    return numbers(1000, 2000), np.random.default_rng(5).normal(size=1000)


# ---------------------------------------------------------------------- limits

LIMITED: dict[str, tuple[Callable[[float], Any], Callable[[], Table]]] = {
    "tree": (lambda limit: TreeClassifier(time_limit=limit), few_classes),
    "tree, costs": (
        lambda limit: TreeClassifier(cost_matrix=1.0 - np.eye(300), time_limit=limit),
        lambda: (numbers(2000), np.arange(2000) % 300),
    ),
    "tree, levels": (lambda limit: TreeClassifier(time_limit=limit), many_levels),
    "tree, groups": (
        lambda limit: TreeClassifier(categorical="grouped", gain="ratio", time_limit=limit),
        many_levels,
    ),
    "tree, machines": (lambda limit: TreeClassifier(LMDT(), time_limit=limit), many_classes),
    "regression tree": (lambda limit: TreeRegressor(time_limit=limit), a_number),
    "optimal": (lambda limit: OptimalTreeClassifier(3, time_limit=limit), few_classes),
    "optimal, 500 classes": (
        lambda limit: OptimalTreeClassifier(3, time_limit=limit),
        lambda: (numbers(), classes(500)),
    ),
    "optimal, 1000 classes": (
        lambda limit: OptimalTreeClassifier(4, time_limit=limit),
        many_classes,
    ),
    "optimal, levels": (
        lambda limit: OptimalTreeClassifier(3, time_limit=limit),
        lambda: levels(5000, 10_000, 2),
    ),
    "optimal, front": (
        lambda limit: OptimalTreeClassifier(5, front=True, time_limit=limit),
        lambda: (numbers(20_000), classes(100, 20_000)),
    ),
    "optimal, sizes": (
        lambda limit: OptimalTreeClassifier(4, max_nodes=9, time_limit=limit),
        few_classes,
    ),
    "optimal, sums": (
        lambda limit: OptimalTreeClassifier(3, dictionary=[MUST("all")], time_limit=limit),
        lambda: (numbers(10_000), classes(26, 10_000)),
    ),
    "optimal, wide": (lambda limit: OptimalTreeRegressor(3, time_limit=limit), wide),
    "optimal, numbers": (lambda limit: OptimalTreeRegressor(4, time_limit=limit), a_number),
    "optimal, pairs": (
        lambda limit: OptimalTreeClassifier(4, pair_levels=2, time_limit=limit),
        few_classes,
    ),
    "optimal, smallest": (
        lambda limit: OptimalTreeClassifier(4, smallest=True, time_limit=limit),
        few_classes,
    ),
}
LIMITED |= {
    "tree, multinomial": (lambda limit: TreeClassifier(PBOT(), time_limit=limit), many_classes),
    "tree, linear programs": (
        lambda limit: TreeClassifier(LinearProgram(), time_limit=limit),
        few_classes,
    ),
    "optimal, 1000 classes, front": (
        lambda limit: OptimalTreeClassifier(3, front=True, time_limit=limit),
        many_classes,
    ),
    "optimal, 1000 classes, levels": (
        lambda limit: OptimalTreeClassifier(3, time_limit=limit),
        lambda: levels(5000, 10_000, 1000),
    ),
    "optimal, linear programs": (
        lambda limit: OptimalTreeClassifier(3, dictionary=[LinearProgram()], time_limit=limit),
        few_classes,
    ),
}


@contextlib.contextmanager
def silence() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def processor_time_to_read(X: Any) -> float:
    """Measure what no limit can spare: the table has to be read."""
    began = time.process_time()
    treewright.Schema.from_data(X)
    return time.process_time() - began


@pytest.mark.parametrize("name", LIMITED)
@clocked
def test_limits_were_passed_by_seconds(name):
    """500 classes and 5,000 levels took 11 s with a limit of 1 s, 2,000 columns 0.8 s with none."""
    make, table = LIMITED[name]
    X, y = table()
    with silence():
        make(0.001).fit(X, y)  # imports what it needs
        reading = processor_time_to_read(X)
        for limit in (0.001, 0.2):
            began = time.process_time()
            model = make(limit).fit(X, y)
            taken = time.process_time() - began
            assert taken <= limit + noise() * (LATEST + reading), f"limit {limit}: {taken:.2f} s"
            assert np.isfinite(model.predict(X)).all()
            if hasattr(model, "certificate_"):
                assert model.certificate_.lower_bound <= model.certificate_.objective


def least_time(work: Callable[[], Any], n_times: int = 5) -> float:
    """Measure the processor time of work; the least of some is the least disturbed."""
    taken = []
    for _ in range(n_times):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


@pytest.mark.parametrize(
    "table", [many_classes, lambda: levels(5000, 10_000, 2), lambda: levels(5000, 10_000, 1000)]
)
@clocked
def test_no_time_at_all_took_a_tenth_of_a_second(table):
    """Matrices of 1,000 x 1,000 costs were made, and thousands of levels checked one by one."""
    X, y = table()
    model = OptimalTreeClassifier(4, time_limit=0)
    with silence():
        reading = least_time(lambda: processor_time_to_read(X))
        assert least_time(lambda: model.fit(X, y)) <= LATEST + reading


def test_many_classes_make_no_matrix_of_costs():
    X, y = many_classes()
    model = OptimalTreeClassifier(2, thresholds="quantile", time_limit=0.2)
    with silence():
        tracemalloc.start()
        model.fit(X, y)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 8e6  # what 1,000 x 1,000 numbers take


@pytest.mark.parametrize("limit", [0.5, 2.0])
@clocked
def test_a_machine_of_a_thousand_classes_was_rounded_for_hours(limit):
    """Its 21,000 numbers were shortened one by one, whatever limit and Ctrl-C said."""
    X, y = numbers(1000), np.arange(1000)
    with silence():
        began = time.process_time()
        model = TreeClassifier(LMDT(max_epochs=1), time_limit=limit).fit(X, y)
        taken = time.process_time() - began
    assert taken <= limit + noise() * LATEST, f"{taken:.2f} s"
    assert model.stopped_by_time_limit_
    check_that_ctrl_c_ends(lambda: TreeClassifier(LMDT(max_epochs=1)).fit(X, y), limit)


@pytest.mark.long
@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_a_linear_program_did_not_know_the_time_limit(seconds, monkeypatch):
    """The solver is told what is left, and what it did not finish is no test."""
    import scipy.optimize

    told = []

    def linprog(*args, **kwargs):
        told.append(kwargs["options"]["time_limit"])
        return solve(*args, **kwargs | {"options": {"time_limit": seconds}})

    solve = scipy.optimize.linprog
    monkeypatch.setattr(scipy.optimize, "linprog", linprog)
    X, y = few_classes()
    with silence():
        model = TreeClassifier(LinearProgram(), time_limit=600.0).fit(X, y)
    assert told
    assert max(told) <= 600.0
    assert model.tree_.n_leaves == 1


@pytest.mark.long
def test_proposals_for_the_next_round_went_on_after_the_limit(monkeypatch):
    """On letter they were collected for a quarter of a second more."""
    asked = []

    def slowly(*_):
        for place in range(100):
            asked.append(place)
            began = time.process_time()
            while time.process_time() < began + 0.02:
                pass
            yield Proposal(Axis(0, place / 100.0), 0.5, is_kept=True)

    monkeypatch.setattr(column_generation, "_around", slowly)
    X, y = numbers(200), classes(3, 200)
    with silence():
        model = OptimalTreeClassifier(1, dictionary=[MUST(2)], time_limit=0.5).fit(X, y)
    assert model.tree_.n_leaves == 2
    assert 0 < len(asked) < 50


def test_thresholds_for_the_next_round_were_looked_for_after_the_limit(monkeypatch):
    """With 2,000 columns that took a tenth of a second, for a search that had come to no end."""
    looked = []
    monkeypatch.setattr(refinement, "_refined", lambda *_: looked.append(1))
    with silence():
        model = OptimalTreeClassifier(4, time_limit=0.2).fit(*few_classes())
    assert model.certificate_.status == "time_limit"
    assert not looked


@pytest.mark.long
def test_five_thousand_levels_took_1700_megabytes():
    X, y = levels(5000, 10_000, 2)
    with silence():
        tracemalloc.start()
        OptimalTreeClassifier(2, time_limit=2.0).fit(X, y)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 150e6


MEMORY = """
import resource, sys, warnings
import numpy as np
from treewright import OptimalTreeClassifier

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

warnings.simplefilter("ignore")
n_levels, n_classes, depth, limit = map(int, sys.argv[1:])
random = np.random.default_rng(7)
X = {"city": [f"l{code}" for code in random.integers(0, n_levels, 40_000)]}
y = random.integers(0, n_classes, 40_000)
OptimalTreeClassifier(2, time_limit=0).fit(X, y)
before = peak()
OptimalTreeClassifier(depth, memory_limit=limit, time_limit=5).fit(X, y)
print(peak() - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("n_levels", "n_classes", "depth"), [(4000, 2, 2), (8000, 3, 3)])
def test_the_bits_of_sets_of_levels_did_not_count_as_memory(n_levels, n_classes, depth):
    """All copies of the bits stay within the limit, beside 64 megabytes for any search."""
    pytest.importorskip("resource")
    limit = 250
    run = [sys.executable, "-c", MEMORY, *map(str, (n_levels, n_classes, depth, limit))]
    told = subprocess.run(run, capture_output=True, text=True, check=True, timeout=300).stdout
    assert float(told) <= limit + 64


def test_more_sets_of_levels_than_memory_are_refused():
    X, y = levels(1500, 6000, 2)
    limited = OptimalTreeClassifier(3, memory_limit=10)
    words = r"2\d{3} sets of levels of column 'c[01]' need .* megabytes, .* allows, 10; leave"
    tracemalloc.start()
    with pytest.raises(DataError, match=words):
        limited.fit(X, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10e6


def test_more_given_tests_than_memory_are_refused():
    given = [Axis(0, threshold) for threshold in np.linspace(-1.0, 1.0, 2000).tolist()]
    with pytest.raises(DataError, match=r"2000 conditions in the 'diction.* need 5.* give fewer"):
        OptimalTreeClassifier(2, dictionary=given, memory_limit=5).fit(numbers(), classes(2))


# ---------------------------------------------------------------------- Ctrl-C


@contextlib.contextmanager
def ctrl_c_after(seconds: float) -> Iterator[Callable[[], float]]:
    """Press Ctrl-C after some processor time; gives a function that tells how long ago that was."""
    began = time.process_time()
    before = signal.signal(signal.SIGPROF, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield lambda: time.process_time() - began - seconds
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def check_that_ctrl_c_ends(
    work: Callable[[], Any], seconds: float = 0.3, *, may_finish: bool = False
) -> None:
    ended = "finished"
    with silence(), ctrl_c_after(seconds) as late:
        try:
            model = work()
            certificate = getattr(model, "certificate_", None)
            if certificate is not None and certificate.status == "interrupted":
                ended = "stopped"  # a search gives the best tree it has
        except KeyboardInterrupt:
            ended = "stopped"
        after = late()
    if may_finish and ended == "finished" and after < 0.0:
        pytest.skip("The work was quicker than the signal.")
    assert ended == "stopped" or after >= 0.0, "The instance is not hard enough."
    assert after <= noise() * SOON, f"{after:.2f} s"


ESTIMATORS: dict[str, tuple[Callable[[], Any], Callable[[], Table]]] = {
    "TreeClassifier": (lambda: TreeClassifier(prune="cost_complexity"), few_classes),
    "TreeRegressor": (lambda: TreeRegressor(prune="cost_complexity"), a_number),
    "TreeClassifier, trim": (lambda: TreeClassifier(MUST(3), prune="trim"), few_classes),
    "TreeClassifier, squeeze": (lambda: TreeClassifier(MUST(3), prune="squeeze"), few_classes),
    "TreeClassifier, LMDT": (lambda: TreeClassifier(LMDT()), many_classes),
    "TreeClassifier, PBOT": (lambda: TreeClassifier(PBOT()), many_classes),
    "TreeClassifier, linear programs": (lambda: TreeClassifier(LinearProgram()), few_classes),
    "TreeClassifier, levels": (lambda: TreeClassifier(), many_levels),
    "TreeClassifier, grouped": (
        lambda: TreeClassifier(categorical="grouped", gain="ratio"),
        many_levels,
    ),
    "ForestClassifier": (lambda: ForestClassifier(n_estimators=50, n_jobs=2), few_classes),
    "ForestRegressor": (lambda: ForestRegressor(n_estimators=50), a_number),
    "OptimalTreeClassifier": (lambda: OptimalTreeClassifier(5), few_classes),
    "OptimalTreeClassifier, classes": (lambda: OptimalTreeClassifier(5), many_classes),
    "OptimalTreeRegressor": (lambda: OptimalTreeRegressor(5), a_number),
    "ReadableTreeClassifier": (lambda: ReadableTreeClassifier(), few_classes),
    "ReadableTreeRegressor": (lambda: ReadableTreeRegressor(), a_number),
    "RuleSetClassifier": (lambda: RuleSetClassifier(), many_classes),
}


def test_every_estimator_is_in_the_table():
    fitted = {name.split(",")[0] for name in ESTIMATORS}
    public = {
        name
        for name in treewright.__all__
        if name.endswith(("Classifier", "Regressor")) and inspect.isclass(getattr(treewright, name))
    }
    assert public <= fitted


@pytest.mark.parametrize("name", ESTIMATORS)
@clocked
def test_ctrl_c_was_not_heard_for_minutes(name):
    """LMDT with 1,000 classes ignored an alarm of 40 s, the optimal search SIGINT for 30 s."""
    make, table = ESTIMATORS[name]
    X, y = table()
    check_that_ctrl_c_ends(lambda: make().fit(X, y))


@pytest.mark.parametrize("name", recipes.__all__)
@pytest.mark.parametrize("table", [many_classes, many_levels, few_classes])
@clocked
def test_ctrl_c_ends_every_recipe(name, table):
    X, y = table()
    model = getattr(recipes, name)()
    if table is many_levels:
        with silence(), contextlib.suppress(KeyboardInterrupt):
            try:
                model.fit({key: values[:30] for key, values in X.items()}, y[:30])
            except ValueError as error:
                pytest.skip(f"{name} takes no such table: {error}")
    # Some find nothing worth a split on such a table.
    check_that_ctrl_c_ends(lambda: model.fit(X, y), 0.1, may_finish=True)


# ---------------------------------------------------------------------- commands

COMMANDS: dict[str, list[str]] = {
    "fit": ["fit", "{table}", "--target", "y", "-o", "{out}.json"],
    "fit, cart": ["fit", "{table}", "--target", "y", "--method", "cart", "-o", "{out}.json"],
    "fit, optimal": ["fit", "{table}", "--target", "y", "--method", "optimal", "-o", "{out}.json"],
    "report": ["report", "{table}", "--target", "y", "-o", "{out}.html"],
    "predict": ["predict", "{model}", "{table}", "-o", "{out}.csv"],
    "explain": ["explain", "{model}", "{table}"],
    "export": ["export", "{model}", "--to", "python", "-o", "{out}.py"],
    "show": ["show", "{model}"],
    "methods": ["methods"],
    "demo": ["demo", "--folder", "{out}"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("limits")
    X, y = numbers(5000), classes(3, 5000)
    names = ",".join(f"x{j}" for j in range(X.shape[1]))
    rows = np.column_stack([X.round(6), y])
    np.savetxt(path / "rows.csv", rows, delimiter=",", header=f"{names},y", comments="", fmt="%g")
    with silence():
        columns = {f"x{j}": X[:, j].round(6) for j in range(X.shape[1])}
        TreeClassifier(max_depth=7).fit(columns, y).save(path / "model.json")
    return path


@pytest.mark.parametrize("name", COMMANDS)
@clocked
def test_ctrl_c_ends_every_command(name, folder, capsys):
    """A command that is stopped leaves with 130, soon; one that is done by then with 0."""
    from treewright.cli import main

    places = {
        "table": str(folder / "rows.csv"),
        "model": str(folder / "model.json"),
        "out": str(folder / "out"),
    }
    arguments = [argument.format(**places) for argument in COMMANDS[name]]
    with silence(), ctrl_c_after(0.2) as late:
        try:
            with pytest.raises(SystemExit) as left:
                main(arguments)
        except KeyboardInterrupt:  # it was done, and the signal came between two lines of this test
            pytest.skip("The command was quicker than the signal.")
        after = late()
    capsys.readouterr()
    assert left.value.code in (0, 130)
    assert after <= noise() * SOON, f"{after:.2f} s"


def test_every_command_is_in_the_table():
    from treewright.cli import main

    named = {name.split(",")[0] for name in COMMANDS}
    assert set(main.list_commands(click.Context(main))) == named
