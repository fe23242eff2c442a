"""The disk cache of compiled objects, the loader above it, and the description of the machine."""

from __future__ import annotations

import ctypes
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tests import stress
from tfc.backends import disk_cache
from tfc.backends.cpu import jit, machine, object_loader
from tfc.backends.disk_cache import Cache, key
from tfc.backends.llvm import compiler

ROOT = Path(__file__).resolve().parents[3]  # child processes import tfc from here
TEXT = "define i32 @answer() {\n  ret i32 42\n}\n"


def call(library: jit.Library, name: str = "answer") -> int:
    return int(ctypes.CFUNCTYPE(ctypes.c_int)(library.address(name))())


def entry_path(store: Cache, name: str) -> Path:
    assert store.directory is not None
    return Path(store.directory) / name[:2] / name[2:]


@pytest.fixture
def store(tmp_path: Path) -> Cache:
    return Cache(str(tmp_path / "cache"))


@pytest.fixture(params=["placed", "llvm"])
def fresh(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    """A new cache that the loader uses, which links by itself or lets LLVM do it."""
    if request.param == "llvm":
        monkeypatch.setattr(object_loader, "supported", lambda: False)
    made = Cache(str(tmp_path / "loader"))
    monkeypatch.setattr(disk_cache, "_default", made)
    return made


# ---- the cache alone ----


def test_key_depends_on_each_part() -> None:
    names = {key("a", "b"), key("ab"), key("a", "b", ""), key("", "ab"), key("b", "a"), key()}
    assert len(names) == 6 and all(len(name) == 64 for name in names)


def test_common_parts_come_first() -> None:
    assert key("c", common=("a", "b")) == key("a", "b", "c") != key("a", "c", common=("b",))


def test_round_trip(store: Cache) -> None:
    name = key("x")
    assert store.get(name) is None
    for payload in (b"one", b"", b"two" * 100_000):
        store.put(name, payload)
        assert store.get(name) == payload
    assert (store.stats.hits, store.stats.misses) == (3, 1)
    assert [p.name for p in entry_path(store, name).parent.iterdir()] == [name[2:]]


def test_damaged_entries_are_not_used(store: Cache) -> None:
    name = key("x")
    store.put(name, b"payload" * 10)
    path = entry_path(store, name)
    whole = path.read_bytes()
    damaged = [
        whole[:n] for n in (0, 5, len(disk_cache.MAGIC), len(disk_cache.MAGIC) + 31, len(whole) - 1)
    ]
    damaged += [whole + b"!", b"foreign", whole.replace(b"tfc-object-2", b"tfc-object-1")]
    damaged += [whole[:n] + bytes([whole[n] ^ 1]) + whole[n + 1 :] for n in range(0, len(whole), 7)]
    for data in damaged:
        path.write_bytes(data)
        assert store.get(name) is None
    store.put(name, b"again")
    assert store.get(name) == b"again"
    path.unlink()
    path.mkdir()  # not even a file
    assert store.get(name) is None
    store.put(name, b"ignored")


def test_an_entry_is_good_under_its_own_name_alone(store: Cache) -> None:
    names = [key("x"), key("y")]
    for name in names:
        store.put(name, b"the same length " + name[:1].encode())
    first, second = (entry_path(store, name) for name in names)
    data = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(data)
    assert [store.get(name) for name in names] == [None, None]
    store.put(names[0], b"again")
    assert store.get(names[0]) == b"again"


def test_what_is_no_file_does_not_block(tmp_path: Path) -> None:
    store = Cache(str(tmp_path / "cache"), max_bytes=1 << 20)
    name = key("x")
    path = entry_path(store, name)
    path.parent.mkdir()

    def replaced() -> None:
        store.put(name, b"payload")
        assert store.get(name) == b"payload"
        path.unlink()

    os.mkfifo(path)
    assert store.get(name) is None
    replaced()
    path.symlink_to("/dev/zero")
    assert store.get(name) is None
    replaced()
    with open(path, "wb") as file:
        file.truncate(1 << 40)  # with nothing in it
    assert store.get(name) is None
    replaced()
    path.mkdir()
    assert store.get(name) is None
    store.put(name, b"payload")  # cannot be stored, which is no error


@pytest.mark.parametrize("directory", [None, "file", "file/below", "\0"])
def test_without_a_directory(directory: str | None, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = Cache(None if directory is None else str(tmp_path / directory))
    assert store.directory is None
    store.put(key("x"), b"payload")
    assert store.get(key("x")) is None and store.evict() == 0


def test_only_our_own_directories(tmp_path: Path) -> None:
    for mode in (0o770, 0o707, 0o777):
        path = tmp_path / oct(mode)
        path.mkdir()
        path.chmod(mode)
        assert Cache(str(path)).directory is None
    made = Cache(str(tmp_path / "a" / "b"))
    assert made.directory is not None
    assert stat.S_IMODE(os.stat(made.directory).st_mode) == 0o700
    if os.getuid() == 0:
        path = tmp_path / "theirs"
        path.mkdir(mode=0o700)
        os.chown(path, 12345, 12345)
        assert Cache(str(path)).directory is None


def test_eviction(tmp_path: Path) -> None:
    store = Cache(str(tmp_path), max_bytes=100_000)
    names = [key(str(k)) for k in range(200)]
    for age, name in enumerate(names[:50]):
        store.put(name, bytes(2000))
        os.utime(entry_path(store, name), (1e9 + age, 1e9 + age))
    assert store.get(names[0]) is not None  # old, but used just now
    for name in names[50:]:
        store.put(name, bytes(2000))
    total = sum(p.stat().st_size for p in tmp_path.rglob("*") if p.is_file())
    assert total <= 100_000 * 17 // 16 and store.stats.evicted > 0
    assert store.get(names[-1]) is not None
    for foreign in ("note", "ir/core.py", "ab/0123"):  # no eviction touches what is not ours
        (tmp_path / foreign).parent.mkdir(exist_ok=True)
        (tmp_path / foreign).write_text("not ours")
    whole = entry_path(store, names[-1])
    whole.with_name(whole.name + ".1.2.3.part").write_text("half")  # its process died long ago
    store.max_bytes = 0
    assert store.evict() == 0
    assert sorted(p.name for p in tmp_path.rglob("*") if p.is_file()) == ["0123", "core.py", "note"]
    store.put(names[0], b"too large")
    assert store.get(names[0]) is None


def test_used_entries_survive(tmp_path: Path) -> None:
    store = Cache(str(tmp_path), max_bytes=1 << 20)
    names = [key(str(k)) for k in range(10)]
    for age, name in enumerate(names):
        store.put(name, bytes(1000))
        os.utime(entry_path(store, name), (1e9 + age, 1e9 + age))
    store.get(names[0])
    store.max_bytes = 5000
    store.evict()
    assert store.get(names[0]) is not None and store.get(names[1]) is None


def test_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "_default", None)
    for name in ("TFC_CACHE_DIR", "XDG_CACHE_HOME", "TFC_CACHE_MAX_BYTES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert disk_cache._from_environment().directory == str(tmp_path / "home" / ".cache" / "tfc")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert disk_cache._from_environment().directory == str(tmp_path / "xdg" / "tfc")
    monkeypatch.setenv("TFC_CACHE_DIR", str(tmp_path / "own"))
    assert disk_cache.default().directory == str(tmp_path / "own")
    assert disk_cache.default() is disk_cache.default() and disk_cache.stats().hits == 0
    monkeypatch.setenv("TFC_CACHE_DIR", "")
    assert disk_cache._from_environment().directory is None
    for text, expected in (("1000", 1000), ("-5", 0), ("many", 1 << 30)):
        monkeypatch.setenv("TFC_CACHE_MAX_BYTES", text)
        assert disk_cache._from_environment().max_bytes == expected


def test_threads_and_processes_share(tmp_path: Path) -> None:
    code = f"""
import threading
from tfc.backends.disk_cache import Cache, key
from tfc.backends.llvm import compiler
store = Cache({str(tmp_path)!r}, max_bytes=60_000)
def work():
    for round in range(4):
        for k in range(60):
            payload = str(k).encode() * 500
            found = store.get(key(str(k)))
            assert found is None or found == payload
            store.put(key(str(k)), payload)
threads = [threading.Thread(target=work) for _ in range(2)]
for t in threads: t.start()
for t in threads: t.join()
"""
    command = [sys.executable, "-c", code]
    running = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) for _ in range(3)]
    for process in running:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0 and not errors, errors.decode()
    assert not list(tmp_path.rglob("*.part"))


