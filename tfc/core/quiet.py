"""The collector of cycles stands still while tfc is imported: what is imported stays, so that it
would go through all of it and find nothing, for a tenth of the time that the import takes."""

from __future__ import annotations

import gc


class Quiet:
    """No collection starts by itself until this object is gone: also if an import fails."""

    def __init__(self) -> None:
        gc.disable()

    def __del__(self) -> None:
        gc.enable()


__all__ = ["Quiet"]
