"""
A large tree, folded
====================

Branches of few rows are folded, so that the drawing of a large tree stays readable. Here those
below 8 % of the rows.
"""

from sklearn.datasets import load_breast_cancer

from treewright import TreeClassifier, plot

cancer = load_breast_cancer(as_frame=True)
X, y = cancer.data, cancer.target_names[cancer.target]
model = TreeClassifier(min_samples_leaf=5).fit(X, y)
figure = plot.plot_tree(model, fold_below=0.08)
