"""What all tests share: IR is verified after every pass, and `.ir` files are tests.

A file in a folder `golden` holds cases. Each begins with the passes to run (`llvm_...` last gives
the text of its kernels in LLVM's language):

    # run: simplify dce
    func @f(%x: f32) -> f32 {
      ...
    }
    # ----
    func @f(...)         the exact outcome

`pytest --bless` writes the outcomes anew; the diff is to be reviewed. A case that must be refused
has no outcome, but `# error: message` at the end of the offending line.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import resource
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from tests import code_levels
from tests.golden import (
    ERROR,
    OUTCOME,
    RUN,
    TARGETS,
    check_first,
    cost_text,
    llvm_text,
    memory_text,
    numbered_symbols,
    operand_text,
    split_cases,
)
from tests.sampling import ALL, REPEATS

if os.environ.get("TFC_VERIFY") != "bounds":  # which checks what kernels access, too
    os.environ["TFC_VERIFY"] = "1"
if not os.environ.get("TFC_TEST_GPU"):  # tests know what machine they run on
    os.environ.setdefault("TFC_CUDA", "off")
os.environ.setdefault("TFC_COMPILE_MESSAGE_AFTER", "0")  # this machine may be a slow one
if sys.dont_write_bytecode:
    # Some hundred processes are started, each of which would compile all of the package's modules
    # anew, for longer than it works. The one who wants no bytecode beside the sources gets none.
    os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="tfc-tests-")
    os.environ["PYTHONDONTWRITEBYTECODE"] = ""
    atexit.register(shutil.rmtree, os.environ["PYTHONPYCACHEPREFIX"], ignore_errors=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="rewrite the outcomes in golden files")
    parser.addoption("--repeats", action="store_true", help="with the cases of repeats.txt")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, Any, Any]:
    """Modules of tests and what they import stay: there is nothing to look for.

    To rewrite assertions is ten times the work of making bytecode. Of two processes that collect
    the same tests one begins at the other end: each rewrites half of the modules, and finds the
    rest."""
    if _backwards(session.config):
        session.config.args.reverse()
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def _backwards(config: pytest.Config) -> bool:
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    return int(worker) % 2 == 1 and not any("::" in name for name in config.args)


class Backwards(pytest.Dir):
    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        return reversed(list(super().collect()))


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if _backwards(parent.config) and not (path / "__init__.py").is_file():
        return Backwards.from_parent(parent, path=path)  # type: ignore[no-any-return]
    return None


def pytest_collection_finish() -> None:
    """Collected tests are hundreds of thousands of objects, which Python's cycle collector would go
    through again and again: a sixth of the time of all tests."""
    _set_aside()
    # No collection starts by itself in a test, or nearly none in `make test-all`; users' processes
    # have them, and so have those that tests start. Tests that want one ask for it.
    gc.set_threshold(200_000 if ALL else 1 << 30, 1000, 1000)


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """So are the programs that tests leave behind. To free them takes a fifth of the time of all
    tests, and what it gives back is some gigabytes: the collector forgets them, test by test, so
    that the collections that tests ask for go through what is the test's own. Only where a process
    has grown by its part of two fifths of the memory that there is (a collection then takes three
    seconds) they are freed; where nothing is sampled, at the end of each module."""
    new_module = nextitem is None or nextitem.path != item.path
    if ALL:
        if new_module:  # in the end pytest asks for five
            _set_aside()
    elif new_module and _most_memory() > _collected_at + _growth():
        gc.unfreeze()
        _set_aside()
    else:
        gc.freeze()


_collected_at = 0


@cache
def _growth() -> int:
    """By how many bytes a process may grow before what tests left is freed."""
    from tfc.backends.cpu.runtime.runtime import _memory  # a container's, where it has less

    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    return max(1 << 30, 2 * _memory() // (5 * processes))


def _set_aside() -> None:
    """Let the collector forget what there is, but for what it can free."""
    global _collected_at
    gc.collect()
    gc.freeze()
    _collected_at = _most_memory()


def _most_memory() -> int:
    """The bytes that this process has had at most."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What repeats other cases is left out, where no test is named, and what has full code comes
    before what takes quick code. What asks the collector is first: each answer takes the longer the
    more tests have left objects behind, ten times as long at the end."""
    named = any("::" in name for name in config.args)
    if not (ALL or config.getoption("repeats") or named):
        left_out = [item for item in items if item.nodeid in REPEATS]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item.nodeid not in REPEATS]
    if named:  # in the order in which they are named
        items.sort(key=_takes_quick_code)
        return
    items.sort(key=lambda item: (not _walks_heap(item), code_levels.place(item.path), item.path))
    quick = [item for item in items if _takes_quick_code(item)]
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    items[:] = code_levels.dealt(items[: len(items) - len(quick)], quick, processes)


def _walks_heap(item: pytest.Item) -> bool:
    return item.get_closest_marker("walks_heap") is not None


def _takes_quick_code(item: pytest.Item) -> bool:
    return code_levels.place(item.path) == len(code_levels.FULL) and not _walks_heap(item)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    code_levels.choose(_takes_quick_code(item))
    streams = sys.modules.get("tfc.ops.random.streams")
    if streams is not None and streams._streams.seed is not None:
        streams.set_global_seed(None)  # the one before set it


@pytest.fixture
def baseline_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eager ops begin with baseline code, as they do for users, although passes are verified: for
    tests that compare programs with eager code, and do not ask what code that is."""
    from tfc.backends import baseline

    monkeypatch.setattr(baseline, "_LOOKING", ("TFC_DUMP", "TFC_DEBUG_INFO"))


