"""The loop level: which kernels a function becomes, and how each is written."""
