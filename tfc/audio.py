"""`tfc.audio`: sound as WAV files hold it."""

from .ops.signal.wave_files import decode_wav, encode_wav

__all__ = ["decode_wav", "encode_wav"]