@pytest.fixture
def thawed() -> Iterator[None]:
    """For tests that ask the collector what refers to something: it does not tell of objects that
    are frozen, such as the globals of tests."""
    gc.unfreeze()
    yield
    gc.freeze()


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Collector | None:
    if file_path.suffix == ".ir" and file_path.parent.name == "golden":
        return GoldenFile.from_parent(parent, path=file_path)  # type: ignore[no-any-return]
    return None


class GoldenFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        for i, text in enumerate(split_cases(self.path.read_text())):
            name = re.search(r"func @([\w.<>]+)", text)
            label = name[1] if name else str(i)
            yield Golden.from_parent(self, name=label, index=i)


class Golden(pytest.Item):
    def __init__(self, index: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.index = index

    def runtest(self) -> None:
        case = split_cases(self.path.read_text())[self.index]
        if ERROR in case:
            self.refused(case)
            return
        given, _, wanted = case.partition(f"{OUTCOME}\n")
        with numbered_symbols():
            got = run_case(given)
        if got.strip() != wanted.strip():
            if not self.config.getoption("bless"):
                raise Different(got, wanted)
            text = self.path.read_text()
            self.path.write_text(text.replace(case, f"{given.rstrip()}\n{OUTCOME}\n{got}\n\n"))

    def refused(self, case: str) -> None:
        from tfc.ir.text import ParseError
        from tfc.ir.verify import VerifyError

        lines = case.splitlines()
        place = next(i for i, line in enumerate(lines) if ERROR in line)
        offending, _, message = (part.strip() for part in lines[place].partition(ERROR))
        lines[place] = lines[place].partition(ERROR)[0].rstrip()
        with pytest.raises((ParseError, VerifyError)) as caught:
            run_case("\n".join(lines))
        shown = str(caught.value).splitlines()
        if isinstance(caught.value, ParseError):
            assert shown[0] == f"line {place + 1}: {message}"
        else:
            assert shown[0] == message
            marks = [i for i, line in enumerate(shown) if line.strip() == f"^ {message}"]
            assert marks and shown[marks[0] - 1].strip() == offending

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, Different):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, 0, self.name


