"""Rules for what users write of several ops: control flow, functions within functions, layers,
scatters, sorts, windows. Those of rules.py are single ops."""

from __future__ import annotations

from tests.fuzz.programs import Maker, Rule, Skip
from tests.fuzz.rules import BASIC
from tfc.ir.extent import evaluate
from tfc.ir.types import TensorType

# Bodies of loops, branches and inner functions: of one value `v`, and of its type.
FLOAT_BODIES = ("tf.tanh(v)", "v * 0.5 + 1.0", "tf.abs(v) - v", "tf.where(v > 0.0, v, -v * 0.25)")
FLOAT_BODIES += ("tf.sigmoid(v) * v", "tf.maximum(v, tf.reduce_mean(v))", "tf.identity(v)")
INTEGER_BODIES = ("v + v", "tf.maximum(v, 3)", "tf.abs(v)", "v * 3 - 1", "tf.identity(v)")
# What has control flow, functions and derivatives of its own.
DEEP_BODIES = ("tf.cond(tf.reduce_sum(v) > 0.0, lambda: tf.tanh(v), lambda: v * 2.0)",)
DEEP_BODIES += ("tf.while_loop(lambda i, w: i < 2, lambda i, w: (i + 1, tf.sin(w)), (0, v))[1]",)
DEEP_BODIES += ("tf.function(lambda w: tf.tanh(w) * w)(v)", "tf.sqrt(tf.abs(v) + 1.0)")
DEEP_BODIES += ("tf.recompute_grad(lambda w: tf.sin(w) * w)(v)", "tf.stop_gradient(v) * v")
DEEP_BODIES += ("tf.custom_gradient(lambda w: (tf.sin(w), lambda d: d * 0.5))(v)",)
DEEP_BODIES += ("tf.grad_pass_through(tf.round)(v)", "tf.cast(tf.cast(v, tf.float16), v.dtype)")
DEEP_BODIES += ("tf.switch_case(tf.size(v) % 2, [lambda: v + 1.0, lambda: tf.exp(-tf.square(v))])",)


def body(m: Maker, t: TensorType) -> str:
    """An expression of `v` with the type of `v`."""
    if t.dtype.is_bool:
        return "tf.logical_not(v)"
    return str(m.choose(m.bodies or FLOAT_BODIES if t.dtype.is_floating else INTEGER_BODIES))


def signed(t: TensorType) -> bool:
    return t.dtype.kind != "u"


def truth(m: Maker) -> str:
    """A scalar condition."""
    x = m.pick("bif")
    if m.types[x].dtype.is_bool:
        return f"tf.reduce_{m.choose(('any', 'all'))}({x})"
    return f"tf.reduce_sum({x}) > {m.constant(m.types[x].dtype)}"


def trips(m: Maker) -> str:
    """Up to three rounds of a loop: a number, or what only the run knows."""
    if m.flag():
        return str(m.draw(4))
    return f"tf.math.floormod(tf.size({m.pick()}), 4)"


def branch(m: Maker) -> None:
    x = m.pick("bif", signed)
    t = m.types[x]
    yes, no = (f"(lambda v: {body(m, t)})({x})" for _ in range(2))
    m.emit(f"tf.cond({truth(m)}, lambda: {yes}, lambda: {no})", t.dtype, t.shape, x)


def switch(m: Maker) -> None:
    x = m.pick("bif", signed)
    t = m.types[x]
    arms = ", ".join(f"lambda: (lambda v: {body(m, t)})({x})" for _ in range(1 + m.draw(3)))
    m.emit(f"tf.switch_case({trips(m)}, [{arms}])", t.dtype, t.shape, x)


def loop(m: Maker) -> None:
    x = m.pick("bif", signed)
    t = m.types[x]
    condition = f"lambda i, v: i < {trips(m)}"
    step = f"lambda i, v: (i + 1, {body(m, t)})"
    # Of no rounds eager code gives x itself, whose cotangents would be added up in another order.
    once = " * 1" if t.dtype.is_numeric else ""
    m.emit(f"tf.while_loop({condition}, {step}, (0, {x}))[1]{once}", t.dtype, t.shape, x)


