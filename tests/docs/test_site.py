"""The pages make a site without a warning: headings, tables, and every link and anchor."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


def built(pages: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """What `make site` does, but for HTML and round quotation marks, a seventh of its time."""
    sphinx = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "dummy"]
    given = ["-D", "smartquotes=0", "-c", str(DOCS), "-d", str(out), str(pages), str(out)]
    return subprocess.run([*sphinx, *given], capture_output=True, text=True)


def test_the_site_is_built_without_warnings(tmp_path: Path) -> None:
    pytest.importorskip("myst_parser")
    done = built(DOCS, tmp_path)
    assert done.returncode == 0, done.stderr


def test_what_leads_nowhere_is_found(tmp_path: Path) -> None:
    """Links to pages and headings that are not there, and pages that no index leads to."""
    pytest.importorskip("myst_parser")
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "index.md").write_text("# Title\n\n[a](nowhere.md), [b](index.md#no-heading)\n")
    (pages / "alone.md").write_text("# Alone\n")
    done = built(pages, tmp_path / "out")
    assert done.returncode != 0
    for name in ("nowhere.md", "no-heading", "alone.md"):
        assert name in done.stderr
