"""Figures by matplotlib; no other room imports it.

In this order, each using only what stands before: ``styles`` (colours, markers, hatches), ``axes``
(ticks, names, bars of one pair of axes), ``figures`` (size and title), ``points``
(rows), ``legend``, ``views`` (the views of one split), ``panels`` (one split, or all of a tree).

Whole trees: ``tree``; ``chosen_columns`` (columns by name or position), ``pieces`` (a window cut
along the splits), ``plane`` (which window), ``regions``; ``path`` (a sequence of trees);
``skeletons`` (shapes of trees). Before there is a tree: ``impurities`` (every cut along a number),
``profile``, ``ideal_splits`` (boundaries of logistic regressions), ``surface``.
"""
