"""Published systems as ready-made estimators.

Each function returns an ordinary estimator with the settings of the system it is named after;
further keyword arguments change or add parameters. Thresholds are the system's own
(``readable=False``), so that a tree can be laid beside the original; :func:`must`,
:func:`oblique_logistic`, :func:`dgmml` and :func:`dgmml_mdt`, which are ours, round, and so do
:func:`murtree`, whose original has no thresholds, and :func:`oc1`, :func:`cart_lc`, :func:`sadt`,
:func:`hhcart` and :func:`wodt`, whose originals find other planes. Forests are for comparison, not
for reading.
"""

from treewright.recipes.classic import c45, c45rules, cart, id3, j48, rpart
from treewright.recipes.dgmml import dgmml, dgmml_mdt, dgmml_paper, ihd
from treewright.recipes.direct_search import cart_lc, hhcart, oc1, oc1_ap, sadt, wodt
from treewright.recipes.discriminant import must, must_paper
from treewright.recipes.forests import (
    c45_forest,
    cart_forest,
    dgmml_forest,
    ihd_forest,
    logistic_forest,
    must_forest,
)
from treewright.recipes.logistic import oblique_logistic, oblique_tree
from treewright.recipes.machines import linear_program, lmdt, pbot
from treewright.recipes.optimal import murtree
from treewright.recipes.pairs import cart_alpha
from treewright.recipes.statistical import cruise, fact, fisher_tree, quest

__all__ = [
    "c45",
    "c45_forest",
    "c45rules",
    "cart",
    "cart_alpha",
    "cart_forest",
    "cart_lc",
    "cruise",
    "dgmml",
    "dgmml_forest",
    "dgmml_mdt",
    "dgmml_paper",
    "fact",
    "fisher_tree",
    "hhcart",
    "id3",
    "ihd",
    "ihd_forest",
    "j48",
    "linear_program",
    "lmdt",
    "logistic_forest",
    "murtree",
    "must",
    "must_forest",
    "must_paper",
    "oblique_logistic",
    "oblique_tree",
    "oc1",
    "oc1_ap",
    "pbot",
    "quest",
    "rpart",
    "sadt",
    "wodt",
]
