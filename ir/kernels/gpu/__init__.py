"""How kernels go through their work on a grid of threads."""
