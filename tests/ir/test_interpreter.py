"""The reference interpreter: how symbols are bound, and what does not fit."""

from __future__ import annotations

import numpy as np
import pytest

from tfc.ir.interpreter import interpret
from tfc.ir.text import parse


def test_extents_are_evaluated() -> None:
    f = parse(
        """func @f(%x: f32[n], %y: f32[2*n+1]) -> (i64, i32[n,2*n], f32[k]) {
          %0 = extent_of {value = n//2 + k} : i64
          %1 = iota {shape = (n, 2*n), axis = 1, dtype = i32} : i32[n,2*n]
          %2 = slice %y {begin = (1,), size = (k,), strides = (2,)} : f32[k]
          return %0, %1, %2
        }"""
    )
    x, y = np.zeros(3, np.float32), np.arange(7, dtype=np.float32)
    total, places, cut = interpret(f, [x, y], {"k": 3})
    assert total == 4
    np.testing.assert_array_equal(places, np.tile(np.arange(6), (3, 1)))
    np.testing.assert_array_equal(cut, [1, 3, 5])
    for bad in ([x], [x, y[1:]], [x.astype(np.float64), y], [x[None], y]):
        with pytest.raises(ValueError, match=r"takes 2 arguments|is no f32"):
            interpret(f, bad, {"k": 3})


def test_shapes_that_clash() -> None:
    f = parse(
        """func @f(%x: f32[n]) -> f32[3,2] {
          %0 = reshape %x {shape = (3, 2)} : f32[3,2]
          return %0
        }"""
    )
    assert interpret(f, [np.zeros(6, np.float32)])[0].shape == (3, 2)
    with pytest.raises(ValueError, match="reshape"):
        interpret(f, [np.zeros(5, np.float32)])


def test_functions_in_functions() -> None:
    f = parse(
        """func @f(%x: f64) -> (f64, f64) {
          %0, %1 = call [%x] callee = (%a: f64) {
            %2 = neg %a : f64
            return %2, %a
          } : f64, f64
          %3 = custom_gradient [%0] {connected = (True,)} forward = (%b: f64) {
            %4 = add %b, %b : f64
            return %4
          } backward = (%c: f64, %d: f64) {
            return %d
          } : f64
          return %3, %1
        }"""
    )
    assert interpret(f, [np.float64(2)]) == [-4, 2]