class Different(Exception):
    """The outcome is not the golden one."""

    def __init__(self, got: str, wanted: str) -> None:
        import difflib

        rows = difflib.unified_diff(
            wanted.strip().splitlines(), got.strip().splitlines(), "golden", "outcome", lineterm=""
        )
        super().__init__("\n".join(rows) + "\n(`pytest --bless` accepts the outcome)")


def run_case(case: str) -> str:
    """The text after the passes that the case's first line names; a round trip on the way."""
    from tfc.ir import passes
    from tfc.ir.autodiff import reverse
    from tfc.ir.journal import recording
    from tfc.ir.kernels import brief, expand_scalars, lower
    from tfc.ir.kernels.plan import explain
    from tfc.ir.kernels.target import Target
    from tfc.ir.passes.nan_inspection import inspect
    from tfc.ir.text import parse
    from tfc.ir.verify import verify

    known: dict[str, Any] = {name: getattr(passes, name) for name in passes.__all__}
    known |= {"lower": lower.lower, "expand": expand_scalars.expand, "pullback": reverse.pullback}
    known |= {"verify": verify, "parse": lambda f: f, "inspect": inspect}
    known["check_first"] = check_first
    known |= {
        name: partial(lower.lower, target=Target(**fields)) for name, fields in TARGETS.items()
    }
    names = case.splitlines()[0].removeprefix(RUN).split()
    if names[0] == "journal":  # what the passes tell of it
        with recording() as journal:
            passes.run(parse(case), tuple(known[name] for name in names[1:]))
        return f"{journal}\n"
    if names[-1] == "brief":  # how it is shown to those who read
        return f"{brief.brief(passes.run(parse(case), tuple(known[n] for n in names[:-1])))}\n"
    if names[-1] == "operand":
        return operand_text(parse(case))
    if names[-1].startswith("cost_"):
        name = names.pop().replace("cost_", "lower_")
        f = passes.run(parse(case), tuple(known[name] for name in names))
        return cost_text(lower.lower(f, Target(**TARGETS[name])))
    if names[-1].startswith("plan_"):  # what users are told of it
        target = Target(**TARGETS[names.pop().replace("plan_", "lower_")])
        f = passes.run(parse(case), tuple(known[name] for name in names))
        return f"{explain.explain(f, lower.machine_of(target), target)}\n"
    if names[-1].startswith("memory_"):
        name = names.pop().replace("memory_", "lower_")
        f = passes.run(parse(case), tuple(known[name] for name in names))
        return memory_text(lower.lower(f, Target(**TARGETS[name])))
    if names[-1].startswith("llvm_"):
        name = names.pop().replace("llvm_", "lower_")
        f = passes.run(parse(case), tuple(known[name] for name in names))
        return llvm_text(f, Target(**TARGETS[name]))
    f = passes.run(parse(case), tuple(known[name] for name in names))
    text = str(f)
    assert str(parse(text)) == text
    return text


@pytest.fixture(autouse=bool(os.environ.get("TFC_TEST_DEVICE")))
def _placed() -> Iterator[None]:
    """With TFC_TEST_DEVICE=/gpu:0 every test runs there, as far as it does not say otherwise."""
    import tfc

    with tfc.device(os.environ["TFC_TEST_DEVICE"]):
        yield


@pytest.fixture
def gpu() -> Iterator[Any]:
    """A GPU: the emulator's, or (TFC_TEST_GPU=1) a real one."""
    from tests.emulated_gpu import emulated_gpus

    with emulated_gpus() as (device,):
        yield device


@pytest.fixture
def emulator() -> Iterator[Any]:
    """The emulator's GPU, for tests of how it watches memory."""
    from tests.emulated_gpu import emulated_gpus

    with emulated_gpus("forward") as (device,):
        yield device


@pytest.fixture(params=["forward", "reversed", "random,3"])
def ordered(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The emulator's GPU, with several orders of blocks and warps."""
    from tests.emulated_gpu import emulated_gpus

    with emulated_gpus(*request.param.split(",")) as (device,):
        yield device
