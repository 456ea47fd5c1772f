"""Pruning: from a grown tree to a smaller one, or to a path of smaller ones."""
