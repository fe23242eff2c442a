"""Saved models that somebody has damaged, or written to attack: every one is refused with a
DataLossError, or loads and runs as the interpreter runs it. tests/fuzz/inputs tries many.
"""

from __future__ import annotations

import io
import json
import random
import re
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tfc as tf
from tests.optable import ROWS
from tfc.ir.core import Op
from tfc.ir.interpreter import interpret
from tfc.saved_model import encoding, loading, saving

ALLOWED = (tf.errors.OpError, MemoryError)  # that running a program may end with

Files = dict[str, bytes]


class Case(NamedTuple):
    """A saved model, and what its function is called with."""

    files: Files
    arguments: list[Any]


class Model(tf.Module):
    """Something of everything."""

    def __init__(self) -> None:
        super().__init__()
        self.weights = [tf.Variable(np.ones((4, 3), np.float32)), tf.Variable([True, False])]
        self.half = {"bias": tf.Variable(np.zeros(3), dtype=tf.bfloat16)}
        self.table = tf.constant(np.arange(20, dtype=np.float32))
        self.calls = tf.Variable(0, trainable=False)

    @tf.function(input_signature=[tf.TensorSpec([None, 4]), tf.TensorSpec([], tf.int32)])
    def f(self, x: Any, n: Any) -> Any:
        self.calls.assign_add(1)
        h = tf.nn.softmax(x @ self.weights[0] + tf.cast(self.half["bias"], tf.float32))
        tf.debugging.assert_less(n, 10, message="too many steps")
        for i in tf.range(n):
            if i % 2 == 0:
                h = tf.sin(h)
            else:
                h = h * tf.gather(self.table, i)
        rows = tf.boolean_mask(h, h[:, 0] > 0.2)
        return {"h": tf.sort(h), "rows": rows, "top": tf.math.top_k(h, 2).indices}

    @tf.function
    def g(self, batch: Any, power: float = 2.0, names: tuple[str, ...] = ("a", "b")) -> Any:
        return [tf.cumsum(batch[name]) ** power for name in names]


@cache
def model() -> Case:
    net = Model()
    net.g({"a": tf.ones(3), "b": tf.ones([2, 2])})
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(net, folder)
        files = {
            str(path.relative_to(folder)): path.read_bytes()
            for path in Path(folder).rglob("*")
            if path.is_file()
        }
    x = np.linspace(-1, 1, 20, dtype=np.float32).reshape(5, 4)
    return Case(files, [x, np.int32(3)])


@cache
def row_case(number: int, variant: int) -> Case:
    """A saved model whose function is an op of the table, for one of its dtypes and sizes."""
    row = ROWS[number]
    dtypes = row.dtypes.split()
    dtype = dtypes[variant % len(dtypes)]
    f = row.function(dtype)
    sizes = row.sizes[variant % len(row.sizes)]
    arrays = row.arrays(dtype, sizes)
    slots = [encoding.Slot(i) for i in range(len(f.params))]
    outputs = tuple(encoding.Slot(i) for i in range(len(f.returns)))
    parameters = [["args", "VAR_POSITIONAL", None]]
    trace = {
        "name": "f",
        "args": encoding.encode(tuple(slots), ""),
        "kwargs": encoding.encode({}, ""),
        "names": [f"x{i}" for i in range(len(slots))],
        "outputs": encoding.encode(outputs, ""),
        "count": len(outputs),
        "captured": [],
        "updated": [],
        "requirements": [],
        "parameters": parameters,
    }
    manifest = {
        "format": encoding.FORMAT,
        "version": encoding.VERSION,
        "tfc": saving.TFC,
        "root": 0,
        "objects": [{"name": "m", "attributes": {"f": {"function": 0}}}],
        "variables": [],
        "arrays": {},
        "functions": [{"name": "f", "traces": [0], "parameters": parameters}],
        "traces": [trace],
        "signatures": {},
    }
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False)
    files = {
        encoding.ARRAYS: buffer.getvalue(),
        "functions/0.ir": str(f).encode(),
        encoding.MANIFEST: json.dumps(manifest).encode(),
    }
    return Case(files, arrays)


# Ways to harm. Each gives files whose checksums are made right afterwards.

