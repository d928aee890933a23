"""Small closed word lists."""


def word_set(words: str) -> frozenset[str]:
    """The words between blanks."""
    return frozenset(words.split())


DAYS = word_set("monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun")
MONTHS = word_set(
    "january february march april may june july august september october november december jan feb mar apr jun jul aug "
    "sep sept oct nov dec jan. feb. mar. apr. aug. sep. sept. oct. nov. dec."
)
TIME_UNITS = word_set(
    "second minute hour day week month year decade century quarter morning afternoon evening night midnight noon "
    "midday dawn dusk weekend fortnight season spring summer autumn winter today yesterday tomorrow tonight"
)
ADVERBS_OF_TIME = word_set("today yesterday tomorrow tonight overnight recently earlier later now currently meanwhile")
TIME_PREPOSITIONS = word_set(
    "after ago at before between by during for from in on over past since through throughout till to toward towards "
    "until within"
)
ARTICLES = word_set("a an the")
"""Determiners that a headline leaves out."""
CLOSED_CLASSES = word_set("ADP AUX CCONJ DET PART PRON PUNCT SCONJ")
"""Universal tags of words that no phrase of a headline should end in."""
