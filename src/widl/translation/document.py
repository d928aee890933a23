"""Names that return in a document are cut and spelt alike in all its lines."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from widl.translation.glossary import Glossary
from widl.translation.parts import GivenTranslations
from widl.translation.results import Translation
from widl.translation.sentence import Sentence

_SHORTEST = 3  # characters: two that happen to be a name elsewhere are too often parts of words

Names = Mapping[str, tuple[str, ...]]
"""Names of a document, each with its words in the translation."""


def document_names(sentences: Sequence[Sentence], translations: Sequence[Translation]) -> Names:
    """The names in the lines of a document that rules have made and that two lines have, with their usual words.

    Usual is what most lines have, or the first of them. A name that occurs once, and is another one of several lines
    with one more character, is that other one: the character begins the next word.
    """
    found: defaultdict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for sentence, translation in zip(sentences, translations, strict=True):
        for name, words in set(_names_in(sentence, translation)):
            found[name][words] += 1
    lines = {name: words.total() for name, words in found.items()}
    texts = ["".join(sentence.tokens) for sentence in sentences]
    return {
        name: words.most_common(1)[0][0]
        for name, words in found.items()
        if len(name) >= _SHORTEST and not (lines[name] == 1 and lines.get(name[:-1], 0) > 1)
        if sum(name in text for text in texts) > 1
    }


def lacks_names(sentence: Sentence, translation: Translation, names: Names) -> bool:
    """Whether a line has one of the names, and its translation has it in another form, or as parts of other phrases."""
    text = "".join(sentence.tokens)
    said = {("".join(sentence.tokens[one.begin : one.end]), one.words) for one in translation.phrases}
    return any(name in text and (name, words) not in said for name, words in names.items())


def as_terms(names: Names) -> Glossary:
    """The names as terms, which nothing else may translate."""
    return Glossary(
        {name: GivenTranslations.evenly([words], exclusive=True, origin="name") for name, words in names.items()}
    )


def _names_in(sentence: Sentence, translation: Translation) -> Iterator[tuple[str, tuple[str, ...]]]:
    made = {
        (span.begin, span.end, words)
        for span in sentence.given
        if span.given.origin == "name"
        for words, _ in span.given.alternatives
    }
    for phrase in translation.phrases:
        if (phrase.begin, phrase.end, phrase.words) in made:
            yield "".join(sentence.tokens[phrase.begin : phrase.end]), phrase.words
