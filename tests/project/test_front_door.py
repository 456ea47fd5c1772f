"""The public names of the package: few, lazy, and helpful where one is misspelled."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

import treewright
from treewright import splits


def test_the_front_door_named_every_split_method():  # issue 22
    assert len(treewright.__all__) == 21
    assert not {card.method for card in splits.CARDS} & set(treewright.__all__)
    for name in treewright.__all__:
        assert getattr(treewright, name) is not None


def test_report_was_a_module():  # issue 22
    assert inspect.isfunction(treewright.report)
    from treewright import reports

    assert treewright.report is reports.report


def test_split_methods_are_still_found_at_the_top():
    for card in splits.CARDS:
        if card.method:
            assert getattr(treewright, card.method) is getattr(splits, card.method) is card.load()


@pytest.mark.parametrize(
    ("old", "new"), [("Quest", "QUEST"), ("CartLC", "CARTLC"), ("Fact", "FACT"), ("Must", "MUST")]
)
@pytest.mark.parametrize("module", [treewright, splits], ids=["treewright", "splits"])
def test_an_old_spelling_names_the_new_one(module, old, new):
    with pytest.raises(AttributeError, match=rf"no attribute '{old}'. Did you mean '{new}'\?"):
        getattr(module, old)
    assert not hasattr(module, old)


def test_a_name_unlike_any_other_suggests_none():
    with pytest.raises(AttributeError, match=r"'zzz'$"):
        treewright.zzz  # noqa: B018


def test_cards_are_read_without_anything_heavy():
    heavy = ["numpy", "sklearn", "scipy", "treewright._core"]
    program = (
        "import sys; from treewright.splits import CARDS, __all__; "
        f"print(len(CARDS) > 20, 'MUST' in __all__, [m for m in {heavy} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "True True []"
