"""Hash tables of native code: what a dictionary would give, through growth, removal and reuse."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tfc.backends.cpu.tables import NONE, KeyRows


def vector(keys: list[Any], of_strings: bool) -> np.ndarray:
    if not of_strings:
        return np.array(keys, np.int64)
    found = np.empty(len(keys), object)
    found[:] = keys
    return found


@pytest.mark.parametrize("of_strings", [False, True])
@pytest.mark.parametrize("kinds", [20, 5000])
def test_as_a_dictionary(of_strings: bool, kinds: int) -> None:
    draw, table = random.Random(kinds), KeyRows(of_strings)
    known: dict[Any, int] = {}

    def drawn(count: int) -> list[Any]:
        numbers = [draw.randrange(kinds) * (1 << draw.choice((0, 20, 40))) for _ in range(count)]
        return [b"x" * (n % 19) + b"%d" % n for n in numbers] if of_strings else numbers

    for _ in range(120):
        keys = drawn(draw.choice((0, 1, 3, 40, 200)))
        if draw.random() < 0.5:
            rows, fresh = table.add(vector(keys, of_strings))
            news = [i for i, key in enumerate(keys) if key not in known and key not in keys[:i]]
            assert fresh.tolist() == news
            taken = set(known.values())
            for i in news:
                assert rows[i] not in taken
                known[keys[i]] = int(rows[i])
                taken.add(int(rows[i]))
            assert rows.tolist() == [known[key] for key in keys]
        else:
            gone = {key: known.pop(key) for key in keys if key in known}
            assert sorted(table.remove(vector(keys, of_strings))) == sorted(gone.values())
        asked = drawn(100) + list(known)[:50]
        rows, missing = table.find(vector(asked, of_strings))
        assert rows.tolist() == [known.get(key, NONE) for key in asked]
        assert missing == sum(key not in known for key in asked)
        assert len(table) == len(known) and table.rows().tolist() == sorted(known.values())


def test_strings_of_all_lengths() -> None:
    keys = [b"\0" * n for n in range(40)] + [b"\xff" * n for n in range(1, 40)]
    table = KeyRows(of_strings=True)
    assert table.add(vector(keys, True))[0].tolist() == list(range(79))
    assert table.find(vector([key[:] + b"" for key in keys], True))[0].tolist() == list(range(79))
    others = [b"\1" * n for n in range(1, 40)]
    assert table.find(vector(others, True))[1] == 39


def test_the_strings_are_kept() -> None:
    """Tables own the objects that they compare with."""
    table = KeyRows(of_strings=True)
    table.add(vector([b"key %d" % i for i in range(1000)], True))
    _ = [b"other %d" % i for i in range(5000)]
    assert table.find(vector([b"key %d" % i for i in range(1000)], True))[1] == 0
    table.add(vector([np.bytes_(b"of a subclass"), b"b"], True))
    assert table.find(vector([b"of a subclass", np.bytes_(b"b")], True))[1] == 0
