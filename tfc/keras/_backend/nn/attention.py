"""Attention: [batch, rows, heads, width] by keys and values of the same width."""

from __future__ import annotations

from typing import Any

from keras.src.backend.common.dtypes import result_type

import tfc as tf

from ..core import dense_tensor

NEVER = -0.7  # of the largest number: what is added to it does not overflow


def dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    bias: Any = None,
    mask: Any = None,
    scale: Any = None,
    is_causal: bool = False,
    flash_attention: bool | None = None,
    attn_logits_soft_cap: Any = None,
) -> tf.Tensor:
    """softmax(query key^T scale + bias, where the mask is) value; the softmax and what it
    weighs in float32 at least.

    The compiler makes one kernel of it, which keeps a strip of the scores, where nothing else wants
    them: `flash_attention` is the form anyway, not a choice."""
    query, key, value = (dense_tensor(x) for x in (query, key, value))
    if query.ndim != 4:
        raise ValueError(
            "`dot_product_attention` only supports 4D inputs. "
            f"Received: query.shape={query.shape}, key.shape={key.shape}, "
            f"value.shape={value.shape}."
        )
    dtype = result_type(query.dtype.name, key.dtype.name, value.dtype.name)
    query, key, value = (tf.cast(x, dtype) for x in (query, key, value))
    heads, groups = query.shape[2], key.shape[2]
    if heads and groups and heads > groups:
        key, value = (tf.repeat(x, heads // groups, axis=2) for x in (key, value))
    wide = result_type(dtype, "float32")
    if scale is None:
        scale = 1.0 / tf.sqrt(tf.cast(tf.shape(key)[-1], wide))
    scores = tf.cast(tf.einsum("btnh,bsnh->bnts", query, key), wide) * tf.cast(scale, wide)
    if bias is not None:
        scores = scores + dense_tensor(bias, wide)
    if mask is not None:
        scores = tf.where(dense_tensor(mask, "bool"), scores, NEVER * scores.dtype.max)
    if is_causal:
        rows, columns = tf.shape(scores)[2], tf.shape(scores)[3]
        past = tf.range(rows)[:, None] >= tf.range(columns)[None, :]
        scores = tf.where(past, scores, NEVER * scores.dtype.max)
    weighed = tf.einsum("bnts,bsnh->btnh", tf.nn.softmax(scores, -1), tf.cast(value, wide))
    return tf.cast(weighed, dtype)
