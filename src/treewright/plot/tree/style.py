"""The style sheet of drawn trees: type, calm greys, class colours, light and dark.

Every colour that differs between light and dark is a CSS variable (``--tw-ink``, ``--tw-paper``,
...) with a plain colour before it, for programs that know no variables. A page with a dark mode of
its own draws with the theme "light" and sets the variables.
"""

from __future__ import annotations

from typing import Literal, get_args

from treewright.plot.tree.contents import SMALL, TYPE
from treewright.words.colours import CLASS_COLOURS

__all__ = ["N_COLOURS", "N_TINTS", "THEMES", "Theme", "colours_of", "tree_style"]

Theme = Literal["light", "dark", "auto"]
THEMES: tuple[Theme, ...] = get_args(Theme)

N_COLOURS = len(CLASS_COLOURS)
N_TINTS = 5  # of numbers: those of leaves, and those of points

_LIGHT = {
    "paper": "#fff",
    "ink": "#1f2933",
    "quiet": "#52606d",
    "way": "#d3dae1",
    "edge": "#9aa5b1",
    "test": "#f5f7fa",
    "rest": "#b8c2cc",
    "lit": "#1f2933",
    **{f"class-{code}": colour for code, colour in enumerate(CLASS_COLOURS)},
}
_DARK = {
    "paper": "#1b1f24",
    "ink": "#e8ebee",
    "quiet": "#a9b4bf",
    "way": "#434c57",
    "edge": "#6b7682",
    "test": "#262c34",
    "rest": "#5b6672",
    "lit": "#f5f7fa",
    "class-0": "#2e8bd0",  # small points of the darker blue would hardly be seen
    "class-6": "#f2f2f2",  # black would not be seen at all
}
_TINTS = ("#5e3c99", "#4f74b8", "#2fa08a", "#8fbf3f", "#f0b429")  # from low to high
_FONT = '"Helvetica Neue",Arial,"Liberation Sans",sans-serif'


def colours_of(theme: Theme) -> dict[str, str]:
    """Give the colour of each role; with "auto" those for light."""
    return {**_LIGHT, **_DARK} if theme == "dark" else _LIGHT


def tree_style(theme: Theme) -> str:
    """Write the style sheet of one theme.

    Parameters
    ----------
    theme : {"light", "dark", "auto"}
        With "auto" the reader's system decides.

    Returns
    -------
    str
        Rules for elements inside of ``.tw-<theme>`` only; those of several drawings may stand on
        one page.
    """
    colours = colours_of(theme)

    def var(role: str, attribute: str = "fill") -> str:
        plain = colours[role]
        return f"{attribute}:{plain};{attribute}:var(--tw-{role},{plain})"

    rules = {
        "": f"font:{TYPE:g}px {_FONT};{var('paper', 'background')}",
        "text": f"{var('ink')};text-anchor:middle",
        ".b": "font-weight:bold",
        ".s": f"font-size:{SMALL:g}px;{var('quiet')}",
        ".k": f"font-size:{SMALL:g}px;text-anchor:start",
        "[data-branch] path": f"fill:none;{var('way', 'stroke')}",
        "[data-branch] text": (
            f"font-size:{SMALL:g}px;{var('paper', 'stroke')};stroke-width:5px;paint-order:stroke;"
            "stroke-linejoin:round"
        ),
        ".paper": var("paper"),
        ".test>rect": f"{var('test')};{var('edge', 'stroke')}",
        ".leaf>rect": "fill-opacity:.13;stroke-width:1.5",
        ".fold>rect": f"fill:none;stroke-dasharray:4 3;{var('edge', 'stroke')}",
        ".rest": var("rest"),
        ".o": f"fill:none;{var('edge', 'stroke')};stroke-width:.7",
        ".mean": var("ink"),
        ".e": f"font-size:{SMALL:g}px;text-anchor:end",
        ".t": f"font-size:{TYPE:g}px;font-weight:bold",
        ".axis": f"fill:none;{var('edge', 'stroke')}",
        ".grid": f"fill:none;{var('way', 'stroke')};stroke-width:.6",
        ".no": f"{var('way')};fill-opacity:.45",
        ".none": var("rest"),
        ".cut": f"fill:none;{var('ink', 'stroke')};stroke-width:1.6",
        ".p": "fill:none;stroke-width:5;stroke-linecap:round;stroke-opacity:.8",
        ".average": f"fill:none;{var('class-5', 'stroke')};stroke-width:2.5",
        "[data-branch].lit>path": var("lit", "stroke"),
        ".lit>rect": f"{var('lit', 'stroke')};stroke-width:3",
    }
    for code in range(N_COLOURS):
        rules[f".c{code}"] = f"{var(f'class-{code}')};{var(f'class-{code}', 'stroke')}"
    for tint in range(N_TINTS):
        rules[f".q{tint}"] = f"stroke:{_TINTS[tint]}"
        rules[f".leaf>.v{tint}"] = f"fill-opacity:{0.04 + 0.08 * tint:.2g}"
    sheet = "".join(
        f".tw-{theme} {selector}".rstrip() + f"{{{rule}}}" for selector, rule in rules.items()
    )
    if theme == "auto":
        dark = ";".join(f"--tw-{role}:{colour}" for role, colour in _DARK.items())
        sheet += f"@media(prefers-color-scheme:dark){{.tw-auto{{{dark}}}}}"
    return sheet
