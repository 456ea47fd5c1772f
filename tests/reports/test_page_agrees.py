"""A page contradicts itself nowhere: each number of each tree is computed again from the tree."""

from __future__ import annotations

import re

import numpy as np
import pytest
from page_reading import read_data, read_html
from sklearn.metrics import (
    average_precision_score,
    balanced_accuracy_score,
    confusion_matrix,
    mean_absolute_error,
    r2_score,
    recall_score,
    roc_auc_score,
)

import treewright
from treewright.reports.parts import divide, read_rows

pytestmark = pytest.mark.long

N_ROWS = 240


def make_table():
    chance = np.random.default_rng(8)
    age, income = chance.integers(20, 80, N_ROWS), chance.gamma(3.0, 12.0, N_ROWS).round(1)
    home = chance.choice(["own", "rent", "parents"], N_ROWS)
    risk = 0.1 * age + income - 8.0 * (home == "rent") + chance.normal(0.0, 6.0, N_ROWS)
    return {
        "age": age.tolist(),
        "income": income.tolist(),
        "home": home.tolist(),
        "paid": np.where(risk > np.quantile(risk, 0.3), "yes", "no").tolist(),
        "grade": np.array(["low", "mid", "top"])[np.digitize(risk, [25.0, 45.0])].tolist(),
        "risk": risk.round(2).tolist(),
    }


class Shown:
    """The page of one target, with the rows that were held out."""

    def __init__(self, target: str, folder) -> None:
        table = make_table()
        page = folder / f"{target}.html"
        others = [name for name in ("paid", "grade", "risk") if name != target]
        self.found = treewright.report(table, target, page, drop=others, time_limit=2.0)
        self.content = self.found.content
        self.data, self.store = read_data(page.read_text("utf-8"))
        self.page = read_html(page.read_text("utf-8"))
        usable = {name: table[name] for name in ("age", "income", "home")}
        rows = read_rows(usable, table[target], is_regression=target == "risk")
        _, test = divide(rows, 0.25, 0)
        self.X, self.y = test.table, np.array(test.answers)

    def part(self, kind: str, model: int, step: int):
        """A part of one tree: packed, or standing in the page if it is the one shown first."""
        packed = self.store["parts"][kind][model][step]
        if packed is not None:
            return packed if not isinstance(packed, str) else read_html(packed)
        (place,) = [one for one in self.page.all() if one.attributes.get("data-part") == kind]
        return place

    def steps(self):
        for model, family in enumerate(self.content.models):
            for step, one in enumerate(family.steps):
                yield model, step, one


@pytest.fixture(scope="module", params=["paid", "grade", "risk"])
def shown(request, tmp_path_factory):
    return Shown(request.param, tmp_path_factory.mktemp("page"))


def text_of(element) -> str:
    return re.sub(r"\s+", " ", element.text.replace("\u00a0", " "))


def test_the_first_sentence_has_leaves_effort_and_score_of_its_tree(shown):
    for model, step, one in shown.steps():
        words = text_of(shown.part("verdict", model, step))
        leaves = re.search(r"tree with ([\d,]+) lea", words)[1]
        assert int(leaves.replace(",", "")) == one.tree.n_leaves
        assert f"looks at {one.tree.reading_effort:.1f} values per row" in words
        said = one.tree.predict(shown.X)
        score = (
            r2_score(shown.y, said) if shown.data["stated"] is None else (said == shown.y).mean()
        )
        written = re.search(r"(?:accuracy|explained variance) of (-?[\d.]+) % on (\d+) held", words)
        assert float(written[1]) == pytest.approx(100.0 * score, abs=0.51)
        assert int(written[2]) == len(shown.y)


def test_sizes_are_said_with_the_score_of_cross_validation(shown):
    for model, step, one in shown.steps():
        words = shown.data["models"][model]["steps"][step].replace("\u00a0", " ")
        assert words.startswith(f"{one.tree.n_leaves} lea")
        assert f"{one.tree.reading_effort:.1f} values" in words
        if one.score is None:
            assert "accuracy" not in words
            continue
        written = re.search(r"cross-validated .* (-?[\d.]+) ± ([\d.]+) %", words)
        assert float(written[1]) == pytest.approx(100.0 * one.score, abs=0.51)


