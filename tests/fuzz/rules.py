"""Rules that random programs grow by: single ops. Each adds one step to a Maker's program, or
raises Skip where it finds nothing to work on."""

from __future__ import annotations

from collections.abc import Sequence

from tests.fuzz.programs import DTYPES, Maker, Rule, Skip, Step, common
from tfc.ir.dtypes import ALL, as_dtype
from tfc.ir.extent import Expr, Extent, evaluate, product
from tfc.ir.types import TensorType

UNARY = (
    *("tf.tanh", "tf.exp", "tf.sqrt", "tf.sigmoid", "tf.math.log", "tf.sin", "tf.cos", "tf.floor"),
    *("tf.math.ceil", "tf.round", "tf.math.rsqrt", "tf.math.erf", "tf.math.expm1", "tf.math.log1p"),
    *("tf.nn.softplus", "tf.math.reciprocal", "tf.tan", "tf.asin", "tf.acos", "tf.math.atan"),
    *("tf.sinh", "tf.cosh", "tf.asinh", "tf.acosh", "tf.atanh", "tf.math.erfc"),
)
SIMPLE = ("tf.abs", "tf.negative", "tf.sign", "tf.square", "tf.nn.relu", "tf.stop_gradient")
BINARY = ("tf.add", "tf.multiply", "tf.subtract", "tf.maximum", "tf.minimum")
BINARY += ("tf.math.squared_difference",)
COMPARE = ("tf.less", "tf.equal", "tf.greater_equal", "tf.greater", "tf.less_equal", "tf.not_equal")
BITWISE = ("tf.bitwise.bitwise_and", "tf.bitwise.bitwise_or", "tf.bitwise.bitwise_xor")


def unary(m: Maker) -> None:
    x = m.pick("f")
    m.emit(f"{m.choose(UNARY)}({x})", m.types[x].dtype, m.types[x].shape, x)


def simple(m: Maker) -> None:
    x = m.pick("iuf")
    m.emit(f"{m.choose(SIMPLE)}({x})", m.types[x].dtype, m.types[x].shape, x)


def binary(m: Maker) -> None:
    x = m.pick("iuf")
    y, shape = m.partner(x)
    arguments = (y, x) if y in m.types and m.flag() else (x, y)
    m.emit(f"{m.choose(BINARY)}({', '.join(arguments)})", m.types[x].dtype, shape, x, y)


def quotient(m: Maker) -> None:
    """Integers are divided by what is not 0; floats by anything."""
    x = m.pick("iuf")
    y, shape = m.partner(x)
    dtype = m.types[x].dtype
    if dtype.is_floating:
        name = m.choose(("tf.truediv", "tf.math.floordiv", "tf.math.floormod", "tf.math.atan2"))
        m.emit(f"{name}({x}, {y})", dtype, shape, x, y)
        return
    name = m.choose(("tf.math.floordiv", "tf.math.floormod"))
    odd = f"tf.bitwise.bitwise_or({y}, {m.literal([1], dtype)})"
    m.emit(f"{name}({x}, {odd})", dtype, shape, x, y)


def power(m: Maker) -> None:
    x = m.pick("iuf")
    y, shape = m.partner(x)
    dtype = m.types[x].dtype
    if dtype.is_integer:
        y = f"tf.bitwise.bitwise_and({y}, {m.literal([3], dtype)})"
    m.emit(f"tf.pow({x}, {y})", dtype, shape, x, y)


def compare(m: Maker) -> None:
    x = m.pick("iuf")
    y, shape = m.partner(x)
    m.emit(f"{m.choose(COMPARE)}({x}, {y})", "bool", shape, x, y)


def logic(m: Maker) -> None:
    x = m.pick("b")
    name = m.choose(("logical_and", "logical_or", "logical_xor", "logical_not"))
    if name == "logical_not":
        m.emit(f"tf.math.{name}({x})", "bool", m.types[x].shape, x)
        return
    y, shape = m.partner(x)
    m.emit(f"tf.math.{name}({x}, {y})", "bool", shape, x, y)


def bits(m: Maker) -> None:
    x = m.pick("iu")
    y, shape = m.partner(x)
    dtype = m.types[x].dtype
    name = m.choose((*BITWISE, "tf.bitwise.left_shift", "tf.bitwise.right_shift"))
    if name.endswith("shift"):
        y = f"tf.bitwise.bitwise_and({y}, {m.literal([7], dtype)})"
    m.emit(f"{name}({x}, {y})", dtype, shape, x, y)


