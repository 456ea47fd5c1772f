"""
A tree, drawn
=============

``model.plot()`` draws a tree by matplotlib. The boxes say what is asked and what is predicted,
the width of a branch how many rows take it.
"""

from treewright import ReadableTreeClassifier, datasets

loans = datasets.load_loans(as_frame="pandas")
X, y = loans.drop(columns=["repaid", "interest_rate"]), loans["repaid"]
model = ReadableTreeClassifier(max_leaf_nodes=5, size=5).fit(X, y)
figure = model.plot()
