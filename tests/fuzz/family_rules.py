"""Rules for families of functions that users build on (families.py), and for what the catalogue of
cases knows (catalogue.py)."""

from __future__ import annotations

from tests.fuzz.catalogue import catalogued
from tests.fuzz.programs import Maker, Rule, Skip
from tests.fuzz.user_rules import WIDE, static, variables
from tests.fuzz.wider_rules import body, signed, trips
from tfc.ir.extent import evaluate
from tfc.ir.types import TensorType

LAYERS = {  # by the rank of what they take; `{0}` is the extent of the last axis
    2: (
        "Dense(3, activation='relu')",
        "BatchNormalization()",
        "LayerNormalization()",
        "Dense(2, kernel_regularizer='l2')",
        "Dropout(0.25, seed=5)",
        "PReLU()",
        "UnitNormalization()",
    ),
    3: (
        "GRU(3)",
        "LSTM(2, return_sequences=True)",
        "SimpleRNN(3)",
        "Conv1D(3, 2, padding='causal')",
        "SeparableConv1D(2, 2, padding='same')",
        "Bidirectional(tf.keras.layers.GRU(2))",
        "TimeDistributed(tf.keras.layers.Dense(2))",
        "MaxPooling1D(2, padding='same')",
        "GlobalAveragePooling1D()",
        "BatchNormalization()",
    ),
    4: (
        "Conv2D(2, 2, padding='same', strides=2)",
        "DepthwiseConv2D(2, padding='same')",
        "Conv2DTranspose(2, 2, padding='same')",
        "BatchNormalization()",
        "AveragePooling2D(2, padding='same')",
        "UpSampling2D(2)",
    ),
}
HIDDEN = ("relu", "tanh", "gelu", "softmax", "silu")
OPTIMIZERS = ("SGD(0.1, momentum=0.9, nesterov=True)", "AdamW(0.1)", "Adam(0.1, amsgrad=True)")
OPTIMIZERS += (
    "RMSprop(0.1, centered=True)",
    "Adadelta(0.5)",
    "Nadam(0.1)",
    "Lion(0.1)",
    "Ftrl(0.1)",
)
LOSSES = ("MeanSquaredError()", "Huber()", "LogCosh()", "MeanAbsoluteError()", "Poisson()")
# Of tf.experimental.numpy: one value, or one and an axis.
NUMPY = ("tf.experimental.numpy.cbrt({0})", "tf.experimental.numpy.expm1({0})")
NUMPY += ("tf.experimental.numpy.deg2rad({0})", "tf.experimental.numpy.fix({0})")
NUMPY += ("tf.experimental.numpy.cumsum({0}, {1})", "tf.experimental.numpy.flip({0}, {1})")
NUMPY += ("tf.experimental.numpy.sort({0}, {1})", "tf.experimental.numpy.roll({0}, 1, {1})")
NUMPY += ("tf.experimental.numpy.logaddexp({0}, {0})", "tf.experimental.numpy.heaviside({0}, {0})")
NUMPY += ("tf.experimental.numpy.copysign({0}, -{0})", "tf.experimental.numpy.hypot({0}, {0})")


def wide(t: TensorType) -> bool:
    return t.dtype.bits >= WIDE


def some(m: Maker, t: TensorType) -> None:
    """There are elements, or there is no step."""
    if not all(m.every(e, bool) for e in t.shape):
        raise Skip


def traced(m: Maker) -> None:
    x = m.ranked("f")
    t = m.types[x]
    some(m, t)
    f = f"lambda v: {body(m, t)}"
    code = m.choose(
        (f"families.signed({f}, {x})", f"families.structured({f}, {x})")
        + (f"families.in_order({f}, {x})", f"families.collected({f}, {x})")
    )
    m.emit(code, t.dtype, t.shape, x)


def retraced(m: Maker) -> None:
    """Rows by themselves, so that their number does not matter."""
    x = m.ranked("f")
    t = m.types[x]
    some(m, t)
    f = m.choose(("tf.tanh(v)", "v * v + 1.0", "tf.where(v > 0.0, v, -v)", "tf.square(tf.sin(v))"))
    m.emit(f"families.retraced(lambda v: {f}, {x})", t.dtype, t.shape, x)


