"""Imports inside tfc/ point down: rooms, families of ops, modules. There are no exceptions.

Every import counts, at any depth of a file: lazy ones and those under TYPE_CHECKING too. What a
lower room needs of a higher one is asked of `tfc.core.above`.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import tfc
from tfc.compat.hints import hint
from tfc.core import above

HERE = Path(str(tfc.__file__)).parent
ROOMS = [
    "core",
    "records",
    "profiler",
    "dispatch",
    "ops",
    "control_flow",
    "autodiff",
    "function",
    "autograph",
]
# Beside each other: none imports another.
TOP = ["debug", "saved_model", "data", "summary", "train", "explore"]
# Stands above them: it divides data, and lets one process write checkpoints.
LAST = ["distribute"]
# Namespaces that are written with the public names.
FRONTS = ["compat", "contrib", "experimental", "keras", "linear_operators"]
# Inside the room of ops: first what all families use, then the families (what maps numbers to
# numbers, what moves them, what is made of both), then what attaches ops to Python.
FAMILIES = [
    ["declare", "arguments", "clock", "extents", "on_host"],
    ["math"],
    ["array"],
    ["linalg"],
    ["random"],
    ["sparse"],
    ["ragged"],
    ["strings"],
    ["lookup"],
    ["files"],
    ["parsing"],
    ["signal"],
    ["nn"],
    ["image"],
    ["composites"],
    ["operators", "printing"],
]
# The modules among the public names. No other one of tfc's may have a name that TensorFlow gives to
# something else (a room called `gradients` would be found as `tf.gradients`).
NAMESPACES = [
    "audio",
    "autodiff",
    "autograph",
    "bitwise",
    "compat",
    "config",
    "data",
    "debugging",
    "distribute",
    "dtypes",
    "errors",
    "experimental",
    "graph_util",
    "image",
    "io",
    "ir",
    "linalg",
    "lookup",
    "math",
    "nest",
    "nn",
    "profiler",
    "quantization",
    "queue",
    "ragged",
    "random",
    "raw_ops",
    "saved_model",
    "sets",
    "signal",
    "sparse",
    "strings",
    "summary",
    "test",
    "train",
    "version",
    "xla",
]

Module = tuple[str, ...]  # ("ops", "math", "bits"); () is tfc/__init__


def files() -> list[Path]:
    below = {HERE / "ir", HERE / "backends"}  # links, with a test of their own
    return sorted(f for f in HERE.rglob("*.py") if not below & set(f.parents))


def module_of(file: Path) -> Module:
    parts = file.relative_to(HERE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


MODULES = {module_of(file): file for file in files()}


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """All statements in `node`, at any depth. What imports is one, and most of a tree is none."""
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, part, ()):
            if isinstance(inner, ast.stmt):
                yield inner
            yield from statements(inner)


@cache
def imports(module: Module) -> list[tuple[int, Module]]:
    """The modules of tfc/ that a module imports, with the lines."""
    return list(_imports(MODULES[module]))


def _imports(file: Path) -> Iterator[tuple[int, Module]]:
    home = ("tfc", *file.relative_to(HERE).parts[:-1])
    for node in statements(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            named = [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = home[: len(home) - node.level + 1] if node.level else ()
            base += tuple((node.module or "").split(".")) if node.module else ()
            named = [(*base, alias.name) for alias in node.names]
        else:
            continue
        for name in named:
            if name[0] != "tfc" or name[1:2] in (("ir",), ("backends",)):
                continue
            parts = name[1:]
            while parts not in MODULES:  # a name inside of a module
                parts = parts[:-1]
            yield node.lineno, parts


def room(module: Module) -> str:
    """A room's name; "" for the front: tfc/__init__, the façades, whole namespaces."""
    inside = len(module) > 0 and (HERE / module[0]).is_dir() and module[0] not in FRONTS
    return module[0] if inside else ""


def shown(module: Module) -> str:
    return ".".join(("tfc", *module))


def of_each(modules: Iterable[Module]) -> Callable[[Callable[[Module], None]], Callable[[], None]]:
    """One test of all modules that names all which are wrong: a test of each would cost more than
    what it does."""
    named = list(modules)
    assert named

    def decorate(check: Callable[[Module], None]) -> Callable[[], None]:
        def test() -> None:
            wrong = []
            for module in named:
                try:
                    check(module)
                except AssertionError as error:
                    wrong.append(str(error))
            assert not wrong, "\n".join(wrong)

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return decorate


