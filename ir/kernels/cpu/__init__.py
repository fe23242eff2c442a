"""How kernels go through their work on a CPU: rows, columns, transposes and contractions."""
