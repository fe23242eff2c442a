"""CTC by beam search over prefixes (Graves, "Sequence transduction with recurrent neural networks",
2012): all sequences and all beams at once, frame by frame in a native loop."""

from __future__ import annotations

from typing import Any

import tfc as tf

NEVER = -1e30  # log of no probability; finite, so that differences of it are numbers


def beam_search(
    logits: tf.Tensor, lengths: tf.Tensor, blank: int, width: int, paths: int
) -> tuple[tf.Tensor, tf.Tensor]:
    """The likeliest label sequences for logits [batch, frames, classes].

    A beam is a prefix: its labels, how many they are, and the log probabilities of the alignments
    that end in a blank and of those that end in its last label.

    Returns:
        Labels [paths, batch, frames], -1 behind their end, and log probabilities [batch, paths].
    """
    if not 0 < paths <= width:
        raise ValueError(f"top_paths must be from 1 to beam_width {width}, and is {paths}")
    chances = tf.nn.log_softmax(logits)
    extents = tf.shape(logits)
    batch, frames = extents[0], extents[1]
    start = tf.concat([tf.zeros([1]), tf.fill([width - 1], NEVER)], 0)  # one empty prefix
    state = (
        tf.fill([batch, width, frames], -1),
        tf.zeros([batch, width], tf.int32),
        tf.repeat(tf.cast(start, chances.dtype)[None, :], batch, axis=0),
        tf.fill([batch, width], tf.cast(NEVER, chances.dtype)),
    )

    def step(t: Any, *state: Any) -> tuple[Any, ...]:
        labels, counts, by_blank, by_label = state
        following = _advanced(labels, counts, by_blank, by_label, chances[:, t], blank)
        inside = t < lengths
        return t + 1, *(_where(inside, new, old) for new, old in zip(following, state, strict=True))

    _, labels, _, by_blank, by_label = tf.while_loop(
        lambda t, *_: t < frames, step, (tf.constant(0), *state)
    )
    scores = _added(by_blank, by_label)[:, :paths]
    return tf.transpose(labels[:, :paths], [1, 0, 2]), scores


def _advanced(
    labels: Any, counts: Any, by_blank: Any, by_label: Any, chances: Any, blank: int
) -> tuple[Any, ...]:
    """The beams after a frame with these log probabilities [batch, classes]."""
    width, classes = labels.shape[1], chances.shape[-1]
    places = tf.range(tf.shape(labels)[2])
    final = places == counts[..., None] - 1  # where each beam has its last label
    last = tf.reduce_max(tf.where(final, labels, -1), -1)
    index = tf.maximum(last, 0)
    total = _added(by_blank, by_label)

    # A beam stays what it is by a blank, or by its last label once more ...
    stays_blank = total + chances[:, blank, None]
    stays_label = by_label + tf.gather(chances, index, batch_dims=1)
    # ... and is extended by another label, or by the same one behind a blank.
    again = tf.one_hot(last, classes, True, False)
    extended = tf.where(again, by_blank[..., None], total[..., None]) + chances[:, None, :]
    extended = tf.where(tf.range(classes) == blank, NEVER, extended)

    # Beam i extended is beam j: the probability goes there.
    shorter = tf.where(final, -1, labels)
    same = tf.reduce_all(labels[:, :, None, :] == shorter[:, None, :, :], -1)
    same = same & ((counts > 0) & (total > NEVER / 2))[:, None, :]
    gained = tf.gather(extended, index, axis=2, batch_dims=1)
    stays_label = _added(stays_label, tf.reduce_max(tf.where(same, gained, NEVER), 1))
    merged = tf.matmul(tf.cast(same, chances.dtype), tf.cast(again, chances.dtype)) > 0.0
    extended = tf.where(merged, NEVER, extended)

    flat = tf.reshape(extended, [-1, width * classes])
    candidates = tf.concat([_added(stays_blank, stays_label), flat], 1)
    best, chosen = tf.math.top_k(candidates, width)
    longer = chosen >= width
    origin = tf.where(longer, (chosen - width) // classes, chosen)
    label = (chosen - width) % classes

    def of_origin(x: Any) -> Any:
        return tf.gather(x, origin, batch_dims=1)

    labels, counts = of_origin(labels), of_origin(counts)
    added = longer[..., None] & (places == counts[..., None])
    return (
        tf.where(added, label[..., None], labels),
        counts + tf.cast(longer, tf.int32),
        tf.where(longer, NEVER, of_origin(stays_blank)),
        tf.where(longer, best, of_origin(stays_label)),
    )


def _added(a: Any, b: Any) -> tf.Tensor:
    """log(exp(a) + exp(b))."""
    return tf.maximum(a, b) + tf.math.log1p(tf.exp(-tf.abs(a - b)))


def _where(rows: Any, a: Any, b: Any) -> tf.Tensor:
    """a in these rows, b in the others."""
    return tf.where(tf.reshape(rows, [-1, *(1 for _ in range(a.ndim - 1))]), a, b)
