"""Functions whose kernels stand for all kernels: what kernel_texts.py takes the hashes of.

`PARTS` has some hundred functions of tensors, of known and of unknown sizes, so that every
schedule is taken, at its edges too: random programs, every op of the table, products, convolutions
with both gradients, rows, columns, scans, sorts, what moves data, attention, control flow and the
steps that networks are trained with.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

import tfc as tf
from tests import native
from tests.convolution_ways import BANDED, NARROW, WAYS, all_three
from tests.fuzz.makers import Basic
from tests.fuzz.programs import execute
from tests.optable import ROWS
from tests.programs import Program
from tfc.ir.core import Function
from tfc.ir.types import parse_type

Make = Callable[[], Function]  # a function of tensor ops, not yet optimised
Named = Iterator[tuple[str, Make]]


# Targets of kernel_texts.py. What holds no product is the same for all GPUs.
CPU = ("vector64", "vector16")
EVERY = (*CPU, "simt", "tensor")


class Part(NamedTuple):
    """Functions of one kind, and what they are lowered for."""

    cases: Callable[[], Named]
    targets: tuple[str, ...] = (*CPU, "simt")


def traced(f: Callable[..., Any], *types: str) -> Function:
    """What `f` does with tensors of these types ("f32[n,4]"), as IR; symbols are unknown sizes."""
    specs = []
    for type_ in map(parse_type, types):
        shape = [extent if isinstance(extent, int) else None for extent in type_.shape]
        specs.append(tf.TensorSpec(shape, type_.dtype.name))
    function: Function = tf.function(f).get_concrete_function(*specs).function
    return function


def gradients(f: Callable[..., Any], *inputs: Any) -> Any:
    """What `f` returns, and its gradients by all inputs."""
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        y = f(*inputs)
    return y, tape.gradient(y, inputs)


def each(f: Callable[..., Any], **ways: str) -> Named:
    """`f` for each of these lists of types, by name."""
    for name, types in ways.items():
        yield name, partial(traced, f, *types.split())


# Random programs.


def programs(known: bool) -> Named:
    """Random programs of IR."""

    def grow(seed: int) -> Function:
        program = Program(seed, exact=seed % 2 == 0)
        f = program.grow(4 + seed % 12)
        return native.static(f, *program.arrays(f)) if known else f

    for seed in range(32):
        yield str(seed), partial(grow, seed)


def public_programs(known: bool) -> Named:
    """Random programs of the public API."""

    def make(seed: int) -> Function:
        program = Basic(random.Random(seed).randrange).make(4 + seed % 9)
        scope = execute(program.source())
        types = list(program.inputs.values())
        if known:
            given = zip(types, scope["inputs"], strict=True)
            types = [t.with_shape(tuple(x.shape)) for t, x in given]
        return traced(scope["program"], *map(str, types))

    for seed in range(32):
        yield str(seed), partial(make, seed)


def table(known: bool) -> Named:
    """Every op of the table, each row with another one of its dtypes."""
    seen: dict[str, int] = {}
    for i, row in enumerate(ROWS):
        dtypes = row.dtypes.split()
        number = seen[row.name] = seen.get(row.name, 0) + 1
        name = row.name if number == 1 else f"{row.name}.{number}"
        sizes = row.sizes[len(row.sizes) // 2] if known else None
        yield name, partial(row.function, dtypes[(i + known) % len(dtypes)], sizes)


# Products.

PRODUCTS = {
    "square": "64,64,64",
    "larger": "256,256,256",
    "large": "512,700,1000",
    "tall": "1030,33,20",
    "wide": "20,33,1030",
    "long": "40,3000,40",
    "row": "1,300,700",
    "rows": "5,600,330",
    "more rows": "32,600,330",
    "most rows": "33,600,330",
    "column": "700,300,1",
    "columns": "310,300,10",
    "dot": "1,70001,1",
    "outer": "70,1,90",
    "small": "3,4,5",
    "unknown": "m,k,n",
    "any rows": "m,300,130",
    "any batch": "b,784,128",
    "any sum": "30,k,50",
    "any columns": "30,70,n",
}


def matmul(x: Any, y: Any, left: bool = False, right: bool = False) -> Any:
    return tf.matmul(x, y, transpose_a=left, transpose_b=right)


def dense(x: Any, y: Any, b: Any) -> Any:
    return tf.nn.relu(tf.matmul(x, y) + b)


def standardised(x: Any) -> Any:
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-5)


PROLOGUES: dict[str, Callable[[Any], Any]] = {
    "masked": lambda x: tf.where(x > 0.0, x, x * 0.1),
    "standardised": standardised,
    "joined": lambda x: tf.concat([x[:, :7], tf.tanh(x[:, 7:])], 1),
    "shifted": lambda x: tf.reshape(tf.reshape(x, [-1]) * 2.0, tf.shape(x)),
    "cast": lambda x: tf.cast(tf.cast(x, tf.float16), tf.float32),
    "reversed": lambda x: tf.reverse(x, [0]),
}


def products() -> Named:
    """At the sizes where schedules have edges; transposed, of all dtypes, in batches, with what
    comes before and what follows."""
    for name, sizes in PRODUCTS.items():
        m, k, n = sizes.split(",")
        plain = f"f32[{m},{k}]", f"f32[{k},{n}]"
        yield name, partial(traced, matmul, *plain)
        turned = partial(matmul, left=True)
        yield f"{name}/left", partial(traced, turned, f"f32[{k},{m}]", plain[1])
        turned = partial(matmul, right=True)
        yield f"{name}/right", partial(traced, turned, plain[0], f"f32[{n},{k}]")
        yield f"{name}/dense", partial(traced, dense, *plain, f"f32[{n}]")
    for dtype in ("f64", "f16", "bf16", "i32", "u8", "c64", "c128"):
        for sizes in ("70,300,133", "64,64,64", "1,40,50", "5,600,330"):
            m, k, n = sizes.split(",")
            name = f"{dtype}/{m}x{k}x{n}"
            yield name, partial(traced, matmul, f"{dtype}[{m},{k}]", f"{dtype}[{k},{n}]")
    for dtype in ("f32", "f16"):
        for name, left, right in (
            ("batches", "12,40,64", "12,64,48"),
            ("any batches", "b,40,64", "b,64,48"),
            ("large batches", "3,200,300", "3,300,100"),
            ("nested batches", "2,3,9,20", "2,3,20,11"),
            ("one right", "5,33,40", "40,50"),
            ("one left", "33,40", "5,40,50"),
        ):
            types = f"{dtype}[{left}]", f"{dtype}[{right}]"
            yield f"{name}/{dtype}", partial(traced, matmul, *types)
    for name, before in PROLOGUES.items():
        for sizes in ("10,30,40", "1,300,70", "20,600,133", "50,300,530", "310,300,10", "m,300,n"):
            m, k, n = sizes.split(",")

            def prologue(x: Any, y: Any, before: Any = before) -> Any:
                return before(x) @ y

            types = f"f32[{m},{k}]", f"f32[{k},{n}]"
            yield f"{name}/{m}x{k}x{n}", partial(traced, prologue, *types)
    for sizes in ("64,300,100", "b,300,100"):
        m, k, n = sizes.split(",")

        def layer(x: Any, w: Any, b: Any) -> Any:
            return gradients(dense, x, w, b)

        types = f"f32[{m},{k}]", f"f32[{k},{n}]", f"f32[{n}]"
        yield f"gradients/{m}x{k}x{n}", partial(traced, layer, *types)

    def taken(rows: Any, x: Any, y: Any) -> Any:
        return tf.gather(x, rows) @ y

    def narrow(x: Any, w: Any, right: bool) -> Any:
        return tf.matmul(x, tf.cast(w, tf.float32), transpose_b=right)

    for dtype in ("i8", "bf16"):
        for k, n in (("300", "100"), ("k", "n")):
            types = f"f32[1,{k}]", f"{dtype}[{k},{n}]"
            yield f"row by {dtype}/{k}x{n}", partial(traced, partial(narrow, right=False), *types)
            types = f"f32[1,{k}]", f"{dtype}[{n},{k}]"
            name = f"row by {dtype}/{k}x{n}/right"
            yield name, partial(traced, partial(narrow, right=True), *types)

    yield "taken", partial(traced, taken, "i32[50]", "f32[400,300]", "f32[300,130]")
    yield (
        "weights of integers",
        partial(traced, lambda x, y: x @ tf.cast(y, tf.float32), "f32[20,300]", "i8[300,500]"),
    )


def half_products() -> Named:
    """What tensor cores multiply, by warps and by groups of four."""
    for dtype in ("f16", "bf16"):
        for sizes in ("512,512,512", "130,70,200", "m,256,128", "m,k,n"):
            m, k, n = sizes.split(",")
            types = f"{dtype}[{m},{k}]", f"{dtype}[{k},{n}]"
            yield f"{dtype}/{sizes}", partial(traced, matmul, *types)
            types = f"{dtype}[{m},{k}]", f"{dtype}[{n},{k}]"
            yield f"{dtype}/{sizes}/right", partial(traced, partial(matmul, right=True), *types)
            types = f"{dtype}[{m},{k}]", f"{dtype}[{k},{n}]", f"{dtype}[{n}]"
            yield f"{dtype}/{sizes}/dense", partial(traced, dense, *types)
    yield "f16/batches", partial(traced, matmul, "f16[8,128,256]", "f16[8,256,128]")
    yield "f16/convolution", partial(convolution, LARGE["3x3"], "f16")


def pair_products() -> Named:
    """Of bfloat16, two of which an instruction multiplies and adds."""
    for sizes in ("130,1030,200", "64,257,96", "m,k,n"):
        for left, right in ((False, False), (True, False), (False, True)):
            m, k, n = sizes.split(",")
            x = f"bf16[{k},{m}]" if left else f"bf16[{m},{k}]"
            y = f"bf16[{n},{k}]" if right else f"bf16[{k},{n}]"
            f = partial(matmul, left=left, right=right)
            yield f"{sizes}/{left:d}{right:d}", partial(traced, f, x, y)
    types = "bf16[64,256]", "bf16[256,96]", "bf16[96]"
    yield "dense", partial(traced, dense, *types)
    yield "batches", partial(traced, matmul, "bf16[8,512,64]", "bf16[8,64,512]")


def integer_products() -> Named:
    """Of small integers, whose sums are int32."""
    for types in ("i8 i8", "u8 i8", "i8 u8", "i16 i8"):
        for sizes in ("130,1030,200", "64,256,96", "m,k,n"):
            for flips in ((False, False), (True, False), (False, True)):
                m, k, n = sizes.split(",")
                left = f"{k},{m}" if flips[0] else f"{m},{k}"
                right = f"{n},{k}" if flips[1] else f"{k},{n}"
                x, y = (f"{t}[{s}]" for t, s in zip(types.split(), (left, right), strict=True))
                f = partial(integer_product, left=flips[0], right=flips[1])
                yield f"{types}/{sizes}/{flips[0]:d}{flips[1]:d}", partial(traced, f, x, y)


def integer_product(x: Any, y: Any, left: bool, right: bool) -> Any:
    return matmul(tf.cast(x, tf.int32), tf.cast(y, tf.int32), left, right)


# Convolutions.


def convolution(way: Any, dtype: str = "f32", batch: str = "", count: int = 3) -> Function:
    """A convolution and its gradients, or the first `count` of these."""
    n, size, channels, taps, out, groups, strides, padding, dilations = way

    def three(x: Any, w: Any) -> Any:
        how = {"strides": strides, "padding": padding, "dilations": dilations}
        return all_three(x, w, **how)[:count]

    def type_(*shape: Any) -> str:
        return f"{dtype}[{','.join(map(str, shape))}]"

    x, w = type_(batch or n, *size, channels), type_(*taps, channels // groups, out)
    return traced(three, x, w)


LARGE = {  # as networks have them
    "1x1": (8, (56, 56), 64, (1, 1), 256, 1, (1, 1), "SAME", (1, 1)),
    "3x3": (16, (28, 28), 128, (3, 3), 128, 1, (1, 1), "SAME", (1, 1)),
    "5x5": (32, (14, 14), 32, (5, 5), 64, 1, (1, 1), "SAME", (1, 1)),
    "7x7": (4, (112, 112), 3, (7, 7), 64, 1, (2, 2), "SAME", (1, 1)),
    "halved": (8, (56, 56), 64, (3, 3), 128, 1, (2, 2), "SAME", (1, 1)),
    "depthwise": (8, (56, 56), 128, (3, 3), 128, 128, (1, 1), "SAME", (1, 1)),
}


def ways(found: Mapping[str, Any], count: int) -> Named:
    """Each of these convolutions and its gradients, or the first `count` of the three."""
    for name, way in found.items():
        yield name, partial(convolution, way, count=count)


def convolutions() -> Named:
    """As networks have them, of unknown sizes and of other dtypes; what comes before and after."""
    yield from ways(LARGE, 3)
    for name in ("plain", "strided", "dilated", "depthwise", "groups"):
        yield f"any batch/{name}", partial(convolution, WAYS[name], batch="n")
        yield f"f16/{name}", partial(convolution, WAYS[name], "f16")
    for dtype in ("f64", "bf16"):
        yield f"{dtype}/plain", partial(convolution, WAYS["plain"], dtype)
    yield "i32/plain", partial(convolution, WAYS["plain"], "i32", count=1)

    def block(x: Any, w: Any, b: Any) -> Any:
        return tf.nn.relu(tf.nn.conv2d(tf.nn.relu(x), w, 1, "SAME") + b)

    yield from each(
        block,
        block="f32[8,28,28,40] f32[3,3,40,64] f32[64]",
        any_block="f32[n,28,28,40] f32[3,3,40,64] f32[64]",
        any_image="f32[n,h,w,40] f32[3,3,40,64] f32[64]",
    )

    yield from each(
        lambda x, w, b: tf.nn.max_pool2d(block(x, w, b), 2, 2, "VALID"),
        pooled="f32[8,28,28,40] f32[3,3,40,64] f32[64]",
        any_pooled="f32[n,13,13,3] f32[3,3,3,64] f32[64]",
    )

    def transposed(y: Any, w: Any) -> Any:
        return tf.nn.conv2d_transpose(y, w, [4, 28, 28, 20], 2, "SAME")

    yield from each(transposed, transposed="f32[4,14,14,30] f32[3,3,20,30]")


# Rows, columns, attention.


def layer_norm(x: Any, scale: Any, shift: Any) -> Any:
    return standardised(x) * scale + shift


def loss(x: Any, labels: Any) -> Any:
    each_row = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x)
    return tf.reduce_mean(each_row)


ROW_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "softmax": tf.nn.softmax,
    "log softmax": tf.nn.log_softmax,
    "log sum exp": lambda x: tf.reduce_logsumexp(x, -1),
    "standardised": standardised,
    "root mean square": lambda x: x * tf.math.rsqrt(tf.reduce_mean(x * x, -1, keepdims=True)),
    "sum": lambda x: tf.reduce_sum(x, -1),
    "sums": lambda x: (tf.reduce_sum(x, -1), tf.reduce_max(x, -1), tf.reduce_min(tf.exp(x), -1)),
    "argmax": lambda x: (tf.argmax(x, -1), tf.reduce_max(x, -1)),
    "reversed": lambda x: tf.reverse(tf.exp(x), [-1]) / tf.reduce_sum(tf.exp(x), -1, keepdims=True),
    "column sum": lambda x: tf.reduce_sum(x, 0),
    "column variance": lambda x: tf.math.reduce_variance(x, 0),
    "column argmax": lambda x: (tf.argmax(x, 0), tf.reduce_max(x, 0)),
    "column softmax": lambda x: tf.nn.softmax(x, 0),
    "all": tf.reduce_sum,
    "both": lambda x: (tf.reduce_sum(x, 0), tf.reduce_sum(x, 1)),
    "rows of columns": lambda x: tf.reduce_sum(tf.nn.softmax(x), 0),
}


def reductions() -> Named:
    for name, f in ROW_FUNCTIONS.items():
        for shape in ("300,65", "3,40000", "70000,5", "n,m", "n,130"):
            yield f"{name}/{shape}", partial(traced, f, f"f32[{shape}]")
    for dtype in ("f64", "f16", "bf16", "i32", "u8"):
        for name in ("sum", "column sum", "argmax", "all"):
            yield f"{name}/{dtype}", partial(traced, ROW_FUNCTIONS[name], f"{dtype}[130,257]")
    softmax = partial(gradients, lambda x: tf.nn.softmax(x) * tf.sin(x))
    yield from each(softmax, softmax_gradient="f32[64,1000]", any_softmax_gradient="f32[n,m]")
    vectors = "f32[768] f32[768]"
    yield from each(
        partial(gradients, layer_norm),
        layer_norm=f"f32[400,768] {vectors}",
        any_layer_norm=f"f32[n,768] {vectors}",
    )
    yield from each(loss_gradient, loss="f32[128,1000] i32[128]", any_loss="f32[n,10] i32[n]")
    three = "f32[4,30,50]"
    yield "inner axis", partial(traced, lambda x: tf.reduce_sum(x, 1), three)
    yield "two axes", partial(traced, lambda x: tf.reduce_mean(x * x, [0, 2]), three)
    yield "complex", partial(traced, lambda x: tf.reduce_sum(x, -1), "c64[40,300]")


def loss_gradient(x: Any, labels: Any) -> Any:
    return gradients(lambda x: loss(x, labels), x)


def attention(q: Any, k: Any, v: Any) -> Any:
    return tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True) * 0.25), v)


def masked_attention(q: Any, k: Any, v: Any) -> Any:
    scores = tf.matmul(q, k, transpose_b=True)
    rows, columns = tf.range(tf.shape(q)[-2])[:, None], tf.range(tf.shape(k)[-2])[None, :]
    scores = tf.where(columns <= rows, scores, tf.constant(-1e9, scores.dtype))
    return tf.nn.relu(tf.matmul(tf.nn.softmax(scores), v) + 0.5)


def attentions() -> Named:
    shapes = {
        "one": "{0}[130,20] {0}[300,20] {0}[300,33]",
        "few": "{0}[7,5] {0}[9,5] {0}[9,3]",
        "heads": "{0}[2,3,40,16] {0}[2,3,64,16] {0}[2,3,64,32]",
        "any rows": "{0}[2,n,16] {0}[2,64,16] {0}[2,64,32]",
        "any columns": "{0}[2,40,16] {0}[2,n,16] {0}[2,n,32]",
    }
    for name, f in (("plain", attention), ("masked", masked_attention)):
        for shape, types in shapes.items():
            yield f"{name}/{shape}", partial(traced, f, *types.format("f32").split())
    for dtype in ("f64", "f16", "bf16"):
        yield f"plain/{dtype}", partial(traced, attention, *shapes["heads"].format(dtype).split())
    types = shapes["heads"].format("f32").split()
    yield "gradients", partial(traced, partial(gradients, attention), *types)


# What moves, orders and scatters.


def pooled(x: Any) -> Any:
    return tf.nn.max_pool2d(x, 2, 2, "VALID")


def overlapping(x: Any) -> Any:
    return tf.nn.max_pool2d(x, 3, 2, "SAME")


def averaged(x: Any) -> Any:
    return tf.nn.avg_pool2d(x, 3, 1, "SAME")


def movements() -> Named:
    turns = ("10", "300,500"), ("021", "5,130,70"), ("102", "70,130,8"), ("10", "n,m")
    for dtype in ("f32", "f64", "i16"):
        for perm, shape in turns:
            axes = [int(a) for a in perm]
            f = partial(tf.transpose, perm=axes)
            yield f"transpose/{dtype}/{perm}/{shape}", partial(traced, f, f"{dtype}[{shape}]")
    for name, f in (("pooled", pooled), ("overlapping", overlapping), ("averaged", averaged)):
        for shape in ("4,28,28,40", "2,17,19,5", "n,28,28,40"):
            yield f"{name}/{shape}", partial(traced, partial(gradients, f), f"f32[{shape}]")

    def taken(x: Any, places: Any) -> Any:
        return tf.gather(x, places), tf.gather(x, places, axis=1)

    types = {"gather": "f32[900,300] i32[400]", "any_gather": "f32[n,64] i64[m]"}
    yield from each(taken, **types, small_gather="f32[90,3] i32[40]")
    yield from each(
        lambda x, places: gradients(lambda x: tf.gather(x, places), x),
        embedding="f32[900,300] i32[400]",
        any_embedding="f32[900,300] i32[n]",
    )
    ways: dict[str, Callable[[Any], Any]] = {
        "pad": lambda x: tf.pad(x, [[1, 2], [3, 0]]),
        "mirror": lambda x: tf.pad(x, [[1, 2], [3, 0]], "REFLECT"),
        "concat": lambda x: tf.concat([x, x * 2.0, x[:, :5]], 1),
        "stack": lambda x: tf.stack([x, -x, x + 1.0], 1),
        "slice": lambda x: (x[1:, ::2], x[::-1, 3:9], x[..., tf.newaxis]),
        "tile": lambda x: tf.tile(x, [2, 3]),
        "repeat": lambda x: tf.repeat(x, 3, 0),
        "roll": lambda x: tf.roll(x, 3, 1),
        "space": lambda x: tf.nn.space_to_depth(tf.reshape(x, [1, 30, 20, 2]), 2),
        "mask": lambda x: tf.boolean_mask(x, x[:, 0] > 0.0),
        "where": lambda x: tf.where(x > 0.0),
        "unique": lambda x: tf.unique(tf.reshape(tf.cast(x, tf.int32), [-1])),
        "band": lambda x: tf.linalg.band_part(x, 2, 3),
        "one hot": lambda x: tf.one_hot(tf.cast(x[:, 0], tf.int32), 12),
        "outer": lambda x: x[:, None, :] * x[None, :, :],
    }
    for name, f in ways.items():
        yield f"{name}/known", partial(traced, f, "f32[30,40]")
        if name != "space":
            yield f"{name}/unknown", partial(traced, f, "f32[n,m]")


def orders() -> Named:
    ways: dict[str, Callable[[Any], Any]] = {
        "sort": tf.sort,
        "descending": partial(tf.sort, direction="DESCENDING"),
        "argsort": tf.argsort,
        "top": lambda x: tf.math.top_k(x, 5),
        "many": lambda x: tf.math.top_k(x, 300),
        "columns": partial(tf.sort, axis=0),
        "cumsum": tf.math.cumsum,
        "cumsum of rows": partial(tf.math.cumsum, axis=-1),
        "cumprod": partial(tf.math.cumprod, axis=-1, reverse=True),
    }
    for name, f in ways.items():
        for type_ in ("f32[40,1000]", "f32[1,100000]", "i32[40,1000]", "f32[n,m]"):
            yield f"{name}/{type_}", partial(traced, f, type_)
    for dtype in ("f64", "f16", "u8", "i64"):
        yield f"sort/{dtype}", partial(traced, tf.sort, f"{dtype}[20,3000]")
    for shape in ("5000,40", "n,m"):
        n = shape.split(",")[0]

        def segments(x: Any, rows: Any) -> Any:
            return tf.math.unsorted_segment_sum(x, rows, 100)

        def scattered(x: Any, rows: Any) -> Any:
            return tf.tensor_scatter_nd_add(tf.zeros([100, 40]), rows[:, None], x[:, :40])

        types = f"f32[{shape}]", f"i32[{n}]"
        yield f"segments/{shape}", partial(traced, segments, *types)
        yield f"scattered/{shape}", partial(traced, scattered, *types)
    yield from each(tf.searchsorted, searched="f32[1000] f32[300]", any_searched="f32[n] f32[m]")


def triangles() -> Named:
    yield from each(tf.linalg.triangular_solve, solve="f32[40,40] f32[40,3]")
    yield from each(tf.linalg.triangular_solve, solves="f64[7,12,12] f64[7,12,5]")
    yield from each(tf.linalg.triangular_solve, any_solve="f32[n,n] f32[n,m]")


# Loops and networks.


def powers(x: Any) -> Any:
    i = tf.constant(0)
    while tf.reduce_sum(x) < 1000.0 and i < 10:
        x, i = x * 2.0 + 1.0, i + 1
    return x, i


def rolled(x: Any) -> Any:
    state = tf.zeros_like(x[0])
    for row in x:
        state = tf.tanh(state * 0.5 + row)
    return state


def choice(x: Any) -> Any:
    return tf.cond(tf.reduce_sum(x) > 0.0, lambda: tf.exp(x), lambda: x - 1.0)


def scanned(x: Any) -> Any:
    return tf.scan(lambda a, row: a * 0.5 + row, x)


def counted(x: Any) -> Any:
    total = tf.zeros_like(x[0])
    for i in tf.range(x.shape[0] or 8):
        total += x[i] * tf.cast(i, tf.float32)
    return total


def loops() -> Named:
    for f in (powers, rolled, choice, scanned, counted):
        for name, shape in (("few", "9,5"), ("many", "100,64"), ("any", "n,64")):
            yield f"{f.__name__}/{name}", partial(traced, f, f"f32[{shape}]")
    for f in (rolled, choice, scanned):
        g = partial(gradients, f)
        yield f"{f.__name__}/gradients", partial(traced, g, "f32[30,64]")
        yield f"{f.__name__}/any gradients", partial(traced, g, "f32[n,64]")


def perceptron(x: Any, labels: Any, *weights: Any) -> Any:
    """A training step: the loss, and weights that went down its gradient."""

    def error(*weights: Any) -> Any:
        h = x
        for w in weights[:-1]:
            h = tf.nn.relu(h @ w)
        return loss(h @ weights[-1], labels)

    value, slopes = gradients(error, *weights)
    return value, [w - 0.1 * g for w, g in zip(weights, slopes, strict=True)]


def images(x: Any, labels: Any, first: Any, second: Any, last: Any) -> Any:
    def error(first: Any, second: Any, last: Any) -> Any:
        h = pooled(tf.nn.relu(tf.nn.conv2d(x, first, 1, "SAME")))
        h = pooled(tf.nn.relu(tf.nn.conv2d(h, second, 1, "SAME")))
        return loss(tf.reshape(h, [-1, last.shape[0]]) @ last, labels)

    return gradients(error, first, second, last)


def memory_cells(x: Any, w: Any, u: Any) -> Any:
    """An LSTM over time, time first, and its gradients."""

    def last(w: Any, u: Any) -> Any:
        h = c = tf.zeros([x.shape[1], u.shape[0]])
        for row in x:
            i, f, g, o = tf.split(row @ w + h @ u, 4, axis=1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
        return tf.reduce_sum(h)

    return gradients(last, w, u)


def networks() -> Named:
    layers = "f32[784,256] f32[256,128] f32[128,10]"
    yield from each(
        perceptron,
        perceptron=f"f32[64,784] i32[64] {layers}",
        any_perceptron=f"f32[n,784] i32[n] {layers}",
    )
    filters = "f32[3,3,1,32] f32[3,3,32,64] f32[3136,10]"
    yield from each(
        images,
        images=f"f32[32,28,28,1] i32[32] {filters}",
        any_images=f"f32[n,28,28,1] i32[n] {filters}",
    )
    yield from each(memory_cells, memory_cells="f32[20,16,24] f32[24,128] f32[32,128]")


PARTS: Mapping[str, Part] = {
    "programs/known": Part(partial(programs, known=True)),
    "programs/unknown": Part(partial(programs, known=False), EVERY),
    "public/known": Part(partial(public_programs, known=True), ("vector64", "simt")),
    "public/unknown": Part(partial(public_programs, known=False), ("vector16", "simt")),
    "table/known": Part(partial(table, known=True), ("vector16",)),
    "table/unknown": Part(partial(table, known=False), ("vector64", "simt")),
    "products": Part(products, EVERY),
    "products/integers": Part(integer_products, ("bytes64", "pairs16")),
    "products/pairs": Part(pair_products, ("halves64",)),
    "products/half": Part(half_products, ("simt", "tensor", "warpgroups")),
    "convolutions": Part(convolutions, EVERY),
    "convolutions/ways": Part(partial(ways, WAYS, 3), CPU),
    "convolutions/narrow": Part(partial(ways, NARROW, 2), CPU),
    "convolutions/banded": Part(partial(ways, BANDED, 1), CPU),
    "reductions": Part(reductions),
    "attention": Part(attentions, EVERY),
    "movement": Part(movements),
    "order": Part(orders),
    "triangles": Part(triangles),
    "loops": Part(loops, ("vector64", "simt")),
    "networks": Part(networks, EVERY),
}
