"""
How good each threshold would be, in regression
===============================================

The squared error that is left after a cut.
"""

from sklearn.datasets import load_diabetes

from treewright import plot

X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
figure = plot.impurity_profile(X[["bmi", "bp", "s5"]], y)
