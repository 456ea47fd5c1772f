"""scikit-learn's own checks over every recipe, and why some of them cannot pass.

A row of weight 2 is as two rows, and one of weight 0 as none, unless a recipe counts rows. What
does is known from its parameters: the check then fails for a reason, and passes once that part is
left out.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import (
    check_estimator,
    check_sample_weight_equivalence_on_dense_data,
    estimator_checks_generator,
)

from treewright import OptimalTreeClassifier, RuleSetClassifier, recipes, splits
from treewright.prune import CostComplexity

EQUIVALENCE = "check_sample_weight_equivalence_on_dense_data"
# Whose cause lay in a recipe, not in an estimator; all others are slow, and go over the same ways.
QUICK = {
    EQUIVALENCE,
    "check_classifiers_one_label_sample_weights",
    "check_estimators_nan_inf",
    "check_estimators_pickle",
    "check_methods_sample_order_invariance",
    "check_sample_weights_shape",
}
LIMITS_COUNT_ROWS = "a smallest number of rows counts rows, whatever they weigh"
COUNTS_ROWS = {  # by parameter: what lifts the count, and why it is one
    "min_samples_leaf": (1, LIMITS_COUNT_ROWS),
    "min_samples_split": (2, LIMITS_COUNT_ROWS),
    "bootstrap": (False, "a row of weight 2 is drawn as often as a row of weight 1"),
    "prune": (None, "a row of weight 2 is held out as one row, in one fold"),
}
DEGREES_OF_FREEDOM = "significance depends on the number of rows, the degrees of freedom"


def every_recipe() -> Iterator[tuple[str, BaseEstimator]]:
    for name in recipes.__all__:
        make = getattr(recipes, name)
        parameters = inspect.signature(make).parameters
        small = {"n_estimators": 3} if name.endswith("_forest") else {}
        tasks = ["classification", "regression"] if "task" in parameters else [None]
        for task in tasks:
            given = small if task is None else {**small, "task": task}
            yield f"{name}-{task}" if task else name, make(**given)
        if "linear" in parameters:
            yield f"{name}-linear", make(linear=True)


MODELS = dict(every_recipe())


def counts_of_rows(model: BaseEstimator) -> dict[str, tuple[Any, str]]:
    """Return the parameters by which rows are counted, what lifts that, and why they are."""
    found = {}
    for name, value in model.get_params().items():
        own_name = name.removeprefix("tree__") if isinstance(model, RuleSetClassifier) else name
        if own_name not in COUNTS_ROWS or value == COUNTS_ROWS[own_name][0]:
            continue
        by_alpha = isinstance(value, CostComplexity) and value.alpha is not None
        if own_name != "prune" or (holds_out(value) and not by_alpha):
            found[name] = COUNTS_ROWS[own_name]
    return found


def holds_out(prune: Any) -> bool:
    return prune == "reduced_error" or isinstance(prune, CostComplexity)


def why_split_counts_rows(model: BaseEstimator) -> str | None:
    """Return why the search for a split itself counts rows, or None."""
    split = getattr(model, "split", None)
    if isinstance(split, splits.QUEST):
        return DEGREES_OF_FREEDOM
    if isinstance(split, splits.FTest) and is_classifier(model):
        if split.fallback is not None:
            return DEGREES_OF_FREEDOM
        if split.threshold == "closest" and split.variant != "paper":
            return "so many rows are the closest, whatever they weigh"
    if isinstance(split, splits.LMDT):
        return "training reads a row of weight 2 once, with a larger step"
    return None


def expected_failures(model: BaseEstimator) -> dict[str, str]:
    """Return the checks that cannot pass, with the reasons."""
    reasons = [reason for _, reason in counts_of_rows(model).values()]
    reasons += [reason for reason in [why_split_counts_rows(model)] if reason]
    failures = {EQUIVALENCE: "; ".join(dict.fromkeys(reasons))} if reasons else {}
    if isinstance(model, OptimalTreeClassifier) and not get_tags(model).input_tags.allow_nan:
        failures["check_estimators_nan_inf"] = (
            "fit refuses missing values where tests are paired, predict takes them"
        )
    return failures


def may_fail(reason: str) -> pytest.MarkDecorator:
    """Mark a check that cannot pass; what depends on significance passes where none is near."""
    return pytest.mark.xfail(reason=reason, strict=DEGREES_OF_FREEDOM not in reason)


def quick_checks() -> list[Any]:
    """Return the quick checks of every recipe, marked where they cannot pass."""
    chosen = []
    for name, model in MODELS.items():
        why = expected_failures(model)
        for estimator, check in estimator_checks_generator(model):
            check_name = check.func.__name__
            if check_name in QUICK:
                marks = [may_fail(why[check_name])] if check_name in why else []
                mark_id = f"{name}-{check_name}"
                chosen.append(pytest.param(estimator, check, marks=marks, id=mark_id))
    return chosen


@pytest.mark.parametrize(("estimator", "check"), quick_checks())
def test_quick_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore::treewright.exceptions.NotProvenWarning")
def test_scikit_learn_checks(name):
    expected = expected_failures(MODELS[name])
    results = check_estimator(
        MODELS[name], expected_failed_checks=expected, on_fail=None, on_skip=None
    )
    assert {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"} == {}
    failed = {r["check_name"] for r in results if r["status"] == "xfail"}
    assert {name for name, why in expected.items() if DEGREES_OF_FREEDOM not in why} <= failed


@pytest.mark.parametrize("name", MODELS)
def test_a_row_of_weight_2_is_as_two_rows_once_nothing_counts_rows(name):
    model = clone(MODELS[name])
    lifted = {parameter: value for parameter, (value, _) in counts_of_rows(model).items()}
    model.set_params(**lifted)
    if why_split_counts_rows(model):
        model.set_params(split="axis")
    assert expected_failures(model).get(EQUIVALENCE) is None
    check_sample_weight_equivalence_on_dense_data(name, model)
