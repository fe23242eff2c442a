"""Rules for what other rules seldom or never make: special functions, linear algebra, transforms,
extremes of rows so far, diagonals, searches, random numbers of distributions, windows of images."""

from __future__ import annotations

from tests.fuzz.programs import Maker, Rule, Skip
from tests.fuzz.rules import UNARY
from tests.fuzz.user_rules import WIDE
from tfc.ir.types import TensorType

ORDERS = ("i0", "i0e", "i1", "i1e", "j0", "j1", "k0", "k0e", "k1", "k1e", "y0", "y1")
SPECIAL = tuple(f"tf.math.special.bessel_{order}" for order in ORDERS)
SPECIAL += ("tf.math.digamma",)
SPECIAL += ("tf.math.special.dawsn", "tf.math.special.expint", "tf.math.special.spence")
SPECIAL += ("tf.math.special.fresnel_cos", "tf.math.special.fresnel_sin", "tf.math.lgamma")
SPECIAL += ("tf.math.erfinv", "tf.math.erfcinv", "tf.math.ndtri", "tf.nn.softsign", "tf.math.rint")
SPECIAL += ("tf.nn.selu", "tf.nn.gelu", "tf.nn.relu6")
SPECIAL_PAIRS = ("tf.math.igamma", "tf.math.igammac", "tf.math.zeta", "tf.math.nextafter")
SPECIAL_PAIRS += ("tf.math.multiply_no_nan", "tf.math.divide_no_nan", "tf.math.xlogy")
SPECIAL_PAIRS += ("tf.math.xlog1py", "tf.experimental.numpy.fmax", "tf.experimental.numpy.fmin")
TESTS = ("tf.math.is_nan", "tf.math.is_inf", "tf.math.is_finite")
# Of rows that are far from singular; `{0}` is a square, `{1}` columns for it.
FACTORS = ("tf.linalg.cholesky({0})", "tf.linalg.inv({0})", "tf.linalg.expm({0} * 0.125)")
FACTORS += ("tf.linalg.sqrtm({0})", "tf.linalg.qr({0})[1]", "tf.linalg.lu({0})[0]")
FACTORS += ("tf.linalg.eigh({0})[1]", "tf.linalg.svd({0})[1]", "tf.linalg.pinv({0})")
SOLVERS = ("tf.linalg.solve({0}, {1})", "tf.linalg.triangular_solve({0}, {1}, lower={2})")
SOLVERS += ("tf.linalg.cholesky_solve(tf.linalg.cholesky({0}), {1})",)
NUMBERS = ("tf.linalg.det({0})", "tf.linalg.logdet({0})", "tf.linalg.slogdet({0})[1]")
VECTORS = ("tf.linalg.eigvalsh({0})", "tf.linalg.svd({0}, compute_uv=False)")
SQUARE_MAX = 17  # rows of a square: what takes the cube of them


def wide(t: TensorType) -> bool:
    return t.dtype.bits >= WIDE


def filled(m: Maker, t: TensorType) -> None:
    """All extents of `t` are more than 0, or there is no step."""
    if not all(m.every(e, bool) for e in t.shape):
        raise Skip


def finite(x: str) -> str:
    """Code for what has no nan: routines of linear algebra may raise an error for it."""
    return f"tf.where(tf.abs({x}) < 8.0, tf.tanh({x}), tf.zeros_like({x}))"


def special(m: Maker) -> None:
    x = m.pick("f", wide)
    kind = m.draw(4)
    names = (SPECIAL, SPECIAL, UNARY, TESTS)[kind]
    dtype = "bool" if names is TESTS else m.types[x].dtype
    m.emit(f"{m.choose(names)}({x})", dtype, m.types[x].shape, x)


def special_pair(m: Maker) -> None:
    x = m.pick("f", wide)
    y, shape = m.partner(x)
    if y not in m.types:
        raise Skip
    kind = m.draw(8)
    if kind == 7:
        code = f"tf.math.betainc(tf.abs({y}) + 0.5, 1.5 + tf.zeros_like({y}), tf.sigmoid({x}))"
    elif kind == 6:
        code = f"tf.math.polygamma({m.draw(3)}.0 + tf.zeros_like({x}), {x} + {y})"
    else:
        code = f"{m.choose(SPECIAL_PAIRS)}({x}, {y})"
    m.emit(code, m.types[x].dtype, shape, x, y)


def whole_numbers(m: Maker) -> None:
    x = m.pick("iu")
    t = m.types[x]
    kind = m.draw(4)
    if kind == 0:
        m.emit(f"tf.bitwise.invert({x})", t.dtype, t.shape, x)
    elif kind == 1:
        m.emit(f"tf.bitwise.population_count({x})", "u8", t.shape, x)
    else:
        name = m.choose(("tf.truncatediv", "tf.truncatemod"))
        odd = f"tf.bitwise.bitwise_or({x}, {m.literal([1], t.dtype)})"
        m.emit(f"{name}({x}, {odd})", t.dtype, t.shape, x)


