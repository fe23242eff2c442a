"""Saved models that somebody damaged or wrote to attack (tests/saved_model/mutations.py)."""

from __future__ import annotations

import random
import shutil
from typing import Any

import tfc as tf
from tests.fuzz.inputs.attempts import ERROR, RESULT, Kind, Wrong, scratch
from tests.fuzz.inputs.texts import DEADLINE, variants
from tests.saved_model import mutations

VARIANTS = 4  # of a row; the first is a larger model


class Models(Kind):
    """Refused with a DataLossError, or run as the interpreter runs them."""

    name = "saved models"
    weight = 2

    def names(self) -> list[str]:
        return variants(VARIANTS)

    def subject(self, seed: int) -> mutations.Case:
        row, variant = divmod(seed, VARIANTS)
        case = mutations.row_case(row, variant) if variant else mutations.model()
        return mutations.Case(dict(case.files), case.arguments)

    def edit(self, subject: mutations.Case, rng: random.Random) -> mutations.Case:
        mutations.harm(subject.files, rng)
        return subject

    def run(self, subject: mutations.Case, rng: random.Random) -> str:
        mutations.seal(subject.files)
        folder = scratch() / "model"
        try:
            with tf.config.deadline(DEADLINE):
                outcome = mutations.attempt(subject, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if outcome.startswith("BAD"):
            raise Wrong(outcome)
        return RESULT if outcome == "runs" else ERROR

    def shown(self, subject: Any) -> str:
        return "\n".join(f"--- {n}\n{d[:5000]!r}" for n, d in sorted(subject.files.items()))
