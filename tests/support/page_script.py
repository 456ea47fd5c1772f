"""Scripts of the page, run by one process of node for many trees."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.export.javascript import answer_functions
from treewright.tree import Tree

NODE = shutil.which("node")

HARNESS = """
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { tree, rows, columns, sample } = JSON.parse(line);
  const known = rows.map((cells) => cells.map((cell) => cell ?? NaN));
  console.log(JSON.stringify(known.map((row) => said(tree, row, columns, sample))));
});
"""


class PageScript:
    """Some scripts of the page and a function of ours, ``said(tree, row, columns, sample)``."""

    def __init__(self, scripts: tuple[str, ...], said: str) -> None:
        folder = resources.files("treewright.page").joinpath("assets")
        texts = [folder.joinpath(script).read_text("utf-8") for script in scripts]
        texts = ['"use strict";', *answer_functions().values(), *texts]
        program = "\n".join([*texts, f"const said = {said};", HARNESS])
        command, pipe = [NODE, "--eval", program], subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def answers(
        self, tree: Tree, values: NDArray[np.float64], sample: NDArray[np.float64] | None = None
    ) -> list[Any]:
        """What our function says of some rows, by position of nodes and classes."""
        question = {
            "tree": tree.to_json(),
            "rows": _cells(values),
            "sample": None if sample is None else {"columns": _cells(sample.T)},
            "columns": [
                {"levels": list(column.levels) or None, "ordered": column.kind == "ordinal"}
                for column in tree.schema.columns
            ],
        }
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline(), parse_int=float)

    def close(self) -> None:
        """End the process."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def _cells(values: NDArray[np.float64]) -> list[list[float | None]]:
    return [[None if math.isnan(cell) else cell for cell in line] for line in values.tolist()]