# ---- the loader ----


def test_a_hit_compiles_nothing(fresh: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    assert call(jit.load(TEXT)) == 42
    assert (fresh.stats.hits, fresh.stats.misses) == (0, 1)

    def refuse(*arguments: Any) -> Any:
        raise AssertionError("compiled again")

    monkeypatch.setattr(compiler, "emit", refuse)
    assert call(jit.load(TEXT)) == 42
    assert fresh.stats.hits == 1
    with pytest.raises(AssertionError):
        jit.load(TEXT.replace("42", "43"))


def test_other_switches_of_llvm_make_other_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {jit._name(TEXT, level) for level in (0, 1, 2)}
    changed = {**machine.switches(), "-disable-cgp": "false"}
    monkeypatch.setattr(jit, "switches", lambda level: changed)
    assert len(names | {jit._name(TEXT, 2)}) == 4


def test_damage_is_compiled_again(fresh: Cache) -> None:
    jit.load(TEXT)
    (path,) = (p for p in Path(fresh.directory or "").rglob("*") if p.is_file())
    whole = path.read_bytes()
    path.write_bytes(whole[:-100])
    assert call(jit.load(TEXT)) == 42
    assert path.read_bytes() == whole


def test_an_object_that_cannot_be_linked_is_compiled_again(fresh: Cache) -> None:
    """Also where its digest is right."""
    jit.load(TEXT)
    assert fresh.directory is not None
    (path,) = (p for p in Path(fresh.directory).glob("??/*"))
    name = path.parent.name + path.name
    other = jit._object("define i32 @other() {\n  %x = call i32 @nowhere()\n  ret i32 %x\n}\n"
                        "declare i32 @nowhere()\n")  # fmt: skip
    whole = fresh.get(name)
    assert whole is not None
    for wrong in (b"", b"foreign", whole[:200], whole[:64] + b"\xff" * 200, other.data):
        fresh.put(name, wrong)
        library = jit.load(TEXT)
        assert call(library) == 42 and not library.cached
        assert fresh.get(name) == whole


def test_works_without_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "_default", Cache(None))
    assert call(jit.load(TEXT)) == 42