def test_evidence_is_what_scikit_learn_computes_of_held_out_rows(shown):
    for model, step, one in shown.steps():
        part = shown.part("evidence", model, step)
        said = one.tree.predict(shown.X)
        if shown.data["stated"] is None:
            written = re.search(r"on average\s*([\d.,]+)", text_of(part))[1]
            assert float(written.replace(",", "")) == pytest.approx(
                mean_absolute_error(shown.y, said), rel=0.01
            )
            continue
        labels = list(one.tree.schema.classes)
        (matrix,) = [
            at for at in part.all("table") if "confusion" in at.attributes.get("class", "")
        ]
        cells = [
            [int(cell.text.replace(",", "")) for cell in row.all("td")]
            for row in matrix.all("tbody")[0].all("tr")
        ]
        assert cells == confusion_matrix(shown.y, said, labels=labels).tolist()
        words = text_of(part)
        balanced = int(re.search(r"Balanced accuracy (\d+) %", words)[1])
        assert abs(balanced - 100.0 * balanced_accuracy_score(shown.y, said)) <= 0.51
        if len(labels) == 2:
            is_true, stated = shown.y == labels[1], one.tree.distribution(shown.X)[:, 1]
            auc = float(re.search(r"\(AUC\) (\d\.\d+)", words)[1])
            assert auc == pytest.approx(roc_auc_score(is_true, stated), abs=0.0006)
            area = float(re.search(r"average precision for yes (\d\.\d+)", words)[1])
            assert area == pytest.approx(average_precision_score(is_true, stated), abs=0.0006)


def test_rules_hold_the_rows_and_proportions_of_their_leaves(shown):
    for model, step, one in shown.steps():
        (rows,) = shown.part("rules", model, step).all("tbody")
        leaves = [one.tree.node(place) for place in range(one.tree.n_nodes)]
        leaves = [leaf for leaf in leaves if leaf.predicate is None]
        written = sorted(int(row.all("td")[4].text.replace(",", "")) for row in rows.all("tr"))
        assert written == sorted(round(leaf.weight) for leaf in leaves)
        if shown.data["stated"] is None:
            continue
        proportions = sorted(
            int(re.search(r"(\d+)", text_of(row.all("td")[2]))[1]) for row in rows.all("tr")
        )
        purest = sorted(
            leaf.statistics[one.tree.schema.classes.index(leaf.label)] / leaf.weight
            for leaf in leaves
        )
        for number, exact in zip(proportions, purest, strict=True):
            assert abs(number - 100.0 * exact) <= 1.0


def test_groups_are_parts_of_the_held_out_rows(shown):
    places = [grouping["name"] for grouping in shown.store["groupings"]]
    home = places.index("home")
    words = shown.store["groupings"][home]["words"]
    kinds = np.array(shown.X["home"])
    for model, step, one in shown.steps():
        figures = shown.part("groups", model, step)[home]
        said = one.tree.predict(shown.X)
        for level, rows, (score, low, high, *rest) in zip(
            words, shown.store["groupings"][home]["rows"], figures, strict=True
        ):
            here = kinds == level
            assert rows == here.sum()
            assert low <= score <= high
            if shown.data["stated"] is None:
                assert score == pytest.approx(np.abs(said - shown.y)[here].mean(), rel=1e-3)
                continue
            assert score == pytest.approx((said == shown.y)[here].mean(), rel=1e-3)
            if len(one.tree.schema.classes) == 2:
                recall = recall_score(shown.y[here], said[here], pos_label="yes")
                assert rest == pytest.approx(
                    [(shown.y == "yes")[here].mean(), (said == "yes")[here].mean(), recall],
                    rel=1e-3,
                )
            else:
                assert rest == [None, None, None]


def test_what_belongs_to_the_recommended_tree_says_so(shown):
    words = text_of(shown.page)
    assert f"The recommended tree was refitted on {shown.content.resamples} bootstrap" in words
    assert "Of the recommended tree. What no program can know" in words
    tree = shown.content.chosen.tree
    assert f"A decision tree with {tree.n_leaves} lea" in words
    asked = [one.words for one in shown.content.questions]
    inner = [tree.node(place).predicate for place in range(tree.n_nodes)]
    assert len(asked) == sum(predicate is not None for predicate in inner)


def test_thresholds_are_those_of_cross_validation(shown):
    models = shown.store["thresholds"]
    if shown.data["stated"] is None or len(shown.content.schema.classes) != 2:
        assert not any(models)
        return
    for thresholds, step in zip(models, shown.content.models[0].steps, strict=True):
        probabilities, found, alarms = zip(*thresholds, strict=True)
        assert list(probabilities) == sorted(probabilities, reverse=True)
        total = found[-1] + alarms[-1]
        assert total == pytest.approx(shown.content.training_rows)
        half = sum(probability > 0.5 for probability in probabilities)
        hits = found[half - 1] + alarms[-1] - alarms[half - 1] if half else alarms[-1]
        assert hits / total == pytest.approx(step.score, abs=1e-9)


def test_the_frontier_holds_what_nothing_dominates(shown):
    frontier = shown.found.frontier
    every = [one for _, _, one in shown.steps() if one.score is not None]
    for one in frontier:
        better = [
            other
            for other in every
            if other.score > one.score and other.tree.reading_effort <= one.tree.reading_effort
        ]
        assert better == []
    assert max(one.score for one in every) == frontier[-1].score
    assert shown.found.evidence == shown.content.chosen.evidence
    assert shown.found.families == shown.content.models
