"""Saved models that are damaged, or made to attack (see mutations.py for many more)."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.fuzz.inputs.attempts import ERROR, RESULT
from tests.fuzz.inputs.models import Models
from tests.fuzz.inputs.runner import Campaign
from tests.saved_model.mutations import ATTACK, Files
from tfc.ir.core import Op
from tfc.ir.kernel_op import KernelLaunch, KernelOp
from tfc.ir.kernels.ops import HostLaunch
from tfc.ir.ops.collective import Collective
from tfc.ir.ops.host_functions import LoopOfStrings
from tfc.ir.ops.inspection import Inspect
from tfc.ir.ops.python import PythonCall
from tfc.saved_model import encoding
from tfc.saved_model.vocabulary import OPS


def test_mutations(tmp_path: Path) -> None:
    """A sample: each is refused, or runs as the interpreter runs it."""
    campaign = Campaign(tmp_path, lambda text: None, [Models()])
    wrong = campaign.run(150)
    assert not wrong, "\n".join(p.read_text() for p in (tmp_path / "failures").iterdir())
    refused, runs = (campaign.counts[f"saved models: {how}"] for how in (ERROR, RESULT))
    assert refused > 75 and runs > 10


def test_every_tensor_op_is_allowed_or_left_out() -> None:
    left_out = (KernelOp, KernelLaunch, HostLaunch, PythonCall, Collective, Inspect)
    left_out += (LoopOfStrings,)
    ours = {n: c for n, c in Op.by_name.items() if c.__module__.startswith("tfc.ir.")}
    assert {n for n, c in ours.items() if not issubclass(c, left_out)} == OPS


def written(folder: Path, change: Callable[[Files], None]) -> Path:
    """A saved model that somebody has changed, with the checksums that it must have."""
    m = tf.Module()
    m.v = tf.Variable(np.arange(1000.0))
    m.f = tf.function(lambda x: x * 2.0 + 1.0, input_signature=[tf.TensorSpec([4])])
    tf.saved_model.save(m, folder)
    return rewritten(folder, change)


def rewritten(folder: Path, change: Callable[[Files], None]) -> Path:
    """The model that is saved there, changed."""
    files = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    change(files)
    manifest = json.loads(files[encoding.MANIFEST])
    for name, data in files.items():
        if name != encoding.MANIFEST:
            manifest["files"][name] = encoding.checksum(data)
    files[encoding.MANIFEST] = json.dumps(manifest).encode()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def text(*lines: str, returns: str = "%0") -> Callable[[Files], None]:
    """Other IR in the place of the function's."""
    body = "\n".join((*lines, f"  return {returns}"))

    def change(files: Files) -> None:
        files["functions/0.ir"] = f"func @f(%x: f32[4]) -> f32[4] {{\n{body}\n}}".encode()

    return change


