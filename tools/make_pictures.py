"""Draw the pictures of the documentation anew: `python tools/make_pictures.py`."""

from __future__ import annotations

from pathlib import Path

from sklearn.datasets import load_breast_cancer, load_iris

from treewright import datasets, recipes
from treewright.plot import split_panel, split_panels

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
DOTS_PER_INCH = 80


def main() -> None:
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


if __name__ == "__main__":
    main()
