"""Python's control flow as calls, on the syntax tree.

    if c:                  def ag_then(): nonlocal y; y = f(x)
        y = f(x)           def ag_else(): nonlocal y; y = g(x)
    else:                  def ag_get(): return (y,)
        y = g(x)           def ag_set(ag_values): nonlocal y; (y,) = ag_values
                           ag.if_stmt(c, ag_then, ag_else, ag_get, ag_set, ("y",))

`if_stmt` and its like (operators.py, loops.py) look at the value when the line runs: Python values
branch and loop as Python does, tensors make `cond` and `while_loop`. Before that, jumps are taken
out (`Jumps`): what stands behind an `if` that may leave is moved into the branch that goes on, so
that every block has one end. All new nodes carry the lines of what they were made from.

Left as it is, with a check that no tensor decides: statements that cannot become functions
(`del`, returns out of `with` and `try`), and whatever holds `yield` or `await`.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

Node = TypeVar("Node", bound=ast.AST)

RESULT, RETURNED, BROKE = "ag_result", "ag_returned", "ag_broke"
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def within(nodes: Iterable[ast.AST], stop: tuple[type, ...] = _SCOPES) -> Iterable[ast.AST]:
    """The nodes and all below them, but not inside of other scopes."""
    waiting = [*nodes][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, stop):
            waiting.extend([*ast.iter_child_nodes(node)][::-1])


def _has(nodes: Iterable[ast.AST], *kinds: type) -> bool:
    return any(isinstance(n, kinds) for n in within(nodes))


def _leaves_loop(nodes: Iterable[ast.AST]) -> bool:
    """Whether a break, continue or return of the loop around stands here."""
    for node in nodes:
        if isinstance(node, ast.Break | ast.Continue | ast.Return):
            return True
        if isinstance(node, ast.For | ast.While):
            if _has(node.body, ast.Return) or _leaves_loop(node.orelse):
                return True
        elif not isinstance(node, _SCOPES) and _leaves_loop(ast.iter_child_nodes(node)):
            return True
    return False


def stored_names(nodes: Iterable[ast.AST]) -> list[str]:
    """The names that statements give values to, in order of appearance."""
    found: dict[str, None] = {}

    def look(node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = None
            return
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, _COMPREHENSIONS):
            for inner in ast.walk(node):
                if isinstance(inner, ast.NamedExpr):
                    found[inner.target.id] = None
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        elif isinstance(node, ast.alias):
            found[(node.asname or node.name).partition(".")[0]] = None
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            found[node.name] = None
        for child in ast.iter_child_nodes(node):
            look(child)

    for node in nodes:
        look(node)
    return list(found)


_CHANGING = {
    *("append", "extend", "insert", "pop", "popitem", "remove", "clear", "sort", "reverse"),
    *("update", "setdefault"),
}


def _chain(node: ast.expr) -> str | None:
    """The text of `a.b.c`; None for other expressions."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def touched_places(nodes: Iterable[ast.AST], names: Sequence[str]) -> dict[str, ast.expr]:
    """What else statements change: attributes `a.b` that they set, and, as `a[]`, the contents of
    lists and dicts. Not of what the statements themselves give a value to."""
    found: dict[str, ast.expr] = {}

    def note(node: ast.expr, ending: str) -> None:
        chain = _chain(node)
        if chain and chain.partition(".")[0] not in names:
            found[chain + ending] = node

    for node in within(nodes):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            note(node, "")
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            note(node.value, "[]")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr in _CHANGING:
                note(node.func.value, "[]")
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            note(node.target, "[]")
    return found


class Unconvertible(Exception):
    """A statement that stays as it is; the message says why."""


# Jumps.


def _assign(name: str, value: ast.expr, at: ast.AST) -> ast.stmt:
    return ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), at)


def _load(name: str, at: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Name(name, ast.Load()), at)


def _const(value: Any, at: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Constant(value), at)


