"""Explanations of single rows: the words, rows of all forms, and what they must refuse."""

from __future__ import annotations

import math

import handmade
import numpy as np
import pytest
from command_line import complaint, succeeded, write_rows
from handmade import build, inner, leaf

import treewright
from treewright import ReadableTreeClassifier, datasets
from treewright.exceptions import DataError, SchemaError
from treewright.explain import Scales, explain_row
from treewright.modelfile import ModelFile, write_model
from treewright.predicates import Axis, Linear, Machine, Multiway, Subset
from treewright.schema import Column, Schema

HEART = {
    "age": 42,
    "smoker": True,
    "chest pain": "none",
    "activity": "low",
    "cholesterol": 230,
}


def loans():
    """A sum of two columns, then a number."""
    columns = (
        Column("income", "numeric", unit="k"),
        Column("debt", "numeric", unit="k"),
        Column("years", "numeric"),
    )
    schema = Schema(columns, ("no", "yes"), "repaid")
    return build(
        schema,
        inner(
            Linear((0, 1), (1.0, -2.0), 10.0),
            leaf(30, 6),
            inner(Axis(2, 3.0), leaf(8, 7), leaf(2, 40)),
        ),
    )


def test_the_words_for_a_row():
    assert str(explain_row(handmade.heart(), HEART)).split("\n") == [
        "disease is ill (64 %, 39 % to 84 %; 14 training rows)",
        "",
        "1. age <= 54.5 years? age is 42 years: yes",
        "   12.5 years below the cut",
        "2. smoker? smoker: yes",
        "3. activity is low? activity is low: yes",
        "   next to the cut",
        "",
        "Nearest counterfactual: healthy (53 %) with age 55 years instead of 42 years.",
    ]


def test_the_words_for_missing_values():
    explanation = explain_row(handmade.heart(), {"smoker": True, "cholesterol": 250})
    assert [step.decided_by for step in explanation.steps] == ["surrogate", "fraction"]
    assert str(explanation).split("\n")[-3:] == [
        "Not sure at step 1: age is missing, but cholesterol > 243 mg/dl, which mostly goes with: "
        "no.",
        "Not sure at step 2: chest pain is missing, so it goes down every branch, by the "
        "proportions of the training rows.",
        "Once all is known the prediction may be healthy or ill.",
    ]


def test_a_leaf_without_rows_is_not_sure():
    row = HEART | {"age": 70, "chest pain": "not asked"}
    explanation = explain_row(handmade.heart(), row)
    assert math.isnan(explanation.certainty)
    assert explanation.headline == "disease is ill (0 training rows)"
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    tree = build(schema, inner(Axis(0, 1.0), leaf(3, 0), leaf(0, 0, value=1)))
    sentence = explain_row(tree, {"x": 0}).nearest_sentence
    assert sentence == "Nearest counterfactual: b with x 2 instead of 0."


def test_the_rows_of_one_leaf_are_not_those_of_a_divided_row():
    explanation = explain_row(handmade.heart(), HEART | {"age": 70, "chest pain": None})
    assert "; divided, the largest part ends with 40 training rows)" in explanation.headline


def test_a_number_that_is_no_level_is_named():
    column = Column("rooms", "categorical", (1.5, 2.5))
    tree = build(
        Schema((column,), ("a", "b")), inner(Subset(0, (0,), (1,)), leaf(3, 0), leaf(0, 3))
    )
    (step,) = explain_row(tree, {"rooms": 4.5}).steps
    assert step.value == "rooms is 4.5, which the tree does not know"
    (step,) = explain_row(tree, {"rooms": math.nan}).steps
    assert step.value == "rooms is missing"


def test_answers_that_were_not_all_tried_are_not_said_to_be_all(monkeypatch):
    row = HEART | {"age": None, "smoker": None}
    assert explain_row(handmade.heart(), row).possible_text == "healthy or ill"
    monkeypatch.setattr("treewright.explain.search._MOST_STATES", 3)
    assert explain_row(handmade.heart(), row).possible_text == "healthy, or others"


def test_a_level_that_the_tree_does_not_know_is_named():
    explanation = explain_row(handmade.heart(), HEART | {"age": 70, "chest pain": "sharp"})
    assert "chest pain is sharp, which the tree does not know" in explanation.unsure[0].words


def test_a_sum_says_how_far_it_is_and_what_each_value_would_take():
    explanation = explain_row(loans(), {"income": 30, "debt": 12, "years": 5})
    (step,) = explanation.steps
    assert step.margin == 4.0
    assert step.margin_text == "the sum is 6, 4 below the cut"
    assert [(c.column, c.at, c.change) for c in step.crossings] == [
        ("debt", 10.0, -2.0),
        ("income", 34.0, 4.0),
    ]
    # Income alone 35, debt alone 9; of sizes 10 and 5 these are changes of 0.5 and 0.6.
    (change,) = explanation.nearest.changes
    assert (change.column, change.before, change.after) == ("income", 30, 35)


