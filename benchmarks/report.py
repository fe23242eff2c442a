"""What was measured, as a summary, as a table in Markdown and as a plot in SVG."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from .harness import Result, Timing

DOCS = Path(__file__).resolve().parents[1] / "docs" / "reference"
PAGE = DOCS / "performance.md"
NEAR = 0.9  # of a copy: what is bound by memory has to reach it


def behind(result: Result) -> bool:
    """Whether a peer is faster."""
    return result.behind is not None and result.behind > 1.0


def far(result: Result) -> bool:
    """Whether work that is bound by memory does not come near a copy."""
    limit, share = result.limit, result.share
    return bool(limit and limit.contender.name == "copy" and share is not None and share < NEAR)


def summary(results: Sequence[Result]) -> list[str]:
    """Which rows are not where they shall be."""
    compared = [r for r in results if r.behind is not None]
    ahead = sum(not behind(r) for r in compared)
    found = [f"tfc is ahead of the best peer in {ahead} of {len(compared)} rows."]
    found = found if compared else []
    for title, chosen in (("Behind", behind), ("Far from a copy", far)):
        names = [_state(r) for r in results if chosen(r)]
        if names:
            found += [f"{title}:", *(f"    {name}" for name in names)]
    broken = [r.row.name for r in results if r.broken]
    if broken:
        found += ["Broken:", *(f"    {name}" for name in broken)]
    return found


def _state(result: Result) -> str:
    words = [result.row.name]
    if result.behind is not None and result.best_peer:
        words.append(f"{result.behind:.2f} of {result.best_peer.contender.name}")
    if result.share is not None and result.limit:
        words.append(f"{result.share:.2f} of the limit ({result.limit.contender.name})")
    return ", ".join(words)


# The page.


RATES = ("contractions",)  # tables that show how much is done in a second


def write(
    results: Sequence[Result], about: Sequence[str], threads: int, page: Path | None = None
) -> None:
    """Put the tables into the page, in place of those for so many threads, and plots beside."""
    page = page or PAGE
    for table in dict.fromkeys(r.row.table for r in results if r.row.table):
        rows = [r for r in results if r.row.table == table]
        plot = DOCS / f"performance-{table}-{threads}.svg"
        name = f"{table}, {threads} threads"
        begin, end = f"<!-- begin: {name} -->", f"<!-- end: {name} -->"
        text = page.read_text()
        if begin not in text or end not in text:
            raise ValueError(f"{page} has no place for a table: want the lines {begin} and {end}")
        head, _, rest = text.partition(begin)
        _, _, tail = rest.partition(end)
        lines = [begin, "", *markdown(rows, about, threads, plot.name), "", end]
        plot.write_text(svg(rows, threads))
        page.write_text(head + "\n".join(lines) + tail)


def markdown(results: Sequence[Result], about: Sequence[str], threads: int, plot: str) -> list[str]:
    """The dated table with what it says of the machine."""
    date = datetime.date.today().isoformat()
    columns = _peers(results)
    titles = ["row", "tfc", *columns, "tfc / best", "of limit"]
    rates = results[0].row.table in RATES
    found = [
        f"{date}, {threads} thread{'s' * (threads != 1)} for every contender"
        + (f"; {results[0].row.unit}." if rates else "."),
        "",
        *(f"- {line}" for line in about),
        "",
        f"![times over the best peer's]({plot})",
        "",
        "| " + " | ".join(titles) + " |",
        "| " + " | ".join(["---", *("---:" for _ in titles[1:])]) + " |",
    ]
    return found + ["| " + " | ".join(_cells(r, columns)) + " |" for r in results]


def _peers(results: Sequence[Result]) -> list[str]:
    """The peers' names, in the order in which rows have them."""
    names: dict[str, None] = {}
    for result in results:
        for c in [*(t.contender for t in result.timings), *result.failures]:
            if not c.ours and not c.limit:
                names[c.name] = None
    return list(names)


def _cells(result: Result, columns: Sequence[str]) -> list[str]:
    row = result.row
    if result.error:
        return [row.name, "failed", *("" for _ in columns), "", ""]
    show = row.show_rate if row.table in RATES else row.show
    by_name = {t.contender.name: show(t.best) for t in result.timings}
    by_name |= {c.name: "failed" for c in result.failures}
    limit = result.limit.contender.name if result.limit else ""
    ratio = "" if result.behind is None else f"{result.behind:.2f}"
    share = "" if result.share is None else f"{result.share:.2f} {limit}"
    return [row.name, *(by_name.get(n, "") for n in ("tfc", *columns)), ratio, share]


# The plot: a line a row, with a mark for each contender at its time over the best peer's.

COLOURS = ("#c4320a", "#8a8a8a", "#e8a33d", "#b58900", "#2f6fb7", "#3c9d6b", "#7a4fb5", "#222222")
LEFT, WIDTH, STEP, TOP = 300, 560, 18, 64
LEAST, MOST = 1 / 16, 16.0


def svg(results: Sequence[Result], threads: int) -> str:
    """Marks on a logarithmic scale; left of the line at 1 is faster than the best peer."""
    shown = [r for r in results if r.behind is not None]
    names = ["tfc", *_peers(shown)]
    colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}
    height = TOP + STEP * len(shown) + 28
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 40}" height="{height}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{LEFT + WIDTH + 40}" height="{height}" fill="white"/>',
        f'<text x="12" y="20" font-size="13">Times over the best peer\'s, {threads} thread'
        f"{'s' * (threads != 1)}: left is faster</text>",
        *_legend(colours),
        *_scale(height),
    ]
    for i, result in enumerate(shown):
        parts += _marks(result, TOP + STEP * i + STEP // 2, colours)
    return "\n".join([*parts, "</svg>", ""])


def _legend(colours: dict[str, str]) -> list[str]:
    found, x = [], 12
    for name, colour in colours.items():
        found.append(f'<circle cx="{x + 4}" cy="38" r="4" fill="{colour}"/>')
        found.append(f'<text x="{x + 12}" y="42">{escape(name)}</text>')
        x += 28 + 7 * len(name)
    return found


def _place(ratio: float) -> float:
    clipped = min(max(ratio, LEAST), MOST)
    return LEFT + WIDTH * math.log(clipped / LEAST) / math.log(MOST / LEAST)


def _scale(height: int) -> list[str]:
    found = []
    for power in range(-4, 5):
        x = _place(2.0**power)
        colour, label = ("#444444", "1") if power == 0 else ("#dddddd", f"{2.0**power:g}")
        found.append(
            f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{height - 24}" stroke="{colour}"/>'
        )
        found.append(f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle">{label}</text>')
    return found


def _marks(result: Result, y: int, colours: dict[str, str]) -> list[str]:
    peer = result.best_peer
    assert peer is not None
    found = [
        f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{escape(result.row.name)}</text>'
    ]

    def mark(t: Timing, size: int) -> str:
        ratio = t.over(peer)
        title = f"{t.contender.name}: {result.row.show(t.best)}, {ratio:.2f}"
        return (
            f'<circle cx="{_place(ratio):.1f}" cy="{y}" r="{size}" '
            f'fill="{colours[t.contender.name]}"><title>{escape(title)}</title></circle>'
        )

    others = [t for t in result.timings if not t.contender.ours and not t.contender.limit]
    found += [mark(t, 3) for t in others]
    return found + [mark(t, 5) for t in result.timings if t.contender.name == "tfc"]
