"""
A threshold and its rows
========================

The rows that reach a node, as a histogram by class, with the threshold.
"""

from sklearn.datasets import load_iris

from treewright import recipes

iris = load_iris(as_frame=True)
X, y = iris.data, iris.target_names[iris.target]
model = recipes.cart(random_state=0).fit(X, y)
figure = model.plot_split(0, X, y)