def test_a_second_process_hits(tmp_path: Path) -> None:
    code = f"""
from tfc.backends import disk_cache
from tfc.backends.cpu import jit
jit.load({TEXT!r})
print(disk_cache.stats().hits, disk_cache.stats().misses)
"""
    environment = {**os.environ, "TFC_CACHE_DIR": str(tmp_path)}
    found = []
    for features in ("", "", "-avx2", "-avx2"):
        environment["TFC_CPU_FEATURES"] = features
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, cwd=ROOT, text=True)
        assert done.returncode == 0, done.stderr
        found.append(done.stdout.strip())
    assert found[:2] == ["0 1", "1 0"]
    if machine.host().has("avx2"):  # another machine, another object
        assert found[2:] == ["0 1", "1 0"]


def test_imports_and_exports(fresh: Cache) -> None:
    cell = ctypes.c_int32(40)
    two = jit.load("define i32 @two() {\n  ret i32 2\n}\n")
    text = """
@cell = external global i32
declare i32 @two()
declare ptr @memset(ptr, i32, i64)
@table = private constant [2 x ptr] [ptr @cell, ptr @two]
define internal i32 @hidden(i32 %x) {
  %r = add i32 %x, 0
  ret i32 %r
}
define i32 @answer() {
  %p = load ptr, ptr @table
  %a = load i32, ptr %p
  %b = call i32 @two()
  %c = add i32 %a, %b
  %d = call i32 @hidden(i32 %c)
  ret i32 %d
}
define dso_local noundef i32 @other.name(i32 noundef %x) {
  ret i32 7
}
"""
    imports = {"cell": ctypes.addressof(cell), "two": two.address("two"), "unused": 1}
    library = jit.load(text, imports)
    assert call(library) == 42 and call(library, "other.name") == 7
    cell.value = 1
    assert call(library) == 3
    with pytest.raises(jit.InternalError, match=r"hidden.*answer"):
        library.address("hidden")
    with pytest.raises(jit.InternalError, match="not imported: cell, two"):
        jit.load(text)
    jit.publish({"tfc_test_cell": ctypes.addressof(cell)})
    published = text.replace("@cell", "@tfc_test_cell")
    assert call(jit.load(published, {"two": two.address("two")})) == 3


