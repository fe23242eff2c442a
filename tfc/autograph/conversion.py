"""From a Python function to its converted twin: source, syntax tree, code object.

The twin has the closure cells, globals and defaults of the original, and its code carries the
user's file and lines, so that tracebacks and debuggers show what the user wrote. Code is converted
once for each code object. What has no source stays as it is; `reason` says why.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import linecache
import os
import re
import sys
import sysconfig
import types
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from ..core import blame
from ..core.context import context
from ..core.formatting import shown
from .parsing import parsed, parsed_file
from .syntax import COMPREHENSIONS, copied, function_def
from .transformer import Converter

_FLAG = "__tfc_do_not_convert__"
_OWN = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def _paths(*names: str) -> tuple[str, ...]:
    """Some of `sysconfig.get_paths()`. That asks for all that the interpreter was built with, which
    takes 1.5 ms to import."""
    places = {
        "abi_thread": "t" if "t" in sys.abiflags else "",
        "base": sys.prefix,
        "implementation_lower": "python",
        "installed_base": sys.base_prefix,
        "installed_platbase": sys.base_exec_prefix,
        "platbase": sys.exec_prefix,
        "platlibdir": sys.platlibdir,
        "py_version_short": "{}.{}".format(*sys.version_info),
    }
    paths = sysconfig.get_paths(expand=False)
    try:
        return tuple({os.path.normpath(paths[name].format(**places)) for name in names})
    except KeyError:  # of a system whose scheme says more
        return tuple({sysconfig.get_paths()[name] for name in names})


_STANDARD = _paths("stdlib", "platstdlib")
_PACKAGES = _paths("purelib", "platlib")
_LEFT_ALONE = ("keras", "tf_keras", "tensorflow_probability", "numpy")  # as in TensorFlow
_INSTALLED = re.compile(r"[\\/](site|dist)-packages[\\/]")  # also those of other environments

_YIELDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_GENERATOR = "it is a generator or a coroutine"
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")

# By code and its file: code of two files may be equal, where one of them has no source.
_code: WeakKeyDictionary[types.CodeType, dict[str, types.CodeType | None]] = WeakKeyDictionary()
_made: WeakKeyDictionary[types.CodeType, ast.AST] = WeakKeyDictionary()  # converted code: its tree
_reasons: WeakKeyDictionary[types.CodeType, str] = WeakKeyDictionary()
_ag = types.CellType()  # what converted code finds under the name `ag`


def do_not_convert(func: Callable[..., Any] | None = None) -> Any:
    """Mark a function, so that its control flow stays Python's also inside a `tfc.function`.

    Args:
        func: The function, or another object that can be called; without it this gives a decorator.

    Returns:
        What it was given; for a method of an object a function that calls it.

    Raises:
        TypeError: If `func` cannot be called.

    >>> import tfc as tf
    >>> @tf.autograph.do_not_convert
    ... def clip(x):
    ...     return tf.constant(0.0) if x < 0.0 else x
    >>> tf.function(clip)(tf.constant(1.0))
    Traceback (most recent call last):
    tfc.errors.OperatorNotAllowedInGraphError: Using a symbolic `tf.Tensor` as a Python `bool`...
    """
    if func is None:
        return do_not_convert
    if not callable(func):
        raise blame.located(TypeError, f"do_not_convert takes a function, got {shown(func)}")
    if isinstance(func, types.MethodType):  # its function may be converted for other objects
        method: Callable[..., Any] = func

        @functools.wraps(method)
        def func(*args: Any, **kwargs: Any) -> Any:
            return method(*args, **kwargs)

    with contextlib.suppress(AttributeError):  # of C, which is not converted
        setattr(func, _FLAG, True)
    return func


def convert(function: Callable[..., Any]) -> Callable[..., Any]:
    """The converted twin of a function, method or object that can be called.

    Args:
        function: What is converted.

    Returns:
        A function of the same arguments, with the closure and the globals of the original; classes,
        and what is not the user's code, is marked by `do_not_convert`, or has no source, as they
        are.

    >>> import tfc as tf
    >>> def clip(x):
    ...     if x > 1.0:
    ...         x = tf.constant(1.0)
    ...     return x
    >>> print(tf.function(tf.autograph.convert(clip))(tf.constant(5.0)))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return _converted(function, False)


