"""Mutation testing: which changes of a file do its tests not see?

    python -m tools.mutants ir/rules.py --sample 150 -- tests/ir/golden/rules.ir

makes that many mutants of the file, each with one thing changed (a comparison, an operator, a
constant, a condition, a returned value, a statement left out), and runs the tests on each, up to
the first that fails. Those that live are printed. Tests that start processes do not see mutants.

The tests are collected once. For each mutant a child is forked, in which the functions of the
module get the code of the mutant, in place: other modules keep the functions, and no file is
changed. (mutmut and cosmic-ray write mutants into files and start pytest for each, which takes
longer than the tests; mutmut also takes `ir/rules.py` for the module `ir.rules`, which here is
`tfc.ir.rules`.)
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import os
import random
import resource
import signal
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

SECONDS = 60  # of processor time that the tests may take
SLOWER = 4  # who takes so many times what the tests take without a mutant is dead, too
WAIT = 600.0  # seconds until it is dead in any case: it may wait for ever
NOWHERE = 3  # how a process ends whose mutant is in no function that can be given its code

Change = Callable[[Any], None]

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


def changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """What can be changed at a node: how to say it, and what does it to a copy."""

    def setting(name: str, value: Any) -> Change:
        return lambda n: setattr(n, name, value)

    match node:
        case ast.Compare(ops=[op]) | ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in SWAPS:
            new = SWAPS[type(op)]
            value = [new()] if isinstance(node, ast.Compare) else new()
            name = "ops" if isinstance(node, ast.Compare) else "op"
            yield f"{type(op).__name__} -> {new.__name__}", setting(name, value)
        case ast.Constant(value=bool(x)):
            yield f"{x} -> {not x}", setting("value", not x)
        case ast.Constant(value=int(x)):
            yield f"{x} -> {x + 1}", setting("value", x + 1)
        case ast.UnaryOp(op=ast.Not()):
            yield "not left out", lambda n: n.__dict__.update(op=ast.UAdd(), operand=_truth(n))
        case ast.If() | ast.IfExp() | ast.While():
            yield "condition -> False", setting("test", ast.Constant(False))
            if not isinstance(node, ast.While):
                yield "condition -> True", setting("test", ast.Constant(True))
        case ast.match_case(guard=guard):
            yield "case left out", setting("guard", ast.Constant(False))
            if guard is not None:
                yield "guard left out", setting("guard", None)
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield "returns None", setting("value", ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Yield()) | ast.AugAssign():
            yield "statement left out", lambda n: n.__dict__.update(_nothing())
        case ast.Call(args=[x, y], keywords=[]) if ast.dump(x) != ast.dump(y):
            yield "arguments swapped", setting("args", [y, x])


def _truth(node: ast.UnaryOp) -> ast.expr:
    return ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])


def _is_super(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "super"


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_strict(node: ast.AST) -> bool:
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _nothing() -> dict[str, Any]:
    return {"value": ast.Constant(None), "target": ast.Name("_", ast.Store())}


def walked(tree: ast.AST, inside: bool = False) -> Iterator[ast.AST]:
    """The nodes within functions, but for docstrings, annotations and what is raised."""
    for name, field in ast.iter_fields(tree):
        if name in ("annotation", "returns", "type_comment", "decorator_list"):
            continue
        for node in field if isinstance(field, list) else [field]:
            if not isinstance(node, ast.AST) or isinstance(node, ast.Raise | ast.JoinedStr):
                continue
            if isinstance(node, ast.Assert) or _is_strict(node):  # says what holds
                continue
            within = inside or isinstance(node, ast.FunctionDef | ast.Lambda)
            if within:
                yield node
            yield from walked(node, within)


class Mutant:
    """One change of a file."""

    def __init__(self, tree: ast.Module, place: int, number: int) -> None:
        self.tree = copy.deepcopy(tree)
        around = [
            f
            for f in ast.walk(self.tree)
            if isinstance(f, ast.FunctionDef) and any(map(_is_super, ast.walk(f)))
        ]
        node = list(walked(self.tree))[place]
        self.line = getattr(node, "lineno", None) or node.pattern.lineno  # type: ignore[attr-defined]
        before = ast.unparse(node).splitlines()[0]
        self.what, change = list(changes(node))[number]
        change(node)
        for f in around:  # without `super()` it would have another closure: see `install`
            f.body.append(ast.Expr(ast.Name("__class__", ast.Load())))
        ast.fix_missing_locations(self.tree)
        self.text = f"line {self.line}: {self.what}: {before:.90}"

    def install(self, module: types.ModuleType) -> bool:
        """Give the functions of the module the code of this; whether one of them has changed."""
        scope = dict(module.__dict__)
        exec(compile(self.tree, str(module.__file__), "exec"), scope)
        fresh = dict(_functions(scope, module.__name__))
        changed = False
        for name, function in _functions(module.__dict__, module.__name__):
            if name in fresh and fresh[name].__code__.co_freevars == function.__code__.co_freevars:
                changed |= function.__code__ != fresh[name].__code__
                changed |= function.__defaults__ != fresh[name].__defaults__
                function.__code__ = fresh[name].__code__
                function.__defaults__ = fresh[name].__defaults__
        return changed


def _functions(
    scope: dict[str, Any], module: str, seen: tuple[type, ...] = ()
) -> Iterator[tuple[str, types.FunctionType]]:
    """The functions and methods that a module defines, by their qualified names."""
    for value in list(scope.values()):
        for part in (value, *(getattr(value, n, None) for n in ("fget", "__func__", "func"))):
            around = ""
            while isinstance(part, types.FunctionType) or hasattr(part, "__wrapped__"):
                if isinstance(part, types.FunctionType) and part.__module__ == module:
                    yield part.__qualname__ + around, part
                around += " inside"
                part = getattr(part, "__wrapped__", None)
        if isinstance(value, type) and value.__module__ == module and value not in seen:
            yield from _functions(dict(vars(value)), module, (*seen, value))


def mutants(path: Path, sample: int, seed: int) -> list[Mutant]:
    """A random sample of all mutants of a file."""
    tree = ast.parse(path.read_text())
    every = [
        (place, number)
        for place, node in enumerate(walked(tree))
        for number, _ in enumerate(changes(node))
    ]
    chosen = random.Random(seed).sample(every, min(sample, len(every)))
    print(f"{len(every)} mutants, of which {len(chosen)} are tried", flush=True)
    return [Mutant(tree, *one) for one in sorted(chosen)]


class Runner:
    """A plugin of pytest that runs what was collected once for each mutant."""

    def __init__(self, module: str, made: list[Mutant]) -> None:
        self.module, self.made = module, made
        self.lived: list[Mutant] = []
        self.nowhere = False  # whether the last mutant could not be installed
        self.limit = SECONDS

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Failed("the tests could not be collected")
        module = importlib.import_module(self.module)
        if not self.passes(session, None, module):
            raise session.Failed("the tests fail without a mutant")
        self.limit = min(SECONDS, 2 + int(SLOWER * sum(os.times()[2:4])))
        for i, mutant in enumerate(self.made):
            if self.passes(session, mutant, module):
                self.lived.append(mutant)
                how = "is not installed" if self.nowhere else "lives"
                print(f"{how} ({i + 1} of {len(self.made)}): {mutant.text}", flush=True)
        return True

    def passes(
        self, session: pytest.Session, mutant: Mutant | None, module: types.ModuleType
    ) -> bool:
        """Whether all tests pass, in a process of its own."""
        child = os.fork()
        if child == 0:
            status = 1
            try:
                resource.setrlimit(resource.RLIMIT_CPU, (self.limit, self.limit))
                for stream in (1, 2):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
                if mutant is not None and not mutant.install(module):
                    os._exit(NOWHERE)
                for i, item in enumerate(session.items):
                    following = session.items[i + 1] if i + 1 < len(session.items) else None
                    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                    if session.testsfailed:
                        break
                status = int(bool(session.testsfailed))
            finally:
                os._exit(status)
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                self.nowhere = os.waitstatus_to_exitcode(status) == NOWHERE
                return status == 0 or self.nowhere
            time.sleep(0.005)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return False


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--sample", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lines", type=int, nargs="*", help="mutants of these lines alone")
    parser.add_argument("tests", nargs="+", help="what pytest is given")
    options = parser.parse_args()
    os.environ["TFC_CACHE_DIR"] = ""  # else programs of before are recalled
    os.environ.setdefault("TFC_OPT_LEVEL", "0")
    made = mutants(options.file, options.sample, options.seed)
    made = [mutant for mutant in made if not options.lines or mutant.line in options.lines]
    name = ".".join(options.file.with_suffix("").parts).removesuffix(".__init__")
    runner = Runner(name if name.startswith("tfc.") else f"tfc.{name}", made)
    start = time.process_time()
    status = pytest.main(
        ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *options.tests], [runner]
    )
    spent = time.process_time() - start + sum(os.times()[2:4])
    if status not in (0, 5):
        return int(status)
    killed = len(made) - len(runner.lived)
    share = 100 * killed / max(len(made), 1)
    print(f"{killed} of {len(made)} killed ({share:.1f}%), {spent:.0f} s of processor time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
