"""What the page shows, as plain values: trees, figures and words, and nothing that was fitted.

Whoever has analysed a table fills a :class:`PageContent` and hands it to `page_html`. The page
makes what follows from a tree alone (drawing, rules, exports) itself; everything that needed rows
of the table stands here. Scores keep their own units: an accuracy of 85 % is 0.85.

    PageContent
      models      Model: one family of trees, along its path
        steps       Step: a tree, its cross-validated score, what the test rows say of it (Evidence)
        panels      Panel: rows of the table at a node of the chosen tree
      trivial     Trivial: the baseline, which needs no tree
      sample      Sample: rows of the table to try, or None
      groupings   Grouping: parts of the hold-out set by the values of a column
      stability, notes, columns, card
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from treewright.page.evidence import Evidence, Grouping
from treewright.schema import Schema
from treewright.tree import Tree

__all__ = [
    "CardField",
    "ColumnNote",
    "DataNote",
    "Measure",
    "Model",
    "NearTrees",
    "NoteKind",
    "PageContent",
    "Panel",
    "Sample",
    "Stability",
    "Step",
    "Trivial",
]

NoteKind: TypeAlias = Literal["type", "gaps", "leak", "constant", "duplicate", "other"]


@dataclass(frozen=True, slots=True)
class Measure:
    """How well a tree does, in one number.

    Parameters
    ----------
    name : str
        Words that fit after "its": "accuracy", "mean cost", "mean absolute error".
    is_share : bool, default True
        Whether it is written in percent.
    higher_is_better : bool, default True
        Which way is good.
    unit : str or None, default None
        The unit of a number that is no proportion.
    """

    name: str
    is_share: bool = True
    higher_is_better: bool = True
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Trivial:
    """The baseline, which needs no tree, and how well it does on the test rows.

    Parameters
    ----------
    words : str
        What it does: "always predicting no".
    score : float
        Its score.
    """

    words: str
    score: float


@dataclass(frozen=True, slots=True)
class Step:
    """One tree of a path.

    Parameters
    ----------
    tree : Tree
        The tree; leaves and reading effort are read from it.
    score : float or None
        Cross-validated score of trees of this size; None if there was no cross-validation.
    standard_error : float or None
        Its standard error.
    evidence : Evidence or None, default None
        What the test rows say of this very tree.
    thresholds : tuple of (float, float, float), default ()
        With two classes, what is known by cross-validation of predicting the second one from some
        probability on, the highest first: that probability, the weight of its rows that are then
        found, and of the other ones that are taken for it.
    """

    tree: Tree
    score: float | None
    standard_error: float | None
    evidence: Evidence | None = None
    thresholds: tuple[tuple[float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """A picture of the rows of the table at one node of the chosen tree.

    Parameters
    ----------
    node : int
        Id of the node in that tree.
    svg : str
        A complete svg element; names in it are taken to be escaped already.
    """

    node: int
    svg: str


@dataclass(frozen=True, slots=True)
class Model:
    """One family of trees, along its path from a single leaf to the largest tree.

    Parameters
    ----------
    key : str
        A short name of letters, digits and hyphens, unlike those of the other models: "axis".
    name : str
        What readers see: "One column per question".
    words : str
        A sentence on how its questions look and how it was grown.
    steps : tuple of Step
        The trees, fewest leaves first. Thirty are enough: the page keeps a drawing of each.
    chosen : int
        Position of the step that is recommended.
    panels : tuple of Panel, default ()
        Pictures for the recommended tree.
    proof : str, default ""
        A sentence on what was proved of the recommended tree.
    """

    key: str
    name: str
    words: str
    steps: tuple[Step, ...]
    chosen: int
    panels: tuple[Panel, ...] = ()
    proof: str = ""

    def __post_init__(self) -> None:
        if not self.steps or not 0 <= self.chosen < len(self.steps):
            raise ValueError(
                f"The chosen step of model {self.key!r} must be one of its {len(self.steps)} "
                f"steps, counted from 0. Got {self.chosen}."
            )


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows of the table for readers to try.

    Parameters
    ----------
    values : ndarray of float64
        Rows times columns as `Schema.encode` makes them: numbers, level codes, NaN where missing.
    answers : sequence of float
        The true class of each row as a position in the schema's classes, or the true number.
    """

    values: NDArray[np.float64]
    answers: Sequence[float]


@dataclass(frozen=True, slots=True)
class Stability:
    """A question that came up when the tree was refitted on bootstrap samples.

    Parameters
    ----------
    words : str
        The column or columns it asks for: "age", "age + income".
    share : float
        Proportion of the bootstrap samples in which it came up.
    detail : str, default ""
        More on it, such as the range of the thresholds.
    """

    words: str
    share: float
    detail: str = ""


