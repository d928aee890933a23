"""A second opinion on a sentence's structure, from word order and parts of speech alone.

A parser trained on web texts loses its way in the long first sentences of news. Their beginnings are simple: a noun
phrase, perhaps *said it*, a verb group, an object, prepositional phrases. `shallow_parse` reads just that, and leaves
what follows unattached.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from widl.headline.attributions import is_saying
from widl.headline.lexicon import DAYS, word_set
from widl.headline.retagging import MODALS, PRONOUNS, retagged
from widl.headline.subject_order import parser_knows_more
from widl.headline.words import TICKER, Word

_IN_NOUN_PHRASE = frozenset({"DET", "ADJ", "NUM", "NOUN", "PROPN", "X", "SYM"})
_HEADS = frozenset({"NOUN", "PROPN", "NUM"})
_POSSESSIVES = word_set("its his her their our my your")
_PREMODIFIERS = frozenset({"amod", "compound"})
_APPROXIMATE = word_set("about around nearly almost over under some approximately roughly only")
_QUANTIFIERS = {("up", "to"), ("more", "than"), ("less", "than"), ("at", "least"), ("at", "most"), ("as", "much")}
_PAST = word_set("spent sent built put set hit left lost sold told found paid met kept cut")
_LONGEST_ASIDE = 16
_TIMES = DAYS | word_set("today yesterday week month year")
_TO_OR_ADVERB = frozenset({"ADV", "PART"})


@dataclass
class _Reader:
    """Reads words from left to right and gives them heads and relations."""

    words: list[Word]
    at: int = 0

    def _word(self) -> Word | None:
        return self.words[self.at] if self.at < len(self.words) else None

    def _attach(self, i: int, head: int, relation: str) -> None:
        self.words[i] = replace(self.words[i], head=head, relation=relation)

    def _is_free(self) -> bool:
        """Whether no punctuation stands before the next word."""
        return self.at == 0 or not self.words[self.at - 1].closing.strip("\"'”’.)")

    def noun_chunk(self) -> int | None:
        """A noun phrase without what may follow its head; the head's position."""
        begin = self.at
        if self._keys(2) in _QUANTIFIERS:  # "up to 100 mln dlrs"
            self.at += 2
        while (word := self._word()) is not None and self._in_chunk(word, begin):
            self.at += 1
            if word.key == TICKER or word.opening.startswith("<") and word.closing.endswith(">"):
                continue
            if word.closing.strip("\"'”’.)"):
                break
        heads = [i for i in range(begin, self.at) if self._may_head(i)]
        if not heads:
            self.at = begin
            return None
        head = heads[-1]
        tickers = range(head + 1, self.at)
        if any(not self._is_ticker(i) for i in tickers):
            self.at = head + 1
        for i in range(begin, self.at):
            if i != head:
                self._attach(i, head, self._relation(i, after=i > head))
        return head

    def _keys(self, count: int) -> tuple[str, ...]:
        return tuple(word.key for word in self.words[self.at : self.at + count])

    def _in_chunk(self, word: Word, begin: int) -> bool:
        if self.at > begin and word.opening.startswith("("):
            return False
        if word.tag in _IN_NOUN_PHRASE or word.key in _POSSESSIVES:
            # A determiner or pronoun begins another phrase: *shareholders a share*.
            return self.at == begin or word.tag != "DET" and word.key not in _POSSESSIVES
        following = self.words[self.at + 1] if self.at + 1 < len(self.words) else None
        if following is None or following.tag not in _IN_NOUN_PHRASE or following.tag == "DET":
            return False
        inside = self.at > begin
        if inside and word.tag == "VERB" and word.key.endswith("ing") and self.words[self.at - 1].tag == "NOUN":
            return False
        if word.tag == "ADV":
            return word.key in _APPROXIMATE and following.tag == "NUM"
        if inside and word.tag == "VERB" and not word.key.endswith("ing") and self.words[begin].tag == "DET":
            return following.tag not in {"NUM", "X"}
        return word.tag == "VERB" and word.relation in _PREMODIFIERS and following.tag not in {"NUM", "X"}

    def _may_head(self, i: int) -> bool:
        return self.words[i].tag in _HEADS and not self._possessive(i) and not self._is_ticker(i)

    def _possessive(self, i: int) -> bool:
        return self.words[i].key.endswith(("'s", "s'", "’s", "s’")) and i + 1 < self.at

    def _is_ticker(self, i: int) -> bool:
        return self.words[i].key == TICKER

    def _relation(self, i: int, *, after: bool) -> str:
        word = self.words[i]
        if after or word.key == TICKER:
            return "flat"
        if word.key in _POSSESSIVES or self._possessive(i):
            return "nmod:poss"
        return {"ADP": "advmod", "DET": "det", "ADJ": "amod", "VERB": "amod", "NUM": "nummod", "ADV": "advmod"}.get(
            word.tag, "compound"
        )

    def noun_phrase(self, *, conjuncts: bool = True) -> int | None:
        """A noun chunk with *of* phrases, names in brackets, and *and* with one more chunk."""
        head = self.noun_chunk()
        if head is None:
            return None
        last = head
        while (word := self._word()) is not None:
            if word.opening.startswith("("):
                if not self._bracket(last):
                    break
            elif not self._is_free():
                break
            elif word.key == "of":
                at = self.at
                self.at += 1
                inner = self.noun_chunk()
                if inner is None:
                    self.at = at
                    break
                self._attach(at, inner, "case")
                self._attach(inner, last, "nmod")
                last = inner
            elif word.key == "and" and conjuncts:
                at = self.at
                self.at += 1
                second = self.noun_chunk()
                if second is None or self._verb_follows_conjunct(at, second):
                    self.at = at
                    break
                self._attach(at, second, "cc")
                self._attach(second, last, "conj")
                last = second
            else:
                break
        return head

    def subject(self) -> int | None:
        """A noun phrase with prepositional phrases behind it."""
        subject = self.noun_phrase()
        while subject is not None and (word := self._word()) is not None and self._is_free():
            if word.tag != "ADP" and word.key != "including":
                break
            at = self.at
            self.at += 1
            inner = self.noun_phrase()
            if inner is None:
                return None
            self._attach(at, inner, "case")
            self._attach(inner, subject, "nmod")
        return subject

    def attach_subject(self, subject: int, verb: int) -> None:
        """Attach a subject to its verb, which may be passive."""
        passive = any(word.head == verb and word.relation == "aux:pass" for word in self.words[:verb])
        self._attach(subject, verb, "nsubj:pass" if passive else "nsubj")

    def aside(self, subject: int) -> bool:
        """Skip what stands between commas behind a subject, up to its verb; False if it does not end there."""
        begin = self.at
        for end in range(begin, min(begin + _LONGEST_ASIDE, len(self.words) - 1)):
            following = self.words[end + 1]
            if (
                "," in self.words[end].closing
                and following.tag in {"VERB", "AUX"}
                and not following.key.endswith("ing")
                and not self._is_clause(begin, end)
            ):
                for i in range(begin, end + 1):
                    self._attach(i, begin, "compound")
                self._attach(begin, subject, "appos")
                self.at = end + 1
                return True
        return False

    def _is_clause(self, begin: int, end: int) -> bool:
        inside = self.words[begin:end]  # "Music, images and texts are on phones, …"
        return inside != [] and inside[0].key not in {"who", "which"} and any(word.tag == "AUX" for word in inside)

    def _verb_follows_conjunct(self, at: int, second: int) -> bool:
        """Whether *and* joins clauses rather than nouns: a verb follows, and none was to come for what is before."""
        seen_verb = any(word.tag == "VERB" for word in self.words[:at])
        following = self._word()
        return seen_verb and following is not None and following.tag in {"VERB", "AUX"} and second < self.at

    def _bracket(self, head: int) -> bool:
        """A name in brackets, as an apposition."""
        end = self.at
        while end < len(self.words) and ")" not in self.words[end].closing:
            end += 1
        if end >= len(self.words) or end - self.at > 4:
            return False
        for i in range(self.at, end):
            self._attach(i, end, "compound")
        self._attach(end, head, "appos")
        self.at = end + 1
        return True

    def verb_group(self) -> int | None:
        """Auxiliaries, adverbs and a finite verb; the verb's position."""
        begin = self.at
        while (word := self._word()) is not None and (
            word.tag == "AUX" or word.tag in _TO_OR_ADVERB and self.at > begin
        ):
            if word.key == "to" and not self._is_future(begin):
                self.at = begin
                return None
            self.at += 1
        while (word := self._word()) is not None and word.tag == "ADV" and self.at == begin:
            self.at += 1
        word = self._word()
        auxiliaries = [i for i in range(begin, self.at) if self.words[i].tag == "AUX"]
        if auxiliaries and self.words[auxiliaries[-1]].lemma == "be" and (verb := self._predicate()) is not None:
            for i in range(begin, min(verb, self.at)):
                if self.words[i].head == i:
                    relation = "aux" if self.words[i].tag == "AUX" else "advmod"
                    self._attach(i, verb, "cop" if i == auxiliaries[-1] else relation)
            return verb
        if word is None or word.tag != "VERB" or not auxiliaries and word.key.endswith("ing"):
            self.at = begin
            return None
        verb = self.at
        if not auxiliaries and self._is_participle():
            self.at = begin
            return None
        passive = auxiliaries and self.words[auxiliaries[-1]].lemma == "be" and not word.key.endswith("ing")
        for i in range(begin, verb):
            if self.words[i].tag == "AUX" or self.words[i].key == "to":
                self._attach(i, verb, "aux:pass" if passive and i == auxiliaries[-1] else "aux")
            else:
                self._attach(i, verb, "advmod")
        self.at += 1
        following = self._word()
        particle = following is not None and following.relation == "compound:prt" and self._is_free()
        if particle and self._keys(2) not in _QUANTIFIERS:
            self._attach(self.at, verb, "compound:prt")
            self.at += 1
        return verb

    def _is_future(self, begin: int) -> bool:
        """Whether *is to* stands here, with a verb behind it."""
        following = self.words[self.at + 1] if self.at + 1 < len(self.words) else None
        is_be = self.at == begin + 1 and self.words[begin].lemma == "be"
        return is_be and following is not None and following.tag in {"VERB", "AUX"}

    def _is_participle(self) -> bool:
        """Whether a past form is that of *a compromise reached between them will cost*: a finite verb follows."""
        key = self.words[self.at].key
        past = key.endswith(("ed", "en", "ade", "eld", "ught")) or key in _PAST
        if not past or self.at + 1 >= len(self.words):
            return False
        if self.words[self.at + 1].tag != "ADP":
            return False
        for word in self.words[self.at + 1 :]:
            if word.tag == "AUX":
                return word.key in MODALS or word.lemma in {"be", "have"}
            if word.tag == "PART":
                return False
            if word.tag in {"SCONJ", "CCONJ", "VERB"} or word.key in {"that", "which", "who"} or "," in word.closing:
                return word.tag == "VERB" and not word.key.endswith("ing") and word.key not in {"said", "compared"}
        return False

    def _predicate(self) -> int | None:
        """An adjective or noun that *is* connects with the subject."""
        word = self._word()
        if word is None or word.tag not in _IN_NOUN_PHRASE:
            return None
        following = self.words[self.at + 1] if self.at + 1 < len(self.words) else None
        if word.tag == "ADJ" and (following is None or following.tag not in _IN_NOUN_PHRASE):
            self.at += 1
            return self.at - 1
        return self.noun_phrase()

    def complements(self, verb: int) -> None:
        """What follows a verb, up to the first thing that is not plain."""
        head = verb
        while (word := self._word()) is not None and self._is_free():
            at = self.at
            if word.key == "to" and (inner := self._infinitive()) is not None:
                self._attach(at, inner, "mark")
                for i in range(at + 1, inner):
                    self._attach(i, inner, "aux:pass" if self.words[i].lemma == "be" else "aux")
                self._attach(
                    inner, head, "xcomp" if head in {verb, at - 1} and self.words[head].tag == "VERB" else "acl"
                )
                if self.words[head].tag == "VERB":
                    verb = head = inner
                    self.at = inner + 1
                    continue
                self.at = inner + 1
                self.complements(inner)
                return
            if word.tag == "ADP":
                self.at += 1
                inner = self._object_of_preposition()
                if inner is None:
                    self.at = at
                    return
                self._attach(at, inner, "case")
                self._attach(inner, verb, "obl")
                head = inner
            elif word.tag in _IN_NOUN_PHRASE or word.key in _POSSESSIVES or word.tag == "VERB":
                inner = self.noun_phrase()
                if inner is None:
                    return
                time = self.words[inner].key in _TIMES
                self._attach(inner, verb, "obl:unmarked" if time or head != verb else "obj")
                head = inner
            elif word.tag == "ADV":
                self._attach(at, verb, "advmod")
                self.at += 1
            else:
                return

    def _infinitive(self) -> int | None:
        """The verb of the infinitive that begins here: *to sell*, *to be sold*."""
        at = self.at + 1
        while at < len(self.words) and self.words[at].tag == "AUX":
            at += 1
        return at if at < len(self.words) and self.words[at].tag == "VERB" else None

    def _object_of_preposition(self) -> int | None:
        word = self._word()
        if word is not None and word.tag == "ADP":
            return None
        return self.noun_phrase()


