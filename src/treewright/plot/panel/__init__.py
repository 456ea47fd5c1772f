"""What is drawn of one split and its rows, said once for all painters.

In this order, each using only what stands before: ``marks`` (what can be drawn), ``panel`` (what
one picture needs to know), ``spacing`` (room on an axis), ``scale`` (an axis divided by branch),
``bins`` (rows counted along a number). Then the views: ``along`` (rows along a number), ``over``
(rows over columns), ``levels`` (rows by level or branch). Then the kinds of splits that need more
than one view: ``linear``, ``pair``, ``machine``; and ``describe`` (which views suit which kind).
"""
