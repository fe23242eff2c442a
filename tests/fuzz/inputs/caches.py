"""Entries of the disk cache that are damaged: whatever lies in the folder, programs give what they
gave before."""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import tfc as tf
from tests.fuzz.inputs.attempts import RESULT, Kind, Wrong, scratch
from tfc.backends import disk_cache
from tfc.backends.disk_cache import Cache

PROGRAMS: tuple[Callable[[Any], Any], ...] = (
    lambda x: tf.sin(x),
    lambda x: tf.exp(x),
    lambda x: x * 2.0 + 1.0,
    lambda x: tf.reduce_sum(x, keepdims=True),
    lambda x: tf.nn.relu(x),
)
RUNS = 16  # of so many attempts, one runs a program on what is left


@cache
def entries() -> tuple[dict[str, bytes], dict[str, bytes], list[bytes]]:
    """The files that these programs leave, the payloads in them, and what the programs give."""
    with store() as cache_:
        results = [evaluated(p) for p in PROGRAMS]
        root = Path(str(cache_.directory))
        files = {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}
        names = {name: name.replace("/", "") for name in files}
        payloads = {name: cache_.get(name) for name in names.values()}
    return files, {n: p for n, p in payloads.items() if p is not None}, results


@contextlib.contextmanager
def store() -> Any:
    """A cache of its own in the place of the process'."""
    folder = scratch() / "cache"
    before, made = disk_cache._default, Cache(str(folder))
    disk_cache._default = made
    try:
        yield made
    finally:
        disk_cache._default = before


def write(path: Path, data: bytes | str | None) -> None:
    """Put something in the place of an entry; None: nothing."""
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    path.unlink(missing_ok=True)
    match data:
        case None:
            return
        case bytes():
            path.write_bytes(data)
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "hole":
            with open(path, "wb") as file:
                file.truncate(1 << 40)
        case target:
            path.symlink_to(target)


def evaluated(program: Callable[[Any], Any]) -> bytes:
    """What a program gives that this process has not yet compiled."""
    x = tf.constant(np.linspace(-2, 2, 9, dtype=np.float32))
    return np.asarray(tf.function(program, autograph=False)(x)).tobytes()


class Caches(Kind):
    name = "cache entries"

    def names(self) -> list[str]:
        return [str(number) for number in range(RUNS * 64)]

    def subject(self, seed: int) -> dict[str, bytes | str]:
        return dict(entries()[0])

    def edit(self, subject: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        names = sorted(subject)
        name, other = rng.choice(names), rng.choice(names)
        data, way = subject[name], rng.randrange(9)
        if way == 0:
            subject[name], subject[other] = subject[other], subject[name]
        elif way == 1:
            subject[name] = subject[other]
        elif way == 2:
            subject[name] = rng.choice(("folder", "pipe", "hole", "/dev/zero", "nowhere", "."))
        elif way == 3:
            del subject[name]
            subject[other] = subject.get(other, b"")
        elif isinstance(data, bytes) and data:
            changed, i = bytearray(data), rng.randrange(len(data))
            if way == 4:
                changed[i] ^= 1 << rng.randrange(8)
            elif way == 5:
                del changed[i:]
            elif way == 6:
                changed[i:i] = changed[i // 2 : i]
            elif way == 7:
                changed[i : i + 16] = rng.randbytes(16)
            else:
                changed = bytearray(rng.randbytes(rng.choice((0, 1, 50, 5000))))
            subject[name] = bytes(changed)
        return subject

    def run(self, subject: dict[str, Any], rng: random.Random) -> str:
        whole, payloads, results = entries()
        changed = [n for n in whole if subject.get(n) is not whole[n]]
        with store() as cache_:
            for name in changed:
                write(Path(str(cache_.directory)) / name, subject.get(name))
            try:
                for name in changed:
                    entry = name.replace("/", "")
                    if cache_.get(entry) not in (None, payloads[entry]):
                        raise Wrong(f"{entry} is read as something else")
                if rng.randrange(RUNS) == 0:
                    i = rng.randrange(len(PROGRAMS))
                    if evaluated(PROGRAMS[i]) != results[i]:
                        raise Wrong(f"program {i} gives something else")
            finally:
                for name in changed:
                    write(Path(str(cache_.directory)) / name, whole[name])
        return RESULT

    def shown(self, subject: dict[str, Any]) -> str:
        whole = entries()[0]
        gone = [f"{name}: gone" for name in whole if name not in subject]
        changed = {n: d for n, d in subject.items() if whole.get(n) != d}
        return "\n".join([*gone, *(f"{name}: {data!r:.2000}" for name, data in changed.items())])
