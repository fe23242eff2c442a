"""The ops that users call: each converts its arguments, and names the IR that it stands for."""
