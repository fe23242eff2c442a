"""`tfc.math.special`: Bessel functions and special integrals."""


__all__ = [name for name in globals() if not name.startswith("_")]
