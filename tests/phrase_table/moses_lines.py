"""Random lines of phrase tables in Moses' format."""

from hypothesis import strategies as st

# Bytes next to the separators of words and fields in code order; other programs' white space; a long word.
_WORD = st.one_of(
    st.sampled_from(["a", "b", "a!", "a\x01", "a}", "|", "||", "}", "\x7f", "é", "語", "\u2028", "a\u3000b", "\0"]),
    st.sampled_from(["x" * 300, "語" * 171]),
)
phrases = st.lists(_WORD, min_size=1, max_size=3).map(" ".join)
probabilities = st.one_of(
    st.floats(0, 1, exclude_min=True, allow_subnormal=False),
    st.floats(-300, 0).map(lambda exponent: 10**exponent),
    st.integers(1, 50).map(lambda n: 1 / n),
    st.just(1.0),
).map(lambda p: f"{p:g}")
counts = st.one_of(st.integers(1, 20), st.integers(1, 4_000_000_000)).map(lambda n: f"{float(n):g}")


@st.composite
def moses_lines(draw: st.DrawFn, fields: int = 5, max_size: int = 12) -> list[str]:
    """Lines of different phrase pairs, in any order."""
    lines = []
    for source, target in draw(st.sets(st.tuples(phrases, phrases), min_size=1, max_size=max_size)):
        scores = " ".join(draw(st.lists(probabilities, min_size=4, max_size=4)))
        points = st.tuples(st.integers(0, source.count(" ")), st.integers(0, target.count(" ")))
        links = " ".join(f"{i}-{j}" for i, j in draw(st.lists(points, max_size=3, unique=True)))
        numbers = " ".join(draw(st.lists(counts, min_size=3, max_size=3)))
        columns = [source, target, scores, links, numbers][:fields]
        lines.append(" ||| ".join(columns) + (" ||| |||" if fields == 5 else ""))
    return lines
