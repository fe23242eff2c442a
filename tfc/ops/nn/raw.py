"""`tf.raw_ops` that are made of several of ours: fused batch normalisation, whole LSTM layers."""

from __future__ import annotations

from typing import Any

from ..array.conversion import cast
from ..array.creation import zeros_like
from ..array.joining import concat, split, stack, unstack
from ..array.slicing import slice_
from ..linalg.products import matmul
from ..math.clipping import clip_by_value
from ..math.transcendental import sigmoid, tanh
from .normalization import fused_batch_norm, moments


def batch_norm(
    *,
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any,
    variance: Any,
    epsilon: float = 1e-4,
    exponential_avg_factor: float = 1.0,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
) -> tuple[Any, ...]:
    """The result, mean and variance (of the batch in training), and what TensorFlow keeps for the
    gradient: the mean, and the variance of so many numbers (not one fewer)."""
    y, mean, variance = fused_batch_norm(
        x,
        scale,
        offset,
        mean,
        variance,
        epsilon,
        data_format,
        is_training,
        exponential_avg_factor=exponential_avg_factor,
    )
    if not is_training:
        return y, mean, variance, mean, variance
    axes = [0, 2, 3] if data_format == "NCHW" else [0, 1, 2]
    kept = moments(cast(x, variance.dtype), axes)
    return y, mean, variance, *kept


def batch_norm_v3(**arguments: Any) -> tuple[Any, ...]:
    """`batch_norm` with a sixth, empty result."""
    results = batch_norm(**arguments)
    return (*results, zeros_like(results[1])[:0])


def _lstm_block(
    *,
    x: Any,
    cs_prev: Any,
    h_prev: Any,
    w: Any,
    wci: Any,
    wcf: Any,
    wco: Any,
    b: Any,
    order: str,
    forget_bias: float,
    cell_clip: float,
    use_peephole: bool,
) -> tuple[Any, ...]:
    """One step: i, cs, f, o, ci, co, h. `order` says how the gates lie in `w`."""
    parts = split(matmul(concat([x, h_prev], 1), w) + b, 4, axis=1)
    gate = dict(zip(order, parts, strict=True))
    peep = (cs_prev * wci, cs_prev * wcf) if use_peephole else (0.0, 0.0)
    i = sigmoid(gate["i"] + peep[0])
    f = sigmoid(gate["f"] + forget_bias + peep[1])
    ci = tanh(gate["c"])
    cs = ci * i + cs_prev * f
    if cell_clip > 0.0:
        cs = clip_by_value(cs, -cell_clip, cell_clip)
    o = sigmoid(gate["o"] + cs * wco if use_peephole else gate["o"])
    co = tanh(cs)
    return i, cs, f, o, ci, co, co * o


def _lstm_layer(
    order: str, forget_bias: float, cell_clip: float, given: dict[str, Any]
) -> tuple[Any, ...]:
    """All steps: each result of `_lstm_block` stacked along time, with zeros after the last step
    that counts."""
    given.pop("name", None)
    count, steps = given.pop("seq_len_max"), unstack(given.pop("x"))
    block = {"forget_bias": forget_bias, "cell_clip": cell_clip, "use_peephole": False, **given}
    rows = []
    for step in steps:
        rows.append(_lstm_block(x=step, order=order, **block))
        block.update(cs_prev=rows[-1][1], h_prev=rows[-1][-1])
    found = tuple(stack(column) for column in zip(*rows, strict=True))
    extent = getattr(count, "_array", None)
    if extent is None or int(count) >= len(steps):
        return found
    kept = int(count)

    def cut(v: Any) -> Any:
        begin = [0] * len(v.shape)
        size = [kept, *([-1] * (len(v.shape) - 1))]
        return concat([slice_(v, begin, size), zeros_like(v[kept:])], 0)

    return tuple(cut(v) for v in found)


def block_lstm(**arguments: Any) -> tuple[Any, ...]:
    """`BlockLSTM`: gates i, c, f, o; a forget bias of 1 and cells clipped at 3 by default."""
    return _lstm_layer("icfo", 1.0, 3.0, arguments)


def block_lstm_v2(**arguments: Any) -> tuple[Any, ...]:
    """`BlockLSTMV2`: gates i, f, c, o; no forget bias, no clipping by default."""
    return _lstm_layer("ifco", 0.0, 0.0, arguments)
