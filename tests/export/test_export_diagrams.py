"""Drawings in other languages: they say what the tree says, and no text can break them."""

from __future__ import annotations

import dataclasses
import re
import shutil
import subprocess

import handmade
import pytest
from export_cases import HOSTILE_TEXTS, hostile_schema, random_tree, schema_of
from golden_files import check_golden
from handmade import build, inner, leaf

from treewright.exceptions import UnsupportedError
from treewright.export import export_tree
from treewright.export.diagrams import boxes
from treewright.predicates import Axis, Subset
from treewright.schema import Column, Schema

HOSTILE = (
    *HOSTILE_TEXTS,
    r"\N \input{x} $x_1^2$ # & ~ % --- `x' &lt; &amp; #quot; |\|",
    "\x00\x01\x1f\x7f\ufffe",
)
DIAGRAMS = {"dot": "dot", "mermaid": "mmd", "latex": "tex"}


def hostile_tree(task="classes", kinds=("axis", "linear", "subset", "pair", "machine"), depth=3):
    """A tree whose columns, levels, units, classes, target and nodes have hostile names."""
    schema = hostile_schema(task)
    more = tuple(Column(name, "categorical", HOSTILE) for name in HOSTILE[-2:])
    schema = dataclasses.replace(schema, columns=(*schema.columns, *more))
    tree = random_tree(task, schema, kinds=kinds, depth=depth)
    for node, name in zip(range(tree.n_nodes), HOSTILE, strict=False):
        tree = tree.with_label(node, f"{name}!")
    return tree


@pytest.mark.parametrize("target", DIAGRAMS)
def test_golden(target):
    check_golden(f"heart.{DIAGRAMS[target]}", export_tree(handmade.heart(), target).rstrip("\n"))


@pytest.mark.parametrize("name", handmade.ALL)
def test_boxes_hold_tests_answers_and_rows(name):
    tree = handmade.ALL[name]()
    found = {box.node.id: box for box in boxes(tree)}
    assert set(found) == set(range(tree.n_nodes))
    for box in found.values():
        assert box.lines[-1].endswith(("row", "rows"))
        assert [way.child for way in box.ways] == list(box.node.children)
        if box.ways:
            assert sum(way.share for way in box.ways) == pytest.approx(1.0)
            assert all(way.lines[0] for way in box.ways)


def test_two_ways_are_yes_and_no_and_more_are_said_in_words():
    root, _, _, _, _, _, pain, *_ = boxes(handmade.heart())
    assert root.lines == ("age <= 54.5 years?", "168 rows")
    assert [way.lines for way in root.ways] == [("yes",), ("no",)]
    assert pain.lines == ("chest pain?", "72 rows")
    assert [way.lines[0] for way in pain.ways] == [
        "chest pain is typical",
        "chest pain in {atypical, none}",
        'chest pain is "not asked"',
    ]


def test_the_surer_a_leaf_the_deeper_its_colour():
    *_, unsure, sure = boxes(
        build(
            Schema((Column("x", "numeric"),), ("a", "b")),
            inner(Axis(0, 1.0), leaf(0, 9), inner(Axis(0, 2.0), leaf(5, 4), leaf(9, 0))),
        )
    )
    assert unsure.colour == sure.colour
    assert 0.0 < unsure.strength < sure.strength <= 0.5
    assert sure.ground > sure.colour  # lighter


def test_ways_that_no_row_took_are_drawn_thinnest():
    schema = Schema((Column("x", "numeric"),), ("a", "b"))
    empty = inner(Axis(0, 2.0), leaf(0, 0), leaf(0, 0))
    tree = build(schema, inner(Axis(0, 1.0), leaf(3, 1), empty))
    root, _, below, *_ = boxes(tree)
    assert [way.share for way in root.ways] == [1.0, 0.0]
    assert [way.share for way in below.ways] == [0.0, 0.0]


def test_many_levels_do_not_make_a_box_endless():
    column = Column("city", "categorical", tuple(f"city number {i}" for i in range(500)))
    split = Subset(0, tuple(range(250)), tuple(range(250, 500)))
    tree = build(Schema((column,), ("a", "b")), inner(split, leaf(3, 0), leaf(0, 3)))
    root, *_ = boxes(tree)
    assert len(root.lines) <= 8
    assert any(line.endswith("…") for line in root.lines)
    assert max(map(len, root.lines)) <= 60


# ---------------------------------------------------------------------------- hostile text


def hostile_branches():
    """A tree that says hostile levels at its branches."""
    return hostile_tree(kinds=("multiway",), depth=1)


@pytest.mark.parametrize("make", [hostile_tree, lambda: hostile_tree("numbers"), hostile_branches])
@pytest.mark.parametrize("target", DIAGRAMS)
def test_hostile_text_leaves_the_frame_as_it_is(target, make):
    """With all texts taken out of the file, what is left is the file of a harmless tree."""
    tree = make()
    text = export_tree(tree, target)
    assert set(re.sub(r"[^\x00-\x1f\x7f-\x9f]", "", text)) == {"\n"}
    assert max(map(len, text.splitlines())) < 4_000
    strip = {"dot": _without_quoted, "mermaid": _without_quoted, "latex": _without_braced}[target]
    assert strip(text) == strip(export_tree(_renamed(tree), target))


