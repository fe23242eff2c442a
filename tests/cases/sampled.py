"""Cases of the public functions: embeddings in parts, and losses of sampled classes."""

from __future__ import annotations

import numpy as np
from scipy import special

import tfc as tf

from .case import case, integers, normal

ELSEWHERE = {
    "all_candidate_sampler",
    "fixed_unigram_candidate_sampler",
    "timestamp",
    "RaggedTensor",
    "SparseTensor",
    "ctc_greedy_decoder",
    "draw_bounding_boxes",
    "sample_distorted_bounding_box",
    "stateless_sample_distorted_bounding_box",
    "decode_bmp",
    "decode_gif",
    "decode_image",
    "decode_jpeg",
    "decode_png",
    "encode_jpeg",
    "encode_png",
    "extract_jpeg_shape",
    "is_jpeg",
    *(name for name in dir(tf) if name.startswith("assert_")),
}


def cases() -> None:
    case(
        "scale_regularization_loss",
        tf.nn.scale_regularization_loss,
        np.sum,
        normal(4, 3),
        rtol=1e-14,
    )
    # Three tables of 3, 2 and 2 rows are one of 7.
    for ids in (integers(0, 7, 5), integers(0, 7, 2, 3)):
        case(
            "embedding_lookup",
            lambda i, a, b, c: tf.nn.embedding_lookup([a, b, c], i),
            lambda i, a, b, c: np.concatenate([a, b, c])[i],
            ids,
            normal(3, 4),
            normal(2, 4),
            normal(2, 4),
        )
    case(
        "embedding_lookup",
        lambda i, a, b: tf.nn.embedding_lookup([a, b], i, max_norm=1.0),
        lambda i, a, b: _clipped(np.concatenate([a, b])[i]),
        integers(0, 6, 5),
        normal(3, 4),
        normal(3, 4),
        rtol=1e-13,
    )
    labels = np.array([[1, 4], [3, 0], [2, 5]])
    candidates = np.array([4, 0, 1, 5])
    case(
        "compute_accidental_hits",
        lambda t, c: tf.nn.compute_accidental_hits(t, c, 2),
        _accidental_hits,
        labels,
        candidates,
    )
    counts = np.abs(normal(3, 2)) + 0.1, np.abs(normal(4)) + 0.1
    expected = [c.astype(np.float32) for c in counts]
    given = normal(6, 5), normal(6), normal(3, 5)
    for remove in (False, True):
        for name, reference in (("nce_loss", _nce), ("sampled_softmax_loss", _softmax)):
            case(
                name,
                lambda w, b, x, y, c, p, q, f=getattr(tf.nn, name), r=remove: f(
                    w, b, y, x, 4, 6, 2, (c, p, q), remove_accidental_hits=r
                ),
                lambda w, b, x, y, c, p, q, f=reference, r=remove: f(
                    *_logits(w, b, x, y, c, p, q, r)
                ),
                *given,
                labels,
                candidates,
                *expected,
                rtol=1e-12,
                smooth=(0, 1, 2),
            )


def _clipped(rows: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    return rows / np.maximum(norms, 1.0)


def _accidental_hits(true: np.ndarray, candidates: np.ndarray) -> list[np.ndarray]:
    rows, places = np.nonzero((true[:, :, None] == candidates).any(1))
    weights = np.full(len(rows), np.finfo(np.float32).min, np.float32)
    return [rows.astype(np.int32), places, weights]


def _logits(w, b, x, y, c, p, q, remove):  # type: ignore[no-untyped-def]
    """Logits and labels of the true classes, then of the candidates."""
    true = np.einsum("nd,ntd->nt", x, w[y]) + b[y] - np.log(p.astype(np.float64))
    rest = x @ w[c].T + b[c]
    if remove:
        rest = np.where((y[:, :, None] == c).any(1), rest + np.finfo(np.float64).min, rest)
    rest = rest - np.log(q.astype(np.float64))
    labels = np.concatenate([np.full(true.shape, 0.5), np.zeros(rest.shape)], 1)
    return np.concatenate([true, rest], 1), labels


def _nce(logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return np.sum(np.logaddexp(logits, 0) - labels * logits, 1)


def _softmax(logits: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return -np.sum(labels * special.log_softmax(logits, 1), 1)
