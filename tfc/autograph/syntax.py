"""Small things about syntax trees: walking, asking, making."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from typing import Any

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def within(nodes: Iterable[ast.AST], stop: tuple[type, ...] = SCOPES) -> Iterable[ast.AST]:
    """The nodes and all below them, but not inside of other scopes."""
    waiting = [*nodes][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, stop):
            waiting.extend([*ast.iter_child_nodes(node)][::-1])


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
