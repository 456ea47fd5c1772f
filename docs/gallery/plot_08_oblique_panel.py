"""
An oblique split and its rows
=============================

MUST combines two columns: the split is a line between points.
"""

from sklearn.datasets import load_wine

from treewright import recipes

wine = load_wine(as_frame=True)
X, y = wine.data, wine.target_names[wine.target]
model = recipes.must(features=2, random_state=0).fit(X, y)
figure = model.plot_split(0, X, y)
