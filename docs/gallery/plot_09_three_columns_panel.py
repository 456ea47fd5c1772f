"""
A split of three columns
========================

Three columns are seen almost along the split; beside them the values of the linear combination.
"""

from sklearn.datasets import load_wine

from treewright import TreeClassifier

wine = load_wine(as_frame=True)
X, y = wine.data, wine.target_names[wine.target]
model = TreeClassifier(split="must(3)", max_depth=1).fit(X, y)
figure = model.plot_split(0, X, y)