def extremes_so_far(m: Maker) -> None:
    x = m.ranked("if")
    t = m.types[x]
    names = ["tf.math.cummax", "tf.math.cummin"]
    if t.dtype.is_floating and wide(t):
        names.append("tf.math.cumulative_logsumexp")
    code = f"{m.choose(names)}({x}, {m.draw(t.rank)}, exclusive={m.flag()}, reverse={m.flag()})"
    m.emit(code, t.dtype, t.shape, x)


def square(m: Maker) -> tuple[str, str, TensorType]:
    """A value of rows, code for a positive definite square of their products, and its type."""
    x = m.pick("f", lambda t: t.rank >= 2 and wide(t))
    t = m.types[x]
    filled(m, t)
    rows = t.shape[-2]
    if not m.every(rows, lambda n: n <= SQUARE_MAX):
        raise Skip
    unit = f"tf.eye({m.extent(rows)}, dtype=tf.{t.dtype.name})"
    rows_of = finite(x)
    code = f"(tf.matmul({rows_of}, {rows_of}, transpose_b=True) * 0.25 + {unit})"
    return x, code, TensorType(t.dtype, (*t.shape[:-1], rows))


def factors(m: Maker) -> None:
    x, code, t = square(m)
    kind = m.draw(4)
    if kind == 0:
        m.emit(m.choose(NUMBERS).format(code), t.dtype, t.shape[:-2], x)
    elif kind == 1:
        m.emit(m.choose(VECTORS).format(code), t.dtype, t.shape[:-1], x)
    elif kind == 2:
        solver = m.choose(SOLVERS).format(code, x, m.flag())
        m.emit(solver, t.dtype, m.types[x].shape, x)
    else:
        m.emit(m.choose(FACTORS).format(code), t.dtype, t.shape, x)


def bands(m: Maker) -> None:
    """Three diagonals, which are far from singular, and columns for them."""
    x = m.pick("f", lambda t: t.rank >= 2 and wide(t))
    t = m.types[x]
    filled(m, t)
    row = finite(f"{x}[..., 0]")
    diagonals = f"tf.stack([{row}, 4.0 + {row}, {row}], -2)"
    name = m.choose(("tridiagonal_solve", "tridiagonal_matmul"))
    m.emit(f"tf.linalg.{name}({diagonals}, {x})", t.dtype, t.shape, x)


def transformed(m: Maker) -> None:
    """Through complex numbers and back."""
    x = m.ranked("f")
    t = m.types[x]
    if not wide(t) or not all(m.every(e, bool) for e in t.shape):
        raise Skip
    code = m.choose(
        (
            f"tf.math.real(tf.signal.ifft(tf.signal.fft(tf.complex({x}, {x}))))",
            f"tf.signal.irfft(tf.signal.rfft({x}), [{m.extent(t.shape[-1])}])",
            f"tf.abs(tf.signal.fft(tf.complex({x}, tf.negative({x}))))",
            f"tf.math.angle(tf.complex({x}, {x} * 0.5))",
            f"tf.math.imag(tf.complex({x}, {x}) * tf.math.conj(tf.complex({x}, 1.0 - {x})))",
            f"tf.math.real(tf.exp(tf.complex(tf.tanh({x}), {x})))",
        )
    )
    m.emit(code, t.dtype, t.shape, x)


def searched(m: Maker) -> None:
    x = m.ranked("if")
    t = m.types[x]
    if not wide(t):
        raise Skip
    side = m.choose(("left", "right"))
    places = f"tf.searchsorted(tf.sort({x}), {x}, {side!r})"
    if t.rank == 1 and m.flag():
        m.emit(f"tf.math.invert_permutation(tf.argsort({x}, stable=True))", "i32", t.shape, x)
    else:
        m.emit(places, "i32", t.shape, x)


def segmented(m: Maker) -> None:
    """Rows in segments: products, means, and those that are sorted."""
    x = m.ranked("f")
    t = m.types[x]
    if not wide(t) or not m.every(t.shape[0], bool):
        raise Skip
    count = 1 + m.draw(4)
    rows = f"tf.range({m.extent(t.shape[0])})"
    if m.flag():
        name = m.choose(("prod", "mean", "sqrt_n"))
        code = (
            f"tf.math.unsorted_segment_{name}({x}, tf.math.floormod({rows} * 3, {count}), {count})"
        )
    else:  # a row more of each at the end, so that their number is known
        name = m.choose(("sum", "prod", "mean", "max", "min"))
        last = f"tf.concat([tf.minimum({rows}, {count - 1}), [{count - 1}]], 0)"
        code = f"tf.math.segment_{name}(tf.concat([{x}, {x}[:1]], 0), {last})"
        known = [count, *[None] * (t.rank - 1)]  # which the trace of a function does not
        code = f"tf.ensure_shape({code}, {known})"
        if not m.every(t.shape[0], lambda n: n >= count):
            raise Skip
    m.emit(code, t.dtype, (count, *t.shape[1:]), x)


