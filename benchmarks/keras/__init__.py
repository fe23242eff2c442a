"""Keras on tfc beside Keras on TensorFlow, JAX and PyTorch: `python -m benchmarks.keras`."""
