"""Machines: native code for the CPU, and for GPUs."""

import time

STARTED = time.time()  # what was changed on disk after this may not be what is imported