def test_whole_numbers_stay_whole_and_others_have_few_digits():
    row = {"income": 30.0, "debt": 12.0, "years": 5}
    (change,) = explain_row(loans(), row).nearest.changes
    assert change.words == "income 34.1 k instead of 30 k"


def test_two_values_change_where_one_will_not_do():
    explanation = explain_row(loans(), {"income": 30, "debt": 12, "years": 2})
    changed = {change.column: change.after for change in explanation.nearest.changes}
    assert explanation.nearest.is_smallest
    assert changed == {"income": 35, "years": 4}


def test_fixed_columns_stay():
    row = {"income": 30, "debt": 12, "years": 2}
    explanation = explain_row(loans(), row, fixed=["income"])
    assert [change.column for change in explanation.nearest.changes] == ["debt", "years"]
    assert explain_row(loans(), row, fixed=["income", "debt"]).nearest is None
    with pytest.raises(SchemaError, match="no column 'dept' \\(but there is 'debt'\\)"):
        explain_row(loans(), row, fixed=["dept"])


def test_sizes_from_rows_weigh_the_changes():
    rows = {"income": [30, 30, 31, 30], "debt": [0, 40, 5, 90], "years": [1, 2, 3, 4]}
    tree = loans()
    scales = Scales.of_rows(tree.schema, rows)
    row = {"income": 30, "debt": 12, "years": 5}
    (change,) = explain_row(tree, row, scales=scales).nearest.changes
    assert (change.column, change.after) == ("debt", 9)


def test_numbers_stay_in_a_sensible_range():
    """Nobody has a debt below nothing, unless the tree or the rows say so."""
    row = {"income": 5, "debt": 1, "years": 9}
    (change,) = explain_row(loans(), row).nearest.changes
    assert change.column == "income"
    assert explain_row(loans(), row, fixed=["income"]).nearest is None
    rows = {"income": [0, 90], "debt": [-9, 60], "years": [1, 30]}
    scales = Scales.of_rows(loans().schema, rows)
    (change,) = explain_row(loans(), row, fixed=["income"], scales=scales).nearest.changes
    assert (change.column, change.after) == ("debt", -3)


def test_scores_that_compete_tell_their_lead():
    schema = Schema((Column("a", "numeric"), Column("b", "numeric")), ("x", "y"))
    machine = Machine((0, 1), ((2.0, 0.0), (0.0, 1.0)), (1.0, 0.0))
    tree = build(schema, inner(machine, leaf(5, 1), leaf(1, 5)))
    (step,) = explain_row(tree, {"a": 1.0, "b": 4.5}).steps
    assert step.question == "which is largest, 2 * a + 1 or b"
    assert step.answer == "b"
    assert step.margin == 1.5
    assert [crossing.words for crossing in step.crossings] == [
        "a at least about 1.75",
        "b at most about 3",
    ]


def test_numbers_have_an_interval_for_their_mean():
    explanation = explain_row(handmade.rent(), {"size": 55.5, "city": "Oslo"})
    assert explanation.label == 1420.5
    assert explanation.certainty is None
    low, high = explanation.interval
    assert low < 1420.5 < high
    assert explanation.headline == "rent is 1420, mean of such rows 1372 to 1469 (40 training rows)"


def test_a_tree_of_one_leaf_says_so():
    explanation = explain_row(handmade.stump(), [3.0])
    assert explanation.nearest is None
    assert explanation.note == "The tree predicts this for every row."


def test_rows_of_all_forms_give_the_same():
    pandas = pytest.importorskip("pandas")
    tree = handmade.heart()
    expected = explain_row(tree, HEART)
    frame = pandas.DataFrame([HEART | {"name": "not a column"}])
    for row in (
        list(HEART.values()),
        frame,
        frame.iloc[0],
        [HEART],
        {k: [v] for k, v in HEART.items()},
    ):
        assert explain_row(tree, row) == expected
    numbers = np.array([30.0, 12.0, 5.0])
    assert explain_row(loans(), numbers) == explain_row(loans(), numbers[np.newaxis])


def test_a_tree_of_columns_without_names_takes_them_by_position():
    schema = Schema((Column("x0", "numeric"), Column("x1", "numeric")), ("a", "b"), named=False)
    tree = build(schema, inner(Axis(1, 3.0), leaf(5, 1), leaf(1, 5)))
    for row in ([9.0, 2.0], {"p": 9.0, "q": 2.0}, [{"p": 9.0, "q": 2.0}], {"x1": 2.0, "x0": 9.0}):
        assert explain_row(tree, row).label == "a"


