"""What makes the three top-level folders one package, and keeps importing it cheap.

Building and installing wheels is slow and needs an index; what can be checked without is here.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import pytest

import tfc
from tests.test_imports import statements
from tfc.ir import ops

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("jax", "keras", "llvmlite", "pycuda", "scipy", "sklearn", "tensorflow", "torch")


def python(*arguments: str, cwd: Path = ROOT) -> str:
    """What a fresh interpreter prints that finds the checkout by PYTHONPATH."""
    result = subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_every_package_is_listed() -> None:
    """A package that pyproject.toml does not name would be missing from wheels, and only there."""
    setuptools = settings()["tool"]["setuptools"]
    found = set()
    for name, top in setuptools["package-dir"].items():
        for init in (ROOT / top).rglob("__init__.py"):
            # tfc/ir and tfc/backends are links: their packages are found in ir/ and backends/.
            if not any(folder.is_symlink() for folder in init.parents):
                inner = init.parent.relative_to(ROOT / top).parts
                found.add(".".join((name, *inner)))
    assert sorted(setuptools["packages"]) == sorted(found)


def test_every_other_file_is_listed() -> None:
    """Likewise the text of the native runtime, and whatever else packages hold beside modules."""
    setuptools = settings()["tool"]["setuptools"]
    for name, top in setuptools["package-dir"].items():
        for file in (ROOT / top).rglob("*.*"):
            inner = file.parent.relative_to(ROOT / top)
            linked = any(folder.is_symlink() for folder in file.parents)
            if linked or file.suffix in (".py", ".pyc", ".md") or file.name.startswith("."):
                continue
            patterns = setuptools["package-data"].get(".".join((name, *inner.parts)), [])
            assert any(file.match(pattern) for pattern in patterns), file


def test_no_module_stands_outside_a_package() -> None:
    for folder in ("tfc", "ir", "backends"):
        for module in (ROOT / folder).rglob("*.py"):
            assert (module.parent / "__init__.py").exists(), f"{module} is in no package"


def test_the_source_distribution_is_complete(tmp_path: Path) -> None:
    """All that is here but what is made: so its tests run where it was unpacked."""
    setuptools = pytest.importorskip("setuptools", minversion="77")
    assert setuptools
    made = (".*", "*.egg-info", "build", "dist", "__pycache__", "*.pyc")
    kept = {".ci", ".gitignore", ".clang-format"}

    def left_out(folder: str, names: list[str]) -> set[str]:
        return set(shutil.ignore_patterns(*made)(folder, names)) - kept

    checkout, archives = tmp_path / "checkout", tmp_path / "archives"
    shutil.copytree(ROOT, checkout, symlinks=True, ignore=left_out)
    files = {str(p.relative_to(checkout)) for p in checkout.rglob("*") if p.is_file()}
    links = {str(p.relative_to(checkout)) for p in checkout.rglob("*") if p.is_symlink()}
    code = "import sys, setuptools.build_meta as b; print(b.build_sdist(sys.argv[1]))"
    archive = archives / python("-c", code, str(archives), cwd=checkout).splitlines()[-1]
    with tarfile.open(archive) as tar:
        members = {m.name.partition("/")[2]: m for m in tar.getmembers() if not m.isdir()}
    written = {"PKG-INFO", "setup.cfg"}
    found = {name for name in members if not name.startswith("tfc_lang.egg-info/")} - written
    assert found == {f for f in files if not f.startswith(("tfc/ir/", "tfc/backends/"))} | links
    assert {name: members[name].linkname for name in links} == {
        "tfc/ir": "../ir",
        "tfc/backends": "../backends",
    }


def test_links_of_the_checkout() -> None:
    assert (ROOT / "tfc" / "ir").resolve() == ROOT / "ir"
    assert (ROOT / "tfc" / "backends").resolve() == ROOT / "backends"


def test_core_dependencies_are_few() -> None:
    project = settings()["project"]
    names = {requirement.partition(">")[0] for requirement in project["dependencies"]}
    assert names == {"llvmlite", "ml_dtypes", "numpy"}
    assert project["name"] == "tfc-lang"


def test_import_is_light() -> None:
    code = "import sys, tfc; print(*(name for name in sys.modules if '.' not in name))"
    loaded = set(python("-c", code).split())
    assert "tfc" in loaded
    assert loaded.isdisjoint(HEAVY)


# What no op needs whose program is known.
LATER = ("autodiff", "autograph", "control_flow", "data", "function.polymorphic", "ir.autodiff")
LATER += ("ir.kernels.ops", "ir.kernels.lower", "ir.ops.linalg", "ir.ops.special", "ir.ops.sort")
LATER += ("ir.passes", "ir.text", "nest", "nn", "ops.nn", "ops.random", "saved_model", "train")


def test_what_comes_with_its_first_use() -> None:
    code = "import sys, tfc; print(*sys.modules)"
    loaded = set(python("-c", code).split())
    assert loaded.isdisjoint({*(f"tfc.{name}" for name in LATER), "numpy.typing"})
    names = "tfc.function, tfc.GradientTape, tfc.nest.map_structure, tfc.ir.parse, tfc.ir.ops.Svd"
    assert python("-c", f"import tfc; assert all(map(callable, ({names})))") == ""
    named = "from tfc.function import traces; import tfc; assert callable(tfc.function)"
    assert python("-c", named) == ""


def test_an_import_leaves_the_collector_as_it_was() -> None:
    for switch, seen in (("enable", "True"), ("disable", "False")):
        code = f"import gc; gc.{switch}(); import tfc; print(gc.isenabled())"
        assert python("-c", code).strip() == seen
    failing = """
