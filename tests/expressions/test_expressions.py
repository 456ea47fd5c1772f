"""Expressions: their words, their opposite, their truth, and conditions merged."""

from __future__ import annotations

import math

import pytest

from treewright.expressions import (
    And,
    Compare,
    In,
    IsMissing,
    Largest,
    Not,
    Or,
    Renderer,
    Score,
    Sum,
    Term,
    TextRenderer,
    Xor,
    merge_conditions,
    negate,
    or_missing,
    without_missing,
)
from treewright.schema import Column

AGE = Column("age", "numeric", unit="years")
PULSE = Column("pulse", "numeric")
SMOKER = Column("smoker", "boolean")
CITY = Column("city", "categorical", ("Bergen", "Oslo", "Paris", "Rome", "Voss"))
SIZE = Column("size", "ordinal", ("small", "medium", "large", "huge"))
MIXED = Column("mixed", "categorical", (1, 1.0, "1", True))

YOUNG = Compare(AGE, "<=", 42.0)
OLD = Compare(AGE, ">", 42.0)
CALM = Compare(PULSE, "<=", 90.5)
NORTH = In(CITY, ("Bergen", "Oslo"))


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        (YOUNG, "age <= 42 years"),
        (OLD, "age > 42 years"),
        (Compare(Column("pulse rate ", "numeric"), "<=", 0.1), '"pulse rate " <= 0.1'),
        (Compare(Column("a\nb", "numeric", unit="m\ts"), ">", 1e-3), r"a\nb > 0.001 m\ts"),
        (Sum((Term(1.2, AGE), Term(-3.0, PULSE)), "<=", 40.0), "1.2 * age - 3 * pulse <= 40"),
        (Sum((Term(-1.0, AGE), Term(1.0, PULSE)), ">", -0.5), "-age + pulse > -0.5"),
        (Sum((Term(0.0, AGE), Term(2.0, PULSE)), ">", 1.0), "2 * pulse > 1"),
        (Sum((Term(0.0, AGE),), ">", 1.0), "0 > 1"),
        (Sum((Term(2.0, SIZE),), "<=", 3.0), "2 * rank(size) <= 3"),
        (In(SMOKER, (True,)), "smoker"),
        (In(SMOKER, (False,)), "not smoker"),
        (In(CITY, ("Oslo",)), "city is Oslo"),
        (NORTH, "city in {Bergen, Oslo}"),
        (In(CITY, ("Bergen", "Oslo", "Rome")), "city in {Bergen, Oslo, Rome}"),
        (In(CITY, ("Bergen", "Oslo", "Rome", "Voss")), "city in {Bergen, Oslo, Rome, Voss}"),
        (Not(In(CITY, ("Bergen", "Oslo", "Rome", "Voss"))), "city is Paris or unseen"),
        (In(CITY, CITY.levels), "city in {Bergen, Oslo, Paris, Rome, Voss}"),
        (In(CITY, ()), "city in {}"),
        (In(MIXED, (1.0, "1")), 'mixed in {1.0, "1"}'),
        (Compare(SIZE, "<=", -0.5), "size < small"),
        (Compare(SIZE, ">", -0.5), "size >= small"),
        (Compare(SIZE, "<=", 0.5), "size is small"),
        (Compare(SIZE, "<=", 1.0), "size <= medium"),
        (Compare(SIZE, ">", 1.5), "size > medium"),
        (Compare(SIZE, ">", 2.5), "size is huge"),
        (Compare(SIZE, "<=", 99.0), "size <= huge"),
        (Compare(SIZE, ">", 99.0), "size > huge"),
        (IsMissing(AGE), "age is missing"),
        (Not(IsMissing(AGE)), "age is known"),
        (And((YOUNG, CALM)), "age <= 42 years and pulse <= 90.5"),
        (And((Compare(AGE, ">", 18.0), YOUNG)), "18 < age <= 42 years"),
        (And((YOUNG, Compare(AGE, ">", 18.0))), "age <= 42 years and age > 18 years"),
        (And((OLD, YOUNG)), "age > 42 years and age <= 42 years"),
        (And((Compare(SIZE, ">", 0.5), Compare(SIZE, "<=", 2.5))), "small < size <= large"),
        (And((Compare(SIZE, ">", 0.5), Compare(SIZE, "<=", 1.5))), "size is medium"),
        (
            And((Or((YOUNG, CALM)), NORTH)),
            "(age <= 42 years or pulse <= 90.5) and city in {Bergen, Oslo}",
        ),
        (
            Or((And((YOUNG, CALM)), NORTH)),
            "(age <= 42 years and pulse <= 90.5) or city in {Bergen, Oslo}",
        ),
        (Or((YOUNG, IsMissing(AGE))), "age <= 42 years or missing"),
        (Or((CALM, IsMissing(AGE))), "pulse <= 90.5, or age is missing"),
        (And(()), "always"),
        (Or(()), "never"),
        (Xor((YOUNG, CALM)), "exactly one of (age <= 42 years) and (pulse <= 90.5)"),
        (Not(Xor((YOUNG, CALM))), "both or neither of (age <= 42 years) and (pulse <= 90.5)"),
        (
            And((Xor((YOUNG, CALM)), NORTH)),
            "(exactly one of (age <= 42 years) and (pulse <= 90.5)) and city in {Bergen, Oslo}",
        ),
        (Not(YOUNG), "age > 42 years"),
        (Not(NORTH), "city not in {Bergen, Oslo}"),
        (Not(In(CITY, ("Oslo",))), "city is not Oslo"),
        (Not(Or((YOUNG, CALM))), "age > 42 years and pulse > 90.5"),
        (
            Largest(1, (Score((Term(2.0, AGE),), 1.0), Score((Term(1.0, PULSE),), -0.5))),
            "pulse - 0.5 is largest, against 2 * age + 1",
        ),
        (Largest(0, (Score((Term(0.0, AGE),), 1.0),)), "1 is largest"),
    ],
)
def test_words(expression, words):
    assert str(expression) == words