@pytest.mark.parametrize(
    ("row", "error", "words"),
    [
        ([{"x": 1}, {"x": 2}], DataError, "One row is explained at a time. Got 2 rows."),
        ([1, 2], SchemaError, "one value for each of the 1 columns, the first for 'x'. Got 2."),
    ],
)
def test_what_is_not_one_row_is_refused(row, error, words):
    with pytest.raises(error, match=words):
        explain_row(handmade.stump(), row)


def test_a_misspelled_column_of_a_row_is_named():
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    tree = build(schema, inner(Axis(0, 3.0), leaf(5, 1), leaf(1, 5)))
    with pytest.raises(SchemaError, match=r"There is no column 'X' \(but there is 'x'\)\."):
        explain_row(tree, {"X": 1})


def test_an_estimator_explains(tmp_path):
    table = {"age": [23, 31, 38, 45, 52, 58, 61, 67], "smoker": [False, True] * 4}
    model = treewright.TreeClassifier().fit(table, ["no"] * 5 + ["yes"] * 3)
    assert model.explain({"age": 42}).label == "no"
    searched = treewright.OptimalTreeClassifier(max_depth=1).fit(table, ["no"] * 5 + ["yes"] * 3)
    assert searched.explain({"age": 66}).label == "yes"


@pytest.fixture
def model_file(tmp_path):
    path = tmp_path / "model.json"
    write_model(path, ModelFile(handmade.heart(), "TreeClassifier", {}))
    return str(path)


def test_command_with_values(model_file):
    cells = [f"{name}={str(value).lower()}" for name, value in HEART.items()]
    words = [word for cell in cells for word in ("--row", cell)]
    assert succeeded("explain", model_file, *words) == f"{explain_row(handmade.heart(), HEART)}\n"


def test_command_with_a_row_of_a_file(model_file, tmp_path):
    table = write_rows(
        tmp_path / "new.csv", list(HEART), [1, "false", "none", "low", 1], [*HEART.values()]
    )
    said = succeeded(
        "explain", model_file, table, "--number", 2, "--row", "age=", "--fixed", "smoker"
    )
    expected = explain_row(handmade.heart(), HEART | {"age": None}, fixed=["smoker"])
    assert said == f"{expected}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "Give the row, by --row COLUMN=VALUE or as a row of a FILE."),
        (["--number", 2], "--number is the number of a row of FILE; name the file."),
        (["--row", "age"], "--row takes COLUMN=VALUE. Got 'age'."),
        (["--row", "age=old"], "Column 'age' holds numbers. Got 'old'."),
        (["--row", "aeg=4"], "There is no column 'aeg' (but there is 'age')."),
        (["--row", "activity=lo"], "Column 'activity' has no level 'lo'; it has 'low', 'medium'"),
    ],
)
def test_command_complains(model_file, words, said):
    assert said in complaint("explain", model_file, *words)


def test_command_with_names_that_hold_the_mark(tmp_path):
    columns = tuple(Column(name, "numeric") for name in ("home", "home=rent"))
    test = inner(Axis(1, 0.5), leaf(5, 1), leaf(1, 5))
    tree = build(Schema(columns, ("a", "b")), inner(Axis(0, 3.0), test, leaf(1, 5)))
    path = tmp_path / "model.json"
    write_model(path, ModelFile(tree, "TreeClassifier", {}))
    said = succeeded("explain", path, "--row", "home=rent=1", "--row", "home=2")
    assert said == f"{explain_row(tree, {'home': 2, 'home=rent': 1})}\n"


def test_command_complains_of_a_row_beyond_the_file(model_file, tmp_path):
    table = write_rows(tmp_path / "new.csv", list(HEART), [*HEART.values()])
    assert "There is no row 7; the table has 1 row." in complaint(
        "explain", model_file, table, "--number", 7
    )


def test_another_level_of_a_sum_is_a_change():
    row = {"income": 13.0, "home": "own", "married": True, "debt": 1.0}
    found = explain_row(handmade.points(), row, fixed=["income"])
    assert found.steps[1].value == "income is 13 1000 EUR, home is own, married"
    assert "the sum is 14, 1 below the cut" in str(found)
    assert found.nearest is not None
    assert [(c.column, c.after) for c in found.nearest.changes] == [("home", "rent <= 40 + 3")]


