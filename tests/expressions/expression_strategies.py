"""Random expressions as hypothesis draws them."""

import random

from hypothesis import strategies as st

from tests.expressions.random_expressions import Generator, Random


@st.composite
def random_expressions(draw: st.DrawFn, *, with_tiles: bool = True) -> Random:
    """Drawn from a seed, because hypothesis repeats its choices too often; the number of operators shrinks."""
    operators = draw(st.sampled_from([0, 1, 2, 3, 4, 5, 6, 7, 8]))
    return Generator(random.Random(draw(st.integers(0, 2**32))), with_tiles).expression(operators)