NUMBERS = (-1, 0, 1, 2, 3, 7, -5, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 10**30)
VALUES: tuple[Any, ...] = (None, True, "", "x", "0", 1.5, [], {}, [{}], [[]], *NUMBERS)
WORDS = ("none", "True", "inf", "nan", "()", "(1,)", "[]", "{", "}", "'x'", "f32", "*f32[4]", "n")
ATTACK = """  %a7 = launch [%x] {types = (f32[4],)} kernel = (%x.1: *f32[4], %out: *f32[4]) {
    %b0 = constant {value = i64 0} : i64
    %b1 = constant {value = i64 100000000000} : i64
    %b2 = load %x.1, %b1, none : f32
    store %out, %b0, %b2
    return
  } : f32[4]"""


def harm_manifest(files: Files, rng: random.Random) -> None:
    """Change the tree somewhere."""
    try:
        tree = json.loads(files[encoding.MANIFEST])
    except ValueError:
        return
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        items = enumerate(node) if isinstance(node, list) else node.items()
        for key, value in list(items):
            places.append((node, key))
            if isinstance(value, list | dict):
                walk(value)

    if isinstance(tree, list | dict):
        walk(tree)
    if not places:
        return
    node, key = rng.choice(places)
    way = rng.randrange(5)
    if way == 0:
        del node[key]
    elif way == 1:
        other, at = rng.choice(places)
        node[key] = json.loads(json.dumps(other[at]))
    elif way == 2 and isinstance(node, dict):
        node[rng.choice(("_name", "__class__", "variables", "tensor", "f"))] = node.pop(key)
    else:
        node[key] = rng.choice(VALUES)
    files[encoding.MANIFEST] = json.dumps(tree).encode()


def harm_bytes(files: Files, rng: random.Random) -> None:
    """Flip, cut, repeat or overwrite bytes of some file."""
    name = rng.choice(sorted(files))
    data = bytearray(files[name])
    i = rng.randrange(max(len(data), 1))
    way = rng.randrange(4)
    if way == 0 and data:
        data[i] ^= 1 << rng.randrange(8)
    elif way == 1:
        del data[i : i + rng.choice((1, 2, 50, 10**6))]
    elif way == 2:
        data[i:i] = data[i : i + rng.choice((1, 10, 200))]
    else:
        data[i : i + 4] = rng.choice((b"\xff" * 4, b"\0" * 4, b"\x80\x04N.", b"PK\x05\x06"))
    files[name] = bytes(data)


def harm_archive(files: Files, rng: random.Random) -> None:
    """Write variables.npz anew: compressed, encrypted, with other headers, names or sizes."""
    try:
        with zipfile.ZipFile(io.BytesIO(files[encoding.ARRAYS])) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    except Exception:  # it is no archive any more
        return
    if not members:
        return
    i, way, name_ = rng.randrange(len(members)), rng.randrange(6), rng.choice(members)[0]
    name, data = members[i]
    kind = zipfile.ZIP_STORED
    if way == 0:
        kind = zipfile.ZIP_DEFLATED
    elif way == 1:
        header = rng.choice(
            (b"(10000000000000,)", b"(-1,)", b"(2, 2)", b"()", b"__import__('os')", b"((1,),)")
        )
        data = re.sub(rb"\([0-9, ]*\)", header, data, count=1)
    elif way == 2:
        data = re.sub(rb"'[<|][a-z]\d'", rng.choice((b"'|O'", b"'<f8'", b"'>f4'", b"'<m8'")), data)
    elif way == 3:
        data = data[: rng.randrange(max(len(data), 1))]
    elif way == 4:
        name = name_
    else:
        data += b"\0" * rng.choice((1, 4, 10**6))
    members[i] = name, data
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", kind) as archive:
        warnings.simplefilter("ignore")
        for name, data in members:
            archive.writestr(name, data)
    files[encoding.ARRAYS] = buffer.getvalue()


def harm_text(files: Files, rng: random.Random) -> None:
    """Change the IR of a function."""
    name = rng.choice([n for n in sorted(files) if n.endswith(".ir")])
    text = files[name].decode(errors="surrogateescape")
    files[name] = changed_text(text, rng).encode(errors="surrogateescape")


