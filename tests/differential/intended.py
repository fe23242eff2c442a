"""Where results differ because they should: `intended.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parent / "intended.toml"


@dataclass(frozen=True)
class Intended:
    """The programs whose texts begin so, evaluated in these ways ("value", "first", "second")."""

    title: str
    reason: str
    programs: tuple[str, ...]
    ways: tuple[str, ...]

    @property
    def is_wide(self) -> bool:
        """Whether only `--wide` runs its programs."""
        return all(p.startswith(("case ", "ragged ", "sparse ")) for p in self.programs)

    def covers(self, name: str, way: str) -> bool:
        return way in self.ways and name.startswith(self.programs)


def load() -> list[Intended]:
    """The entries of the file."""
    every = ["value", "first", "second"]
    return [
        Intended(e["title"], e["reason"], tuple(e["programs"]), tuple(e.get("ways", every)))
        for e in tomllib.loads(FILE.read_text())["difference"]
    ]