def convert_asked(function: Callable[..., Any]) -> Callable[..., Any]:
    """`convert` for what a `tfc.function` is made of: also where that stands in another package."""
    return _converted(function, True)


def convert_called(function: Callable[..., Any], caller: str) -> Callable[..., Any]:
    """`convert` for what converted code of the file `caller` calls: where that is part of an
    installed package, whose function somebody asked for, the rest of the package follows."""
    return _converted(function, _package(caller))


@functools.cache
def _package(file: str) -> str:
    """The place of the installed package that a file is part of; "" for other files."""
    try:
        path = os.path.realpath(file)
    except OSError:
        return ""
    found = None if path.startswith(_OWN) else _INSTALLED.search(path)
    if found is None:
        return ""
    name = re.split(r"[\\/]", path[found.end() :], maxsplit=1)[0]
    return "" if name in _LEFT_ALONE else path[: found.end()] + name


def _converted(function: Callable[..., Any], asked: bool | str) -> Callable[..., Any]:
    if getattr(function, _FLAG, False) is True:
        if isinstance(function, types.FunctionType):
            _reasons[function.__code__] = "it is marked by do_not_convert"
        return function
    if isinstance(function, types.MethodType):
        inner = _converted(function.__func__, asked)
        return (
            function if inner is function.__func__ else types.MethodType(inner, function.__self__)
        )
    if isinstance(function, functools.partial):
        inner = _converted(function.func, asked)
        if inner is function.func:
            return function
        return functools.partial(inner, *function.args, **function.keywords)
    if not isinstance(function, types.FunctionType):
        return _converted_object(function, asked)
    code = function.__code__
    if code in _made or not _is_users(code, asked):
        return function
    known = _code.setdefault(code, {})
    if code.co_filename not in known:
        known[code.co_filename] = _converted_code(code)
    new = known[code.co_filename]
    if new is None:
        return function
    return _twin(function, new)


def _converted_object(f: Any, asked: bool | str) -> Any:
    """The converted method of an object that is called, where there is one."""
    call = getattr(type(f), "__call__", None)  # noqa: B004
    if isinstance(f, type) or not isinstance(call, types.FunctionType):
        return f
    inner = _converted(call, asked)
    return f if inner is call else types.MethodType(inner, f)


def converted_source(function: Callable[..., Any]) -> str:
    """The source of the twin."""
    twin = convert(inspect.unwrap(function) if not inspect.ismethod(function) else function)
    code = getattr(getattr(twin, "__func__", twin), "__code__", None)
    if code is None or code not in _made:
        raise ValueError(f"{function!r} is not converted: {reason(code) or 'no Python function'}")
    return ast.unparse(_made[code])


def reason(code: types.CodeType | None) -> str | None:
    """Why code of the user's was not converted, where there is a reason."""
    return None if code is None else _reasons.get(code)


def _is_users(code: types.CodeType, asked: bool | str) -> bool:
    return _is_users_file(code.co_filename, asked)


@functools.cache
def _is_users_file(file: str, asked: bool | str) -> bool:
    """Whether control flow in a file is to be converted; `asked`: in other packages, too, or in the
    one of this place."""
    if file.startswith("<frozen"):
        return False
    try:
        path = os.path.realpath(file)
    except OSError:
        return True
    if path.startswith(_OWN):
        return False
    if path.startswith(_PACKAGES) or _INSTALLED.search(path):
        return asked if isinstance(asked, bool) else bool(asked) and _package(file) == asked
    return not path.startswith(_STANDARD)


def _converted_code(code: types.CodeType) -> types.CodeType | None:
    if code.co_flags & _YIELDS:
        _reasons[code] = _GENERATOR
        return None
    if not linecache.getlines(code.co_filename):
        _reasons[code] = "its source is not available (typed at a prompt, or made by exec)"
        return None
    found = parsed(code)
    if found is None:
        _reasons[code] = "its source could not be told apart from others on the same line"
        return None
    node, class_name = found
    return _compiled(node, class_name, code)


