"""
A regression tree
=================

A leaf shows its mean and its standard deviation. The target is how far diabetes progressed
within a year.
"""

from sklearn.datasets import load_diabetes

from treewright import TreeRegressor

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
model = TreeRegressor(max_leaf_nodes=5, min_samples_leaf=20).fit(X, y)
figure = model.plot()