def select(m: Maker) -> None:
    x = m.pick()
    y, shape = m.partner(x)
    if m.flag():
        x, y = (y, x) if y in m.types else (x, y)
    fits = [
        n
        for n, t in reversed(m.types.items())
        if t.dtype.is_bool and common(t.shape, shape) is not None
    ]
    condition = m.choose(fits)
    whole = common(m.types[condition].shape, shape)
    assert whole is not None
    m.emit(f"tf.where({condition}, {x}, {y})", m.types[x].dtype, whole, condition, x, y)


def clip(m: Maker) -> None:
    x = m.pick("iuf")
    t = m.types[x]
    low, high = (m.constant(t.dtype) for _ in range(2))
    m.emit(f"tf.clip_by_value({x}, {low}, {high})", t.dtype, t.shape, x)


def cast(m: Maker) -> None:
    x = m.pick()
    dtype = as_dtype(m.choose((*DTYPES, *(d.short for d in ALL if d.kind != "e"))))
    m.emit(f"tf.cast({x}, tf.{dtype.name})", dtype, m.types[x].shape, x)


def reduced(t: TensorType, axes: Sequence[int], keep: bool) -> list[Extent]:
    if keep:
        return [1 if a in axes else e for a, e in enumerate(t.shape)]
    return [e for a, e in enumerate(t.shape) if a not in axes]


def reduction(m: Maker) -> None:
    x = m.ranked(least=0)
    t = m.types[x]
    names = ["tf.reduce_sum", "tf.reduce_max", "tf.reduce_min", "tf.reduce_prod"]
    axes = m.axes(t.rank)
    count = product(t.shape[a] for a in axes)
    if t.dtype.is_bool:
        names = ["tf.reduce_all", "tf.reduce_any"]
    if t.dtype.is_integer and m.every(count, bool):
        names += ["tf.reduce_mean"]
    if t.dtype.is_floating:
        names += ["tf.reduce_mean", "tf.reduce_logsumexp", "tf.math.reduce_variance"]
    name, keep = m.choose(names), m.flag()
    if not axes:
        raise Skip
    code = f"{name}({x}, axis={axes}, keepdims={keep})"
    m.emit(code, t.dtype, reduced(t, axes, keep), x)


def place(m: Maker) -> None:
    """argmax and argmin."""
    x = m.ranked("iuf")
    t = m.types[x]
    axis = m.draw(t.rank)
    if not m.every(t.shape[axis], bool):
        raise Skip
    kind = m.choose(("int64", "int32"))
    code = f"{m.choose(('tf.argmax', 'tf.argmin'))}({x}, axis={axis}, output_type=tf.{kind})"
    m.emit(code, kind, reduced(t, [axis], False), x)


def row_function(m: Maker) -> None:
    x = m.ranked("f")
    t = m.types[x]
    name = m.choose(("tf.nn.softmax", "tf.nn.log_softmax"))
    m.emit(f"{name}({x}, axis={m.draw(t.rank)})", t.dtype, t.shape, x)


def matmul(m: Maker) -> None:
    x = m.ranked("iuf", 2)
    t = m.types[x]
    ta, tb = m.flag(), m.flag()
    *batch, rows, inner = _flipped(t.shape, ta)

    def fits(u: TensorType) -> bool:
        if u.dtype is not t.dtype or u.rank < 2 or _flipped(u.shape, tb)[-2] != inner:
            return False
        return common(batch, u.shape[:-2]) is not None

    y = m.pick("iuf", fits)
    columns = _flipped(m.types[y].shape, tb)[-1]
    whole = common(batch, m.types[y].shape[:-2])
    assert whole is not None
    code = f"tf.matmul({x}, {y}, transpose_a={ta}, transpose_b={tb})"
    m.emit(code, t.dtype, (*whole, rows, columns), x, y)


def _flipped(shape: tuple[Extent, ...], flip: bool) -> tuple[Extent, ...]:
    return (*shape[:-2], shape[-1], shape[-2]) if flip else shape


def reshape(m: Maker) -> None:
    x = m.pick()
    t = m.types[x]
    kind = m.draw(5)
    if kind == 0:
        m.emit(f"tf.reshape({x}, [-1])", t.dtype, (t.size,), x)
    elif kind == 1:
        axis = m.draw(t.rank + 1)
        shape = (*t.shape[:axis], 1, *t.shape[axis:])
        m.emit(f"tf.expand_dims({x}, {axis})", t.dtype, shape, x)
    elif kind == 2:
        ones = [a for a, e in enumerate(t.shape) if e == 1]
        axis = m.choose(ones)
        shape = (*t.shape[:axis], *t.shape[axis + 1 :])
        m.emit(f"tf.squeeze({x}, {axis})", t.dtype, shape, x)
    elif kind == 3 and t.rank >= 2:
        axis = m.draw(t.rank - 1)
        merged = t.shape[axis] * t.shape[axis + 1]
        shape = (*t.shape[:axis], merged, *t.shape[axis + 2 :])
        others = ["-1" if a == axis else m.extent(e) for a, e in enumerate(shape)]
        if not m.every(product(e for a, e in enumerate(shape) if a != axis), bool):
            raise Skip  # -1 has no one answer
        m.emit(f"tf.reshape({x}, [{', '.join(others)}])", t.dtype, shape, x)
    else:
        y = m.pick(fits=lambda u: u.size == t.size and u.shape != t.shape)
        shape = m.types[y].shape
        m.emit(f"tf.reshape({x}, tf.shape({y}))", t.dtype, shape, x, y)


