"""The written form of a clause's words: punctuation of the text where its words stand side by side, whole quotations."""

from collections.abc import Sequence

from widl.headline.pieces import Said

_QUOTES = frozenset("\"“”'‘’`")
_INNER = frozenset(",;:-–—/")
_DROPPED_TAGS = frozenset({"DET", "ADJ", "PRON", "NOUN"})


def written_words_of(words: Sequence[Said], sentence_tags: Sequence[Sequence[str]]) -> list[str]:
    """The words as printed. `sentence_tags` are the tags of each sentence's words."""
    result = []
    for i, said in enumerate(words):
        following = words[i + 1] if i + 1 < len(words) else None
        closing = _inner_marks(said, following, sentence_tags)
        result.append(said.word.text + closing)
    return result


def _inner_marks(said: Said, following: Said | None, tags: Sequence[Sequence[str]]) -> str:
    """The comma or the like that stays behind a word."""
    marks = "".join(mark for mark in said.word.closing if mark in _INNER and mark not in _QUOTES)
    if following is None or not marks or following.sentence != said.sentence or following.position <= said.position:
        return ""
    between = tags[said.sentence][said.position + 1 : following.position]
    if not all(tag in {"DET", "PRON", "ADJ"} for tag in between):
        return ""
    return "," if "," in marks else f" {marks}" if marks.strip("-–—") == "" else marks
