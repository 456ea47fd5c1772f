"""Which method? The tree of choices names every method, and the page says what the command says.

After a change of a card, of the choices or of the times, run this file with
TREEWRIGHT_RENEW_GOLDEN=1: it rewrites docs/choosing.md, examples and their output included.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from command_line import complaint, succeeded
from sklearn.datasets import load_iris

import treewright
from treewright import methods, times
from treewright.splits import CARDS, as_split
from treewright.splits.choosing import CHOICE, Choice

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "choosing.md"
RESULTS = ROOT / "benchmarks" / "results" / "method_times.json"
needs_results = pytest.mark.skipif(
    not RESULTS.exists(), reason="results of benchmarks are not part of the source distribution"
)
TREES = [card for card in CARDS if card.use == "trees"]
NAMES = [card.command for card in TREES]
RENEWS = bool(os.environ.get("TREEWRIGHT_RENEW_GOLDEN"))
LONG_NUMBER = re.compile(r"\.\d{8}")


def section(mark: str, words: str) -> None:
    """Check what stands on the page between two comments, or write it there if that is asked."""
    text = PAGE.read_text(encoding="utf-8")
    pattern = rf"(?<=<!-- {mark} -->\n\n).*?(?=\n\n<!-- end of {mark} -->)"
    if RENEWS:
        PAGE.write_text(re.sub(pattern, lambda _: words, text, flags=re.DOTALL), encoding="utf-8")
        return
    (found,) = re.findall(pattern, text, re.DOTALL)
    assert found == words, f"{PAGE.name} is out of date; renew it with TREEWRIGHT_RENEW_GOLDEN=1"


def printed_tree() -> str:
    """What the command prints below the list of methods, without the sentence on times."""
    return succeeded("methods").split("\n\n")[1]


def evaluated(line: str):
    """What an expression of names in treewright is."""
    return eval(line, {name: getattr(treewright, name) for name in treewright.__all__})


def with_seed(card) -> str:
    """The Python line of a method, with a seed where it takes one."""
    line = methods.python_line(card)
    if "random_state" not in evaluated(line).get_params():
        return line
    return f"{line[:-1]}{'' if line.endswith('()') else ', '}random_state=0)"


def test_every_method_is_at_one_leaf_and_every_leaf_is_a_method():
    assert sorted(method for method, _ in CHOICE.paths()) == sorted(NAMES)


def test_the_choices_are_a_tree():
    def check(choice: Choice) -> None:
        assert bool(choice.method) != bool(choice.branches)
        assert len(choice.branches) != 1
        words = [branch.words for branch in choice.branches]
        assert len(set(words)) == len(words)
        for branch in choice.branches:
            check(branch)

    check(CHOICE)
    assert len({path for _, path in CHOICE.paths()}) == len(NAMES)


@needs_results
def test_the_times_are_those_of_the_benchmark():
    results = json.loads(RESULTS.read_text())
    measured = times.read_times()
    assert (measured.rows, measured.columns) == (results["rows"], results["columns"])
    assert set(measured.methods) <= set(NAMES)
    for name in measured.methods:
        assert measured.methods[name] == pytest.approx(
            results["methods"][name]["seconds"], rel=0.01
        )


def test_the_command_draws_the_choices_with_the_time_of_each():
    lines = printed_tree().splitlines()
    assert lines[0].split() == ["method", "regression", "time", "of", "CART"]
    assert lines[1] == "which method?"
    for method, path in CHOICE.paths():
        (line,) = [line for line in lines if re.search(rf"  {method}  ", line)]
        assert line.lstrip("│├└─ ").startswith(path[-1])
        assert line.endswith(times.read_times().cells(method)[1])
    assert "1,000 rows, 10 numeric columns" in succeeded("methods")


@pytest.mark.parametrize("card", TREES, ids=lambda card: card.name)
def test_the_python_line_is_the_method(card):
    written, made = evaluated(methods.python_line(card)), methods.make(card)
    for model in (written, made):
        if not card.is_search:
            model.set_params(split=as_split(model.split))
    assert repr(written) == repr(made)


def test_one_method_is_described_with_its_path_time_and_example():
    text = succeeded("methods", "quest")
    assert "Choose it where: a greedy tree will do; a split reads one column; columns with" in text
    assert re.search(r"Time: [\d.]+ s, [\d.]+ x CART, on 1,000 rows", text)
    assert "Command line: treewright fit FILE --target COLUMN --method quest" in text
    assert "In Python: from treewright import recipes; model = recipes.quest().fit(X, y)" in text
    assert "Page: docs/discriminant.md" in text
    assert "Choose it where" not in succeeded("methods", "axis")


def test_the_same_as_json():
    everything = json.loads(succeeded("methods", "--json"))
    assert [one["method"] for one in everything["methods"]] == NAMES
    assert everything["timed_on"] == {"rows": 1000, "columns": 10, "classes": 2}
    one = json.loads(succeeded("methods", "oc1", "--json"))
    assert one == everything["methods"][NAMES.index("oc1")]
    assert one["seconds"] == times.read_times().methods["oc1"]
    assert one["predicts"] == ["classification"]
    assert "did you mean must?" in complaint("methods", "musst", "--json")


def test_the_page_shows_the_tree_that_the_command_prints():
    section("the tree of treewright methods", f"```text\n{printed_tree()}\n```")


@needs_results
def test_the_page_has_the_times_of_the_benchmark():
    results = json.loads(RESULTS.read_text())["methods"]
    assert set(NAMES) <= set(results), "Measure the new method: CONTRIBUTING.md says how."
    rows = ["| method | time | of CART | leaves | accuracy |", "|:--|--:|--:|--:|--:|"]
    for name in sorted(NAMES, key=lambda name: results[name]["seconds"]):
        run = results[name]
        accuracy = f"{100 * run['accuracy']:.1f} %"
        cells = (f"`{name}`", *times.read_times().cells(name), str(run["leaves"]), accuracy)
        rows.append(f"| {' | '.join(cells)} |")
    section("the times of the benchmark", "\n".join(rows))


def example(line: str) -> str:
    """The example of a method with what it prints: the last rule, if all can print the same."""
    iris = load_iris(as_frame=True)
    tree = evaluated(line).fit(iris.data, iris.target_names[iris.target]).tree_
    rule = tree.rules()[-1]
    if LONG_NUMBER.search(rule):  # whose last digits differ between machines
        return f">>> {line}.fit(X, y).tree_.n_leaves\n{tree.n_leaves}"
    return f">>> print({line}.fit(X, y).tree_.rules()[-1])\n{rule}"


def test_the_page_has_an_example_of_every_method():
    """Whether they print what they say, tests/project/test_docs.py looks."""
    cards = {card.command: card for card in TREES}
    text = PAGE.read_text(encoding="utf-8")
    assert RENEWS or not LONG_NUMBER.search(text)
    blocks = []
    for name, path in CHOICE.paths():
        card, line = cards[name], with_seed(cards[name])
        title = f"[{card.title}]({card.page})" if card.page else card.title
        head = f"**{title}**, `treewright methods {name}`: {'; '.join(path)}."
        pattern = rf"^>>> (?:print\()?{re.escape(line)}\.fit.*\n.*$"
        (code,) = [example(line)] if RENEWS else re.findall(pattern, text, re.M)
        blocks.append(f"{head}\n\n```python\n{code}\n\n```")
    section("the examples", "\n\n".join(blocks))
