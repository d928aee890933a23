"""Words of a translation that stand for an entity of its source, as Moses' placeholders."""

from collections.abc import Callable, Sequence

from widl.translation.results import Candidate, Links, TranslatedPhrase
from widl.translation.sentence import Sentence


def with_entities(
    candidate: Candidate, sentence: Sentence, links: Callable[[Sequence[str], TranslatedPhrase], Links]
) -> Candidate:
    """The candidate with the entities of the sentence in place of the words that stand for them.

    Of several equal ones in a phrase the word alignment, `links`, says which is which; what it leaves open goes from
    left to right. A phrase that has lost the word loses the entity.
    """
    entities = dict(sentence.entities)
    phrases = tuple(
        _with_entities(phrase, sentence.tokens, entities, links)
        if any(phrase.begin <= position < phrase.end for position in entities)
        else phrase
        for phrase in candidate.phrases
    )
    return Candidate(candidate.text, candidate.score, candidate.features, phrases)


def _with_entities(
    phrase: TranslatedPhrase,
    tokens: Sequence[str],
    entities: dict[int, str],
    links: Callable[[Sequence[str], TranslatedPhrase], Links],
) -> TranslatedPhrase:
    left = [position for position in range(phrase.begin, phrase.end) if position in entities]
    linked = {j: phrase.begin + i for i, j in links(tokens, phrase)}
    words = list(phrase.words)
    placed = {j: linked[j] for j in range(len(words)) if linked.get(j) in left and words[j] == tokens[linked[j]]}
    left = [position for position in left if position not in placed.values()]
    for j, word in enumerate(words):
        if j not in placed and (position := next((p for p in left if tokens[p] == word), None)) is not None:
            placed[j] = position
            left.remove(position)
    for j, position in placed.items():
        words[j] = entities[position]
    return TranslatedPhrase(phrase.begin, phrase.end, tuple(words), phrase.unknown)
