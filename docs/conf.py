"""How Sphinx makes a site of these pages (`make site`), which needs no network to be read.

The pages are plain Markdown. What stands where on the site is what the index pages say: the links
of an `index.md` to pages become its entry in the table of contents, in their order.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

project = "tfc"
author = "the tfc authors"
project_copyright = "the tfc authors, under the Apache License 2.0"
_PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
version = release = tomllib.loads(_PROJECT.read_text())["project"]["version"]

extensions = ["myst_parser"]
myst_heading_anchors = 3  # `#a-heading`, as code hosts make them
exclude_patterns = ["_build"]
nitpicky = True

html_theme = "alabaster"  # its fonts and scripts are files of the site
html_theme_options = {
    "description": "A compiled array language in Python",
    "fixed_sidebar": True,
    "body_max_width": "auto",
    "page_width": "1250px",
}
html_show_sourcelink = False
html_copy_source = False

_LINK = re.compile(r"\]\(([\w./-]+)\.md(?:#[\w-]*)?\)")


def _with_contents(app: Any, page: str, text: list[str]) -> None:
    """An index page, and the pages that it links to as a table of contents."""
    if page.rpartition("/")[2] == "index":
        pages = dict.fromkeys(link for link in _LINK.findall(text[0]) if ".." not in link)
        entries = "\n".join(pages)
        text[0] += f"\n\n```{{toctree}}\n:hidden:\n:maxdepth: 2\n\n{entries}\n```\n"


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("source-read", _with_contents)
