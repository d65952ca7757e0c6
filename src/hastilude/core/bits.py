"""Sets of numbers below 64 in one unsigned word: `Bits`.

The processor has an instruction for each of these functions, but numba exposes none of them. The
functions here run when kernels are interpreted; compiled kernels use the twins further below.
"""

from typing import Any, TypeAlias

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from hastilude.core.kernel import compiled_twin, kernel

Bits: TypeAlias = np.uint64  # a word that kernels compute with
AnyBits: TypeAlias = np.uint64 | int

NONE = np.uint64(0)
ONE = np.uint64(1)
HAS_DEPOSIT = bool(binding.get_host_cpu_features().get("bmi2", False))


@kernel
def bit(number: int) -> Bits:
    """The set that contains only this number."""
    return ONE << np.uint64(number)


@kernel
def has(bits: Bits, number: int) -> bool:
    return (np.uint64(bits) >> np.uint64(number)) & ONE != NONE


def count(bits: AnyBits) -> int:
    return int(bits).bit_count()


def lowest(bits: AnyBits) -> int:
    """The smallest number of a set that is not empty."""
    return (int(bits) & -int(bits)).bit_length() - 1


def highest(bits: AnyBits) -> int:
    """The largest number of a set that is not empty."""
    return int(bits).bit_length() - 1


def nth(bits: AnyBits, n: int) -> int:
    """The n-th smallest number of a set, counted from 0."""
    rest = int(bits)
    for _ in range(n):
        rest &= rest - 1
    return lowest(np.uint64(rest))


def numbers(bits: AnyBits) -> list[int]:
    """The set as a sorted list: for Python, not for kernels."""
    rest = int(bits)
    found = []
    while rest:
        low = rest & -rest
        found.append(low.bit_length() - 1)
        rest ^= low
    return found


# --- the compiled twins -------------------------------------------------------------------------

_WORD = ir.IntType(64)


def _call(builder: Any, name: str, *arguments: Any) -> Any:
    """Emit a call of an LLVM instruction on 64-bit words."""
    kind = ir.FunctionType(_WORD, [argument.type for argument in arguments])
    return builder.call(builder.module.declare_intrinsic(name, fnty=kind), arguments)


@intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
def _count(typing: Any, bits: Any) -> Any:
    return types.int64(types.uint64), lambda _c, b, _s, a: _call(b, "llvm.ctpop.i64", a[0])


@intrinsic  # type: ignore[untyped-decorator]
def _lowest(typing: Any, bits: Any) -> Any:
    return types.int64(types.uint64), lambda _c, b, _s, a: _call(
        b, "llvm.cttz.i64", a[0], ir.Constant(ir.IntType(1), 1)
    )


@intrinsic  # type: ignore[untyped-decorator]
def _leading_zeros(typing: Any, bits: Any) -> Any:
    return types.int64(types.uint64), lambda _c, b, _s, a: _call(
        b, "llvm.ctlz.i64", a[0], ir.Constant(ir.IntType(1), 1)
    )


@intrinsic  # type: ignore[untyped-decorator]
def _deposit(typing: Any, source: Any, mask: Any) -> Any:
    return types.uint64(types.uint64, types.uint64), lambda _c, b, _s, a: _call(
        b, "llvm.x86.bmi.pdep.64", *a
    )


@compiled_twin(count)
def _compiled_count(bits: Bits) -> int:
    return _count(np.uint64(bits))


@compiled_twin(lowest)
def _compiled_lowest(bits: Bits) -> int:
    return _lowest(np.uint64(bits))


@compiled_twin(highest)
def _compiled_highest(bits: Bits) -> int:
    return 63 - _leading_zeros(np.uint64(bits))


def _nth_by_deposit(bits: Bits, n: int) -> int:
    return _lowest(_deposit(np.uint64(1) << np.uint64(n), np.uint64(bits)))


def _nth_by_steps(bits: Bits, n: int) -> int:
    rest = np.uint64(bits)
    for _ in range(n):
        rest &= rest - np.uint64(1)
    return _lowest(rest)


compiled_twin(nth)(_nth_by_deposit if HAS_DEPOSIT else _nth_by_steps)
