"""The lattice of dtypes, by which TensorFlow's modes "all" and "safe" promote operands.

A node is a dtype, or one with a star: that of a weak value, which is made of Python numbers and
leaves the choice to what it meets. The result of two operands is the least node above both:

    bool - int32* - uint8 - uint16 - uint32 - uint64 ----------.
            |  |       `-.      `-.      `-.                    |
            |  `-- int8 - int16 -- int32 -- int64 -.            |
            |                                      |            |
            `-------- float32* ------------------- float64* ----'
                                                   |  |  |
              bfloat16 - float32 - float64         |  |  `- bfloat16
              float16 ---'  |          |           |  `---- float16
              complex128* - complex64 - complex128 `------- complex128*

The modes, and why it is a lattice: https://www.tensorflow.org/guide/tf_numpy_type_promotion.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from tfc.ir.dtypes import DType, as_dtype

_ABOVE = {
    "bool": ("int32*",),
    "int32*": ("int8", "uint8", "float32*"),
    "uint8": ("int16", "uint16"),
    "uint16": ("int32", "uint32"),
    "uint32": ("int64", "uint64"),
    "uint64": ("float64*",),
    "int8": ("int16",),
    "int16": ("int32",),
    "int32": ("int64",),
    "int64": ("float64*",),
    "float32*": ("float64*",),
    "float64*": ("bfloat16", "float16", "complex128*"),
    "bfloat16": ("float32",),
    "float16": ("float32",),
    "float32": ("float64", "complex64"),
    "float64": ("complex128",),
    "complex128*": ("complex64",),
    "complex64": ("complex128",),
    "complex128": (),
}
_DIGITS = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}  # of significands


class Kind(NamedTuple):
    """A node: a dtype, and whether a value of it is weak."""

    dtype: DType
    weak: bool

    @property
    def name(self) -> str:
        return self.dtype.name + "*" * self.weak


def in_lattice(kind: Kind) -> bool:
    """Whether there is such a node: text and small floats have none."""
    return kind.name in _ABOVE


@functools.cache
def _from(name: str) -> frozenset[str]:
    """The node and all above it."""
    return frozenset({name}.union(*map(_from, _ABOVE[name])))


@functools.cache
def join(a: Kind, b: Kind) -> Kind:
    """The least node above two."""
    shared = _from(a.name) & _from(b.name)
    least = next(name for name in shared if _from(name) == shared)
    return Kind(as_dtype(least.rstrip("*")), least.endswith("*"))


@functools.cache
def keeps_bits(a: Kind, b: Kind) -> bool:
    """Whether mode "safe" allows the promotion: the result has the dtype of one of the two, and
    holds every value of theirs; a weak one gives way."""
    result = join(a, b).dtype
    return result in (a.dtype, b.dtype) and all(k.weak or _held(k.dtype, result) for k in (a, b))


def _held(dtype: DType, result: DType) -> bool:
    """Whether a dtype further up holds every value of this one."""
    if not dtype.is_integer or result.is_integer:
        return True
    part = {"complex64": "float32", "complex128": "float64"}.get(result.name, result.name)
    return dtype.bits - (dtype.kind == "i") <= _DIGITS[part]
