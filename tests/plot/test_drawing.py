"""Trees drawn as SVG: what readers have complained about elsewhere, and what pages rely on."""

from __future__ import annotations

import re
from dataclasses import replace

import handmade
import pytest
import sklearn
from command_line import complaint, python_output, succeeded
from drawings import branch, groups, node, parsed, title, words
from export_cases import HOSTILE_TEXTS, hostile_schema
from golden_files import check_golden
from handmade import build, inner, leaf
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from treewright import MUST, ForestClassifier, TreeClassifier, TreeRegressor, plot, recipes
from treewright.exceptions import WriteError
from treewright.plot import tree_html, tree_layout, tree_style, tree_svg, write_svg
from treewright.plot.tree.contents import Bar, Spread
from treewright.plot.tree.layout import Branch
from treewright.plot.tree.style import THEMES, colours_of
from treewright.predicates import Axis, Linear, Machine, Multiway, Subset
from treewright.schema import Column, Schema
from treewright.words.colours import CLASS_COLOURS


@pytest.fixture(scope="module")
def model():
    data = load_iris()
    X = dict(zip(data.feature_names, data.data.T, strict=True))
    return TreeClassifier(max_depth=2).fit(X, data.target_names[data.target])


# ------------------------------------------------------------------ what readers see


def test_a_small_tree_is_drawn_as_it_was():
    drawing = tree_svg(handmade.iris(), with_style=False)
    check_golden("iris.svg", drawing.replace("><", ">\n<"))


@pytest.mark.parametrize("theme", THEMES)
def test_no_type_is_smaller_than_12_pixels(theme):
    sheet = tree_style(theme)
    sizes = [float(size) for size in re.findall(r"font(?:-size)?:\s*([\d.]+)px", sheet)]
    assert min(sizes) >= 12.0
    drawing = tree_svg(handmade.heart(), theme=theme)
    assert "font-size" not in drawing.replace(sheet, "")
    assert "scale(" not in drawing
    size = re.search(r'width="(\d+)" height="(\d+)" viewBox="0 0 (\d+) (\d+)"', drawing)
    assert size is not None
    assert size.groups()[:2] == size.groups()[2:]


def test_a_test_is_a_question_with_its_answers_on_the_branches():
    root = parsed(tree_svg(handmade.heart()))
    assert words(node(root, 0)) == ["age <= 54.5 years?", "168 rows"]
    assert [words(branch(root, child)) for child in (1, 2)] == [["yes"], ["no"]]


def test_levels_stand_on_the_branches_by_name():
    tree = handmade.heart()
    root = parsed(tree_svg(tree))
    (asked,) = [found for found in tree.walk() if isinstance(found.predicate, Multiway)]
    assert words(node(root, asked.id))[0] == "chest pain?"
    found = [words(branch(root, child)) for child in asked.children]
    assert found == [["typical"], ["atypical, none"], ["not asked"]]


def test_a_sum_is_written_as_a_person_would():
    columns = (Column("income", "numeric"), Column("debt", "numeric"), Column("2nd", "numeric"))
    schema = Schema(columns, ("no", "yes"))
    tree = build(schema, inner(Linear((0, 1, 2), (2.0, -1.0, 3.0), 40.0), leaf(1, 0), leaf(0, 1)))
    asked = " ".join(words(node(parsed(tree_svg(tree)), 0))[:-1])
    assert asked == "2 income - debt + 3 * 2nd <= 40?"


def test_scores_are_written_on_the_branches_they_lead_to():
    schema = Schema((Column("a", "numeric"), Column("b", "numeric")), ("no", "yes"))
    machine = Machine((0, 1), ((2.0, 0.0), (0.0, 1.0)), (1.0, 0.0))
    root = parsed(tree_svg(build(schema, inner(machine, leaf(1, 0), leaf(0, 1)))))
    assert [words(branch(root, child)) for child in (1, 2)] == [["2 a + 1"], ["b"]]


