"""Rules for what users write in statements: tapes within programs, Python's control flow, values
that are changed in place, strings, ragged and sparse tensors, random numbers of seeds, replicas,
optimizers. What they call is in parts.py."""

from __future__ import annotations

from tests.fuzz.programs import Maker, Rule, Skip, Step
from tests.fuzz.wider_rules import RULES, body, signed, trips
from tfc.ir.types import TensorType

WIDE = 32  # bits: what is defined for few dtypes has these


def tape(m: Maker) -> None:
    """A gradient, a second one, or loops of tapes."""
    x = m.pick("f")
    t = m.types[x]
    f = f"lambda v: {body(m, t)}"
    code = m.choose(
        (
            "parts.slope({f}, {x})",
            "parts.second_slope({f}, {x})",
            "parts.descent({f}, {x}, {trips}) * 1",
            "parts.python_descent({f}, {x}, 2)",
            "parts.paused({f}, {x})",
            "parts.weighted_slope({f}, {x}, {x})",
        )
    )
    # A zero's sign may differ (ways.py): that of a gradient is none of a program's results.
    m.emit(f"{code.format(f=f, x=x, trips=trips(m))} + 0.0", t.dtype, t.shape, x)


def jacobian(m: Maker) -> None:
    x = m.pick("f", lambda t: t.rank == 1)
    t = m.types[x]
    if not m.every(t.shape[0], bool):
        raise Skip
    m.emit(f"parts.row_slopes(lambda v: {body(m, t)}, {x})", t.dtype, t.shape, x)


def staged(m: Maker) -> None:
    """Loops and branches that AutoGraph stages."""
    x = m.ranked("if")
    t = m.types[x]
    if not signed(t) or not all(m.every(e, bool) for e in t.shape):
        raise Skip
    limit = m.constant(t.dtype)
    code = m.choose(
        (f"parts.until({x}, {limit}, {m.draw(6)}) * 1", f"parts.early({x}, {limit})")
        + (f"parts.rows_in_turn({x})", f"parts.filled_in({x}, {trips(m)})")
    )
    m.emit(code, t.dtype, t.shape, x)


def exchanged(m: Maker) -> None:
    x = m.pick("if")
    t = m.types[x]
    y = m.pick(fits=lambda u: u == t)
    m.emit(f"parts.swapped({x}, {y}, {trips(m)}) * 1", t.dtype, t.shape, x, y)


def variables(m: Maker, t: TensorType, count: int) -> list[str]:
    """So many Variables of a type; those that are missing are made."""
    for n in range(len(m.program.variables), 4):
        if sum(u == t for u in m.program.variables.values()) >= count:
            break
        code = m.constant(t.dtype, t.shape)
        m.program.variables[f"v{n}"] = t
        m.program.elements[f"v{n}"] = code, code
    found = [v for v, u in m.program.variables.items() if u == t]
    if len(found) < count:
        raise Skip
    return found[-count:]


def static(t: TensorType) -> bool:
    return all(isinstance(e, int) for e in t.shape)


def in_place(m: Maker) -> None:
    """Variables that are read before and after they are changed."""
    x = m.pick("if", static)
    t = m.types[x]
    if t.rank and m.flag():
        (v,) = variables(m, t, 1)
        m.emit(f"parts.kept_and_changed({v}, {x})", t.dtype, t.shape, x)
    elif t.dtype.is_floating:
        v, w = variables(m, t, 2)
        m.emit(f"parts.moved({v}, {w}, {x})", t.dtype, t.shape, x)
    else:
        raise Skip


def optimized(m: Maker) -> None:
    """A step of one of Keras' optimizers, of which a program has one."""
    x = m.pick("f", lambda t: t.dtype.short == "f32" and static(t))
    t = m.types[x]
    if not m.program.optimizer:
        kinds = ("SGD(0.5, momentum=0.5)", "Adam(0.25)", "RMSprop(0.25)", "Adagrad(0.5)")
        m.program.optimizer = variables(m, t, 1)[0], m.choose(kinds)
    v, _ = m.program.optimizer
    if m.program.variables[v] != t:
        raise Skip
    m.program.steps.append(Step(f"optimizer.apply([tf.tanh({x}) * {v}], [{v}])", uses=(x,)))


def text(m: Maker) -> None:
    """Integers as they are written."""
    x = m.pick("i", lambda t: t.dtype.bits >= WIDE)
    t = m.types[x]
    small = f"tf.math.floormod({x}, {m.literal([100], t.dtype)})"
    name, dtype = m.choose((("spelled", t.dtype), ("buckets", "i64"), ("lengths", "i32")))
    m.emit(f"parts.{name}({small})", dtype, t.shape, x)


