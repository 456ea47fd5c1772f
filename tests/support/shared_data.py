"""Where the shared data sets are, for every test that reads one.

They are not part of the repository. The folder is the one that the environment variable
``TREEWRIGHT_DATA`` names, else ``../shared/data`` beside the repository; the recorded outputs of
reference programs lie in its sibling folder ``spec``.
"""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path:
    """Where the data sets are expected, present or not."""
    named = os.environ.get("TREEWRIGHT_DATA")
    return Path(named) if named else Path(__file__).parents[3] / "shared" / "data"


def why_absent() -> str | None:
    """One sentence for a skipped test, or None if the data sets are there."""
    if (data_folder() / "manifest.json").is_file():
        return None
    return "no shared data sets: set TREEWRIGHT_DATA, or put them into ../shared/data"
