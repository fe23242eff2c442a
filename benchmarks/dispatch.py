"""What a call costs when there is next to nothing to compute."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf

from . import peers
from .harness import Contender, row, statement

Array = Any  # of whatever library


class Wrapped:
    """The least that a class around a NumPy array does for `+`."""

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __add__(self, other: Wrapped) -> Wrapped:
        return Wrapped(self.array + other.array)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self.array)


def eager_add(x: np.ndarray, y: np.ndarray) -> list[Contender]:
    found = [
        statement("tfc", "x + y", x=tf.constant(x), y=tf.constant(y)),
        statement("numpy", "x + y", x=x, y=y),
        statement("wrapped", "x + y", x=Wrapped(x), y=Wrapped(y)),
    ]
    if torch := peers.torch():
        found.append(statement("torch", "x + y", x=torch.tensor(x), y=torch.tensor(y)))
    if jax := peers.jax():
        device = [jax.device_put(a) for a in (x, y)]
        wait = "result.block_until_ready()"
        found.append(statement("jax", "x + y", wait=wait, x=device[0], y=device[1]))
    return found


@row("eager x + y, scalar", goals={"wrapped": 1.5, "torch": 1.0, "jax": 0.5})
def eager_scalar() -> list[Contender]:
    return eager_add(np.array(1.5, np.float32), np.array(2.5, np.float32))


@row("eager x + y, 8 elements", goals={"wrapped": 1.5, "torch": 1.0, "jax": 0.5})
def eager_small() -> list[Contender]:
    return eager_add(np.arange(8, dtype=np.float32), np.ones(8, np.float32))


def scaled(x: Array) -> Array:
    return x * 2.0 + 1.0


def multiply_add(x: Array, y: Array, z: Array) -> Array:
    return x * y + z


def total(*xs: Array) -> Array:
    result = xs[0]
    for x in xs[1:]:
        result = result + x
    return result


def compiled_call(function: Any, count: int) -> list[Contender]:
    arrays = [np.arange(8, dtype=np.float32) + i for i in range(count)]
    names = [f"x{i}" for i in range(count)]
    call = f"f({', '.join(names)})"
    ours: dict[str, Any] = {n: tf.constant(a) for n, a in zip(names, arrays, strict=True)}
    found = [statement("tfc", call, f=tf.function(function), **ours)]
    if torch := peers.torch():
        theirs = {n: torch.tensor(a) for n, a in zip(names, arrays, strict=True)}
        found.append(statement("torch eager", call, f=function, **theirs))
    if jax := peers.jax():
        device = {n: jax.device_put(a) for n, a in zip(names, arrays, strict=True)}
        wait = "result.block_until_ready()"
        found.append(statement("jax jit", call, wait=wait, f=jax.jit(function), **device))
    plain: dict[str, Any] = dict(zip(names, arrays, strict=True))
    found.append(statement("numpy", call, f=function, **plain))
    return found


@row("compiled call, 1 argument", goals={"jax jit": 1 / 3})
def one_argument() -> list[Contender]:
    return compiled_call(scaled, 1)


@row("compiled call, 3 arguments", goals={"jax jit": 1 / 3})
def three_arguments() -> list[Contender]:
    return compiled_call(multiply_add, 3)


@row("compiled call, 20 arguments", goals={"jax jit": 1 / 3})
def twenty_arguments() -> list[Contender]:
    return compiled_call(total, 20)


@row("tape gradient of w * w, scalar", goals={"torch": 1.0})
def tape() -> list[Contender]:
    w: Any = tf.Variable(3.0)

    def ours() -> Any:
        with tf.GradientTape() as tape:
            loss = w * w
        return tape.gradient(loss, w)

    found = [
        statement("tfc", "f()", f=ours),
        statement("tfc function", "f()", f=tf.function(ours)),
    ]
    if torch := peers.torch():
        v = torch.tensor(3.0, requires_grad=True)

        def theirs() -> Any:
            v.grad = None
            (v * v).backward()
            return v.grad

        found.append(statement("torch", "f()", f=theirs))
    if jax := peers.jax():
        u = jax.numpy.float32(3.0)
        gradient = jax.grad(lambda w: w * w)
        wait = "result.block_until_ready()"
        found.append(statement("jax eager", "f(u)", wait=wait, f=gradient, u=u))
        found.append(statement("jax jit", "f(u)", wait=wait, f=jax.jit(gradient), u=u))
    return found


@row("power(x, 100), 10 x 10 int32")
def power() -> list[Contender]:
    data = np.random.default_rng(0).integers(-1, 2, (10, 10), dtype=np.int32)

    def power_with(matmul: Any, eye: Any) -> Any:
        def power(x: Array) -> Array:
            result = eye
            for _ in range(100):
                result = matmul(x, result)
            return result

        return power

    eager = power_with(tf.matmul, tf.eye(10, dtype=tf.int32))
    x = tf.constant(data)
    found = [
        statement("tfc", "f(x)", f=tf.function(eager), x=x),
        statement("tfc eager", "f(x)", f=eager, x=x),
        statement("numpy", "f(x)", f=power_with(np.matmul, np.eye(10, dtype=np.int32)), x=data),
    ]
    if torch := peers.torch():
        theirs = power_with(torch.matmul, torch.eye(10, dtype=torch.int32))
        found.append(statement("torch eager", "f(x)", f=theirs, x=torch.tensor(data)))
    if jax := peers.jax():
        jitted = jax.jit(power_with(jax.numpy.matmul, jax.numpy.eye(10, dtype=np.int32)))
        wait = "result.block_until_ready()"
        found.append(statement("jax jit", "f(x)", wait=wait, f=jitted, x=jax.device_put(data)))
    return found
