"""The cards are true, whole, and what the docs say.

After a change of a card, run this file with TREEWRIGHT_RENEW_GOLDEN=1: it rewrites the table in
docs/methods.md.
"""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import re
from pathlib import Path

import pytest
from command_line import complaint, succeeded

from treewright import _core, methods, recipes
from treewright.splits import CARDS, DEFAULT, SplitMethod, as_split, split_names

ROOT = Path(__file__).parents[2]
METHODS = [card for card in CARDS if card.method]
TREES = [card for card in CARDS if card.use == "trees"]
IN_PYTHON = {"linear_program"}


def named(cards):
    return pytest.mark.parametrize("card", cards, ids=lambda card: card.name)


def methods_table() -> str:
    """The table of methods in Markdown."""
    lines = ["| | its splits | predicts | in Python | source |", "|---|---|---|---|---|"]
    for card in CARDS:
        if card.use != "authors":
            title = f"[{card.title}]({card.page})" if card.page else card.title
            python = [f'`split="{card.name}"`'] if card.method else []
            python += [f"`{name}()`" for name in card.estimators]
            python += [f"`recipes.{name}()`" for name in card.recipes]
            tasks = ", ".join(
                {"classification": "classes"}.get(t, t) for t in methods.tasks_of(card)
            )
            cells = (title, card.sentence, tasks, ", ".join(python), card.source)
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def test_the_table_of_methods_is_that_of_the_cards():
    path = ROOT / "docs" / "methods.md"
    pattern = r"(?<=<!-- methods, from the cards -->\n\n).*?(?=\n\n<!-- end of methods -->)"
    text = path.read_text(encoding="utf-8")
    table = methods_table()
    if os.environ.get("TREEWRIGHT_RENEW_GOLDEN"):
        path.write_text(re.sub(pattern, lambda _: table, text, flags=re.DOTALL), encoding="utf-8")
        return
    (found,) = re.findall(pattern, text, re.DOTALL)
    assert found == table, "not as the cards; renew the page with TREEWRIGHT_RENEW_GOLDEN=1"


def test_every_method_of_the_core_has_a_card_and_every_card_a_method():
    assert {card.name for card in METHODS} - IN_PYTHON == set(_core.method_names())


def test_every_parameter_class_has_a_card():
    import treewright.splits

    found = set()
    for module in pkgutil.iter_modules(treewright.splits.__path__, "treewright.splits."):
        for name, one in vars(importlib.import_module(module.name)).items():
            if inspect.isclass(one) and issubclass(one, SplitMethod):
                found.add(name)
    assert found - {"SplitMethod", "PythonSplit"} == {card.method for card in METHODS}


def test_every_recipe_is_on_one_card():
    public = {
        name
        for module in pkgutil.iter_modules(recipes.__path__, "treewright.recipes.")
        if module.name.rsplit(".")[-1] != "parts"
        for name in importlib.import_module(module.name).__all__
    }
    assert sorted(public) == recipes.__all__
    assert all(inspect.isfunction(getattr(recipes, name)) for name in recipes.__all__)


def test_names_are_unique():
    for words in ([card.name for card in CARDS], [card.command for card in TREES]):
        assert len(words) == len(set(words))


def test_every_method_has_a_name():
    assert set(split_names()) == {card.name for card in METHODS if card.use != "authors"}


@named(CARDS)
def test_a_card_is_filled_in(card):
    assert card.title
    assert card.sentence
    assert not card.sentence.endswith(".")
    assert not card.page or (ROOT / "docs" / card.page).is_file()
    assert card.method or card.recipes or card.estimators
    assert re.fullmatch("[a-z0-9_]+", card.name)


@named(METHODS)
def test_a_class_is_spelled_as_its_card(card):
    assert card.method.lower() == card.name.replace("_", "")
    assert card.load().__module__ == f"treewright.splits.{card.name}"
    assert card.examples
    assert {type(as_split(example)) for example in card.examples} == {card.load()}


@named(METHODS)
def test_a_recipe_promises_no_task_that_the_method_has_not(card):
    if as_split(card.examples[0]).for_classes_only:
        assert methods.tasks_of(card) == ("classification",)


@named(TREES)
def test_a_method_makes_an_estimator_for_its_tasks(card):
    for task in methods.tasks_of(card):
        model = methods.make(card, task)
        assert type(model).__name__.endswith("Regressor") == (task == "regression")
        assert card.is_search == type(model).__name__.startswith(("Optimal", "Readable"))


def test_methods_are_listed():
    text = succeeded("methods").partition("\n\n")[0]
    assert [line.split()[0] for line in text.splitlines() if line[:1].strip()] == [
        card.command for card in TREES
    ]


def test_the_default_is_listed_first_and_says_so():
    assert DEFAULT.name == "readable"
    first, second = succeeded("methods").split("\ncart ")[0], succeeded("methods", "readable")
    assert " ".join(first.split()).endswith("over them does better (the default)")
    assert "fit FILE --target COLUMN\n" in second
    assert "treewright.ReadableTreeClassifier, treewright.ReadableTreeRegressor" in second


def test_a_method_is_described():
    text = succeeded("methods", "cart_lc")
    assert "CART-LC (Breiman, Friedman, Olshen, Stone (1984)): linear combinations" in text
    assert "--method cart-lc" in text
    assert "did you mean must?" in complaint("methods", "musst")
