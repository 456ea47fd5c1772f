"""
Shapes of trees
===============

Splits are rings, the larger the more columns they read; leaves have the colour of their
prediction and the area of their rows.
"""

from sklearn.datasets import load_wine

from treewright import plot, recipes

wine = load_wine(as_frame=True)
X, y = wine.data, wine.target_names[wine.target]
trees = {
    "ID3": recipes.id3().fit(X, y).tree_,
    "C4.5": recipes.c45().fit(X, y).tree_,
    "CART": recipes.cart(random_state=0).fit(X, y).tree_,
    "MUST": recipes.must(random_state=0).fit(X, y).tree_,
}
figure = plot.skeletons(trees)
