"""
The largest of several scores
=============================

FACT has a linear score per class; a row takes the branch whose score is the largest.
"""

from sklearn.datasets import load_iris

from treewright import recipes

iris = load_iris(as_frame=True)
X, y = iris.data, iris.target_names[iris.target]
columns = ["petal length (cm)", "petal width (cm)"]
model = recipes.fact().fit(X[columns], y)
figure = model.plot_split(0, X[columns], y)
