"""`treewright fit`: grow a tree from a table, show it and save it."""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

import click

from treewright.cli.outputs import check_output
from treewright.cli.reading import Reading, check_inputs, reading_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from treewright.cli.screen import Screen
    from treewright.cli.tables import Columns, Target
    from treewright.schema import NumberForm

__all__ = ["command"]

_HELP = """Grow a tree from the table FILE, show it and save it.

All columns but the target are used; text, truth values and empty cells are fine as they are.

\b
Examples:
  treewright fit loans.csv --target repaid -o model.json
  treewright fit loans.csv --target repaid --max-leaves 7 --test later.csv -o model.json
  treewright fit houses.parquet --target price --drop address --max-depth 4 -o prices.json
  treewright fit weather.csv --target play --method id3
  treewright fit wine.csv --target kind --method must --features 3
  treewright fit wine.csv --target kind --method logistic --prune trim
  treewright fit wine.csv --target kind --method oc1 --features 2 --seed 1
  treewright fit loans.csv --target repaid --prune error-based
  treewright fit loans.csv --target repaid --method optimal --max-depth 3 --time-limit 60
"""
_METHODS = {
    "cart": "CART",
    "must": "MUST",
    "logistic": "The logistic tree",
    "c45": "C4.5",
    "id3": "ID3",
    "optimal": "The optimal tree",
    "dgmml": "dGMML",
    "quest": "QUEST",
    "cart-lc": "CART-LC",
    "oc1": "OC1",
    "hhcart": "HHCART",
    "sadt": "SADT",
    "wodt": "WODT",
    "linear-program": "The tree by linear programs",
    "lmdt": "LMDT",
    "pbot": "P-BOT",
    "fact": "FACT",
    "cruise": "CRUISE",
    "cart-alpha": "CART-alpha",
}
_FOR_NUMBERS = ("cart", "must", "optimal", "dgmml", "cart-lc", "cart-alpha")
_WITH_FEATURES = ("must", "cart-lc", "oc1", "hhcart", "sadt", "wodt")
# As published, for pruning; here all rows grow the tree.
_HOLDING_OUT = ("oc1", "hhcart", "sadt", "lmdt")
FEATURES = ("1", "2", "3", "all")
PRUNERS = (
    "cost-complexity",
    "error-based",
    "reduced-error",
    "mdl",
    "critical-value",
    "trim",
    "squeeze",
)
_CLASSES_ONLY = ("error-based", "mdl")
_MOST_LINES = 60  # of a tree that is shown whole
_DEEPEST_SEARCH = 30  # what the estimators of optimal trees accept
_NO_LIMIT = 1_000_000_000  # more than any tree has, and small enough for the core


