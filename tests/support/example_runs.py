"""Runs examples of the documentation; those that need an optional package are told apart."""

from __future__ import annotations

import doctest
from collections.abc import Iterable
from types import TracebackType
from typing import Any

import pytest
from optional_packages import absent_package


def check_examples(tests: Iterable[doctest.DocTest], flags: int = 0) -> None:
    """Run examples, each set by itself, and skip at the end if some needed an absent package.

    A set ends where the package is needed; what stands before has run by then.
    """
    report: list[str] = []
    needs: dict[str, str] = {}
    runner = _Runner(optionflags=flags)
    for test in tests:
        try:
            runner.run(test, out=report.append)
        except _PackageNeededError as needed:
            needs[test.name] = str(needed)
    assert runner.failures == 0, "".join(report)
    if needs:
        packages = " and ".join(sorted(set(needs.values())))
        pytest.skip(f"needs {packages}: {', '.join(needs)}")


class _PackageNeededError(Exception):
    pass


class _Runner(doctest.DocTestRunner):
    def report_unexpected_exception(
        self,
        out: Any,
        test: doctest.DocTest,
        example: doctest.Example,
        exc_info: tuple[type[BaseException], BaseException, TracebackType],
    ) -> None:
        package = absent_package(exc_info[1])
        if package is not None:
            raise _PackageNeededError(package)
        super().report_unexpected_exception(out, test, example, exc_info)
