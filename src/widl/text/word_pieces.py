"""Chinese words split into the words that they consist of."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice

from widl.text.normalization import HAN_CHARACTER

Range = tuple[int, int]
"""Characters [begin, end) of a word."""

_LONGEST = 8  # maximum characters of a piece
_KNOWN, _CHARACTER, _UNKNOWN = 10, 15, 30  # what pieces cost


# Inside of words with signs: O'Brien, AT&T, file_name, C++, C#, @user.
_BESIDE_SIGN = re.compile(
    r"(?<=[A-Za-z0-9])(?=['’&_][A-Za-z0-9]|\+\+|#(?![A-Za-z0-9]))|(?<=[A-Za-z0-9]['’&_])(?=[A-Za-z0-9])"
    r"|(?<=[@#])(?=[A-Za-z])"
)


def splits_word(text: str, at: int) -> bool:
    """Whether a position is inside a word of letters, digits and signs; positions between Chinese characters never are.

    >>> splits_word("AI", 1), splits_word("AI在", 2), splits_word("北京", 1), splits_word("AI", 2)
    (True, False, False, False)
    >>> splits_word("O'Brien", 1), splits_word("C++", 1), splits_word("AI-3", 2)
    (True, True, False)
    """
    if not 0 < at < len(text):
        return False
    if _BESIDE_SIGN.match(text, at):
        return True
    return all(sign.isalnum() and not HAN_CHARACTER.match(sign) for sign in text[at - 1 : at + 1])


def inner_words(word: str) -> list[Range]:
    """The pieces of a word that may be words themselves."""
    size = len(word)
    return [(begin, end) for begin in range(size) for end in range(begin + 1, min(begin + _LONGEST, size) + 1)]


def known_pieces(words: Sequence[str], knows: Callable[[Sequence[str]], list[bool]]) -> list[dict[Range, bool]]:
    """The known pieces of each word; `knows` is called once for all pieces."""
    inner = [inner_words(word) for word in words]
    answers = iter(knows([word[begin:end] for word, ranges in zip(words, inner, strict=True) for begin, end in ranges]))
    return [{piece: next(answers) for piece in ranges} for ranges in inner]


def cheapest_split(word: str, in_vocabulary: Mapping[Range, bool]) -> list[Range]:
    """The pieces of all cheapest splits of a word, from left to right; numbers and letters are not split.

    A piece of several characters costs 10 and must be known; a single character costs 15, or 30 if it is unknown.

    >>> cheapest_split("集团公司", dict.fromkeys(inner_words("集团公司"), True))
    [(0, 2), (2, 4)]
    >>> cheapest_split("研究生命", {(0, 2): True, (0, 3): True, (2, 4): True, (3, 4): True, (1, 2): False})
    [(0, 2), (2, 4)]
    """
    size = len(word)
    places = [i for i in range(size + 1) if not splits_word(word, i)]
    costs: dict[Range, int] = {}
    for a, begin in enumerate(places):
        for end in islice(places, a + 1, a + 1 + _LONGEST):  # positions are at least a character apart
            whole = (begin, end) == (0, size)
            if in_vocabulary.get((begin, end)) and not whole:
                costs[begin, end] = _CHARACTER if end == begin + 1 else _KNOWN
            elif end == places[a + 1]:
                costs[begin, end] = _UNKNOWN
    to = {0: 0}
    for (begin, end), cost in sorted(costs.items()):
        to[end] = min(to.get(end, 1 << 30), to[begin] + cost)
    rest = {size: 0}
    for (begin, end), cost in sorted(costs.items(), reverse=True):
        rest[begin] = min(rest.get(begin, 1 << 30), cost + rest[end])
    return [piece for piece, cost in sorted(costs.items()) if to[piece[0]] + cost + rest[piece[1]] == to[size]]


def segment_words(word: str, in_vocabulary: Mapping[Range, bool]) -> list[Range]:
    """The first of the cheapest splits of a word, if its pieces are known and at most one is a single character.

    Returns an empty list if no split exists: the word stays whole.

    >>> everything = dict.fromkeys(inner_words("集团公司"), True)
    >>> segment_words("集团公司", everything), segment_words("集团", everything)
    ([(0, 2), (2, 4)], [])
    """
    if len(word) < 3:
        return []
    pieces: list[Range] = []
    for piece in cheapest_split(word, in_vocabulary):
        if piece[0] == (pieces[-1][1] if pieces else 0):
            pieces.append(piece)
    singles = sum(end - begin == 1 for begin, end in pieces)
    return pieces if singles <= 1 and len(pieces) > 1 and all(map(in_vocabulary.get, pieces)) else []
