"""What all tests share: the folder of data sets and the effort of the property tests."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Generator
from pathlib import Path

import effective
import pytest
from hypothesis import HealthCheck, settings
from optional_packages import OPTIONAL
from shared_data import data_folder, why_absent

# By default the same examples every time, so that a run says something about the code and not about
# luck; `nox -s slow` looks further, and elsewhere each time, for half an hour.
settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", settings.get_profile("default"), derandomize=False, max_examples=200
)
settings.load_profile(os.environ.get("TREEWRIGHT_HYPOTHESIS", "default"))

# A shell lets what it starts in the background ignore Ctrl-C, and so would all that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_report_header() -> str:
    return f"shared data: {why_absent() or data_folder()}"


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Call binary content by the name of its parameter.

    By default the bytes themselves would be the name; compressed ones hold the time at which they
    were made, and then the processes of a parallel run disagree on what the tests are called.
    """
    return argname if isinstance(val, bytes) and not val.isascii() else None


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip, with a reason, a file that imports a package that treewright itself can do without."""
    report = yield
    said = r"(?:No module named '|needs the package )(\w+)"
    absent = re.search(said, str(report.longrepr)) if report.failed else None
    if absent and absent[1] in OPTIONAL:
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 0, f"Skipped: needs {absent[1]}")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Fail a test most of whose examples end before they come to the point (effective.py)."""
    effective.forget()
    yield
    marker = item.get_closest_marker("effective")
    if marker is not None:
        share = effective.share_to_the_point()
        assert share >= marker.args[0], f"only {share:.0%} of the examples came to the point"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of shared data sets; the test is skipped where it is absent."""
    reason = why_absent()
    if reason:
        pytest.skip(reason)
    return data_folder()
