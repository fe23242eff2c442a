"""`python -m tfc.cache`: what it says of a folder of compiled code, and does with it."""

from __future__ import annotations

import io
import sys
import tarfile
from pathlib import Path

import pytest

from tfc import cache as tool
from tfc.backends import disk_cache
from tfc.backends.disk_cache import Cache, key

OBJECT, PROGRAM = key("object"), key("program")
PAYLOADS = {OBJECT: b"\x7fELF and so on", PROGRAM: b"facts"}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """The default cache, with an object, a program, and a file that is not its own."""
    store = Cache(str(tmp_path / "cache"), 1000)
    monkeypatch.setattr(disk_cache, "_default", store)
    for name, payload in PAYLOADS.items():
        store.put(name, payload)
    (tmp_path / "cache" / "ab").mkdir(exist_ok=True)
    (tmp_path / "cache" / "ab" / "mine.txt").write_text("keep")
    return store


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    tool.main([str(a) for a in arguments])
    return capsys.readouterr().out


def test_list_and_size(store: Cache, capsys: pytest.CaptureFixture[str]) -> None:
    assert store.directory is not None
    damaged = key("damaged")
    store.put(damaged, b"whole")
    path = Path(store.directory) / damaged[:2] / damaged[2:]
    path.write_bytes(path.read_bytes()[:-1])
    path.with_name(f"{path.name}.1.2.3.part").write_bytes(b"")
    rows = [line.split() for line in run(capsys, "list").splitlines()]
    kinds = {row[-1]: row[-2] for row in rows}
    assert {kinds.pop(OBJECT), kinds.pop(PROGRAM)} == {"object", "program"}
    assert kinds == {damaged: "damaged", f"{damaged}.1.2.3.part": "unfinished"}
    assert f"{store.directory}: 4 entries" in (said := run(capsys, "size"))
    assert said.endswith(" of 1,000\n")


def test_clear_leaves_what_is_not_its_own(store: Cache, capsys: pytest.CaptureFixture[str]) -> None:
    assert "deleted 2 entries" in run(capsys, "clear")
    assert not store.entries() and store.directory is not None
    assert (Path(store.directory) / "ab" / "mine.txt").read_text() == "keep"


def test_what_is_packed_comes_out(
    store: Cache, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "packed 2 entries" in run(capsys, "pack", tmp_path / "packed")
    run(capsys, "clear")
    assert "took in 2 entries" in run(capsys, "unpack", tmp_path / "packed")
    assert {name: store.get(name) for name in PAYLOADS} == PAYLOADS


def archive(path: Path, *members: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w") as file:
        for member in members:
            file.addfile(member, io.BytesIO(bytes(member.size)))
    return path


def member(name: str, size: int = 4, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.size, made.type, made.linkname = size, kind, "/etc/passwd"
    return made


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (member(f"../{OBJECT}"), "no entry of a cache"),
        (member(f"{OBJECT}.1.part"), "no entry of a cache"),
        (member(OBJECT, 0, tarfile.SYMTYPE), "no entry of a cache"),
        (member(key("large"), 2000), "more than the cache may hold"),
    ],
)
def test_an_archive_of_anything_else_is_refused(
    bad: tarfile.TarInfo, message: str, store: Cache, tmp_path: Path
) -> None:
    new = key("new")
    file = archive(tmp_path / "archive", member(new), bad)
    with pytest.raises(SystemExit, match=message):
        tool.main(["unpack", str(file)])
    assert store.get(new) is None and store.get(OBJECT) == PAYLOADS[OBJECT]


def test_no_archive(store: Cache, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no archive")
    for name in ("text", "missing"):
        with pytest.raises(SystemExit, match=name):
            tool.main(["unpack", str(tmp_path / name)])


def test_warm_says_what_a_program_left(
    store: Cache,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "from tfc.backends import disk_cache\n"
        "disk_cache.default().put(disk_cache.key(sys.argv[1]), b'code')\n"
        "print(__name__, sys.argv[1:])\n"
    )
    monkeypatch.setattr(sys, "argv", ["tool"])
    monkeypatch.setattr(sys, "path", ["here", *sys.path])
    tool.main(["warm", str(program), "--rate", "2"])
    said = capsys.readouterr()
    assert said.out == "__main__ ['--rate', '2']\n"
    assert f"compiled for {program}: 1 entries" in said.err


def test_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "_default", Cache(None))
    with pytest.raises(SystemExit, match="the cache is off"):
        tool.main(["size"])
