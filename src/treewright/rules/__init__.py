"""Rule sets: from a tree to a short list of rules that can be read one by one.

In this order, each using only what stands before: ``condition`` and ``rule`` (values),
``rule_text`` (words), ``rule_json``, ``ruleset`` (RuleSet); ``sample`` (the training rows),
``candidates`` (a simplified rule from each leaf), ``description`` (bits), ``subsets`` (which rules
of a class), ``ordering``, ``making`` (rule_set: all steps together).
"""

from treewright.rules.condition import Condition
from treewright.rules.making import rule_set
from treewright.rules.rule import Rule
from treewright.rules.ruleset import RuleSet

__all__ = ["Condition", "Rule", "RuleSet", "rule_set"]