NEST = "f32 " + "-" * 3000 + "1"
DEEP = "(" * 3000 + "4" + ")" * 3000
WIDE = "*".join(f"(n{i} + m{i} + k{i})" for i in range(40))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (text(ATTACK, returns="%a7"), "launch must not stand here"),
        (text("  %0 = python_start : i64"), "python_start must not stand here"),
        (text('  %p = print [%x] {template = "\\x00", stream = "/tmp/f", summarize = 3} : bool'
              , "  %0 = neg %x : f32[4]"), "prints to the file"),
        (text("  %0 = reverse %x {axes = __import__} : f32[4]"), "expected a tuple|not a value"),
        (text("  %0 = reverse %x {axes = (0.0,)} : f32[4]"), "expected tuple"),
        (text("  %0 = cum_sum %x {axis = True, reverse = False} : f32[4]"), "expected int"),
        (text(f"  %1 = constant {{value = {NEST}}} : f32", "  %0 = neg %x : f32[4]"), "no float32"),
        (text("  %1 = constant {value = u8 256} : u8", "  %0 = neg %x : f32[4]"), "no uint8"),
        (text("  %1 = constant {value = f32 1e99} : f32", "  %0 = neg %x : f32[4]"),
         "out of range"),
        (text("  %0 = igamma_derivative %x, %x {order = -1} : f32[4]"), "no derivative"),
        (text("  %0 = neg %x : f32[007x]"), "not an extent"),
        (text(f"  %0 = neg %x : f32[{DEEP}]"), "too deep"),
        (text(f"  %0 = neg %x : f32[{WIDE}]"), "too many terms"),
        (text("  %0 = neg %x : f32[4 // 0]"), "a division by 0"),
        (text("  %1 = constant {value = f32 1} : f32",
              "  %2 = broadcast %1 {shape = (k,), dims = ()} : f32[k]",
              "  %0 = neg %x : f32[4]"), "the extent k, which nothing tells"),
        (text("  %1 = constant {value = f32 1} : f32",
              "  %2 = broadcast %1 {shape = (-4,), dims = ()} : f32[-4]",
              "  %0 = neg %x : f32[4]"), "no tensor has this type"),
        (text(*(f"  while [%x], [] condition = (%c{i}: f32[4]) {{" for i in range(100))),
         "nested too deep"),
        # An address that somebody has made up.
        (text("  %1 = cast %x {dtype = string} : string[4]", "  %0 = neg %x : f32[4]"),
         "no number is a string"),
        (text("  %1 = iota {shape = (4,), axis = 0, dtype = string} : string[4]",
              "  %0 = neg %x : f32[4]"), "no number is a string"),
        (text("  %1 = constant {value = string 'a'} : string", "  %0 = neg %x : f32[4]"),
         "it has strings, in the op constant"),
        (text("  %1 = iota {shape = (4,), axis = 0, dtype = i64} : i64[4]",
              "  %2 = bitcast %1 {dtype = string} : string[4]", "  %0 = neg %x : f32[4]"),
         "has strings, in the op bitcast|dtype"),
        (text("  %1 = host_run [] {routine = ('x', ''), places = (), axes = ()} : string",
              "  %0 = neg %x : f32[4]"), "no host function 'x'"),
        (text("  %1 = host_run [] "
              "{routine = ('io.read_file', ''), places = (), axes = ()} : string",
              "  %0 = neg %x : f32[4]"), "calls the host's function io.read_file"),
        (text("  %1 = host_run [] {routine = 1, places = (), axes = ()} : string",
              "  %0 = neg %x : f32[4]"), "calls the host's function|no routine"),
        (text("  %1 = host_effect [] {routine = ('strings.lower', ''), places = (), axes = ()} : "
              "string", "  %0 = neg %x : f32[4]"), "strings.lower for an effect"),
        (text("  %1 = host_effect [] {routine = ('io.read_file', ''), places = (), axes = ()} : "
              "string", "  %0 = neg %x : f32[4]"), "calls the host's function io.read_file"),
        (lambda files: files.update({"functions/0.ir": b"\xff\xfe"}), "can't decode"),
    ],
)  # fmt: skip
def test_programs_that_are_refused(change: Any, why: str, tmp_path: Path) -> None:
    with pytest.raises(tf.errors.DataLossError, match=why) as caught:
        tf.saved_model.load(written(tmp_path, change))
    assert "functions/0.ir" in str(caught.value)


def arrays(kind: int = zipfile.ZIP_STORED, **changed: bytes) -> Callable[[Files], None]:
    """The archive written anew, with other data."""

    def change(files: Files) -> None:
        with zipfile.ZipFile(io.BytesIO(files[encoding.ARRAYS])) as archive:
            members = {n: archive.read(n) for n in archive.namelist()}
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", kind) as archive:
            for name, data in members.items():
                archive.writestr(name, changed.get(name.removesuffix(".npy"), data))
        files[encoding.ARRAYS] = buffer.getvalue()

    return change