def test_a_long_threshold_is_rounded_in_words_and_told_in_full():
    schema = Schema((Column("x", "numeric"),), ("no", "yes"))
    tree = build(schema, inner(Axis(0, 1 / 3), leaf(1, 0), leaf(0, 1)))
    found = node(parsed(tree_svg(tree)), 0)
    assert words(found)[0] == "x <= 0.333333?"
    assert title(found).startswith("x <= 0.3333333333333333?\n")


def test_numbers_of_up_to_nine_digits_are_drawn_as_the_tree_uses_them():
    schema = Schema((Column("a", "numeric"), Column("b", "numeric")), ("no", "yes"))
    for test, asked in (
        (Linear((0, 1), (1.0, -0.12345), 1.0), "a - 0.12345 b <= 1?"),
        (Axis(0, 1234567.25), "a <= 1234567.25?"),
        (Axis(0, 1234567.0 + 1.0 / 3.0), "a <= 1234567?"),
    ):
        tree = build(schema, inner(test, leaf(1, 0), leaf(0, 1)))
        assert " ".join(words(node(parsed(tree_svg(tree)), 0))[:-1]) == asked


def test_scores_that_are_not_drawn_are_told_in_full():
    schema = Schema(tuple(Column(name, "numeric") for name in "abcd"), ("no", "yes"))
    machine = Machine((0, 1, 2, 3), ((1.0, 2.0, 0.0, -1.0), (0.0, 0.0, 1 / 3, 0.0)), (1.0, 0.0))
    root = parsed(tree_svg(build(schema, inner(machine, leaf(1, 0), leaf(0, 1)))))
    assert [words(branch(root, child)) for child in (1, 2)] == [["score 1"], ["score 2"]]
    found = [title(branch(root, child)) for child in (1, 2)]
    assert found == ["a + 2 b - d + 1", "0.3333333333333333 c"]
    few = Machine((0, 1), ((1 / 3, 0.0), (0.0, 1.0)), (0.0, 0.0))
    root = parsed(tree_svg(build(schema, inner(few, leaf(1, 0), leaf(0, 1)))))
    assert words(branch(root, 1)) == ["0.3333 a"]
    assert title(branch(root, 1)) == "0.3333333333333333 a"


def test_a_leaf_tells_answer_certainty_and_rows(model):
    root = parsed(tree_svg(handmade.iris()))
    assert [words(found) for found in groups(root, "leaf")] == [
        ["setosa", "100 %, 50 rows"],
        ["versicolor", "91 %, 54 rows"],
        ["virginica", "98 %, 46 rows"],
    ]
    assert title(node(root, 3)) == "Node 3, 36 % of all rows\nversicolor 49, virginica 5"
    assert [words(found) for found in groups(parsed(tree_svg(handmade.rent())), "leaf")] == [
        ["1930", "± 302, 33 rows"],
        ["1420", "± 150, 40 rows"],
        ["1010", "± 141, 55 rows"],
    ]


def test_bars_show_the_classes_of_a_node():
    boxes = tree_layout(handmade.iris()).boxes
    found = {box.node: box.content.bar for box in boxes}
    assert found[0] == Bar(((0, pytest.approx(1 / 3)), (1, 1 / 3), (2, 1 / 3)))
    assert found[3] == Bar(((1, pytest.approx(49 / 54)), (2, 5 / 54)))


def test_bars_of_many_classes_show_the_largest_and_a_rest():
    schema = Schema((Column("x", "numeric"),), tuple("abcdefghij"))
    (box,) = tree_layout(build(schema, leaf(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))).boxes
    assert isinstance(box.content.bar, Bar)
    assert [code for code, _ in box.content.bar.segments] == [5, 6, 7, 8, 9, -1]
    assert box.content.bar.segments[-1][1] == pytest.approx(15 / 55)


