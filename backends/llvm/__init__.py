"""Text LLVM IR of kernels, and the layout of their buffers, for all machines."""
