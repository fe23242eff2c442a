"""Which values are stored, which of them share a kernel, and what that costs."""
