"""The report recommends the best readable tree unless another method is named."""

from __future__ import annotations

import re

import numpy as np
import pytest
from command_line import run, succeeded, write_rows

import treewright
from treewright.evaluation import ceiling_sentence
from treewright.files import write_table

pytestmark = pytest.mark.long


def table(n_rows=120):
    """A class that a sum of two columns decides, a number, a text column, and missing values."""
    chance = np.random.default_rng(3)
    age, pressure = chance.integers(20, 80, n_rows), chance.integers(90, 180, n_rows)
    risk = age + pressure + chance.normal(0, 6, n_rows)
    smoker = chance.choice(["never", "daily"], n_rows).tolist()
    smoker[4] = None
    return {
        "age": age.tolist(),
        "pressure": pressure.tolist(),
        "smoker": smoker,
        "state": np.where(risk > 185, "ill", "well").tolist(),
        "risk": risk.round(2).tolist(),
    }


@pytest.fixture(scope="module", params=["state", "risk"])
def found(request, tmp_path_factory):
    """A report with the default settings, of classes and of numbers, and its page."""
    page = tmp_path_factory.mktemp("report") / "page.html"
    other = {"state": "risk", "risk": "state"}[request.param]
    analysis = treewright.report(table(), request.param, page, drop=[other], time_limit=2.0)
    return analysis, page.read_text(encoding="utf-8")


def test_the_best_readable_tree_is_recommended(found):
    analysis, page = found
    first, *others = analysis.content.models
    assert type(analysis.estimator).__name__.startswith("ReadableTree")
    assert (first.key, first.name) == ("readable", "The best readable tree")
    assert [model.key for model in others] == ["cart", "must2", "optimal"]
    assert first.steps[first.chosen].tree == analysis.estimator.tree_
    certificate = analysis.estimator.certificate_
    assert re.search(r"over \d+ proposed condition", certificate.tests)
    assert (f"None of the {certificate.tests} is better." in first.words) == certificate.proven
    assert first.words in page  # where families are chosen, and on the model card


def test_the_path_on_the_page_is_the_front_with_scores_of_every_size(found):
    analysis, _ = found
    first = analysis.content.models[0]
    front = analysis.estimator.front_
    assert [step.tree.n_leaves for step in first.steps] == front.leaves[::-1].tolist()
    alone, *_, largest = first.steps
    if alone.tree.is_classification:
        assert 0.4 < alone.score < 0.7
    else:
        assert abs(alone.score) < 0.1
    assert alone.score + 0.1 < largest.score < 1.0
    assert all(0.0 < step.standard_error < 0.2 for step in first.steps)


def test_dominated_families_are_marked(found):
    analysis, page = found
    dominated = [one for one in analysis.content.models if analysis.content.is_dominated(one)]
    assert page.count("(dominated: more to read, no better)") == len(dominated)
    assert analysis.content.models[0] not in dominated


def test_what_larger_models_reach_is_said(found):
    analysis, page = found
    ceiling = analysis.estimator.evidence_.ceiling
    assert ceiling.name in analysis.content.ceiling
    assert f"{100 * ceiling.score:.1f} % in cross-validation" in analysis.content.ceiling
    assert analysis.content.ceiling in page


def test_the_page_of_an_estimator_did_not_say_it(tmp_path):
    rows = table()
    states = rows.pop("state")
    model = treewright.ReadableTreeClassifier(max_leaf_nodes=3).fit(rows, states)
    model.report(tmp_path / "page.html", rows, states)
    assert ceiling_sentence(model) in (tmp_path / "page.html").read_text("utf-8")


def test_how_often_the_first_question_comes_first_is_counted(found):
    analysis, _ = found
    assert sum(one.share for one in analysis.content.stability) == pytest.approx(1.0)
    assert "pressure" in analysis.content.stability[0].words


def test_the_model_that_is_written_is_the_tree_on_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table("t.csv", table(60))
    text = succeeded("report", "t.csv", "--target=state", "--drop=risk", "--max-leaves=3")
    model = treewright.load("t.model.json")
    assert isinstance(model, treewright.ReadableTreeClassifier)
    assert model.max_leaf_nodes == 3
    assert model.tree_.n_leaves <= 3
    assert f"The best readable tree: {model.tree_.n_leaves} leaves" in text
    assert "has an accuracy of" in text
    assert model.certificate_.seconds is None  # or no file would be the same twice
    assert "\n\nNone of the trees" in succeeded("show", "t.model.json")


def test_where_nothing_can_be_learned_it_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    chance = np.random.default_rng(1)
    rows = [[*chance.random(2).round(3), "ab"[chance.integers(2)]] for _ in range(30)]
    write_rows("t.csv", ["x", "z", "y"], *rows)
    assert "The best readable tree: 1 leaf" in run("report", "t.csv", "--target=y").stdout


@pytest.mark.parametrize("target", ["state", "risk"])
def test_the_page_of_a_fitted_tree_took_its_own_loss_for_an_error(tmp_path, target):
    columns = table(60)
    answers, _ = columns.pop(target), columns.pop({"state": "risk", "risk": "state"}[target])
    name = "Classifier" if target == "state" else "Regressor"
    model = getattr(treewright, f"ReadableTree{name}")(n_jobs=2).fit(columns, answers)
    model.report(tmp_path / "page.html", columns, answers, test=True)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "values read per row, " not in page
    assert "The fitted tree, and the best ones of other sizes." in page
