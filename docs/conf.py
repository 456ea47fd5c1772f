"""The site: `nox -s docs` builds it into build/site, without a network.

Pages are Markdown (MyST). What a program knows is written by the build into docs/made, which is not
kept: the pages of the API from docstrings, the gallery from docs/gallery, the benchmarks from
benchmarks/results.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

from treewright import __version__

project = "treewright"
author = "treewright developers"
copyright = "treewright developers, MIT licence"  # noqa: A001
version = release = __version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "site_parts",
]
exclude_patterns = ["gallery", "made/gallery/**/*.md", "made/gallery/**/*.ipynb"]
templates_path = ["templates"]
nitpicky = True

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_typehints = "none"  # docstrings say the types
autosummary_generate = True
numpydoc_show_class_members = False  # the template lists them
copybutton_exclude = ".linenos, .gp, .go"

sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "made/gallery",
    "image_scrapers": ("site_parts.save_figures",),
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_signature": False,
    "write_computation_times": False,
    "abort_on_example_error": True,
    "min_reported_time": 2,
    "matplotlib_animations": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "treewright"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["site.css"]
html_sidebars = {"coming-from": []}  # code in two columns needs the room
html_theme_options = {
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "header_links_before_dropdown": 5,
    "show_prev_next": True,
}
