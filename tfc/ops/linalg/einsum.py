"""`einsum`: sums of products, named by letters.

An equation becomes transposes, reshapes and (batched) matrix products, two operands at a time.
The order in which operands are taken depends on the letters alone, never on extents, so that a
program has the same bits whether its extents are known or not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.extent import Extent, product

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Held, Tensor
from ...dispatch.primitive import broadcast_to, common_shape, primitive, retype
from .products import inner_product, shown, unified

Labels = tuple[int, ...]  # letters by their code; the axes of an ellipsis are -1 (the last), -2 ...


def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """The sum of products that `equation` describes, with a letter for every axis.

    Letters that are not behind the arrow are summed over; without an arrow the result has the
    letters that occur once, in alphabetical order. A letter that an operand has twice means its
    diagonal, one that the result has twice lays a diagonal. `...` stands for any axes, which
    broadcast; where the result has none they are summed over.

    With more than two operands, pairs are contracted one after another, those first whose product
    has the fewest axes; `optimize` may be a list of pairs instead, as NumPy's and opt_einsum's
    paths are (any other value is accepted, and changes nothing). `name` is ignored.

    Args:
        equation: A letter for every axis of each operand, such as "bij,bjk->bik".
        inputs: The operands: tensors of one dtype.
        kwargs: `optimize`, a list of pairs; `name`, which is not used.

    Returns:
        A tensor with the axes that stand behind the arrow.

    Raises:
        InvalidArgumentError: If shapes do not fit the equation (ValueError while tracing).
        ValueError: If the equation makes no sense.

    >>> import tfc as tf
    >>> x = tf.constant([[1, 2], [3, 4]])
    >>> print(tf.einsum("ij,kj->ik", x, x))
    tf.Tensor(
    [[ 5 11]
     [11 25]], shape=(2, 2), dtype=int32)
    >>> print(tf.einsum("ii", x))
    tf.Tensor(5, shape=(), dtype=int32)
    """
    optimize = kwargs.pop("optimize", "greedy")
    kwargs.pop("name", None)
    if kwargs:
        raise blame.type_error(
            f"Invalid keyword arguments for this function: {list(kwargs)}", "einsum"
        )
    hint = next((v.dtype for v in inputs if isinstance(v, Held)), None)
    tensors = [operand("einsum", v, dtype_hint=hint) for v in inputs]
    labels, result = _parse(equation, [len(t.shape) for t in tensors])
    return _einsum.fast(labels, result, _order(labels, result, optimize))(*tensors)


_TERM = r"[a-zA-Z]*(?:\.\.\.)?[a-zA-Z]*"


def _parse(equation: str, ranks: Sequence[int]) -> tuple[tuple[Labels, ...], Labels]:
    """The labels of the operands and of the result."""
    text = re.sub(r"\s", "", equation)
    if not re.fullmatch(rf"{_TERM}(,{_TERM})*(->{_TERM})?", text):
        raise blame.value_error(f"Indices have incorrect format. Received: {equation!r}", "einsum")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != len(ranks):
        raise blame.value_error(
            f"Got {len(ranks)} inputs for equation {equation!r}, expecting {len(terms)}", "einsum"
        )
    labels = []
    for i, (term, rank) in enumerate(zip(terms, ranks, strict=True)):
        named = len(term.replace("...", ""))
        if rank < named or (rank != named and "..." not in term):
            raise blame.value_error(
                f"input #{i} has rank {rank}, which is incompatible with {term!r} in {equation!r}",
                "einsum",
            )
        labels.append(_labels(term, rank - named))
    wide = max(
        (rank - len(t.replace("...", "")) for t, rank in zip(terms, ranks, strict=True)), default=0
    )
    if not arrow:
        letters = left.replace("...", "").replace(",", "")
        once = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
        right = "..." * ("..." in left) + once
    result = _labels(right, wide if "..." in left else 0)
    unknown = set(result) - {label for own in labels for label in own}
    if unknown:
        letters = ", ".join(repr(chr(label)) for label in sorted(unknown))
        raise blame.value_error(
            f"Output subscripts contain the label {letters} not present in the input subscripts: "
            f"{equation!r}",
            "einsum",
        )
    return tuple(labels), result


def _labels(term: str, ellipsis: int) -> Labels:
    before, dots, after = term.partition("...")
    middle = range(-ellipsis, 0) if dots else ()
    return (*map(ord, before), *middle, *map(ord, after))


def _order(labels: Sequence[Labels], result: Labels, optimize: Any) -> tuple[tuple[int, int], ...]:
    """Which two of the operands that are left are contracted next; the product comes last."""
    operands = [set(own) for own in labels]
    given: list[Any] = []
    if isinstance(optimize, list | tuple):
        given = [p for p in optimize if not isinstance(p, str)]
        if any(len(p) != 2 for p in given) or len(given) != len(labels) - 1:
            raise blame.value_error(
                f"optimize: {len(labels)} inputs need {len(labels) - 1} pairs, got {given}",
                "einsum",
            )
    steps: list[tuple[int, int]] = []
    while len(operands) > 1:
        if given:
            first, second = sorted(map(int, given[len(steps)]))
            if not 0 <= first < second < len(operands):
                raise blame.value_error(f"optimize: no pair {(first, second)} of inputs", "einsum")
            pair = first, second
        else:
            pairs = [(i, j) for j in range(len(operands)) for i in range(j)]
            pair = min(pairs, key=lambda p: _worth(operands, p, result))
        steps.append(pair)
        operands = _after(operands, pair, result)
    return tuple(steps)


def _after(operands: list[set[int]], pair: tuple[int, int], result: Labels) -> list[set[int]]:
    rest = [own for i, own in enumerate(operands) if i not in pair]
    kept = set(result).union(*rest)
    return [*rest, (operands[pair[0]] | operands[pair[1]]) & kept]


def _worth(operands: list[set[int]], pair: tuple[int, int], result: Labels) -> tuple[int, ...]:
    """Small for pairs to begin with: few axes in the product, many shared ones, few in all."""
    x, y = (operands[i] for i in pair)
    return len(_after(operands, pair, result)[-1]), -len(x & y), len(x | y), *pair


@primitive
def _einsum(b: Builder, *values_static: Any) -> Value:
    *values, labels, result, order = values_static
    if any(v.dtype is not values[0].dtype for v in values):
        raise OpError("einsum: operands must have the same dtype", "dtype")
    if values[0].dtype.is_bool:
        raise OpError("einsum: not defined for dtype bool", "dtype")
    terms, extents = _fitted(b, values, labels)
    for pair in order:
        rest = [t for i, t in enumerate(terms) if i not in pair]
        kept = set(result).union(*(own for _, own in rest))
        x, y = (_summed(b, terms[i], kept | set(terms[j][1])) for i, j in (pair, pair[::-1]))
        terms = [*rest, _contracted(b, x, y, kept, result, extents)]
    value, own = _summed(b, terms[0], set(result))
    return _laid(b, value, own, result, extents)


Term = tuple[Value, Labels]


def _fitted(
    b: Builder, values: Sequence[Value], labels: Sequence[Labels]
) -> tuple[list[Term], dict[int, Extent]]:
    """The operands with each label once, and the extents of all labels. Axes of an ellipsis that
    broadcast are gone."""
    extents: dict[int, Extent] = {}
    for v, own in zip(values, labels, strict=True):
        for e, label in zip(v.shape, own, strict=True):
            if label < 0:
                continue
            same = unified(b, extents.get(label, e), e)
            if same is None:
                raise OpError(
                    f"einsum: Expected dimension {extents[label]} for the label "
                    f"{chr(label)!r}, but got {e} in an input of shape {shown(v.shape)}"
                )
            extents[label] = same
    wide = [
        tuple(e for e, label in zip(v.shape, own, strict=True) if label < 0)
        for v, own in zip(values, labels, strict=True)
    ]
    common = common_shape(b, wide)
    extents |= {i - len(common): e for i, e in enumerate(common)}
    terms: list[Term] = []
    for v, own in zip(values, labels, strict=True):
        pairs = list(zip(v.shape, own, strict=True))
        kept = tuple(label for e, label in pairs if label > 0 or e != 1)
        v = retype(b, v, tuple(extents[label] for label in kept))
        terms.append(_diagonal(b, v, kept))
    return terms, extents


def _diagonal(b: Builder, v: Value, own: Labels) -> Term:
    """The elements at which axes of the same label have the same index."""
    for label in dict.fromkeys(own):
        while own.count(label) > 1:
            i = own.index(label)
            j = own.index(label, i + 1)
            rest = [a for a in range(len(own)) if a not in (i, j)]
            n = v.shape[i]
            square = b.emit(ir.Transpose(v, (*rest, i, j)))
            zero = b.constant(0, v.dtype)
            taken = b.emit(ir.Diagonals(square, zero, 0, 0, False, False, n))
            v = b.emit(ir.Reshape(taken, (*square.shape[:-2], n)))
            own = (*(own[a] for a in rest), label)
    return v, own


def _summed(b: Builder, term: Term, kept: set[int]) -> Term:
    """The sum over the labels that nothing else has."""
    v, own = term
    axes = tuple(i for i, label in enumerate(own) if label not in kept)
    if not axes:
        return term
    return b.emit(ir.ReduceSum(v, axes)), tuple(label for label in own if label in kept)


def _contracted(
    b: Builder, x: Term, y: Term, kept: set[int], result: Labels, extents: dict[int, Extent]
) -> Term:
    """The product of two operands, summed over the labels that both have and nothing else."""
    shared = [label for label in x[1] if label in y[1]]
    batch = [label for label in shared if label in kept]
    inner = [label for label in shared if label not in kept]
    free_x = [label for label in x[1] if label not in shared]
    free_y = [label for label in y[1] if label not in shared]
    if _turned(x[1], y[1], free_x, free_y, inner, result):
        x, y, free_x, free_y = y, x, free_y, free_x
    own = (*batch, *free_x, *free_y)
    if not inner:
        shape = tuple(extents[label] for label in own)
        factors = [_placed(b, t, own, shape) for t in (x, y)]
        return b.emit(ir.Mul(*factors)), own
    if not free_x and not free_y:  # nothing that a matrix product would use more than once
        left, right = (_ordered(b, term, (*batch, *inner)) for term in (x, y))
        axes = range(len(batch), left.rank)
        return inner_product(b, left, right, axes), own
    sizes = [[extents[label] for label in labels] for labels in (batch, free_x, inner, free_y)]
    left = _ordered(b, x, (*batch, *free_x, *inner))
    right = _ordered(b, y, (*batch, *inner, *free_y))
    m, k, n = (product(e) for e in sizes[1:])
    left = retype(b, left, (*sizes[0], m, k))
    right = retype(b, right, (*sizes[0], k, n))
    value = b.emit(ir.Matmul(left, right))
    return retype(b, value, (*sizes[0], *sizes[1], *sizes[3])), own


def _turned(
    x: Labels, y: Labels, free_x: list[int], free_y: list[int], inner: list[int], result: Labels
) -> bool:
    """Whether y @ x is better than x @ y: it may save a transpose."""
    if free_x and free_y:  # of the result
        return next(
            (label in free_x for label in reversed(result) if label in free_x + free_y), False
        )
    if free_x:  # of the matrix, beside a vector: the rows of one on the left are read in order
        return x[-1] not in inner
    return bool(free_y) and y[-1] in inner


def _ordered(b: Builder, term: Term, labels: Labels) -> Value:
    """The operand with its axes in the order of `labels`."""
    v, own = term
    if own == labels:
        return v
    return b.emit(ir.Transpose(v, tuple(own.index(label) for label in labels)))


def _placed(b: Builder, term: Term, labels: Labels, shape: tuple[Extent, ...]) -> Value:
    """The operand repeated along the labels that it does not have."""
    mine = tuple(label for label in labels if label in term[1])
    v = _ordered(b, term, mine)
    if mine == labels:
        return v
    return b.emit(ir.Broadcast(v, shape, tuple(labels.index(label) for label in mine)))


def _laid(b: Builder, v: Value, own: Labels, result: Labels, extents: dict[int, Extent]) -> Value:
    """The last value with its axes as the result has them: labels that it has twice become
    diagonals, axes that broadcasting left out have extent 1."""
    once = tuple(dict.fromkeys(result))
    v = _ordered(b, (v, own), tuple(label for label in once if label in own))
    v = retype(b, v, tuple(extents[label] for label in once))
    have = list(once)
    for label in once:
        for _ in range(result.count(label) - 1):
            i = have.index(label)
            rest = [a for a in range(len(have)) if a != i]
            n = extents[label]
            rows = b.emit(ir.Transpose(v, (*rest, i)))
            rows = b.emit(ir.Reshape(rows, (*rows.shape[:-1], 1, n)))
            zero = b.constant(0, v.dtype)
            v = b.emit(ir.FromDiagonals(rows, zero, 0, 0, False, False, n, n))
            have = [*(have[a] for a in rest), label, label]
    order, free = [], list(range(len(have)))
    for label in result:
        a = next(a for a in free if have[a] == label)
        free.remove(a)
        order.append(a)
    if order != list(range(len(have))):
        v = b.emit(ir.Transpose(v, tuple(order)))
    return broadcast_to(b, v, tuple(extents[label] for label in result))
