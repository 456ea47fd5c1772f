"""Certificates against trying everything; `nox -s certificates` checks a hundred thousand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import certificate_check
import numpy as np
import pytest
from certificate_cases import Case, draw
from certificate_check import check, fit

from treewright import OptimalTreeClassifier, OptimalTreeRegressor
from treewright.predicates import Pair

FIRST = 1_000_000  # away from the seeds of the session


@pytest.mark.parametrize("batch", range(8))
def test_random_certificates_agree_with_trying_everything(batch: int) -> None:
    seeds = range(FIRST + 25 * batch, FIRST + 25 * (batch + 1))
    wrong = {seed: said for seed in seeds if (said := check(draw(seed)))}
    assert wrong == {}


def tampered(**changes: Any) -> Any:
    """Fit as always, but with another certificate."""

    def fit_otherwise(case: Case) -> Any:
        model = fit(case)
        told = model.certificate_
        certificate = replace(told, **{name: change(told) for name, change in changes.items()})
        return SimpleNamespace(tree_=model.tree_, certificate_=certificate)

    return fit_otherwise


def is_proven_with_cost(case: Case) -> bool:
    """Whether a case shows every kind of mistake: some cost, more than one leaf, a proof."""
    model = fit(case)
    certificate = model.certificate_
    return certificate.proven and certificate.objective > 1.0 and model.tree_.n_leaves > 2


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"objective": lambda told: told.objective + 0.5}, "not that of the tree"),
        ({"lower_bound": lambda told: told.objective + 0.5}, "less than the bound"),
        ({"lower_bound": lambda told: told.objective / 2}, "a gap is called proven"),
        ({"status": lambda told: "time_limit"}, "not come to its end"),
    ],
)
def test_a_wrong_certificate_is_told(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], said: str
) -> None:
    case = next(case for case in map(draw, range(100)) if is_proven_with_cost(case))
    assert check(case) == ""
    monkeypatch.setattr(certificate_check, "fit", tampered(**changes))
    assert said in check(case)


def test_a_tree_that_is_not_the_best_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    case = next(case for case in map(draw, range(100)) if is_proven_with_cost(case))
    leaf = replace(case, parameters={**case.parameters, "max_nodes": 0})
    monkeypatch.setattr(certificate_check, "fit", lambda _: fit(leaf))
    assert "another tree is better" in check(case)


# ------------------------------------------------- pairs over one column were charged for a second

X = np.array([[float(x), float(x % 4)] for x in range(12)])
BETWEEN = (X[:, 0] > 3) & (X[:, 0] <= 7)


@pytest.mark.parametrize("options", [{}, {"max_nodes": 1}, {"front": True}, {"smallest": True}])
def test_a_pair_over_one_column_is_not_charged_for_a_second(options: dict[str, Any]) -> None:
    joined = {"pair_levels": 1, "term_penalty": 0.05, "penalty": 0.01, **options}
    model = OptimalTreeClassifier(3, **joined).fit(X, BETWEEN)
    assert model.certificate_.proven
    assert model.certificate_.objective == pytest.approx(0.12)  # one leaf more, no column more
    assert isinstance(model.tree_.node(0).predicate, Pair)
    assert model.tree_.node(0).predicate.columns == (0,)
    assert model.tree_.reading_effort == 1.0
    squares = OptimalTreeRegressor(3, **joined).fit(X, 3.0 * BETWEEN)
    assert squares.certificate_.objective == pytest.approx(0.01 * 9 * 12 * (1 / 3) * (2 / 3))


@pytest.mark.parametrize("other", [X[:, 0] > 3, X[:, 0] <= 3])
@pytest.mark.parametrize("is_first", [False, True])
def test_a_pair_over_one_column_is_found_beside_a_column_that_parts_rows_alike(
    other: np.ndarray, is_first: bool
) -> None:
    columns = [other, X[:, 0]] if is_first else [X[:, 0], other]
    model = OptimalTreeClassifier(3, pair_levels=1, term_penalty=0.05, max_nodes=1)
    certificate = model.fit(np.column_stack(columns).astype(float), BETWEEN).certificate_
    assert (certificate.objective, certificate.proven) == (0.0, True)
    assert model.tree_.node(0).predicate.columns == (int(is_first),)


def test_a_pair_over_two_columns_is_charged_for_the_second() -> None:
    both = (X[:, 0] > 3) & (X[:, 1] > 1)
    model = OptimalTreeClassifier(3, pair_levels=1, term_penalty=0.05, max_nodes=1).fit(X, both)
    assert model.certificate_.objective == pytest.approx(0.6)
    dear = OptimalTreeClassifier(3, pair_levels=1, term_penalty=0.5, max_nodes=1).fit(X, both)
    assert dear.tree_.node_terms.max() == 1


@pytest.mark.parametrize("seed", [34617, 60574, 77252])
def test_leaves_of_just_the_least_weight_were_refused_where_weights_are_rounded(seed: int) -> None:
    """A class of a prior of 0.25 in leaves of 25 % of all weight; a better tree was left out."""
    assert check(draw(seed)) == ""


@pytest.mark.parametrize("seed", [43984, 59487, 66826])
def test_a_front_of_rounded_numbers_was_called_proven(seed: int) -> None:
    """The largest tree costs nothing, which needs no rounding; those before it cost 5 % more."""
    case = draw(seed)
    assert check(case) == ""
    certificate = fit(case).certificate_
    assert (certificate.status, certificate.proven, certificate.gap) == ("rounded", False, 0.0)


def test_a_front_was_called_rounded_where_a_leaf_costs_more_than_all_errors() -> None:
    """The search may take such a penalty for a smaller one, which is as good."""
    levels, y = list("abccac"), ["no", "yes", "perhaps", "no", "yes", "no"]
    model = OptimalTreeClassifier(2, penalty=1.5, front=True).fit({"x": levels}, y)
    assert model.certificate_.status == "optimal"
    assert len(model.front_) > 1
