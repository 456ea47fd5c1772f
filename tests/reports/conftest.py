"""Reports with few resamples: how often a tree is found again tells nothing of most tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from treewright.evaluation import content, stability
from treewright.reports import analysis

FEW = 4


@pytest.fixture(autouse=True, scope="module")
def few_resamples() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (analysis, content, stability):
            assert module.RESAMPLES == 50
            patch.setattr(module, "RESAMPLES", FEW)
        yield
