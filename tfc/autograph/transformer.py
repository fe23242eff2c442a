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
(`del` of a `nonlocal`, returns out of `with` and `try`), and whatever holds `yield` or `await`.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Sequence
from typing import TypeVar

from .jumps import Jumps
from .liveness import mark_loops
from .named_expressions import tests_in_statements
from .syntax import COMPREHENSIONS, children, function_def, has, leaves_loop, load, within

Node = TypeVar("Node", bound=ast.AST)


def stored_names(nodes: Iterable[ast.AST]) -> list[str]:
    """The names that statements give values to, in order of appearance."""
    found: dict[str, None] = {}

    def look(node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = None
            return
        if isinstance(node, ast.Lambda):
            return
        if isinstance(node, COMPREHENSIONS):
            for inner in ast.walk(node):
                if isinstance(inner, ast.NamedExpr):
                    found[inner.target.id] = None
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
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
    """The text of `a.b[0].c`, with constants or names in the brackets; None for others."""
    text = ""
    while True:
        if isinstance(node, ast.Attribute):
            text = f".{node.attr}{text}"
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant | ast.Name):
            text = f"[{ast.unparse(node.slice)}]{text}"
        else:
            return node.id + text if isinstance(node, ast.Name) else None
        node = node.value


def touched_places(nodes: Iterable[ast.AST], names: Iterable[str]) -> dict[str, ast.expr]:
    """What else statements change: attributes `a.b` that they set, and, as `a[]`, the contents of
    lists and dicts. Not of what the statements themselves give a value to."""
    found: dict[str, ast.expr] = {}
    names = frozenset(names)

    def note(node: ast.expr, ending: str) -> None:
        chain = _chain(node)
        if chain and names.isdisjoint(n.id for n in ast.walk(node) if isinstance(n, ast.Name)):
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


# Conversion.


