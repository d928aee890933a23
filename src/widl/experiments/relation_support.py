"""Relation support: the share of a headline's relations between words that its document has, too.

A headline is parsed as a sentence of its own, with the articles of its text (`as_sentence`). Its relations are subjects
and objects of verbs, negations, and prepositions with their noun and what they belong to. Active and passive forms are
one, members of a list have the relations of its first, *who* stands for its noun and the speaker's *it* for the
speaker. What a prepositional phrase belongs to is often open, so a document's phrase supports all that it may belong
to: the words above it, and those beside it there; one of a headline may belong to any word above it.

A subject or object of a word that the document has, but never as a verb, is the parser's invention (*13 cts a share*)
and does not count. Sums of money stand for what they are sums of, so that *sells notes* is supported by *will sell two
mln dlrs of notes*.

It counts what a headline puts together that its text keeps apart. It is no proof of truth: a relation that the parser
misread counts, and a modifier that is missing (*may*, *all but*) does not.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from widl.experiments.trimming import SUBJECTS, Tree
from widl.headline.documents import Document
from widl.headline.lexicon import ARTICLES, word_set
from widl.headline.parsing import ParsedDocument
from widl.headline.speakers import subject_of
from widl.headline.words import Word, bare, is_label, sentences_of

_NEGATIONS = word_set("not never n't no neither nor without hardly barely scarcely")

Relation = tuple[str, frozenset[str], frozenset[str]]
"""Kind; the forms of the upper word, its key and lemma; those of the lower word, behind its preposition."""

MONEY = frozenset(
    {"mln", "bln", "trln", "dlr", "dlrs", "dollar", "dollars", "cent", "cents", "pound", "pounds", "euro"}
)
MONEY |= frozenset({"euros", "million", "billion", "trillion", "stg", "yen", "francs", "marks", "pct", "percent"})
_AGENT = "by"
_NO_NOUNS = frozenset({"PRON", "DET", "PUNCT", "CCONJ"})
_RELATIVES = frozenset({"who", "which", "that", "whom"})
_PUT_BACK = ARTICLES | word_set("its his her their")
_BE = word_set("is are was were")
_PREMODIFIERS = frozenset({"ADJ", "NUM", "NOUN", "PROPN", "VERB", "ADV"})
_LONGEST_GAP = 5


def _is_negation(word: Word) -> bool:
    """Whether a word denies, by itself or by its end: *not*, *can't*."""
    return word.key in _NEGATIONS or word.key.endswith(("n't", "n’t"))


def support(
    headlines: Sequence[str],
    documents: Sequence[ParsedDocument],
    parse: Callable[[Iterable[Document]], Iterable[ParsedDocument]],
) -> list[tuple[int, int]]:
    """Of each headline the number of relations that its document has, and the number of all its relations."""
    cased = [Document("headline", as_sentence(text, parsed)) for text, parsed in zip(headlines, documents, strict=True)]
    counts = []
    for parsed, document in zip(parse(cased), documents, strict=True):
        known = DocumentRelations(document)
        found = [readings for readings in headline_relations(parsed) if not known.is_misread(readings[0])]
        counts.append((sum(any(map(known.has, readings)) for readings in found), len(found)))
    return counts


def headline_relations(parsed: ParsedDocument) -> Iterator[list[Relation]]:
    """The relations of a headline, each with what else the same words may mean."""
    for words in sentences_of(parsed):
        relations = _SentenceRelations(Tree(words), is_text=False)
        for i, relation in relations:
            yield [relation, *relations.of_words_above(i, relation)]


class DocumentRelations:
    """The relations of a document, by kind and by each pair of forms."""

    def __init__(self, document: ParsedDocument) -> None:
        self._pairs: set[tuple[str, str, str]] = set()
        self._verbs: set[str] = set()
        self._others: set[str] = set()
        for words in sentences_of(document):
            for word in words:
                (self._verbs if word.tag in {"VERB", "AUX"} else self._others).update((word.key, word.lemma))
            for reading in (words, _with_speakers(words)):
                for _, (kind, upper, lower) in _SentenceRelations(Tree(reading), is_text=True):
                    self._pairs.update((kind, a, b) for a in upper for b in lower)

    def is_misread(self, relation: Relation) -> bool:
        """Whether a headline's verb is a word that the document has, but never as a verb: *13 cts a share*."""
        kind, upper, _ = relation
        if kind not in {"subject", "object"} or upper & self._verbs:
            return False
        return not upper.isdisjoint(self._others)

    def has(self, relation: Relation) -> bool:
        """Whether the document has a relation, in some form of its words."""
        kind, upper, lower = relation
        return any((kind, a, b) in self._pairs for a in upper for b in lower)


