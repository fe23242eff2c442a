"""Cases of the public functions: `tf.signal`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import fft

import tfc as tf

from .case import between, case, find, normal
from .imaginary import parts, plane, reference

CLOSE = 1e-13


def framed(x: Any, length: int, step: int) -> Any:
    count = max(0, 1 + (x.shape[-1] - length) // step)
    return np.stack([x[..., i * step : i * step + length] for i in range(count)], axis=-2)


def overlapped(x: Any, step: int) -> Any:
    *batch, frames, length = x.shape
    out = np.zeros((*batch, (frames - 1) * step + length), x.dtype)
    for i in range(frames):
        out[..., i * step : i * step + length] += x[..., i, :]
    return out


def hann(n: int, periodic: bool = True) -> Any:
    return np.hanning(n + periodic)[:n]


def kaiser_bessel_derived(n: int, beta: float) -> Any:
    sums = np.cumsum(np.kaiser(n // 2 + 1, beta))
    half = np.sqrt(sums[:-1] / sums[-1])
    return np.concatenate([half, half[::-1]])


def spectra(x: Any) -> Any:
    return np.fft.rfft(framed(x, 8, 3) * hann(8))


def mel(bands: int, bins: int, rate: float, low: float, high: float) -> Any:
    def of(hertz: Any) -> Any:
        return 1127 * np.log1p(hertz / 700)

    places = of(np.linspace(0, rate / 2, bins))[1:, None]
    edges = np.linspace(of(low), of(high), bands + 2)
    rising = (places - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - places) / (edges[2:] - edges[1:-1])
    return np.pad(np.maximum(0, np.minimum(rising, falling)), [(1, 0), (0, 0)])


def _transforms() -> None:
    z, x, y = plane(2, 4, 6), normal(2, 4, 6), normal(2, 4, 6)
    for name, f in {
        "fft": np.fft.fft,
        "ifft": np.fft.ifft,
        "fft2d": np.fft.fft2,
        "ifft2d": np.fft.ifft2,
        "fft3d": np.fft.fftn,
        "ifft3d": np.fft.ifftn,
    }.items():
        case(name, find(name), f, z, rtol=CLOSE)
        if name in ("fft", "ifft2d"):
            case(name, find(name), f, z.astype(np.complex64), rtol=1e-6)
            case(name, parts(find(name)), reference(f), x, y, rtol=CLOSE)
    for name, rank, f in (
        ("rfft", 1, np.fft.rfftn),
        ("rfft2d", 2, np.fft.rfftn),
        ("rfft3d", 3, np.fft.rfftn),
        ("irfft", 1, np.fft.irfftn),
        ("irfft2d", 2, np.fft.irfftn),
        ("irfft3d", 3, np.fft.irfftn),
    ):
        axes = tuple(range(-rank, 0))
        for lengths in (None, (5, 3, 7)[:rank]):

            def call(v: Any, function: Any = find(name), lengths: Any = lengths) -> Any:
                return function(v, lengths)

            def wanted(v: Any, f: Any = f, lengths: Any = lengths, axes: Any = axes) -> Any:
                return f(v, lengths, axes)

            if name[0] == "i":
                case(name, parts(call), reference(wanted), x, y, rtol=CLOSE)
            else:
                case(name, _halves(call), _halved(wanted), x, rtol=CLOSE)
    case("rfft", tf.signal.rfft, np.fft.rfft, x.astype(np.float32), rtol=1e-6)
    case("irfft", tf.signal.irfft, np.fft.irfft, z.astype(np.complex64), rtol=1e-6)
    for name, shift in {"fftshift": np.fft.fftshift, "ifftshift": np.fft.ifftshift}.items():
        case(name, find(name), shift, normal(3, 4))
        case(name, lambda v, f=find(name): f(v, [1]), lambda v, f=shift: f(v, [1]), normal(2, 5))


def _halves(function: Callable[..., Any]) -> Callable[..., Any]:
    def of(x: Any) -> Any:
        z = function(x)
        return [tf.math.real(z), tf.math.imag(z)]

    return of


def _halved(function: Callable[..., Any]) -> Callable[..., Any]:
    def of(x: Any) -> Any:
        z = function(x)
        return [z.real, z.imag]

    return of


def _cosines() -> None:
    for kind in (1, 2, 3, 4):
        for norm in (None, "ortho")[: 1 + (kind > 1)]:
            for n in (None, 3, 8)[: 3 if kind == 2 else 1]:

                def cut(v: Any, n: Any = n) -> Any:
                    v = v if n is None else v[:, :n]
                    return v if n is None else np.pad(v, [(0, 0), (0, n - v.shape[1])])

                case(
                    "dct",
                    lambda v, k=kind, n=n, o=norm: tf.signal.dct(v, k, n, norm=o),
                    lambda v, k=kind, o=norm, cut=cut: fft.dct(cut(v), k, norm=o),
                    normal(2, 5),
                    rtol=CLOSE,
                )
            if norm or kind == 4:
                continue
            back = {2: 3, 3: 2}.get(kind, kind)
            case(
                "idct",
                lambda v, k=kind, o=norm: tf.signal.idct(v, k, norm=o),
                lambda v, k=back, o=norm: fft.dct(v, k, norm=o),
                normal(2, 5).astype(np.float32),
                rtol=1e-6,
            )


def cases() -> None:
    _transforms()
    _cosines()
    s, x = tf.signal, normal(2, 13)
    case("frame", lambda v: s.frame(v, 4, 3), lambda v: framed(v, 4, 3), x)
    case("frame", lambda v: s.frame(v, 2, 5), lambda v: framed(v, 2, 5), x)
    case(
        "frame",
        lambda v: s.frame(v, 4, 2, pad_end=True, pad_value=7, axis=0),
        lambda v: framed(np.pad(v, [(0, 3), (0, 0)], constant_values=7).T, 4, 2).transpose(1, 2, 0),
        normal(5, 2),
    )
    case(
        "overlap_and_add",
        lambda v: s.overlap_and_add(v, 2),
        lambda v: overlapped(v, 2),
        normal(3, 4, 5),
        rtol=1e-15,
    )
    case(
        "overlap_and_add",
        lambda v: s.overlap_and_add(v, 4),
        lambda v: overlapped(v, 4),
        normal(3, 2),
    )
    case("stft", lambda v: s.stft(v, 8, 3), spectra, x, rtol=CLOSE, smooth=())
    case("stft", _halves(lambda v: s.stft(v, 8, 3)), _halved(spectra), x, rtol=CLOSE)
    case(
        "stft",
        lambda v: s.stft(v, 6, 6, fft_length=5, window_fn=None, pad_end=True),
        lambda v: np.fft.rfft(framed(np.pad(v, [(0, 0), (0, 5)]), 6, 6), 5),
        x,
        rtol=CLOSE,
        smooth=(),
    )

    def inverse(v: Any) -> Any:
        return s.inverse_stft(v, 8, 3, window_fn=s.inverse_stft_window_fn(3))

    def undone(v: Any) -> Any:
        total = overlapped(np.stack([hann(8) ** 2] * 9), 3)[9:12]
        window = hann(8) / np.tile(total, 3)[np.arange(8)]
        return overlapped(np.fft.irfft(v) * window, 3)

    case("inverse_stft", inverse, undone, plane(2, 4, 5), rtol=CLOSE)
    case("inverse_stft", parts(inverse), reference(undone), normal(4, 5), normal(4, 5), rtol=CLOSE)
    case(
        "inverse_stft",
        lambda v: s.inverse_stft(v, 10, 5, fft_length=8, window_fn=None),
        lambda v: overlapped(np.pad(np.fft.irfft(v), [(0, 0), (0, 2)]), 5),
        plane(3, 5),
        rtol=CLOSE,
    )
    case(
        "inverse_stft_window_fn",
        lambda v: v * s.inverse_stft_window_fn(2)(4, dtype=tf.float64),
        lambda v: v * hann(4) / np.tile((hann(4) ** 2).reshape(2, 2).sum(0), 2),
        normal(4),
        rtol=CLOSE,
    )
    zero, double = np.zeros(()), tf.float64
    for n in (1, 7, 8):
        case(
            "kaiser_window",
            lambda v, n=n: v + s.kaiser_window(n, 5.0, double),
            lambda v, n=n: np.kaiser(n, 5.0),
            zero,
            rtol=1e-14,
        )
    case(
        "kaiser_bessel_derived_window",
        lambda v: v + s.kaiser_bessel_derived_window(8, 5.0, double),
        lambda v: kaiser_bessel_derived(8, 5.0),
        zero,
        rtol=1e-14,
    )
    for n in (5, 8):
        case(
            "hann_window",
            lambda v, n=n: v + s.hann_window(n, dtype=double),
            lambda v, n=n: hann(n, n % 2 == 0),
            zero,
            rtol=1e-15,
        )
        case(
            "hamming_window",
            lambda v, n=n: v + s.hamming_window(n, False, double),
            lambda v, n=n: np.hamming(n),
            zero,
            rtol=1e-15,
        )
        case(
            "vorbis_window",
            lambda v, n=n: v + s.vorbis_window(n, double),
            lambda v, n=n: np.sin(np.pi / 2 * np.sin(np.pi / n * (np.arange(n) + 0.5)) ** 2),
            zero,
            rtol=1e-15,
        )
    case(
        "linear_to_mel_weight_matrix",
        lambda v: s.linear_to_mel_weight_matrix(5, 33, 8000, 100.0, 3000.0, tf.float64) + v,
        lambda v: mel(5, 33, 8000, 100, 3000),
        zero,
        rtol=1e-12,
    )
    case(
        "mfccs_from_log_mel_spectrograms",
        s.mfccs_from_log_mel_spectrograms,
        lambda v: fft.dct(v, 2) / np.sqrt(2 * v.shape[-1]),
        between(0, 2, 3, 7),
        rtol=CLOSE,
    )
