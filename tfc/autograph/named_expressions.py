"""Conditions that set variables by `:=`, as statements.

    while (y := f(x)) < 1:        while True:
        x = y                         if not (y := f(x)) < 1: break
                                      x = y

    if a and (y := f(x)) < 1:     if a:
        x = y                         if (y := f(x)) < 1: x = y

What stands behind an `and`, and the condition of a loop, become functions when control flow is
converted; what these set, nobody else would see.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from .syntax import SCOPES, const, has


def tests_in_statements(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements with such conditions as branches of their own."""
    return [_rewritten(s) for s in body]


def _rewritten(s: ast.stmt) -> ast.stmt:
    if isinstance(s, SCOPES):
        return s
    for name in ("body", "orelse", "finalbody"):
        if isinstance(getattr(s, name, None), list):
            setattr(s, name, tests_in_statements(getattr(s, name)))
    for part in [*getattr(s, "handlers", []), *getattr(s, "cases", [])]:
        part.body = tests_in_statements(part.body)
    if isinstance(s, ast.While) and not s.orelse and has([s.test], ast.NamedExpr):
        leave = ast.copy_location(ast.Break(), s)
        stay = ast.copy_location(ast.Pass(), s)
        s.body = [_branch(s.test, [stay], [leave], s), *s.body]
        s.test = const(True, s)
        return s
    if isinstance(s, ast.If):
        return _branch(s.test, s.body, s.orelse, s)
    return s


def _branch(test: ast.expr, then: list[ast.stmt], orelse: list[ast.stmt], at: ast.stmt) -> ast.stmt:
    """`if test: then else: orelse`, where no part of the test that is behind another sets names."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and _sets_behind(test):
        stay: list[ast.stmt] = [ast.copy_location(ast.Pass(), at)]
        return _branch(test.operand, orelse or stay, then, at)
    if not isinstance(test, ast.BoolOp) or not _sets_behind(test):
        return ast.copy_location(ast.If(test, then, orelse), at)
    first, *others = test.values
    rest = others[0]
    if len(others) > 1:
        rest = ast.copy_location(ast.BoolOp(test.op, others), test)
    if isinstance(test.op, ast.And):
        inner = _branch(rest, then, copy.deepcopy(orelse), at)
        return _branch(first, [inner], orelse, at)
    inner = _branch(rest, copy.deepcopy(then), orelse, at)
    return _branch(first, then, [inner], at)


def _sets_behind(test: ast.expr) -> bool:
    if isinstance(test, ast.UnaryOp):
        return _sets_behind(test.operand)
    if not isinstance(test, ast.BoolOp):
        return False
    return has(test.values[1:], ast.NamedExpr) or _sets_behind(test.values[0])