@of_each(MODULES)
def test_imports_point_down(module: Module) -> None:
    here = room(module)
    if here == "":
        return
    assert here in [*ROOMS, *TOP, *LAST], f"tfc/{here} is in no list: say what stands below it"
    below = ROOMS[: ROOMS.index(here) + 1] if here in ROOMS else [*ROOMS, here]
    if here in LAST:
        below = [*ROOMS, *TOP, *LAST]
    for line, target in imports(module):
        assert room(target) in below, f"{MODULES[module]}:{line} imports {shown(target)}"


@of_each(m for m in MODULES if m[:1] == ("ops",) and m[1:])
def test_families_of_ops_have_an_order(module: Module) -> None:
    order = {name: i for i, names in enumerate(FAMILIES) for name in names}
    assert module[1] in order, f"tfc/ops/{module[1]} is in no list: say what stands below it"
    for line, target in imports(module):
        if target[:1] == ("ops",) and target[1] != module[1]:
            assert order[target[1]] < order[module[1]], (
                f"{MODULES[module]}:{line} imports {shown(target)}"
            )


def circles(edges: dict[Module, set[Module]]) -> list[list[Module]]:
    """The strongly connected components of more than one module (R. Tarjan, 1972)."""
    number: dict[Module, int] = {}
    lowest: dict[Module, int] = {}
    stack: list[Module] = []
    found: list[list[Module]] = []

    def visit(module: Module) -> None:
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for target in edges[module]:
            if target not in number:
                visit(target)
            if target in stack:
                lowest[module] = min(lowest[module], lowest[target])
        if lowest[module] == number[module]:
            circle = stack[stack.index(module) :]
            del stack[-len(circle) :]
            if len(circle) > 1:
                found.append(circle)

    for module in list(edges):
        if module not in number:
            visit(module)
    return found


def test_modules_form_no_circle() -> None:
    """A module imports the packages that it imports something from as well, but for those that it
    stands in itself."""
    edges: dict[Module, set[Module]] = defaultdict(set)
    for module in MODULES:
        for _, target in imports(module):
            packages = {target[:n] for n in range(1, len(target))}
            edges[module] |= {target} | {p for p in packages if module[: len(p)] != p}
    assert circles(edges) == []


def test_circles_are_found() -> None:
    a, b, c, d = ("a",), ("b",), ("c",), ("d",)
    assert circles({a: {b}, b: {c}, c: {b, d}, d: set()}) == [[b, c]]


def test_what_is_asked_of_above_is_there() -> None:
    """Each name is set once tfc is imported, and used below the module that sets it."""
    text = Path(str(above.__file__)).read_text()
    names = [
        node.target.id
        for node in ast.parse(text).body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    ]
    assert names
    order = ["", *LAST, *reversed(TOP), *reversed(ROOMS)]  # the front is highest
    texts = {module: file.read_text() for module, file in MODULES.items()}
    sets = {m: set(re.findall(r"above\.(\w+) = ", text)) for m, text in texts.items()}
    uses = {m: set(re.findall(r"\babove\.(\w+)[(\n]", text)) for m, text in texts.items()}
    for name in names:
        assert callable(getattr(above, name, None)), f"nobody sets above.{name}"
        setters = {m for m, found in sets.items() if name in found}
        users = {m for m, found in uses.items() if name in found}
        assert len(setters) == 1 and users, (name, setters, users)
        (setter,) = setters
        for user in users:
            assert user != setter and order.index(room(user)) >= order.index(room(setter)), name


def test_no_function_is_hidden_by_a_module() -> None:
    public = {name: getattr(tfc, name) for name in dir(tfc)}
    assert sorted(n for n, v in public.items() if isinstance(v, ModuleType)) == NAMESPACES
    for module in MODULES:
        if len(module) == 1 and module[0] not in (*NAMESPACES, *FRONTS):
            name = module[0]
            assert name not in public or callable(public[name]), f"tfc.{name} is hidden"
            assert not hint(name), f"tfc/{name} hides what tf.{name} has a hint for"


def test_facades_list_their_names() -> None:
    """What a type checker takes for public are the names in a literal `__all__`."""
    for module, file in MODULES.items():
        if len(module) > 1 or (module and file.name == "__init__.py"):
            continue
        tree = ast.parse(file.read_text())
        (listed,) = (
            ast.literal_eval(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        )
        facade = importlib.import_module(shown(module))
        bound = {alias.asname or alias.name for node in tree.body for alias in names_of(node)}
        missing = {n for n in bound if not n.startswith("_")} - {*listed, "annotations"}
        assert not missing and not [n for n in listed if not hasattr(facade, n)], shown(module)


def names_of(node: ast.stmt) -> list[ast.alias]:
    return node.names if isinstance(node, ast.Import | ast.ImportFrom) else []
