"""Forests.

In this order, each using only what stands before: ``bags`` (rows drawn for each tree), ``votes``
(predictions of many trees as one), ``out_of_bag`` (predictions for rows that a tree has not seen),
``growth`` (trees on several threads), ``base`` (what both forests have in common), ``classifier``
and ``regressor``.
"""