def mapped(m: Maker) -> None:
    x = m.ranked("bif")
    t = m.types[x]
    if not m.every(t.shape[0], bool) or not signed(t):
        raise Skip
    m.emit(f"tf.map_fn(lambda v: {body(m, t)}, {x})", t.dtype, t.shape, x)


def scanned(m: Maker) -> None:
    x = m.ranked("if")
    t = m.types[x]
    if not m.every(t.shape[0], bool) or not signed(t):
        raise Skip
    m.emit(f"tf.scan(lambda a, v: a + {body(m, t)}, {x})", t.dtype, t.shape, x)


def called(m: Maker) -> None:
    """A function within the program, under one of the wrappers that users know."""
    x = m.pick("f")
    t = m.types[x]
    inner = f"lambda v: {body(m, t)}"
    wrapped = m.choose(
        (
            f"tf.function({inner})",
            f"tf.recompute_grad({inner})",
            f"tf.custom_gradient(lambda v: ({body(m, t)}, lambda d: d * 2.0))",
        )
    )
    m.emit(f"{wrapped}({x})", t.dtype, t.shape, x)


def cumulative(m: Maker) -> None:
    x = m.ranked("if")
    t = m.types[x]
    name = m.choose(("tf.cumsum", "tf.math.cumprod"))
    code = f"{name}({x}, {m.draw(t.rank)}, exclusive={m.flag()}, reverse={m.flag()})"
    m.emit(code, t.dtype, t.shape, x)


def sort(m: Maker) -> None:
    x = m.ranked("if")
    t = m.types[x]
    direction = m.choose(("ASCENDING", "DESCENDING"))
    m.emit(f"tf.sort({x}, {m.draw(t.rank)}, {direction!r})", t.dtype, t.shape, x)


def top_k(m: Maker) -> None:
    x = m.ranked("if")
    t = m.types[x]
    k = m.draw(min(evaluate(t.shape[-1], sizes) for sizes in m.sizes) + 1)
    m.emit(f"tf.math.top_k({x}, {k})[0]", t.dtype, (*t.shape[:-1], k), x)


def roll(m: Maker) -> None:
    x = m.ranked()
    t = m.types[x]
    code = f"tf.roll({x}, {m.choose((1, -1, 2, 7))}, {m.draw(t.rank)})"
    m.emit(code, t.dtype, t.shape, x)


def scatter(m: Maker) -> None:
    """Rows of x, changed in a copy of x, some of them twice."""
    x = m.ranked("if")
    t = m.types[x]
    if not m.every(t.shape[0], bool) or t.dtype.bits < 32:
        raise Skip
    least = min(evaluate(t.shape[0], sizes) for sizes in m.sizes)
    name = m.choose(("add", "max", "min", "sub"))
    rows = [m.draw(least) for _ in range(1 + m.draw(4))]
    places = [[row] for row in rows]
    code = f"tf.tensor_scatter_nd_{name}({x}, {places}, tf.gather({x}, {rows[::-1]}))"
    m.emit(code, t.dtype, t.shape, x)


def segments(m: Maker) -> None:
    """Rows, each put into one of a few sums."""
    x = m.ranked("if")
    t = m.types[x]
    count = 1 + m.draw(4)
    code = f"tf.math.unsorted_segment_{m.choose(('sum', 'max', 'min'))}"
    places = f"tf.math.floormod(tf.range({m.extent(t.shape[0])}) * 7, {count})"
    m.emit(f"{code}({x}, {places}, {count})", t.dtype, (count, *t.shape[1:]), x)


def triangle(m: Maker) -> None:
    x = m.ranked("if", 2)
    t = m.types[x]
    code = f"tf.linalg.band_part({x}, {m.choose((0, -1, 1))}, {m.choose((-1, 0, 2))})"
    m.emit(code, t.dtype, t.shape, x)


