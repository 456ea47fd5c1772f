"""What one fresh process of method_times.py does: grow one tree by a method and measure it.

    python -m benchmarks.studies.method_times_work '{"work": "fit", "library": "cart", ...}'

prints what it measured as one line of JSON.
"""

from __future__ import annotations

import json
import sys
import warnings

from benchmarks.common.made_data import Job, make_data
from benchmarks.common.measuring import clocked
from treewright import methods

WARMING = 200  # rows of a first fit, which is not measured


def main() -> None:
    job = Job(**json.loads(sys.argv[1]))
    X, y = make_data(job, job.rows)
    unseen, truth = make_data(job, job.rows, seed=1)
    model = methods.make(methods.card_named(job.library))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X[:WARMING], y[:WARMING])
        _, busy, _ = clocked(model.fit, X, y)
        score = model.score(unseen, truth)
    leaves = int(model.tree_.n_leaves)
    print(json.dumps({"seconds": busy, "leaves": leaves, "accuracy": round(float(score), 4)}))


if __name__ == "__main__":
    main()
