"""What native programs run on: Python's C interface, memory, threads."""
