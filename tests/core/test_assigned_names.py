"""What results are called is read from the bytecode behind the call that gives them."""

from __future__ import annotations

import sys
from typing import Any

from tfc.core.assigned_names import assigned_names

found: list[tuple[str, ...]] = []


def probe(count: int = 1) -> Any:
    found.append(assigned_names(sys._getframe(1)))
    return (1,) * count if count > 1 else 1


def test_names_of_what_calls_give() -> None:
    global _kept
    found.clear()
    a = probe()
    b, c = probe(2)
    probe()
    d = probe() + 1
    enclosed = probe()
    _kept = probe()
    listed = [probe()]
    for _ in range(2):
        again = probe()
    x = y = probe()
    a += probe()

    def inner() -> int:
        return int(enclosed)

    assert found[:4] == [("a",), ("b", "c"), (), ()]
    assert found[4:] == [("enclosed",), ("_kept",), (), ("again",), ("again",), (), ()]
    assert (b, c, d, listed, again, x, y, inner()) == (1, 1, 2, [1], 1, 1, 1, 1)


def test_names_beyond_256_variables() -> None:
    """Their numbers take an instruction more."""
    many = "\n".join(f"    v{i} = 0" for i in range(300))
    scope: dict[str, Any] = {"probe": probe}
    exec(f"def many():\n{many}\n    last = probe()\n    return last", scope)
    found.clear()
    scope["many"]()
    assert found == [("last",)]


class Owner:
    part: Any = None
    value: Any = None


def test_names_of_attributes() -> None:
    found.clear()
    owner = Owner()
    owner.part = Owner()
    owner.value = probe()
    owner.part.value = probe()
    other = probe(), owner.value
    owner.value = probe() + 1
    numbers = {}
    numbers["a"] = probe()
    assert found == [("value",), ("value",), (), (), ()]
    assert other and numbers