def test_which_definition_wins(fresh: Cache) -> None:
    """First the text's own, then its imports, then the process, then what was published."""
    one = jit.load(TEXT.replace("42", "1"))
    two = jit.load(TEXT.replace("42", "2"))
    caller = "define i32 @answer() {\n  %r = call i32 @NAME()\n  ret i32 %r\n}\n"
    declared = "declare i32 @NAME()\n" + caller
    jit.publish({"tfc_test_number": two.address("answer"), "getpid": one.address("answer")})
    jit.publish({"tfc_test_number": one.address("answer")})
    name = "tfc_test_number"
    assert call(jit.load(declared.replace("NAME", name))) == 1
    imports = {name: two.address("answer")}
    assert call(jit.load(declared.replace("NAME", name), imports)) == 2
    own = caller.replace("NAME", "getpid") + "define i32 @getpid() {\n  ret i32 3\n}\n"
    library = jit.load(own)
    assert call(library) == call(library, "getpid") == 3
    assert call(jit.load(declared.replace("NAME", "getpid"))) == os.getpid()


def test_rejected_text_is_shown(fresh: Cache) -> None:
    lines = [f"  %v{k} = add i32 %x, {k}" for k in range(100)]
    lines[50] = "  %v50 = add i32 %y, 50"
    text = "\n".join(["define i32 @f(i32 %x) {", *lines, "  ret i32 %v99", "}", ""])
    with pytest.raises(jit.InternalError) as caught:
        jit.load(text)
    message = str(caught.value)
    assert "undefined value '%y'" in message and "   52 |   %v50 = add i32 %y, 50" in message
    assert "%v10 " not in message and "%v90 " not in message
    # What parses but breaks a rule of the language comes from the verifier.
    text = "define i32 @f(i32 %x) {\n  %a = add i32 %b, 1\n  %b = add i32 %x, 1\n  ret i32 %a\n}\n"
    with pytest.raises(jit.InternalError, match=r"does not dominate[^|]*(\n.*)*2 \|   %a = add"):
        jit.load(text)
    assert call(jit.load(TEXT)) == 42  # the compiler still works


def test_libraries_are_unloaded(fresh: Cache) -> None:
    before = len(jit._trackers)
    libraries = [jit.load(TEXT) for _ in range(5)]
    assert len(jit._trackers) == before + 5
    ticket = libraries[0].ticket
    del libraries
    assert len(jit._trackers) == before + 1
    del ticket
    assert len(jit._trackers) == before


