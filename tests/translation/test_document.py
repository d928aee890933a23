"""Names that return in a document."""

import pytest

from widl.translation.document import document_names
from widl.translation.parts import GivenTranslations
from widl.translation.results import Candidate, TranslatedPhrase, Translation
from widl.translation.sentence import GivenSpan, Sentence

# By itself, the second line's name is cut in two, and the last one's takes a character too many.
LINES = ["记者梅丽安。", "警方告诉梅丽安西。", "梅丽安说，警方正在调查。", "梅丽安在北京。"]


def read(name: str, words: str, *, given: bool = True) -> tuple[Sentence, Translation]:
    """A line of one name, made by rule or not, and its translation."""
    made = GivenTranslations.evenly([words.split()], exclusive=False, origin="name" if given else "")
    sentence = Sentence((name, "。"), (GivenSpan(0, 1, made),))
    phrases = TranslatedPhrase(0, 1, tuple(words.split())), TranslatedPhrase(1, 2, (".",))
    candidate = Candidate(f"{words}.", 0.0, None, phrases)
    return sentence, Translation(text="", nbest=(candidate,), source=sentence.tokens, bound=0.0, optimal=False)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([("梅丽安", "Melian"), ("梅丽安", "Mei Li'an"), ("梅丽安", "Mei Li'an")], {"梅丽安": "Mei Li'an"}),
        ([("梅丽安", "Melian"), ("梅丽安", "Mei Li'an")], {"梅丽安": "Melian"}),  # of equals the first
        ([("梅丽安", "Melian"), ("库契马", "Kuchma")], {}),  # neither returns
        ([("梅丽安", "Melian"), ("梅丽安", "Melian"), ("梅丽安西", "Meliansi")], {"梅丽安": "Melian"}),
        ([("梅丽安", "Melian"), ("梅丽安西", "Meliansi")], {"梅丽安": "Melian"}),
        ([("梅丽", "Meili"), ("梅丽", "Meili")], {}),  # two characters
    ],
)
def test_the_usual_form_of_names_that_return(lines, expected) -> None:
    sentences, translations = zip(*(read(*line) for line in lines), strict=True)
    assert document_names(sentences, translations) == {name: tuple(words.split()) for name, words in expected.items()}


def test_what_the_table_or_the_user_translates_is_no_name_of_the_document() -> None:
    lines = [read("梅丽安", "Melian", given=False)] * 2
    assert document_names(*zip(*lines, strict=True)) == {}


def test_a_name_is_cut_and_spelt_alike(translator) -> None:
    alone = [result.text for result in translator.translate(LINES)]
    results = list(translator.translate(LINES, document=True))
    assert ["Mei Li'an" in text for text in alone] == [True, False, False, True]
    assert all("Mei Li'an" in result.text for result in results)
    assert [result.text for result in results][0::3] == alone[0::3]
    assert [result.text for result in translator.translate(LINES, document=True, threads=3)] == [
        result.text for result in results
    ]


def test_users_terms_go_first(translator, tmp_path) -> None:
    (tmp_path / "terms").write_text("梅丽安\tMary Anne\n", encoding="utf-8")
    results = list(translator.translate(LINES, document=True, glossary=tmp_path / "terms"))
    assert all("Mary Anne" in result.text for result in results)


def test_lines_without_names_stay_as_they_are(translator) -> None:
    lines = ["警方正在调查这起事故。", "", "记者在北京。"]
    assert [one.text for one in translator.translate(lines, document=True)] == [
        one.text for one in translator.translate(lines)
    ]


def test_the_command(run, trained, tmp_path) -> None:
    (tmp_path / "in").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    code, out, _ = run("translate", trained, tmp_path / "in", "--document")
    assert (code, out.count("Mei Li'an")) == (0, len(LINES))
