"""
A tree as SVG
=============

``plot.tree_svg(model)`` gives the drawing as text, without matplotlib;
``model.draw("tree.svg")`` writes it to a file. Names and numbers can be selected and searched
for in a browser.
"""

from treewright import ReadableTreeClassifier, datasets, plot

households = datasets.load_households(as_frame="pandas")
X, y = households.drop(columns="behind"), households["behind"]
model = ReadableTreeClassifier(size=4).fit(X, y)
svg = plot.tree_svg(model)
