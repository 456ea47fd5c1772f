"""Checks of parameters remember plain values that they accepted, and nothing else."""

from __future__ import annotations

import pytest

from treewright.base.parameters import Check, check_arguments, integer, number


@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_what_equals_an_accepted_value_is_still_checked(value: object) -> None:
    check = integer(1)
    check_arguments("Owner", {"depth": 1}, {"depth": check})
    with pytest.raises(ValueError, match="The 'depth' parameter of Owner must be an int >= 1"):
        check_arguments("Owner", {"depth": value}, {"depth": check})


def test_refused_values_are_refused_again() -> None:
    check = number(0, above=True)
    for _ in range(2):
        with pytest.raises(ValueError, match="> 0"):
            check_arguments("Owner", {"price": 0.0}, {"price": check})


def test_plain_values_are_looked_at_once_and_others_each_time() -> None:
    seen: list[object] = []

    def accepts(value: object) -> bool:
        seen.append(value)
        return True

    check = Check("anything", accepts)
    values = [3, 3, 3.0, [3], [3]]
    for value in values:
        assert check.passes(value)
    assert seen == [3, 3.0, [3], [3]]
