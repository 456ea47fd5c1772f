"""A sequence of trees, from the largest to the smallest: what each step costs.

The axis runs from large trees to small ones. Between two trees of a path the smaller one is the
best that is allowed, so the line falls or rises at the larger one (as ``path.at(leaves=...)``
chooses). Dots are the trees.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from numpy.typing import NDArray

from treewright.base.parameters import boolean, check_arguments, choice, none, one_of
from treewright.exceptions import brief
from treewright.plot.figures.axes import CHARACTER, FONT, number_axis
from treewright.plot.figures.figures import as_they_are, figure_for, write_around
from treewright.plot.figures.styles import CUT, MEAN, style_of
from treewright.schema.shortening import shortened
from treewright.words import name_text, number_text, plural

__all__ = ["path_steps"]

_INCHES = (6.4, 4.2)
_SIZES = {
    "complexity": "complexity",
    "leaves": "leaves",
    "reading_effort": "reading effort (values per row)",
}
_MANY = 40  # from this size on the axis is logarithmic: most is to be seen among small trees
_ALPHA_DIGITS = 2
_LONGEST_NAME = 28


def path_steps(
    path: Any,
    *,
    size: str | None = None,
    relative: bool = True,
    figure: Figure | SubFigure | None = None,
) -> Figure | SubFigure:
    """Draw what a sequence of trees loses from step to step.

    Parameters
    ----------
    path : path or fitted model, or mapping of str to these
        The trees of pruning, trimming or squeezing, such as ``model.path_``; several of them by
        name are drawn over each other.
    size : {"complexity", "leaves", "reading_effort"} or None, default None
        What stands below; it falls to the right. By default complexity where all paths know it,
        else leaves.
    relative : bool, default True
        Draw risks relative to that of the root alone, so that those of training rows and of rows
        held out can be compared; False draws sums.
    figure : Figure or SubFigure, optional
        Where to draw, with nothing else on it; by default a new figure, which pyplot does not know.

    Returns
    -------
    Figure or SubFigure
        Risk of the training rows and, where known, of rows held out, with one standard error to
        either side; the chosen tree is marked. With one path, its alphas stand above.

    Raises
    ------
    TypeError
        If there is no path.
    ValueError
        If a path does not know the size asked for.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import recipes
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = recipes.cart(random_state=0).fit(X, y)
    >>> figure = path_steps(model.path_)
    >>> figure.axes[0].get_xlabel()
    'leaves'
    """
    check_arguments(
        "path_steps",
        {"size": size, "relative": relative},
        {"size": one_of(none(), choice(*_SIZES)), "relative": boolean()},
    )
    paths = _named_paths(path)
    size = _size_of(paths, size)
    figure = figure_for("path_steps", figure, _INCHES)
    axes = figure.add_subplot()
    for code, (name, trees) in enumerate(paths.items()):
        colour = style_of(code).colour
        units = _units(trees) if relative else (1.0, 1.0)
        _draw_path(axes, trees, size, units, (colour, colour if name else MEAN), name)
    _set_sizes(axes, [_numbers(trees, size) for trees in paths.values()], size)
    number_axis(axes.yaxis, "risk relative to that of the root" if relative else "risk")
    axes.legend(fontsize=FONT, frameon=False, loc="best")
    if len(paths) == 1:
        (trees,) = paths.values()
        _write_alphas(axes, trees, size, float(figure.bbox.width / figure.dpi) - 1.0)
    write_around(figure, "", [_note(paths, size)], float(figure.bbox.width / figure.dpi))
    as_they_are([figure])
    return figure


def _named_paths(path: Any) -> dict[str, Sequence[Any]]:
    """Check what was given, and give each path a name that fits into a legend."""
    given = dict(path) if isinstance(path, Mapping) else {"": path}
    named = {name: getattr(trees, "path_", trees) for name, trees in given.items()}
    for trees in named.values():
        is_path = isinstance(trees, Sequence) and len(trees) > 0
        if not is_path or not hasattr(trees[0], "risk") or not hasattr(trees[0], "alpha"):
            raise TypeError(
                "The 'path' parameter of path_steps must be a path, a fitted model that has "
                f"one as its path_, or a mapping of names to these. Got {brief(trees)}."
            )
    if not named:
        raise TypeError("The 'path' parameter of path_steps must hold a path. Got an empty one.")
    return {
        shortened(name_text(str(name)), _LONGEST_NAME) if len(named) > 1 else "": trees
        for name, trees in named.items()
    }


def _size_of(paths: Mapping[str, Sequence[Any]], asked: str | None) -> str:
    """Choose what stands below the axis; all trees of all paths must know it."""
    known = [
        name
        for name in _SIZES
        if all(getattr(trees[0], name, None) is not None for trees in paths.values())
    ]
    if asked is not None and asked not in known:
        raise ValueError(
            f"The 'size' parameter of path_steps must be one that all paths know, "
            f"{' or '.join(map(repr, known))}. Got {asked!r}."
        )
    return asked or known[0]


def _numbers(trees: Sequence[Any], name: str) -> NDArray[np.float64]:
    """Return one number per tree; NaN where it is not known."""
    found = [getattr(tree, name, None) for tree in trees]
    return np.array([np.nan if number is None else number for number in found], dtype=np.float64)


def _units(trees: Sequence[Any]) -> tuple[float, float]:
    """Return the risk of the root alone, on training rows and on rows held out."""
    root = getattr(trees, "root_risk", None)
    if root is None:  # a part of a path
        first = trees[0]
        root = first.risk / first.relative_risk if first.relative_risk > 0.0 else first.risk
    return root or 1.0, getattr(trees, "cv_unit", None) or root or 1.0


def _draw_path(
    axes: Axes,
    trees: Sequence[Any],
    size: str,
    units: tuple[float, float],
    colours: tuple[str, str],
    name: str,
) -> None:
    """Draw the risk of training rows and that of rows held out, in units and colours of each."""
    sizes, before = _numbers(trees, size), f"{name}, " if name else ""
    risk = _numbers(trees, "risk") / units[0]
    look: dict[str, Any] = {"color": colours[0], "linewidth": 1.6, "markersize": 4.0, "zorder": 3}
    axes.step(sizes, risk, where="pre", marker="o", label=f"{before}training rows", **look)
    mean = _numbers(trees, "cv_risk") / units[1]
    error = _numbers(trees, "cv_standard_error") / units[1]
    if np.isfinite(mean).any():
        label = f"{before}rows held out, ± 1 standard error"
        look |= {"color": colours[1], "linestyle": "--", "markerfacecolor": "white", "zorder": 4}
        axes.step(sizes, mean, where="pre", marker="o", label=label, **look)
        low, high = mean - error, mean + error
        axes.fill_between(sizes, low, high, step="pre", color=colours[1], alpha=0.15, linewidth=0)
    chosen = getattr(trees, "chosen", None)
    if chosen is not None:
        shown = mean if np.isfinite(mean[chosen]) else risk
        axes.plot(
            sizes[chosen], shown[chosen], "o", markersize=13, markerfacecolor="none", color=CUT,
            markeredgewidth=1.6, linestyle="none", zorder=6,
        )  # fmt: skip


def _set_sizes(axes: Axes, sizes: Sequence[NDArray[np.float64]], size: str) -> None:
    """Let sizes fall to the right."""
    known = np.concatenate(sizes)
    low, high = float(known.min()), float(known.max())
    if high > _MANY and low > 0.0:
        axes.set_xscale("log")
        axes.minorticks_off()
        steps = [base * 10.0**power for power in range(10) for base in (1, 2, 5)]
        number_axis(axes.xaxis, _SIZES[size])
        axes.set_xticks([step for step in steps if low <= step <= high])
        axes.set_xlim(high * 1.1, low / 1.1)
        return
    number_axis(axes.xaxis, _SIZES[size], 9, is_whole=size != "reading_effort")
    margin = 0.04 * (high - low) or 0.5
    axes.set_xlim(high + margin, low - margin)


def _write_alphas(axes: Axes, trees: Sequence[Any], size: str, inches: float) -> None:
    """Write alphas above their trees, as many as there is room for; that of the chosen one first.

    Two significant digits are enough to tell which tree a price leads to.
    """
    sizes, alphas = _numbers(trees, size), _numbers(trees, "alpha")
    words = [number_text(float(f"{alpha:.{_ALPHA_DIGITS}g}")) for alpha in alphas]
    ends = axes.transData.transform([[end, 0.0] for end in axes.get_xlim()])[:, 0]
    places = axes.transData.transform(np.column_stack([sizes, 0.0 * sizes]))[:, 0]
    places = (places - ends[0]) / (ends[1] - ends[0]) * inches
    chosen = getattr(trees, "chosen", None)
    order = [*([] if chosen is None else [chosen]), len(sizes) - 1, *range(len(sizes) - 1)]
    shown: list[int] = []
    for tree in dict.fromkeys(order):
        if all(_is_apart(tree, other, places, words) for other in shown):
            shown.append(tree)
    above = axes.secondary_xaxis("top")
    above.set_xticks(sizes[shown], [words[tree] for tree in shown], fontsize=FONT)
    above.minorticks_off()
    above.set_xlabel("alpha", fontsize=FONT)


def _is_apart(one: int, other: int, places: NDArray[np.float64], words: Sequence[str]) -> bool:
    """Whether two words of an axis leave a space between them."""
    needed = CHARACTER * (0.5 * (len(words[one]) + len(words[other])) + 1.0)
    return bool(abs(places[one] - places[other]) > needed)


def _note(paths: Mapping[str, Sequence[Any]], size: str) -> str:
    """Say how large the chosen trees are."""
    sentences = []
    for name, trees in paths.items():
        chosen = getattr(trees, "chosen", None)
        if chosen is not None:
            leaves = plural(trees[chosen].leaves, "leaf")
            of = f" of {name}" if name else ""
            number = number_text(float(f"{getattr(trees[chosen], size):.3g}"))
            more = "" if size == "leaves" else f", {size.replace('_', ' ')} {number}"
            sentences.append(f"The ring marks the chosen tree{of}: {leaves}{more}.")
    return " ".join(sentences)
