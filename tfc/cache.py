"""`python -m tfc.cache`: the folder of compiled code (`TFC_CACHE_DIR`), as a tool.

    list                    what is in it: when it was used last, its size, what it is, its name
    size                    where it is, how much is in it, how much may be
    clear                   delete all of it
    pack FILE               write what is in it to an archive
    unpack FILE             take in what is in an archive
    warm PROGRAM [ARG...]   run a program, and say what was compiled for it

An object is found by its text, LLVM's version and the processor's features, wherever these are the
same. A program (a function whose passes need not run again) is found by the same installation of
tfc alone, as a container's image has it. What is packed elsewhere does no harm: it is not found.

An entry is code that runs in the processes that find it. Unpack no archive that you do not trust.
"""

from __future__ import annotations

import argparse as _argparse
import io as _io
import runpy as _runpy
import sys as _sys
import tarfile as _tarfile
import time as _time
from collections.abc import Sequence as _Sequence
from pathlib import Path as _Path

from .backends import disk_cache as _disk

__all__ = ["main"]

_OBJECTS = (b"\x7fELF", b"\xcf\xfa\xed\xfe")  # how object files begin: Linux, macOS


def main(arguments: _Sequence[str] | None = None) -> None:
    """Do what the arguments say with the cache that the environment describes."""
    asked = _parser().parse_args(arguments)
    cache = _disk.default()
    if cache.directory is None:
        raise SystemExit("the cache is off, or its folder cannot be used (see TFC_CACHE_DIR)")
    match asked.action:
        case "list":
            _list(cache)
        case "size":
            _size(cache)
        case "clear":
            entries = cache.entries()
            for entry in entries:
                cache.delete(entry)
            print(f"deleted {_amount(entries)}")
        case "pack":
            _pack(cache, asked.file)
        case "unpack":
            _unpack(cache, asked.file)
        case "warm":
            _warm(cache, asked.program, asked.arguments)


def _parser() -> _argparse.ArgumentParser:
    parser = _argparse.ArgumentParser("python -m tfc.cache", description="The compiled code.")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, meaning in (
        ("list", "when each entry was used last, its size, what it is, its name"),
        ("size", "where the folder is, how much is in it, how much may be"),
        ("clear", "delete all entries"),
        ("pack", "write the entries to an archive"),
        ("unpack", "take in the entries of an archive, which you trust"),
        ("warm", "run a program, and say what was compiled for it"),
    ):
        action = actions.add_parser(name, help=meaning, description=meaning)
        if name in ("pack", "unpack"):
            action.add_argument("file", type=_Path, metavar="FILE")
        if name == "warm":
            action.add_argument("program", metavar="PROGRAM")
            action.add_argument("arguments", nargs=_argparse.REMAINDER, metavar="ARG")
    return parser


def _amount(entries: _Sequence[_disk.Entry]) -> str:
    return f"{len(entries)} entries, {sum(e.size for e in entries):,} bytes"


def _list(cache: _disk.Cache) -> None:
    """A line for each entry, those that were used last first."""
    for entry in sorted(cache.entries(), reverse=True):
        used = _time.strftime("%Y-%m-%d %H:%M", _time.localtime(entry.used))
        print(f"{used} {entry.size:12,} {_kind(cache, entry):10} {entry.name}")


def _kind(cache: _disk.Cache, entry: _disk.Entry) -> str:
    if not entry.whole:
        return "unfinished"
    payload = cache.get(entry.name)
    if payload is None:
        return "damaged"
    return "object" if payload.startswith(_OBJECTS) else "program"


def _size(cache: _disk.Cache) -> None:
    print(f"{cache.directory}: {_amount(cache.entries())} of {cache.max_bytes:,}")


def _pack(cache: _disk.Cache, file: _Path) -> None:
    """Each entry's payload under its name: what is damaged stays behind."""
    count = 0
    with _tarfile.open(file, "w:gz") as archive:
        for entry in sorted(cache.entries(), key=lambda e: e.name):
            payload = cache.get(entry.name) if entry.whole else None
            if payload is not None:
                member = _tarfile.TarInfo(entry.name)
                member.size, member.mode, member.mtime = len(payload), 0o600, int(entry.used)
                archive.addfile(member, _io.BytesIO(payload))
                count += 1
    print(f"packed {count} entries in {file.stat().st_size:,} bytes")


def _unpack(cache: _disk.Cache, file: _Path) -> None:
    """Nothing is extracted to a path that an archive names: an entry is kept under its name, which
    is a digest, and what is no entry is refused before anything is kept."""
    entries: dict[str, bytes] = {}
    total = 0
    try:
        with _tarfile.open(file) as archive:
            for member in archive:
                total += member.size
                if not (member.isreg() and _disk.ours(member.name) and "." not in member.name):
                    raise SystemExit(f"{file}: no entry of a cache: {member.name!r}")
                if total > cache.max_bytes:
                    raise SystemExit(f"{file}: more than the cache may hold ({cache.max_bytes:,})")
                data = archive.extractfile(member)
                entries[member.name] = data.read() if data is not None else b""
    except (OSError, EOFError, _tarfile.TarError) as error:
        raise SystemExit(f"{file}: {error}") from None
    for name, payload in entries.items():
        cache.put(name, payload)
    print(f"took in {len(entries)} entries, {total:,} bytes")


def _warm(cache: _disk.Cache, program: str, arguments: list[str]) -> None:
    """Run the program as Python does, and say on stderr what it wrote to the cache, even where it
    ends by an exception."""
    _sys.argv = [program, *arguments]
    _sys.path[0] = str(_Path(program).resolve().parent)
    before = {entry.name for entry in cache.entries()}
    try:
        _runpy.run_path(program, run_name="__main__")
    finally:
        new = [entry for entry in cache.entries() if entry.name not in before]
        print(f"compiled for {program}: {_amount(new)}", file=_sys.stderr)


if __name__ == "__main__":
    main()
