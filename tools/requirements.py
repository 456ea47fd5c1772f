"""Print the packages that treewright needs to run, to be built, or for one of its extras.

    python tools/requirements.py [--build | EXTRA]

An extra may name others of treewright's own, which pip resolves only once treewright is built.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]


def packages_of(extra: str) -> Iterator[str]:
    """Give the packages of an extra and of those that it names."""
    for need in EXTRAS[extra]:
        own = re.fullmatch(r"treewright\[(.+)\]", need)
        if own is None:
            yield need
        else:
            for other in own[1].split(","):
                yield from packages_of(other.strip())


def main(arguments: list[str]) -> None:
    match arguments:
        case []:
            needs = PROJECT["project"]["dependencies"]
        case ["--build"]:
            needs = PROJECT["build-system"]["requires"]
        case [extra] if extra in EXTRAS:
            needs = packages_of(extra)
        case _:
            sys.exit(f"Usage: requirements.py [--build | {' | '.join(EXTRAS)}]")
    print(*needs, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
