"""Work that only moves elements: at best as fast as a copy."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload


class Moving(Workload):
    """Reads its operands once and writes its result once."""

    turns = 3

    def shapes(self) -> list[tuple[int, ...]]:
        raise NotImplementedError

    def floor(self) -> tuple[float, float]:
        return 8.0 * sum(float(np.prod(s)) for s in self.shapes()), 0.0

    def data(self, rng: np.random.Generator) -> Arrays:
        return [normal(rng, *s) for s in self.shapes()]


@workload
class Transpose(Moving):
    name = "transpose of 4096 x 4096"

    def shapes(self) -> list[tuple[int, ...]]:
        n = self.size(4096, 33)
        return [(n, n)]

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x: np.ascontiguousarray(x.T)

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x: x.T.contiguous())

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x: x.T)

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x: tf.transpose(x))


@workload
class ChannelsFirst(Moving):
    """Images with channels last to images with channels first."""

    name = "transpose of 64x56x56x64 to NCHW"

    def shapes(self) -> list[tuple[int, ...]]:
        return [(self.size(64, 2), self.size(56, 5), self.size(56, 6), self.size(64, 7))]

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x: np.ascontiguousarray(x.transpose(0, 3, 1, 2))

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x: x.permute(0, 3, 1, 2).contiguous())

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x: jax.numpy.transpose(x, (0, 3, 1, 2)))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x: tf.transpose(x, (0, 3, 1, 2)))


@workload
class SwapRows(Moving):
    """Heads of attention: the last axis stays where it is."""

    name = "transpose of 32x512x8x64, axes 1, 2"

    def shapes(self) -> list[tuple[int, ...]]:
        return [(self.size(32, 2), self.size(512, 5), 8, self.size(64, 3))]

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x: np.ascontiguousarray(x.transpose(0, 2, 1, 3))

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x: x.permute(0, 2, 1, 3).contiguous())

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x: jax.numpy.transpose(x, (0, 2, 1, 3)))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x: tf.transpose(x, (0, 2, 1, 3)))


@workload
class Concat(Moving):
    name = "concat of three along the last axis"

    def shapes(self) -> list[tuple[int, ...]]:
        n = self.size(8192, 9)
        return [(n, self.size(w, w // 50)) for w in (300, 512, 700)]

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda *xs: np.concatenate(xs, axis=1)

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda *xs: torch.cat(xs, dim=1))

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda *xs: jax.numpy.concatenate(xs, axis=1))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda *xs: tf.concat(xs, axis=1))


@workload
class CumulativeSum(Moving):
    name = "cumsum of 10M"
    rtol = 1e-3

    def shapes(self) -> list[tuple[int, ...]]:
        return [(self.size(10_000_000, 1000),)]

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x: np.cumsum(x)

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x: torch.cumsum(x, 0))

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x: jax.numpy.cumsum(x))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x: tf.cumsum(x))


@workload
class CumulativeRows(Moving):
    name = "cumsum of 4096 x 2048, last axis"
    rtol = 1e-4

    def shapes(self) -> list[tuple[int, ...]]:
        return [(self.size(4096, 5), self.size(2048, 70))]

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x: np.cumsum(x, axis=1)

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x: torch.cumsum(x, 1))

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x: jax.numpy.cumsum(x, axis=1))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x: tf.cumsum(x, axis=1))


@workload
class CumulativeColumns(Moving):
    name = "cumsum of 2048 x 4096, first axis"
    rtol = 1e-4

    def shapes(self) -> list[tuple[int, ...]]:
        return [(self.size(2048, 5), self.size(4096, 70))]

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x: np.cumsum(x, axis=0)

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x: torch.cumsum(x, 0))

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x: jax.numpy.cumsum(x, axis=0))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x: tf.cumsum(x, axis=0))