def _ends(block: Sequence[ast.stmt]) -> bool:
    """Whether what follows the block is never reached."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue):
        return True
    if isinstance(last, ast.If):
        return _ends(last.body) and _ends(last.orelse)
    if isinstance(last, ast.With):
        return _ends(last.body)
    return False


class Jumps:
    """Takes break, continue and return out of a function's loops and branches."""

    def function(self, body: list[ast.stmt]) -> list[ast.stmt]:
        if not self._nested_return(body):
            return self.loops(body)
        block = self.loops(self._pushed(self._loops_with_returns(body), ast.Return))
        return self._one_return(block)

    def _nested_return(self, body: Sequence[ast.stmt]) -> bool:
        return any(not isinstance(s, ast.Return) and _has([s], ast.Return) for s in body)

    # Returns.

    def _loops_with_returns(self, block: list[ast.stmt]) -> list[ast.stmt]:
        """A return inside a loop notes the result and breaks; behind the loop it returns."""
        out: list[ast.stmt] = []
        for s in block:
            if isinstance(s, ast.For | ast.While) and _has([s], ast.Return):
                if _has(s.orelse, ast.Return) or self._guarded(s.body):
                    out.append(s)  # stays as it is, see Converter
                    continue
                out.append(_assign(RETURNED, _const(False, s), s))
                out.append(self._noting(s))
                back = ast.copy_location(ast.Return(_load(RESULT, s)), s)
                out.append(ast.copy_location(ast.If(_load(RETURNED, s), [back], []), s))
                continue
            if isinstance(s, ast.If):
                s.body = self._loops_with_returns(s.body)
                s.orelse = self._loops_with_returns(s.orelse)
            out.append(s)
        return out

    def _guarded(self, block: Sequence[ast.stmt]) -> bool:
        """Whether a return stands inside of `with`, `try` or `match`."""
        return any(
            isinstance(n, ast.With | ast.Try | ast.Match) and _has([n], ast.Return)
            for n in within(block)
        )

    def _noting(self, loop: ast.For | ast.While) -> ast.stmt:
        loop.body = self._noted(loop.body)
        return loop

    def _noted(self, block: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in block:
            if isinstance(s, ast.Return):
                out.append(_assign(RESULT, s.value or _const(None, s), s))
                out.append(_assign(RETURNED, _const(True, s), s))
                out.append(ast.copy_location(ast.Break(), s))
                return out
            if isinstance(s, ast.For | ast.While) and _has([s], ast.Return):
                out.append(self._noting(s))
                leave = ast.copy_location(ast.Break(), s)
                out.append(ast.copy_location(ast.If(_load(RETURNED, s), [leave], []), s))
                continue
            if isinstance(s, ast.If):
                s.body, s.orelse = self._noted(s.body), self._noted(s.orelse)
            out.append(s)
        return out

    def _pushed(self, block: list[ast.stmt], *kinds: type) -> list[ast.stmt]:
        """What stands behind an `if` that may jump goes into the branches that do not."""
        out: list[ast.stmt] = []
        for i, s in enumerate(block):
            out.append(s)
            if isinstance(s, kinds):
                return out
            jumps = isinstance(s, ast.If) and self._jumps(s, kinds)
            if isinstance(s, ast.If) and jumps and not self._stuck(s):
                rest = block[i + 1 :]
                open_ends = [b for b in (s.body, s.orelse) if not _ends(b)]
                for branch in open_ends:
                    branch += copy.deepcopy(rest) if branch is not open_ends[-1] else rest
                s.body = self._pushed(s.body, *kinds)
                s.orelse = self._pushed(s.orelse, *kinds)
                return out
        return out

    def _jumps(self, s: ast.stmt, kinds: tuple[type, ...]) -> bool:
        if ast.Return in kinds:
            return _has([s], ast.Return)
        return _leaves_loop([s])

    def _stuck(self, s: ast.stmt) -> bool:
        return self._guarded([s])

    def _one_return(self, block: list[ast.stmt]) -> list[ast.stmt]:
        """A block whose last `if` returns in its branches: they note the result instead."""
        last = block[-1] if block else None
        if not isinstance(last, ast.If) or not _has([last], ast.Return) or self._stuck(last):
            return block
        if any(_has([s], ast.Return) for s in block[:-1]):
            return block
        self._note_last(last)
        back = ast.copy_location(ast.Return(_load(RESULT, last)), last)
        return [*block, back]

    def _note_last(self, s: ast.If) -> None:
        for name in ("body", "orelse"):
            branch: list[ast.stmt] = getattr(s, name)
            last = branch[-1] if branch else None
            if isinstance(last, ast.Return):
                branch[-1] = _assign(RESULT, last.value or _const(None, last), last)
            elif isinstance(last, ast.If) and _has([last], ast.Return):
                self._note_last(last)
            elif not isinstance(last, ast.Raise):
                branch.append(_assign(RESULT, _const(None, s), s))
            setattr(s, name, branch)

    # Loops.

    def loops(self, block: list[ast.stmt]) -> list[ast.stmt]:
        """Loops without break and continue: a flag ends them."""
        out: list[ast.stmt] = []
        for s in block:
            if isinstance(s, ast.For | ast.While) and self._plain_jumps(s.body):
                s.body = self._pushed(s.body, ast.Break, ast.Continue)
                breaks = self._take_out(s.body)
                s.body = self.loops(s.body)
                orelse = self.loops(s.orelse)
                s.orelse = []
                if breaks:
                    flag = f"{BROKE}_{s.lineno}_{s.col_offset}"
                    _Rename(flag).visit(ast.Module(s.body, []))
                    out.append(_assign(flag, _const(False, s), s))
                    s.ag_flag = flag  # type: ignore[union-attr]
                    unbroken = ast.copy_location(ast.UnaryOp(ast.Not(), _load(flag, s)), s)
                    if orelse:
                        orelse = [ast.copy_location(ast.If(unbroken, orelse, []), s)]
                out.append(s)
                out += orelse
                continue
            for name in ("body", "orelse", "finalbody"):
                if isinstance(s, _SCOPES):
                    break
                if isinstance(getattr(s, name, None), list):
                    setattr(s, name, self.loops(getattr(s, name)))
            for handler in getattr(s, "handlers", []):
                handler.body = self.loops(handler.body)
            out.append(s)
        return out

    def _plain_jumps(self, body: Sequence[ast.stmt]) -> bool:
        """Whether all jumps of a loop stand in nothing but branches."""

        def fits(block: Sequence[ast.stmt]) -> bool:
            for s in block:
                if isinstance(s, ast.If):
                    if not fits(s.body) or not fits(s.orelse):
                        return False
                elif isinstance(s, ast.For | ast.While):
                    if _has([s], ast.Return):
                        return False
                elif isinstance(s, ast.With | ast.Try | ast.Match):
                    if _leaves_loop([s]):
                        return False
                elif isinstance(s, ast.Return):
                    return False
            return True

        return fits(body)

    def _take_out(self, block: list[ast.stmt]) -> bool:
        """Replace breaks by a flag, drop continues; whether there was a break."""
        found = False
        if block and isinstance(block[-1], ast.Break):
            block[-1] = _assign(BROKE, _const(True, block[-1]), block[-1])
            found = True
        elif block and isinstance(block[-1], ast.Continue):
            block[-1] = ast.copy_location(ast.Pass(), block[-1])
        for s in block:
            if isinstance(s, ast.If):
                found |= self._take_out(s.body)
                found |= self._take_out(s.orelse)
        return found


class _Rename(ast.NodeTransformer):
    """Gives the flag of this loop its own name; inner loops had theirs before."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id == BROKE:
            node.id = self.name
        return node


# Conversion.


class Converter(ast.NodeTransformer):
    """Converts one function and those inside of it."""

    def __init__(self, class_name: str | None = None) -> None:
        self.class_name = (class_name or "").lstrip("_")
        self.states: list[dict[str, None]] = []  # per function: names that must be initialised
        self.globals: list[set[str]] = [set()]  # per function: the names that it says are global
        self.truths: set[ast.AST] = set()  # `and` and `or` of which only the truth matters
        self.first: str | None = None  # the first argument of the function around: super()'s

    # Scopes.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if _has(node.body, ast.Yield, ast.YieldFrom, ast.Await):
            return node
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.args = self.visit(node.args)
        node.name = self._mangled(node.name)
        around = self.first
        self.first = next((a.arg for a in (*node.args.posonlyargs, *node.args.args)), None)
        node.body = self._function_body(node.body, node.args)
        self.first = around
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        if _has([node.body], ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr):
            return node
        node.args = self.visit(node.args)
        around, self.first = self.first, None
        node.body = self.visit(node.body)
        self.first = around
        return node

    def _function_body(self, body: list[ast.stmt], args: ast.arguments) -> list[ast.stmt]:
        doc = body[:1] if isinstance(body[0], ast.Expr) and ast.get_docstring(_Doc(body)) else []
        body = Jumps().function(body[len(doc) :])
        declared = [n for n in within(body) if isinstance(n, ast.Global | ast.Nonlocal)]
        self.states.append({})
        self.globals.append({x for n in declared if isinstance(n, ast.Global) for x in n.names})
        body = self.block(body)
        given = {a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
        given |= {a.arg for a in (args.vararg, args.kwarg) if a}
        given |= {x for n in declared for x in n.names}
        names = [n for n in self.states.pop() if n not in given]
        self.globals.pop()
        start = [self._undefined(n, body[0] if body else args) for n in names]
        declarations = [s for s in body if isinstance(s, ast.Global | ast.Nonlocal)]
        rest = [s for s in body if not isinstance(s, ast.Global | ast.Nonlocal)]
        return [*doc, *declarations, *start, *rest] or [ast.Pass()]

    def _undefined(self, name: str, at: ast.AST) -> ast.stmt:
        made = self._ag("Undefined", [ast.Constant(name)], at)
        return self._at(ast.Assign([ast.Name(name, ast.Store())], made), at)

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            converted = self.visit(s)
            out += converted if isinstance(converted, list) else [converted]
        return out

    # Small change.

    def _at(self, node: Node, at: ast.AST) -> Node:
        """`node` and what is new below it, on the first line of `at`."""
        for n in ast.walk(node):
            if "lineno" in n._attributes and not hasattr(n, "lineno"):
                ast.copy_location(n, at)
                n.end_lineno, n.end_col_offset = n.lineno, n.col_offset  # type: ignore
        return node

    def _ag(self, name: str, args: Sequence[ast.expr], at: ast.AST) -> ast.expr:
        function = ast.Attribute(ast.Name("ag", ast.Load()), name, ast.Load())
        call = self._at(ast.Call(function, list(args), []), at)
        assert isinstance(call, ast.expr)
        return call

    def _function(
        self, name: str, body: Sequence[ast.stmt], names: Sequence[str], at: ast.AST, *params: str
    ) -> ast.stmt:
        """A function of a statement's body, in which `names` are those around it."""
        head: list[ast.stmt] = []
        shared = [n for n in names if n not in self.globals[-1]]
        if shared:
            head.append(ast.Nonlocal(shared))
        if len(shared) < len(names):
            head.append(ast.Global([n for n in names if n not in shared]))
        args = ast.arguments([], [ast.arg(p) for p in params], None, [], [], None, [])
        made = ast.FunctionDef(name, args, [*head, *(body or [ast.Pass()])], [], None, None)
        return self._at(made, at)

    def _lambda(self, body: ast.expr, at: ast.AST) -> ast.expr:
        empty = ast.arguments([], [], None, [], [], None, [])
        made = self._at(ast.Lambda(empty, body), at)
        assert isinstance(made, ast.expr)
        return made

    def _state(
        self, names: Sequence[str], places: dict[str, ast.expr], at: ast.AST
    ) -> list[ast.stmt]:
        """Functions that get and set the names, and the attributes and contents at `places`."""
        self.states[-1].update(dict.fromkeys(names))
        loads: list[ast.expr] = [ast.Name(n, ast.Load()) for n in names]
        stores: list[ast.expr] = [ast.Name(n, ast.Store()) for n in names]
        more: list[ast.stmt] = []
        for i, (label, node) in enumerate(places.items()):
            inside = label.endswith("[]")
            owner = copy.deepcopy(node if inside else node.value)  # type: ignore[attr-defined]
            for n in ast.walk(owner):
                if hasattr(n, "ctx"):
                    n.ctx = ast.Load()
            parts: list[ast.expr] = [self._lambda(self.visit(owner), at)]
            if not inside:
                parts.append(ast.Constant(self._mangled(node.attr)))  # type: ignore[attr-defined]
            kind = "contents" if inside else "attribute"
            loads.append(self._ag(f"get_{kind}", [*parts, ast.Constant(label)], at))
            value = f"ag_value{i}"
            stores.append(ast.Name(value, ast.Store()))
            again = copy.deepcopy(parts)
            call = self._ag(f"set_{kind}", [*again, ast.Name(value, ast.Load())], at)
            more.append(ast.Expr(call))
        get = self._function("ag_get", [ast.Return(ast.Tuple(loads, ast.Load()))], [], at)
        body: list[ast.stmt] = []
        if stores:
            body = [ast.Assign([ast.Tuple(stores, ast.Store())], ast.Name("ag_values", ast.Load()))]
        return [get, self._function("ag_set", [*body, *more], names, at, "ag_values")]

    def _names(self, names: Sequence[str]) -> ast.expr:
        return ast.Tuple([ast.Constant(n) for n in names], ast.Load())

    def _check(self, nodes: Sequence[ast.stmt]) -> None:
        """Raise where statements cannot become functions of their own."""
        for n in within(nodes):
            if isinstance(n, ast.Return):
                raise Unconvertible("a return out of a `with`, `try` or loop with `else`")
            if isinstance(n, ast.Delete) and any(isinstance(t, ast.Name) for t in n.targets):
                raise Unconvertible("`del` of a variable")
            if isinstance(n, ast.Global | ast.Nonlocal):
                raise Unconvertible("a `global` or `nonlocal` declaration inside it")
            if isinstance(n, ast.ImportFrom) and n.names[0].name == "*":
                raise Unconvertible("an import of `*`")
            if isinstance(n, ast.Yield | ast.YieldFrom | ast.Await):
                raise Unconvertible("`yield` or `await`")
        if _leaves_loop(nodes):
            raise Unconvertible("a break or continue out of a `with` or `try`")

    def _plain(self, test: ast.expr, why: Unconvertible, at: ast.AST) -> ast.expr:
        return self._ag("python_test", [test, ast.Constant(str(why))], at)

    # Statements.

    def _condition(self, test: ast.expr) -> ast.expr:
        """A test, of which only the truth matters."""
        self.truths.update(_truths(test))
        converted = self.visit(test)
        assert isinstance(converted, ast.expr)
        return converted

    def visit_If(self, node: ast.If) -> list[ast.stmt] | ast.stmt:
        test = self._condition(node.test)
        try:
            self._check([*node.body, *node.orelse])
        except Unconvertible as why:
            node.test = self._plain(test, why, node)
            node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            return node
        names = stored_names([*node.body, *node.orelse])
        places = touched_places([*node.body, *node.orelse], names)
        then, orelse = self.block(node.body), self.block(node.orelse)
        functions = [("ag_then", then), ("ag_else", orelse)]
        out = [self._function(name, body, names, node) for name, body in functions]
        out += self._state(names, places, node)
        args = [
            test,
            *(ast.Name(n, ast.Load()) for n in ("ag_then", "ag_else", "ag_get", "ag_set")),
        ]
        call = self._ag("if_stmt", [*args, self._names([*names, *places])], node)
        return [*out, self._at(ast.Expr(call), node)]

    def visit_While(self, node: ast.While) -> list[ast.stmt] | ast.stmt:
        flag = getattr(node, "ag_flag", None)
        test = self._condition(node.test)
        try:
            self._check(node.body)
            if node.orelse:
                raise Unconvertible("an `else` of a loop")
        except Unconvertible as why:
            node.test = self._plain(test, why, node)
            node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            return node
        if flag:
            unbroken = self._ag("not_", [ast.Name(flag, ast.Load())], node)
            test = self._ag("and_", [unbroken, self._lambda(test, node)], node)
        names = stored_names(node.body)
        places = touched_places([node.test, *node.body], names)
        body = self.block(node.body)
        out = [
            self._function("ag_test", [ast.Return(test)], [], node),
            self._function("ag_body", body, names, node),
            *self._state(names, places, node),
        ]
        args = [ast.Name(n, ast.Load()) for n in ("ag_test", "ag_body", "ag_get", "ag_set")]
        call = self._ag("while_stmt", [*args, self._names([*names, *places])], node)
        return [*out, self._at(ast.Expr(call), node)]

    def visit_For(self, node: ast.For) -> list[ast.stmt] | ast.stmt:
        flag = getattr(node, "ag_flag", None)
        source = self.visit(node.iter)
        if isinstance(source, ast.Call) and _called(source.func) == "callee":
            source.func.func.attr = "iterated"  # type: ignore[attr-defined]
        try:
            self._check(node.body)
            if node.orelse:
                raise Unconvertible("an `else` of a loop")
        except Unconvertible as why:
            node.iter = self._ag("python_iterable", [source, ast.Constant(str(why))], node)
            node.body, node.orelse = self.block(node.body), self.block(node.orelse)
            return node
        names = stored_names([node.target, *node.body])
        places = touched_places([node.target, *node.body], names)
        item = self._at(ast.Assign([node.target], ast.Name("ag_item", ast.Load())), node.target)
        body = [item, *self.block(node.body)]
        extra: ast.expr = ast.Constant(None)
        if flag:
            unbroken = self._ag("not_", [ast.Name(flag, ast.Load())], node)
            extra = self._lambda(unbroken, node)
        out = [
            self._function("ag_body", body, names, node, "ag_item"),
            *self._state(names, places, node),
        ]
        args = [source, extra, *(ast.Name(n, ast.Load()) for n in ("ag_body", "ag_get", "ag_set"))]
        call = self._ag("for_stmt", [*args, self._names([*names, *places])], node)
        return [*out, self._at(ast.Expr(call), node)]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if not isinstance(node.target, ast.Name):
            self.generic_visit(node)
            return node
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        target = ast.Name(self._mangled(node.target.id), ast.Store())
        return self._at(ast.Assign([target], self.visit(node.value)), node)

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        message = self.visit(node.msg) if node.msg else ast.Constant(None)
        test = self._condition(node.test)
        call = self._ag("assert_stmt", [test, self._lambda(message, node)], node)
        return self._at(ast.Expr(call), node)

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        self.generic_visit(node)
        if node.exc is not None:
            node.exc = self._ag("raised", [node.exc], node)
        return node

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        if node.value is not None:
            node.value = self._ag("returned", [self.visit(node.value)], node)
        return node

    # Expressions.

    def _has_walrus(self, *nodes: ast.expr) -> bool:
        return _has(nodes, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        if self._has_walrus(*node.values):
            return node
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        name += "" if node in self.truths else "value"
        *first, last = [self.visit(v) for v in node.values]
        result: ast.expr = last
        for value in reversed(first):
            result = self._ag(name, [value, self._lambda(result, node)], node)
        return result

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return self._ag("not_", [self._condition(node.operand)], node)
        node.operand = self.visit(node.operand)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        if self._has_walrus(node.test, node.body, node.orelse):
            return node
        test = self._condition(node.test)
        body, orelse = self.visit(node.body), self.visit(node.orelse)
        parts = [test, self._lambda(body, node), self._lambda(orelse, node)]
        return self._ag("if_exp", parts, node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        node.left = self.visit(node.left)
        node.comparators = [self.visit(c) for c in node.comparators]
        if isinstance(node.ops[0], ast.Is | ast.IsNot) and isinstance(node.left, ast.Name):
            node.left = self._ag("returned", [node.left], node)
        if len(node.ops) == 1 or self._has_walrus(node):
            return node
        return self._chain(node.left, node.ops, node.comparators, node)

    def _chain(
        self, left: ast.expr, ops: list[ast.cmpop], rights: list[ast.expr], node: ast.Compare
    ) -> ast.expr:
        """`a < b < c` as `a < b and b < c`. What stands in the middle is computed once, behind what
        is left of it: it gets a name, as the parameter of a function."""
        if len(ops) == 1:
            return ast.copy_location(ast.Compare(left, ops, rights), node)
        middle = rights[0]
        simple = isinstance(middle, ast.Name | ast.Constant)
        names = ("ag_left", "ag_middle")
        a, b = (left, middle) if simple else (_load(n, node) for n in names)
        first = ast.copy_location(ast.Compare(a, [ops[0]], [b]), node)
        rest = self._chain(copy.deepcopy(b), ops[1:], rights[1:], node)
        both = self._ag("and_", [first, self._lambda(rest, node)], node)
        if simple:
            return both
        parameters = [ast.copy_location(ast.arg(n), node) for n in names]
        named = ast.Lambda(ast.arguments([], parameters, None, [], [], None, []), both)
        return ast.copy_location(ast.Call(ast.copy_location(named, node), [left, middle], []), node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        special = ("super", "locals", "globals", "vars", "eval", "exec", "dir")
        if not (isinstance(node.func, ast.Name) and node.func.id in special):
            node.func = self._ag("callee", [self.visit(node.func)], node.func)
        elif node.func.id == "super" and not node.args and self.first:
            # Python takes the first argument of the function that runs, which may be a branch.
            node.args = [_load("__class__", node), _load(self.first, node)]
            return node
        node.args = [self.visit(a) for a in node.args]
        node.keywords = [self.visit(k) for k in node.keywords]
        return node

    # Private names, which the compiler would have spelt out inside of the class.

    def _mangled(self, name: str) -> str:
        private = name.startswith("__") and not name.endswith("__")
        return f"_{self.class_name}{name}" if private and self.class_name else name

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        node.value = self.visit(node.value)
        node.attr = self._mangled(node.attr)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        node.id = self._mangled(node.id)
        return node


def _truths(test: ast.expr) -> Iterable[ast.AST]:
    """The `and` and `or` that make up a condition."""
    if isinstance(test, ast.BoolOp):
        yield test
        for value in test.values:
            yield from _truths(value)


def _called(f: ast.expr) -> str | None:
    """The name of what is called in `ag.name(...)`."""
    if isinstance(f, ast.Call) and isinstance(f.func, ast.Attribute):
        return f.func.attr if getattr(f.func.value, "id", None) == "ag" else None
    return None


def _Doc(body: list[ast.stmt]) -> ast.Module:
    """What `ast.get_docstring` wants to see."""
    return ast.Module(body[:1], [])
