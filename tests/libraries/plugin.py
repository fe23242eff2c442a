"""What the tests of libraries that are written for TensorFlow need: tfc in its place, also in the
processes that share the tests."""

from __future__ import annotations

import tfc

tfc.as_tensorflow()
