"""The GPU: kernels as PTX, and the driver that runs them."""
