"""Make the bundled table of households, by ``python tools/make_households.py``.

The households are invented, drawn from the rules below with a fixed seed. Who falls behind with the
loan depends on what is left of the income after housing and the instalment, and, where enough is
left, on the contract and the savings; age, years in the job, region, car and term play no part in
it. Households that earn more also spend more, so that no column by itself says much: a tree whose
splits have one column each climbs the slope in steps, however large it is, and one linear
combination says it.

Only random.random() is used, whose sequence for a given seed Python promises not to change.
"""

import csv
import io
import random
from pathlib import Path

from make_loans import choose, normal

TARGET = Path(__file__).parents[1] / "src" / "treewright" / "data" / "households.csv"
SEED = 20_241
N_ROWS = 1000
COLUMNS = (
    "age",
    "contract",
    "years_in_job",
    "region",
    "car",
    "income",
    "housing",
    "instalment",
    "term",
    "savings",
    "behind",
)
MISSING = {"years_in_job": 0.03, "savings": 0.02}
ENOUGH = 1000  # a month, left to live on


def main() -> None:
    """Write the table."""
    TARGET.write_text(make_text(), encoding="utf-8", newline="")
    print(f"wrote {N_ROWS} rows to {TARGET}")


def make_text() -> str:
    """Return the table as the text of a .csv file."""
    draw = random.Random(SEED).random
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for _ in range(N_ROWS):
        row = make_household(draw)
        row["behind"] = "yes" if draw() < chance_to_fall_behind(row) else "no"
        for name, proportion in MISSING.items():
            if draw() < proportion:
                row[name] = ""
        writer.writerow(row)
    return buffer.getvalue()


def make_household(draw):
    """Draw one household; money is in steps of ten a month."""
    age = 20 + int(50 * draw() ** 1.3)
    income = 10 * round(max(110, min(800, 270 * 2.718 ** normal(draw, 0, 0.4))))
    housing = 10 * round(max(25, 0.035 * income * 2.718 ** normal(draw, 0, 0.4)))
    instalment = 10 * round(max(5, 0.018 * income * 2.718 ** normal(draw, 0, 0.6)))
    return {
        "age": age,
        "contract": choose(draw, {"permanent": 62, "temporary": 20, "self-employed": 18}),
        "years_in_job": min(age - 18, int(draw() ** 2 * 25)),
        "region": choose(draw, {"north": 25, "south": 30, "east": 20, "west": 25}),
        "car": "true" if draw() < 0.6 else "false",
        "income": income,
        "housing": housing,
        "instalment": instalment,
        "term": choose(draw, {12: 15, 24: 25, 36: 30, 48: 18, 60: 12}),
        "savings": choose(draw, {"none": 28, "low": 32, "medium": 25, "high": 15}),
    }


def chance_to_fall_behind(row):
    """Say how likely a household is to fall behind: the rules a tree should find."""
    if row["income"] - row["housing"] - row["instalment"] < ENOUGH:
        return 0.95
    if row["contract"] == "temporary" and row["savings"] in ("none", "low"):
        return 0.9
    return 0.04


if __name__ == "__main__":
    main()
