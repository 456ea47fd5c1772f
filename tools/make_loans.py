"""Make the bundled table of loan applications, by ``python tools/make_loans.py``.

The people in it are invented. The table is drawn from the rules below with a fixed seed, so that
this file is the whole truth about the data, and a reader can judge a tree grown on it: did it find
the rules, and nothing else? Who repays depends on previous defaults, savings, income, home and
employment; age, purpose, amount, term, years at the address and a joint application play no part in
it. The interest rate depends on purpose, term, employment and home.

Only random.random() is used, whose sequence for a given seed Python promises not to change.
"""

import csv
import io
import random
from pathlib import Path
from statistics import NormalDist

TARGET = Path(__file__).parents[1] / "src" / "treewright" / "data" / "loans.csv"
SEED = 20_240
N_ROWS = 1000
COLUMNS = (
    "age",
    "income",
    "employment",
    "home",
    "purpose",
    "amount",
    "term",
    "years_at_address",
    "previous_defaults",
    "savings",
    "joint",
    "interest_rate",
    "repaid",
)
# Share of cells that the applicant left open.
MISSING = {"income": 0.02, "employment": 0.015, "years_at_address": 0.04, "savings": 0.06}


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
        row = make_applicant(draw)
        row["interest_rate"] = interest_rate(row, draw)
        row["repaid"] = "yes" if draw() < chance_to_repay(row) else "no"
        for name, share in MISSING.items():
            if draw() < share:
                row[name] = ""
        writer.writerow(row)
    return buffer.getvalue()


def choose(draw, shares):
    """Draw one key of a dict of shares."""
    point = draw() * sum(shares.values())
    for key, share in shares.items():
        point -= share
        if point < 0:
            return key
    return key


def normal(draw, mean, deviation):
    """Draw from a normal distribution."""
    return NormalDist(mean, deviation).inv_cdf(min(max(draw(), 1e-9), 1 - 1e-9))


def make_applicant(draw):
    """Draw one application, before anyone has decided on it."""
    age = 18 + int(62 * draw() ** 1.5)
    if age >= 65:
        employment = choose(draw, {"retired": 85, "employed": 8, "self-employed": 7})
    elif age < 25:
        employment = choose(draw, {"student": 45, "employed": 43, "unemployed": 12})
    else:
        employment = choose(draw, {"employed": 70, "self-employed": 18, "unemployed": 12})
    typical = {
        "employed": 41,
        "self-employed": 46,
        "retired": 27,
        "student": 13,
        "unemployed": 15,
    }[employment]
    # Incomes are skewed: a few earn several times the typical one.
    income = round(typical * 2.718 ** normal(draw, 0, 0.4), 1)
    if age < 26:
        home = choose(draw, {"with parents": 45, "rent": 50, "own": 5})
    else:
        wealthy = income > 40
        home = choose(
            draw,
            {
                "rent": 30 if wealthy else 55,
                "mortgage": 45 if wealthy else 20,
                "own": 25 if wealthy else 20,
                "with parents": 0 if wealthy else 5,
            },
        )
    return {
        "age": age,
        "income": income,
        "employment": employment,
        "home": home,
        "purpose": choose(
            draw,
            {
                "car": 30,
                "debts": 25,
                "furniture": 20,
                "education": 20 if age < 35 else 4,
                "business": 20 if employment == "self-employed" else 5,
            },
        ),
        "amount": f"{round(max(1, min(60, 2.718 ** normal(draw, 2.1, 0.7))) * 2) / 2:g}",
        "term": choose(draw, {12: 15, 24: 25, 36: 30, 48: 18, 60: 12}),
        "years_at_address": min(age - 18, int(draw() ** 2 * 25)),
        "previous_defaults": choose(draw, {0: 66, 1: 20, 2: 9, 3: 4, 4: 1}),
        "savings": choose(draw, {"none": 24, "low": 31, "medium": 28, "high": 17}),
        "joint": "true" if age > 24 and draw() < 0.3 else "false",
    }


def chance_to_repay(row):
    """Say how likely an applicant is to repay: the rules a tree should find."""
    has_savings = row["savings"] in ("medium", "high")
    if row["previous_defaults"] >= 2:
        return 0.05
    if row["previous_defaults"] == 1:
        return 0.9 if has_savings else 0.1
    if row["income"] > 25:
        return 0.96
    if row["home"] in ("own", "with parents"):
        return 0.92
    if has_savings:
        return 0.87
    return 0.06 if row["employment"] in ("student", "unemployed") else 0.25


def interest_rate(row, draw):
    """Set the interest rate in percent, in steps of a twentieth."""
    rate = {"car": 4.5, "debts": 7.5, "furniture": 6.0, "education": 3.5, "business": 8.0}[
        row["purpose"]
    ]
    rate += {12: 0.0, 24: 0.2, 36: 0.5, 48: 1.1, 60: 1.8}[row["term"]]
    rate += {"self-employed": 0.6, "unemployed": 2.0}.get(row["employment"], 0.0)
    rate -= 0.8 if row["home"] in ("own", "mortgage") else 0.0
    return f"{round(20 * (rate + normal(draw, 0, 0.35))) / 20:.2f}"


if __name__ == "__main__":
    main()
