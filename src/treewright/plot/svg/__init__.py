"""Drawings as SVG text.

In this order, each using only what stands before: ``text`` (elements), ``paint`` (boxes and lines),
``tree`` (a tree), ``frame`` (axes), ``marks`` (rows and cuts), ``panels`` (the rows of tests).
"""
