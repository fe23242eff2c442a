"""`tfc.experimental.numpy`: functions under NumPy's names."""
