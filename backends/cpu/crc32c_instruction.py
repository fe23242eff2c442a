"""CRC-32C by the instruction that processors have for it, as LLVM text: x86 since SSE 4.2, ARM with
its `crc` extension. It takes 8 bytes, and gives its result three cycles later; so three parts of
the data go through it side by side, and their checksums are joined:

    crc(A B C) = shift(shift(crc(A)) ^ crc(B)) ^ crc(C)

where `shift` is what as many zeros as a part has bytes would make of a checksum. That is linear:
the sum of what they make of its four bytes, which stand in tables (V. Gopal et al., "Fast CRC
computation for iSCSI polynomial using CRC32 instruction", 2011).

Where there is none of these, runtime/records.c goes through tables: 1.6 GB/s of 9.4 (AMD Zen 5, a
busy machine).
"""

from __future__ import annotations

import numpy as np

from .machine import Machine

PART = 2048  # bytes that go side by side
_WORDS = {
    "x86_64": ("sse4.2", "llvm.x86.sse42.crc32.64.64", "llvm.x86.sse42.crc32.32.8", "i64", "i8"),
    "aarch64": ("crc", "llvm.aarch64.crc32cx", "llvm.aarch64.crc32cb", "i32", "i32"),
}


def shift_tables(first: np.ndarray) -> np.ndarray:
    """What PART zeros make of each byte of a checksum. `first` has the remainders of bytes."""
    tables = np.arange(256, dtype=np.uint32) << np.arange(0, 32, 8, dtype=np.uint32)[:, None]
    for _ in range(PART):
        tables = (tables >> 8) ^ first[tables & 255]
    return np.ascontiguousarray(tables, np.uint32)


def text(machine: Machine, name: str, offset: int) -> str:
    """A function (tables, crc, data, count) -> crc of this name; "" if the machine has no such
    instruction. The tables of `shift_tables` stand `offset` bytes behind the first argument."""
    kind = _WORDS.get(machine.architecture)
    if kind is None or not machine.has(kind[0]):
        return ""
    return _Writer(*kind[1:]).function(name, offset)


