"""The examples in docstrings run and print what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest
from example_runs import check_examples
from optional_packages import absent_package

import treewright

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(treewright.__path__, "treewright.")
    if module.name != "treewright._core"
)
# A whole report; every table of the battery for split methods.
LONG = {"treewright.reports.making", "treewright.testing"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long) if name in LONG else name
        for name in ("treewright", *MODULES)
    ],
)
def test_examples_of_a_module(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # an example may save a file
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        package = absent_package(error)
        if package is None:
            raise
        pytest.skip(f"needs {package}")
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    check_examples(doctest.DocTestFinder(exclude_empty=True).find(module), flags)