def _renamed(tree):
    """The same tree with harmless names."""
    content = tree.schema.to_json()
    for index, column in enumerate(content["columns"]):
        column["name"] = f"column{index}"
        if "levels" in column:
            column["levels"] = [f"level{code}" for code in range(len(column["levels"]))]
        column.pop("unit", None)
    content["target"] = None
    if content["classes"] is not None:
        content["classes"] = [f"class{code}" for code in range(len(content["classes"]))]
    return tree.with_schema(Schema.from_json(content))


def _without_quoted(text):
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)


def _without_braced(text):
    """Drop comments and what stands in braces."""
    text = re.sub(r"(?m)^%.*$", "", text)
    plain, depth, place = "", 0, 0
    while place < len(text):
        if text[place] == "\\":
            plain += "" if depth else text[place : place + 2]
            place += 2
            continue
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        assert depth >= 0
        plain += "" if depth or text[place] == "}" else text[place]
        place += 1
    assert depth == 0
    return plain


@pytest.mark.parametrize("name", HOSTILE)
def test_mermaid_shows_hostile_text_as_it_is(name):
    column = Column(f"a{name[:30]}b", "numeric")
    tree = build(Schema((column,), ("a", "b")), inner(Axis(0, 1.0), leaf(1, 0), leaf(0, 1)))
    (label,) = re.findall(r'n0\["(.*)"\]', export_tree(tree, "mermaid"))
    shown = re.sub(r"#(\d+);", lambda match: chr(int(match[1])), label.replace("<br>", " "))
    (box, *_) = boxes(tree)
    assert shown == " ".join(box.lines)
    assert not re.search(r"[<>&\"'`*_\[\]{}()|]|#(?!\d+;)", label.replace("<br>", ""))


# ---------------------------------------------------------------------------- real programs


@pytest.fixture
def dot():
    program = shutil.which("dot")
    if program is None:
        pytest.skip("Graphviz is not installed (apt install graphviz)")
    return program


@pytest.mark.parametrize(
    "tree",
    [
        *handmade.ALL.values(),
        hostile_tree,
        hostile_branches,
        lambda: random_tree(0, schema_of("numbers")),
    ],
)
def test_graphviz_draws_every_node(dot, tree):
    tree = tree()
    text = export_tree(tree, "dot")
    result = subprocess.run([dot, "-Tplain"], input=text.encode(), capture_output=True)
    assert result.returncode == 0
    assert result.stderr == b""
    words = [line.split()[0] for line in result.stdout.decode().splitlines() if line[:1] in "ne"]
    assert words.count("node") == tree.n_nodes
    assert words.count("edge") == tree.n_nodes - 1


def test_graphviz_shows_hostile_text_as_it_is(dot):
    name = 'a "b" \\N \\G <b> &lt; &amp; \\n c'
    tree = build(
        Schema((Column(name, "numeric"),), ("a", "b")),
        inner(Axis(0, 1.0), leaf(1, 0), leaf(0, 1)),
    )
    text = export_tree(tree, "dot")
    result = subprocess.run([dot, "-Tsvg"], input=text.encode(), capture_output=True, check=True)
    shown = re.findall(r"<text[^>]*>([^<]*)</text>", result.stdout.decode())
    unescaped = {"&quot;": '"', "&lt;": "<", "&gt;": ">", "&#45;": "-", "&#160;": " "}
    for mark, character in unescaped.items():
        shown = [line.replace(mark, character) for line in shown]
    assert f"{name} <= 1?" in [line.replace("&amp;", "&") for line in shown]


@pytest.mark.slow
@pytest.mark.parametrize("tree", [handmade.six_kinds, hostile_tree, hostile_branches])
def test_latex_compiles(tree, tmp_path):
    engine = shutil.which("lualatex") or shutil.which("xelatex")
    if engine is None or not _has_packages(engine):
        pytest.skip("No LaTeX with the packages forest and standalone is installed")
    (tmp_path / "tree.tex").write_text(export_tree(tree(), "latex"))
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "tree.tex"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True)
    assert result.returncode == 0, result.stdout.decode(errors="replace")[-2000:]
    assert (tmp_path / "tree.pdf").stat().st_size > 1_000


def _has_packages(engine):
    find = shutil.which("kpsewhich")
    files = ("forest.sty", "standalone.cls", "fontspec.sty")
    return find is not None and all(
        subprocess.run([find, file], capture_output=True).returncode == 0 for file in files
    )


def test_latex_refuses_what_tex_cannot_nest():
    with pytest.raises(UnsupportedError, match=r"LaTeX cannot draw a tree of depth 70, only of"):
        export_tree(handmade.chain(70), "latex")
    assert export_tree(handmade.chain(60), "latex").count("[{") == 121


def test_latex_alone_is_the_middle_of_the_document():
    whole = export_tree(handmade.iris(), "latex")
    part = export_tree(handmade.iris(), "latex", document=False)
    assert part in whole
    assert "documentclass" not in part


def test_mermaid_grows_to_the_right_when_asked():
    assert export_tree(handmade.iris(), "mermaid", direction="LR").startswith("flowchart LR\n")
    with pytest.raises(ValueError, match="direction"):
        export_tree(handmade.iris(), "mermaid", direction="up")
