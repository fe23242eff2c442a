"""Products, factorisations and solvers."""
