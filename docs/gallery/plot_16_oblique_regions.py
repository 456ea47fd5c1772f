"""
What an oblique tree predicts
=============================

The same rows, and one split that combines both columns.
"""

import numpy as np

from treewright import TreeClassifier

random = np.random.default_rng(0)
X = {"width": random.uniform(0, 10, 400).round(2), "height": random.uniform(0, 10, 400).round(2)}
y = np.where(X["width"] > X["height"], "wide", "tall")
model = TreeClassifier(split="must(2)", max_leaf_nodes=2).fit(X, y)
figure = model.plot_regions(X, y)