def test_levels_of_many_columns_in_a_sum_change_together():
    columns = (*(Column(f"q{i}", "boolean") for i in range(4)), Column("age", "numeric"))
    schema = Schema(columns, ("low", "high"))
    terms = (0, 1, 2, 3, 4), (3.0, 2.0, 2.0, 1.0, 0.25)
    tree = build(schema, inner(Linear(*terms, 4.5, (1, 1, 1, 1, None)), leaf(9, 1), leaf(1, 9)))
    row = {**{f"q{i}": False for i in range(4)}, "age": 1.0}
    nearest = explain_row(tree, row, fixed=["age"]).nearest
    assert nearest is not None
    assert {change.column for change in nearest.changes} in ({"q0", "q1"}, {"q0", "q2"})
    assert explain_row(tree, row, fixed=["age", "q0"]).nearest is not None
    assert explain_row(tree, row, fixed=["age", "q0", "q1"]).nearest is None


def test_levels_of_too_many_columns_in_a_sum_are_not_tried_for_ever():
    columns = tuple(Column(f"q{i}", "boolean") for i in range(60))
    schema = Schema(columns, ("low", "high"))
    points = Linear(tuple(range(60)), (1.0,) * 60, 2.5, (1,) * 60)
    tree = build(schema, inner(points, leaf(9, 1), leaf(1, 9)))
    found = explain_row(tree, {f"q{i}": False for i in range(60)})
    assert found.nearest is None
    assert "not all larger ones were tried" in str(found)


CITIES = Column("city", "categorical", ("Aachen", "Bonn", "Kiel", "Oslo"))


def after(tree, row, **options):
    """What the nearest change asks for, by column."""
    nearest = explain_row(tree, row, **options).nearest
    assert nearest is not None
    return {change.column: change.after for change in nearest.changes}


def test_a_rare_level_was_asked_for_because_it_is_the_first():
    schema = Schema((CITIES,), ("no", "yes"))
    tree = build(schema, inner(Subset(0, (3,), (0, 1, 2)), leaf(9, 1), leaf(1, 9)))
    rows = {"city": ["Aachen", *["Bonn"] * 5, *["Kiel"] * 3, *["Oslo"] * 6]}
    assert after(tree, {"city": "Oslo"}, scales=Scales.of_rows(schema, rows)) == {"city": "Bonn"}


def test_a_tree_tells_which_levels_are_frequent():
    schema = Schema((CITIES,), ("no", "yes"))
    split = inner(Multiway(0, (0, 1, 2, 3)), leaf(0, 2), leaf(3, 4), leaf(1, 30), leaf(9, 1))
    assert after(build(schema, split), {"city": "Oslo"}) == {"city": "Kiel"}


def test_frequent_levels_are_preferred_where_two_columns_must_change():
    schema = Schema((CITIES, Column("job", "categorical", ("cook", "nurse", "pilot"))), ("a", "b"))
    below = inner(Subset(1, (0,), (1, 2)), leaf(9, 1), leaf(1, 9))
    tree = build(schema, inner(Subset(0, (3,), (0, 1, 2)), leaf(20, 1), below))
    rows = {"city": ["Aachen", "Kiel", "Kiel", "Oslo"], "job": ["cook", "nurse", "pilot", "pilot"]}
    scales = Scales.of_rows(schema, rows)
    changes = after(tree, {"city": "Oslo", "job": "cook"}, scales=scales)
    assert changes == {"city": "Kiel", "job": "pilot"}


def test_a_neighbouring_level_comes_before_one_further_on():
    size = Column("size", "ordinal", ("S", "M", "L", "XL"))
    tree = build(
        Schema((size,), ("no", "yes")),
        inner(Axis(0, 0.5), leaf(1, 9), inner(Axis(0, 1.5), leaf(9, 1), leaf(1, 90))),
    )
    assert after(tree, {"size": "M"}) == {"size": "S"}
    rest = inner(Axis(0, 2.5), leaf(9, 1), leaf(1, 9))
    tree = build(Schema((size,), ("no", "yes")), inner(Axis(0, 0.5), leaf(1, 9), rest))
    assert after(tree, {"size": "L"}) == {"size": "XL"}


@pytest.mark.long
def test_the_interval_of_the_rows_stood_beside_the_probability_of_a_taught_tree():
    loans = datasets.load_loans()
    y = loans.pop("repaid")
    model = ReadableTreeClassifier(max_leaf_nodes=4, random_state=0).fit(loans, y)
    row = {name: values[0] for name, values in loans.items()}
    found = model.explain(row)
    low, high = found.interval
    assert low <= found.proportion <= high
    assert found.certainty == pytest.approx(model.predict_proba([row]).max())
    assert found.headline.startswith(
        f"The prediction is yes (probability {found.certainty * 100:.0f} %; "
    )
    assert f"{found.proportion * 100:.0f} % of {found.rows:.0f} training rows" in found.headline
