"""Programs that an earlier process compiled: the same bits, and nothing is compiled for them."""

from __future__ import annotations

import marshal
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.backends.cpu import jit, machine, program, program_cache
from tfc.backends.disk_cache import Cache
from tfc.ir.fingerprint import Unknown, fingerprint
from tfc.ir.ops.elementwise import Neg

ROOT = Path(__file__).resolve().parents[3]  # child processes import tfc from here
COMPILING = (
    "llvmlite",
    "tfc.ir.kernels.lower",
    "tfc.ir.kernels.plan.fusion",
    "tfc.backends.cpu.module_text",
)

WORK = """
import sys
import numpy as np
import tfc as tf

compiling = lambda: [name for name in {compiling} if name in sys.modules]
x = tf.constant(np.linspace(-3.0, 7.0, 24, dtype=np.float32).reshape(4, 6))
state = tf.Variable(tf.ones([4]))

@tf.function
def step(x, i):
    row = tf.nn.softmax(x @ tf.transpose(x))
    state.assign_add(tf.reduce_sum(row, axis=1))
    for k in tf.range(3):
        row = tf.tanh(row * tf.cast(k, tf.float32))
    return tf.gather(row, i), tf.sort(row), tf.cumsum(x, axis=1)

results = [*step(x, tf.constant([1, 3])), state, tf.exp(x[1:, None] * 2.0 + 1.0) @ x[:3, :, None]]
with tf.GradientTape() as tape:
    tape.watch(x)
    loss = tf.reduce_mean(tf.nn.log_softmax(x))
results.append(tape.gradient(loss, x))
print(compiling())
print([tf.convert_to_tensor(r).numpy().tobytes().hex() for r in results])
try:
    step(x, tf.constant([0, 4]))
except tf.errors.InvalidArgumentError as error:
    print(str(error))
print(compiling())
print(tf.boolean_mask(x, x > 1.0).shape, tf.numpy_function(np.sum, [x], tf.float32).numpy())
found = step.get_concrete_function(x, tf.constant([0, 4]))
print([len(found.ir(stage)) for stage in ("optimised", "kernels", "llvm")], found.memory_analysis())
""".replace("{compiling}", repr(COMPILING))


