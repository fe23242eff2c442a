"""Colours of pages can be read: contrasts of WCAG 2.2 (AA) of all hues of lines, in both themes."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

CSS = files("tfc.explore").joinpath("page.css").read_text()
THEMES = {"light": r":root \{(.*?)\}", "dark": r':root\[data-theme="dark"\] \{(.*?)\}'}
TEXT, GRAPHIC = 4.5, 3.0  # success criteria 1.4.3 and 1.4.11
Colour = tuple[float, float, float]


def variables(theme: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in dict.fromkeys(["light", theme]):  # what a theme does not say is as in the other
        block = re.search(THEMES[name], CSS, re.S)
        assert block
        found |= dict(re.findall(r"(--[\w-]+):\s*([^;]+);", block[1]))
    return found


def from_hex(text: str) -> Colour:
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def from_hsl(hue: int, saturation: str, lightness: str) -> Colour:
    share = [float(text.rstrip("%")) / 100 for text in (lightness, saturation)]
    return colorsys.hls_to_rgb(hue / 360, share[0], share[1])


def luminance(colour: Colour) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_measure() -> None:
    assert contrast((0, 0, 0), (1, 1, 1)) == pytest.approx(21.0)
    assert contrast(from_hex("#767676"), (1, 1, 1)) == pytest.approx(4.54, abs=0.01)
    assert from_hsl(120, "100%", "25%") == pytest.approx((0, 0.5, 0))


def pairs(theme: str) -> Iterator[tuple[str, Colour, Colour, float]]:
    """Colours that stand on one another, and the contrast that they need."""
    known = variables(theme)
    ink, quiet, accent, paper, bar, hit = (
        from_hex(known[f"--{n}"]) for n in ("ink", "quiet", "accent", "paper", "bar", "hit")
    )
    for name, ground in (("paper", paper), ("bar", bar)):
        yield f"text on {name}", ink, ground, TEXT
        yield f"quiet on {name}", quiet, ground, TEXT
        yield f"accent on {name}", accent, ground, TEXT
    yield "what was found", ink, hit, TEXT
    yield "the chosen element", paper, accent, TEXT
    failures = re.findall(r"\.failure \{ color: (#\w+)", CSS)
    yield "a failure", from_hex(failures[theme == "dark"]), paper, TEXT
    for hue in range(360):
        for state in ("tint", "chip", "lit"):  # of a line; its gradient's; under the pointer
            ground = from_hsl(hue, known["--tint-s"], known[f"--{state}-l"])
            yield f"text on hue {hue}, {state}", ink, ground, TEXT
            if state == "tint":  # on the others all is ink: see below
                yield f"quiet on hue {hue}, {state}", quiet, ground, TEXT
        edge = from_hsl(hue, "65%", known["--mark-l"])
        yield f"the edge of hue {hue}", edge, paper, GRAPHIC


def test_what_is_lit_is_in_ink() -> None:
    assert ".row.lit > :is(i, b, em), .row.kin > :is(i, b, em) { color: inherit; }" in CSS
    assert "tr[data-lines].lit td { color: inherit; }" in CSS
    assert not re.search(r"svg[^{]*\.small[^{]*\{[^}]*fill: var\(--quiet\)", CSS)


@pytest.mark.parametrize("theme", list(THEMES))
def test_contrast(theme: str) -> None:
    low = [
        f"{name}: {contrast(one, other):.2f}"
        for name, one, other, least in pairs(theme)
        if contrast(one, other) < least
    ]
    assert not low, (len(low), low[:20])
