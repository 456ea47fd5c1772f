"""What stands in a picture, and rows to draw, for tests of plots."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.text import Text
from sklearn.datasets import load_iris


def iris() -> tuple[dict[str, Any], Any]:
    data = load_iris()
    names = ("sepal length", "sepal width", "petal length", "petal width")
    X = {name: data.data[:, number] for number, name in enumerate(names)}
    return X, data.target_names[data.target]


def two_clouds() -> tuple[dict[str, Any], Any]:
    rng = np.random.default_rng(0)
    side = rng.integers(0, 2, 200)
    X = {name: rng.normal(size=200) + side for name in ("a", "b", "c", "d")}
    return X, np.array(["low", "high"])[side]


def points(axes: Axes) -> int:
    return sum(len(c.get_offsets()) for c in axes.collections if isinstance(c, PathCollection))


def bars(axes: Axes) -> list[Any]:
    return [bar for container in axes.containers for bar in container]


def texts(figure: Figure) -> list[Text]:
    return [text for text in figure.findobj(Text) if text.get_text()]


def words(figure: Figure) -> str:
    return "\n".join(text.get_text() for text in texts(figure))


def legend(figure: Figure) -> list[str]:
    (found,) = figure.legends
    return [text.get_text() for text in found.get_texts()]