import builtins, gc
kept = builtins.__import__
def refused(name, *more, **named):
    if name.endswith("operators"):
        raise ImportError(name)
    return kept(name, *more, **named)
builtins.__import__ = refused
try:
    import tfc
except ImportError:
    pass
print(gc.isenabled())
"""
    assert python("-c", failing).strip() == "True"


def test_families_of_ops_are_listed_for_type_checkers() -> None:
    source = ROOT / "ir" / "ops" / "__init__.py"
    (block,) = [n for n in ast.parse(source.read_text()).body if isinstance(n, ast.If)]
    listed = {
        node.module: " ".join(alias.name for alias in node.names)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
    }
    assert listed == ops._FAMILIES
    assert set(ops._FAMILY_OF) <= set(dir(ops))
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = ops.Nothing


def test_a_users_own_folders_do_no_harm(tmp_path: Path) -> None:
    """Folders named as ours beside a user's script, which Python searches first."""
    for name in ("ir", "backends"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("mine = True\n")
    (tmp_path / "dtypes.py").write_text("mine = True\n")
    (tmp_path / "script.py").write_text(
        "import ir, backends, dtypes, tfc, tfc.ir, tfc.ir.dtypes, tfc.backends\n"
        "assert ir.mine and backends.mine and dtypes.mine\n"
        "for module in (tfc.ir, tfc.backends, tfc.ir.dtypes):\n"
        "    assert not hasattr(module, 'mine')\n"
        "print(tfc.ir.dtypes.float32.name)\n"
    )
    assert python("script.py", cwd=tmp_path) == "float32"


def imported(module: Path) -> set[str]:
    """The top-level and second-level names that a module imports absolutely, anywhere in it."""
    names: set[str] = set()
    for node in statements(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {".".join(name.split(".")[:2]) for name in names}


def test_imports_point_one_way() -> None:
    """`tfc -> backends -> ir`; llvmlite only under backends, pycuda only under backends/cuda."""
    for folder in ("tfc", "ir", "backends"):
        for module in (ROOT / folder).rglob("*.py"):
            place = module.relative_to(ROOT).parts
            if place[:2] in {("tfc", "ir"), ("tfc", "backends")}:
                continue  # through the links: seen where they lead
            names = imported(module)
            tops = {name.partition(".")[0] for name in names}
            assert not tops & {"ir", "backends"}, f"{module}: import tfc.ir, tfc.backends"
            if folder != "backends":
                assert "llvmlite" not in tops, f"{module} imports llvmlite"
            if place[:2] != ("backends", "cuda"):
                assert "pycuda" not in tops, f"{module} imports pycuda"
            if folder == "ir":
                above = {name for name in names if name.startswith("tfc.")} - {"tfc.ir"}
                assert not above, f"{module} imports {above}"
            if folder == "backends":
                above = {name for name in names if name.startswith("tfc.")}
                assert above <= {"tfc.ir", "tfc.backends"}, f"{module} imports {above}"


def test_the_package_is_typed() -> None:
    assert (Path(tfc.__file__).parent / "py.typed").exists()


def test_the_makefile_and_ci_agree() -> None:
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o111
    assert "exec make test" in (ROOT / ".ci" / "run").read_text()
