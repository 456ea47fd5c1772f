"""
The best tree of every size
===========================

One search finds the optimal tree of every number of leaves. They need not be nested.
"""

from treewright import OptimalTreeClassifier, datasets, plot

loans = datasets.load_loans(as_frame="pandas")
X, y = loans.drop(columns=["repaid", "interest_rate"]), loans["repaid"]
model = OptimalTreeClassifier(max_depth=2, front=True).fit(X, y)
figure = plot.path_steps(model.front_)
