"""The collector of cycles stands still while tfc is imported: what is imported stays, so that it
would go through all of it and find nothing, for a tenth of the time that the import takes."""

from __future__ import annotations

import gc


class Quiet:
    """No collection starts by itself until this object is gone: also if an import fails."""

    def __init__(self) -> None:
        gc.disable()

    def __del__(self) -> None:
        # What is new goes to the oldest generation, where the next full collection looks at it: the
        # first one of the youngest would go through all that was imported.
        if not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
        gc.enable()


__all__ = ["Quiet"]
