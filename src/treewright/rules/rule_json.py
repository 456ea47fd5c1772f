"""Rules as a JSON object, and back.

    {"rules": [{"conditions": [{"test": {"kind": "axis", ...}, "branch": 0}, ...],
                "value": 0, "class_weights": [50, 0, 0], "error_rate": 0.027,
                "answered": 50, "answered_right": 50}, ...],
     "default": {"conditions": [], "value": 0, ...},
     "class_weights": [50, 50, 50], "interval": 0.95}

Reading trusts nothing: every value is checked by itself, splits against the columns of the schema.
"""

from __future__ import annotations

from collections.abc import Sequence

from treewright.base.jsonform import (
    JSON,
    plain_number,
    read_index,
    read_list,
    read_number,
    read_object,
)
from treewright.exceptions import ModelFileError
from treewright.predicates.predicate_json import predicate_from_json
from treewright.rules.condition import Condition
from treewright.rules.rule import Rule
from treewright.schema import Schema

__all__ = ["rules_from_json", "rules_to_json"]

_RULE_KEYS = ("conditions", "value", "class_weights", "error_rate", "answered", "answered_right")
_HEAVIEST = 1e300  # so that sums of weights stay finite


def rules_to_json(
    rules: Sequence[Rule], default: Rule, class_weights: Sequence[float], level: float
) -> JSON:
    """Write the parts of a rule set as a JSON object."""
    return {
        "rules": [_rule_to_json(rule) for rule in rules],
        "default": _rule_to_json(default),
        "class_weights": [plain_number(weight) for weight in class_weights],
        "interval": plain_number(level),
    }


def rules_from_json(
    value: object, schema: Schema
) -> tuple[tuple[Rule, ...], Rule, tuple[float, ...], float]:
    """Read what `rules_to_json` wrote.

    Parameters
    ----------
    value : object
        What the JSON parser made.
    schema : Schema
        Columns and classes of the rules.

    Returns
    -------
    tuple
        Rules, default, class weights and level.

    Raises
    ------
    ModelFileError
        If it is not a rule set over this schema.
    """
    if schema.classes is None:
        raise ModelFileError("A rule set needs classes in its schema.")
    data = read_object(value, "The rule set", ("rules", "default", "class_weights", "interval"))
    rules = tuple(
        _read_rule(rule, schema, f"rule {number}")
        for number, rule in enumerate(read_list(data["rules"], "The rules"))
    )
    for number, rule in enumerate(rules):
        if not rule.conditions:
            raise ModelFileError(f"Rule {number} has no condition.")
    default = _read_rule(data["default"], schema, "the default")
    if default.conditions:
        raise ModelFileError("The default of a rule set can have no condition.")
    class_weights = _read_weights(data["class_weights"], schema, "the rule set")
    if not sum(class_weights) > 0.0:
        raise ModelFileError("The class weights of the rule set are all 0.")
    level = read_number(data["interval"], "The interval of the rule set", least=0.0, most=1.0)
    if not 0.0 < level < 1.0:
        raise ModelFileError("The interval of the rule set must be between 0 and 1.")
    return rules, default, class_weights, level


def _rule_to_json(rule: Rule) -> JSON:
    return {
        "conditions": [
            {"test": condition.test.to_json(), "branch": condition.branch}
            for condition in rule.conditions
        ],
        "value": rule.value,
        "class_weights": [plain_number(weight) for weight in rule.class_weights],
        "error_rate": plain_number(rule.error_rate),
        "answered": plain_number(rule.answered),
        "answered_right": plain_number(rule.answered_right),
    }


def _read_rule(value: object, schema: Schema, where: str) -> Rule:
    assert schema.classes is not None, "checked by the caller"
    data = read_object(value, where.capitalize(), _RULE_KEYS)
    conditions = read_list(data["conditions"], f"The conditions of {where}")
    answered = read_number(data["answered"], f"'answered' of {where}", least=0.0, most=_HEAVIEST)
    return Rule(
        tuple(_read_condition(condition, schema, where) for condition in conditions),
        read_index(data["value"], f"The value of {where}", len(schema.classes)),
        _read_weights(data["class_weights"], schema, where),
        read_number(data["error_rate"], f"The error rate of {where}", least=0.0, most=1.0),
        answered,
        read_number(
            data["answered_right"], f"'answered_right' of {where}", least=0.0, most=answered
        ),
    )


def _read_condition(value: object, schema: Schema, where: str) -> Condition:
    data = read_object(value, f"A condition of {where}", ("test", "branch"))
    test = predicate_from_json(data["test"], schema, f"A split of {where}")
    return Condition(test, read_index(data["branch"], f"A branch of {where}", test.n_branches))


def _read_weights(value: object, schema: Schema, where: str) -> tuple[float, ...]:
    assert schema.classes is not None, "checked by the caller"
    place = f"The class weights of {where}"
    weights = [
        read_number(weight, place, least=0.0, most=_HEAVIEST) for weight in read_list(value, place)
    ]
    if len(weights) != len(schema.classes):
        raise ModelFileError(f"{place} must be {len(schema.classes)} numbers. Got {len(weights)}.")
    return tuple(weights)
