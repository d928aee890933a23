"""All strings of a piece, slowly and by definition."""

from collections.abc import Iterator
from itertools import product

from widl.headline.pieces import Leaf, Part, Piece, Row, Said


def strings(piece: Piece) -> Iterator[tuple[tuple[Said, ...], float]]:
    """Each string with ln of its prior; a string of several derivations comes several times."""
    if isinstance(piece, Leaf):
        yield piece.words, 0.0
    elif isinstance(piece, Row):
        for parts in product(*(list(strings(part)) for part in piece.parts)):
            yield tuple(said for words, _ in parts for said in words), sum(prior for _, prior in parts)
    else:
        for option, prior in piece.options:
            for words, inner in strings(option):
                yield words, prior + inner


def texts(piece: Piece) -> set[str]:
    """The strings as text."""
    return {" ".join(said.word.text for said in words) for words, _ in strings(piece)}


def chosen_parts(parts: list[Part]) -> set[tuple[int, ...]]:
    """The sets of parts that may stay: every needed one, none that leans on one that is gone."""
    found = set()
    for stays in product((False, True), repeat=len(parts)):
        needed = all(stay or part.optional for stay, part in zip(stays, parts, strict=True))
        leaning = all(
            not (stay and part.leans and number and not stays[number - 1])
            for number, (stay, part) in enumerate(zip(stays, parts, strict=True))
        )
        if needed and leaning and any(stays):
            found.add(tuple(number for number, stay in enumerate(stays) if stay))
    return found
