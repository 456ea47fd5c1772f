"""Packages that treewright itself can do without, and tests that need one of them."""

from __future__ import annotations

OPTIONAL = {
    "axe_playwright_python",
    "dask",
    "distributed",
    "duckdb",
    "matplotlib",
    "onnx",
    "onnxruntime",
    "openpyxl",
    "pandas",
    "playwright",
    "polars",
    "pyarrow",
}


def absent_package(error: BaseException | None) -> str | None:
    """Return the optional package whose absence is behind an error, if that is its cause."""
    while error is not None:
        name = error.name if isinstance(error, ModuleNotFoundError) else None
        if name is not None and name.partition(".")[0] in OPTIONAL:
            return name.partition(".")[0]
        error = error.__cause__ or error.__context__
    return None
