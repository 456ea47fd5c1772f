"""Tables of measurements, for the terminal (rich) and for a file (Markdown)."""

from __future__ import annotations

import importlib.util
import math
import os
import platform
import statistics
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import metadata

from rich.console import Console
from rich.table import Table as RichTable


@dataclass
class Table:
    """A title, what it says in a sentence or two, and rows of text; the header is cut at "|"."""

    title: str
    note: str
    header: str
    rows: list[list[str]] = field(default_factory=list)

    def to_rich(self) -> RichTable:
        table = RichTable(title=self.title, caption=self.note, title_justify="left")
        for i, name in enumerate(self.header.split("|")):
            table.add_column(name, justify="left" if i == 0 else "right")
        for row in self.rows:
            table.add_row(*row, style="red" if row[-1].startswith("MISS") else None)
        return table

    def to_markdown(self) -> str:
        header = self.header.split("|")
        marks = [":--"] + ["--:"] * (len(header) - 1)
        lines = [header, marks, *self.rows]
        body = "\n".join("| " + " | ".join(line) + " |" for line in lines)
        return f"## {self.title}\n\n{self.note}\n\n{body}\n"


def verdict(misses: list[str]) -> str:
    """Return the last cell of a row."""
    return "MISS " + ", ".join(misses) if misses else "ok"


def seconds(value: float | None) -> str:
    """Return a time in three digits."""
    if value is None:
        return "-"
    size, unit = (1.0, "s") if value >= 1 else (1e-3, "ms") if value >= 1e-3 else (1e-6, "µs")
    return f"{value / size:#.3g}".removesuffix(".") + f" {unit}"


def times(value: float | None) -> str:
    """Return a ratio."""
    return "-" if value is None else f"{value:.1f}x" if value >= 9.995 else f"{value:.2f}x"


def count(value: int | None) -> str:
    """Return a number of things."""
    return "-" if value is None else f"{value:,}".replace(",", " ")


def rows_in_short(rows: int) -> str:
    """Return a number of rows, as 100k or 1M where it is round."""
    for size, unit in ((1_000_000, "M"), (1000, "k")):
        if rows >= size and rows % size == 0:
            return f"{rows // size}{unit}"
    return str(rows)


def slope(sizes: Iterable[float], costs: Iterable[float]) -> float:
    """Return the slope of log cost over log size, by least squares."""
    line = statistics.linear_regression([*map(math.log, sizes)], [*map(math.log, costs)])
    return line.slope


def describe_machine() -> dict[str, str | int | None]:
    """Return the processor, the number of cores, and the system; nothing that names the host."""
    model = platform.processor() or platform.machine()
    try:
        listing = subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout
        named = [line.split(":", 1)[1] for line in listing.splitlines() if "Model name" in line]
        model = named[0].strip() if named else model
    except (OSError, subprocess.CalledProcessError):
        pass
    return {
        "processor": model,
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def describe_packages(*names: str) -> dict[str, str]:
    """Return the versions of packages, or that they are not installed."""
    versions = {}
    for name in names:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found = name.isidentifier() and importlib.util.find_spec(name) is not None
            versions[name] = "from its source folder" if found else "not installed"
    return versions


def in_words(machine: dict[str, str | int | None], packages: dict[str, str]) -> str:
    """Return one sentence on where a run was made."""
    about = ", ".join(f"{name} {version}" for name, version in packages.items())
    return (
        f"One thread of {machine['processor']} ({machine['architecture']}, {machine['cores']} "
        f"cores), {machine['system']}, Python {machine['python']}; {about}."
    )


def print_tables(tables: list[Table]) -> None:
    """Print tables on the terminal, or as wide as they are into a pipe."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=140)
    for table in tables:
        console.print(table.to_rich())
        console.print()
