"""Ways to break a model file: bytes, numbers and structure, chosen by a seeded generator."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import handmade
import numpy as np

from treewright import _core
from treewright.modelfile import ForestFile, ModelFile, model_from_text, model_to_text

NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
NASTY_TOKENS = (
    b"-1", b"0", b"-0.0", b"1", b"2", b"3", b"0.5", b"1.0", b"1e300", b"1e308", b"-1e308", b"1e999",
    b"5e-324", b"2147483647", b"2147483648", b"-2147483649", b"9007199254740993",
    b"18446744073709551616", b"9" * 30, b"1" * 5000, b"NaN", b"Infinity", b"-Infinity", b"true",
    b"null", b'"1"', b"[]", b"{}", b"01", b"+1", b"1.", b".5", b"0x10",
)  # fmt: skip
NASTY_VALUES: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 3, 7, 0.5, -0.0, 1e300, 1e308, 2**31, 2**53 + 1, 2**70, "", "x",
    "1", "axis", "subset", "fraction", "\u202e", [], {}, [0], [1, 2], [[0], [1]], {"kind": "axis"},
)  # fmt: skip


def model_files() -> list[bytes]:
    """Sound model files to start from."""
    trees = [make() for make in handmade.ALL.values()]
    trees += [handmade.chain(6), handmade.heart().collapse([2])]
    parameters = {"max_depth": 3, "cost_matrix": [[0, 1], [5, 0]], "split": "axis", "prune": None}
    models = [ModelFile(tree, "Tree", parameters) for tree in trees]
    models.append(ModelFile(trees[0], "Rules", parameters, rules=handmade.iris_rules()))
    forest = ForestFile((trees[0], trees[0].collapse([0])), 7, 150, 150)
    models.append(ModelFile(trees[0], "Forest", parameters, forest=forest))
    return [model_to_text(model).encode() for model in models]


def flip_bits(data: bytes, rng: random.Random) -> bytes:
    content = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return bytes(content)


def change_digit(data: bytes, rng: random.Random) -> bytes:
    content = bytearray(data)
    places = [i for i, byte in enumerate(content) if chr(byte).isdigit()]
    content[rng.choice(places)] = ord(rng.choice("0123456789"))
    return bytes(content)


def delete_slice(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.randint(1, rng.choice([1, 5, 200])) :]


def repeat_slice(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data))
    stop = start + rng.randint(1, rng.choice([1, 5, 200]))
    place = rng.randrange(len(data))
    return data[:place] + data[start:stop] + data[place:]


def truncate(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def change_number(data: bytes, rng: random.Random) -> bytes:
    found = rng.choice(list(NUMBER.finditer(data)))
    return data[: found.start()] + rng.choice(NASTY_TOKENS) + data[found.end() :]


def nest(data: bytes, rng: random.Random) -> bytes:
    depth = rng.choice([10, 70, 500, 5_000, 100_000])
    found = rng.choice(list(NUMBER.finditer(data)))
    opening, closing = rng.choice([(b"[", b"]"), (b'{"a":', b"}")])
    inner = opening * depth + found.group() + closing * (depth if rng.random() < 0.8 else 0)
    return data[: found.start()] + inner + data[found.end() :]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """All containers with a key or position in them."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict | list):
            for key in item if isinstance(item, dict) else range(len(item)):
                yield item, key
                pending.append(item[key])


def change_structure(data: bytes, rng: random.Random) -> bytes:
    content = json.loads(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        container, key = rng.choice(list(places(content)))
        other, other_key = rng.choice(list(places(content)))
        action = rng.randrange(6)
        if action == 0:
            del container[key]
        elif action == 1:
            container[key] = copy.deepcopy(rng.choice(NASTY_VALUES))
        elif action == 2:
            container[key] = copy.deepcopy(other[other_key])
        elif action == 3:
            first, second = copy.deepcopy(container[key]), copy.deepcopy(other[other_key])
            container[key], other[other_key] = second, first
        elif action == 4 and isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        elif isinstance(container, dict):
            container[rng.choice(["kind", "test", "extra", "left", "id"])] = container.pop(key)
    try:
        return json.dumps(content).encode()
    except ValueError:  # a container was put inside itself
        return b"{}"


def change_scalar(data: bytes, rng: random.Random) -> bytes:
    """Change one value to another of its kind, so that many files still load."""
    content = json.loads(data)
    scalars = [(c, k) for c, k in places(content) if not isinstance(c[k], dict | list)]
    container, key = rng.choice(scalars)
    value = container[key]
    if isinstance(value, bool):
        container[key] = not value
    elif isinstance(value, int | float):
        container[key] = rng.choice([value + 1, value - 1, value * 2, value / 2, -value, 0.25])
    elif isinstance(value, str):
        container[key] = rng.choice([value + "x", value[1:], value.upper(), "fraction", "xor"])
    return json.dumps(content).encode()


MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    flip_bits,
    change_digit,
    delete_slice,
    repeat_slice,
    truncate,
    change_number,
    nest,
    change_structure,
    change_scalar,
)


def mutated(files: list[bytes], seed: int) -> bytes:
    """The broken file number `seed`."""
    rng = random.Random(seed)
    return rng.choice(MUTATIONS)(rng.choice(files), rng)


def check_sound(model: ModelFile, seed: int) -> None:
    """A model that was loaded must be valid and of use."""
    model.tree.validate()
    assert model_from_text(model_to_text(model)) == model
    schema = model.schema
    rng = np.random.default_rng(seed)
    values = rng.normal(0.0, 50.0, (20, len(schema.columns)))
    for index, column in enumerate(schema.columns):
        if column.levels:
            values[:, index] = rng.integers(0, len(column.levels), 20)
    values[rng.random(values.shape) < 0.2] = np.nan
    rows = _core.Table(values, schema.n_levels)
    assert len(model.tree.predict(rows)) == 20
    assert np.allclose(model.tree.leaf_shares(rows).sum(axis=1), 1.0)
    if model.tree.is_classification:
        assert np.allclose(model.tree.distribution(rows).sum(axis=1), 1.0)
    n_stops = sum(node.may_stop for node in model.tree.walk() if not node.is_leaf)
    assert 0 <= len(model.tree.rules()) - model.tree.n_leaves <= n_stops
    assert str(model.tree)
    assert np.isfinite(model.tree.feature_importances()).all()
    assert np.isfinite(model.tree.reading_effort)
    if model.rules is not None:
        assert len(model.rules.predict(rows)) == 20
        assert np.allclose(model.rules.distribution(rows).sum(axis=1), 1.0)
        assert len(model.rules.to_sentences()) == len(model.rules) + 1
        assert str(model.rules)