def test_a_set_is_said_by_what_it_leaves_out_only_where_new_levels_belong_to_it():
    letters = Column("letter", "categorical", tuple("abcdefghij"))
    assert str(In(letters, tuple("abcdefgh"))) == "letter in {a, b, c, d, e, f, g, h}"
    assert str(Not(In(letters, ("i", "j")))) == "letter not in {i, j}"
    assert str(Not(In(letters, tuple("abcdefgh")))) == "letter in {i, j} or unseen"
    assert str(or_missing(Not(In(letters, ("i", "j"))))) == "letter not in {i, j} or missing"
    assert (
        str(or_missing(Not(In(letters, tuple("bcdefghij"))))) == "letter is a or unseen or missing"
    )
    assert str(And((YOUNG, Not(In(letters, tuple("bcdefghij")))))) == (
        "age <= 42 years and (letter is a or unseen)"
    )


@pytest.mark.parametrize(
    ("expression", "row", "answer"),
    [
        (YOUNG, {"age": 42}, True),
        (YOUNG, {"age": math.nextafter(42, 99)}, False),
        (YOUNG, {"age": None}, None),
        (YOUNG, {"age": math.nan}, None),
        (YOUNG, {}, None),
        (Sum((Term(1.0, AGE), Term(1.0, PULSE)), "<=", 3.0), {"age": 1, "pulse": 2}, True),
        (Sum((Term(1.0, AGE), Term(0.0, PULSE)), "<=", 3.0), {"age": 1, "pulse": None}, None),
        (Sum((Term(1e308, AGE), Term(-1e308, PULSE)), "<=", 0.0), {"age": 9, "pulse": 9}, None),
        (NORTH, {"city": "Oslo"}, True),
        (NORTH, {"city": "Rome"}, False),
        (NORTH, {"city": "Lima"}, None),
        (NORTH, {"city": None}, None),
        (Not(NORTH), {"city": "Lima"}, True),
        (Not(NORTH), {"city": "Rome"}, True),
        (Not(NORTH), {"city": "Oslo"}, False),
        (Not(NORTH), {"city": None}, None),
        (Not(NORTH), {"city": math.nan}, None),
        (In(MIXED, (1,)), {"mixed": 1}, True),
        (In(MIXED, (1,)), {"mixed": 1.0}, False),
        (In(MIXED, (1,)), {"mixed": True}, False),
        (In(MIXED, (1,)), {"mixed": "1"}, False),
        (In(SMOKER, (True,)), {"smoker": 1}, True),
        (Compare(SIZE, "<=", 1.0), {"size": "medium"}, True),
        (Compare(SIZE, "<=", 1.0), {"size": "large"}, False),
        (Compare(SIZE, "<=", 1.0), {"size": "giant"}, None),
        (IsMissing(AGE), {"age": math.nan}, True),
        (IsMissing(AGE), {"age": 3}, False),
        (IsMissing(CITY), {"city": "Lima"}, True),
        (IsMissing(CITY), {"city": "Oslo"}, False),
        (And((YOUNG, CALM)), {"age": 50, "pulse": None}, False),
        (And((YOUNG, CALM)), {"age": 40, "pulse": None}, None),
        (Or((YOUNG, CALM)), {"age": 40, "pulse": None}, True),
        (Or((YOUNG, CALM)), {"age": 50, "pulse": None}, None),
        (Xor((YOUNG, CALM)), {"age": 40, "pulse": 99}, True),
        (Xor((YOUNG, CALM)), {"age": 40, "pulse": 50}, False),
        (Xor((YOUNG, CALM)), {"age": 40, "pulse": None}, None),
        (Not(YOUNG), {"age": None}, None),
        (And(()), {}, True),
        (Or(()), {}, False),
    ],
)
def test_truth(expression, row, answer):
    assert expression.evaluate(row) is answer


