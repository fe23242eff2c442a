"""LLVM's functions by ctypes are those of `llvmlite.binding`, which compiling does not import."""

from __future__ import annotations

import os
import subprocess
import sys

import llvmlite
import llvmlite.binding as llvm
import pytest

from tfc.backends.cpu import jit
from tfc.backends.cpu.machine import host, target_machine
from tfc.backends.llvm import bindings, compiler, library

TEXT = """
define double @f(ptr %p, i64 %n) {
entry:
  %a = getelementptr double, ptr %p, i64 %n
  %x = load double, ptr %a
  %y = call double @llvm.fma.f64(double %x, double %x, double 2.0)
  ret double %y
}
declare double @llvm.fma.f64(double, double, double)
"""


def test_the_library_says_what_llvmlite_says() -> None:
    assert library.version() == llvm.llvm_version_info
    assert library.process_triple() == llvm.get_process_triple()
    assert library.host_features() == dict(llvm.get_host_cpu_features())


@pytest.mark.parametrize("level", [0, 2])
def test_objects_are_those_of_llvmlite(level: int) -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = host()
    own = library.Generator(machine.triple, "", machine.features, level, jit=True)
    theirs = llvm.Target.from_triple(machine.triple).create_target_machine(
        features=machine.features, opt=level, jit=True
    )
    module = llvm.parse_assembly(TEXT)
    assert own.emit(TEXT) == theirs.emit_object(module)
    assert own.emit(TEXT, assembly=True).decode() == theirs.emit_assembly(module)
    assert own.data_layout() == str(theirs.target_data)


def test_other_versions_make_their_own_generators(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = host()
    arguments = (machine.triple, "", machine.features, 2)
    known = library.Generator(*arguments, jit=True).emit(TEXT)
    monkeypatch.setattr(bindings, "version", lambda: "0.99.0")
    assert library.Generator(*arguments, jit=True).emit(TEXT) == known
    assert llvmlite.__version__.startswith(library._KNOWN), "look at its CreateTargetMachine"


def test_what_llvm_rejects_is_told() -> None:
    for text in ("define double @f( {", TEXT.replace("ret double %y", "ret double %z")):
        with pytest.raises(compiler.InternalError, match="LLVM IR parsing error"):
            jit.load(text)
    broken = "define void @f() {\nentry:\n %a = add i32 %b, 1\n %b = add i32 1, 1\n ret void\n}\n"
    with pytest.raises(RuntimeError, match="does not dominate"):
        target_machine().emit(broken)
    with pytest.raises(RuntimeError, match="nowhere"):
        library.Generator("nowhere-unknown", "", "", 2)


def test_compiling_imports_no_more_of_llvmlite(tmp_path: object) -> None:
    code = """
import sys
import tfc as tf
print(float(tf.reduce_sum(tf.tanh(tf.ones((3, 4)) @ tf.ones((4, 5))))))
print("llvmlite.binding" in sys.modules, "_hashlib" in sys.modules)
"""
    environment = {**os.environ, "TFC_CACHE_DIR": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120
    )
    value, imported = ran.stdout.splitlines()
    assert abs(float(value) - 14.98994) < 1e-3 and imported == "False False", ran.stderr


SWITCHED = """
from tfc.backends.cpu import machine
from tfc.backends.llvm import library

TEXT = '''
define void @f(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %k = mul i64 %i, 12
  %at = getelementptr i8, ptr %p, i64 %k
  store i64 %i, ptr %at
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
'''
generator = machine.target_machine()
plain = generator.emit(TEXT)
on, off = (["-disable-lsr=" + value, "-disable-cgp=" + value] for value in ("true", "false"))
for give in (library.set_options, lambda options: list(map(library.set_option, options))):
    give(on)
    print(generator.emit(TEXT).hex())
    give(off)
    assert generator.emit(TEXT) == plain
print(plain.hex())
"""


def test_options_that_are_given_together_are_those_given_one_by_one() -> None:
    run = subprocess.run([sys.executable, "-c", SWITCHED], capture_output=True, text=True)
    together, one_by_one, plain = run.stdout.split()
    assert together == one_by_one != plain, run.stderr
