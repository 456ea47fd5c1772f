"""Golden files: printed results kept in `tests/golden/` and reviewed like prose.

To renew them after a wanted change, run the tests once with TREEWRIGHT_RENEW_GOLDEN=1 set and look
at the difference before committing it.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "golden"


def check_golden(name: str, text: str) -> None:
    """Compare a text with the golden file of that name, or renew the file if asked to."""
    path = FOLDER / name
    if os.environ.get("TREEWRIGHT_RENEW_GOLDEN"):
        path.write_text(text + "\n", encoding="utf-8")
    assert text + "\n" == path.read_text(encoding="utf-8"), (
        f"differs from tests/golden/{name}; if the new text is better, renew it with "
        "TREEWRIGHT_RENEW_GOLDEN=1"
    )
