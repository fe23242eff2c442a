"""A disk cache of compiled objects, shared by all processes of one user.

The name of an entry is the SHA-256 of everything that decides the bytes of the object: this
file's format, LLVM's version, the target and the IR text. So an entry is never stale; it can only
be damaged. Each file carries the digest of its name and its payload, so that an entry that was
exchanged with another one is damaged, too; what does not check out is ignored and later replaced.
So is what is no file (opening a pipe would block), or larger than the bound.

An object is code that this process will run. A directory that belongs to another user, or that
others may write to, is therefore not used. The digests tell damage, not malice: whoever can write
to the directory can run code in the processes that use it.

Environment:
    TFC_CACHE_DIR        the directory; empty switches the cache off.
                         Default: $XDG_CACHE_HOME/tfc, else ~/.cache/tfc
    TFC_CACHE_MAX_BYTES  the size to keep below (default 1 GiB); the entries that were not used
                         for the longest time go first
"""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
import sys
import threading
import time
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any

from tfc.ir.value_classes import NamedTuple

from . import forks

MAGIC = b"tfc-object-2\n"
_DIGEST = 32
_DEFAULT_MAX_BYTES = 1 << 30
_UNFINISHED = ".part"  # the end of the name of a file that is still being written
_TOUCH_AFTER = 3600.0  # refresh a hit's modification time at most this often, in seconds


_serial = itertools.count()


class Stats:
    """What a cache has done in this process."""

    def __init__(self) -> None:
        self.hits = self.misses = self.evicted = 0
        self.bytes_read = self.bytes_written = 0


class Entry(NamedTuple):
    """A file of a cache. Entries are in the order in which they go."""

    used: float  # when it was used last, to an hour
    size: int  # of the file, in bytes
    name: str

    @property
    def whole(self) -> bool:
        """Whether it is an entry, and not one that is still being written."""
        return not self.name.endswith(_UNFINISHED)


def key(*parts: str, common: tuple[str, ...] = ()) -> str:
    """The name under which an object made from exactly these parts is stored. Those in `common`
    come first, and are many names' alike: they are hashed once."""
    digest = _begun(common).copy()
    _take_in(digest, parts)
    name: str = digest.hexdigest()
    return name


@cache
def _begun(parts: tuple[str, ...]) -> Any:
    """The hash of names that begin with these parts."""
    digest = _hash()(MAGIC)
    _take_in(digest, parts)
    return digest


def _take_in(digest: Any, parts: Iterable[str]) -> None:
    for part in parts:
        data = part.encode()
        digest.update(len(data).to_bytes(8, "little"))  # so that no two lists of parts collide
        digest.update(data)


_lock = forks.whole(threading.Lock())  # for the counters of all caches, for an instant


