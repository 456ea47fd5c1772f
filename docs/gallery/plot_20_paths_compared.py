"""
Two methods, by reading effort
==============================

Trees of different methods are compared fairly by the values that a reader looks at per row.
"""

from sklearn.datasets import load_breast_cancer

from treewright import plot, recipes

cancer = load_breast_cancer(as_frame=True)
X, y = cancer.data, cancer.target_names[cancer.target]
cart = recipes.cart(random_state=0).fit(X, y)
must = recipes.must(features=2, random_state=0).fit(X, y)
figure = plot.path_steps({"CART": cart.path_, "MUST": must.path_}, size="reading_effort")
