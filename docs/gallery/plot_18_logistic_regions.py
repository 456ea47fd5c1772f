"""
Regions of a logistic tree
==========================

Wines, with the lines that logistic regression puts between classes.
"""

from sklearn.datasets import load_wine

from treewright import TreeClassifier

wine = load_wine(as_frame=True)
X, y = wine.data, wine.target_names[wine.target]
columns = ["flavanoids", "color_intensity"]
model = TreeClassifier(split="logistic", max_depth=2).fit(X[columns], y)
figure = model.plot_regions(X[columns], y)
