"""All paths of an acyclic acceptor, listed."""

from collections.abc import Iterator, Mapping, Sequence

Arc = tuple[int, int, tuple[str, ...], tuple[float, ...]]
"""From, to, words, scores."""

Path = tuple[tuple[str, ...], tuple[float, ...], int]
"""Words, sums of scores, number of arcs."""


def paths(arcs: Sequence[Arc], finals: Mapping[int, tuple[float, ...]], start: int) -> list[Path]:
    """All paths from the start to final states.

    Ending counts as an arc, unless there is a single final state that has no arcs, is not the start, and costs zero.
    """
    [first, *others] = finals
    ends_freely = not others and first != start and not any(finals[first]) and all(arc[0] != first for arc in arcs)

    def behind(state: int) -> Iterator[Path]:
        if state in finals:
            yield (), finals[state], int(not ends_freely)
        for at, to, words, scores in arcs:
            if at == state:
                for more, rest, count in behind(to):
                    yield (*words, *more), tuple(a + b for a, b in zip(scores, rest, strict=True)), count + 1

    return list(behind(start))
