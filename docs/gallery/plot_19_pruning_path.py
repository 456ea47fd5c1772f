"""
What pruning loses
==================

Training rows always prefer the largest tree. Held-out rows do not: the ring marks the tree that
cross-validation chose.
"""

from sklearn.datasets import load_breast_cancer

from treewright import TreeClassifier

cancer = load_breast_cancer(as_frame=True)
X, y = cancer.data, cancer.target_names[cancer.target]
model = TreeClassifier(min_samples_leaf=5, prune="cost_complexity").fit(X, y)
figure = model.plot_path()