def work(script: Path, cache: Path, before: str = "", **extra: str) -> list[str]:
    """Runs WORK in a process of its own; what it printed, by line."""
    script.write_text(before + WORK)
    switches = {"TFC_CACHE_DIR": str(cache), "TFC_VERIFY": "0", **extra}
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(ROOT), **switches},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A folder with WORK and the cache that it filled, and what it printed then."""
    folder = tmp_path_factory.mktemp("compiled")
    return folder, work(folder / "work.py", folder / "cache")


@pytest.fixture
def first(compiled: tuple[Path, list[str]]) -> list[str]:
    """What the process printed that compiled WORK."""
    return compiled[1]


@pytest.fixture
def run(compiled: tuple[Path, list[str]], tmp_path: Path) -> Callable[..., list[str]]:
    """Runs WORK later, with a copy of the cache that was filled."""
    shutil.copytree(compiled[0] / "cache", tmp_path / "cache")
    return partial(work, compiled[0] / "work.py", tmp_path / "cache")


def test_a_later_process_compiles_nothing(run: Callable[..., list[str]], first: list[str]) -> None:
    assert first[0] == first[3] == str(list(COMPILING))
    later = run("\n\n\n")
    assert later[0] == later[3] == "[]"
    assert later[1] == first[1]  # the same bits
    # An error names the line of now.
    line = next(i for i, row in enumerate(WORK.splitlines(), 1) if "tf.gather" in row)
    assert f"work.py:{line}" in first[2]
    assert later[2] == first[2].replace(f"work.py:{line}", f"work.py:{line + 3}")
    assert later[4:] == first[4:]  # what comes of calls into Python, and the stages, when asked


def test_other_machines_switches_and_damage(
    run: Callable[..., list[str]], first: list[str], tmp_path: Path
) -> None:
    files = [p for p in (tmp_path / "cache").rglob("*") if p.is_file()]
    for number, path in enumerate(files):
        data = path.read_bytes()
        middle = len(data) // 2
        if number % 2:
            path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
        else:
            path.unlink()
    assert run()[:3] == first[:3]  # compiled again
    assert run()[0] == "[]"
    assert run(TFC_VERIFY="1")[0] == first[0]  # passes are to be looked at
    if machine.host().has("avx2"):
        other = run(TFC_CPU_FEATURES="-avx2")
        assert other[:2] == first[:2]


def test_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(program_cache.disk, "_default", Cache(str(tmp_path)))
    monkeypatch.setenv("TFC_VERIFY", "0")
    program_cache._surroundings.cache_clear()
    # Sources may be a minute old.
    monkeypatch.setattr(program_cache, "STARTED", program_cache.STARTED + 60.0)
    own = program_cache.name("a", "b")
    assert own is not None and own == program_cache.name("a", "b")
    names = {own, program_cache.name("ab"), program_cache.name("a"), program_cache.name("b", "a")}
    monkeypatch.setenv("TFC_NEW_SWITCH", "1")
    names.add(program_cache.name("a", "b"))
    monkeypatch.delenv("TFC_NEW_SWITCH")
    assert len(names) == 5 and None not in names
    monkeypatch.setenv("TFC_NUM_THREADS", "7")
    assert program_cache.name("a", "b") == own
    for looking in ("TFC_VERIFY", "TFC_DUMP", "TFC_DEBUG_INFO"):
        monkeypatch.setenv(looking, "1")
        assert program_cache.name("a", "b") is None
        monkeypatch.delenv(looking)
    monkeypatch.setattr(program_cache.disk, "_default", Cache(None))
    assert program_cache.name("a", "b") is None
    monkeypatch.undo()
    program_cache._surroundings.cache_clear()


def test_a_source_that_changed_lately_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    newest = max(Path(program_cache.__file__).parent.glob("*.py"), key=lambda p: p.stat().st_ctime)
    changed = newest.stat().st_ctime
    for started, trusted in ((changed + 10**6, True), (changed + 1.0, False)):
        program_cache._surroundings.cache_clear()
        monkeypatch.setattr(program_cache, "STARTED", started)
        assert (program_cache._surroundings() is not None) == trusted
    program_cache._surroundings.cache_clear()


def test_what_makes_code_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    stamps = program_cache._stamps

    def noted(folder: str, *more: Any) -> list[Any]:
        found = list(stamps(folder, *more))
        seen.extend(row[0] for row in found)
        return found

    monkeypatch.setattr(program_cache, "_stamps", noted)
    monkeypatch.setattr(program_cache, "STARTED", program_cache.STARTED + 10**6)
    program_cache._surroundings.cache_clear()
    assert program_cache._surroundings() is not None
    program_cache._surroundings.cache_clear()
    wanted = {"/ir/kernels/lower.py", "/ir/passes/pipeline.py", "/backends/cpu/jit.py"}
    assert wanted | {"/dispatch/compiled.py", "/dispatch/staged.py"} <= set(seen)
    assert any(path.endswith(".ll") for path in seen)
    assert not any(path.startswith(("/keras", "/ops", "/data")) for path in seen)


def test_stamps_see_each_change(tmp_path: Path) -> None:
    (tmp_path / "inner" / "__pycache__").mkdir(parents=True)
    (tmp_path / "link").symlink_to("inner")
    source = tmp_path / "inner" / "a.py"
    source.write_text("x = 1")

    def stamps() -> list[Any]:
        return sorted(program_cache._stamps(str(tmp_path), (".py",)))

    before = stamps()
    assert [row[0] for row in before] == ["/inner/a.py", "/link/a.py"]
    (tmp_path / "inner" / "other.txt").write_text("no source")
    (tmp_path / "inner" / "__pycache__" / "b.py").write_text("no source")
    assert stamps() == before
    times = source.stat()
    source.write_text("x = 2")
    os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))  # as copies with their times do
    changed = stamps()
    assert changed != before
    (tmp_path / "new.py").write_text("")
    assert len(stamps()) == 3


def identity(f: Callable[..., Any], *arguments: Any) -> tuple[str, Any]:
    from tfc.dispatch.execution import _identity

    return fingerprint(_identity(tf.function(f).get_concrete_function(*arguments).function))


def test_the_processor_is_the_one_that_code_is_made_for() -> None:
    """What the environment says of it counts at the start, and what the processor itself says more
    than what the system tells."""
    code = """
import os
import tfc as tf
from tfc.backends.cpu import machine, program_cache

first, bits = program_cache.name("a"), machine.host().vector_bits
os.environ["TFC_CPU_FEATURES"] = "-avx2"
assert program_cache.name("a") == first and machine.host().vector_bits == bits
for cached in (machine.host, machine.override, machine.identity, program_cache._surroundings):
    cached.cache_clear()
assert program_cache.name("a") != first
del os.environ["TFC_CPU_FEATURES"]
import numpy._core._multiarray_umath as seen
for cached in (machine.override, machine.identity, program_cache._surroundings):
    cached.cache_clear()
assert program_cache.name("a") == first
seen.__cpu_features__["AVX2"] ^= True  # as in an emulator
for cached in (machine.identity, program_cache._surroundings):
    cached.cache_clear()
assert program_cache.name("a") != first
"""
    subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TFC_VERIFY": "0"},
        check=True,
    )


def test_what_another_system_lacks_is_compiled_again(
    run: Callable[..., list[str]], first: list[str]
) -> None:
    """Homes are shared by machines whose libraries differ."""
    missing = """
from tfc.backends.cpu import jit, object_loader
original = object_loader.place
def place(files, find):
    if jit._published.get("tfc_parallel"):  # the runtime is there
        object_loader.place = original
        find("no_such_function")
    return original(files, find)
