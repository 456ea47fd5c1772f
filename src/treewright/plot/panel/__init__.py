"""The rows of one test, before they are drawn.

In this order, each using only what stands before: ``panel`` (what one picture needs to know),
``spacing`` (room on an axis), ``scale`` (an axis divided by branch), ``bins`` (rows counted along a
number), ``level_lines`` (rows by level), ``cells`` (regions of joined tests).
"""