def test_of_equal_scores_the_first_is_the_largest():
    scores = (Score((Term(1.0, AGE),), 0.0), Score((Term(1.0, PULSE),), 0.0))
    row = {"age": 5, "pulse": 5}
    assert Largest(0, scores).evaluate(row) is True
    assert Largest(1, scores).evaluate(row) is False
    assert Largest(1, scores).evaluate({"age": 5, "pulse": None}) is None


@pytest.mark.parametrize(
    ("expression", "opposite"),
    [
        (YOUNG, OLD),
        (Sum((Term(1.0, AGE),), ">", 2.0), Sum((Term(1.0, AGE),), "<=", 2.0)),
        (NORTH, In(CITY, ("Paris", "Rome", "Voss"))),
        (In(MIXED, (1, True)), In(MIXED, (1.0, "1"))),
        (And((YOUNG, CALM)), Or((OLD, Compare(PULSE, ">", 90.5)))),
        (Or((YOUNG, NORTH)), And((OLD, In(CITY, ("Paris", "Rome", "Voss"))))),
        (Not(YOUNG), YOUNG),
        (IsMissing(AGE), Not(IsMissing(AGE))),
        (Xor((YOUNG, CALM)), Not(Xor((YOUNG, CALM)))),
    ],
)
def test_opposite(expression, opposite):
    assert negate(expression) == opposite


def above(value: float) -> Compare:
    return Compare(AGE, ">", value)


def below(value: float) -> Compare:
    return Compare(AGE, "<=", value)


@pytest.mark.parametrize(
    ("conditions", "merged"),
    [
        ([], []),
        ([below(70), above(18), below(55), above(3)], ["18 < age <= 55 years"]),
        ([below(70), CALM, below(55)], ["age <= 55 years", "pulse <= 90.5"]),
        ([CALM, below(70)], ["pulse <= 90.5", "age <= 70 years"]),
        ([above(5), below(3)], ["age > 5 years and age <= 3 years"]),
        ([above(5), below(5)], ["age > 5 years and age <= 5 years"]),
        ([NORTH, In(CITY, ("Oslo", "Rome"))], ["city is Oslo"]),
        ([NORTH, In(CITY, ("Rome",))], ["city in {}"]),
        ([And((below(9), CALM)), below(8)], ["age <= 8 years", "pulse <= 90.5"]),
        ([Or((YOUNG, CALM)), Or((YOUNG, CALM))], ["age <= 42 years or pulse <= 90.5"]),
        ([Compare(SIZE, ">", 0.5), Compare(SIZE, "<=", 1.5)], ["size is medium"]),
        ([IsMissing(AGE), YOUNG], ["age <= 42 years", "age is missing"]),
        ([or_missing(below(70)), or_missing(above(18))], ["18 < age <= 70 years or missing"]),
        ([or_missing(below(70)), above(18)], ["18 < age <= 70 years"]),
        ([or_missing(below(7)), or_missing(above(9))], ["age is missing"]),
        ([or_missing(below(7)), IsMissing(AGE)], ["age is missing"]),
        ([or_missing(Not(NORTH)), Not(In(CITY, ("Rome",)))], ["city in {Paris, Voss} or unseen"]),
        ([or_missing(Not(NORTH)), In(CITY, ("Oslo", "Rome"))], ["city is Rome"]),
        (
            [or_missing(Not(NORTH)), or_missing(Not(In(CITY, ("Paris", "Rome", "Voss"))))],
            ["city is missing or unseen"],
        ),
    ],
)
def test_merged_conditions(conditions, merged):
    assert [str(condition) for condition in merge_conditions(conditions)] == merged