class _Writer:
    """Writes the function, whose checksums are inverted, as the instructions have them."""

    def __init__(self, word: str, byte: str, state: str, byte_type: str) -> None:
        self.word, self.byte, self.state, self.byte_type = word, byte, state, byte_type
        self.lines: list[str] = []

    def step(self, new: str, old: str, at: str) -> None:
        """A checksum with the 8 bytes at `at` behind it."""
        call = f"call {self.state} @{self.word}({self.state} %{old}, i64 %{new}.word)"
        self.lines += [f"  %{new}.word = load i64, ptr {at}, align 1", f"  %{new} = {call}"]

    def joined(self, new: str, before: str, crc: str, offset: int) -> None:
        """The checksum of a part behind another one."""
        emit = self.lines.append
        self.narrow(f"{new}.n", before)
        self.narrow(f"{new}.sum0", crc)
        for i in range(4):
            emit(f"  %{new}.s{i} = lshr i32 %{new}.n, {8 * i}")
            emit(f"  %{new}.b{i} = and i32 %{new}.s{i}, 255")
            emit(f"  %{new}.i{i} = zext i32 %{new}.b{i} to i64")
            emit(f"  %{new}.t{i} = getelementptr i8, ptr %tables, i64 {offset + 1024 * i}")
            emit(f"  %{new}.p{i} = getelementptr i32, ptr %{new}.t{i}, i64 %{new}.i{i}")
            emit(f"  %{new}.v{i} = load i32, ptr %{new}.p{i}")
            emit(f"  %{new}.sum{i + 1} = xor i32 %{new}.sum{i}, %{new}.v{i}")
        self.widen(new, f"{new}.sum4")

    def narrow(self, new: str, old: str) -> None:
        if self.state == "i32":
            self.lines.append(f"  %{new} = or i32 %{old}, 0")
        else:
            self.lines.append(f"  %{new} = trunc i64 %{old} to i32")

    def widen(self, new: str, old: str) -> None:
        cast = "or i32" if self.state == "i32" else "zext i32"
        end = ", 0" if self.state == "i32" else " to i64"
        self.lines.append(f"  %{new} = {cast} %{old}{end}")

    def function(self, name: str, offset: int) -> str:
        """The text: rounds of three parts, then words, then bytes."""
        state = self.state
        self.lines = [
            f"define i32 @{name}(ptr %tables, i32 %crc, ptr %data, i64 %count) nounwind {{",
            "entry:",
            "  %end = getelementptr i8, ptr %data, i64 %count",
            "  %inverted = xor i32 %crc, -1",
        ]
        emit = self.lines.append
        self.widen("first", "inverted")
        emit("  br label %rounds")
        emit("rounds:")
        emit(f"  %a0 = phi {state} [ %first, %entry ], [ %joined, %join ]")
        emit("  %at = phi ptr [ %data, %entry ], [ %behind, %join ]")
        emit("  %left = phi i64 [ %count, %entry ], [ %less, %join ]")
        emit(f"  %more = icmp uge i64 %left, {3 * PART}")
        emit("  br i1 %more, label %parts, label %words")
        emit("parts:")
        emit("  %i = phi i64 [ 0, %rounds ], [ %i.next, %parts ]")
        for part, start in (("a", "%a0"), ("b", "0"), ("c", "0")):
            emit(f"  %{part} = phi {state} [ {start}, %rounds ], [ %{part}.next, %parts ]")
        for k, part in enumerate("abc"):
            emit(f"  %{part}.part = getelementptr i8, ptr %at, i64 {k * PART}")
            emit(f"  %{part}.at = getelementptr i8, ptr %{part}.part, i64 %i")
            self.step(f"{part}.next", part, f"%{part}.at")
        emit("  %i.next = add i64 %i, 8")
        emit(f"  %part.ends = icmp eq i64 %i.next, {PART}")
        emit("  br i1 %part.ends, label %join, label %parts")
        emit("join:")
        self.joined("two", "a.next", "b.next", offset)
        self.joined("joined", "two", "c.next", offset)
        emit(f"  %behind = getelementptr i8, ptr %at, i64 {3 * PART}")
        emit(f"  %less = sub i64 %left, {3 * PART}")
        emit("  br label %rounds")
        emit("words:")
        emit(f"  %w = phi {state} [ %a0, %rounds ], [ %w.next, %one ]")
        emit("  %w.at = phi ptr [ %at, %rounds ], [ %w.behind, %one ]")
        emit("  %w.left = phi i64 [ %left, %rounds ], [ %w.less, %one ]")
        emit("  %w.more = icmp uge i64 %w.left, 8")
        emit("  br i1 %w.more, label %one, label %last")
        emit("one:")
        self.step("w.next", "w", "%w.at")
        emit("  %w.behind = getelementptr i8, ptr %w.at, i64 8")
        emit("  %w.less = sub i64 %w.left, 8")
        emit("  br label %words")
        emit("last:")
        self.narrow("start", "w")
        emit("  br label %bytes")
        emit("bytes:")
        emit("  %x = phi i32 [ %start, %last ], [ %x.next, %byte ]")
        emit("  %x.at = phi ptr [ %w.at, %last ], [ %x.behind, %byte ]")
        emit("  %x.more = icmp ne ptr %x.at, %end")
        emit("  br i1 %x.more, label %byte, label %done")
        emit("byte:")
        emit("  %x.byte = load i8, ptr %x.at")
        given = "%x.byte"
        if self.byte_type == "i32":
            emit("  %x.wide = zext i8 %x.byte to i32")
            given = "%x.wide"
        emit(f"  %x.next = call i32 @{self.byte}(i32 %x, {self.byte_type} {given})")
        emit("  %x.behind = getelementptr i8, ptr %x.at, i64 1")
        emit("  br label %bytes")
        emit("done:")
        emit("  %result = xor i32 %x, -1")
        emit("  ret i32 %result")
        emit("}")
        emit(f"declare {state} @{self.word}({state}, i64)")
        emit(f"declare i32 @{self.byte}(i32, {self.byte_type})")
        return "\n".join(self.lines) + "\n"