class Cache:
    """Objects in files under `directory`; with `directory=None` it stores and finds nothing."""

    def __init__(self, directory: str | None, max_bytes: int = _DEFAULT_MAX_BYTES) -> None:
        self.max_bytes = max_bytes
        self.stats = Stats()
        self._directory = None if directory is None else _prepare(directory)
        # Eviction reads the whole directory, so it runs after a sixteenth of the bound was
        # written, not on each write; and once early, for processes that write little each.
        self._until_check = min(max_bytes // 16, 1 << 20)

    @property
    def directory(self) -> str | None:
        """Where the entries lie; None when the cache is off."""
        return self._directory

    def get(self, name: str) -> bytes | None:
        """The payload stored under `name`; None when there is none that can be trusted."""
        payload = self._read(name)
        with _lock:
            if payload is None:
                self.stats.misses += 1
            else:
                self.stats.hits += 1
                self.stats.bytes_read += len(payload)
        return payload

    def put(self, name: str, payload: bytes) -> None:
        """Store `payload` under `name`. A disk that is full or read-only is no error."""
        if self._directory is None or len(payload) > self.max_bytes:
            return
        path = self._path(name)
        data = b"".join((MAGIC, _digest(name, payload), payload))
        # A reader sees the old file or the whole new one, never a part of it.
        temporary = f"{path}.{os.getpid()}.{threading.get_ident()}.{next(_serial)}{_UNFINISHED}"
        try:
            with contextlib.suppress(FileExistsError):
                os.mkdir(os.path.dirname(path), 0o700)
            try:
                with open(temporary, "xb") as file:
                    file.write(data)
                os.replace(temporary, path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
        except OSError:
            return
        with _lock:
            self.stats.bytes_written += len(data)
            self._until_check -= len(data)
            check = self._until_check <= 0
            if check:
                self._until_check = self.max_bytes // 16
        if check:
            self.evict()

    def evict(self) -> int:
        """Delete the least recently used entries above the bound; returns the bytes that stay."""
        if self._directory is None:
            return 0
        entries = self.entries()
        total = sum(entry.size for entry in entries)
        if total <= self.max_bytes:
            return total
        for entry in sorted(entries):
            self.delete(entry)
            total -= entry.size
            if total <= self.max_bytes * 3 // 4:  # leave room, so that this stays rare
                break
        return total

    def entries(self) -> list[Entry]:
        """What lies in the directory by now: files that others are still writing, too."""
        if self._directory is None:
            return []
        found = []
        for folder in _scan(self._directory):
            if len(folder.name) == 2 and folder.is_dir(follow_symlinks=False):
                for file in _scan(folder.path):
                    if not ours(folder.name + file.name):
                        continue
                    with contextlib.suppress(OSError):  # another process may evict, too
                        info = file.stat(follow_symlinks=False)
                        if stat.S_ISREG(info.st_mode):
                            name = folder.name + file.name
                            found.append(Entry(info.st_mtime, info.st_size, name))
        return found

    def delete(self, entry: Entry) -> None:
        """Delete an entry, unless another process did."""
        with contextlib.suppress(OSError):
            os.unlink(self._path(entry.name))
            self.stats.evicted += 1

    def _path(self, name: str) -> str:
        assert self._directory is not None
        return os.path.join(self._directory, name[:2], name[2:])

    def _read(self, name: str) -> bytes | None:
        if self._directory is None:
            return None
        path = self._path(name)
        try:
            handle = os.open(path, _READING)
        except OSError:
            return None
        start = len(MAGIC) + _DIGEST
        try:
            with open(handle, "rb") as file:
                info = os.fstat(handle)
                if not stat.S_ISREG(info.st_mode) or info.st_size > start + self.max_bytes:
                    return None
                data = file.read()
        except (OSError, MemoryError):
            return None
        payload = data[start:]
        if data[: len(MAGIC)] != MAGIC or data[len(MAGIC) : start] != _digest(name, payload):
            return None
        _touch(path, info.st_mtime)
        return payload


# A pipe or a terminal in the place of an entry must neither block nor become this process' own.
_READING = os.O_RDONLY
for _flag in ("O_BINARY", "O_CLOEXEC", "O_NONBLOCK", "O_NOCTTY"):  # not all systems have all
    _READING |= getattr(os, _flag, 0)


def ours(name: str) -> bool:
    """Whether a file may be deleted: folders of the user's may lie where the cache was put."""
    digest, _, end = name.partition(".")
    whole = len(digest) == 2 * _DIGEST and set("0123456789abcdef").issuperset(digest)
    return whole and (not end or name.endswith(_UNFINISHED))


def digest(text: str) -> str:
    """SHA-256 of a text, in hexadecimal digits."""
    made: str = _hash()(text.encode()).hexdigest()
    return made


def _digest(name: str, payload: bytes) -> bytes:
    """What tells whether a payload is the one that was stored under this name."""
    hashed = _hash()(name.encode())  # names have one length
    hashed.update(payload)
    digest: bytes = hashed.digest()
    return digest


@cache
def _hash() -> Any:
    """SHA-256. Python's own, unless somebody has loaded OpenSSL's, which is five times as quick:
    loading that takes longer than hashing a hundred programs."""
    if "_hashlib" in sys.modules:
        return import_module("hashlib").sha256
    for module in ("_sha2", "_sha256"):  # since 3.12, and before
        with contextlib.suppress(ImportError):
            return import_module(module).sha256
    return import_module("hashlib").sha256


def _touch(path: str, modified: float) -> None:
    """Mark the entry as used now, unless it was so marked not long ago."""
    if time.time() - modified > _TOUCH_AFTER:
        with contextlib.suppress(OSError):
            os.utime(path)


def _scan(path: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(path) as entries:
            return list(entries)
    except OSError:
        return []


def _prepare(directory: str) -> str | None:
    """`directory`, made if need be, if only this user can write to it; else None."""
    path = os.path.expanduser(directory)
    if path.startswith("~"):  # there is no home directory
        return None
    path = os.path.abspath(path)
    try:
        os.makedirs(path, 0o700, exist_ok=True)
        info = os.stat(path)
    except (OSError, ValueError):  # ValueError: not a path at all
        return None
    if hasattr(os, "getuid"):
        shared = info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        if info.st_uid != os.getuid() or shared:
            return None
    return path if os.access(path, os.R_OK | os.X_OK) else None


def _from_environment() -> Cache:
    directory = os.environ.get("TFC_CACHE_DIR")
    if directory is None:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
        directory = os.path.join(base, "tfc")
    try:
        max_bytes = int(os.environ["TFC_CACHE_MAX_BYTES"])
    except (KeyError, ValueError):
        max_bytes = _DEFAULT_MAX_BYTES
    return Cache(directory or None, max(0, max_bytes))


_default: Cache | None = None


def default() -> Cache:
    """The cache that the environment describes, made at first use."""
    global _default
    if _default is None:
        _default = _from_environment()
    return _default


def stats() -> Stats:
    """What the default cache has done in this process."""
    return default().stats