def transpose(m: Maker) -> None:
    x = m.ranked(least=2)
    t = m.types[x]
    rest = list(range(t.rank))
    perm = [rest.pop(m.draw(len(rest))) for _ in range(t.rank)][::-1]
    m.emit(f"tf.transpose({x}, {perm})", t.dtype, [t.shape[p] for p in perm], x)


def broadcast(m: Maker) -> None:
    x = m.pick()
    t = m.types[x]
    if m.flag():
        shape: tuple[Extent, ...] = (m.choose((2, 3, 1)), *t.shape)
        m.emit(f"tf.broadcast_to({x}, {m.extents(shape)})", t.dtype, shape, x)
    else:
        y = m.pick(fits=lambda u: u.shape != t.shape and common(t.shape, u.shape) == u.shape)
        m.emit(f"tf.broadcast_to({x}, tf.shape({y}))", t.dtype, m.types[y].shape, x, y)


def tile(m: Maker) -> None:
    x = m.ranked()
    t = m.types[x]
    times = [m.choose((2, 1, 3)) for _ in t.shape]
    shape = [n * e for n, e in zip(times, t.shape, strict=True)]
    m.emit(f"tf.tile({x}, {times})", t.dtype, shape, x)


def join(m: Maker) -> None:
    x = m.ranked()
    t = m.types[x]
    axis = m.draw(t.rank)
    names = [x]
    for _ in range(1 + m.draw(2)):
        names.append(
            m.pick(
                fits=lambda u: (
                    u.dtype is t.dtype
                    and u.rank == t.rank
                    and all(u.shape[a] == t.shape[a] for a in range(t.rank) if a != axis)
                )
            )
        )
    total: Extent = 0
    for name in names:
        total = total + m.types[name].shape[axis]
    shape = (*t.shape[:axis], total, *t.shape[axis + 1 :])
    m.emit(f"tf.concat([{', '.join(names)}], {axis})", t.dtype, shape, *names)


def stack(m: Maker) -> None:
    x = m.pick()
    t = m.types[x]
    y = m.pick(fits=lambda u: u == t)
    axis = m.draw(t.rank + 1)
    shape = (*t.shape[:axis], 2, *t.shape[axis:])
    m.emit(f"tf.stack([{x}, {y}], {axis})", t.dtype, shape, x, y)