def _with_speakers(words: Sequence[Word]) -> list[Word]:
    """Make the speaker the subject of reported speech whose subject is a pronoun.

    *The company said it will sell* has *company sell* then. Nobody asks whom the pronoun means.
    """
    words = list(words)
    for i, word in enumerate(words):
        if word.relation != "ccomp" or word.tag not in {"VERB", "AUX", "NOUN", "ADJ"}:
            continue
        pronoun = subject_of(words, i)
        speaker = subject_of(words, word.head)
        if pronoun is None or speaker is None or words[pronoun].tag != "PRON" or words[speaker].tag == "PRON":
            continue
        if speaker < i:
            words[speaker] = replace(words[speaker], head=i, relation=words[pronoun].relation)
    return words


class _SentenceRelations:
    """The relations of a sentence, each with the position of the word that it is about.

    Of a text they are all that it may mean: prepositional phrases with all that they may belong to.
    """

    def __init__(self, tree: Tree, *, is_text: bool) -> None:
        self._tree = tree
        self._all = is_text

    def __iter__(self) -> Iterator[tuple[int, Relation]]:
        tree = self._tree
        for i, word in enumerate(tree.sentence):
            if _is_negation(word):
                yield i, ("not", self._forms(word.head), frozenset({"not"}))
                continue
            if word.head == i:
                continue
            for relations in (self._of_modifier, self._of_arguments, self._of_participle, self._of_preposition):
                yield from ((i, relation) for relation in relations(i))

    def _forms(self, i: int) -> frozenset[str]:
        """Key and lemma of a word; of a name those of all its words, of which headlines have some."""
        tree = self._tree
        word = tree.sentence[i]
        positions = [i]
        if word.text[:1].isupper() or word.tag in {"PROPN", "NUM"} or word.tag == "NOUN":
            positions += [c for c in tree.children[i] if tree.relation(c) in {"compound", "appos", "nummod"}]
        if is_label(word):  # Moody's Investors Service Inc
            positions += [c for c in tree.children[i] if tree.sentence[c].relation == "nmod:poss"]
        if self._all and word.key in MONEY:  # a sum stands for what it is a sum of
            positions += [
                c for c in tree.children[i] if tree.relation(c) == "nmod" and tree.sentence[c - 1].key == "of"
            ]
        words = [tree.sentence[k] for k in positions if k == i or not is_label(tree.sentence[k])]
        return frozenset(form for w in words for form in (w.key, w.lemma))

    def _members(self, i: int) -> list[int]:
        """A word with the members of the list that it begins."""
        return [i, *(c for c in self._tree.children[i] if self._tree.relation(c) == "conj")]

    def _nouns(self, i: int) -> list[int]:
        """What stands for an argument: of a relative pronoun the noun, of a list all members."""
        tree = self._tree
        word = tree.sentence[i]
        if word.key in _RELATIVES and tree.sentence[word.head].relation == "acl:relcl":
            return [tree.sentence[word.head].head]
        return self._members(i)

    def _of_arguments(self, i: int) -> Iterator[Relation]:
        tree = self._tree
        word = tree.sentence[i]
        if tree.relation(i) in SUBJECTS:
            kind = "object" if word.relation.endswith(":pass") or self._is_bare_participle(word.head) else "subject"
            for verb in [*self._members(word.head), *self._infinitives(word.head)]:
                if verb == word.head or tree.child(verb, *SUBJECTS) is None:
                    # A shared subject is passive or active by each verb's own auxiliaries.
                    passive = tree.child(verb, "aux:pass") is not None
                    verb_kind = kind if verb == word.head else "object" if passive else "subject"
                    yield from self._pairs(verb_kind, verb, i)
                    if self._all:
                        yield from self._pairs(
                            "object" if verb_kind == "subject" and self._is_ed(verb) else verb_kind, verb, i
                        )
        elif tree.relation(i) in {"obj", "iobj"}:
            yield from self._pairs("object", word.head, i)

    def _pairs(self, kind: str, verb: int, noun: int) -> Iterator[Relation]:
        for k in self._nouns(noun):
            if self._tree.sentence[k].tag not in _NO_NOUNS:
                yield kind, self._forms(verb), self._forms(k)

    def _is_ed(self, verb: int) -> bool:
        word = self._tree.sentence[verb]
        return word.key != word.lemma and not word.key.endswith("ing") and self._tree.child(verb, "obj") is None

    def _is_bare_participle(self, verb: int) -> bool:
        """Whether a headline's verb is a participle without *was*: *bridge closed after storm*."""
        tree = self._tree
        return self._is_ed(verb) and not self._all and tree.child(verb, "aux", "ccomp", "xcomp") is None

    def _infinitives(self, verb: int) -> list[int]:
        """Verbs below that have the same subject: *agreed to merge*."""
        found = []
        below = [c for c in self._tree.children[verb] if self._tree.relation(c) == "xcomp"]
        for c in below:
            found += [c, *(k for k in self._tree.children[c] if self._tree.relation(k) in {"xcomp", "conj"})]
        return found

    def of_words_above(self, i: int, relation: Relation) -> Iterator[Relation]:
        """A prepositional phrase with each word above the one that the parse has it belong to."""
        kind, _, lower = relation
        if kind == "preposition":
            above = self._tree.sentence[i].head
            while (further := self._tree.sentence[above].head) != above:
                above = further
                yield kind, self._forms(above), lower

    def _of_modifier(self, i: int) -> Iterator[Relation]:
        """*Planned sales* are the object of *plan*, *falling sales* the subject of *fall*."""
        word = self._tree.sentence[i]
        if self._all and word.tag == "VERB" and word.relation in {"amod", "compound"}:
            yield from self._pairs("subject" if word.key.endswith("ing") else "object", i, word.head)

    def _of_participle(self, i: int) -> Iterator[Relation]:
        """*Offer rejected by the board*, *law allowing sales*."""
        word = self._tree.sentence[i]
        if word.relation == "acl" and word.tag == "VERB" and self._tree.child(i, *SUBJECTS) is None:
            if word.key.endswith("ing"):
                yield from self._pairs("subject", i, word.head)
            elif self._tree.child(i, "mark") is None:
                yield from self._pairs("object", i, word.head)

    def _of_preposition(self, i: int) -> Iterator[Relation]:
        tree = self._tree
        word = tree.sentence[i]
        cases = sorted(k for c in tree.children[i] if tree.relation(c) == "case" for k in tree.subtree(c))
        if not cases or tree.relation(i) not in {"obl", "nmod"} or word.tag in _NO_NOUNS:
            return
        preposition = " ".join(tree.sentence[k].key for k in cases)
        if preposition == _AGENT and tree.relation(i) == "obl":
            yield from self._pairs("subject", word.head, i)
        lower = frozenset(f"{preposition} {form}" for noun in self._members(i) for form in self._forms(noun))
        for upper in self._attachments(i) if self._all else [word.head]:
            yield "preposition", self._forms(upper), lower

    def _attachments(self, i: int) -> list[int]:
        """What a prepositional phrase may belong to: the words above it, and what hangs on these in front of it."""
        tree = self._tree
        found: list[int] = []
        at = i
        while tree.sentence[at].head != at and tree.sentence[at].head not in found:
            at = tree.sentence[at].head
            found.append(at)
            found += [
                c for c in tree.children[at] if c < i and tree.sentence[c].tag in {"NOUN", "PROPN", "VERB", "NUM"}
            ]
            found += [
                k for c in tree.children[at] if c < i for k in tree.children[c] if tree.relation(k) in {"nmod", "conj"}
            ]
        return found


