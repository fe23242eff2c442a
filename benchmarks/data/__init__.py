"""Pipelines of tfc beside NumPy, tf.data, PyTorch and grain: `python -m benchmarks.data`."""