def index(m: Maker) -> None:
    """x[...] with a slice or a place on one axis."""
    x = m.ranked()
    t = m.types[x]
    axis = m.draw(t.rank)
    n = t.shape[axis]
    size: Extent | None
    item, size = m.choose(
        [
            ("::-1", n),
            ("-1", None),
            ("0", None),
            (":-1", n - 1),
            ("::2", (n + 1) // 2),
            ("-2:", 2),
            ("::-2", (n + 1) // 2),
            ("1:", n - 1),
            (":2", 2),
            ("None", 1),
        ]
    )
    if item == "None":
        shape: list[Extent] = [*t.shape[:axis], 1, *t.shape[axis:]]
    else:
        least = {"-2:": 2, ":2": 2, "::-1": 0, "::2": 0, "::-2": 0}.get(item, 1)
        if not m.every(n, lambda k: k >= least):
            raise Skip
        if item in ("1:", ":2") and isinstance(n, Expr):
            raise Skip  # bounds from the front need a known extent
        shape = [*t.shape[:axis], *([] if size is None else [size]), *t.shape[axis + 1 :]]
    prefix = ":, " * axis
    m.emit(f"{x}[{prefix}{item}]", t.dtype, shape, x)


def window(m: Maker) -> None:
    """tf.slice."""
    x = m.ranked()
    t = m.types[x]
    begin, size, shape = [], [], []
    for e in t.shape:
        first = m.draw(2)
        least = min(evaluate(e, sizes) for sizes in m.sizes)
        if first > least:
            first = 0
        begin.append(first)
        whole = m.flag()
        count: Extent = e - first if whole else m.draw(least - first + 1)
        size.append(-1 if whole else count)
        shape.append(count)
    m.emit(f"tf.slice({x}, {begin}, {size})", t.dtype, shape, x)


def pad(m: Maker) -> None:
    x = m.ranked()
    t = m.types[x]
    rows = [[m.draw(3), m.draw(3)] for _ in t.shape]
    shape = [e + a + b for e, (a, b) in zip(t.shape, rows, strict=True)]
    code = f"tf.pad({x}, {rows}, constant_values={m.constant(t.dtype)})"
    m.emit(code, t.dtype, shape, x)


def reverse(m: Maker) -> None:
    x = m.ranked()
    t = m.types[x]
    m.emit(f"tf.reverse({x}, {m.axes(t.rank)})", t.dtype, t.shape, x)


def gather(m: Maker) -> None:
    x = m.ranked()
    t = m.types[x]
    axis = m.draw(t.rank)
    n = t.shape[axis]
    if not m.every(n, bool):
        raise Skip
    least = min(evaluate(n, sizes) for sizes in m.sizes)
    if m.flag():
        places = [m.draw(least) for _ in range(m.draw(4))]
        code, middle = f"tf.constant({places}, tf.int32)", (len(places),)
        uses: tuple[str, ...] = (x,)
    else:
        i = m.pick("i", lambda u: u.dtype.bits >= 32)
        bound = f"tf.constant({least}, tf.{m.types[i].dtype.name})"
        code, middle = f"tf.math.floormod({i}, {bound})", m.types[i].shape  # type: ignore
        uses = (x, i)
    shape = (*t.shape[:axis], *middle, *t.shape[axis + 1 :])
    m.emit(f"tf.gather({x}, {code}, axis={axis})", t.dtype, shape, *uses)


def one_hot(m: Maker) -> None:
    x = m.pick("iu")
    t = m.types[x]
    depth, axis = 1 + m.draw(4), m.draw(t.rank + 1)
    shape = (*t.shape[:axis], depth, *t.shape[axis:])
    dtype = as_dtype(m.choose(DTYPES))
    code = f"tf.one_hot({x}, {depth}, axis={axis}, dtype=tf.{dtype.name})"
    m.emit(code, dtype, shape, x)


def literal_tensor(m: Maker) -> None:
    dtype, shape = as_dtype(m.choose(DTYPES)), m.shape(static=True)
    m.emit(m.constant(dtype, shape), dtype, shape)


def filled(m: Maker) -> None:
    """Tensors whose shape comes from another one."""
    x = m.ranked()
    t = m.types[x]
    dtype = as_dtype(m.choose(DTYPES))
    kind, axis = m.draw(3), m.draw(t.rank)
    if kind == 0:
        m.emit(f"tf.ones_like({x}, tf.{dtype.name})", dtype, t.shape, x)
    elif kind == 1 and dtype.kind in "if" and dtype.bits >= 32:
        code = f"tf.range({m.extent(t.shape[axis])}, dtype=tf.{dtype.name})"
        m.emit(code, dtype, (t.shape[axis],), x)
    else:
        code = f"tf.cast(tf.shape({x})[{axis}], tf.{dtype.name})"
        m.emit(code, dtype, (), x)


def random(m: Maker) -> None:
    dtype = as_dtype(m.choose(("f32", "f64", "f16", "bf16", "i32")))
    m.program.random = True
    x = m.pick()
    shape = m.types[x].shape
    if dtype.is_integer:
        m.emit(f"g.uniform(tf.shape({x}), -5, 90, dtype=tf.int32)", dtype, shape, x)
    else:
        name = m.choose(("uniform", "normal"))
        m.emit(f"g.{name}(tf.shape({x}), dtype=tf.{dtype.name})", dtype, shape, x)


def read(m: Maker) -> None:
    v = m.choose(list(m.program.variables))
    t = m.program.variables[v]
    m.emit(
        f"{v} {m.choose('+*-')} {v}" if t.dtype.is_numeric else f"tf.identity({v})",
        t.dtype,
        t.shape,
    )


def assign(m: Maker) -> None:
    v = m.choose(list(m.program.variables))
    t = m.program.variables[v]
    x = m.pick(fits=lambda u: u == t)
    how = m.choose(("assign", "assign_add", "assign_sub"))
    m.program.steps.append(Step(f"{v}.{how if t.dtype.is_numeric else 'assign'}({x})", uses=(x,)))


BASIC: tuple[Rule, ...] = (
    *(binary, unary, simple, reduction, binary, reduction, cast, select, compare, reshape),
    *(transpose, broadcast, matmul, join, index, window, pad, reverse, gather, row_function),
    *(quotient, power, place, logic, bits, clip, tile, stack, one_hot, literal_tensor, filled),
    *(random, read, read, assign, assign),
)
