"""
Greedy and optimal on a checkerboard
====================================

No single split of a checkerboard gains anything, so the greedy tree on the left starts badly.
The optimal tree of the same depth on the right looks ahead.
"""

import numpy as np
from matplotlib.figure import Figure

from treewright import OptimalTreeClassifier, TreeClassifier

random = np.random.default_rng(0)
X = {"width": random.uniform(0, 10, 400).round(2), "height": random.uniform(0, 10, 400).round(2)}
y = np.where((X["width"] > 5) == (X["height"] > 5), "dark", "light")
figure = Figure(figsize=(10, 5), layout="constrained")
left, right = figure.subfigures(1, 2)
TreeClassifier(max_depth=2).fit(X, y).plot_regions(X, y, figure=left)
OptimalTreeClassifier(max_depth=2).fit(X, y).plot_regions(X, y, figure=right)
