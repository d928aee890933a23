"""Small closed word lists."""


def word_set(words: str) -> frozenset[str]:
    """The words between blanks."""
    return frozenset(words.split())
