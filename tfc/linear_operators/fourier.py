"""Circulant and Toeplitz matrices, which are applied by Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf

from .base import LinearOperator, given, held

Tensor = Any


_TRANSFORMS = {
    1: (tf.signal.fft, tf.signal.ifft),
    2: (tf.signal.fft2d, tf.signal.ifft2d),
    3: (tf.signal.fft3d, tf.signal.ifft3d),
}


class LinearOperatorCirculant(LinearOperator):
    """A matrix whose rows are its first one, each shifted by one more: given by its eigenvalues,
    and applied by Fourier transforms.

    Args:
        spectrum: The eigenvalues: the Fourier transform of the first column, a tensor
            [batch..., rows].
        input_output_dtype: That of vectors: complex64, complex128, or real where the matrix is.
        is_non_singular: A hint, as of `LinearOperator`. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: It is.
        name: A name.

    >>> import tfc as tf
    >>> spectrum = tf.signal.fft(tf.constant([1.0, 2.0, 0.0], tf.complex64))
    >>> operator = tf.linalg.LinearOperatorCirculant(spectrum, input_output_dtype=tf.float32)
    >>> operator.matvec([1.0, 0.0, 0.0]).numpy().round(3).tolist()
    [1.0, 2.0, 0.0]
    """

    _depth = 1  # over how many axes of the spectrum the transforms go

    def __init__(
        self,
        spectrum: Any,
        input_output_dtype: Any = "complex64",
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = True,
        name: str | None = None,
    ) -> None:
        parameters = given(locals())
        if is_square is False:
            raise ValueError("A circulant operator is square.")
        self._spectrum = held(spectrum)
        if self._spectrum.shape.rank is not None and self._spectrum.shape.rank < self._depth:
            raise ValueError(
                f"Argument `spectrum` must have at least {self._depth} dimensions. Received: "
                f"{self._spectrum!r:.100}"
            )
        if not self._spectrum.dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError("A real spectrum is that of a self-adjoint operator.")
            is_self_adjoint = True
        super().__init__(
            input_output_dtype,
            None,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            True,
            name or type(self).__name__,
            parameters,
        )

    @property
    def block_depth(self) -> int:
        """How deep circulant blocks are nested: 1 for a circulant matrix."""
        return self._depth

    @property
    def block_shape(self) -> Any:
        """The extents of what is transformed."""
        return self._spectrum.shape[-self._depth :]

    def block_shape_tensor(self) -> Tensor:
        """The extents of what is transformed.

        Returns:
            A vector of int32.
        """
        return tf.shape(self._spectrum)[-self._depth :]

    @property
    def spectrum(self) -> Tensor:
        """The eigenvalues."""
        return self._spectrum

    def _values(self, adjoint: bool = False) -> Tensor:
        wide = self.dtype in (tf.complex128, tf.float64)
        values = tf.cast(
            tf.convert_to_tensor(self._spectrum), "complex128" if wide else "complex64"
        )
        return tf.math.conj(values) if adjoint else values

    def _shape(self) -> Any:
        rows = self.block_shape.num_elements()
        return self._spectrum.shape[: -self._depth] + tf.TensorShape([rows, rows])

    def _shape_tensor(self) -> Tensor:
        rows = tf.reduce_prod(self.block_shape_tensor())
        return tf.concat([tf.shape(self._spectrum)[: -self._depth], [rows, rows]], 0)

    def _filtered(self, x: Tensor, factors: Tensor) -> Tensor:
        there, back = _TRANSFORMS[self._depth]
        rows = tf.linalg.matrix_transpose(tf.cast(x, factors.dtype))
        block = self.block_shape_tensor()
        rows = tf.reshape(rows, tf.concat([tf.shape(rows)[:-1], block], 0))
        y = back(there(rows) * tf.expand_dims(factors, -self._depth - 1))
        y = tf.reshape(y, tf.concat([tf.shape(y)[: -self._depth], [tf.reduce_prod(block)]], 0))
        y = tf.linalg.matrix_transpose(y)
        return y if self.dtype.is_complex else tf.math.real(y)

    def _axes(self) -> list[int]:
        """The axes of the spectrum that are transformed."""
        return list(range(-self._depth, 0))

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        return self._filtered(tf.linalg.adjoint(x) if adjoint_arg else x, self._values(adjoint))

    def _solve(self, rhs: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        rhs = tf.linalg.adjoint(rhs) if adjoint_arg else rhs
        return self._filtered(rhs, 1 / self._values(adjoint))

    def convolution_kernel(self, name: str = "convolution_kernel") -> Tensor:
        """The first column, in the shape of the spectrum.

        Returns:
            A tensor [batch..., rows].
        """
        return tf.cast(_TRANSFORMS[self._depth][1](self._values()), self.dtype)

    def assert_hermitian_spectrum(self, name: str = "assert_hermitian_spectrum") -> Any:
        """Raise InvalidArgumentError if the spectrum is not Hermitian, up to rounding: that of a
        real matrix is.

        Returns:
            None, or an operation of a graph.
        """
        imaginary = tf.abs(tf.math.imag(_TRANSFORMS[self._depth][1](self._values())))
        wide = self._values().dtype == tf.complex128
        bound = 10 * np.finfo(np.float64 if wide else np.float32).eps
        text = "Spectrum was not Hermitian"
        return tf.debugging.assert_less(imaginary, tf.cast(bound, imaginary.dtype), message=text)

    def _diag_part(self) -> Tensor:
        mean = tf.cast(tf.reduce_mean(self._values(), self._axes()), self.dtype)[..., None]
        return mean * tf.ones(self.shape_tensor()[:-1], self.dtype)

    def _determinant(self) -> Tensor:
        return tf.cast(tf.reduce_prod(self._values(), self._axes()), self.dtype)

    def _log_abs_determinant(self) -> Tensor:
        return tf.cast(tf.reduce_sum(tf.math.log(tf.abs(self._values())), self._axes()), self.dtype)

    def _eigvals(self) -> Tensor:
        return tf.convert_to_tensor(self._spectrum)

    def _like(self, spectrum: Tensor) -> LinearOperator:
        return type(self)(spectrum, self.dtype, is_non_singular=self.is_non_singular)

    def _adjoint(self) -> LinearOperator:
        return self._like(tf.math.conj(self._spectrum))

    def _inverse(self) -> LinearOperator:
        return self._like(1 / tf.convert_to_tensor(self._spectrum))

    def _simple_product(self, other: LinearOperator) -> LinearOperator | None:
        if type(other) is not type(self) or other.dtype != self.dtype:
            return super()._simple_product(other)
        if other._spectrum.dtype != self._spectrum.dtype:
            return None
        both = self.is_non_singular and other.is_non_singular
        product = self._spectrum * tf.convert_to_tensor(other._spectrum)
        return type(self)(product, self.dtype, is_non_singular=both or None)


class LinearOperatorCirculant2D(LinearOperatorCirculant):
    """A matrix of circulant blocks that are circulant themselves: given by its eigenvalues, and
    applied by Fourier transforms of two axes.

    Args:
        spectrum: The eigenvalues: the Fourier transform of the first column, as a tensor
            [batch..., blocks, rows of a block].
        input_output_dtype: That of vectors: complex64, complex128, or real where the matrix is.
        is_non_singular: A hint, as of `LinearOperator`. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: It is.
        name: A name.

    >>> import tfc as tf
    >>> kernel = tf.constant([[1.0, 2.0], [3.0, 4.0]], tf.complex64)
    >>> operator = tf.linalg.LinearOperatorCirculant2D(tf.signal.fft2d(kernel), tf.float32)
    >>> operator.matvec([1.0, 0.0, 0.0, 0.0]).numpy().round(3).tolist()
    [1.0, 2.0, 3.0, 4.0]
    """

    _depth = 2


class LinearOperatorCirculant3D(LinearOperatorCirculant):
    """As `LinearOperatorCirculant2D`, with blocks in blocks: of Fourier transforms of three axes.

    Args:
        spectrum: The eigenvalues: the Fourier transform of the first column, as a tensor
            [batch..., blocks, blocks in a block, rows of these].
        input_output_dtype: That of vectors: complex64, complex128, or real where the matrix is.
        is_non_singular: A hint, as of `LinearOperator`. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: It is.
        name: A name.

    >>> import tfc as tf
    >>> operator = tf.linalg.LinearOperatorCirculant3D(tf.ones([2, 1, 2]), tf.float32)
    >>> operator.shape, operator.matvec([1.0, 2.0, 3.0, 4.0]).numpy().round(3).tolist()
    (TensorShape([4, 4]), [1.0, 2.0, 3.0, 4.0])
    """

    _depth = 3


class LinearOperatorToeplitz(LinearOperator):
    """A matrix that is constant along each diagonal: applied by Fourier transforms.

    Args:
        col: The first column, a tensor [batch..., rows].
        row: The first row, whose first element is that of the column.
        is_non_singular: A hint, as of `LinearOperator`. So are the next.
        is_self_adjoint: See there.
        is_positive_definite: See there.
        is_square: It is.
        name: A name.

    >>> import tfc as tf
    >>> operator = tf.linalg.LinearOperatorToeplitz([1.0, 2.0, 3.0], [1.0, 4.0, 5.0])
    >>> operator.to_dense().numpy().tolist()
    [[1.0, 4.0, 5.0], [2.0, 1.0, 4.0], [3.0, 2.0, 1.0]]
    """

    def __init__(
        self,
        col: Any,
        row: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorToeplitz",
    ) -> None:
        parameters = given(locals())
        if is_square is False:
            raise ValueError("Only square Toeplitz operators are supported.")
        self._col, self._row = held(col), held(row)
        if self._col.dtype != self._row.dtype:
            raise TypeError("col and row must have the same dtype")
        if not self._col.shape[-1:].is_compatible_with(self._row.shape[-1:]):
            raise ValueError(
                "Expected square matrix, got row and col with mismatched dimensions: "
                f"{self._row.shape} and {self._col.shape}"
            )
        super().__init__(
            self._col.dtype,
            None,
            is_non_singular,
            is_self_adjoint,
            is_positive_definite,
            True,
            name,
            parameters,
        )

    @property
    def col(self) -> Tensor:
        """The first column."""
        return self._col

    @property
    def row(self) -> Tensor:
        """The first row."""
        return self._row

    def _shape(self) -> Any:
        shape = tf.broadcast_static_shape(self._col.shape, self._row.shape)
        return shape + shape[-1:]

    def _shape_tensor(self) -> Tensor:
        shape = tf.broadcast_dynamic_shape(tf.shape(self._col), tf.shape(self._row))
        return tf.concat([shape, shape[-1:]], 0)

    def _to_dense(self) -> Tensor:
        shape = self.shape_tensor()
        count = shape[-1]
        # What the diagonals have, from the lower left corner to the upper right one.
        col = tf.broadcast_to(self._col, shape[:-1])
        row = tf.broadcast_to(self._row, shape[:-1])
        values = tf.concat([tf.reverse(col, [-1]), row[..., 1:]], -1)
        numbers = tf.range(count)
        return tf.gather(values, numbers[None, :] - numbers[:, None] + count - 1, axis=-1)

    def _matmul(self, x: Tensor, adjoint: bool = False, adjoint_arg: bool = False) -> Tensor:
        """As the corner of a circulant matrix of twice the size."""
        x = tf.linalg.adjoint(x) if adjoint_arg else x
        shape = self.shape_tensor()
        col = tf.broadcast_to(self._col, shape[:-1])
        row = tf.broadcast_to(self._row, shape[:-1])
        if adjoint:
            col, row = tf.math.conj(row), tf.math.conj(col)
        kernel = tf.concat([col, tf.zeros_like(col[..., :1]), tf.reverse(row[..., 1:], [-1])], -1)
        wide = self.dtype in (tf.complex128, tf.float64)
        kind = "complex128" if wide else "complex64"
        rows = tf.linalg.matrix_transpose(x)
        padded = tf.concat([rows, tf.zeros_like(rows)], -1)
        spectrum = tf.signal.fft(tf.cast(kernel, kind))[..., None, :]
        y = tf.signal.ifft(tf.signal.fft(tf.cast(padded, kind)) * spectrum)[..., : shape[-1]]
        y = tf.linalg.matrix_transpose(y)
        return y if self.dtype.is_complex else tf.math.real(y)

    def _diag_part(self) -> Tensor:
        first = tf.convert_to_tensor(self._col)[..., 0, None]  # an extent of 1, not of at most 1
        return first * tf.ones(self.shape_tensor()[:-1], self.dtype)
