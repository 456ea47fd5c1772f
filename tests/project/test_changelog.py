"""The changelog is made of the sentences in news/."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "changelog.py"))


def test_sentences_go_under_their_version_and_later_ones_beside_them():
    gathered = TOOL["gathered"]
    first = gathered(
        "# Changelog\n\nWords.\n", "1.0", {"feature": ["A."], "fix": ["B."]}, "unreleased"
    )
    second = gathered(first, "1.0", {"feature": ["C."], "speed": ["D."]}, "2030-01-31")
    assert second == (
        "# Changelog\n\nWords.\n\n## 1.0 (2030-01-31)\n\n### New\n\n- A.\n- C.\n\n"
        "### Fixed\n\n- B.\n\n### Faster\n\n- D.\n"
    )
    third = gathered(second, "1.1", {"removal": ["E."]}, "unreleased")
    assert third.index("## 1.1 (unreleased)\n\n### Removed\n\n- E.\n\n## 1.0 (2030") > 0
    assert third.endswith("- D.\n")
    again = gathered(third, "1.1", {"removal": ["F."]}, "2031-01-31")
    assert "- E.\n- F.\n\n## 1.0 (2030-01-31)\n\n### New" in again


def test_a_version_is_ready_with_a_date_and_no_news_left(tmp_path):
    check = TOOL["check"]
    (tmp_path / "news").mkdir()
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.0"\n')
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text("## 1.0 (unreleased)\n")
    assert check("1.0", tmp_path) == ["CHANGELOG.md has no version 1.0 with a date."]
    changelog.write_text("## 1.0 (2030-01-31)\n")
    assert check("1.0", tmp_path) == []
    (tmp_path / "news" / "7.fix.md").write_text("B.")
    assert check("1.0", tmp_path) == ["news/ still holds 7.fix.md."]
    assert "pyproject.toml has version 1.0, not 1.1." in check("1.1", tmp_path)


def test_every_fragment_is_of_a_kind():
    TOOL["fragments"](ROOT / "news")