def _compiled(
    node: ast.FunctionDef | ast.Lambda, class_name: str | None, code: types.CodeType
) -> types.CodeType | None:
    """The code of the converted function: made inside a factory, for its free variables."""
    node = copied(node)
    if isinstance(node, ast.FunctionDef):
        node.decorator_list = []
    node.args = _bare(node.args)
    new = Converter(class_name).visit(node)
    if isinstance(new, ast.Lambda):
        inner: ast.stmt = ast.copy_location(ast.Expr(new), new)
    else:
        new.name = "ag_function"  # its own name is for the function itself to find as it did
        inner = new
    free = ["ag", *code.co_freevars]
    args = ast.arguments([], [ast.arg(n) for n in free], None, [], [], None, [])
    factory = function_def("ag_factory", args, [inner])
    module = ast.fix_missing_locations(ast.Module([factory], []))
    try:
        whole = compile(module, code.co_filename, "exec", dont_inherit=True, flags=_future(code))
    except (SyntaxError, ValueError) as error:
        _reasons[code] = f"it could not be converted: {error}"
        return None
    outer = next(c for c in whole.co_consts if isinstance(c, types.CodeType))
    wanted = "<lambda>" if isinstance(new, ast.Lambda) else new.name
    found = next(
        c for c in outer.co_consts if isinstance(c, types.CodeType) and c.co_name == wanted
    )
    found = found.replace(co_qualname=code.co_qualname, co_name=code.co_name)
    if not isinstance(new, ast.Lambda):
        new.name = code.co_name
    _remember(found, new)
    return found


def _bare(args: ast.arguments) -> ast.arguments:
    """Without defaults and annotations, which the original has evaluated."""
    for a in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
        if a is not None:
            a.annotation = None
    args.defaults = []
    args.kw_defaults = [None] * len(args.kwonlyargs)
    return args


def _future(code: types.CodeType) -> int:
    import __future__

    return code.co_flags & __future__.annotations.compiler_flag


def _remember(code: types.CodeType, tree: ast.AST) -> None:
    _made[code] = tree
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            _remember(inner, tree)


def provide(names: types.ModuleType) -> None:
    """Say what converted code finds under the name `ag`."""
    _ag.cell_contents = names


def _twin(function: types.FunctionType, code: types.CodeType) -> types.FunctionType:
    """A function of the new code with everything else of the old."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells["ag"] = _ag
    closure = tuple(cells[name] for name in code.co_freevars)
    twin = types.FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, closure
    )
    twin.__kwdefaults__ = function.__kwdefaults__
    twin.__qualname__ = function.__qualname__
    twin.__dict__.update(function.__dict__)
    return twin


def _in_comprehension(frame: types.FrameType) -> bool:
    """Whether a comprehension is running: since Python 3.12 most are no frames of their own."""
    code = frame.f_code
    if code.co_name in _COMPREHENSIONS:
        return True
    line, _, column, _ = list(code.co_positions())[frame.f_lasti // 2]
    tree = parsed_file(code.co_filename)
    if tree is None or line is None or column is None:
        return False
    return any(
        _holds(node, line, column)
        and not (isinstance(first, ast.Call) and _holds(first, line, column))
        for node in ast.walk(tree)
        if isinstance(node, COMPREHENSIONS) and (first := node.generators[0].iter)
    )


def _holds(node: ast.expr, line: int, column: int) -> bool:
    """Whether a place is in an expression."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    start, end = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
    return start <= (line, column) < end


def why_python_decides() -> str:
    """Why the control flow that is running now is Python's own, and what to do about it."""
    frame = sys._getframe(1)
    while frame is not None and not _is_users(frame.f_code, False):
        frame = frame.f_back  # type: ignore[assignment]
    code = None if frame is None else frame.f_code
    if frame is None or code is None or code.co_name == "<module>":
        return "Compute with ops (tfc.where, tfc.cond), or move this line out of the function."
    if context.autograph and _in_comprehension(frame):
        return (
            "Comprehensions stay Python's own: write a `for` loop and a tfc.TensorArray, or use "
            "tfc.where or tfc.map_fn."
        )
    why = _GENERATOR if code.co_flags & _YIELDS else reason(code)
    if why is None and not context.autograph:
        why = "the function is traced with autograph=False"
    if why is None and code not in _made:
        why = "it is called by code that is not converted, such as a library's"
    if why is not None:
        return (
            f"`if`, `while` and `for` in {code.co_name} stay Python's own, because {why}: use "
            "tfc.cond, tfc.while_loop or tfc.where there."
        )
    return (
        "What is called on this line is not converted and looks at the value: use ops in its "
        "place (tfc.where, tfc.sort, tfc.reduce_any)."
    )
