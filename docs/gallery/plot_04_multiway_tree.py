"""
A branch per level
==================

C4.5 gives each level of a category a branch of its own.
"""

from treewright import datasets, recipes

loans = datasets.load_loans(as_frame="pandas")
X, y = loans.drop(columns=["repaid", "interest_rate"]), loans["repaid"]
model = recipes.c45(max_depth=2).fit(X[["savings", "employment"]], y)
figure = model.plot()