def changed_text(text: str, rng: random.Random) -> str:
    """IR with a word, a number or a line changed."""
    lines = text.splitlines() or [""]
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    way = rng.randrange(12)
    if way < 6:  # the numbers of attributes and types, the same everywhere or here
        found = list(re.finditer(r"(?<![\w%.])-?\d+(?![\w.])", text))
        if not found:
            return text
        old = rng.choice(found)
        new = str(rng.choice((*NUMBERS, int(old[0][:30]) + 1, int(old[0][:30]) - 1)))
        if rng.random() < 0.3:
            return re.sub(rf"(?<![\w%.]){re.escape(old[0])}(?![\w.])", new, text)
        return text[: old.start()] + new + text[old.end() :]
    if way < 9:
        found = list(re.finditer(r"%[\w.]+|[A-Za-z_]\w*", text))
        if not found:
            return text
        old = rng.choice(found)
        words = [rng.choice(found)[0], rng.choice(WORDS), rng.choice(sorted(Op.by_name))]
        return text[: old.start()] + rng.choice(words) + text[old.end() :]
    if way == 9:
        lines[i], lines[j] = lines[j], lines[i]
    elif way == 10:
        lines.insert(i, rng.choice((lines[j], ATTACK, "  %z = python_start : i64")))
    else:
        del lines[i]
    return "\n".join(lines)


HARMS: tuple[Callable[[Files, random.Random], None], ...]
HARMS = (harm_manifest, harm_bytes, harm_archive, harm_text)


def harm(files: Files, rng: random.Random) -> None:
    """Harm some file in some way."""
    rng.choices(HARMS, (3, 1, 1, 6))[0](files, rng)


def seal(files: Files) -> None:
    """Make the checksums right, as who attacks can."""
    sums = {n: encoding.checksum(d) for n, d in files.items() if n != encoding.MANIFEST}
    try:
        manifest = json.loads(files[encoding.MANIFEST])
        if isinstance(manifest, dict):
            manifest["files"] = sums
            files[encoding.MANIFEST] = json.dumps(manifest).encode()
    except ValueError:
        pass


def attempt(case: Case, folder: Path) -> str:
    """What comes of a model: "refused", "runs", "raises", or after "BAD" what is wrong."""
    (folder / "functions").mkdir(parents=True, exist_ok=True)
    for name, data in case.files.items():
        (folder / name).write_bytes(data)
    try:
        loaded = tf.saved_model.load(folder)
    except tf.errors.DataLossError:
        return "refused"
    except tf.errors.UnimplementedError as error:
        return "refused" if "version" in str(error) else f"BAD {error!r}"
    except Exception as error:
        return f"BAD load: {type(error).__name__}: {str(error)[:200]}"
    return called(loaded, case)


def called(loaded: Any, case: Case) -> str:
    """What calling the function of what was loaded gives; native code as the interpreter."""
    function = getattr(loaded, "f", None)
    if not isinstance(function, loading.LoadedFunction) or not function._saved:
        return "runs"
    trace = function._saved[0]
    tensors = [tf.constant(a) for a in case.arguments]
    fits = trace.matched(tuple(tensors), {}, False)
    try:
        got = function(*tensors)
    except ALLOWED:
        return "raises"
    except (ValueError, TypeError) as error:
        clean = fits is None or re.search("traced for sizes|not compatible", str(error))
        return "raises" if clean else f"BAD call: {type(error).__name__}: {str(error)[:300]}"
    except Exception as error:
        return f"BAD call: {type(error).__name__}: {str(error)[:300]}"
    if trace.captured or trace.updated or "unpool" in str(trace.function):
        return "runs"  # (places of unpool lie in their windows: else a sum lacks some)
    arrays = [np.asarray(t) for t in fits or ()]
    try:
        wanted = interpret(trace.function, arrays)
    except MemoryError:
        return "runs"
    except Exception as error:
        return f"BAD runs, where the interpreter raises {type(error).__name__}: {error}"
    have = [np.asarray(t) for t in tf.nest.flatten(got)]
    numbers = encoding.decode(trace.entry["outputs"], lambda i: i, lambda i: None)
    for a, i in zip(have, tf.nest.flatten(numbers), strict=False):  # in whatever structure
        b = wanted[i]
        if not near(a, b):
            return f"BAD values: {str(a)[:100]} and not {str(b)[:100]}"
    return "runs"


def near(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether these are the same, but for the rounding of sums."""
    part = 0.2 if a.dtype.itemsize == 2 else 1e-2
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        x, y = a.astype(wide), b.astype(wide)
        most = part * np.max(np.abs(y[np.isfinite(y)]), initial=1.0)
    return x.shape == y.shape and np.allclose(x, y, part, most, equal_nan=True)