class Converter(ast.NodeTransformer):
    """Converts one function and those inside of it."""

    def __init__(self, class_name: str | None = None) -> None:
        self.class_name = (class_name or "").lstrip("_")
        self.states: list[dict[str, None]] = []  # per function: names that must be initialised
        self.globals: list[set[str]] = [set()]  # per function: the names that it says are global
        self.outside: list[set[str]] = [set()]  # and those that are global or nonlocal
        self.truths: set[ast.AST] = set()  # `and` and `or` of which only the truth matters
        self.first: str | None = None  # the first argument of the function around: super()'s

    # Scopes.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if has(node.body, ast.Yield, ast.YieldFrom, ast.Await):
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
        if has([node.body], ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr):
            return node
        node.args = self.visit(node.args)
        around, self.first = self.first, None
        node.body = self.visit(node.body)
        self.first = around
        return node

    def _function_body(self, body: list[ast.stmt], args: ast.arguments) -> list[ast.stmt]:
        doc = body[:1] if isinstance(body[0], ast.Expr) and ast.get_docstring(_Doc(body)) else []
        body = Jumps().function(tests_in_statements(body[len(doc) :]))
        mark_loops(body)
        declared = [n for n in within(body) if isinstance(n, ast.Global | ast.Nonlocal)]
        self.states.append({})
        self.globals.append({x for n in declared if isinstance(n, ast.Global) for x in n.names})
        self.outside.append({x for n in declared for x in n.names})
        body = self.block(body)
        given = {a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
        given |= {a.arg for a in (args.vararg, args.kwarg) if a}
        given |= {x for n in declared for x in n.names}
        names = [n for n in self.states.pop() if n not in given]
        self.globals.pop()
        self.outside.pop()
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
        waiting: list[ast.AST] = [node]
        while waiting:
            n = waiting.pop()
            if "lineno" in n._attributes and "lineno" not in n.__dict__:
                ast.copy_location(n, at)
                n.end_lineno, n.end_col_offset = n.lineno, n.col_offset  # type: ignore
            waiting += children(n)
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
        made = function_def(name, args, [*head, *(body or [ast.Pass()])])
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

    def _uses(
        self, loop: ast.For | ast.While, names: Sequence[str], places: Iterable[str]
    ) -> list[ast.expr]:
        """What a loop's variables are for: the names that are read behind it, and those that no
        round reads before setting them."""
        flag = {getattr(loop, "ag_flag", None)}  # its condition will read that
        behind: frozenset[str] = loop.ag_behind | flag  # type: ignore[union-attr]
        unread: frozenset[str] = loop.ag_unread - flag  # type: ignore[union-attr]
        attributes = [label for label in places if not label.endswith("]")]
        return [
            self._names([*(n for n in names if n in behind), *attributes]),
            self._names([n for n in names if n in unread]),
        ]

    def _check(self, nodes: Sequence[ast.stmt]) -> None:
        """Raise where statements cannot become functions of their own."""
        for n in within(nodes):
            if isinstance(n, ast.Return):
                raise Unconvertible("a return out of a `with`, `try` or loop with `else`")
            if isinstance(n, ast.Delete) and not self._deleted(n):
                raise Unconvertible("`del` of a `global` or `nonlocal` variable")
            if isinstance(n, ast.Global | ast.Nonlocal):
                raise Unconvertible("a `global` or `nonlocal` declaration inside it")
            if isinstance(n, ast.ImportFrom) and n.names[0].name == "*":
                raise Unconvertible("an import of `*`")
            if isinstance(n, ast.Yield | ast.YieldFrom | ast.Await):
                raise Unconvertible("`yield` or `await`")
        if leaves_loop(nodes):
            raise Unconvertible("a break or continue out of a `with` or `try`")

    def _plain(self, test: ast.expr, why: Unconvertible, at: ast.AST) -> ast.expr:
        return self._ag("python_test", [test, ast.Constant(str(why))], at)

    # Statements.

    def _deleted(self, node: ast.Delete) -> bool:
        """Whether all that it deletes can be without a value: locals, attributes, items."""
        names = {t.id for t in node.targets if isinstance(t, ast.Name)}
        plain = all(isinstance(t, ast.Name | ast.Attribute | ast.Subscript) for t in node.targets)
        return plain and names.isdisjoint(self.outside[-1])

    def visit_Delete(self, node: ast.Delete) -> list[ast.stmt] | ast.stmt:
        if not self._deleted(node):
            return node
        out: list[ast.stmt] = []
        for target in node.targets:
            if isinstance(target, ast.Name):
                used = self._ag("returned", [ast.Name(target.id, ast.Load())], node)
                out.append(self._at(ast.Expr(used), node))  # raises where it has none
                out.append(self._undefined(target.id, node))
            else:
                out.append(ast.copy_location(ast.Delete([self.visit(target)]), node))
        return out

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
        args: list[ast.expr]
        args = [ast.Name(n, ast.Load()) for n in ("ag_test", "ag_body", "ag_get", "ag_set")]
        args += [self._names([*names, *places]), *self._uses(node, names, places)]
        call = self._ag("while_stmt", args, node)
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
        args += [self._names([*names, *places]), *self._uses(node, names, places)]
        args.append(self._names(stored_names([node.target])))
        call = self._ag("for_stmt", args, node)
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

    def _sets_names(self, *nodes: ast.expr) -> bool:
        """Whether expressions that would become functions set names, which these would hide."""
        return has(nodes, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        if self._sets_names(*node.values[1:]):
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
        if self._sets_names(node.body, node.orelse):
            return node
        test = self._condition(node.test)
        body, orelse = self.visit(node.body), self.visit(node.orelse)
        parts = [test, self._lambda(body, node), self._lambda(orelse, node)]
        return self._ag("if_exp", parts, node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        node.left = self.visit(node.left)
        node.comparators = [self.visit(c) for c in node.comparators]
        sides = [node.left, *node.comparators]
        if len(sides) == 2 and not any(isinstance(side, ast.Constant) for side in sides):
            if isinstance(node.ops[0], ast.Is):
                return self._ag("is_", sides, node)
            if isinstance(node.ops[0], ast.IsNot):
                return self._ag("is_not", sides, node)
        if isinstance(node.ops[0], ast.Is | ast.IsNot) and isinstance(node.left, ast.Name):
            node.left = self._ag("returned", [node.left], node)
        if len(node.ops) == 1 or self._sets_names(*node.comparators[1:]):
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
        a, b = (left, middle) if simple else (load(n, node) for n in names)
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
            node.args = [load("__class__", node), load(self.first, node)]
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
