"""Ten thousand broken model files: each is refused in words or loads as a sound model."""

from __future__ import annotations

import json

import jsonschema
import pytest
from mutations import check_sound, model_files, mutated

from treewright.exceptions import ModelFileError
from treewright.modelfile import model_from_text, model_schema

N_FILES = 10_000
N_BATCHES = 20


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(N_BATCHES))
def test_broken_files_never_crash_and_never_load_wrong(batch):
    files = model_files()
    published = jsonschema.Draft202012Validator(model_schema())
    size = N_FILES // N_BATCHES
    n_loaded = 0
    refusals = []
    for seed in range(batch * size, (batch + 1) * size):
        data = mutated(files, seed)
        try:
            model = model_from_text(data)
        except ModelFileError as error:
            refusals.append(str(error))
            continue
        n_loaded += 1
        published.validate(json.loads(data))
        check_sound(model, seed)
    assert all(0 < len(words) < 400 and "\n" not in words for words in refusals)
    # A test in which nothing or everything loads would say nothing.
    assert 0.02 * size < n_loaded < 0.7 * size
