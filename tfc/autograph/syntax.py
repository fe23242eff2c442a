"""Small things about syntax trees: walking, asking, making."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from typing import Any

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_TREES = (ast.AST, list)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes below a node, but for contexts: `ast.iter_child_nodes` takes twice as long."""
    found: list[ast.AST] = []
    for name in node._fields:
        below = getattr(node, name, None)
        if isinstance(below, list):
            found += [n for n in below if isinstance(n, ast.AST)]
        elif isinstance(below, ast.AST) and name != "ctx":
            found.append(below)
    return found


def copied(node: Any) -> Any:
    """A tree of its own. (`copy.deepcopy` takes five times as long: it looks for what is there more
    than once.)"""
    if isinstance(node, list):
        return [copied(n) for n in node]
    if not isinstance(node, ast.AST) or not node.__dict__:  # a context, or an operator
        return node
    made = type(node)()
    made.__dict__.update(
        {name: copied(x) if isinstance(x, _TREES) else x for name, x in node.__dict__.items()}
    )
    return made


def within(nodes: Iterable[ast.AST], stop: tuple[type, ...] = SCOPES) -> Iterable[ast.AST]:
    """The nodes and all below them, but not inside of other scopes."""
    waiting = [*nodes][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, stop):
            waiting.extend(children(node)[::-1])


def has(nodes: Iterable[ast.AST], *kinds: type) -> bool:
    return any(isinstance(n, kinds) for n in within(nodes))


def leaves_loop(nodes: Iterable[ast.AST]) -> bool:
    """Whether a break, continue or return of the loop around stands here."""
    for node in nodes:
        if isinstance(node, ast.Break | ast.Continue | ast.Return):
            return True
        if isinstance(node, ast.For | ast.While):
            if has(node.body, ast.Return) or leaves_loop(node.orelse):
                return True
        elif not isinstance(node, SCOPES) and leaves_loop(ast.iter_child_nodes(node)):
            return True
    return False


_NO_TYPE_PARAMS: dict[str, Any] = {"type_params": []} if sys.version_info >= (3, 12) else {}


def function_def(name: str, args: ast.arguments, body: list[ast.stmt]) -> ast.FunctionDef:
    return ast.FunctionDef(name, args, body, [], None, None, **_NO_TYPE_PARAMS)


def assign(name: str, value: ast.expr, at: ast.AST) -> ast.stmt:
    return ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), at)


def load(name: str, at: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Name(name, ast.Load()), at)


def const(value: Any, at: ast.AST) -> ast.expr:
    return ast.copy_location(ast.Constant(value), at)