object_loader.place = place
"""
    assert run(missing)[1] == first[1]


def test_ops_of_others_are_not_kept() -> None:
    """Whose code may be another one tomorrow."""
    other = type("Square", (Neg,), {"__module__": "users"}, abstract=True)  # in no table of ops
    with pytest.raises(Unknown):
        fingerprint((other,))
    assert fingerprint((Neg, np.float32))[0].split()[1:3] == [
        "tfc.ir.ops.elementwise.Neg",
        "numpy.float32",
    ]


def test_fingerprints() -> None:
    x = tf.constant([1.0, 2.0])
    one, lines = identity(lambda x: x * 0.0 + 1.0, x)

    def apart(x: Any) -> Any:
        y = x * 0.0
        return y + 1.0

    apart.__name__ = "<lambda>"
    texts = {one, identity(apart, x)[0], identity(lambda x: x * -0.0 + 1.0, x)[0]}
    texts.add(identity(lambda x: x * 0.0 + 1.0, tf.constant([1.0, 2.0, 3.0]))[0])
    texts.add(identity(lambda x: x * 0.0 + 1.0, tf.constant([1.0, 2.0], tf.float64))[0])
    assert len(texts) == 5
    assert len(lines) == 1
    assert identity(lambda x: x * 0.0 + 1.0, x)[0] == one  # on another line
    with pytest.raises(Unknown):
        fingerprint((1, (print,)))
    with pytest.raises(Unknown):
        fingerprint((np.float64(1.0),))
    assert fingerprint(("1",))[0] != fingerprint((1,))[0] != fingerprint((True,))[0]


def test_what_cannot_be_compared_is_not_kept() -> None:
    memory = program.Memory((1, print), program.Signature())
    assert memory.recall(lambda: pytest.fail("nothing to recall")) is None


def test_what_a_plain_program_does_not_need(tmp_path: Path) -> None:
    """Schedules of GPUs, whole namespaces, OpenSSL."""
    code = """
import sys
import tfc as tf
before = set(sys.modules)
print((tf.constant([1.0, 2.0]) * 2.0).numpy())
print([m for m in sys.modules if m.startswith("tfc.ir.kernels.gpu.") and not m.endswith(".simt")])
print([m for m in ("tfc.math", "tfc.nn", "tfc.random", "llvmlite", "_hashlib") if m in before])
"""
    switches = {"PYTHONPATH": str(ROOT), "TFC_CACHE_DIR": str(tmp_path), "TFC_VERIFY": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **switches},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[2. 4.]", "[]", "[]"]


EXCHANGED = """
import numpy as np
import tfc as tf

x = tf.constant([0.25, 1.5, -2.0])
names = "sin cos exp tanh sqrt abs square sigmoid erf round".split()
for name in names:
    print(name, getattr(tf.math, name)(x).numpy().tobytes().hex())
f = tf.function(lambda x: (tf.reduce_sum(x), x * 2.0))
g = tf.function(lambda x: tf.gather(x, tf.cast(x[:1], tf.int32)))
print([t.numpy().tobytes().hex() for t in f(x)], g(x).numpy().tobytes().hex())
"""


def test_exchanged_entries_are_compiled_again(tmp_path: Path) -> None:
    """The contents of all entries go round, twice by different steps; numbers stay right."""
    script, folder = tmp_path / "work.py", tmp_path / "cache"
    script.write_text(EXCHANGED)

    def process() -> str:
        switches = {"TFC_CACHE_DIR": str(folder), "TFC_VERIFY": "0", "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, str(script)],
            env={**os.environ, **switches},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    wanted = process()
    for step in (1, 2):
        paths = sorted(folder.glob("??/*"), key=lambda p: p.stat().st_size)
        assert len(paths) > 15
        contents = [p.read_bytes() for p in paths]
        for i, path in enumerate(paths):
            path.write_bytes(contents[(i + step) % len(paths)])
        assert process() == wanted
        assert process() == wanted


def test_entries_that_are_no_programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever stands under a name with the right digest: None, or a library with all of it."""
    store = Cache(str(tmp_path / "cache"))
    monkeypatch.setattr(program_cache.disk, "_default", store)
    made = jit._object("define i32 @entry() {\n  ret i32 42\n}\n")
    name = "0" * 64
    store.put("1" * 64, b"\x7fELF\x02\x01" + b"\xff" * 100)
    rows: list[Any] = [
        None,
        3,
        (),
        ([], [], None),
        ([made.name], ["entry", "more"], None),
        ([made.name], [], None),
        (["1" * 64], ["entry"], None),
        ([made.name, made.name], ["entry"], None),
        ([3], ["entry"], None),
        (["f" * 64], ["entry"], None),
        ([b"\x7fELF\x02\x01" + b"\xff" * 100], ["entry"], None),
        ([b""], ["entry"], None),
    ]
    for payload in [b"", b"x", *map(marshal.dumps, rows)]:
        store.put(name, payload)
        assert program_cache.load(name, wanted=("entry",)) is None
    store.put(name, marshal.dumps(([made.name], ["entry"], "facts")))
    kept = program_cache.load(name, wanted=("entry",))
    assert kept is not None and kept[1] == "facts" and "entry" in kept[0].addresses