def derived(m: Maker) -> None:
    x = m.pick("f", wide)
    t = m.types[x]
    f = f"lambda v: {body(m, t)}"
    names = ["forward", "forward_over_back", "back_over_forward"]
    code = f"families.{m.choose(names)}({f}, {x})"
    kind = m.draw(4)
    if kind == 0:
        code = f"families.complex_slope({x})"
    elif t.rank and all(m.every(e, bool) for e in t.shape):
        if kind == 1:
            code = f"families.own_gradient_in_rows({x})"
        elif kind == 2 and t.rank <= 2:
            name = ("jacobian_by_loop", "batch_slopes")[t.rank - 1]
            code = f"families.{name}({f}, {x})"
    m.emit(f"{code} + 0.0", t.dtype, t.shape, x)  # as in user_rules.tape


def gathered(m: Maker) -> None:
    x = m.ranked("f")
    t = m.types[x]
    some(m, t)
    least = min(evaluate(t.shape[0], sizes) for sizes in m.sizes)
    places = [m.draw(least) for _ in range(1 + m.draw(4))]
    m.emit(f"families.gathered_slope({x}, tf.constant({places}))", t.dtype, t.shape, x)


def sliced(m: Maker) -> None:
    x = m.ranked("if")
    t = m.types[x]
    some(m, t)
    n = f"tf.size({m.pick()})"
    if m.flag():
        m.emit(f"families.sliced({x}, {n})", t.dtype, t.shape, x)
    else:
        m.emit(f"families.strided({x}, {n})", t.dtype, t.shape[1:], x)


def grown(m: Maker) -> None:
    x = m.ranked("if")
    t = m.types[x]
    some(m, t)
    if not signed(t):
        raise Skip
    code = f"families.grown(lambda v: {body(m, t)}, {x}, {trips(m)})"
    m.emit(code, t.dtype, t.shape[1:], x)


def staged(m: Maker) -> None:
    x = m.ranked("if")
    t = m.types[x]
    some(m, t)
    if not signed(t):
        raise Skip
    kind = m.draw(3)
    if kind == 0:
        m.emit(f"families.by_rows({x})", t.dtype, t.shape[1:], x)
    else:
        name = ("returned_early", "nested_loops")[kind - 1]
        limit = m.literal([m.draw(9)], t.dtype)
        m.emit(f"families.{name}({x}, {limit}) * 1", t.dtype, t.shape, x)


def states(m: Maker) -> None:
    """Variables that loops and branches change."""
    x = m.ranked("f")
    t = m.types[x]
    if not static(t) or not all(t.shape):
        raise Skip
    (v,) = variables(m, t, 1)
    code = m.choose(
        [f"families.counted_up({v}, {x}, {trips(m)})", f"families.chosen_change({v}, {x})"]
    )
    m.emit(code, t.dtype, t.shape, x)


def object_of(m: Maker, code: str, state: str = "") -> str:
    """The name of what is made once, beside the program; `state` says of it what has state."""
    for name, (known, _) in m.program.objects.items():
        if known == code:
            return name
    name = f"o{len(m.program.objects)}"
    m.program.objects[name] = code, state.format(name)
    return name


def network(m: Maker) -> tuple[str, TensorType]:
    """A value that layers take."""
    x = m.pick("f", lambda t: t.dtype.short == "f32" and t.rank in LAYERS)
    t = m.types[x]
    some(m, t)
    if not all(isinstance(e, int) for e in t.shape[1:]):
        raise Skip
    return x, t


def layered(m: Maker) -> None:
    """A layer of Keras, in training or not; its results are added up along all axes but the first,
    as not all layers keep them."""
    x, t = network(m)
    code = m.choose(LAYERS[t.rank])
    shape = [None, *t.shape[1:]]
    name = object_of(
        m, f"families.built(tf.keras.layers.{code}, {shape})", "*families.variables_of({})"
    )
    training = m.flag() and "Bidirectional" not in code
    call = f"{name}(tf.tanh({x}), training={training})"
    axes = "tf.reshape({}, [tf.shape({})[0], -1])"
    m.emit(f"tf.reduce_mean({axes.format(call, x)}, 1)", t.dtype, t.shape[:1], x)


