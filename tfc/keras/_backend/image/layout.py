"""Images of rank 3 and 4, channels first and last, as batches with channels last and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tfc as tf

from ..core import dense_tensor
from ..nn.layout import channels_first, channels_last, is_first


def check_rank(images: tf.Tensor) -> None:
    if images.ndim not in (3, 4):
        raise ValueError(
            "Invalid images rank: expected rank 3 (single image) or rank 4 (batch of images). "
            f"Received input with shape: images.shape={images.shape}"
        )


def as_batch(
    images: Any, data_format: str | None
) -> tuple[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]]:
    """The images as [n, height, width, channels], and what turns such a tensor back."""
    images = dense_tensor(images)
    check_rank(images)
    single, first = images.ndim == 3, is_first(data_format)
    batch = images[None] if single else images
    batch = channels_last(batch) if first else batch

    def back(x: tf.Tensor) -> tf.Tensor:
        x = channels_first(x) if first else x
        return x[0] if single else x

    return batch, back
