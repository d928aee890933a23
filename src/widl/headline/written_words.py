"""The written form of tokens: words that are separated by blanks."""

from collections.abc import Iterable, Sequence

from widl.headline.budget import Budget
from widl.headline.parsing import Sentence, Token

_QUOTES = frozenset('"“”„«»`') | {"``", "''"}
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_ANGLES = frozenset("<>")  # around company names on news wires
_GLUED = ("'", "’", "n't", "n’t", ",", ".", ";", ":", "!", "?", "%", ")", "]", "}")


def written_words(sentence: Sentence, kept: Iterable[int] | None = None) -> list[str]:
    """The words of a sentence, or of its tokens `kept`.

    Tokens that are written together are one word (*Iran's*, *end-May*, *$5*). Punctuation at both ends is removed, and
    so are quotation marks and brackets without a partner, and all angle brackets.
    """
    positions = sorted(range(len(sentence)) if kept is None else kept)
    positions = _without_ends(sentence, _without_unpaired_marks(sentence, positions))
    words: list[str] = []
    before = -1
    for position in positions:
        text = sentence[position].text
        if words and not _starts_word(sentence, before, position):
            words[-1] += text
        else:
            words.append(text)
        before = position
    return [word for word in map(_without_hanging_dashes, words) if has_letters(word)]


def cut_words(words: Sequence[str], budget: Budget) -> list[str]:
    """The longest beginning that fits, which does not end in a comma."""
    kept = budget.cut(words)
    return [*kept[:-1], kept[-1].rstrip(",;:")] if kept else kept


def has_letters(word: str) -> bool:
    """Whether the word has a letter or a digit."""
    return any(character.isalnum() for character in word)


def word_groups(sentence: Sentence) -> list[list[int]]:
    """The positions of each word's tokens, punctuation included."""
    groups: list[list[int]] = []
    for position in range(len(sentence)):
        if position and not sentence[position - 1].space:
            groups[-1].append(position)
        else:
            groups.append([position])
    return groups


def _starts_word(sentence: Sentence, before: int, position: int) -> bool:
    if position == before + 1:
        return sentence[before].space
    return not sentence[position].text.startswith(_GLUED)  # the tokens between were removed


def _without_ends(sentence: Sentence, positions: list[int]) -> list[int]:
    begin, end = 0, len(positions)
    while begin < end and _is_end_punctuation(sentence[positions[begin]]):
        begin += 1
    while end > begin and _is_end_punctuation(sentence[positions[end - 1]]):
        end -= 1
    return positions[begin:end]


def _is_end_punctuation(token: Token) -> bool:
    return not has_letters(token.text) and token.text not in _QUOTES | _OPENING | _CLOSING | {"$", "£", "%"}


def _without_unpaired_marks(sentence: Sentence, positions: Sequence[int]) -> list[int]:
    texts = [sentence[position].text for position in positions]
    dropped = set(_ANGLES)
    if sum(text in _QUOTES for text in texts) % 2:
        dropped |= _QUOTES
    if sum(text in _OPENING for text in texts) != sum(text in _CLOSING for text in texts):
        dropped |= _OPENING | _CLOSING
    return [position for position, text in zip(positions, texts, strict=True) if text not in dropped]


def _without_hanging_dashes(word: str) -> str:
    return word if word[1:2].isdigit() else word.strip("-–—/")
