"""
How good each line would be
===========================

Every line through two columns, by its angle and offset. The numbered points are the lines that
logistic regression proposes.
"""

from sklearn.datasets import load_wine

from treewright import plot

wine = load_wine(as_frame=True)
X, y = wine.data, wine.target_names[wine.target]
figure = plot.impurity_surface(X, y, ["flavanoids", "color_intensity"])
