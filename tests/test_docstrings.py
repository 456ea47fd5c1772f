"""The examples in docstrings run and print what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import treewright

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(treewright.__path__, "treewright.")
    if module.name != "treewright._core"
)
# What examples need beyond the module itself.
NEEDED = {"treewright.export.onnx": "onnxruntime"}


@pytest.mark.parametrize("name", ["treewright", *MODULES])
def test_examples_of_a_module(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # an example may save a file
    if name in NEEDED:
        pytest.importorskip(NEEDED[name])
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        pytest.skip(str(error))
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=flags)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module):
        runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)
