"""
How good each threshold would be
================================

The impurity that is left after a cut, for each column. A broad valley means that the threshold
could as well stand elsewhere.
"""

from sklearn.datasets import load_iris

from treewright import plot

iris = load_iris(as_frame=True)
X, y = iris.data, iris.target_names[iris.target]
figure = plot.impurity_profile(X, y)
