"""A seventh predicate kind, or a tenth expression, is listed in every place that must know it.

Python tells the kinds apart by `match` with `assert_never` at its end, so that mypy lists it;
the scripts of the page by tables, so that a kind which is lacking is an error that names it. So it
is with sets of words: tasks, measures, risks of pruning, and how a search ends.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest
from syntax import parsed

from tests.support.page_script import NODE
from tests.support.strategies import TESTS_OF_KIND
from treewright.base.tasks import TASKS
from treewright.expressions import Expression
from treewright.measures import MEASURES
from treewright.optimal.certificate import Status, ending_of
from treewright.predicates import Predicate, predicate_json
from treewright.predicates.base import FlatKind
from treewright.prune.risks import RISKS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "treewright"
ASSETS = SOURCE / "page" / "assets"
PREDICATES = {kind.__name__ for kind in get_args(Predicate)}
EXPRESSIONS = {kind.__name__ for kind in get_args(Expression)}
KINDS = {name.lower() for name in PREDICATES}
STATUSES = get_args(Status)
WORDS = {*TASKS, *MEASURES, *RISKS, *STATUSES}

# Questions about one form, to which "no" is the right answer for every kind to come.
ONE_FORM = {
    "estimators/alternatives.py: Axis": "thresholds of the tree are offered",
    "estimators/search_options.py: Axis | Subset": "an argument that must be one of two",
    "expressions/merging.py: And": "parts that all hold are taken one by one",
    "expressions/merging.py: IsMissing": "says that there is no value",
    "expressions/missing.py: IsMissing": "the form that or_missing makes",
    "expressions/missing.py: Or": "the form that or_missing makes",
    "expressions/text_renderer.py: In": "'not in' has words of its own",
    "expressions/text_renderer.py: IsMissing": "the form that or_missing makes",
    "expressions/text_renderer.py: Not": "negation has words of its own",
    "expressions/values.py: In": "equality of its own",
    "export/code.py: Largest": "scores are computed once for all branches",
    "export/decisions.py: Largest": "scores are computed once for all branches",
    "export/diagrams.py: Largest": "scores have no column to ask for",
    "explain/steps.py: Largest": "scores have no column to ask for",
    "optimal/building.py: Linear": "sums are written in fewer words",
    "optimal/short_sums.py: Linear": "sums are written in fewer words",
    "plot/words.py: Not": "a branch that takes unseen levels says so",
    "plot/words.py: Sum": "long sums are only named",
    "readable/recut.py: Axis": "thresholds are chosen again",
    "readable/recut.py: Linear": "thresholds are chosen again",
}

# Questions about one word, to which "no" is the right answer for every word to come.
ONE_WORD = {
    "estimators/class_weighting.py: costs.in_split == 'gini'": "no measure: where costs go",
    "estimators/class_weighting.py: self.cost_in_split == 'gini'": "no measure: where costs go",
    "estimators/monotonic.py: model.criterion == 'absolute_error'": "the one without proportions",
    "optimal/certificate.py: self.status == 'optimal'": "the property that all others ask",
    "optimal/certificate.py: status == 'optimal'": "what older files said of rounded ones too",
    "prune/trim.py: measure.risk == 'errors'": "the one risk that counts costs",
}


def closed_names(module: ast.Module) -> set[str]:
    """The names of closed sets that a module imports, or defines."""
    names = {
        alias.name
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(("treewright.predicates", "treewright.expressions"))
        for alias in node.names
        if alias.asname is None
    }
    names |= {node.name for node in module.body if isinstance(node, ast.ClassDef)}
    return names & (PREDICATES | EXPRESSIONS)


def asked_by_isinstance(module: ast.Module) -> Iterator[str]:
    """The kinds of every `isinstance` that names some."""
    closed = closed_names(module)
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance":
            asked = ast.unparse(node.args[1])
            if closed & set(re.findall(r"\w+", asked)):
                yield asked


def words_compared(module: ast.Module) -> Iterator[str]:
    """Comparisons with a word of a closed set, written out or by the name of a constant."""
    constants = {
        ast.unparse(target): node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
    }
    for node in ast.walk(module):
        if not isinstance(node, ast.Compare):
            continue
        sides = [constants.get(ast.unparse(side), side) for side in (node.left, *node.comparators)]
        parts = [part for side in sides for part in getattr(side, "elts", [side])]
        if any(isinstance(part, ast.Constant) and part.value in WORDS for part in parts):
            yield ast.unparse(node)


def is_on_kinds(match: ast.Match, closed: set[str]) -> bool:
    """Whether some case of a match is a kind or a word, alone or beside others."""
    pending = [case.pattern for case in match.cases]
    while pending:
        pattern = pending.pop()
        if isinstance(pattern, ast.MatchOr):
            pending += pattern.patterns
        elif isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
            pending.append(pattern.pattern)
        elif isinstance(pattern, ast.MatchClass | ast.MatchValue):
            asked = pattern.cls if isinstance(pattern, ast.MatchClass) else pattern.value
            if ast.unparse(asked).strip("'") in closed | WORDS:
                return True
    return False


def ends_in_never(match: ast.Match) -> bool:
    """Whether the last case takes what is left and gives it to a function that takes Never."""
    last = match.cases[-1]
    takes_all = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
    (statement,) = last.body if len(last.body) == 1 else (None,)
    if isinstance(statement, ast.Expr):
        return takes_all and ast.unparse(statement).startswith("assert_never(")
    return takes_all and isinstance(statement, ast.Raise) and isinstance(statement.exc, ast.Call)


def silent_matches(module: ast.Module) -> list[int]:
    """The lines of matches on kinds that mypy would not list."""
    closed = closed_names(module)
    return [
        node.lineno
        for node in ast.walk(module)
        if isinstance(node, ast.Match) and is_on_kinds(node, closed) and not ends_in_never(node)
    ]


def modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(SOURCE.rglob("*.py")):
        yield file.relative_to(SOURCE).as_posix(), parsed(file.read_text())


def test_kinds_are_told_apart_by_match_and_not_by_isinstance():
    asked = {
        f"{file}: {kinds}" for file, module in modules() for kinds in asked_by_isinstance(module)
    }
    assert asked == set(ONE_FORM)


def test_words_are_told_apart_by_match_or_table_and_not_by_comparison():
    asked = {f"{file}: {asked}" for file, module in modules() for asked in words_compared(module)}
    assert asked == set(ONE_WORD)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('a = 1 if task == "regression" else 2', True),
        ('a = 1 if "gini" != criterion else 2', True),
        ('if status in ("optimal", "other"):\n  a()', True),
        ('_NUMBERS = "squared_error"\nif criterion == _NUMBERS:\n  a()', True),
        ('if task == "auto" or word == "none":\n  a()', False),
    ],
)
def test_a_comparison_that_stays_silent_is_found(text, found):
    assert bool([*words_compared(ast.parse(text))]) == found


def test_matches_on_kinds_end_in_assert_never():
    silent = [f"{file}:{line}" for file, module in modules() for line in silent_matches(module)]
    assert silent == []


@pytest.mark.parametrize(
    ("text", "n_silent"),
    [
        ("match test:\n case Axis():\n  a()\n case _:\n  assert_never(test)", 0),
        ("match test:\n case Axis() | Pair() as one:\n  a()\n case one:\n  assert_never(one)", 0),
        ("match test:\n case Axis():\n  a()", 1),
        ("match test:\n case Axis() | Pair():\n  a()\n case _:\n  return None", 1),
        ("match name:\n case 'axis':\n  a()", 0),
        ("match task:\n case 'regression':\n  a()", 1),
        ("match risk:\n case 'errors':\n  a()\n case _:\n  assert_never(risk)", 0),
    ],
)
def test_a_match_that_stays_silent_is_found(text, n_silent):
    module = ast.parse(f"from treewright.predicates import Axis, Pair\n{text}")
    assert len(silent_matches(module)) == n_silent


def test_every_kind_has_a_number_a_reader_and_a_strategy():
    numbers = {name.lower() for name in vars(FlatKind) if name.isupper()}
    assert numbers - {"leaf"} == KINDS
    assert set(predicate_json._READERS) == KINDS
    assert set(TESTS_OF_KIND) == KINDS


def test_every_status_says_how_a_search_ended():
    endings = {status: ending_of(status) for status in STATUSES}
    assert [status for status, ending in endings.items() if not ending.reason] == ["optimal"]
    for ending in endings.values():
        assert ending.is_complete + ending.is_limit + ending.is_asked_for == 1


def tables_of_the_page() -> dict[str, list[str]]:
    """The scripts that tell kinds apart, with the tables they do it by."""
    found = {}
    for file in ("routing.js", "nearest.js", "questionnaire.js"):
        found[file] = sorted(set(re.findall(r"byKind\((\w+),", (ASSETS / file).read_text())))
    return found


def test_scripts_of_the_page_tell_kinds_apart_by_tables_only():
    for file in ASSETS.glob("*.js"):
        asked = re.findall(r"\btest\.kind\s*[!=]==", file.read_text())
        assert asked == [], f"{file.name} skips kinds that it does not know"


@pytest.mark.skipif(NODE is None, reason="needs node")
def test_the_page_skipped_kinds_of_tests_that_it_did_not_know():
    tables = tables_of_the_page()
    names = [name for found in tables.values() for name in found if name != "table"]
    assert len(names) >= 8
    scripts = "\n".join((ASSETS / file).read_text() for file in tables)
    said = f"""
    for (const table of [{", ".join(names)}]) {{
      console.log(Object.keys(table).sort().join(" "));
      try {{ byKind(table, {{ kind: "seventh" }}); }}
      catch (error) {{ console.log(error.message); }}
    }}"""
    run = subprocess.run([NODE, "--eval", scripts + said], capture_output=True, text=True)
    message = 'The page does not know splits of the kind "seventh".'
    assert run.stdout.splitlines() == [" ".join(sorted(KINDS)), message] * len(names)


def files_listed_by_mypy(folder: Path, plant: Callable[[Path], None]) -> set[str]:
    """Files of the package where mypy finds errors, once something is planted in a copy of it."""
    copy = folder / "treewright"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("*.so", "__pycache__", "data"))
    plant(copy)
    result = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "treewright"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    return {
        Path(match[1]).relative_to("treewright").as_posix()
        for match in re.finditer(r"^(\S+?):\d+: error", result.stdout, re.MULTILINE)
    }


def plant_kind(copy: Path) -> None:
    kinds = copy / "predicates" / "kinds.py"
    text = kinds.read_text()
    alias = "Predicate: TypeAlias = Axis | "
    assert text.count(f"\n{alias}") == 1
    seventh = "class Seventh(BasePredicate):\n    pass\n\n\n"
    text = text.replace(f"\n{alias}", f"\n{seventh}{alias}Seventh | ")
    before, after = text.split("from treewright.predicates.linear", 1)
    base = "from treewright.predicates.base import BasePredicate\n"
    kinds.write_text(f"{before}{base}from treewright.predicates.linear{after}")


def plant_words(copy: Path) -> None:
    for file, name in (("base/tasks.py", "Task"), ("measures.py", "Risk")):
        text = (copy / file).read_text()
        alias = f"\n{name}: TypeAlias = Literal["
        assert text.count(alias) == 1
        (copy / file).write_text(text.replace(alias, f'{alias}"planted", '))


@pytest.mark.slow
def test_mypy_lists_every_match_for_a_planted_kind(tmp_path):
    on_predicates = {
        file
        for file, module in modules()
        if "Predicate" in ast.unparse(module)
        and any(
            is_on_kinds(node, closed_names(module) & PREDICATES) and "Pair" in ast.unparse(node)
            for node in ast.walk(module)
            if isinstance(node, ast.Match)
        )
    }
    assert on_predicates - files_listed_by_mypy(tmp_path, plant_kind) == set()


@pytest.mark.slow
def test_mypy_lists_every_match_for_planted_words(tmp_path):
    told_apart = {"base/tasks.py", "reports/target.py", "prune/risks.py"}
    assert files_listed_by_mypy(tmp_path, plant_words) == told_apart