def diagonals(m: Maker) -> None:
    x = m.ranked("if")
    t = m.types[x]
    last = t.shape[-1]
    kind = m.draw(3)
    if kind == 0:
        m.emit(f"tf.linalg.diag({x})", t.dtype, (*t.shape, last), x)
    elif kind == 1 and m.every(last, bool):
        below = m.draw(2)
        code = f"tf.linalg.diag_part(tf.linalg.diag({x}, k={below}), k={below})"
        m.emit(code, t.dtype, t.shape, x)
    elif t.rank >= 2 and t.shape[-1] == t.shape[-2] and m.every(last, bool):
        m.emit(f"tf.linalg.set_diag({x}, {x}[..., 0])", t.dtype, t.shape, x)
    else:
        raise Skip


def put_into(m: Maker) -> None:
    """A part of x that is put somewhere else in it."""
    x = m.ranked("biuf")
    t = m.types[x]
    filled(m, t)
    starts = ", ".join(str(m.draw(3)) for _ in t.shape)
    part = f"{x}[:1]"
    code = m.choose(
        (
            f"tf.experimental.dynamic_update_slice({x}, {part}, [{starts}])",
            f"tf.tensor_scatter_nd_update({x}, [[0]], {x}[-1:])",
        )
    )
    m.emit(code, t.dtype, t.shape, x)


def distributed(m: Maker) -> None:
    """Random numbers of distributions, of seeds."""
    x = m.pick("f", lambda t: wide(t) and t.rank >= 1)
    t = m.types[x]
    filled(m, t)
    shape, seed, dtype = f"tf.shape({x})", [m.draw(5), m.draw(5)], t.dtype.name
    rate = f"1.5 + tf.cast({x} > 0.0, tf.{dtype})"  # of nan, too
    code = m.choose(
        (
            f"tf.random.stateless_gamma({shape}, {seed}, {rate}, dtype=tf.{dtype})",
            f"tf.random.stateless_poisson({shape}, {seed}, {rate}, tf.{dtype})",
            f"tf.random.stateless_binomial({shape}, {seed}, 9.0, 0.25 * ({rate}), tf.{dtype})",
        )
    )
    m.emit(code, t.dtype, t.shape, x)


def classes(m: Maker) -> None:
    x = m.ranked("f")
    t = m.types[x]
    filled(m, t)
    if not wide(t):
        raise Skip
    *outer, _ = t.shape
    places = f"tf.argmax({x}, -1)"
    kind = m.draw(4)
    if kind == 0 and t.rank == 2:
        code = f"tf.random.stateless_categorical({finite(x)}, 3, [{m.draw(5)}, 1])"
        m.emit(code, "i64", (t.shape[0], 3), x)
    elif kind == 1:
        name = "tf.nn.sparse_softmax_cross_entropy_with_logits"
        m.emit(f"{name}({places}, {x})", t.dtype, outer, x)
    elif kind == 2:
        m.emit(f"tf.one_hot({places}, 3, dtype=tf.{t.dtype.name})", t.dtype, (*outer, 3), x)
    else:
        labels = f"tf.cast({x} > 0.0, tf.{t.dtype.name})"
        code = f"tf.nn.sigmoid_cross_entropy_with_logits({labels}, {x})"
        m.emit(code, t.dtype, t.shape, x)


def images(m: Maker) -> None:
    """Windows over two axes of [n, height, width, channels]: of any value of rank 2 and more, whose
    first axis is both n and the channels' place."""
    x = m.pick("f", lambda t: wide(t) and t.rank in (2, 3))
    t = m.types[x]
    filled(m, t)
    lead = t.shape if t.rank == 3 else (1, *t.shape)
    image = f"{x}[..., None]" if t.rank == 3 else f"{x}[None, ..., None]"
    constant = m.constant(t.dtype, (2, 2, 1, 2))
    kind = m.draw(6)
    if kind == 0:
        code, channels = f"tf.nn.conv2d({image}, {constant}, 1, 'SAME')", 2
    elif kind == 1:
        code, channels = f"tf.nn.depthwise_conv2d({image}, {constant}, [1, 1, 1, 1], 'SAME')", 2
    elif kind == 2:
        code, channels = f"tf.nn.{m.choose(('max', 'avg'))}_pool2d({image}, 2, 1, 'SAME')", 1
    elif kind == 3:
        found = f"tf.nn.max_pool_with_argmax({image}, 2, 1, 'SAME')"
        if m.flag():
            m.emit(f"{found}[1]", "i64", (*lead, 1), x)
            return
        code, channels = f"{found}[0]", 1
    elif kind == 4:
        filters = m.constant(t.dtype, (2, 2, 1))
        one = "[1, 1, 1, 1]"
        code = f"tf.nn.dilation2d({image}, {filters}, {one}, 'SAME', 'NHWC', {one})"
        channels = 1
    else:
        code, channels = f"tf.image.flip_left_right({image})", 1
    m.emit(code, t.dtype, (*lead, channels), x)


OPS: tuple[Rule, ...] = (
    *(special, special, special_pair, whole_numbers, extremes_so_far, factors, factors, bands),
    *(transformed, searched, segmented, diagonals, put_into, distributed, classes, images),
)
