"""Why a tree is recommended: every state in which another family can be."""

from __future__ import annotations

import pytest
from handmade import build, inner, leaf

from treewright.page import Measure, Model, PageContent, Step, Trivial, why_recommended
from treewright.predicates import Axis
from treewright.schema import Column, Schema

SCHEMA = Schema((Column("x", "numeric"), Column("z", "numeric")), classes=("no", "yes"))
OURS = build(SCHEMA, inner(Axis(0, 1.0), leaf(9, 1), inner(Axis(1, 1.0), leaf(1, 9), leaf(8, 2))))
SHORTER = build(SCHEMA, inner(Axis(0, 1.0), leaf(9, 1), leaf(9, 11)))


def reason(*others, higher_is_better=True, score=0.90) -> str:
    """What is said beside trees with these scores, all with a standard error of 0.01."""
    steps = [("ours", OURS, score), *others]
    models = tuple(
        Model(name, name, "By hand.", (Step(tree, scored, 0.01),), 0)
        for name, tree, scored in steps
    )
    measure = Measure("accuracy" if higher_is_better else "cost", True, higher_is_better)
    content = PageContent("table", measure, Trivial("a guess", 0.5), models, 20)
    return why_recommended(content).replace("\u00a0", " ")


def test_worse_families_are_named_together():
    words = reason(("first", OURS, 0.80), ("second", SHORTER, 0.70))
    assert words == (
        "Why this tree? In cross-validation its accuracy is 90 ± 1 %; "
        '"first" (80 %) and "second" (70 %) are worse.'
    )


def test_a_family_as_good_with_less_to_read_is_offered():
    words = reason(("short", SHORTER, 0.895))
    effort = f"{SHORTER.reading_effort:.1f}"
    assert f'with less to read: "short" (90 %, {effort} values)' in words
    assert words.endswith("take it.")
    assert "worse" not in words


def test_a_family_as_good_with_as_much_to_read_is_no_better():
    assert '"same" (90 %, 1.7 values) is no better.' in reason(("same", OURS, 0.90))


@pytest.mark.parametrize(("other", "is_better"), [(0.95, True), (0.85, False)])
@pytest.mark.parametrize("higher_is_better", [True, False])
def test_a_clearly_better_family_is_said_to_be_better(other, is_better, higher_is_better):
    words = reason(("other", SHORTER, other), higher_is_better=higher_is_better)
    assert ("so look at the better one, too." in words) == (is_better == higher_is_better)


def test_nothing_is_said_without_scores():
    assert reason(("other", SHORTER, None)) == ""
    assert reason(("other", SHORTER, 0.9), score=None) == ""
