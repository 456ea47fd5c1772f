"""
Two conditions in one split
===========================

``Pairs`` joins two conditions by and, or, xor. Who buys here is decided by exactly one of two
things: a coupon or a membership.
"""

import numpy as np

from treewright import recipes

random = np.random.default_rng(0)
X = {name: random.integers(0, 2, 300) for name in ("coupon", "member", "weekend")}
y = np.where(X["coupon"] != X["member"], "buys", "leaves")
model = recipes.cart_alpha(max_depth=2, alpha=1).fit(X, y)
figure = model.plot()