def layer(m: Maker) -> None:
    """What networks are written with, op by op."""
    x = m.ranked("f")
    t = m.types[x]
    last = t.shape[-1]
    if not m.every(last, bool):
        raise Skip
    code = m.choose(
        (
            "({0} - tf.reduce_mean({0}, -1, keepdims=True)) * tf.math.rsqrt("
            "tf.math.reduce_variance({0}, -1, keepdims=True) + 0.001)",
            "{0} * 0.5 * (1.0 + tf.math.erf({0} * 0.70710678))",
            "{0} - tf.reduce_logsumexp({0}, -1, keepdims=True)",
            "tf.nn.l2_normalize({0}, -1)",
            "tf.nn.leaky_relu({0}, 0.1) + tf.nn.elu({0})",
            "tf.nn.silu({0}) * tf.reduce_max({0}, -1, keepdims=True)",
        )
    )
    m.emit(code.format(x), t.dtype, t.shape, x)


def attention(m: Maker) -> None:
    """Rows that attend to rows."""
    x = m.ranked("f", 2)
    t = m.types[x]
    if not m.every(t.shape[-1], bool) or not m.every(t.shape[-2], bool):
        raise Skip
    scores = f"tf.nn.softmax(tf.matmul({x}, {x}, transpose_b=True) * 0.5)"
    m.emit(f"tf.matmul({scores}, {x})", t.dtype, t.shape, x)


def convolution(m: Maker) -> None:
    """[n, width, channels] by a constant filter."""
    x = m.pick("f", lambda t: t.rank == 3 and isinstance(t.shape[2], int) and t.shape[2] > 0)
    t = m.types[x]
    if t.dtype.bits < 32 or not m.every(t.shape[1], bool):
        raise Skip
    taps, out = 1 + m.draw(3), 1 + m.draw(4)
    filters = m.constant(t.dtype, (taps, t.shape[2], out))
    code = f"tf.nn.conv1d({x}, {filters}, 1, 'SAME')"
    m.emit(code, t.dtype, (t.shape[0], t.shape[1], out), x)


def pooling(m: Maker) -> None:
    x = m.pick("f", lambda t: t.rank == 3)
    t = m.types[x]
    if not m.every(t.shape[1], bool):
        raise Skip
    name, stride = m.choose(("max", "avg")), 1 + m.draw(2)
    code = f"tf.nn.{name}_pool1d({x}, {1 + m.draw(3)}, {stride}, 'SAME')"
    out = (t.shape[1] + stride - 1) // stride
    m.emit(code, t.dtype, (t.shape[0], out, t.shape[2]), x)


def split(m: Maker) -> None:
    """The same parts in another order."""
    x = m.ranked()
    t = m.types[x]
    axis = m.draw(t.rank)
    extent = t.shape[axis]
    if not isinstance(extent, int) or extent % 2 or not extent:
        raise Skip
    m.emit(f"tf.concat(tf.split({x}, 2, {axis})[::-1], {axis})", t.dtype, t.shape, x)


def solved(m: Maker) -> None:
    """A system of equations that is far from singular."""
    x = m.pick("f", lambda t: t.rank >= 2 and t.shape[-1] == t.shape[-2] and t.shape[-1] in (2, 3))
    t = m.types[x]
    if t.dtype.bits < 32:
        raise Skip
    diagonal = f"{t.shape[-1]}.5 * tf.eye({t.shape[-1]}, dtype=tf.{t.dtype.name})"
    name = m.choose(("inv", "det"))
    shape = t.shape if name == "inv" else t.shape[:-2]
    m.emit(f"tf.linalg.{name}(tf.tanh({x}) + {diagonal})", t.dtype, shape, x)


WIDER: tuple[Rule, ...] = (
    *(branch, loop, switch, mapped, scanned, called, cumulative, sort, top_k, roll, scatter),
    *(segments, triangle, layer, layer, attention, convolution, pooling, split, solved),
)
RULES = (*BASIC, *WIDER)