def as_sentence(headline: str, document: ParsedDocument) -> str:
    """A headline as a sentence that a parser of running text reads well, with what its document has there put back:
    its letters, an article or possessive before a noun phrase, a form of *be* before a participle or adjective.

    Only words that stand in the same order in one sentence of the document are led back to it.
    """
    sentences = sentences_of(document)
    if headline.isupper():
        known = {word.key: word.text for words in reversed(sentences) for word in words}
        words = [known.get(word.strip(",;:").lower(), word.lower()) for word in headline.split()]
        headline = " ".join(words)
    written = headline.split()
    keys = [bare(word).lower() for word in written]
    aligned = max((_common(keys, words) for words in sentences), key=len, default=[])
    source = next((words for words in sentences if _common(keys, words) == aligned), [])
    missing = dict(_missing(aligned, source))
    if missing.get(0) and source[aligned[0][1]].key == keys[0]:
        written[0] = source[aligned[0][1]].text
    text = " ".join(word for i, word in enumerate(written) for word in (*missing.get(i, ()), word))
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


def _common(keys: Sequence[str], words: Sequence[Word]) -> list[tuple[int, int]]:
    """The longest common subsequence of a headline and a sentence, by key or lemma: pairs of positions."""
    lengths = [[0] * (len(words) + 1) for _ in range(len(keys) + 1)]
    for i in reversed(range(len(keys))):
        for j in reversed(range(len(words))):
            same = _is_same(keys[i], words[j])
            lengths[i][j] = lengths[i + 1][j + 1] + 1 if same else max(lengths[i + 1][j], lengths[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(keys) and j < len(words):
        if _is_same(keys[i], words[j]):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _is_same(key: str, word: Word) -> bool:
    return key == word.key or (word.tag in {"VERB", "AUX"} and key.removesuffix("s") == word.lemma)


def _missing(aligned: Sequence[tuple[int, int]], words: Sequence[Word]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """What the sentence has before a word of the headline and the headline has not, by the word's position there."""
    before = -1
    for number, (i, j) in enumerate(aligned):
        follows = number > 0 and aligned[number - 1][0] == i - 1 or i == 0
        k = j - 1
        if follows and k > before and words[k].key in _BE and words[k].tag == "AUX":
            yield i, (words[k].text,)
        elif follows and words[j].tag in _PREMODIFIERS - {"ADV"}:
            while before < k > j - _LONGEST_GAP and words[k].tag in _PREMODIFIERS and not words[k].closing:
                k -= 1
            if before < k and words[k].key in _PUT_BACK and (k == j - 1 or words[k].head >= j):
                yield i, (words[k].text,)
        before = j
