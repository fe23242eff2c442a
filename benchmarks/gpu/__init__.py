"""`python -m benchmarks.gpu [names...]`: the GPU, beside PyTorch and JAX on the same one.

Data lie on the device. A sample enqueues many calls and waits for the last, so that rows of large
work show the device and rows of small work the cost of a call. `--tiny` only shows that all rows
run, with the emulator too (TFC_CUDA=emulate). `--write FILE` keeps the table.
"""
