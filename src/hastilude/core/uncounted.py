"""Arrays without reference counts, for kernels that run for long.

numba counts the references to an array even while a kernel only reads it: each field of a tuple of
arrays that a function takes costs two atomic additions. In a search that was half of the time. The
caller of a kernel keeps its arrays until the kernel returns, so nothing needs to be counted.
"""

from typing import Any, TypeVar

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from hastilude.core.kernel import compiled_twin

T = TypeVar("T")


def uncounted(arrays: T) -> T:
    """The same array, or the same tuple of arrays and tuples. It must not outlive the kernel."""
    return arrays


@intrinsic  # type: ignore[untyped-decorator]  # numba is untyped
def _uncounted(typing: Any, arrays: Any) -> Any:
    return arrays(arrays), lambda context, builder, signature, arguments: _strip(
        context, builder, signature.return_type, arguments[0]
    )


def _strip(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Without an owner, numba's functions that count do nothing."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        parts = [
            _strip(context, builder, part, builder.extract_value(value, number))
            for number, part in enumerate(kind)
        ]
        return context.make_tuple(builder, kind, parts)
    return value


@compiled_twin(uncounted)
def _compiled_uncounted(arrays: T) -> T:
    return _uncounted(arrays)
