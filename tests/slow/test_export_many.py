"""Exported code on 100,000 rows: every kind of test, policy and column, in every language."""

from __future__ import annotations

import pytest
from export_cases import COLUMNS, KINDS, MIXED, TEXT_AND_NUMBERS, random_tree, schema_of
from export_runs import all_runs, check_agreement

from treewright.tree.node import MISSING_POLICIES

pytestmark = pytest.mark.slow

N_ROWS = 100_000


# The twin of PMML readers takes minutes; JPMML does these.
QUICK_RUNS = [run for run in all_runs() if run != ("pmml", "twin")]


@pytest.mark.parametrize(("target", "program"), QUICK_RUNS)
class TestManyRows:
    """Each target with each program that runs it."""

    @pytest.mark.parametrize("kind", KINDS)
    def test_kinds_of_tests(self, kind, target, program, tmp_path):
        tree = random_tree(kind, schema_of("classes"), kinds=(kind,))
        check_agreement(tree, target, program, tmp_path, N_ROWS)

    @pytest.mark.parametrize("policy", MISSING_POLICIES)
    def test_policies_for_missing_values(self, policy, target, program, tmp_path):
        tree = random_tree(policy, schema_of("numbers"), policies=(policy,))
        check_agreement(tree, target, program, tmp_path, N_ROWS)

    @pytest.mark.parametrize("column", [MIXED, TEXT_AND_NUMBERS], ids=lambda column: column.name)
    def test_levels_of_several_types(self, column, target, program, tmp_path):
        if target == "sql" or (target == "javascript" and column is MIXED):
            pytest.skip(f"{target} refuses such levels")
        tree = random_tree(column.name, schema_of("classes", (column, *COLUMNS)))
        check_agreement(tree, target, program, tmp_path, N_ROWS)

    @pytest.mark.parametrize("depth", [1, 6])
    def test_small_and_large_trees(self, depth, target, program, tmp_path):
        kinds, policies = ("axis", "linear", "subset", "pair"), ("default", "surrogate", "stop")
        schema = schema_of("classes", n_classes=9)
        tree = random_tree(depth, schema, kinds=kinds, policies=policies, depth=depth)
        check_agreement(tree, target, program, tmp_path, N_ROWS)