def test_spreads_of_numbers_stand_on_one_scale():
    boxes = tree_layout(handmade.rent()).boxes
    bars = [box.content.bar for box in boxes if box.kind == "leaf"]
    assert all(isinstance(bar, Spread) for bar in bars)
    assert min(bar.low for bar in bars) == 0.0
    assert max(bar.high for bar in bars) == 1.0
    by_mean = sorted(bars, key=lambda bar: bar.mean)
    assert [round(bar.mean, 2) for bar in by_mean] == [0.10, 0.40, 0.78]


def test_the_key_names_every_class():
    entries = tree_layout(handmade.iris()).key.entries
    assert [(entry.text, entry.code) for entry in entries] == [
        ("species:", None),
        ("setosa (33 %)", 0),
        ("versicolor (33 %)", 1),
        ("virginica (33 %)", 2),
    ]
    assert [entry.text for entry in tree_layout(handmade.rent()).key.entries] == [
        "rent:",
        "mean ± standard deviation",
        "bars from 869 to 2232",
    ]
    assert tree_layout(build(handmade.rent().schema, leaf(3, 1.0, 0.0))).key.entries == ()


def test_branches_are_as_wide_as_their_share_of_the_rows():
    layout = tree_layout(handmade.iris())
    found = {branch.child: branch for branch in layout.branches}
    assert found[1].share == pytest.approx(1 / 3)
    assert found[2].thickness == pytest.approx(2 * found[1].thickness)
    together = found[3].thickness + found[4].thickness
    assert together == pytest.approx(found[2].thickness)
    first, second = found[1], found[2]
    assert _right(first) == pytest.approx(_left(second))  # they leave their box side by side


def _left(branch: Branch) -> float:
    return branch.start[0] - 0.5 * branch.thickness


def _right(branch: Branch) -> float:
    return branch.start[0] + 0.5 * branch.thickness


def test_a_name_of_a_node_is_shown():
    tree = handmade.iris().with_label(1, "short petals")
    assert words(node(parsed(tree_svg(tree)), 1)) == ["short petals", "setosa", "100 %, 50 rows"]


def test_a_long_name_of_a_node_is_told_in_full():
    name = "patients to be seen again within a week by the same physician"
    for number in (0, 1):
        found = node(parsed(tree_svg(handmade.iris().with_label(number, name))), number)
        assert words(found)[0].endswith("…")
        assert title(found).startswith(f"{name}\nNode {number}")


def test_long_names_of_classes_stay_distinct():
    disease = "insulin-treated diabetes mellitus type {} without any complication"
    schema = Schema((Column("x", "numeric"),), (disease.format(1), disease.format(2)))
    tree = build(schema, inner(Axis(0, 1.0), leaf(1, 0), leaf(0, 1)))
    root = parsed(tree_svg(tree))
    assert "".join(words(node(root, 1))).startswith("…1 without")
    assert "".join(words(node(root, 2))).startswith("…2 without")
    assert title(node(root, 1)).startswith(disease.format(1))
    assert len({entry.text for entry in tree_layout(tree).key.entries}) == 3


def test_the_tree_of_weights_tells_no_share_of_rows_it_does_not_know():
    tree = build(handmade.iris().schema, inner(Axis(0, 1.0), leaf(0, 0, 0), leaf(0, 0, 0)))
    root = parsed(tree_svg(tree))
    assert words(node(root, 1)) == ["setosa", "0 rows"]
    assert title(node(root, 1)) == "Node 1"
    assert all(branch.thickness == 1.5 for branch in tree_layout(tree).branches)


# ------------------------------------------------------------------ what pages rely on


def test_nodes_and_branches_can_be_found():
    tree = handmade.six_kinds()
    root = parsed(tree_svg(tree, id_prefix="a-"))
    for found in tree.walk():
        group = node(root, found.id)
        assert group.get("id") == f"a-n{found.id}"
        assert group.get("class") == ("leaf" if found.is_leaf else "test")
        if found.parent is not None:
            assert branch(root, found.id) is not None


