"""
All splits of a tree
====================

``plot.split_panels`` draws the splits from the top down, each with the rows that reach it.
"""

from sklearn.datasets import load_iris

from treewright import plot, recipes

iris = load_iris(as_frame=True)
X, y = iris.data, iris.target_names[iris.target]
model = recipes.must(features=2, random_state=0).fit(X, y)
figure = plot.split_panels(model.tree_, X, y)
