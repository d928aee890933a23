"""How a clause's words are printed: commas, quotation marks, capitals."""

from widl.headline.pieces import Said
from widl.headline.words import Word
from widl.headline.written_headline import written_words_of

SENTENCE = [
    Word("U.S.", "u.s.", "u.s.", "PROPN", 1, "compound"),
    Word("Economy", "economy", "economy", "PROPN", 2, "nsubj"),
    Word("Would", "would", "would", "AUX", 3, "aux"),
    Word("gain", "gain", "gain", "VERB", 3, "root"),
    Word("help", "help", "help", "NOUN", 3, "obj", opening='"'),
    Word("again", "again", "again", "ADV", 3, "advmod", closing=',"'),
    Word("Acme", "acme", "acme", "PROPN", 3, "conj"),
    Word("Corp", "corp", "corp", "PROPN", 6, "flat", closing=","),
    Word("the", "the", "the", "DET", 9, "det"),
    Word("banks", "banks", "bank", "NOUN", 6, "conj", closing=","),
    Word("and", "and", "and", "CCONJ", 11, "cc"),
    Word("$4.3bn.", "$4.3bn.", "$4.3bn.", "NUM", 6, "conj"),
]


def written(*positions: int) -> str:
    return " ".join(written_words_of([Said(SENTENCE[i], 0, i) for i in positions], [SENTENCE]))


def test_a_capital_behind_an_abbreviation_is_none_of_a_verb() -> None:
    assert written(0, 1, 3) == "U.S. Economy gain"
    said = [*SENTENCE[:1], SENTENCE[2]]
    assert written_words_of([Said(word, 0, i) for i, word in enumerate(said)], [said]) == ["U.S.", "would"]


def test_commas_of_a_list_stay_without_labels_and_articles() -> None:
    assert written(6, 9) == "Acme, banks"
    assert written(6, 9, 10, 11) == "Acme, banks, and $4.3bn"
    assert written(3, 6) == "gain Acme"


def test_quotations_are_whole_or_have_no_marks() -> None:
    assert written(3, 4, 5) == 'gain "help again"'
    assert written(3, 4) == "gain help"
    assert written(3, 5) == "gain again"


def test_commas_of_a_list_stay_before_a_name_without_its_first_name() -> None:
    names = [
        Word("Smith", "smith", "smith", "PROPN", 0, "nsubj", closing=","),
        Word("Jo", "jo", "jo", "PROPN", 2, "compound"),
        Word("Brook", "brook", "brook", "PROPN", 0, "conj"),
    ]
    assert written_words_of([Said(names[i], 0, i) for i in (0, 2)], [names]) == ["Smith,", "Brook"]


def test_the_second_of_two_dashes_goes_with_the_aside() -> None:
    console = [
        Word("Acme's", "acme's", "acme", "PROPN", 1, "nmod:poss"),
        Word("console", "console", "console", "NOUN", 4, "nsubj", closing=" -"),
        Word("called", "called", "call", "VERB", 1, "acl"),
        Word("Moon", "moon", "moon", "PROPN", 2, "xcomp", closing=" -"),
        Word("sells", "sells", "sell", "VERB", 4, "root", closing=" -"),
        Word("reports", "reports", "report", "NOUN", 4, "dep"),
    ]
    said = [Said(console[i], 0, i) for i in (0, 3, 4, 5)]
    assert written_words_of(said, [console]) == ["Acme's", "Moon", "sells -", "reports"]


def test_the_apostrophe_of_an_owner_in_s_stays() -> None:
    words = [
        Word("Films", "films", "films", "PROPN", 1, "nmod:poss", closing="'"),
        Word("War", "war", "war", "PROPN", 1, "root"),
    ]
    read_by_order = Word("Films", "films", "films", "PROPN", 1, "compound", closing="'")
    assert written_words_of([Said(read_by_order, 0, 0), Said(words[1], 0, 1)], [words]) == ["Films'", "War"]
