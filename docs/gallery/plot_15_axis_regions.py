"""
What an axis tree predicts
==========================

The label depends on which of two measures is larger. A tree that asks for one column at a time
needs a staircase.
"""

import numpy as np

from treewright import TreeClassifier

random = np.random.default_rng(0)
X = {"width": random.uniform(0, 10, 400).round(2), "height": random.uniform(0, 10, 400).round(2)}
y = np.where(X["width"] > X["height"], "wide", "tall")
model = TreeClassifier(max_leaf_nodes=12).fit(X, y)
figure = model.plot_regions(X, y)