def trained(m: Maker) -> None:
    """A step of a small model."""
    x, t = network(m)
    layers = [f"tf.keras.layers.{m.choose(LAYERS[t.rank])}"] if m.flag() else []
    layers += ["tf.keras.layers.Flatten()"]
    layers += [f"tf.keras.layers.Dense(3, activation={m.choose(HIDDEN)!r})"]
    layers += ["tf.keras.layers.Dense(1)"]
    made = f"[{', '.join(layers)}], {[None, *t.shape[1:]]}"
    made += f", tf.keras.optimizers.{m.choose(OPTIMIZERS)}, tf.keras.losses.{m.choose(LOSSES)}"
    if len(m.program.objects) > 1:
        raise Skip
    name = object_of(m, f"families.Model({made})", "*{}.variables")
    m.emit(f"{name}.step(tf.tanh({x}))", t.dtype, (), x)


def fed(m: Maker) -> None:
    x = m.ranked("if")
    t = m.types[x]
    some(m, t)
    if not signed(t):
        raise Skip
    code = f"families.fed(lambda v: {body(m, t)}, {x}, {1 + m.draw(3)})"
    if t.dtype.is_floating and m.flag():
        code = f"families.shuffled_sum({x})"
    m.emit(code, t.dtype, t.shape[1:], x)


def looked_up(m: Maker) -> None:
    x = m.pick("i", wide)
    name = object_of(m, f"families.table({[m.draw(9) / 4 for _ in range(3)]})")
    code = f"{name}.lookup(tf.cast({x}, tf.int64) % 5)"
    m.emit(code, "f32", m.types[x].shape, x)


def irregular(m: Maker) -> None:
    """Ragged and sparse tensors, sets."""
    x = m.pick("if", lambda t: t.rank in (1, 2) and wide(t))
    t = m.types[x]
    some(m, t)
    if t.rank == 1:
        m.emit(f"families.deep_ragged({x})", t.dtype, t.shape, x)
    elif t.dtype.is_integer and m.flag():
        m.emit(f"families.common_members({x})", "i32", t.shape[:1], x)
    elif isinstance(t.shape[1], int) and m.flag():
        m.emit(f"families.ragged_rows({x})", t.dtype, t.shape, x)
    else:
        m.emit(f"families.sparse_sums({x})", t.dtype, t.shape, x)


def narrow(m: Maker) -> None:
    x = m.ranked("if")
    t = m.types[x]
    some(m, t)
    kind = m.draw(3)
    if t.dtype.short == "i32" and t.rank == 2:
        m.emit(f"families.integer_product({x})", t.dtype, (t.shape[0], t.shape[0]), x)
    elif not t.dtype.is_floating or not wide(t):
        raise Skip
    elif kind == 0 and t.dtype.short == "f32":
        m.emit(f"families.bits_of({x})", t.dtype, t.shape, x)
    elif kind == 1 and t.rank == 2:
        narrower = m.choose(("bfloat16", "float16"))
        m.emit(f"families.mixed({x}, tf.{narrower})", t.dtype, t.shape, x)
    else:
        m.emit(f"families.quantized(tf.where({x} < 9.0, {x}, 0.0))", t.dtype, t.shape, x)


def worded(m: Maker) -> None:
    x = m.pick("i", lambda t: t.rank == 1 and wide(t))
    t = m.types[x]
    some(m, t)
    m.emit(f"families.words({x})", "i32", t.shape, x)


def of_numpy(m: Maker) -> None:
    x = m.ranked("f")
    t = m.types[x]
    if not wide(t):
        raise Skip
    m.emit(m.choose(NUMPY).format(x, m.draw(t.rank)), t.dtype, t.shape, x)


FAMILIES: tuple[Rule, ...] = (
    *(catalogued, catalogued, catalogued, traced, retraced, derived, derived, gathered, sliced),
    *(grown, staged, staged, states, layered, trained, fed, looked_up, irregular, narrow, worded),
    of_numpy,
)
