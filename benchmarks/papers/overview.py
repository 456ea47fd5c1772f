"""Every paper on one page: what it states, what treewright gets, and whether that agrees.

    python -m benchmarks.papers.overview [--whole] [--jobs N] [--output FILE.md]

Without --whole, a few minutes: papers whose tables can be judged set by set are run on some small
sets; of the others, and where data sets are absent, the stored result of the last whole run is
shown, with its date. With --whole, some hours: every program of this folder runs as it is meant to,
and its own result is stored first.
"""

from __future__ import annotations

import argparse
import datetime
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common.report import (
    Table,
    count,
    describe_machine,
    describe_packages,
    in_words,
    print_tables,
)

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results"
PACKAGES = ("treewright", "numpy", "scipy", "scikit-learn")
THEIRS = ("accuracy, paper", "paper's", "paper", "reference", "theirs", "package", "at most")
OURS = ("ours", "found")
NOT_RESULTS = ("time", "rows", "rows a fold")
BY_TIME = ("A whole tree of 26 classes",)  # says how fast, not how well


@dataclass(frozen=True)
class Paper:
    """A program of this folder, its stored result, and the arguments of a run of minutes."""

    module: str
    stored: Path
    quick: tuple[str, ...] = ()
    """Empty: the paper is judged by many repeats, or by means over all its sets."""


PAPERS = (
    Paper("must", RESULTS / "must_paper.md"),
    Paper(
        "oblique_logistic",
        RESULTS / "oblique_logistic_paper.md",
        ("--only", "crabs5", "--only", "pima_tr", "--repeats", "2"),
    ),
    Paper("dgmml", RESULTS / "dgmml_paper.md"),
    Paper(
        "optimal_multivariate",
        RESULTS / "optimal_multivariate_paper.md",
        ("--only", "audiology", "--only", "hepatitis", "--limit", "10"),
    ),
    Paper("oc1_hhcart", RESULTS / "oc1_hhcart.md"),
)


@dataclass(frozen=True)
class Section:
    """A table of a result, its rows as cells."""

    title: str
    header: list[str]
    rows: list[list[str]]


def read_sections(text: str) -> Iterator[Section]:
    """Read the tables of a result in Markdown."""
    for part in text.split("\n## ")[1:]:
        title = part.partition("\n")[0]
        lines = [line for line in part.splitlines() if line.startswith("|")]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        if cells:
            yield Section(title, cells[0], cells[2:])


def compared(section: Section) -> list[list[str]]:
    """Return what, theirs, ours and the verdict of every row that is judged."""
    header = section.header
    if "verdict" not in header or section.title in BY_TIME:
        return []
    judged = header.index("verdict")
    theirs = [place for place, name in enumerate(header) if name in THEIRS]
    if "paper's" in header:  # columns "ours" and "paper" name methods there
        theirs, ours = [header.index("paper's")], [header.index("accuracy")]
    elif theirs:
        ours = [place for place, name in enumerate(header) if name in OURS][:1]
    else:
        ours = [place for place in range(1, judged) if header[place] not in NOT_RESULTS]
    ends = min([*theirs, *ours]) if theirs else 1
    found = []
    for row in section.rows:
        if row[judged] in ("", "-"):
            continue
        what = " ".join(row[:ends])
        found.append([what, said(header, row, theirs), said(header, row, ours), row[judged]])
    return found


def said(header: list[str], row: list[str], places: list[int]) -> str:
    """Return one cell, or several with their names."""
    if len(places) == 1:
        return row[places[0]]
    return ", ".join(f"{header[place]} {row[place]}" for place in places)


def stored_on(path: Path) -> str:
    """Return the day on which a stored result was last changed."""
    command = ["git", "log", "-1", "--format=%as", "--", str(path)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def run(paper: Paper, arguments: tuple[str, ...], output: Path) -> bool:
    """Run the program of a paper; tell whether it wrote its result."""
    module = f"benchmarks.papers.{paper.module}"
    command = [sys.executable, "-m", module, *arguments, "--output", str(output)]
    print(" ".join(["python", *command[1:]]), file=sys.stderr, flush=True)
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    return done.returncode == 0 and output.is_file()


def run_of(paper: Paper, *, whole: bool, jobs: int, folder: Path) -> tuple[str, str] | None:
    """Return what was run and what it wrote; None where only a stored result can be shown."""
    several = ("--jobs", str(jobs))
    if whole:
        ran = run(paper, several, paper.stored)
        return ("the whole paper", paper.stored.read_text(encoding="utf-8")) if ran else None
    output = folder / f"{paper.module}.md"
    if not paper.quick or not run(paper, (*paper.quick, *several), output):
        return None
    return f"`{' '.join(paper.quick)}`", output.read_text(encoding="utf-8")


def rows_of(text: str) -> list[list[str]]:
    """Return the rows of a result that are judged, each behind the title of its table."""
    return [[part.title, *row] for part in read_sections(text) for row in compared(part)]


def tally(rows: list[list[str]]) -> list[str]:
    """Return how many rows were judged, and how many of them miss what is asked."""
    return [count(len(rows)), count(sum(row[-1] != "ok" for row in rows))]


def make_tables(*, whole: bool, jobs: int) -> list[Table]:
    """Return the overview, and a table per paper."""
    overview = Table(
        "All papers",
        "Rows of their tables that are judged, and how many of them miss what is asked: in the "
        "last whole run, by the day on which it was stored, and in this run. Papers judged by "
        "many repeats or by means over all sets are run as a whole only.",
        "paper|stored on|judged|MISS|this run|judged|MISS",
    )
    tables = [overview]
    today = datetime.date.today().isoformat()
    with tempfile.TemporaryDirectory() as folder:
        for paper in PAPERS:
            ran = run_of(paper, whole=whole, jobs=jobs, folder=Path(folder))
            stored = paper.stored.read_text(encoding="utf-8")
            date = today if whole and ran else stored_on(paper.stored)
            title = stored.splitlines()[0].removeprefix("# ")
            rows = rows_of(ran[1] if ran else stored)
            now = [ran[0], *tally(rows)] if ran else ["not run", "-", "-"]
            overview.rows.append([title, date, *tally(rows_of(stored)), *now])
            source = (
                f"This run, {today}: {ran[0]}."
                if ran
                else f"The whole run that was stored on {date}."
            )
            tables.append(Table(title, source, "table|what|theirs|ours|verdict", rows))
    return tables


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--whole", action="store_true", help="run all, and store all: some hours")
    parser.add_argument("--jobs", type=int, default=2, help="folds at the same time (default 2)")
    parser.add_argument("--output", type=Path, metavar="FILE.md")
    options = parser.parse_args()
    tables = make_tables(whole=options.whole, jobs=options.jobs)
    print_tables(tables)
    if options.output:
        about = in_words(describe_machine(), describe_packages(*PACKAGES))
        about += " Made by `python -m benchmarks.papers.overview"
        about += " --whole`." if options.whole else "`."
        body = "\n".join(table.to_markdown() for table in tables)
        text = f"# Every paper: theirs, ours, verdict\n\n{about}\n\n{body}"
        options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
