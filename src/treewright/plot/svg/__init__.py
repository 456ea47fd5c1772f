"""Drawings as SVG text.

In this order, each using only what stands before: ``text`` (elements), ``paint`` (boxes and lines),
``tree`` (a tree), ``frame`` (axes), ``marks`` (the view of a split), ``panels`` (splits with rows).
"""
