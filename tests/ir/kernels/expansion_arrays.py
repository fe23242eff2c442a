"""Expansions (ir/kernels/expand) computed on arrays: an emitter whose values are NumPy's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tests.native import Native
from tfc.ir.core import Builder, Op
from tfc.ir.dtypes import as_dtype
from tfc.ir.kernels.expand import Scalar, expansion
from tfc.ir.ops.elementwise import Elementwise, Fma
from tfc.ir.types import TensorType

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "neg": np.negative,
    "abs": np.abs, "sqrt": np.sqrt, "floor": np.floor, "less": np.less,
    "less_equal": np.less_equal, "equal": np.equal, "not_equal": np.not_equal, "select": np.where,
    "bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor,
    "shift_left": np.left_shift, "shift_right_arithmetic": np.right_shift,
}  # fmt: skip


@cache
def _fma(dtype: str) -> Native:
    """Of three vectors. NumPy has none, and its long double rounds twice."""
    b = Builder("fma")
    type_ = TensorType(as_dtype(dtype), (SIZE,))
    return Native(b.build(b.emit(Fma(*(b.parameter(type_) for _ in range(3))))))


SIZE = 1024  # of vectors that are multiplied and added at once: no kernel for each length


def fma(x: Any, y: Any, z: Any) -> Any:
    """x*y + z, rounded once."""
    x, y, z = np.broadcast_arrays(x, y, z)
    shape, dtype, total = x.shape, x.dtype, x.size
    padded = np.zeros((3, -(-total // SIZE) * SIZE), dtype)
    for row, part in zip(padded, (x, y, z), strict=True):
        row[:total] = part.ravel()
    made = np.empty(padded.shape[1:], dtype)
    compute = _fma(as_dtype(dtype).short)
    for start in range(0, made.size, SIZE):
        made[start : start + SIZE] = compute(*padded[:, start : start + SIZE])[0]
    return made[:total].reshape(shape)


def _logical(x: Any, amount: Any) -> Any:
    unsigned = f"u{np.asarray(x).itemsize}"
    moved = np.asarray(x).view(unsigned) >> np.asarray(amount).view(unsigned)
    return moved.view(np.asarray(x).dtype)


class Arrays:
    """Computes the operations of `Scalar`s at once."""

    def emit(self, name: str, *operands: Any, dtype: str) -> Any:
        target = as_dtype(dtype).numpy
        if name == "cast":
            return np.asarray(operands[0]).astype(target)
        if name == "bitcast":
            return np.asarray(operands[0]).view(target)
        if name == "fma":
            return fma(*operands)
        if name == "shift_right_logical":
            return _logical(*operands)
        return np.asarray(_FUNCTIONS[name](*operands))

    def constant(self, value: bool | int | float, dtype: str) -> Any:
        return np.asarray(value, as_dtype(dtype).numpy)

    def repeat(
        self, count: int, start: Sequence[Any], body: Callable[[Any, Sequence[Any]], Sequence[Any]]
    ) -> Sequence[Any]:
        for k in range(count):
            start = body(np.asarray(k, np.int64), start)
        return start

    def rarely(
        self,
        condition: Any,
        otherwise: Sequence[Any],
        function: Callable[..., Sequence[Scalar]],
        arguments: Sequence[Scalar],
    ) -> Sequence[Any]:
        slow = function(*arguments)
        return [np.where(condition, x.value, y) for x, y in zip(slow, otherwise, strict=True)]


def scalars(*arrays: np.ndarray) -> list[Scalar]:
    emitter = Arrays()
    return [Scalar(emitter, a, as_dtype(a.dtype).short) for a in arrays]


def computed(function: Callable[..., Any], *arrays: np.ndarray) -> np.ndarray:
    """What an expansion gives of these numbers."""
    with np.errstate(all="ignore"):
        made: Any = function(*scalars(*arrays)).value
    return np.broadcast_to(made, arrays[0].shape)


# Where an expansion takes another way: numbers beside which one of its comparisons turns out
# differently. They are found by bisection and kept in a file, one line for a function of a dtype.

BREAKPOINTS = Path(__file__).with_name("breakpoints.txt")
MOST = 24  # of a function: of comparisons that turn often (periods of a wave) a few are enough


class _Compared(Arrays):
    """Notes what comparisons find."""

    def __init__(self) -> None:
        self.found: list[Any] = []

    def emit(self, name: str, *operands: Any, dtype: str) -> Any:
        if name in ("less", "less_equal", "equal", "not_equal"):
            x, y = operands
            self.found.append(np.where(x < y, -1, np.where(x > y, 1, np.where(x == y, 0, 2))))
        return super().emit(name, *operands, dtype=dtype)


def _signatures(function: Callable[..., Any], x: np.ndarray) -> np.ndarray:
    """For each number what all comparisons find."""
    emitter = _Compared()
    with np.errstate(all="ignore"):
        function(Scalar(emitter, x, as_dtype(x.dtype).short))
    return np.array([np.broadcast_to(row, x.shape) for row in emitter.found])


def breakpoints(function: Callable[..., Any], dtype: Any) -> np.ndarray:
    """Neighbours between which a comparison turns, the rarest first, the lower ones."""
    bits = np.int64 if dtype == np.float64 else np.int32
    info = np.finfo(dtype)
    powers = np.linspace(np.log2(info.smallest_subnormal) + 1, np.log2(info.max), 3000)
    even = np.linspace(0, 130, 2600)
    positive = np.concatenate([np.exp2(powers), even]).astype(dtype)
    found: list[tuple[int, float]] = []
    for sign in (1, -1):
        grid = np.unique(positive)
        shown = _signatures(function, sign * grid)
        turns = shown[:, 1:] != shown[:, :-1]
        rare = np.where(turns, turns.sum(1)[:, None], grid.size).min(0, initial=grid.size)
        places = np.flatnonzero(turns.any(0))
        places = places[np.argsort(rare[places], kind="stable")][: 2 * MOST]
        low, high = grid[places].view(bits), grid[places + 1].view(bits)
        before = shown[:, places]
        while low.size and (high - low).max() > 1:
            middle = low + (high - low) // 2
            same = (_signatures(function, sign * middle.view(dtype)) == before).all(0)
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        found += zip(rare[places].tolist(), (sign * low.view(dtype)).tolist(), strict=True)
    values = dict.fromkeys(x for _, x in sorted(found, key=lambda pair: pair[0]))
    return np.array(list(values)[:MOST], dtype)


@cache
def kept_breakpoints() -> dict[str, np.ndarray]:
    """Those of the file, by the names of functions and dtypes, with three numbers on both sides."""
    found = {}
    for line in BREAKPOINTS.read_text().splitlines():
        name, dtype, *numbers = line.split()
        x = np.array([float.fromhex(number) for number in numbers], dtype)
        bits = x.view(f"i{x.itemsize}")
        near = np.concatenate([bits + i for i in range(-3, 4)]).view(dtype)
        found[f"{name} {dtype}"] = near[np.isfinite(near)]
    return found


def unary_expansions() -> dict[str, Callable[..., Any]]:
    """Of ops of one float."""
    found = {}
    for name, op in sorted(Op.by_name.items()):
        if issubclass(op, Elementwise) and op.expansion and len(op.spec.operands) == 1:
            function = expansion(op)
            if name not in ("abs", "logical_not") and function is not None:
                found[name] = function
    return found


def main() -> None:
    """Write the file anew."""
    lines = [
        " ".join([name, dtype, *(float(x).hex() for x in breakpoints(function, np.dtype(dtype)))])
        for name, function in unary_expansions().items()
        for dtype in ("float32", "float64")
    ]
    BREAKPOINTS.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
