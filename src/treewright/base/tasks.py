"""What trees predict: classes or numbers."""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never, get_args

__all__ = ["ASKED_TASKS", "TASKS", "AskedTask", "Task", "is_regression", "task_name"]

Task: TypeAlias = Literal["classification", "regression"]
AskedTask: TypeAlias = Literal["auto", Task]
"""What somebody asks for; "auto" leaves it to the target."""

TASKS: tuple[Task, ...] = get_args(Task)
ASKED_TASKS: tuple[AskedTask, ...] = get_args(AskedTask)


def task_name(*, is_classification: bool) -> Task:
    """Name the task of a tree.

    Parameters
    ----------
    is_classification : bool
        Whether classes are predicted.

    Returns
    -------
    {"classification", "regression"}
        The task.

    Examples
    --------
    >>> task_name(is_classification=True)
    'classification'
    """
    return "classification" if is_classification else "regression"


def is_regression(task: Task) -> bool:
    """Tell whether numbers are predicted.

    Parameters
    ----------
    task : {"classification", "regression"}
        The task.

    Returns
    -------
    bool
        True for regression.

    Examples
    --------
    >>> [is_regression(task) for task in TASKS]
    [False, True]
    """
    match task:
        case "classification":
            return False
        case "regression":
            return True
        case never:
            assert_never(never)
