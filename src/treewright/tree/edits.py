"""The record of changes made to a finished tree, which travels with it.

A tree that was edited states what somebody decided, not only what the data say. Whoever signs it
must be able to see that, so every edit leaves an `Edit` in ``tree.edits`` and in the model file.
Leaves that were refitted on other rows are recorded there too, but nobody chose their numbers:

    {"action": "with_threshold", "node": 0, "before": 2.45, "after": 2.5, "note": "as measured"}

Ids are those of the tree before the edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from treewright.base.jsonform import (
    JSON,
    check_plain,
    plain_number,
    read_choice,
    read_index,
    read_list,
    read_object,
    read_text,
)
from treewright.exceptions import ModelFileError, brief

__all__ = [
    "Edit",
    "EditAction",
    "edits_from_json",
    "edits_to_json",
    "labels_from_json",
    "labels_to_json",
]

EditAction: TypeAlias = Literal["prune_at", "with_threshold", "with_label", "refit_leaves"]
Mark: TypeAlias = str | int | float | bool | None

_KEYS = ("action", "node", "before", "after", "note")
_MOST_NODES = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Edit:
    """One change made to a finished tree.

    Parameters
    ----------
    action : {"prune_at", "with_threshold", "with_label", "refit_leaves"}
        What was done; the name of the method of `Tree`.
    node : int or None
        Id of the node in the tree before the edit; None where all nodes were changed.
    before, after : str, number, bool or None
        What was there and what is there now: leaves below the node, threshold, label, or rows.
    note : str
        Why, by whom: whatever the editor wrote.

    See Also
    --------
    treewright.Tree.prune_at : One of the methods that leave an edit.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> tree = TreeClassifier().fit({"age": [25, 38, 52, 61]}, ["no", "no", "yes", "yes"]).tree_
    >>> edit = tree.prune_at(0, note="too few rows").edits[0]
    >>> edit.action, edit.node, edit.note
    ('prune_at', 0, 'too few rows')
    """

    action: EditAction
    node: int | None
    before: Mark
    after: Mark
    note: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.note, str):
            raise TypeError(f"The note of an edit must be a text. Got {brief(self.note)}.")

    @property
    def is_by_hand(self) -> bool:
        """Whether somebody chose the change; refitted leaves follow from rows."""
        return self.action != "refit_leaves"


def edits_to_json(edits: tuple[Edit, ...]) -> list[JSON]:
    """Write the edits as plain JSON."""

    def plain(mark: Mark) -> Mark:
        return plain_number(mark) if isinstance(mark, float) else mark

    return [
        {
            "action": edit.action,
            "node": edit.node,
            "before": plain(edit.before),
            "after": plain(edit.after),
            "note": edit.note,
        }
        for edit in edits
    ]


def edits_from_json(value: object) -> tuple[Edit, ...]:
    """Read edits, trusting nothing.

    Raises
    ------
    ModelFileError
        If they are not edits.
    """
    return tuple(_edit_from_json(item) for item in read_list(value, "The edits of the tree"))


def labels_to_json(labels: Mapping[int, str]) -> list[JSON]:
    """Write the labels of nodes as plain JSON."""
    return [{"node": node, "text": text} for node, text in sorted(labels.items())]


def labels_from_json(value: object, n_nodes: int) -> dict[int, str]:
    """Read the labels of nodes, trusting nothing.

    Raises
    ------
    ModelFileError
        If they are not labels, or a node has two.
    """
    labels: dict[int, str] = {}
    for item in read_list(value, "The labels of the tree"):
        data = read_object(item, "A label of a node", ("node", "text"))
        node = read_index(data["node"], "The node of a label", n_nodes)
        if node in labels:
            raise ModelFileError(f"Node {node} has two labels.")
        labels[node] = read_text(data["text"], f"The label of node {node}")
    return labels


def _edit_from_json(value: object) -> Edit:
    data = read_object(value, "An edit of the tree", _KEYS)
    action = read_choice(data["action"], "The action of an edit", get_args(EditAction))
    node = data["node"]
    if node is not None:
        node = read_index(node, "The node of an edit", _MOST_NODES)
    for key in ("before", "after"):
        if isinstance(data[key], dict | list):
            raise ModelFileError(f"What was there {key} an edit must be a text or a number.")
        check_plain(data[key], f"'{key}' of an edit")
    note = read_text(data["note"], "The note of an edit")
    return Edit(action, node, data["before"], data["after"], note)
