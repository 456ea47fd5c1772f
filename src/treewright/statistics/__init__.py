"""Intervals of proportions and means, and the bounds on errors that pruning uses."""