def test_what_is_unloaded_leaves_nothing(fresh: Cache) -> None:
    """Not even what LLVM keeps of each library, some 9 KB, where it links: its linkers go, too."""
    data = jit._object(TEXT, jit.OPT_LEVEL).data
    old = jit.link([data], ["answer"], {})  # keeps the linker that it came from
    kept = jit.link([data], ["answer"], {}, shared=True)

    def repeat(count: int) -> None:
        for _ in range(count):
            assert jit.link([data], ["answer"], {}).address("answer")

    repeat(3 * jit._LIBRARIES)
    with stress.growth() as grown:
        repeat(12 * jit._LIBRARIES)
        assert grown() < 4 * stress.MB
    # What is older goes on to work, and can be referred to.
    assert call(old) == call(kept) == 42
    text = "declare i32 @answer()\n" + TEXT.replace("@answer", "@same")
    text = text.replace("  ret i32 42", "  %x = call i32 @answer()\n  ret i32 %x")
    assert call(jit.load(text), "same") == 42


def test_loading_from_many_threads(fresh: Cache) -> None:
    errors: list[BaseException] = []

    def work(offset: int) -> None:
        try:
            for k in range(15):
                value = (k + offset) % 20
                assert call(jit.load(TEXT.replace("42", str(value)))) == value
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_assembly() -> None:
    text = jit.assembly(TEXT)
    assert "answer:" in text and "42" in text


# ---- the machine ----


def test_machine_features() -> None:
    full = dict.fromkeys(
        ("avx", "avx2", "avx512f", "avx512bw", "avx512dq", "avx512vl", "fma", "f16c"), True
    )
    full |= {"avx512vnni": True, "amx-tile": False}

    def bits(override: str) -> int:
        return machine.describe("x86_64-linux", full, override).vector_bits

    assert bits("") == 512 and bits("-avx512f") == bits("-avx512vl") == 256
    assert bits("-avx2") == bits("-avx") == 128
    assert bits("+avx2, +fma, -avx512f") == 256
    small = machine.describe("x86_64-linux", full, "-avx2")
    assert not small.has("avx512vnni") and small.has("avx") and small.has_fma
    assert not machine.describe("x86_64-linux", full, "-avx").has_fma
    # What is absent comes last, so that nothing present can imply it again.
    signs = [item[0] for item in small.features.split(",")]
    assert signs == sorted(signs)
    assert (small.lanes(32), small.lanes(64), small.vector_registers) == (4, 2, 16)
    with pytest.raises(ValueError, match="TFC_CPU_FEATURES"):
        bits("avx2")
    arm = machine.describe("aarch64-linux", {"neon": True}, "")
    assert (arm.vector_bits, arm.has_fma, arm.vector_registers) == (128, True, 32)


@pytest.mark.parametrize("features", ["", "-avx512f", "-avx2", "-avx", "+avx2,+fma,-avx512f"])
def test_any_feature_set_compiles(features: str) -> None:
    code = """
from tfc.backends.cpu import jit, machine
n = machine.host().vector_bits // 32
text = f'''
define void @f(ptr %a, ptr %b) {{
  %x = load <{n} x float>, ptr %a, align 4
  %y = load <{n} x float>, ptr %b, align 4
  %z = call <{n} x float> @llvm.fma.v{n}f32(<{n} x float> %x, <{n} x float> %y, <{n} x float> %y)
  store <{n} x float> %z, ptr %a, align 4
  ret void
}}
'''
asm = jit.assembly(text)
print(machine.host().vector_bits, machine.host().has_fma, 'zmm' in asm, 'ymm' in asm)
"""
    environment = {**os.environ, "TFC_CPU_FEATURES": features}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, cwd=ROOT, text=True)
    assert done.returncode == 0, done.stderr
    bits, _, zmm, ymm = done.stdout.split()
    if machine.host().architecture == "x86_64":
        assert (zmm, ymm) == (str(bits == "512"), str(bits == "256"))
