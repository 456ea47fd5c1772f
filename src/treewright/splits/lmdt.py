"""One branch per class by a linear machine, trained as a perceptron that cools down."""

from __future__ import annotations

from typing import ClassVar

from treewright import _core
from treewright.base.parameters import Check, count, none, number, one_of
from treewright.splits.base import SplitMethod

__all__ = ["LMDT"]


class LMDT(SplitMethod):
    """Splits of LMDT: one linear score per class, trained row by row in a random order.

    A row that is taken for another class moves the scores of both classes; the lower the
    temperature, the less so for rows far from the boundary. The machine that tells most rows right
    is kept. Columns are then taken away one by one, as long as that costs next to nothing.

    Parameters
    ----------
    start_temperature : float, default 2.0
        Temperature at the first pass through the rows, above `end_temperature`. Higher moves the
        scores longer.
    end_temperature : float, default 0.001
        Training ends below it.
    decay : float, default 0.995
        Each time the machine shrinks after it grew, the temperature is multiplied by this and
        lessened by `step`. Both numbers are quoted from the literature, not checked against a
        program of the authors.
    step : float, default 0.0005
        See `decay`.
    max_epochs : int, default 100
        Most passes through the rows in one training, however warm it still is.
    elimination : float or None, default 0.01
        Columns are taken away while the proportion of the node's rows classified correctly stays
        within this of the best seen. Larger gives shorter scores; None keeps all columns, and
        trains once instead of up to once a column.

    See Also
    --------
    PBOT : Linear scores by multinomial logistic regression.
    FACT : Linear scores by discriminant analysis.
    treewright.recipes.lmdt : The whole system, with pruning.

    Notes
    -----
    For classification only. Training is random: ``random_state`` of the estimator reproduces it,
    and the order of the rows in the table does not matter. A row of weight 2 moves the scores twice
    as far, which is not the same as two rows. A row that lacks one of the columns has no known
    branch; rows with a missing value take no part in training.

    References
    ----------
    Utgoff, Brodley (1991), Linear machine decision trees, technical report, University of
    Massachusetts.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import TreeClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = TreeClassifier(split=LMDT(), max_depth=1, random_state=0).fit(X, y)
    >>> model.tree_.n_leaves, model.score(X, y) > 0.95
    (3, True)
    """

    _checks: ClassVar[dict[str, Check]] = {
        "start_temperature": number(0.0, above=True),
        "end_temperature": number(0.0, above=True),
        "decay": number(0.0, 1.0),
        "step": number(0.0),
        "max_epochs": count(1),
        "elimination": one_of(none(), number(0.0, 1.0)),
    }

    def __init__(
        self,
        start_temperature: float = 2.0,
        *,
        end_temperature: float = 0.001,
        decay: float = 0.995,
        step: float = 0.0005,
        max_epochs: int = 100,
        elimination: float | None = 0.01,
    ) -> None:
        self.start_temperature = start_temperature
        self.end_temperature = end_temperature
        self.decay = decay
        self.step = step
        self.max_epochs = max_epochs
        self.elimination = elimination

    @property
    def for_classes_only(self) -> bool:
        """Whether the method has no form for a numeric target."""
        return True

    def check(self) -> None:
        """Refuse a parameter of a wrong value, or temperatures that leave nothing to train."""
        super().check()
        if self.start_temperature <= self.end_temperature:
            raise ValueError(
                "The 'start_temperature' parameter of LMDT must be above 'end_temperature', which "
                f"is {self.end_temperature:g}. Got {self.start_temperature:g}."
            )

    def build(self) -> _core.Method:
        """Return the method ready for growth."""
        self.check()
        parameters: dict[str, float | str] = {
            "start_temperature": float(self.start_temperature),
            "end_temperature": float(self.end_temperature),
            "decay": float(self.decay),
            "step": float(self.step),
            "max_epochs": float(self.max_epochs),
            "elimination": -1.0 if self.elimination is None else float(self.elimination),
        }
        return _core.make_method("lmdt", parameters, [])
