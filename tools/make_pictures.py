"""Draw the pictures of the documentation and of README again: `python tools/make_pictures.py`.

The picture of the page of `treewright demo` is taken by Chromium through the package playwright.
With names, such as `python tools/make_pictures.py page`, only those pictures are drawn.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from treewright import TreeClassifier, datasets, recipes
from treewright.plot import (
    impurity_profile,
    impurity_surface,
    path_steps,
    skeletons,
    split_panel,
    split_panels,
)
from treewright.splits import Logistic

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
DOTS_PER_INCH = 80
PAGE_SIZE = {"width": 1280, "height": 1190}


def main() -> None:
    drawn = {
        "splits": draw_splits,
        "trees": draw_trees,
        "impurities": draw_impurities,
        "page": shoot_page,
    }
    for name in sys.argv[1:] or drawn:
        drawn[name]()


def draw_splits() -> None:
    iris = load_iris(as_frame=True)
    species = iris.target_names[iris.target]
    tree = recipes.must(features=2, random_state=0).fit(iris.data, species).tree_
    split_panels(tree, iris.data, species).savefig(FOLDER / "iris.png", dpi=DOTS_PER_INCH)

    cancer = load_breast_cancer(as_frame=True)
    kind = cancer.target_names[cancer.target]
    tree = recipes.must(features="all", random_state=0).fit(cancer.data, kind).tree_
    split_panel(tree, 0, cancer.data, kind).savefig(FOLDER / "cancer.png", dpi=DOTS_PER_INCH)

    loans = datasets.load_loans()
    repaid = loans.pop("repaid")
    tree = recipes.cart(random_state=0).fit(loans, repaid).tree_
    split_panels(tree, loans, repaid).savefig(FOLDER / "loans.png", dpi=DOTS_PER_INCH)
    TreeClassifier(max_leaf_nodes=7).fit(loans, repaid).draw(FOLDER / "tree.svg", theme="auto")


def draw_trees() -> None:
    cancer = load_breast_cancer(as_frame=True)
    kind = cancer.target_names[cancer.target]
    model = recipes.cart(random_state=0).fit(cancer.data, kind)
    oblique = recipes.oblique_logistic("oblique", concise=None, prune="trim", random_state=0)
    oblique.fit(cancer.data, kind)
    figure = Figure((12.4, 4.2), layout="constrained")
    left, right = figure.subfigures(1, 2)
    path_steps(model.path_, figure=left)
    path_steps(oblique.path_, figure=right)
    figure.savefig(FOLDER / "path.png", dpi=DOTS_PER_INCH)
    trees = {
        "CART, not pruned": model.path_[0].tree,
        "CART, pruned": model.tree_,
        "ideal splits": oblique.path_[0].tree,
        "ideal splits, trimmed": oblique.tree_,
    }
    skeletons(trees).savefig(FOLDER / "skeletons.png", dpi=DOTS_PER_INCH)

    wine = load_wine(as_frame=True)
    two = wine.data[["color_intensity", "flavanoids"]]
    figure = Figure((13.0, 4.6), layout="constrained")
    left, right = figure.subfigures(1, 2)
    for part, split in ((left, "axis"), (right, Logistic())):
        tree = TreeClassifier(split, min_samples_leaf=5, prune=None, max_leaf_nodes=6)
        tree.fit(two, wine.target).plot_regions(two, wine.target, list(two), figure=part)
    figure.savefig(FOLDER / "regions.png", dpi=DOTS_PER_INCH)


def draw_impurities() -> None:
    iris = load_iris(as_frame=True)
    species = iris.target_names[iris.target]
    figure = impurity_profile(iris.data, species)
    figure.savefig(FOLDER / "profile.png", dpi=DOTS_PER_INCH)
    wine = load_wine(as_frame=True)
    figure = impurity_surface(wine.data, wine.target, ["color_intensity", "flavanoids"])
    figure.savefig(FOLDER / "surface.png", dpi=DOTS_PER_INCH)


def shoot_page() -> None:
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        subprocess.run([sys.executable, "-m", "treewright", "demo"], cwd=folder, check=True)
        (page,) = Path(folder).glob("treewright-demo/*.report.html")
        # The sandbox of Chromium refuses to run as root.
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=sandbox)
        window = browser.new_page(viewport=PAGE_SIZE, color_scheme="light")
        window.goto(page.as_uri())
        window.wait_for_selector("html[data-ready]")
        window.screenshot(path=FOLDER / "page.png")
        browser.close()


if __name__ == "__main__":
    main()
