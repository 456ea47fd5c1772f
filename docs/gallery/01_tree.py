"""
A tree, drawn
=============

``model.plot()`` draws the tree by matplotlib; ``model.draw("tree.svg")`` writes the same as SVG.
"""

from treewright import ReadableTreeClassifier, datasets

loans = datasets.load_loans(as_frame="pandas")
X, y = loans.drop(columns=["repaid", "interest_rate"]), loans["repaid"]
model = ReadableTreeClassifier(max_leaf_nodes=5).fit(X, y)
figure = model.plot()
