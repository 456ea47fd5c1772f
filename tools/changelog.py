"""Gather the sentences of news/ under the version of pyproject.toml in CHANGELOG.md.

    python tools/changelog.py                    move them there and delete their files
    python tools/changelog.py --date 2030-01-31  the same, and date the version: it is released
    python tools/changelog.py --check 0.1.0      fail unless that version is ready for release

Sentences that come later are added to what the version has already.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
UNRELEASED = "unreleased"
# What the headings are, in their order, and the kinds of fragments (see news/README.md).
HEADINGS = {
    "feature": "New",
    "change": "Changed",
    "fix": "Fixed",
    "removal": "Removed",
    "speed": "Faster",
}


def fragments(folder: Path) -> dict[str, list[Path]]:
    """Give the files of every kind, by the number of their issue."""
    found: dict[str, list[Path]] = {kind: [] for kind in HEADINGS}
    for path in folder.glob("*.md"):
        kind = path.name.split(".")[-2]
        if path.name != "README.md":
            if kind not in found:
                sys.exit(f"news/{path.name}: the kind must be one of {', '.join(HEADINGS)}.")
            found[kind].append(path)
    return {
        kind: sorted(paths, key=lambda path: (int(path.name.split(".")[0]), path.name))
        for kind, paths in found.items()
    }


def with_sentences(section: str, heading: str, sentences: list[str]) -> str:
    """Add sentences below a heading of a version, which is made where it is missing."""
    if not sentences:
        return section
    items = "".join(f"- {sentence}\n" for sentence in sentences)
    mark = f"### {heading}\n\n"
    if mark in section:
        start = section.index(mark) + len(mark)
        end = section.find("\n### ", start)
        end = len(section) if end < 0 else end
        return section[:end] + items + section[end:]
    return f"{section}\n{mark}{items}"


def section_of(changelog: str, version: str) -> re.Match[str] | None:
    """Find a version: its heading, what the brackets say, and all up to the next version."""
    pattern = rf"^## {re.escape(version)} \(([^)\n]*)\)\n(.*?)(?=^## |\Z)"
    return re.search(pattern, changelog, re.MULTILINE | re.DOTALL)


def gathered(changelog: str, version: str, news: dict[str, list[str]], date: str) -> str:
    """Return the changelog with the sentences of every kind under a version."""
    found = section_of(changelog, version)
    section = found[2].rstrip("\n") + "\n" if found else ""
    for kind, heading in HEADINGS.items():
        section = with_sentences(section, heading, news.get(kind, []))
    text = f"## {version} ({date})\n{section}"
    if found:
        rest = changelog[found.end() :]
        return changelog[: found.start()] + text + ("\n" + rest if rest else "")
    start = re.search(r"^## ", changelog, re.MULTILINE)
    if start is None:
        return f"{changelog.rstrip()}\n\n{text}"
    return f"{changelog[: start.start()]}{text}\n{changelog[start.start() :]}"


def check(version: str, root: Path = ROOT) -> list[str]:
    """Say what keeps a version from being released."""
    wrong = []
    written = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    if written != version:
        wrong.append(f"pyproject.toml has version {written}, not {version}.")
    found = section_of((root / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    if found is None or not re.fullmatch(r"\d{4}-\d\d-\d\d", found[1]):
        wrong.append(f"CHANGELOG.md has no version {version} with a date.")
    left = [path.name for paths in fragments(root / "news").values() for path in paths]
    if left:
        wrong.append(f"news/ still holds {', '.join(left)}.")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--date", default=UNRELEASED)
    parser.add_argument("--check", metavar="VERSION")
    arguments = parser.parse_args()
    if arguments.check is not None:
        sys.exit("\n".join(check(arguments.check)) or None)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    path = ROOT / "CHANGELOG.md"
    files = fragments(ROOT / "news")
    news = {
        kind: [" ".join(file.read_text(encoding="utf-8").split()) for file in kind_files]
        for kind, kind_files in files.items()
    }
    text = gathered(path.read_text(encoding="utf-8"), version, news, arguments.date)
    path.write_text(text, encoding="utf-8")
    for kind_files in files.values():
        for file in kind_files:
            file.unlink()


if __name__ == "__main__":
    main()
