"""The kinds of random programs, and the program that a number stands for."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tests.fuzz import family_rules, op_rules, rules, user_rules, wider_rules
from tests.fuzz.programs import Maker, Program, Rule, Skip
from tfc.ir.dtypes import DType


class Basic(Maker):
    """Programs of single ops."""

    rules = rules.BASIC


class Wide(Maker):
    """Programs by all rules; now and then one input shares the memory of another."""

    rules = wider_rules.RULES

    def input(self) -> None:
        super().input()
        first, *others = self.program.inputs
        if others and self.draw(8) == 7:
            again = others[-1]
            self.program.inputs[again] = self.types[again] = self.types[first]
            self.program.elements[again] = f"tf.identity({first})", self.program.elements[first][1]


class Users(Wide):
    """Programs by the rules of `Wide`, with what users write in statements."""

    rules = user_rules.EVERY


class Every(Users):
    """Programs by all rules there are, and by those for what these seldom or never make."""

    rules = (*user_rules.EVERY, *op_rules.OPS, *family_rules.FAMILIES)
    bodies = (*wider_rules.FLOAT_BODIES, *wider_rules.DEEP_BODIES)


class Large(Basic):
    """Programs on so many elements that threads share them, and of sizes that nothing divides."""

    sizes_drawn = (1023, 257, 64, 3001, 130, 4099)
    elements_max = 1 << 20


# Of any number; all but the first few through what keeps them where they are smooth and tame.
SMOOTH = ("tf.tanh({})", "tf.sin({})", "tf.sigmoid({})", "tf.nn.softplus({})", "tf.math.erf({})")
SMOOTH += ("tf.math.atan({})", "tf.asinh({})", "tf.exp(tf.tanh({}))", "tf.square(tf.cos({}))")
SMOOTH += ("tf.sqrt(1.0 + tf.square({}))", "tf.math.rsqrt(1.0 + tf.square({}))", "tf.negative({})")
SMOOTH += ("tf.math.log1p(tf.square({}))", "tf.math.lgamma(1.5 + tf.square({}))")
SMOOTH += ("tf.math.digamma(1.5 + tf.square({}))", "tf.math.expm1(tf.sin({}))", "tf.abs({})")


def smooth(m: Maker) -> None:
    x = m.pick()
    m.emit(m.choose(SMOOTH).format(x), m.types[x].dtype, m.types[x].shape, x)


def smooth_pair(m: Maker) -> None:
    x = m.pick()
    y, shape = m.partner(x)
    if y not in m.types:  # a number of Python, whose sine is float32
        raise Skip
    code = m.choose(("{0} / (1.5 + tf.sin({1}))", "tf.pow(1.5 + tf.sin({0}), {1})", "{0} * {1}"))
    m.emit(code.format(x, y), m.types[x].dtype, shape, x, y)


# What rules put into loops, branches and functions, and derivatives of it.
SMOOTH_BODIES = (
    "tf.tanh(v)",
    "v * 0.5 + 1.0",
    "tf.sigmoid(v) * v",
    "tf.identity(v)",
    "tf.exp(-v * v)",
)
SMOOTH_BODIES += ("tf.where(v > 0.0, v, -v * 0.25)", "tf.sin(v) * tf.reduce_mean(v)")
SMOOTH_BODIES += (
    "tf.cond(tf.reduce_sum(v) > 0.0, lambda: tf.tanh(v), lambda: v * v)",
    "tf.while_loop(lambda i, w: i < 3, lambda i, w: (i + 1, tf.sin(w) + v), (0, v))[1]",
    "tf.recompute_grad(lambda w: tf.sin(w) * w)(v)",
)


def derivative(m: Maker) -> None:
    x = m.pick()
    t = m.types[x]
    ways = ("parts.slope({})", "parts.weighted_slope({}, {x})", "parts.descent({}, {trips})")
    ways += ("families.forward({})",)
    f = f"lambda v: {wider_rules.body(m, t)}, {x}"
    code = m.choose(ways).format(f, x=x, trips=wider_rules.trips(m))
    m.emit(code, t.dtype, t.shape, x)


def inner_function(m: Maker) -> None:
    x = m.pick()
    t = m.types[x]
    wrapper = m.choose(("tf.function", "tf.recompute_grad"))
    m.emit(f"{wrapper}(lambda v: {wider_rules.body(m, t)})({x})", t.dtype, t.shape, x)


class Smooth(Maker):
    """Programs of float64 whose gradients differences can check: with kinks only at places where
    random numbers do not fall, and no function at the end of its domain."""

    rules: tuple[Rule, ...] = (
        *(smooth, smooth_pair, rules.binary, rules.reduction, smooth, rules.matmul),
        *(rules.reshape, rules.transpose, rules.broadcast, rules.tile, rules.join, rules.stack),
        *(rules.index, rules.pad, rules.window, rules.reverse, rules.gather, rules.row_function),
        *(wider_rules.branch, wider_rules.loop, wider_rules.mapped, wider_rules.scanned),
        *(wider_rules.cumulative, wider_rules.sort, wider_rules.top_k, wider_rules.roll),
        *(wider_rules.scatter, wider_rules.triangle, wider_rules.layer, wider_rules.attention),
        *(wider_rules.convolution, wider_rules.pooling, wider_rules.solved, inner_function),
        *(user_rules.staged, user_rules.exchanged, user_rules.einsum, user_rules.vectorized),
        *(user_rules.jacobian, user_rules.rows_apart, derivative, derivative),
    )
    bodies = SMOOTH_BODIES
    sizes_drawn = (2, 3, 1, 5, 8, 7)
    elements_max = 512
    dtypes = ("f64",) * 5

    def elements(self, dtype: DType) -> list[Any]:
        return [self.draw(1000)]

    def literal(self, elements: Sequence[Any], dtype: DType, shape: Sequence[int] = ()) -> str:
        return f"tf.constant(np.random.default_rng({elements[0]}).normal(size={list(shape)}))"


def program(
    kind: type[Maker], number: int, steps_max: int, swarm: int | None = None, relatives: int = 0
) -> Program:
    """The program of this kind that has this number, and so many relatives of it at most: the same
    in every process."""
    draw = random.Random(number)
    maker = kind(draw.randrange, swarm)
    made = maker.make(draw.randint(1, steps_max))
    return replace(made, relatives=maker.relatives(relatives)) if relatives else made
