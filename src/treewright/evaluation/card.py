"""The model card: what a program can know of a tree, and open fields where only a person can."""

from __future__ import annotations

from treewright.page import CardField
from treewright.tree import Tree
from treewright.words import plural

__all__ = ["card_fields"]


def card_fields(
    tree: Tree, n_test: int, *, is_cross_validated: bool, words: str = ""
) -> tuple[CardField, ...]:
    """Return the lines of a model card.

    Parameters
    ----------
    tree : Tree
        The tree.
    n_test : int
        Rows of the hold-out set it was evaluated on; 0 if there was none.
    is_cross_validated : bool
        Whether its size was compared with others by cross-validation.
    words : str, default ""
        How it was found.

    Returns
    -------
    tuple of CardField
        Those that no program can know have no words.
    """
    schema = tree.schema
    predicts = "a number" if schema.classes is None else f"one of {len(schema.classes)} classes"
    judged = "There is no hold-out set; nobody knows yet how well it does on new rows."
    if n_test:
        judged = f"On a hold-out set of {n_test:,} rows, which took part in no choice."
    if is_cross_validated:
        judged += " Sizes along the path were compared by cross-validation on the training rows."
    return (
        CardField(
            "Model",
            f"A decision tree with {plural(tree.n_leaves, 'leaf')} that predicts {predicts}. "
            f"{words}".rstrip(),
        ),
        CardField(
            "Training data",
            f"{int(tree.core.rows[0]):,} rows, {plural(schema.n_columns, 'column')}.",
        ),
        CardField("How it was evaluated", judged),
        CardField(
            "Known weaknesses",
            "Leaves with few rows have wide intervals. Rows unlike those it was grown on get a "
            "prediction too.",
        ),
        CardField("Intended use", None, "Which decision it supports, and who takes it."),
        CardField("Not to be used for", None, "Decisions and groups it was not made for."),
        CardField("Where the data come from", None, "Who collected them, when, how, from whom."),
        CardField(
            "People affected",
            None,
            "Who is better or worse off by its mistakes; how it does for each group.",
        ),
        CardField(
            "Person in charge", None, "Who is responsible for it, and whom to tell of mistakes."
        ),
        CardField("Valid until", None, "When to look at new data again."),
    )
