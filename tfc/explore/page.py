"""One HTML file with all there is to see: texts as <pre>, what scripts need of them as JSON."""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import Any

from .program import Panel, Shown
from .rows import Column, Lines

GOLDEN_ANGLE = 137.508  # between hues: neighbours are never alike (degrees)
SCRIPTS = ("lines.js", "column.js", "elements.js", "steps.js", "page.js")
SEPARATOR = "\u2063\n"  # between the values of steps


def html(programs: Sequence[Shown], lines: Lines) -> str:
    """The page of these functions."""
    sets: dict[tuple[int, ...], int] = {}
    described = [_described(p, number, sets) for number, p in enumerate(programs)]
    for p, key in zip(described, _keys([p.name for p in programs]), strict=True):
        p["key"] = key
    data = {
        "lines": _coloured(lines),
        "sets": list(map(list, sets)),
        "programs": described,
    }
    text = json.dumps(data, separators=(",", ":")).replace("</", "<\\/")
    own = files(__package__)
    scripts = "".join(own.joinpath(name).read_text() for name in SCRIPTS)
    body = "\n".join(_plain(p, number) for number, p in enumerate(programs))
    title = escape(", ".join(dict.fromkeys(p.name for p in programs)))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title} - tfc explorer</title>\n"
        f"<style>\n{own.joinpath('page.css').read_text()}</style>\n"
        # With scripts the texts are never laid out.
        "<script>document.documentElement.className = 'scripted'</script></head>\n<body>\n"
        f'<div class="plain"><h1>{title}</h1>\n{body}</div>\n'
        f'<script type="application/json" id="data">{text}</script>\n'
        f'<script>\n"use strict";\n(() => {{\n{scripts}}})();\n</script>\n</body></html>\n'
    )


def _coloured(lines: Lines) -> list[list[Any]]:
    """Each line with its hue: that of a derivative is that of its line."""
    places = sorted({(line.file, line.number) for line in lines.known})
    hues = {place: round(i * GOLDEN_ANGLE % 360) for i, place in enumerate(places)}
    return [
        [line.file, line.number, int(line.derivative), hues[line.file, line.number]]
        for line in lines.known
    ]


def _keys(names: Sequence[str]) -> list[str]:
    """What links call functions: their names, with numbers from the second of a name on."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}~{seen[name]}")
    return found


def _described(p: Shown, number: int, sets: dict[tuple[int, ...], int]) -> dict[str, Any]:
    return {
        "id": f"f{number}",
        "name": p.name,
        "label": p.label,
        "file": p.file,
        "about": p.about,
        "described": [_column(column, sets) for column in p.columns],
        "kernels": p.kernels,
        "steps": p.steps.rows,
        "elements": p.steps.elements.as_data(),
    }


def _column(column: Column, sets: dict[tuple[int, ...], int]) -> dict[str, Any]:
    """The rows' sets of lines, each with how often it comes one after the other."""
    numbers = (sets.setdefault(row.lines, len(sets)) if row.lines else -1 for row in column.rows)
    keys: list[int] = []
    for value, run in groupby(numbers):
        keys += [value, sum(1 for _ in run)]
    return {
        "name": column.name,
        "title": column.title,
        "keys": keys,
        "folds": [[f.first, f.last, int(f.closed)] for f in column.folds],
        "shown": column.shown,
    }


def _plain(p: Shown, number: int) -> str:
    """What browsers without scripts show."""
    parts = [f'<section id="f{number}"><h2>{escape(p.label)}</h2>']
    if p.failure:
        parts.append(f'<div class="failure">{escape(p.failure)}</div>')
    for column in p.columns:
        opened = " open" if column.shown else ""
        parts.append(
            f"<details{opened}><summary>{escape(column.title)}</summary>"
            f'<pre id="f{number}-{column.name}">{escape(column.text, quote=False)}</pre></details>'
        )
    for panel in _panels(p, number):
        kind = f' data-kind="{panel.kind}"' if panel.kind else ""
        parts.append(
            f'<div class="panel" data-title="{panel.title}"{kind}>'
            f"<h3>{panel.title}</h3>{panel.html}</div>"
        )
    return "\n".join([*parts, "</section>"])


def _panels(p: Shown, number: int) -> list[Panel]:
    found = []
    if p.failure:
        text = f'<div class="failure">{escape(p.failure)}</div>'
        found.append(Panel("What failed", text, "failure"))
    found += p.panels
    note = f"<p>{escape(p.steps.note)}</p>" if p.steps.note else ""
    if p.steps.rows:
        values = escape(SEPARATOR.join(p.steps.values), quote=False)
        found.append(Panel("Steps", f'{note}<pre id="f{number}-values">{values}</pre>', "steps"))
    elif note:
        found.append(Panel("Steps", note))
    return found


def write(text: str, path: str | os.PathLike[str] | None, name: str) -> str:
    """Write a page to `path`; None: to a file in the folder for temporary ones. Its path."""
    if path is None:
        safe = "".join(c if c.isalnum() else "_" for c in name)
        number, path = tempfile.mkstemp(prefix=f"tfc-{safe}-", suffix=".html")
        os.close(number)
    with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
    return os.path.abspath(path)


__all__ = ["html", "write"]
