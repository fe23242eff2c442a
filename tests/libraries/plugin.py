"""What the tests of libraries that are written for TensorFlow need: tfc in its place, also in the
processes that share the tests."""

from __future__ import annotations

import os
import tempfile

import tfc

_folder = tempfile.TemporaryDirectory()  # of each process: Abseil's tests write into one
os.environ["TEST_TMPDIR"] = _folder.name
tfc.as_tensorflow()
