"""Matrix products, each of two operands that are in the cache where they fit.

Plain products of tfc, PyTorch and NumPy are called eagerly, others are compiled.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload


class Product(Workload):
    """x @ y. A row that is no product of float32 has a class of its own below."""

    rtol = 1e-4
    table = "contractions"
    without = ("torch compiled",)  # it calls the same kernel
    shape: ClassVar[tuple[int, ...]]  # batch..., rows, k, columns

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        *self.batch, self.m, self.k, self.n = (self.size(e, min(e, 5)) for e in self.shape)

    def floor(self) -> tuple[float, float]:
        return 0.0, 2.0 * float(np.prod(self.batch)) * self.m * self.k * self.n

    def data(self, rng: np.random.Generator) -> Arrays:
        return [
            normal(rng, *self.batch, self.m, self.k),
            normal(rng, *self.batch, self.k, self.n),
        ]

    def tfc(self, tf: Any, jit: Jit) -> Function:
        return tf.matmul  # type: ignore[no-any-return]

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x, y: tf.matmul(x, y))

    def numpy(self, np: Any, jit: Jit) -> Function:
        return np.matmul  # type: ignore[no-any-return]

    def torch(self, torch: Any, jit: Jit) -> Function:
        return torch.matmul  # type: ignore[no-any-return]

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(jax.numpy.matmul)


def product(name: str, *shape: int, tested: bool = False) -> None:
    fields = {"name": f"matmul {name}", "shape": shape, "tested": tested}
    workload(type("Product", (Product,), fields))


for _size in (8, 16, 32, 64, 100, 127, 128, 256, 509, 512, 1024, 2048, 4096):
    product(str(_size), _size, _size, _size, tested=_size == 8)
product("tall 10000x16 16x64", 10000, 16, 64)
product("tall 10000x784 784x196", 10000, 784, 196)
product("tall 4096x32 32x1024", 4096, 32, 1024)
product("wide 32x4096 4096x1024", 32, 4096, 1024)
product("128x784 784x512", 128, 784, 512)
product("few rows 16x1024 1024x1024", 16, 1024, 1024)
product("few rows 4x1024 1024x1024", 4, 1024, 1024)
product("one column 1024x1024", 1024, 1024, 1)
product("one row 1024x1024", 1, 1024, 1024)
product("batch 64 of 32", 64, 32, 32, 32, tested=True)
product("batch 16 of 128", 16, 128, 128, 128)


class Square(Product):
    """A product of squares that is more than that, compiled."""

    shape = (512, 512, 512)

    def tfc(self, tf: Any, jit: Jit) -> Function:
        return self.tensorflow(tf, jit)


@workload
class Dot(Product):
    name = "dot of 100000"
    shape = (1, 100_000, 1)

    def data(self, rng: np.random.Generator) -> Arrays:
        return [normal(rng, self.k), normal(rng, self.k)]

    def tfc(self, tf: Any, jit: Jit) -> Function:
        return lambda x, y: tf.tensordot(x, y, 1)

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x, y: tf.tensordot(x, y, 1))

    def numpy(self, np: Any, jit: Jit) -> Function:
        return np.dot  # type: ignore[no-any-return]

    def torch(self, torch: Any, jit: Jit) -> Function:
        return torch.dot  # type: ignore[no-any-return]

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(jax.numpy.dot)


@workload
class RightTransposed(Square):
    name = "matmul 512 x y^T"

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x, y: tf.matmul(x, y, transpose_b=True))

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x, y: x @ y.T

    def torch(self, torch: Any, jit: Jit) -> Function:
        return lambda x, y: x @ y.T

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x, y: x @ y.T)


@workload
class LeftTransposed(Square):
    name = "matmul 512 x^T y"

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x, y: tf.matmul(x, y, transpose_a=True))

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x, y: x.T @ y

    def torch(self, torch: Any, jit: Jit) -> Function:
        return lambda x, y: x.T @ y

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x, y: x.T @ y)


@workload
class Double(Square):
    name = "matmul 512 float64"
    rtol = 1e-9

    def floor(self) -> tuple[float, float]:
        size, operations = super().floor()
        return size, 2 * operations  # half as many fit into a register

    def data(self, rng: np.random.Generator) -> Arrays:
        return [rng.standard_normal((self.m, self.m)) for _ in range(2)]

    def jax(self, jax: Any, jit: Jit) -> Function:
        jax.config.update("jax_enable_x64", True)
        return super().jax(jax, jit)


@workload
class Half(Square):
    """Operands are rounded to bfloat16 before, which is timed, too: NumPy has no such arrays."""

    name = "matmul 512 bfloat16"
    rtol = 2e-2
    numpy = None  # type: ignore[assignment]

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def f(x: Any, y: Any) -> Any:
            rounded = [tf.cast(v, tf.bfloat16) for v in (x, y)]
            return tf.cast(tf.matmul(*rounded), tf.float32)

        return jit(f)

    def torch(self, torch: Any, jit: Jit) -> Function:
        return lambda x, y: torch.matmul(x.bfloat16(), y.bfloat16()).float()

    def jax(self, jax: Any, jit: Jit) -> Function:
        half, single = jax.numpy.bfloat16, jax.numpy.float32
        return jit(lambda x, y: (x.astype(half) @ y.astype(half)).astype(single))


@workload
class Bytes(Square):
    """int8 matrices with int32 sums."""

    name = "matmul 512 int8 to int32"
    numpy = None  # type: ignore[assignment]

    def floor(self) -> tuple[float, float]:
        size, operations = super().floor()
        return size, operations / 4  # four products have the place of one of float32

    def data(self, rng: np.random.Generator) -> Arrays:
        return [rng.integers(-128, 128, (self.m, self.m), np.int8) for _ in range(2)]

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x, y: tf.matmul(x, y, output_type=tf.int32))

    def torch(self, torch: Any, jit: Jit) -> Function:
        return torch._int_mm  # type: ignore[no-any-return]

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x, y: jax.lax.dot(x, y, preferred_element_type=jax.numpy.int32))


class Layer(Square):
    """relu or gelu of x @ y + b."""

    without = ()

    def data(self, rng: np.random.Generator) -> Arrays:
        return [*super().data(rng), normal(rng, self.n)]


@workload
class Relu(Layer):
    name = "matmul 512 + bias, relu"

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x, y, b: tf.nn.relu(tf.matmul(x, y) + b))

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x, y, b: np.maximum(x @ y + b, 0)

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x, y, b: torch.relu(torch.addmm(b, x, y)))

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x, y, b: jax.nn.relu(x @ y + b))


@workload
class Gelu(Layer):
    name = "matmul 512 + bias, gelu"
    numpy = None  # type: ignore[assignment]

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x, y, b: tf.nn.gelu(tf.matmul(x, y) + b))

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x, y, b: torch.nn.functional.gelu(torch.addmm(b, x, y)))

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x, y, b: jax.nn.gelu(x @ y + b, approximate=False))
