"""
A split of a regression tree
============================

The target over the column, with the mean of each branch.
"""

from sklearn.datasets import load_diabetes

from treewright import TreeRegressor

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
model = TreeRegressor(max_depth=1).fit(X, y)
figure = model.plot_split(0, X, y)
