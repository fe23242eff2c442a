"""`debugging.step`: a function run op by op on the reference interpreter, controlled as by pdb."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TextIO

import numpy as np

from tfc.ir.core import Function, Op, Value
from tfc.ir.interpreter import Env, Observer, interpret
from tfc.ir.passes import inline
from tfc.ir.text import Names, op_lines

from ..core import blame, errors
from ..core.context import active, context, user_location
from ..core.conversion import convert_to_tensor
from ..core.formatting import shown
from ..core.tensor import wrap
from ..core.variable import Variable
from ..dispatch.sessions import session
from ..function.concrete import ConcreteFunction

HELP = """\
n(ext)      run this op; regions of control flow as a whole
s(tep)      run this op; into the regions of control flow
r(eturn)    run to the end of this region
c(ontinue)  run to the next breakpoint
b(reak) [file:]line, or an op's name    stop there; without argument: list breakpoints
cl(ear)     forget all breakpoints
p(rint) name [name ...]   show values, such as %3, x, or n for the size n
a(rgs)      show the arguments of this region
l(ist)      show the ops around this one
w(here)     show the regions around, and the user's lines
h(elp)      this
q(uit)      stop; Variables keep their values"""

_WORDS = {
    **{"n": "next", "s": "step", "r": "return", "c": "continue", "cont": "continue", "b": "break"},
    **{"cl": "clear", "p": "print", "pp": "print", "a": "args", "l": "list", "w": "where"},
    **{"bt": "where", "h": "help", "?": "help", "q": "quit", "exit": "quit"},
}


class Quit(Exception):
    """The user has had enough."""


def step(
    f: Any,
    *args: Any,
    commands: Iterable[str] | None = None,
    output: TextIO | None = None,
    **kwargs: Any,
) -> Any:
    """Run `f(*args, **kwargs)` op by op, asking before each for a command, as pdb does; `h` lists
    them.

    Values come from the reference meaning of each op in NumPy: so transcendental functions and sums
    may differ in the last bits from those of compiled code. Effects happen, and Variables are
    assigned at the end.

    Args:
        f: A `tfc.function`, a ConcreteFunction, a Python function of tensors (which is traced), or
            an IR function.
        *args: Its arguments.
        commands: Strings that are taken instead of what is typed; when there are no more, it runs
            to the end.
        output: A file where it is shown; None: sys.stdout.
        **kwargs: More of its arguments, by name.

    Returns:
        What `f` returns; None where the user quits.

    Raises:
        InvalidArgumentError: If an op does, with its name and the line of its call.
        FailedPreconditionError: Inside of a `tfc.function`.
        TypeError: If `f` cannot be called.

    >>> import tfc as tf
    >>> @tf.function
    ... def f(x):
    ...     y = x * x
    ...     return y + 1.0
    >>> _ = tf.debugging.step(f, tf.constant(3.0), commands=["n", "p %y", "c"])
    > %y = mul %x, %x : f32    # ...
    %y = 9.0
    > %0 = constant {value = f32 1.0} : f32    # ...
    %y = 9.0
    """
    if output is not None and not hasattr(output, "write"):
        raise TypeError(f"step: output must be a file to write to, got {shown(output)}")
    if not callable(f) and not isinstance(f, Function):
        raise blame.type_error(f"f must be a function, got {shown(f)}", "debugging.step")
    function, captured, given, finish = _prepared(f, args, kwargs)
    arrays = [np.asarray(t) for t in (*given, *captured)]
    debugger = _Debugger(function, _reader(commands), output or sys.stdout)
    try:
        with active(trace=None, tapes=()), session():
            results = interpret(function, arrays, observer=debugger)
    except Quit:
        return None
    except (ValueError, IndexError, ArithmeticError, np.linalg.LinAlgError) as error:
        op = debugger.op
        if op is None or isinstance(error, errors.OpError):
            raise
        debugger.say(f"! {op.mnemonic}: {error}")
        raise errors.InvalidArgumentError(
            str(error), op=op.mnemonic, location=op.location or user_location()
        ) from error
    return finish([wrap(np.asarray(a, order="C")) for a in results])


def _prepared(
    f: Any, args: Any, kwargs: Any
) -> tuple[Function, list[Any], list[Any], Callable[[list[Any]], Any]]:
    """The IR of a call, what it captures, the tensors it is given, and what makes its results."""
    if context.trace is not None:
        raise errors.FailedPreconditionError(
            "debugging.step cannot run inside of a tfc.function", location=user_location()
        )
    if isinstance(f, Function):
        tensors = [convert_to_tensor(a, p.dtype) for a, p in zip(args, f.params, strict=True)]
        return inline(f), [], tensors, lambda r: tuple(r) if len(r) != 1 else r[0]
    from ..function.polymorphic import function

    concrete = f
    if not isinstance(f, ConcreteFunction):
        traced = f if hasattr(f, "get_concrete_function") else function(f)
        concrete = traced.get_concrete_function(*args, **kwargs)
    tensors = concrete.arguments.tensors_of(args, kwargs)

    def finish(results: list[Any]) -> Any:
        for variable, value in zip(concrete.updated, results[concrete.count :], strict=True):
            variable.assign(value)
        return concrete.pack(results[: concrete.count])

    values = [c.read() if isinstance(c, Variable) else c for c in concrete.captured]
    return inline(concrete.function), values, tensors, finish


def _reader(commands: Iterable[str] | None) -> Iterator[str]:
    if commands is not None:
        for command in commands:
            if not isinstance(command, str):
                message = f"commands must be strings, got {shown(command)}"
                raise blame.type_error(message, "debugging.step")
            yield command
        while True:
            yield "continue"
    while True:
        try:
            yield input("(step) ")
        except EOFError:
            yield "quit"


class _Frame:
    """A function or region that runs."""

    def __init__(self, f: Function, env: Env, sizes: Mapping[str, int], owner: Op | None) -> None:
        self.f = f
        self.env = env
        self.sizes = sizes
        self.owner = owner  # the op that it is a region of
        self.op: Op | None = None


class _Debugger(Observer):
    """Stops before ops, and asks what to do."""

    def __init__(self, f: Function, commands: Iterator[str], output: TextIO | None) -> None:
        self.commands = commands
        self.output = output
        self.names = Names()
        self.lines = {id(op): text for op, text in op_lines(f, self.names)}
        self.frames: list[_Frame] = []
        self.stop_at: int | None = sys.maxsize  # up to this depth; None: at breakpoints only
        self.breaks: list[str] = []
        self.last = "next"

    def say(self, text: str) -> None:
        print(text, file=self.output)

    @property
    def op(self) -> Op | None:
        """The op that runs now."""
        return self.frames[-1].op if self.frames else None

    # What the interpreter tells.

    def enter(self, f: Function, env: Env, sizes: Mapping[str, int]) -> None:
        self.frames.append(_Frame(f, env, sizes, self.op))

    def leave(self, f: Function) -> None:
        self.frames.pop()

    def before(self, op: Op) -> None:
        frame = self.frames[-1]
        frame.op = op
        here = self.stop_at is not None and len(self.frames) <= self.stop_at
        if not here and not any(self._hits(op, b) for b in self.breaks):
            return
        self.say(f"> {self.lines[id(op)]}")
        source = op.location and linecache.getline(op.location.file, op.location.line).strip()
        if source and not source.startswith(">>>"):
            self.say(f"    {source}")
        while not self._obey(next(self.commands)):
            pass

    def after(self, op: Op) -> None:
        if self.stop_at is not None and len(self.frames) <= self.stop_at:
            for v in op.results:
                self.say(self._value(v))

    # Commands.

    def _obey(self, command: str) -> bool:
        """Do what a command says; whether the program goes on."""
        words = command.split() or [self.last]
        word = _WORDS.get(words[0], words[0])
        depth = len(self.frames)
        match word:
            case "next":
                self.stop_at = depth
            case "step":
                self.stop_at = sys.maxsize
            case "return":
                self.stop_at = depth - 1
            case "continue":
                self.stop_at = None
            case "quit":
                raise Quit
            case "print":
                for name in words[1:]:
                    self.say(self._named(name))
                return False
            case "break":
                self.breaks += words[1:]
                self.say("breakpoints: " + (", ".join(self.breaks) or "none"))
                return False
            case "clear":
                self.breaks.clear()
                return False
            case "args":
                for p in self.frames[-1].f.params:
                    self.say(self._value(p))
                return False
            case "list":
                self._list()
                return False
            case "where":
                self._where()
                return False
            case "help":
                self.say(HELP)
                return False
            case _:
                self.say(f"no command {shown(words[0])}: h lists them")
                return False
        self.last = word
        return True

    def _hits(self, op: Op, breakpoint: str) -> bool:
        """Whether an op is at a breakpoint."""
        file, _, line = breakpoint.rpartition(":")
        if op.location is not None and line.isdigit() and op.location.line == int(line):
            return not file or op.location.file.endswith(file)
        return op.mnemonic == breakpoint or any(self.names.use(v) == breakpoint for v in op.results)

    def _named(self, name: str) -> str:
        """A value, or the size that a symbol stands for."""
        for frame in reversed(self.frames):
            for v in frame.env:
                if self.names.use(v) in (name, f"%{name}"):
                    return self._value(v)
            if name in frame.sizes:
                return f"{name} = {frame.sizes[name]}"
        return f"{name} has no value here"

    def _value(self, v: Value) -> str:
        for frame in reversed(self.frames):
            if v in frame.env:
                array = np.asarray(frame.env[v])
                text = np.array2string(array, threshold=20) if array.ndim else str(array[()])
                return f"{self.names.use(v)} = {text}"
        return f"{self.names.use(v)} has no value yet"

    def _list(self) -> None:
        frame = self.frames[-1]
        body = list(frame.f.body)
        at = next((i for i, op in enumerate(body) if op is frame.op), 0)
        for i in range(max(at - 4, 0), min(at + 5, len(body))):
            if id(body[i]) in self.lines:
                self.say(f"{'->' if i == at else '  '} {self.lines[id(body[i])]}")

    def _where(self) -> None:
        for frame in self.frames:
            inside = f"@{frame.f.name}" if frame.owner is None else f"in {frame.owner.mnemonic}"
            if frame.op is not None:
                self.say(f"{inside}: {self.lines[id(frame.op)]}")


__all__ = ["step"]
