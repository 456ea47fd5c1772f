"""What a search found and proved."""

from __future__ import annotations

from dataclasses import dataclass

from treewright import _core
from treewright.optimal.certificate import Certificate, Status
from treewright.prune import TreeSequence
from treewright.tree import Tree

__all__ = ["Found", "tests_in"]


@dataclass(frozen=True)
class Found:
    """The best tree of a search, what was proved, the conditions it uses, and how many there were.

    Where the smallest of equally good trees was asked for, `status_of_size` tells how that ended.
    """

    tree: Tree
    certificate: Certificate
    tests: tuple[int, ...]
    n_tests: int
    front: TreeSequence | None = None
    status_of_size: Status = "optimal"


def tests_in(answer: _core.SearchTree) -> tuple[int, ...]:
    """Name the conditions that a plan uses."""
    return tuple(sorted({*answer.first.tolist(), *answer.second.tolist()} - {-1}))
