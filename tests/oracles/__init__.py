"""Comparison with the reference programs: R's rpart, Weka, C4.5 release 8, scikit-learn."""