@dataclass(frozen=True, slots=True)
class NearTrees:
    """The trees that are nearly as good as the fitted one, counted.

    Parameters
    ----------
    words : str
        How many there are, and what nearly as good means.
    columns : tuple of Stability
        The columns that some of them read, with the proportion that does, the most read first.
    needless : str
        A sentence on the columns that none of them reads; empty if all are read.
    claim : str
        What the page's first questions are: the best trees that begin with each.
    measure : str
        What these lose on the training rows: "errors".
    losses : tuple of str
        That of each first question, and whether it is proven.
    """

    words: str
    columns: tuple[Stability, ...]
    needless: str
    claim: str
    measure: str
    losses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DataNote:
    """Something about the table that a reader should know.

    Parameters
    ----------
    kind : {"type", "gaps", "leak", "constant", "duplicate", "other"}
        What it is about; leaks are shown first.
    column : str or None
        The column it is about; None for the whole table.
    words : str
        One or two sentences.
    """

    kind: NoteKind
    column: str | None
    words: str


@dataclass(frozen=True, slots=True)
class ColumnNote:
    """What was guessed about a column.

    Parameters
    ----------
    name : str
        The name.
    kind : str
        The kind in words: "number", "category of 8", "left out".
    gaps : float
        Proportion of missing values.
    examples : tuple of str, default ()
        Some of its values; none if no rows may be shown.
    """

    name: str
    kind: str
    gaps: float
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardField:
    """A line of the model card.

    Parameters
    ----------
    name : str
        What is asked: "Intended use".
    words : str or None
        What is known, or None if no program can know it; the page then leaves it visibly open.
    hint : str, default ""
        What to fill in.
    """

    name: str
    words: str | None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class PageContent:
    """Everything the page shows.

    Parameters
    ----------
    title : str
        Of the page: the name of the file, for example.
    measure : Measure
        What scores mean.
    trivial : Trivial
        What scores are held against.
    models : tuple of Model
        The recommended family first. All trees have the same schema.
    training_rows : float
        Number of rows the trees were grown on.
    sample : Sample or None, default None
        Rows to try; None leaves all rows out of the page.
    stability : tuple of Stability, default ()
        The first questions of trees on bootstrap samples, the most frequent first.
    questions : tuple of Stability, default ()
        The questions of the recommended tree from the root down, and how often they came up
        anywhere in those trees.
    resamples : int, default 0
        How often the tree was grown for `stability`.
    first_questions : tuple of Step, default ()
        For each set of columns that the first question may read the best tree of at most as many
        leaves as the recommended one has; the best of them first.
    near : NearTrees or None, default None
        Of an optimal tree those that are nearly as good, with a loss for each of the above.
    notes : tuple of DataNote, default ()
        What a reader should know about the table.
    columns : tuple of ColumnNote, default ()
        All columns of the table.
    card : tuple of CardField, default ()
        The model card.
    origin : tuple of (str, str), default ()
        How the page came about, as pairs of a name and a text: command, seed, version, time.
    positive : int or None, default None
        Position of the class that readers look for; it then comes first where classes are listed.
    drawn_rows : float, default 0
        Number of rows in the panels of models, where they hold only some of the rows.
    ceiling : str, default ""
        A sentence on how well models do that are too large to read.
    groupings : tuple of Grouping, default ()
        Parts of the hold-out set; evidence has figures of each.
    """

    title: str
    measure: Measure
    trivial: Trivial
    models: tuple[Model, ...]
    training_rows: float
    sample: Sample | None = None
    stability: tuple[Stability, ...] = ()
    questions: tuple[Stability, ...] = ()
    resamples: int = 0
    first_questions: tuple[Step, ...] = ()
    near: NearTrees | None = None
    notes: tuple[DataNote, ...] = ()
    columns: tuple[ColumnNote, ...] = ()
    card: tuple[CardField, ...] = ()
    origin: tuple[tuple[str, str], ...] = ()
    positive: int | None = None
    drawn_rows: float = 0
    ceiling: str = ""
    groupings: tuple[Grouping, ...] = ()

    def __post_init__(self) -> None:
        if not self.models:
            raise ValueError("The 'models' of a page must be at least one.")
        keys = [model.key for model in self.models]
        if len(set(keys)) < len(keys):
            raise ValueError(f"The keys of the models of a page must differ. Got {keys}.")
        if any(step.tree.schema != self.schema for model in self.models for step in model.steps):
            raise ValueError("All trees of a page must have the same schema.")

    @property
    def schema(self) -> Schema:
        """The columns and classes all trees speak of."""
        return self.models[0].steps[0].tree.schema

    @property
    def chosen(self) -> Step:
        """The tree that is recommended first of all."""
        return self.models[0].steps[self.models[0].chosen]

    def is_dominated(self, model: Model) -> bool:
        """Tell whether the tree of a family takes more reading than the recommended one for less.

        Parameters
        ----------
        model : Model
            One of the models.

        Returns
        -------
        bool
            False where one of the two has no cross-validated score.
        """
        ours, other = self.chosen, model.steps[model.chosen]
        if ours.score is None or other.score is None:
            return False
        better = ours.score - other.score
        better = better if self.measure.higher_is_better else -better
        more = other.tree.reading_effort - ours.tree.reading_effort
        return better >= 0.0 and more >= 0.0 and (better > 0.0 or more > 0.0)
