# ruff: noqa: F403 - the names are on the cards
"""Published systems as ready-made estimators.

Each function returns an ordinary estimator with the settings of the system it is named after;
further keyword arguments change or add parameters. Thresholds are the system's own
(``readable=False``), so that a tree can be laid beside the original; :func:`must`,
:func:`oblique_logistic`, :func:`dgmml` and :func:`dgmml_mdt`, which are ours, round, and so do
:func:`murtree`, whose original has no thresholds, and :func:`oc1`, :func:`cart_lc`, :func:`sadt`,
:func:`hhcart` and :func:`wodt`, whose originals find other hyperplanes. Forests are for comparison,
not for reading. :mod:`treewright.splits.cards` lists them.
"""

from treewright.recipes.classic import *
from treewright.recipes.dgmml import *
from treewright.recipes.direct_search import *
from treewright.recipes.discriminant import *
from treewright.recipes.forests import *
from treewright.recipes.logistic import *
from treewright.recipes.machines import *
from treewright.recipes.optimal import *
from treewright.recipes.pairs import *
from treewright.recipes.statistical import *
from treewright.splits.cards import CARDS

__all__ = sorted(recipe for card in CARDS for recipe in card.recipes)