def test_a_merged_interval_with_missing_values_is_merged_again():
    path = [or_missing(above(18)), or_missing(below(70)), or_missing(below(55)), or_missing(CALM)]
    merged = ()
    for condition in path:
        merged = merge_conditions([*merged, condition])
    assert merged == merge_conditions(path)
    assert str(merged[0]) == "18 < age <= 55 years or missing"


def test_conditions_on_missing_values_are_left_out_where_there_are_none():
    way = Or((YOUNG, And((IsMissing(AGE), CALM))))
    assert without_missing(way, lambda column: column is AGE) == way
    assert without_missing(way, lambda column: False) == YOUNG
    assert without_missing(And((CALM, IsMissing(AGE))), lambda column: False) is None


def test_bounds_on_the_same_sum_become_an_interval():
    terms = (Term(1.0, AGE), Term(2.0, PULSE))
    merged = merge_conditions([Sum(terms, "<=", 9.0), Sum(terms, ">", 1.0), Sum(terms, "<=", 7.0)])
    assert [str(condition) for condition in merged] == ["1 < age + 2 * pulse <= 7"]
    other = Sum((Term(2.0, AGE), Term(1.0, PULSE)), "<=", 7.0)
    assert len(merge_conditions([*merged, other])) == 2


def test_equal_numbers_of_different_types_are_different_levels():
    assert In(MIXED, (1,)) != In(MIXED, (True,))
    assert In(MIXED, (1,)) == In(MIXED, (1,))
    assert len({In(MIXED, (1,)), In(MIXED, (1.0,)), In(MIXED, (True,))}) == 3
    conditions = [Or((In(MIXED, (1,)), YOUNG)), Or((In(MIXED, (True,)), YOUNG))]
    assert merge_conditions(conditions) == tuple(conditions)


@pytest.mark.long
def test_a_very_long_path_is_merged():
    path = [above(float(step)) for step in range(100_000)]
    assert merge_conditions(path) == (above(99_999.0),)


def test_columns_are_named_once_in_reading_order():
    expression = And((CALM, Or((YOUNG, NORTH)), Sum((Term(1.0, PULSE),), "<=", 1.0)))
    assert expression.columns == (PULSE, AGE, CITY)
    assert Largest(0, (Score((Term(1.0, AGE), Term(1.0, PULSE)), 0.0),)).columns == (AGE, PULSE)


def test_what_is_no_expression_raises():
    with pytest.raises(TypeError, match=r"TextRenderer can write expressions only.*str"):
        TextRenderer().render("age <= 42")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Not an expression"):
        And(("age",)).evaluate({})  # type: ignore[arg-type]


def test_a_renderer_must_know_every_expression():
    class Half(Renderer):
        def render_compare(self, expression: Compare) -> str:
            return "half"

    with pytest.raises(TypeError, match="render_and"):
        Half()  # type: ignore[abstract]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Compare(AGE, "<", 1.0), "'operator' of a comparison must be '<=' or '>'. Got '<'"),
        (lambda: Sum((), "=", 1.0), "'operator'"),
        (lambda: Xor((YOUNG,)), "two expressions. Got 1"),
        (lambda: Largest(2, ()), "'index' of Largest"),
    ],
)
def test_broken_expressions_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_only_short_sets_leave_levels_out():
    city = Column("city", "categorical", tuple("abcdefghijklmno"))
    short = TextRenderer(short_sets=True)
    five, six = In(city, tuple("abcde")), In(city, tuple("abcdef"))
    assert short.render(five) == str(five) == "city in {a, b, c, d, e}"
    assert str(six) == "city in {a, b, c, d, e, f}"
    assert short.render(six) == "city in {a, b, c, d and 2 more}"
    assert short.render(Not(six)) == "city not in {a, b, c, d and 2 more}"
