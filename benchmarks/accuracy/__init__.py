"""How far functions of tfc, NumPy, JAX and TensorFlow are from the truth: `.accuracy.__main__`.

`measure` knows what an ulp is, `contenders` who has which function; `float32`, `float64` and
`binary` hold the functions, their references, and the inputs that they are tried at; `truth` has
mpmath's. `every` goes through all float32.
"""
