"""Numbers, names and levels as text."""

from __future__ import annotations

import functools
import math
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright.words import (
    count_text,
    display_width,
    flag_text,
    level_texts,
    name_text,
    number_text,
    plural,
    share_text,
    visible,
)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (42.0, "42"),
        (-3.0, "-3"),
        (-0.0, "0"),
        (2.45, "2.45"),
        (0.1 + 0.2, "0.30000000000000004"),
        (0.00001, "0.00001"),
        (1e-6, "0.000001"),
        (1e-7, "1e-07"),
        (1234567890123.5, "1234567890123.5"),
        (1e15, "1000000000000000"),
        (1e16, "1e+16"),
        (5e-324, "5e-324"),
        (math.inf, "infinity"),
        (-math.inf, "-infinity"),
        (math.nan, "missing"),
    ],
)
def test_number(number, text):
    assert number_text(number) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_printed_number_is_the_number(number):
    assert float(number_text(number)) == number
    assert not number_text(number).endswith((".", ".0"))


@given(st.floats(1e-6, 1e15))
def test_ordinary_numbers_have_no_exponent(number):
    assert "e" not in number_text(number)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("petal length", "petal length"),
        ("Größe in m²", "Größe in m²"),
        ("first\nsecond", r"first\nsecond"),
        ("bell\x07", r"bell\x07"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("turned \u202e round", r"turned \u202e round"),
        ("line\u2028end", r"line\u2028end"),
        ("broken \ud800", r"broken \ud800"),
        ("می\u200cخواهم", "می\u200cخواهم"),  # noqa: RUF001
        ("no\u00a0break", "no\u00a0break"),
    ],
)
def test_characters_that_would_not_be_seen_are_escaped(text, shown):
    assert visible(text) == shown


def test_a_name_is_quoted_only_if_its_ends_cannot_be_seen():
    assert name_text("blood pressure") == "blood pressure"
    assert name_text("") == '""'
    assert name_text(" age") == '" age"'
    assert name_text('say "hi" ') == r'"say \"hi\" "'
    assert name_text("age\n") == r'"age\n"'


@pytest.mark.parametrize(
    ("level", "in_set", "alone"),
    [
        ("Oslo", "Oslo", "Oslo"),
        ("New York", "New York", "New York"),
        ("Rome, Italy", '"Rome, Italy"', '"Rome, Italy"'),
        ("{x}", '"{x}"', '"{x}"'),
        ("", '""', '""'),
        (" x", '" x"', '" x"'),
        ('"', r'"\""', r'"\""'),
        ("missing", "missing", '"missing"'),
        ("not Oslo", "not Oslo", '"not Oslo"'),
        ("Trinidad and Tobago", "Trinidad and Tobago", '"Trinidad and Tobago"'),
        ("a\tb", r"a\tb", r"a\tb"),
        ("\r\nnew", r'"\r\nnew"', r'"\r\nnew"'),
        (r"\new ", r'"\\new "', r'"\\new "'),
        (True, "true", "true"),
        (3, "3", "3"),
        (2.5, "2.5", "2.5"),
        (3.0, "3", "3"),
    ],
)
def test_level(level, in_set, alone):
    assert level_texts([level]) == (in_set,)
    assert level_texts([level], in_set=False) == (alone,)


def test_levels_of_different_types_can_be_told_apart():
    mixed = (1, 1.0, "1", True, "true")
    assert level_texts(mixed) == ("1", "1.0", '"1"', "true", '"true"')
    assert level_texts(("1",), mixed) == ('"1"',)
    assert len(set(level_texts(mixed))) == len(mixed)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0 %"),
        (0.001, "<1 %"),
        (0.5, "50 %"),
        (0.994, "99 %"),
        (0.9999999, ">99 %"),
        (1.0, "100 %"),
        (math.nan, "-"),
    ],
)
def test_share(share, text):
    assert share_text(share) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0.0, "0"),
        (41.0, "41"),
        (12.34, "12.3"),
        (0.004, "0.004"),
        (1e-12, "1e-12"),
        (1e300, "1e+300"),
        (sum([0.1] * 30), "3"),  # 3.0000000000000013
    ],
)
def test_count(count, text):
    assert count_text(count) == text


def test_width_in_a_terminal():
    assert display_width("") == 0
    assert display_width("age") == 3
    assert display_width("年齢") == 4
    assert display_width("e\u0301") == 1
    assert display_width("├─ ") == 3


def test_parts_of_a_row_that_add_up_to_one_are_one_row():
    whole = functools.reduce(operator.add, [0.1] * 10)  # sum() of Python 3.12 rounds but once
    assert whole != 1.0
    assert plural(whole, "row") == "1 row"
    assert plural(1.5, "row") == "1.5 rows"


NOT_PLAIN = (
    *(
        "",
        " express",
        "express ",
        "not express",
        "a and b",
        "age <= 42",
        "3",
        "x\ny",
        'a"b',
        "a\\b",
    ),
    *("is", "Or", "a  b", "(a)", "missing", "city is Oslo", "a, b", "a - b", "\u202eabc", "a = b"),
)


@pytest.mark.parametrize("name", NOT_PLAIN)
def test_a_name_that_is_more_than_words_is_quoted_where_it_is_a_condition(name):
    said, denied = flag_text(name, True), flag_text(name, False)
    assert said.startswith('"')
    assert said.endswith('"')
    assert said.isprintable()
    assert denied == f"not {said}"


@pytest.mark.parametrize("name", ["express", "has garden", "x_1", "e-mail", "größer", "विवाहित"])
def test_plain_words_are_a_condition_as_they_are(name):
    assert (flag_text(name, True), flag_text(name, False)) == (name, f"not {name}")


@given(first=st.text(), second=st.text(), values=st.tuples(st.booleans(), st.booleans()))
def test_two_conditions_on_booleans_never_read_alike(first, second, values):
    said = [flag_text(name, value) for name, value in zip((first, second), values, strict=True)]
    assert (said[0] == said[1]) == ((first, values[0]) == (second, values[1]))
