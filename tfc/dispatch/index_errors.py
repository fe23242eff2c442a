"""Where an index is that a kernel has found to be outside: kernels tell its value alone, and the
whole of the indices is at hand where an op was called eagerly."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core import errors
from ..core.placement import moved
from ..core.tensor import Tensor

_OUTSIDE = r"index -?\d+ is not in \[0, (\d+)\)"


def placed(
    error: errors.InvalidArgumentError,
    places: Tensor,
    what: str = "indices",
    text: str = "{where} = {value} is not in [0, {extent})",
    least: int | None = 0,
) -> errors.InvalidArgumentError:
    """What is wrong with an index, with its place: the first one that is outside.
    Kernels tell the value alone.

    Args:
        error: What a kernel has told.
        places: The indices that it was given.
        what: What the user calls them.
        text: The message, of `where` (their name and the place), `value` and `extent`.
        least: The smallest index that may be there; None: negative ones are left out.
    """
    found = re.fullmatch(_OUTSIDE, error.message or "")
    if found is None:
        return error
    extent, array = int(found[1]), elements(places)
    below = False if least is None else array < least
    wrong = np.argwhere(below | (array >= extent))
    if not len(wrong):
        return error
    first = tuple(wrong[0].tolist())
    where = f"{what}[{','.join(map(str, first))}]" if first else what
    message = text.format(where=where, value=array[first], extent=extent)
    return errors.InvalidArgumentError(message, op=error.op, location=error.location)


def placed_row(
    error: errors.InvalidArgumentError, places: Tensor, shape: Sequence[Any], into: str
) -> errors.InvalidArgumentError:
    """As `placed`, of the first row of `places` that names none in the first axes of `shape`."""
    if re.fullmatch(_OUTSIDE, error.message or "") is None:
        return error
    array = elements(places)
    extents = np.array(shape[: array.shape[-1]])
    wrong = np.argwhere(((array < 0) | (array >= extents)).any(-1))
    if not len(wrong):
        return error
    first = tuple(wrong[0].tolist())
    where = f"indices[{','.join(map(str, first))}]" if first else "indices"
    whole = ",".join(map(str, shape))
    message = f"{where} = {array[first].tolist()} does not index into {into} [{whole}]"
    return errors.InvalidArgumentError(message, op=error.op, location=error.location)


def elements(places: Tensor) -> np.ndarray:
    """The elements of a tensor, on the host."""
    array: np.ndarray = moved(places.read()._array, None)
    return array