@click.command("fit", help=_HELP, short_help="Grow a tree from a table, show it and save it.")
@click.argument("file", metavar="FILE")
@click.option("--target", required=True, metavar="COLUMN", help="The column to predict.")
@click.option(
    "-o", "--output", metavar="MODEL.json", help="Where to save the tree; not saved if left out."
)
@click.option(
    "--method",
    type=click.Choice(list(_METHODS)),
    default="cart",
    show_default=True,
    help="How to grow it: cart (two branches a test, classes or numbers), must (the same, with "
    "sums of a few numeric columns), logistic (sums of as many as matter, classes only), c45 or "
    "id3 (a branch for every level, classes only), optimal (no tree of its depth does better on "
    "these rows, with a proof); as in the literature dgmml, quest, fact and cruise (columns by "
    "significance), cart-lc, oc1, hhcart, sadt, wodt and linear-program (sums by search), lmdt and "
    "pbot (a score for every class), cart-alpha (two conditions joined).",
)
@click.option(
    "--features",
    type=click.Choice(FEATURES),
    help="Most numeric columns in a test: 2 for must if left out, all for the others that take it.",
)
@click.option(
    "--task",
    type=click.Choice(["auto", "classification", "regression"]),
    default="auto",
    show_default=True,
    help="What to predict; auto takes text, truth values and up to 10 whole numbers as classes.",
)
@click.option(
    "--prune",
    type=click.Choice(["auto", "none", *PRUNERS]),
    default="auto",
    show_default=True,
    help="How to cut it back: cost-complexity (10-fold cross-validation, 1-SE rule), error-based "
    "(C4.5), reduced-error (a third of the rows held out), mdl, critical-value, trim (columns "
    "leave the sums one by one) or squeeze; auto is error-based for c45 and for classes by dgmml, "
    "none for id3 and optimal, else cost-complexity.",
)
@click.option(
    "--max-depth",
    type=click.IntRange(min=1),
    metavar="N",
    help="Most tests on a path; 3 for optimal if left out.",
)
@click.option("--max-leaves", type=click.IntRange(min=2), metavar="N", help="Most leaves.")
@click.option(
    "--min-samples-leaf",
    type=click.IntRange(min=1),
    metavar="N",
    help="Fewest rows of a leaf; by default 5 for logistic and quest, 3 for must, 2 for c45, else "
    "1.",
)
@click.option(
    "--time-limit",
    type=click.FloatRange(min=0),
    metavar="SECONDS",
    help="When to stop with the tree found so far.",
)
@click.option("--weights", metavar="COLUMN", help="A column with the weight of each row.")
@click.option(
    "--drop", multiple=True, metavar="COLUMN", help="A column not to use; may be given repeatedly."
)
@click.option(
    "--keep",
    multiple=True,
    metavar="COLUMN",
    help="A column to use though it seems to tell nothing of new rows, such as names of rows; may "
    "be given repeatedly.",
)
@click.option(
    "--text",
    multiple=True,
    metavar="COLUMN",
    help="A column of codes that look like numbers and are none; may be given repeatedly.",
)
@click.option("--test", metavar="FILE", help="A second table to measure the tree on.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), metavar="N", help="For random methods.")
@reading_options
def command(
    file: str,
    target: str,
    output: str | None,
    method: str,
    features: str | None,
    task: str,
    prune: str,
    max_depth: int | None,
    max_leaves: int | None,
    min_samples_leaf: int | None,
    time_limit: float | None,
    weights: str | None,
    drop: tuple[str, ...],
    keep: tuple[str, ...],
    text: tuple[str, ...],
    test: str | None,
    seed: int | None,
    reading: Reading,
) -> None:
    """Run the command."""
    if features is not None and method not in _WITH_FEATURES:
        raise click.UsageError(f"--features is for --method {_listed(_WITH_FEATURES)}.")
    if method == "optimal" and prune not in ("auto", "none"):
        raise click.UsageError("--method optimal does not prune; use --max-leaves for less.")
    if method == "optimal" and seed is not None:
        raise click.UsageError("--method optimal draws nothing at random; leave out --seed.")
    if method == "optimal" and max_depth is not None and max_depth > _DEEPEST_SEARCH:
        raise click.UsageError(
            f"--method optimal takes a --max-depth of {_DEEPEST_SEARCH} at most. Got {max_depth}."
        )
    if time_limit is not None and math.isnan(time_limit):
        raise click.UsageError("--time-limit takes a number of seconds. Got nan.")
    if time_limit == 0 and method != "optimal":
        raise click.UsageError("--time-limit must leave some time to grow a tree in. Got 0.")
    if output is not None:
        check_output(output, [file] if test is None else [file, test], [".json"])
    check_inputs(file, test)
    from treewright.cli import tables
    from treewright.cli.columns import remember_forms, usable_columns
    from treewright.cli.scores import cross_validated_text, score_text
    from treewright.cli.screen import Screen, note, warnings_as_notes
    from treewright.exceptions import DataError, brief
    from treewright.words import visible

    table = tables.read(file, reading, text=text)
    for name in (target, *drop, *keep, *text, *([] if weights is None else [weights])):
        tables.find_column(table, name, file)
    if target in (*drop, weights):
        raise DataError(f"The target {brief(target)} can neither be dropped nor be the weights.")
    table, n_unknown = tables.drop_unknown(table, target)
    table = {name: column for name, column in table.items() if name not in drop}
    table, forms = tables.as_numbers(table, reading, file, text=text)
    goal = tables.target_of(table.pop(target), target)
    row_weights = None
    if weights is not None:
        row_weights = tables.weights_of(table.pop(weights), weights)
    if not table:
        raise DataError(f"There is no column to predict {brief(target)} from.")
    table, goal, row_weights, remarks = tables.keep_known(table, goal, row_weights, n_unknown)
    chosen, why = tables.choose_task(goal, task)
    if chosen == "regression" and method not in _FOR_NUMBERS:
        raise DataError(
            f"{_METHODS[method]} predicts classes, and the target {brief(target)} holds numbers; "
            f"use --method {_listed(_FOR_NUMBERS, 'or')}, or --task classification if they are "
            "whole numbers that stand for classes."
        )
    if chosen == "regression" and prune in _CLASSES_ONLY:
        raise DataError(
            f"--prune {prune} is for classes, and the target {brief(target)} holds numbers; use "
            "--prune cost-complexity, or --task classification if they stand for classes."
        )
    table, left_out = usable_columns(table, reading.types, keep=keep)
    held_out = None if test is None else _read_test(test, table, goal, text, reading, forms)
    for remark in (*remarks, *left_out, *tables.similar_classes(goal)):
        note(remark)

    # What is not given is left to the method, which may have limits of its own.
    limits = {"max_depth": max_depth, "max_leaf_nodes": max_leaves, "time_limit": time_limit}
    parameters: dict[str, Any] = {
        name: min(limit, _NO_LIMIT) for name, limit in limits.items() if limit is not None
    }
    if min_samples_leaf is not None:
        parameters["min_samples_leaf"] = min_samples_leaf
    if features is not None:
        parameters["features"] = features if features == "all" else int(features)
    if seed is not None:
        parameters["random_state"] = seed
    if prune != "auto" and method != "optimal":
        parameters["prune"] = None if prune == "none" else prune.replace("-", "_")

    screen = Screen()
    if task == "auto":
        screen.paragraph(why)
        screen.line()
        sys.stdout.flush()  # growing may take a while
    with warnings_as_notes():
        make = _search if method == "optimal" else _grow
        model = make(method, chosen, parameters, table, goal, row_weights)
        remember_forms(model, forms, {})
        answer = None if held_out is None else model.predict(held_out[0])
    if output is not None:  # before it is shown, lest `| head` lose it
        model.save(output)
    _show(screen, model, output)
    validated = cross_validated_text(model, ascii_only=screen.ascii_only)
    if validated:
        screen.line()
        screen.paragraph(validated, "bold")
    if held_out is not None and answer is not None:
        score = score_text(answer, held_out[1], ascii_only=screen.ascii_only)
        screen.line()
        screen.paragraph(f"On {visible(str(test))}: {score}.", "bold")
    if method == "optimal":
        screen.line()
        screen.paragraph(str(model.certificate_).replace("\n", " "))
    elif model.tree_.n_leaves == 1 and not model.stopped_by_time_limit_:
        note(f"No test was found worth making, so the tree is one leaf{_hint(model)}")
    if output is not None:
        screen.line()
        screen.line(f"Wrote {visible(output)}")


def _listed(words: tuple[str, ...], conjunction: str = "and") -> str:
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def _read_test(
    path: str,
    training: Columns,
    goal: Target,
    text: tuple[str, ...],
    reading: Reading,
    forms: Mapping[str, NumberForm],
) -> tuple[Columns, Target]:
    """Read the table to measure on, which has the columns of the training table."""
    from treewright.cli import tables

    is_text = goal.cells.kind in ("categorical", "ordinal")
    as_text = (*text, goal.name) if is_text else text
    table = tables.read(path, reading, text=as_text, forms=forms)
    for name in (*training, goal.name):
        tables.find_column(table, name, path)
    table = {name: table[name] for name in (*training, goal.name)}
    table, _ = tables.as_numbers(table, reading, path, text=as_text, forms=forms)
    return table, tables.target_of(table[goal.name], goal.name)


def _hint(model: Any) -> str:
    """Say what may find a test after all."""
    if model.prune is not None:
        return "; try --prune none"
    return "; try --min-samples-leaf 1" if model.min_samples_leaf != 1 else "."


def _grow(
    method: str,
    task: str,
    parameters: dict[str, Any],
    table: Columns,
    goal: Target,
    weights: Any,
) -> Any:
    """Grow the tree by one of the recipes."""
    from treewright import recipes
    from treewright.cli.progress import working

    if "min_samples_leaf" in parameters:
        # A node is then split whenever its branches can be leaves.
        parameters["min_samples_split"] = 2 * parameters["min_samples_leaf"]
    if method in _FOR_NUMBERS:
        parameters["task"] = task
    if method in _HOLDING_OUT:
        parameters.setdefault("prune", "cost_complexity")
    name = "oblique_logistic" if method == "logistic" else method.replace("-", "_")
    with working("Growing the tree") as progress:
        recipe = getattr(recipes, name)
        model = recipe(readable=True, merge_siblings=True, progress=progress, **parameters)
        model.fit(table, goal.column, sample_weight=weights)
    return _named(model, goal)


def _search(
    method: str,
    task: str,
    parameters: dict[str, Any],
    table: Columns,
    goal: Target,
    weights: Any,
) -> Any:
    """Search for the optimal tree."""
    from treewright.cli.search_line import searching
    from treewright.estimators import OptimalTreeClassifier, OptimalTreeRegressor

    if "max_leaf_nodes" in parameters:
        parameters["max_nodes"] = parameters.pop("max_leaf_nodes") - 1
    classes = task == "classification"
    estimator: Any = OptimalTreeClassifier if classes else OptimalTreeRegressor
    with searching() as progress:
        model = estimator(progress=progress, **parameters)
        model.fit(table, goal.column, sample_weight=weights)
    return _named(model, goal)


def _named(model: Any, goal: Target) -> Any:
    """Give the schema of a model the name of the target."""
    model._set_schema(model.schema_.with_target(goal.name, model.schema_.classes))
    return model


def _show(screen: Screen, model: Any, output: str | None) -> None:
    """Print the tree, or the top of a large one."""
    from treewright.cli.screen import shown_depth
    from treewright.words import visible

    tree = model.tree_
    depth = shown_depth(tree, _MOST_LINES)
    screen.tree(tree, max_depth=depth)
    if depth is not None:
        screen.line()
        place = "MODEL.json" if output is None else visible(output)
        screen.paragraph(
            f"This is the top of the tree, to depth {depth} of {tree.depth}. All of it: treewright "
            f"show {place}; a shorter one: --max-leaves 20."
        )
