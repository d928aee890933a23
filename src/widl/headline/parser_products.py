"""The products of matrices in the parser's network, by the core.

They are half of the time of parsing. spaCy leaves them to BLIS, whose wheels have only the kernel that every processor
runs; the core's gives the same bytes in less than half of the time.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from widl._core import multiplies_fast, multiply_transposed
from widl.common.extras import optional_packages

Float32Array = NDArray[np.float32]


@contextmanager
def products_by_core() -> Iterator[None]:
    """Networks that are made or loaded in the ``with`` block multiply by the core, if the processor can."""
    if not multiplies_fast():
        yield
        return
    with optional_packages():
        from thinc.api import get_current_ops, set_current_ops

    before = get_current_ops()
    set_current_ops(_operations())
    try:
        yield
    finally:
        set_current_ops(before)


def _operations() -> Any:
    with optional_packages():
        from thinc.api import NumpyOps

    class Operations(NumpyOps):  # type: ignore[misc]
        """thinc's operations, with other products."""

        def gemm(self, x: Float32Array, y: Float32Array, out: Any = None, **transposed: bool) -> Any:
            if out is None and transposed == {"trans2": True} and x.dtype == y.dtype == np.float32:
                return multiply_transposed(x, y)
            return super().gemm(x, y, out=out, **transposed)

    return Operations()