def header(text: bytes, data: bytes = b"") -> bytes:
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (arrays(zipfile.ZIP_DEFLATED, v0=b"\0" * (1 << 24)), "more than the file"),
        (arrays(zipfile.ZIP_DEFLATED, v0=os.urandom(64)), "compressed"),
        (arrays(v0=b"\0" * 100), "no array"),
        (arrays(v0=header(b"{'descr': '|O', 'fortran_order': False, 'shape': (1000,), }")), "head"),
        (arrays(v0=header(b"__import__('os').abort()")), "header"),
        (arrays(v0=header(b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000,), }")),
         "0 bytes"),
        (arrays(v0=header(b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999,), }")),
         r"shape \[99999\]"),
        (arrays(v0=header(b"{'descr': '<i4', 'fortran_order': False, 'shape': (1000,), }")),
         "has dtype int32"),
        (lambda files: files.update({encoding.ARRAYS: b"PK\x03\x04" + b"\0" * 50}), "not a zip"),
    ],
)  # fmt: skip
def test_archives_that_are_refused(change: Any, why: str, tmp_path: Path) -> None:
    with pytest.raises(tf.errors.DataLossError, match=why) as caught:
        tf.saved_model.load(written(tmp_path, change))
    assert "variables.npz" in str(caught.value)


def manifest(key: str, value: Any) -> Callable[[Files], None]:
    """Another value in the manifest, at a path."""

    def change(files: Files) -> None:
        tree = json.loads(files[encoding.MANIFEST])
        *path, last = [int(k) if k.isdigit() else k for k in key.split("/")]
        node = tree
        for k in path:
            node = node[k]
        node[last] = value
        files[encoding.MANIFEST] = json.dumps(tree).encode()

    return change


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("root", -1),
        ("version", 0),
        ("objects/0/attributes/f", {"function": -1}),
        ("objects/0/attributes/__class__", {"variable": 0}),
        ("objects/0/attributes/_name", {"variable": 0}),
        ("functions/0/parameters/0/1", "__class__"),
        ("functions/0/parameters", []),
        ("traces/0/args", {"tuple": [{"tensor": -1}]}),
        ("traces/0/args", {"tuple": [{"float": "0x1p99999"}]}),
        ("traces/0/outputs", {"tensor": 1}),
        ("traces/0/outputs", {"dict": [[{"value": "a"}, {"tensor": 0}], [{"value": 1}, {}]]}),
        ("traces/0/requirements", ["k - 1"]),
        ("traces/0/updated", [0]),
        ("traces/0/names", ["x", "y"]),
        ("variables/0/trainable", 1),
        ("arrays/v0", ["float32", [2000]]),
        ("arrays/v0", ["object", [1000]]),
        ("arrays/v0", ["float64", [1000.0]]),
    ],
)
def test_manifests_that_are_refused(key: str, value: Any, tmp_path: Path) -> None:
    with pytest.raises(tf.errors.DataLossError, match="the saved model is damaged"):
        tf.saved_model.load(written(tmp_path, manifest(key, value)))


def test_deep_manifests_and_what_is_no_file(tmp_path: Path) -> None:
    folder = written(tmp_path / "m", lambda files: None)
    original = (folder / encoding.MANIFEST).read_bytes()
    (folder / encoding.MANIFEST).write_bytes(b"[" * 10**5)
    with pytest.raises(tf.errors.DataLossError):
        tf.saved_model.load(folder)
    (folder / encoding.MANIFEST).write_bytes(original)
    (folder / "functions" / "0.ir").unlink()
    os.mkfifo(folder / "functions" / "0.ir")  # which would block
    with pytest.raises(tf.errors.DataLossError, match="no file"):
        tf.saved_model.load(folder)


def test_printing_into_files_is_not_saved(tmp_path: Path) -> None:
    m = tf.Module()
    m.f = tf.function(lambda x: tf.print(x, output_stream=f"file://{tmp_path}/log"))
    m.f(tf.constant(1.0))
    with pytest.raises(tf.errors.UnimplementedError, match="prints to the file") as caught:
        tf.saved_model.save(m, tmp_path / "saved")
    assert __file__ in str(caught.value)
