"""Record what rpart and Weka make of the open tables, for tests/oracles/recorded.json.

`python tools/record_oracles.py --rscript Rscript --weka weka.jar` needs R with the packages rpart
and jsonlite, and Java. It replaces the parts `rpart` and `weka` of the file; what other programs
said, which are hard to come by today, stays as it is.
"""

from __future__ import annotations

import argparse
import functools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "support")]

from oracles import data  # noqa: E402

RECORDED = ROOT / "tests" / "oracles" / "recorded.json"
TABLES = {
    **{name: getattr(data, name) for name in ("iris", "wine", "cancer", "diabetes")},
    **{name: getattr(data, name) for name in ("households", "loans", "rates")},
}
J48 = "weka.classifiers.trees.J48"
UNPRUNED, PRUNED, SMOOTHED, UNRAISED = (
    "-U -M 2",
    "-C 0.25 -M 2",
    "-C 0.25 -M 2 -A",
    "-C 0.25 -M 2 -S",
)
RUNS = {
    "iris": (UNPRUNED, PRUNED, SMOOTHED, UNRAISED),
    "golf": (UNPRUNED, PRUNED, SMOOTHED, UNRAISED),
    "cancer": (UNPRUNED, PRUNED, SMOOTHED, UNRAISED),
    "households": (UNPRUNED, PRUNED, SMOOTHED, UNRAISED),
    "loans": (UNPRUNED, PRUNED, SMOOTHED, UNRAISED),
    "tennis": (PRUNED,),
}
OTHERS = {
    "Id3 tennis": "weka.classifiers.trees.Id3",
    "PART iris": "weka.classifiers.rules.PART",
    "PART golf": "weka.classifiers.rules.PART",
}
WEKA_TABLES = {
    "iris": data.iris,
    "golf": lambda: data.golf(("Dont Play", "Play")),
    "tennis": data.play_tennis,
    **{name: TABLES[name] for name in ("cancer", "households", "loans")},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rscript", default="Rscript", help="the program that runs R scripts")
    parser.add_argument("--weka", required=True, help="weka.jar")
    options = parser.parse_args()
    recorded = json.loads(RECORDED.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        for name, load in TABLES.items():
            frame(load()).to_csv(Path(folder) / f"{name}.csv", index=False)
        script = str(Path(__file__).with_suffix(".R"))
        subprocess.run([options.rscript, script, folder], check=True)
        found = json.loads((Path(folder) / "rpart.json").read_text("utf-8"))
        recorded["about"]["versions"] |= found["versions"]
        recorded["rpart"] = found["rpart"]
        recorded["weka"] = run_weka(options.weka, Path(folder))
    write(recorded)


def frame(table: data.DataSet) -> pd.DataFrame:
    """A table with its target, classes by name."""
    target = [table.classes[code] for code in table.target] if table.classes else table.target
    return table.table.assign(target=target)


def run_weka(program: str, folder: Path) -> dict[str, dict[str, object]]:
    runs = {
        f"J48 {name} {options}": (name, [J48, *options.split()])
        for name, all_options in RUNS.items()
        for options in all_options
    }
    runs |= {title: (title.split()[1], [learner]) for title, learner in OTHERS.items()}
    found = {}
    for title, (name, command) in runs.items():
        file = folder / f"{name}.arff"
        file.write_text(arff(WEKA_TABLES[name]()), encoding="utf-8")
        whole = ["java", "-cp", program, *command, "-t", str(file), "-no-cv"]
        done = subprocess.run(whole, check=True, capture_output=True, text=True)
        _, model, _ = re.split(
            r"^(?==== Error|J48 |PART |Id3)", done.stdout, maxsplit=2, flags=re.M
        )
        (errors,) = re.findall(r"^Incorrectly Classified Instances\s+(\d+)", done.stdout, re.M)
        model = re.split(r"\n\s*\n+Time taken", model)[0].strip()
        found[title] = {"model": model, "train_errors": int(errors)}
    return found


def arff(table: data.DataSet) -> str:
    """A table in the format of Weka, the class last."""
    lines = ["@relation table"]
    for name, values in table.table.items():
        kind = "numeric"
        if isinstance(values.dtype, pd.CategoricalDtype):
            kind = "{" + ",".join(f"'{level}'" for level in values.cat.categories) + "}"
        lines.append(f"@attribute '{name}' {kind}")
    lines.append("@attribute target {" + ",".join(f"'{name}'" for name in table.classes) + "}")
    lines.append("@data")
    for row, code in zip(table.table.itertuples(index=False), table.target, strict=True):
        cells = ["?" if pd.isna(cell) else f"'{cell}'" for cell in row]
        lines.append(",".join([*cells, f"'{table.classes[code]}'"]))
    return "\n".join(lines) + "\n"


def write(recorded: dict[str, dict[str, object]]) -> None:
    """Write the file with one record per line, so that changes can be read."""
    say = functools.partial(json.dumps, separators=(",", ":"))
    parts = []
    for part, records in recorded.items():
        lines = (f"  {say(name)}: {say(one)}" for name, one in records.items())
        parts.append(f" {json.dumps(part)}: {{\n" + ",\n".join(lines) + "\n }")
    RECORDED.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