def test_a_drawing_is_an_image_with_words_for_those_who_do_not_see_it():
    root = parsed(tree_svg(handmade.iris()))
    assert root.get("role") == "img"
    assert title(root) == "Classification tree for species: 150 rows, 3 leaves, depth 2"
    described = root.findtext("{http://www.w3.org/2000/svg}desc") or ""
    assert all(rule in described for rule in handmade.iris().rules())
    assert title(parsed(tree_svg(handmade.iris(), title="Irises"))) == "Irises"


def test_hostile_text_is_shown_and_nothing_else():
    texts = HOSTILE_TEXTS
    schema = hostile_schema("classes")
    levels = next(
        place for place, column in enumerate(schema.columns) if column.kind == "categorical"
    )
    plan = leaf(*([1] * len(texts)))
    for place, column in enumerate(schema.columns):
        other = leaf(*(int(code == place) for code in range(len(texts))))
        is_set = column.kind == "categorical"
        test = Subset(place, (0, 2), (1, 3, 4)) if is_set else Axis(place, 1.0)
        plan = inner(test, other, plan)
    ways = Multiway(levels, tuple(range(len(texts))))
    plan = inner(ways, plan, *(leaf(*([2] * len(texts))) for _ in texts[1:]))
    tree = build(schema, plan)
    drawing = tree_svg(tree, title=texts[0], id_prefix='"><script>')
    root = parsed(drawing)
    assert title(root) == texts[0]
    drawn = "".join(words(root))
    assert "�" not in drawn
    assert max(map(len, words(root))) < 60
    assert any("x" * 10_000 in title(found) for found in groups(root, "test"))
    assert "\u202e" not in drawing


def test_words_from_right_to_left_do_not_carry_signs_along():
    name = "גיל"
    schema = Schema((Column(name, "numeric"),), ("no", "yes"))
    tree = build(schema, inner(Axis(0, 5.0), leaf(1, 0), leaf(0, 1)))
    assert f"\u2068{name}\u2069 &lt;= 5?" in tree_svg(tree)


def test_characters_that_xml_forbids_are_shown_as_escapes():
    schema = Schema((Column("a\x00b\ufffe", "numeric"),), ("no", "yes"))
    tree = build(schema, inner(Axis(0, 5.0), leaf(1, 0), leaf(0, 1)))
    assert words(node(parsed(tree_svg(tree)), 0))[0] == r"a\x00b\ufffe <= 5?"


def test_the_same_tree_gives_the_same_bytes():
    tree = handmade.heart()
    again = type(tree).from_json(tree.to_json(), tree.schema)
    assert tree_svg(tree) == tree_svg(again)


@pytest.mark.long
def test_a_deep_tree_is_drawn():
    root = parsed(tree_svg(handmade.chain(1500)))
    assert len(groups(root, "leaf")) == 1501


def test_a_node_takes_few_bytes():
    tree = TreeClassifier(max_leaf_nodes=50).fit(*load_iris(return_X_y=True)).tree_
    assert len(tree_svg(tree, with_style=False)) < 800 * tree.n_nodes


@pytest.mark.parametrize("theme", THEMES)
def test_the_style_sheet_can_stand_apart(theme):
    drawing = tree_svg(handmade.iris(), theme=theme)
    without = tree_svg(handmade.iris(), theme=theme, with_style=False)
    assert drawing.replace(f"<style>{tree_style(theme)}</style>", "") == without
    assert "style=" not in without
    # Rules of one drawing must not reach the rest of the page.
    selectors = re.findall(r"(?:^|\})([^{}@]+)\{", tree_style(theme).split("@media")[0])
    assert all(selector.startswith(f".tw-{theme}") for selector in selectors)


def test_classes_have_the_colours_of_all_other_pictures():
    sheet = tree_style("light")
    for code, colour in enumerate(CLASS_COLOURS):
        assert f".tw-light .c{code}{{fill:{colour};fill:var(--tw-class-{code},{colour})" in sheet


