"""What is found about one row, as plain values, and how it reads in a terminal."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from treewright.schema import Level
from treewright.words import plural, share_text

__all__ = ["Change", "Crossing", "Explanation", "Nearest", "Others", "Step", "Unsure"]

_FEW = 4  # other predictions that are told one by one


@dataclass(frozen=True, slots=True)
class Crossing:
    """The change of one value that alone would turn a split.

    Parameters
    ----------
    column : str
        Name of the column.
    at : float
        The value at which the split turns.
    change : float
        How far that is from the row's own value, with its sign.
    words : str
        For example "age above 55 years".

    See Also
    --------
    Step : Where it is found, in `crossings`.
    Nearest : The smallest change that gives another prediction.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> from treewright.explain import explain_row
    >>> table = {"age": [23, 31, 38, 45, 52, 58, 61, 67], "smoker": [False, True] * 4}
    >>> model = TreeClassifier().fit(table, ["no"] * 5 + ["yes"] * 3)
    >>> explanation = explain_row(model.tree_, {"age": 42, "smoker": True})
    >>> explanation.steps[0].crossings[0].words
    'age above 55'
    """

    column: str
    at: float
    change: float
    words: str


@dataclass(frozen=True, slots=True)
class Step:
    """One split on the decision path.

    Parameters
    ----------
    node : int
        Id of the node.
    question : str
        What is asked, for example "age <= 55 years"; of a split with many branches the column, and
        of scores that compete "which is largest?".
    value : str
        What the row says, for example "age is 42 years".
    answer : str
        "yes" or "no"; the words of the branch where there are more than two; what is done instead
        where the row does not say.
    branch : int or None
        The branch taken; None if the row stops here or is divided among several.
    children : tuple of int
        Ids of the nodes where it goes on.
    share : float
        The proportion of the row that comes here: 1 unless it was divided.
    decided_by : {"test", "default", "fraction", "surrogate", "stop"}
        Who chose the branch: the split itself, or the policy of the node for rows whose value is
        missing.
    margin : float or None
        How far the row is from the cut: in the unit of the column, for linear combinations in
        theirs, for scores the lead over the next; None where there is nothing to measure.
    margin_text : str
        The same in words, for example "13 years below the cut"; empty where margin is None.
    crossings : tuple of Crossing
        Changes of single values that alone would turn the split, smallest first.

    See Also
    --------
    Explanation : Where it is found, in `steps`.
    Crossing : A change that would turn it.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> from treewright.explain import explain_row
    >>> table = {"age": [23, 31, 38, 45, 52, 58, 61, 67], "smoker": [False, True] * 4}
    >>> model = TreeClassifier().fit(table, ["no"] * 5 + ["yes"] * 3)
    >>> explanation = explain_row(model.tree_, {"age": 42, "smoker": True})
    >>> step = explanation.steps[0]
    >>> step.question, step.value, step.answer, step.margin
    ('age <= 55', 'age is 42', 'yes', 13.0)
    """

    node: int
    question: str
    value: str
    answer: str
    branch: int | None
    children: tuple[int, ...]
    share: float
    decided_by: str
    margin: float | None
    margin_text: str
    crossings: tuple[Crossing, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """Another value in one column.

    Parameters
    ----------
    column : str
        Name of the column.
    before, after : number or level
        The row's own value, and the one that would be needed.
    words : str
        For example "age 56 years instead of 42 years".

    See Also
    --------
    Nearest : All changes together.

    Examples
    --------
    >>> print(Change("age", 42, 56, "age 56 instead of 42").words)
    age 56 instead of 42
    """

    column: str
    before: Level
    after: Level
    words: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """The nearest counterfactual: the smallest change of the row that gives another prediction.

    Parameters
    ----------
    changes : tuple of Change
        What must change, all of it together.
    label : str, int, float or bool
        The prediction it gives.
    answer : str
        The same in words.
    certainty : float or None
        Probability of that class where the changed row ends; NaN if no training row ended there,
        None in regression.
    cost : float
        Sum of the changes, each in sizes of its column.
    is_smallest : bool
        Whether no smaller change gives another prediction. False if there were too many
        combinations of columns to try them all.

    See Also
    --------
    Change : One of its changes.
    Explanation : Where it is found, in `nearest`.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> from treewright.explain import explain_row
    >>> table = {"age": [23, 31, 38, 45, 52, 58, 61, 67], "smoker": [False, True] * 4}
    >>> model = TreeClassifier().fit(table, ["no"] * 5 + ["yes"] * 3)
    >>> explanation = explain_row(model.tree_, {"age": 42, "smoker": True})
    >>> nearest = explanation.nearest
    >>> [change.words for change in nearest.changes], nearest.label, nearest.is_smallest
    (['age 56 instead of 42'], 'yes', True)
    """

    changes: tuple[Change, ...]
    label: Level
    answer: str
    certainty: float | None
    cost: float
    is_smallest: bool


@dataclass(frozen=True, slots=True)
class Unsure:
    """A value that a split on the decision path needs and the row does not have.

    Parameters
    ----------
    column : str
        Name of the column.
    words : str
        What is missing and what the tree does about it.

    See Also
    --------
    Explanation : Where it is found, in `unsure`.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> from treewright.explain import explain_row
    >>> table = {"age": [23, 31, 38, 45, 52, 58, 61, 67], "smoker": [False, True] * 4}
    >>> model = TreeClassifier().fit(table, ["no"] * 5 + ["yes"] * 3)
    >>> explanation = explain_row(model.tree_, {"smoker": True})
    >>> print(explanation.unsure[0].words)
    Not sure at step 1: age is missing, so by default: yes.
    """

    column: str
    words: str


@dataclass(frozen=True, slots=True)
class Others:
    """What some of the other trees predict for the row.

    Parameters
    ----------
    label : str, int, float or bool
        Their prediction: a class, or a number.
    answer : str
        The same in words.
    n_trees : int
        How many they are.

    See Also
    --------
    Explanation : Where it is found, in `others`.

    Examples
    --------
    >>> print(Others("yes", "yes", 3).n_trees)
    3
    """

    label: Level
    answer: str
    n_trees: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a tree predicts what it does for a row; ``print`` it for the words.

    Parameters
    ----------
    target : str or None
        Name of what is predicted.
    label : str, int, float or bool
        The prediction: a class, or a number.
    answer : str
        The same in words.
    certainty : float or None
        Probability of the class; NaN if no training row ended there, None in regression.
    proportion : float or None
        Proportion of the class among the training rows that ended there, which is the probability
        unless the tree was taught by another model; None in regression, and where the row was
        divided.
    interval : tuple of two float or None
        95 % confidence interval of that proportion, or of the mean of such rows; None where there
        are too few rows, and where the row was divided.
    interval_text : str
        The same in words; empty where it is None.
    rows : float
        Training rows where the row ends.
    node : int
        Id of the node where it ends; the one with the largest part if it was divided.
    steps : tuple of Step
        The decision path.
    nearest : Nearest or None
        The smallest change that gives another prediction; None if no change of known values does.
    note : str
        Why there is no `nearest`; empty where there is one.
    unsure : tuple of Unsure
        Values that were asked for and are missing.
    possible : tuple of str, int, float or bool
        With missing values, all predictions the row may get once they are known; else only its own.
    possible_text : str
        The same in words: "no or yes", "310 to 455".
    others : tuple of Others, default ()
        What other trees predict, if any were asked: classes in their order, numbers rising.

    See Also
    --------
    explain_row : Makes one.
    Step : One split on the decision path.
    Nearest : The nearest counterfactual.

    Examples
    --------
    >>> from treewright import TreeClassifier
    >>> from treewright.explain import explain_row
    >>> table = {"age": [23, 31, 38, 45, 52, 58, 61, 67], "smoker": [False, True] * 4}
    >>> model = TreeClassifier().fit(table, ["no"] * 5 + ["yes"] * 3)
    >>> explanation = explain_row(model.tree_, {"age": 42, "smoker": True})
    >>> explanation.label, explanation.rows, explanation.nearest.label
    ('no', 5.0, 'yes')
    """

    target: str | None
    label: Level
    answer: str
    certainty: float | None
    proportion: float | None
    interval: tuple[float, float] | None
    interval_text: str
    rows: float
    node: int
    steps: tuple[Step, ...]
    nearest: Nearest | None
    note: str
    unsure: tuple[Unsure, ...]
    possible: tuple[Level, ...]
    possible_text: str
    others: tuple[Others, ...] = ()

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """Give the lines of the text, one sentence per line."""
        yield self.headline
        if self.steps:
            yield ""
        for number, step in enumerate(self.steps, start=1):
            share = "" if step.share == 1.0 else f" (for {share_text(step.share)} of the row)"
            yield f"{number}. {step.question}?{share} {step.value}: {step.answer}"
            if step.margin_text:
                yield f"   {step.margin_text}"
            if len(step.crossings) > 1 or (step.crossings and not step.margin_text):
                alone = " or ".join(crossing.words for crossing in step.crossings)
                yield f"   alone would turn it: {alone}"
        yield ""
        yield self.nearest_sentence
        for unsure in self.unsure:
            yield unsure.words
        if len(self.possible) > 1:
            yield f"Once all is known the prediction may be {self.possible_text}."
        if self.others:
            yield self.others_sentence

    @property
    def others_sentence(self) -> str:
        """What other trees predict for the row, in one sentence; empty without any."""
        n_trees = sum(one.n_trees for one in self.others)
        if not n_trees:
            return ""
        same = next((one.n_trees for one in self.others if one.label == self.label), 0)
        told = [f"{one.n_trees:,} {one.answer}" for one in self.others if one.label != self.label]
        rest = ""
        if len(told) > _FEW:
            rest = f"; the others from {self.others[0].answer} to {self.others[-1].answer}"
        elif told:
            rest = f", {', '.join(told)}"
        return f"Of {plural(n_trees, 'other tree')} {same:,} predict the same{rest}."

    @property
    def headline(self) -> str:
        """The prediction and how sure it is, in one sentence."""
        subject = "The prediction" if self.target is None else self.target
        rows = plural(self.rows, "training row")
        if any(step.decided_by == "fraction" for step in self.steps):
            rows = f"divided, the largest part ends with {rows}"
        if self.certainty is None:
            between = f", mean of such rows {self.interval_text}" if self.interval else ""
            return f"{subject} is {self.answer}{between} ({rows})"
        if math.isnan(self.certainty if self.proportion is None else self.proportion):
            return f"{subject} is {self.answer} ({rows})"
        between = f", {self.interval_text}" if self.interval else ""
        sure = share_text(self.certainty)
        if self.proportion is None or math.isclose(self.proportion, self.certainty):
            return f"{subject} is {self.answer} ({sure}{between}; {rows})"
        share = share_text(self.proportion)
        return f"{subject} is {self.answer} (probability {sure}; {share} of {rows}{between})"

    @property
    def nearest_sentence(self) -> str:
        """The counterfactual in one sentence."""
        if self.nearest is None:
            return self.note
        changes = " and ".join(change.words for change in self.nearest.changes)
        share = self.nearest.certainty
        sure = "" if share is None or math.isnan(share) else f" ({share_text(share)})"
        kind = "Nearest counterfactual" if self.nearest.is_smallest else "Counterfactual"
        return f"{kind}: {self.nearest.answer}{sure} with {changes}."
