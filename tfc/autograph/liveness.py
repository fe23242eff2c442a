"""Which variables are still read: what loops on tensors have to give to what stands behind them.

A variable is live at a place if a path from there reads it before it is set again (Aho, Lam, Sethi,
Ullman, "Compilers", 9.2.5): found backwards, statement by statement, around loops until nothing is
added. What functions inside read is live everywhere, as they may be called anywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from .syntax import SCOPES, children, has

Names = frozenset[str]


def mark_loops(body: Sequence[ast.stmt]) -> None:
    """Note on each loop of a function's body, as `ag_behind`, what is read behind it, and as
    `ag_unread` what none of its rounds reads before setting it."""
    if has(body, ast.For, ast.While):
        _Liveness(body).block(body, frozenset())


def _names(nodes: Iterable[ast.AST], context: type[ast.expr_context]) -> set[str]:
    """The names that stand in such a context, but not inside of functions."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, context):
            found.add(node.id)
        if not isinstance(node, SCOPES):
            found |= _names(children(node), context)
    return found


def _taken_in(node: ast.AST) -> set[str]:
    """The names that functions inside of `node` find outside of themselves."""
    found: set[str] = set()
    for inner in children(node):
        found |= _taken_by(inner) if isinstance(inner, SCOPES) else _taken_in(inner)
    return found


def _taken_by(scope: ast.AST) -> set[str]:
    """The names that a function, or class, finds outside of itself."""
    if isinstance(scope, ast.ClassDef):
        return _names(children(scope), ast.Load) | _taken_in(scope)
    assert isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    body: list[ast.AST] = [*scope.body] if isinstance(scope.body, list) else [scope.body]
    own = {n.arg for n in ast.walk(scope.args) if isinstance(n, ast.arg)}
    own |= _names(body, ast.Store)
    for n in body:
        for inner in ast.walk(n):
            if isinstance(inner, ast.Nonlocal | ast.Global):
                own -= set(inner.names)
    taken = _names(body, ast.Load)
    for n in body:
        taken |= _taken_by(n) if isinstance(n, SCOPES) else _taken_in(n)
    return (taken - own) | _names([scope.args], ast.Load) | _taken_in(scope.args)


class _Liveness:
    def __init__(self, body: Sequence[ast.stmt]) -> None:
        whole = ast.Module(list(body), [])
        self.everywhere = frozenset(_taken_in(whole))
        self.all: Names = frozenset(_names([whole], ast.Load)) | self.everywhere
        self.stored: Names = frozenset(_names([whole], ast.Store))
        for node in ast.walk(whole):
            if isinstance(node, ast.Global | ast.Nonlocal):
                self.everywhere |= frozenset(node.names)

    def block(self, body: Sequence[ast.stmt], behind: Names) -> Names:
        """What is live in front of statements, where `behind` is live behind them."""
        for statement in reversed(body):
            behind = self.statement(statement, behind)
        return behind

    def statement(self, s: ast.stmt, behind: Names) -> Names:
        """What is live in front of one statement."""
        if isinstance(s, ast.If):
            branches = self.block(s.body, behind) | self.block(s.orelse, behind)
            return self._reads(s.test, branches)
        if isinstance(s, ast.While | ast.For):
            return self._loop(s, behind)
        if isinstance(s, ast.Return | ast.Raise):
            return frozenset(_names([s], ast.Load))
        if isinstance(s, ast.Break | ast.Continue | ast.Try | ast.Match):
            if isinstance(s, ast.Try | ast.Match):
                for part in children(s):
                    self._inside(part)
            return self.all  # where it goes on is not followed
        if isinstance(s, ast.With):
            behind = self.block(s.body, behind)
            for item in reversed(s.items):
                targets = [] if item.optional_vars is None else [item.optional_vars]
                behind = self._reads(item.context_expr, behind - _names(targets, ast.Store))
            return behind
        if isinstance(s, ast.AugAssign):
            return behind | _names([s.target, s.value], ast.Load) | _names([s.target], ast.Store)
        if isinstance(s, SCOPES):
            return behind | _names(children(s), ast.Load)
        if isinstance(s, ast.Assign | ast.AnnAssign):
            targets = s.targets if isinstance(s, ast.Assign) else [s.target]
            if s.value is None:
                return behind
            read = _names(targets, ast.Load)  # of x[i] = ..., x.a = ...
            return self._reads(s.value, (behind - _names(targets, ast.Store)) | read)
        return behind | _names([s], ast.Load)

    def _reads(self, value: ast.expr, behind: Names) -> Names:
        """What is live in front of an expression, where `behind` is live behind it."""
        read = frozenset(_names([value], ast.Load))
        first = _first(value)
        if isinstance(first, ast.NamedExpr):  # (y := f(x)) < y
            return ((behind | read) - {first.target.id}) | _names([first.value], ast.Load)
        return behind | read

    def _inside(self, node: ast.AST) -> None:
        """Mark the loops of a statement whose ways are not followed."""
        if isinstance(node, ast.While | ast.For):
            self._loop(node, self.all)
        elif not isinstance(node, SCOPES):
            for child in children(node):
                self._inside(child)

    def _loop(self, s: ast.While | ast.For, behind: Names) -> Names:
        after = self.block(s.orelse, behind)
        own = self._head(s, frozenset())  # as if no way led out: what the rounds themselves read
        head = self._head(s, after)
        s.ag_behind = after | self.everywhere  # type: ignore[union-attr]
        s.ag_unread = (self.all | self.stored) - own - self.everywhere  # type: ignore[union-attr]
        return self._reads(s.iter, head) if isinstance(s, ast.For) else head

    def _head(self, s: ast.While | ast.For, after: Names) -> Names:
        """What is live where a round begins or the loop ends."""
        head: Names = frozenset()
        while True:
            if isinstance(s, ast.For):
                found = self.block(s.body, head | after) - _names([s.target], ast.Store)
                found |= _names([s.target], ast.Load) | after
            else:
                found = self._reads(s.test, self.block(s.body, head) | after)
            if found <= head:
                return head
            head |= found


def _first(value: ast.expr) -> ast.expr:
    """What an expression evaluates first."""
    while True:
        if isinstance(value, ast.Compare | ast.BinOp):
            value = value.left
        elif isinstance(value, ast.BoolOp):
            value = value.values[0]
        elif isinstance(value, ast.UnaryOp):
            value = value.operand
        else:
            return value