def test_the_ninth_class_has_a_hatch():
    schema = Schema((Column("x", "numeric"),), tuple("abcdefghij"))
    drawing = tree_svg(build(schema, leaf(0, 0, 0, 0, 0, 0, 0, 0, 5, 1)), id_prefix="q-")
    root = parsed(drawing)
    patterns = {found.get("id") for found in root.iter() if found.tag.endswith("pattern")}
    assert patterns == {"q-h8", "q-h9"}
    assert 'fill="url(#q-h8)"' in drawing


def luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    low, high = sorted([luminance(first), luminance(second)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read_on_its_ground(theme):
    colours = colours_of(theme)
    for ground in ("paper", "test"):
        assert contrast(colours["ink"], colours[ground]) >= 7.0
        assert contrast(colours["quiet"], colours[ground]) >= 4.5


def test_dark_colours_come_from_the_reader_or_from_the_page():
    assert "prefers-color-scheme:dark" in tree_style("auto")
    assert "prefers-color-scheme" not in tree_style("light") + tree_style("dark")
    assert f"var(--tw-ink,{colours_of('dark')['ink']})" in tree_style("dark")


# ------------------------------------------------------------------ arguments


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            {"theme": "blue"},
            "The 'theme' parameter of tree_svg must be 'light' or 'dark' or 'auto'",
        ),
        ({"fold_below": 2}, "The 'fold_below' parameter of tree_layout must be"),
        ({"max_depth": -1}, "The 'max_depth' parameter of tree_layout must be"),
        ({"width": 0}, "The 'width' parameter of tree_layout must be"),
        ({"with_style": 1}, "The 'with_style' parameter of tree_svg must be True or False"),
    ],
)
def test_wrong_arguments_are_named(arguments, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        tree_svg(handmade.iris(), **arguments)


def test_a_model_was_refused_in_place_of_its_tree(model, tmp_path):  # issue 21
    assert tree_svg(model) == tree_svg(model.tree_)
    assert tree_html(model) == tree_html(model.tree_)
    write_svg(model, tmp_path / "tree.svg")
    assert tree_layout(model).width == tree_layout(model.tree_).width


def test_what_has_no_tree_is_refused(model):
    forest = ForestClassifier(2).fit([[0.0], [1.0]], [0, 1])
    for stranger, hint in ((TreeClassifier(), ""), (forest, "one of the trees_"), (3, "Got 3")):
        with pytest.raises(TypeError, match=f"must be a Tree or a fitted model.*{hint}"):
            tree_svg(stranger)


# ------------------------------------------------------------------ notebooks, files, commands


def test_a_notebook_shows_the_drawing_of_a_tree(model):
    shown = model.tree_._repr_html_()
    assert shown == model.tree_._repr_html_()
    drawing = re.fullmatch(r'<div style="overflow-x:auto">(<svg.*</svg>)</div>', shown, re.DOTALL)
    assert drawing is not None
    ids = re.findall(r' id="([^"]+)"', shown)
    other = re.findall(r' id="([^"]+)"', handmade.iris()._repr_html_())
    assert not set(ids) & set(other)  # two drawings may stand in one notebook


def test_a_notebook_shows_the_tree_below_the_model(model):
    unfitted = clone(model)
    assert "<title>Classification tree" not in unfitted._repr_html_()
    assert "<title>Classification tree" not in unfitted._repr_mimebundle_()["text/html"]
    for shown in (model._repr_html_(), model._repr_mimebundle_()["text/html"]):
        assert "TreeClassifier" in shown
        assert shown.endswith(model.tree_._repr_html_())
    with sklearn.config_context(display="text"):
        assert not hasattr(model, "_repr_html_")
        assert list(model._repr_mimebundle_()) == ["text/plain"]


def test_a_notebook_shows_a_pipeline_with_a_tree(model):
    assert "TreeClassifier" in make_pipeline(model)._repr_html_()


def test_a_large_tree_is_folded_for_a_notebook():
    shown = handmade.chain(300)._repr_html_()
    assert shown.count('data-node="') < 40


def test_a_drawing_goes_to_a_file(model, tmp_path):
    path = tmp_path / "tree.svg"
    model.draw(path, theme="dark", fold_below=0.01)
    expected = tree_svg(model.tree_, theme="dark", fold_below=0.01)
    assert path.read_text(encoding="utf-8") == expected + "\n"
    write_svg(model.tree_, path)
    assert path.read_text(encoding="utf-8") == tree_svg(model.tree_) + "\n"
    with pytest.raises(WriteError, match=r"ends in \.svg; plot_tree"):
        model.draw(tmp_path / "tree.png")
    with pytest.raises(WriteError, match="Cannot write"):
        model.draw(tmp_path / "nowhere" / "tree.svg")
    assert [file.name for file in tmp_path.iterdir()] == ["tree.svg"]
    with pytest.raises(NotFittedError):
        clone(model).draw(path)


def test_the_command_line_draws(model, tmp_path):
    saved, drawn = tmp_path / "model.json", tmp_path / "tree.svg"
    model.save(saved)
    assert succeeded("show", saved, "--svg", drawn) == f"Wrote {drawn}\n"
    assert drawn.read_text(encoding="utf-8") == tree_svg(model.tree_) + "\n"
    succeeded("show", saved, "--svg", drawn, "--max-depth", 1)
    assert drawn.read_text(encoding="utf-8") == tree_svg(model.tree_, max_depth=1) + "\n"
    assert "leave out --rules" in complaint("show", saved, "--svg", drawn, "--rules")
    assert "leave out --rules, --max-depth, --tree, --leaves and --svg" in complaint(
        "show", saved, "--svg", drawn, "--json"
    )
    assert "ends in .svg" in complaint("show", saved, "--svg", tmp_path / "tree.gif")


def test_every_kind_of_tree_is_drawn():
    X, y = load_iris(return_X_y=True)
    for model in (
        TreeClassifier(split=MUST(features=2)),
        TreeRegressor(max_leaf_nodes=6),
        recipes.c45(),
        recipes.fact(),
    ):
        tree = model.fit(X, y).tree_
        assert len(groups(parsed(tree_svg(tree)), "leaf")) == tree.n_leaves


def test_names_of_columns_that_are_shortened_are_told_in_full():
    name = "a very long name of a column that nobody would want to read in a small box"
    schema = Schema((Column(name, "numeric", unit="mg"),), ("no", "yes"))
    tree = build(schema, inner(Axis(0, 5.0), leaf(1, 0), leaf(0, 1)))
    found = node(parsed(tree_svg(tree)), 0)
    assert "…" in "".join(words(found))
    assert title(found).startswith(f"{name} <= 5 mg?")
    renamed = replace(schema, columns=(Column("mass", "numeric", unit="mg"),))
    assert title(node(parsed(tree_svg(tree.with_schema(renamed))), 0)).startswith("Node 0, 100 %")


# ------------------------------------------------------------------ without matplotlib


@pytest.mark.long
def test_drawings_need_no_matplotlib():
    assert python_output(
        "import sys\n"
        "sys.modules['matplotlib'] = None\n"
        "from treewright import TreeClassifier, plot\n"
        "X, y = {'a': [1, 2, 3, 4]}, ['no', 'no', 'yes', 'yes']\n"
        "tree = TreeClassifier().fit(X, y).tree_\n"
        "print(len(plot.panel_svgs(tree, X, y)), tree._repr_html_()[:4], 'plot_tree' in dir(plot))"
    ) == ("1 <div True")


def test_every_public_name_of_the_room_can_be_had():
    pytest.importorskip("matplotlib")
    assert all(hasattr(plot, name) for name in plot.__all__)
    assert dir(plot) == sorted(plot.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'tree_picture'"):
        plot.tree_picture  # noqa: B018