def shallow_parse(words: Sequence[Word]) -> list[Word] | None:
    """The sentence with the heads and relations of its beginning; None if it is not a plain clause."""
    reader = _Reader(retagged(words))
    subject = reader.subject()
    if subject is None:
        return None
    if not reader._is_free() and not reader.aside(subject):
        return None
    verb = reader.verb_group()
    if verb is None or parser_knows_more(words, reader.words, verb):
        return None
    reader.attach_subject(subject, verb)
    root = verb
    if is_saying(reader.words[verb]) and (inner := _reported(reader, verb)) is not None:
        verb = inner
        if parser_knows_more(words, reader.words, verb):
            return None
    else:
        reader.complements(verb)
    reader._attach(root, root, "root")
    return _closed(reader, verb)


def _reported(reader: _Reader, verb: int) -> int | None:
    """The verb of the clause that is reported: after *said*, perhaps a time and *that*, a subject of its own."""
    begin = reader.at
    word = reader._word()
    if word is not None and word.tag == "ADP":
        reader.at += 1
        time = reader.noun_chunk()
        if time is not None:
            reader._attach(begin, time, "case")
            reader._attach(time, verb, "obl")
    word = reader._word()
    that = reader.at if word is not None and word.key == "that" else None
    if that is not None:
        reader.at += 1
    word = reader._word()
    subject: int | None
    if word is not None and word.key in PRONOUNS:
        subject = reader.at
        reader.at += 1
    else:
        subject = reader.subject()
    follows = subject is not None and (reader._is_free() or reader.aside(subject))
    inner_verb = reader.verb_group() if follows else None
    if subject is None or inner_verb is None:
        reader.at = begin
        return None
    if that is not None:
        reader._attach(that, inner_verb, "mark")
    reader.attach_subject(subject, inner_verb)
    reader._attach(inner_verb, verb, "ccomp")
    reader.complements(inner_verb)
    return inner_verb


def _closed(reader: _Reader, verb: int) -> list[Word]:
    """Whatever was not read hangs on the last verb as one part that no headline takes."""
    begin = reader.at
    for i in range(begin, len(reader.words)):
        reader._attach(i, verb if i == begin else begin, "dep")
    return reader.words
