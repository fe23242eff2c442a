"""Whole programs that an earlier process compiled: no pass, no code generator, no LLVM.

The disk cache (backends/disk_cache.py) has object code by the text that it was made from. Here it
has programs by the function that they were made of, so that not even the text has to be written.
What stands between the two is this package's code, so the name of an entry is the digest of the
function's fingerprint and of all else that decides the code: source files of this package (as the
system stamps them), the versions of what it uses, the processor, and the environment. An entry says
which objects a program consists of, and what else is to know of it.

Where somebody looks at the stages (TFC_VERIFY, TFC_DUMP, TFC_DEBUG_INFO) nothing is recalled.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.machinery import PathFinder
from typing import Any

import ml_dtypes
import numpy as np

from tfc.backends import STARTED

from .. import disk_cache as disk
from ..baseline import looked_at
from . import jit, machine

FORMAT = "tfc-program-1"
_NO_MATTER = (
    *("TFC_CACHE_DIR", "TFC_CACHE_MAX_BYTES", "TFC_NUM_THREADS", "TFC_POOL_MAX_BYTES"),
    "TFC_CPU_FEATURES",  # is part of the processor's identity
    "TFC_COMPILE_MESSAGE_AFTER",
)
# The folders of this package that make code of a function. (To look at all of its thousand files
# took half of the 12 ms of a process's first op whose program is known.)
_SOURCES = ("ir", "backends", "dispatch")
_SETTLED = 2.0  # seconds before the start, in which a source file may have been read half changed


def name(*parts: str) -> str | None:
    """The name of what is made of `parts`; None where nothing is kept."""
    if looked_at():
        return None
    if disk.default().directory is None:
        return None
    around = _surroundings()
    if around is None:
        return None
    set_ = [key for key in os.environ if key.startswith("TFC_") and key not in _NO_MATTER]
    switches = sorted(f"{key}={os.environ.get(key)}" for key in set_)
    return disk.key(FORMAT, around, *switches, "", *parts)


def load(
    name: str,
    *,
    shared: bool = False,
    wanted: Iterable[str] = (),
    any_of: frozenset[str] = frozenset(),
) -> tuple[jit.Library, Any] | None:
    """The library that is kept under `name`, linked, and what else was kept of it. None where there
    is none, where it cannot be linked (another system's libraries lack something, where homes are
    shared), or lacks one of the functions that are `wanted`, or has not `any_of` these: then it is
    compiled."""
    store = disk.default()
    payload = store.get(name)
    if payload is None:
        return None
    try:
        objects, exports, facts = marshal.loads(payload)
        if not set(exports).issuperset(wanted) or (any_of and not any_of & set(exports)):
            return None
        files = [store.get(one) if isinstance(one, str) else one for one in objects]
        present = [data for data in files if data is not None]
        if len(present) < len(files):  # one was evicted
            return None
        library = jit.link(present, exports, {}, shared=shared)
    except UNUSABLE:
        return None
    library.cached = True
    library.objects = objects
    return library, facts


# What data from the disk may lead to, which is as it was written but nothing that links here.
UNUSABLE = (jit.InternalError, *jit.UNREADABLE, EOFError, AttributeError)


def keep(name: str, library: jit.Library, facts: Any = None) -> None:
    """Keep what later processes need to load the library again: its objects too, where they are not
    kept by themselves; `facts` of plain Python types."""
    payload = marshal.dumps((library.objects, list(library.addresses), facts))
    disk.default().put(name, payload)


@cache
def _surroundings() -> str | None:
    """The digest of what decides the code beside the function, which is much text; None where that
    cannot be told."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    compiler = PathFinder.find_spec("llvmlite")
    if compiler is None or compiler.origin is None:
        return None
    try:
        sources = []
        for folder in _SOURCES:
            path = os.path.join(package, folder)
            sources += sorted(_stamps(path, (".py", ".ll"), f"/{folder}"))
        compilers = sorted(_stamps(os.path.dirname(compiler.origin), (".so", ".dylib", ".dll")))
    except OSError:
        return None
    if not sources or not compilers:  # as in an archive
        return None
    if max(stamp[1] for stamp in sources) > (STARTED - _SETTLED) * 1e9:
        return None  # changed since it was imported, perhaps
    versions = (sys.version, np.__version__, ml_dtypes.__version__)
    return disk.key(*versions, machine.identity(), repr(sources), repr(compilers))


def _stamps(folder: str, endings: tuple[str, ...], inside: str = "") -> Iterator[tuple[Any, ...]]:
    """Of all files with such endings: the path, when it was changed, as the system says (which
    nobody can set back), and its size."""
    with os.scandir(folder) as entries:
        for entry in entries:
            path = f"{inside}/{entry.name}"
            if entry.name.endswith(endings):
                info = entry.stat()
                yield path, info.st_ctime_ns, info.st_mtime_ns, info.st_size, info.st_ino
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                yield from _stamps(entry.path, endings, path)