def ragged(m: Maker) -> None:
    x = m.pick("if", lambda t: t.rank in (1, 2) and t.dtype.bits >= WIDE)
    t = m.types[x]
    if not all(m.every(e, bool) for e in t.shape):
        raise Skip
    if t.rank == 1:
        code = f"parts.ragged_sums({x}, {1 + m.draw(3)})"
    elif isinstance(t.shape[1], int):
        code = f"parts.ragged_padded({x})"
    else:
        raise Skip
    m.emit(code, t.dtype, t.shape, x)


def chosen(m: Maker) -> None:
    """Elements and rows by what data say."""
    x = m.ranked("if")
    t = m.types[x]
    if t.dtype.bits < WIDE or not m.every(t.shape[0], bool) or not signed(t):
        raise Skip
    kind = m.draw(4)
    if kind == 0:
        m.emit(f"parts.masked_sum({x})", t.dtype, (), x)
    elif kind == 1:
        m.emit(f"parts.put_together({x}, {1 + m.draw(3)})", t.dtype, t.shape, x)
    elif kind == 2 and t.rank == 1:
        m.emit(f"parts.distinct({x})", "i32", t.shape, x)
    elif kind == 3 and t.rank == 2 and t.dtype.is_floating:
        m.emit(f"parts.sparse_product({x})", t.dtype, (t.shape[0], t.shape[0]), x)
    else:
        raise Skip


def seeded(m: Maker) -> None:
    """Random numbers without a state."""
    x = m.pick("f", lambda t: t.dtype.bits >= WIDE)
    t = m.types[x]
    seed = [m.draw(5), m.draw(5)]
    code = m.choose(
        (
            "tf.random.stateless_uniform(tf.shape({x}), {seed}, dtype=tf.{dtype})",
            "tf.random.stateless_normal(tf.shape({x}), {seed}, dtype=tf.{dtype})",
            "tf.random.stateless_truncated_normal(tf.shape({x}), {seed}, dtype=tf.{dtype})",
            "tf.nn.experimental.stateless_dropout({x}, 0.25, {seed})",
        )
    )
    m.emit(code.format(x=x, seed=seed, dtype=t.dtype.name), t.dtype, t.shape, x)


def shuffled(m: Maker) -> None:
    x = m.ranked()
    t = m.types[x]
    seed = [m.draw(5), m.draw(5)]
    code = f"tf.random.experimental.stateless_shuffle({x}, {seed})"
    m.emit(code, t.dtype, t.shape, x)


def replicas(m: Maker) -> None:
    x = m.pick("f", lambda t: t.dtype.bits >= WIDE)
    t = m.types[x]
    m.emit(f"parts.by_replicas(lambda v: {body(m, t)}, {x})", t.dtype, t.shape, x)


def vectorized(m: Maker) -> None:
    x = m.ranked("f")
    t = m.types[x]
    if not m.every(t.shape[0], bool):
        raise Skip
    m.emit(f"tf.vectorized_map(lambda v: {body(m, t)}, {x})", t.dtype, t.shape, x)


def einsum(m: Maker) -> None:
    x = m.ranked("f", 2)
    t = m.types[x]
    if t.rank != 2:
        raise Skip
    equation, shape = m.choose(
        (
            ("ij,kj->ik", (t.shape[0], t.shape[0])),
            ("ij,ij->j", (t.shape[1],)),
            ("ij,ik->kj", (t.shape[1], t.shape[1])),
            ("ij,ij->", ()),
            ("ij,kl->il", (t.shape[0], t.shape[1])),
        )
    )
    m.emit(f"tf.einsum('{equation}', {x}, {x})", t.dtype, shape, x)


def rows_apart(m: Maker) -> None:
    """A list of rows, in Python."""
    x = m.ranked()
    t = m.types[x]
    if not isinstance(t.shape[0], int) or not t.shape[0]:
        raise Skip
    m.emit(
        f"tf.stack([*reversed(tf.unstack({x})), {x}[0]])",
        t.dtype,
        (t.shape[0] + 1, *t.shape[1:]),
        x,
    )


def counted(m: Maker) -> None:
    """Histograms, places in sorted rows, diagonals."""
    x = m.pick("i", lambda t: t.rank == 1 and t.dtype.short == "i32")
    m.emit(f"tf.math.bincount(tf.math.floormod({x}, 5), minlength=5, maxlength=5)", "i32", (5,), x)


USERS: tuple[Rule, ...] = (
    *(tape, tape, jacobian, staged, staged, exchanged, in_place, in_place, optimized, text, ragged),
    *(chosen, chosen, seeded, shuffled, replicas, vectorized, einsum, rows_apart, counted),
)
EVERY = (*RULES, *USERS)
