"""Groups of levels, C4.5's option -s, against a plain version in Python."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pandas as pd
import pytest

from treewright import Categorical, TreeClassifier, TreeRegressor


def entropy(counts):
    total = sum(counts)
    return -sum(c / total * math.log2(c / total) for c in counts if c) if total else 0.0


def ratio(groups, balanced):
    """Gain ratio, or balanced gain ratio, of a division into groups of class counts."""
    total = sum(map(sum, groups))
    whole = [sum(column) for column in zip(*groups, strict=True)]
    gain = entropy(whole) - sum(sum(group) / total * entropy(group) for group in groups)
    information = entropy([sum(group) for group in groups])
    return gain / (1.0 + information) if balanced else gain / information


def merged_levels(levels, target, n_classes, least, balanced):
    """The sets of levels, merged pair by pair."""
    sets = [
        ({level}, [int(np.sum((levels == level) & (target == c))) for c in range(n_classes)])
        for level in sorted(set(levels))
    ]
    for c in range(n_classes):  # pure in the same class
        pure = [s for s in sets if sum(s[1]) == s[1][c]]
        while len(pure) > 1 and len(sets) > 2:
            one, other = pure[0], pure.pop()
            sets.remove(other)
            joined = (one[0] | other[0], [a + b for a, b in zip(one[1], other[1], strict=True)])
            sets[sets.index(one)] = pure[0] = joined
    while len(sets) > 2:
        now = ratio([counts for _, counts in sets], balanced)
        best = None
        for a, b in itertools.combinations(range(len(sets)), 2):
            joined = [x + y for x, y in zip(sets[a][1], sets[b][1], strict=True)]
            rest = [counts for i, (_, counts) in enumerate(sets) if i not in (a, b)]
            if sum(sum(group) >= least for group in [joined, *rest]) < 2:
                continue
            score = ratio([joined, *rest], balanced)
            if score >= now - 1e-10 and (best is None or score > best[0] + 1e-10):
                best = (score, a, b, joined)
        if best is None:
            break
        _, a, b, joined = best
        sets[a] = (sets[a][0] | sets[b][0], joined)
        del sets[b]
    return {frozenset(names) for names, _ in sets}


@pytest.mark.parametrize("gain", ["ratio", "balanced"])
@pytest.mark.parametrize("seed", range(25))
def test_the_same_groups_as_the_plain_version(seed, gain):
    random = np.random.default_rng(seed)
    names = np.array(list("abcdefgh"))[: random.integers(3, 9)]
    levels = random.choice(names, 120)
    chances = random.dirichlet([0.5, 0.5, 0.5], size=len(names))
    target = np.array([random.choice(3, p=chances[ord(level) - ord("a")]) for level in levels])
    model = TreeClassifier(
        categorical="grouped", criterion="entropy", gain=gain, max_depth=1, min_samples_leaf=2
    ).fit({"level": levels}, target)
    expected = merged_levels(levels, target, 3, 2, gain == "balanced")
    root = model.tree_.node(0)
    column = model.schema_.columns[0]
    found = {}
    for code, branch in enumerate(root.predicate.branch_of_level):
        found.setdefault(branch, set()).add(column.levels[code])
    assert {frozenset(group) for group in found.values()} == expected


def test_levels_that_are_not_in_the_node_go_with_the_heaviest_group():
    cities = pd.Categorical(list("aabbbcdd"), categories=list("abcde"))
    table = pd.DataFrame({"city": cities})
    model = TreeClassifier(categorical="grouped").fit(table, list("xxyyyyzz"))
    assert model.predict(table).tolist() == list("xxyyyyzz")
    unseen = pd.DataFrame({"city": pd.Categorical(["e"], categories=list("abcde"))})
    assert model.predict(unseen)[0] == "y"


def test_groups_of_numbers():
    levels = np.array(list("aabbccdd") * 5)
    number = np.select([levels == "a", levels == "b"], [0.0, 0.1], 9.0)
    model = TreeRegressor(categorical="grouped", max_depth=1).fit({"level": levels}, number)
    assert model.score({"level": levels}, number) > 0.99
    with pytest.raises(ValueError, match="cannot be scored by twoing, hddt or absolute"):
        TreeRegressor(split=Categorical("grouped"), criterion="absolute_error").fit(
            {"level": levels}, number
        )
