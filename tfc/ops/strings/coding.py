"""Strings of bytes as others: base64, compressed, and fingerprints. Computed by Python; inside of a
`tfc.function` programs call it (tfc/ops/on_host.py)."""

from __future__ import annotations

import base64
import binascii
import gzip
import re
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core import blame
from ...core.conversion import operand
from ...core.errors import DataLossError
from ...core.formatting import shown
from ...core.tensor import Tensor, wrap
from ...core.types import TensorLike
from ..arguments import flag, one_of
from ..on_host import Call, Elementwise, Shape, on_host, same_shape
from .hashing import fingerprint64
from .text import each, known, text

_WEB_SAFE = re.compile(rb"[A-Za-z0-9_-]*={0,2}")


@on_host("io.encode_base64", same_shape, elementwise=Elementwise.FIRST)
def encode_base64(input: TensorLike, pad: bool = False, name: str | None = None) -> Tensor:
    """Strings in base64, with - and _ as in URLs (RFC 4648, section 5).

    Args:
        input: A tensor of strings.
        pad: Whether = stand behind them, so that lengths are multiples of 4.

    Returns:
        A tensor of strings of the same shape.

    Raises:
        InvalidArgumentError: If the dtype is another one.

    >>> import tfc as tf
    >>> print(tf.io.encode_base64(["Hello", "TF"]))
    tf.Tensor([b'SGVsbG8' b'VEY'], shape=(2,), dtype=string)
    """
    op = "io.encode_base64"
    padded = flag(pad, "pad", op)

    def one(value: bytes) -> bytes:
        found = base64.urlsafe_b64encode(value)
        return found if padded else found.rstrip(b"=")

    return each(text(op, input), one)


@on_host("io.decode_base64", same_shape, example=b"AAAA", elementwise=Elementwise.FIRST)
def decode_base64(input: TensorLike, name: str | None = None) -> Tensor:
    """What `encode_base64` made strings of; = may stand behind them or not.

    Args:
        input: A tensor of strings in base64, with - and _.

    Returns:
        A tensor of strings of the same shape.

    Raises:
        InvalidArgumentError: If a string is not in base64, or the dtype is another one.

    >>> import tfc as tf
    >>> print(tf.io.decode_base64(["SGVsbG8", "VEY="]))
    tf.Tensor([b'Hello' b'TF'], shape=(2,), dtype=string)
    """
    op = "io.decode_base64"

    def one(value: bytes) -> bytes:
        plain = value.rstrip(b"=")
        whole = len(value) % 4 == 0 or len(plain) == len(value)
        if len(plain) % 4 == 1:
            said = "Base64 string length cannot be 1 modulo 4"
            raise blame.invalid(f"{said}: {value[:40]!r}", op)
        if not _WEB_SAFE.fullmatch(value) or not whole:
            said = "Invalid character found in base64"
            raise blame.invalid(f"{said} (with - and _): {value[:40]!r}", op)
        try:
            return base64.urlsafe_b64decode(plain + b"=" * (-len(plain) % 4))
        except binascii.Error as error:
            raise blame.invalid(f"Invalid character found in base64: {error}", op) from None

    return each(text(op, input), one)


@on_host(
    "io.decode_compressed",
    same_shape,
    sample=lambda bytes, compression_type="", name=None: bytes,
    elementwise=Elementwise.FIRST,
)
def decode_compressed(
    bytes: TensorLike, compression_type: str | None = "", name: str | None = None
) -> Tensor:
    """Strings that were compressed.

    Unlike TensorFlow, which gives what it could read, a string that is not whole is an error.

    Args:
        bytes: A tensor of strings.
        compression_type: "" (or None), "ZLIB" or "GZIP".

    Returns:
        A tensor of strings of the same shape.

    Raises:
        DataLossError: If a string is not so compressed.
        InvalidArgumentError: If `compression_type` is another one.

    >>> import zlib
    >>> import tfc as tf
    >>> print(tf.io.decode_compressed([zlib.compress(b"abc")], "ZLIB"))
    tf.Tensor([b'abc'], shape=(1,), dtype=string)
    """
    op = "io.decode_compressed"
    kind = "" if compression_type is None else compression_type
    if not one_of(kind, ("", "ZLIB", "GZIP")):
        said = "Only ZLIB, GZIP or NONE are supported compressions"
        raise blame.invalid(f"{said}, not {shown(kind)}", op)
    if not kind:
        return each(text(op, bytes), lambda value: value)
    decompress = zlib.decompress if kind == "ZLIB" else gzip.decompress

    def one(value: Any) -> Any:
        try:
            return decompress(value)
        except (OSError, EOFError, zlib.error) as error:
            raise blame.located(
                DataLossError, f"{op}: inflate() failed: a string is no whole {kind}: {error}"
            ) from None

    return each(text(op, bytes), one)


def _eight_bytes(call: Call) -> Sequence[Shape | None]:
    return ((call.operands[0].shape[0], 8),)


@on_host("fingerprint", _eight_bytes)
def fingerprint(data: TensorLike, method: str = "farmhash64", name: str | None = None) -> Tensor:
    """Hashes of the slices of a tensor along its first axis, the same on all machines.

    Args:
        data: A tensor of any dtype with an axis at least.
        method: "farmhash64" alone.

    Returns:
        A tensor of uint8 [n, 8], the least significant byte first.

    Raises:
        InvalidArgumentError: If `data` is a scalar, or `method` another one.

    >>> import tfc as tf
    >>> a, b, c = tf.fingerprint(["x", "y", "x"])
    >>> bool(tf.reduce_all(a == c)), bool(tf.reduce_all(a == b))
    (True, False)
    """
    op = "fingerprint"
    array = known(op, operand(op, data))
    if isinstance(method, Tensor):
        method = str(np.asarray(method).item().decode())
    if array.ndim == 0:
        raise blame.invalid("`data` should have at least one dimension: []", op)
    if method not in ("farmhash64", b"farmhash64"):
        raise blame.invalid(f"Unsupported fingerprint method: {method}: there is 'farmhash64'", op)
    if array.dtype == object:
        hashes = np.array([fingerprint64(s) for s in array.reshape(-1).tolist()], "<u8")
        rows = hashes.reshape(array.shape[0], -1 if array.size else 0)
        words = hashes if array.ndim == 1 else [fingerprint64(r.tobytes()) for r in rows]
    else:
        words = [fingerprint64(np.ascontiguousarray(row).tobytes()) for row in array]
    found = np.array(words, "<u8").view(np.uint8)
    return wrap(found.reshape(array.shape[0], 8))


__all__ = ["decode_base64", "decode_compressed", "encode_base64", "fingerprint"]
