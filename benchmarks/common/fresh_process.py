"""One piece of work in a process of its own, with linear algebra on one thread."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
ONE_THREAD = ("OMP", "OPENBLAS", "MKL", "BLIS", "VECLIB_MAXIMUM", "NUMEXPR")


def run_apart(worker: str, job: Any) -> dict[str, Any]:
    """Return what a module measured; the job is a dataclass with a library."""
    environment = dict(os.environ, **{f"{name}_NUM_THREADS": "1" for name in ONE_THREAD})
    work = json.dumps(asdict(job))
    command = [sys.executable, "-m", worker, work]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{job.library} failed at {work}:\n{done.stderr}")
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return measured
