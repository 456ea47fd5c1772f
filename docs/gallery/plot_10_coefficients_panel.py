"""
A split of many columns
=======================

Of more than three columns the coefficients are drawn, each times the standard deviation of its
column.
"""

from sklearn.datasets import load_breast_cancer

from treewright import TreeClassifier

cancer = load_breast_cancer(as_frame=True)
X, y = cancer.data, cancer.target_names[cancer.target]
model = TreeClassifier(split="must(all)", max_depth=1).fit(X, y)
figure = model.plot_split(0, X, y)
