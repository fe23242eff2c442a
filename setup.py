"""What pyproject.toml cannot say: source distributions have the links of the checkout, too.

tfc/ir and tfc/backends lead to ../ir and ../backends, so that tests and tools run where an archive
was unpacked. setuptools leaves links to folders out.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from setuptools import setup
from setuptools.command.sdist import sdist

LINKED = ("ir", "backends")


class Sdist(sdist):
    """`sdist` with links."""

    def make_release_tree(self, base_dir: str, files: Sequence[str]) -> None:
        super().make_release_tree(base_dir, files)
        for name in LINKED:
            os.symlink(os.path.join(os.pardir, name), Path(base_dir, "tfc", name))


setup(cmdclass={"sdist": Sdist})
