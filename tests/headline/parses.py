"""Parses written by hand: no test of rules hangs on a model."""

from widl.headline.documents import Document
from widl.headline.parsing import ParsedDocument, Sentence, Token

_FORMS = {
    "been": "be",
    "began": "begin",
    "bought": "buy",
    "came": "come",
    "left": "leave",
    "refused": "refuse",
    "bans": "ban",
    "denied": "deny",
    "forbids": "forbid",
    "had": "have",
    "sees": "see",
    "rose": "rise",
    "rescued": "rescue",
    "said": "say",
    "says": "say",
    "voted": "vote",
    "was": "be",
    "were": "be",
    "is": "be",
    "men": "man",
    "sent": "send",
    "taxes": "tax",
}


def sentence(text: str) -> Sentence:
    """Tokens ``word/TAG/relation>head``; a ``+`` behind stands for no white space after the word.

    Lemmas are the words in small letters, without the endings of plural and past.
    """
    tokens = []
    for position, token in enumerate(text.split()):
        glued = token.endswith("+")
        word, tag, arc = token.removesuffix("+").rsplit("/", 2)
        relation, head = arc.split(">")
        lower = word.lower()
        ending = 2 if lower.endswith("ed") else lower.endswith("s") and tag == "NOUN"
        lemma = _FORMS.get(lower, lower[: len(lower) - ending])
        assert (relation == "root") == (int(head) == position), token
        tokens.append(Token(word, lemma, tag, int(head), relation, not glued))
    return tuple(tokens)


def parsed(*sentences: str) -> ParsedDocument:
    """A document of these sentences."""
    parses = tuple(map(sentence, sentences))
    text = " ".join(token.text for tokens in parses for token in tokens)
    return ParsedDocument(Document("1", text), parses)
