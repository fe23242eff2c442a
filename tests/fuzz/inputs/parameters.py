"""Every parameter that a public function may be called without, given what it is not for: arrays
where one value is expected, words, infinity, nothing.

Random edits seldom meet one parameter with one value: a million attempts, of which a third were
calls, found a third of the places that asked an array for its truth; going through all finds them
in seconds.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from tests.fuzz.inputs import calls
from tests.fuzz.inputs.attempts import Outcome, judged

VALUES: dict[str, Callable[[], Any]] = {
    "an array": lambda: np.ones([2, 3]),
    "words": lambda: np.array(["a", "b"]),
    "dates": lambda: np.array(["2020-01-01", "2021-01-01"], "M8[D]"),
    "infinity": lambda: float("inf"),
    "an empty array": lambda: np.zeros([0]),
}
LEFT_OUT = ("name",)

KIND = calls.Calls()


@cache
def parameters() -> tuple[tuple[calls.Call, str], ...]:
    """A recorded call of each function, and each parameter that it leaves out."""
    found: dict[tuple[str, str], calls.Call] = {}
    for seed in range(len(KIND.names())):
        call = KIND.subject(seed)
        for name in optional(call):
            found.setdefault((call.name, name), call)
    return tuple((call, name) for (_, name), call in found.items())


def optional(call: calls.Call) -> Iterator[str]:
    f = calls.public().get(call.name)
    if f is None:
        return
    try:
        signature = inspect.signature(f)
    except (TypeError, ValueError):
        return
    for place, (name, p) in enumerate(signature.parameters.items()):
        plain = p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.default is not p.empty
        if plain and place >= len(call.args) and name not in LEFT_OUT:
            yield name


def outcome(call: calls.Call, parameter: str, value: str) -> Outcome:
    """How the call ends with this value for the parameter."""
    harmed = replace(call, kwargs={**call.kwargs, parameter: VALUES[value]()})
    return judged(lambda: KIND.run(harmed, random.Random(0)))
