"""Who says it: attributions such as *officials said on Monday*, before, after or within a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from widl.headline.lexicon import word_set
from widl.headline.sentence_tree import SentenceTree
from widl.headline.words import Word

SAYING = word_set("say announce report tell add state note disclose confirm declare rule")
"""Lemmas of verbs whose complement a headline may state without naming the speaker."""
_OPINED = word_set(
    "suggests suggest suggested predicted predicts estimated estimates believes believed warned warns "
    "argued argues claimed claims insisted insists concluded indicates indicate indicated claim predict estimate "
    "believe warn argue insist heard pledged promised vowed"
)
_HEARING = word_set("court juror jury judge tribunal inquiry trial")
_SAID = word_set(
    "said says announced reported told added stated noted disclosed confirmed declared ruled say according shows show "
    "showed"
)
_NOMINAL = word_set("NOUN PROPN ADJ DET NUM ADP PRON CCONJ X ADV")
_PERSONS = word_set(
    "analyst spokesman spokeswoman official minister chairman president trader dealer source economist secretary "
    "director executive manager leader adviser expert lawyer judge senator governor chief head"
)
_LONGEST_SPEAKER = 14
_OWNERS = word_set("its his her their")
_FIRST_PERSONS = word_set("i we")


def is_saying(word: Word) -> bool:
    """Whether a verb reports what someone says; its form tells where a pipeline has no lemmas."""
    return word.lemma in SAYING or word.key in {"said", "says", "told", "announced", "reported"}


def is_person(word: Word) -> bool:
    """Whether a noun names people by what they do, so that *it* does not mean them."""
    return word.lemma in _PERSONS


@dataclass(frozen=True, slots=True)
class FinalAttribution:
    """*…, officials said on Monday* at the end of a sentence."""

    begin: int
    """Where the clause before it ends."""
    verb: int

    def is_opinion(self, words: Sequence[Word]) -> bool:
        """Whether it is a guess, an opinion or a testimony, or *according to its backers*, and so needs its speaker."""
        owned = words[self.verb].key == "according" and any(
            word.key in _OWNERS for word in words[self.verb : self.verb + 4]
        )
        heard = owned or any(word.lemma in _HEARING for word in words[self.verb + 1 : self.verb + 4])
        return heard or words[self.verb].key in _OPINED


def final_attribution(words: Sequence[Word]) -> FinalAttribution | None:
    """Find *…, officials said on Monday* at the end of a sentence.

    Commas and word order tell rather than the parse, which often takes the speaker for one more member of a list.
    """
    for k in range(len(words) - 1, 1, -1):
        if words[k].key not in _SAID | _OPINED or words[k].tag not in {"VERB", "AUX"}:
            continue
        begin = _speaker_before(words, k)
        if begin is not None and _has_verb(words, begin) and not _reports(words, k):
            return FinalAttribution(_speaker_by_parse(words, begin, k), k)
        after = "," in words[k - 1].closing and _speaker_after(words, k)
        return FinalAttribution(k, k) if after and _has_verb(words, k) else None
    return None


def _speaker_before(words: Sequence[Word], k: int) -> int | None:
    """Where the speaker before the verb begins: nominal words only, right after a comma."""
    begin = k - 1
    if begin > 0 and words[begin].key in {"has", "have"} and "," not in words[begin - 1].closing:
        begin -= 1
    while begin > 0 and k - begin <= _LONGEST_SPEAKER:
        if words[begin].tag not in _NOMINAL or words[begin].key in {"who", "which", "that", "but"}:
            return None
        beside = words[begin - 1].text[:1] + words[begin + 1].text[:1]
        if words[begin].key == "and" and (not beside.isupper() or "," in words[begin - 1].closing):
            return None  # but in the Organization for Cooperation and Development
        before = words[begin - 1].closing
        if "," in before or before.rstrip().endswith(('"', "”")):
            # "John Smith, head of the bank, said": the comma before the apposition is no boundary.
            further = _apposition_before(words, begin)
            return further if further is not None else begin
        begin -= 1
    return None


def _apposition_before(words: Sequence[Word], begin: int) -> int | None:
    """The beginning of a name before the comma that ends it, where another comma comes before."""
    at = begin - 1
    while at > 0 and begin - at <= 6 and words[at].tag in {"PROPN", "NOUN", "ADJ", "ADP"}:
        if "," in words[at - 1].closing:
            return at if words[at].tag in {"PROPN", "NOUN"} and words[begin - 1].tag == "PROPN" else None
        at -= 1
    return None


def _reports(words: Sequence[Word], k: int) -> bool:
    """Whether a verb of saying has a clause of its own behind it: *…, and the minister said she would resign*."""
    following = words[k + 1] if k + 1 < len(words) else None
    opens = following is not None and (following.key == "that" or following.tag == "PRON")
    return opens or any(word.head == k and word.relation == "ccomp" for word in words[k + 1 :])


def _speaker_by_parse(words: Sequence[Word], begin: int, k: int) -> int:
    """Where the speaker begins if the parse has the name before a comma that word order took for the boundary."""
    subjects = [i for i, word in enumerate(words[:begin]) if word.head == k and word.relation == "nsubj"]
    if not subjects:
        return begin
    first = subjects[0]
    while first > 0 and words[first - 1].head == subjects[0] and words[first - 1].tag in {"PROPN", "NOUN"}:
        first -= 1
    return first if first > 1 and "," in words[first - 1].closing else begin


def _speaker_after(words: Sequence[Word], k: int) -> bool:
    tags = _NOMINAL | {"VERB"} if words[k].key == "according" else _NOMINAL  # a study released on Monday
    return 1 < len(words) - k <= _LONGEST_SPEAKER and all(word.tag in tags for word in words[k + 1 :])


def speaker_of(tree: SentenceTree, attribution: FinalAttribution) -> int | None:
    """The head of the speaker's noun phrase: the subject of *said*, before or behind it, or of *according to*."""
    verb = attribution.verb
    if tree.words[verb].key == "according":
        head = tree.words[verb].head
        found = head if head > verb else tree.child(verb, "obl", "nmod")
    else:
        found = next((c for c in tree.children[verb] if tree.relation(c) == "nsubj"), None)
    behind = attribution.begin == verb
    if found is None or tree.words[found].tag == "PRON":
        return None
    return found if (found > verb if behind else attribution.begin <= tree.first(found) < verb) else None


def _has_verb(words: Sequence[Word], end: int) -> bool:
    return any(word.tag in {"VERB", "AUX"} for word in words[:end]) and words[0].key not in _FIRST_PERSONS


def cut_at(words: Sequence[Word], end: int) -> list[Word]:
    """The first `end` words as a sentence of their own."""
    cut = [replace(word, head=i, relation="root") if word.head >= end else word for i, word in enumerate(words[:end])]
    cut[-1] = replace(cut[-1], closing=cut[-1].closing.replace(",", ""))
    return cut
