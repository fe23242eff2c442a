"""Tables: what is written is read, TensorFlow's too, and a damaged one is never read as another."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable

import pytest

import tfc as tf
from tests.sampling import ALL
from tfc.records import ordered, snappy, table, wire

DRAW = random.Random(1)
COUNT = 20_000 if ALL else 300


def pairs(count: int, size: int) -> list[tuple[bytes, bytes]]:
    keys = {DRAW.randbytes(DRAW.randrange(1, 6)) + b"key" for _ in range(count)}
    return [(key, DRAW.randbytes(DRAW.randrange(size))) for key in sorted(keys)]


@pytest.mark.parametrize("block", [1, 50, 4096, 1 << 18])
def test_what_is_written_is_read(block: int) -> None:
    for count in (0, 1, 2, 15, 16, 17, 400):
        items = [(b"", b"header"), *pairs(count, 40)]
        data = table.write(items, block)
        assert list(table.read(data, "a table").items()) == items
    assert table.read(table.write([]), "an empty table") == {}


def compressed(data: bytes) -> bytes:
    """Snappy's form: literals, and copies of what stands 1 to 2047 bytes, or further, before."""
    parts, at = [wire.varint(len(data))], 0
    while at < len(data):
        back = data.rfind(data[at : at + 4], 0, at + 3)
        if at + 4 <= len(data) and back >= 0:
            distance, n = at - back, 4
            while n < 11 and at + n < len(data) and data[at + n] == data[back + n]:
                n += 1
            if distance < 2048:
                parts.append(bytes([1 | n - 4 << 2 | distance >> 8 << 5, distance & 255]))
            else:
                wide = 2 if distance < 1 << 16 and at % 2 else 4
                parts.append(bytes([(2 if wide == 2 else 3) | n - 1 << 2]))
                parts.append(distance.to_bytes(wide, "little"))
            at += n
        else:
            n = min(DRAW.choice([1, 60, 61, 300]), len(data) - at)
            digits = (n - 1).to_bytes(2, "little")[: 0 if n <= 60 else 1 if n <= 256 else 2]
            head = n - 1 if n <= 60 else 59 + len(digits)
            parts += [bytes([head << 2]), digits, data[at : at + n]]
            at += n
    return b"".join(parts)


def test_snappy() -> None:
    for size in (0, 1, 5, 100, 3000, 90_000):
        words = [DRAW.randbytes(DRAW.randrange(1, 9)) for _ in range(40)]
        data = b"".join(DRAW.choices(words, k=size // 4))[:size] + b"a" * min(size, 70)
        assert snappy.decompress(memoryview(compressed(data)), "it") == data


def test_a_block_that_is_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [(b"key%03d" % i, b"a value that comes again") for i in range(100)]
    plain = table._block

    def packed(entries: list[tuple[bytes, bytes]], interval: int) -> bytes:
        return compressed(plain(entries, interval))

    monkeypatch.setattr(table, "_block", packed)
    monkeypatch.setattr(table, "_AS_IT_IS", 1)
    data = table.write(items)
    monkeypatch.undo()
    assert len(data) < len(table.write(items))
    assert list(table.read(data, "it").items()) == items


def damaged(data: bytes) -> bytes:
    """One or a few places changed, or the length."""
    made = bytearray(data)
    for _ in range(DRAW.choice([1, 1, 1, 2, 5])):
        at = DRAW.randrange(len(made))
        match DRAW.randrange(5):
            case 0:
                made[at] ^= 1 << DRAW.randrange(8)
            case 1:
                made[at] = DRAW.choice([0, 1, 127, 128, 255])
            case 2:
                del made[at : at + DRAW.randrange(1, 9)]
            case 3:
                made[at:at] = DRAW.randbytes(DRAW.randrange(1, 9))
            case _:
                del made[at:]
        if not made:
            return b""
    return bytes(made)


def never_another(data: bytes, read: Callable[[bytes], object], right: object) -> int:
    """Damage `data` again and again; how often that was found."""
    found = 0
    for _ in range(COUNT):
        harmed = damaged(data)
        try:
            got = read(harmed)
        except tf.errors.DataLossError:
            found += 1
        else:
            assert got == right or harmed == data, harmed.hex()
    return found


def test_damage_is_found() -> None:
    items = pairs(60, 20)
    data = table.write(items, 300)
    assert never_another(data, lambda d: table.read(d, "it"), dict(items)) > COUNT * 0.95


def test_no_bytes_at_all_make_another_error() -> None:
    """With right checksums, too: as who wants to harm would write them."""
    text = compressed(b"abcabcabcabc" * 20)
    for _ in range(COUNT):
        try:
            out = snappy.decompress(memoryview(damaged(text)), "it")
            assert len(out) <= 32 * len(text) + 300
        except tf.errors.DataLossError:
            pass
    for _ in range(COUNT):
        block = damaged(table._block([(b"abc%d" % i, b"x" * i) for i in range(20)], 16))
        body = block + b"\0"
        tail = table._WORD.pack(table.masked_crc32c(body))
        handle = wire.varint(0) + wire.varint(len(block))
        index = table._block([(b"\xff", handle)], 1) + b"\0"
        at = len(body) + 4
        foot = wire.varint(at) + wire.varint(len(index) - 1)
        whole = body + tail + index + table._WORD.pack(table.masked_crc32c(index))
        whole += (foot + foot).ljust(40, b"\0") + table.MAGIC.to_bytes(8, "little")
        with contextlib.suppress(tf.errors.DataLossError):
            table.read(whole, "it")


def test_keys_of_slices() -> None:
    """As TensorFlow 2.21 writes them."""
    for ranges, key in (
        ([(0, 2), (0, -1)], "0078000101028082807f"),
        ([(2, 2), (6, 6)], "00780001010282828686"),
        ([(100, 3900), (0, -1)], "007800010102c064cf3c807f"),
    ):
        assert ordered.slice_key(b"x", ranges).hex() == key
    for value in (0, 1, 63, 64, -1, -64, -65, 8191, 8192, 1 << 40, -(1 << 40), (1 << 62) + 5):
        code = ordered._signed(value)
        assert len(code) == (~value if value < 0 else value).bit_length() // 7 + 1
    codes = [ordered._signed(v) for v in range(-20000, 20000, 7)]
    assert codes == sorted(codes)
    names = [b"a", b"a\0", b"a\0b", b"ab", b"b", b"b\xff", b"\xff"]
    keys = [ordered.slice_key(name, []) for name in names]
    assert keys == sorted(keys) and len(set(keys)) == len(keys)
