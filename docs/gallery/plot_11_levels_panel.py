"""
A split of levels
=================

A category has a bar per level, grouped by branch.
"""

from treewright import TreeClassifier, datasets

loans = datasets.load_loans(as_frame="pandas")
X, y = loans.drop(columns=["repaid", "interest_rate"]), loans["repaid"]
model = TreeClassifier(max_depth=1).fit(X[["savings", "home"]], y)
figure = model.plot_split(0, X[["savings", "home"]], y)
