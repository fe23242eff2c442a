"""What native code (native.py) and Python both know of the memory pool."""

# Its counters, in the order in which native code keeps them.
STATE = (
    "cached",
    "live",
    "maximum",
    "limit",
    "hits",
    "misses",
    "released",
    "hand",
    "blocks",
    "chunks",
)
INLINE_BYTES = 32 << 10  # results up to this size come from NumPy's own allocator
