"""Verb groups as headlines write them: *agrees* for *agreed*, *to build* for *will build*, *closed* for *was closed*.

Negation, modality and particles belong to the group and are never left out. The present agrees with the subject.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from widl.headline.lexicon import word_set
from widl.headline.pieces import Leaf, Piece, Said, options
from widl.headline.sentence_tree import NEGATIONS, SentenceTree
from widl.headline.verbs import FiniteVerb, VerbForms, third_person
from widl.headline.words import Word, is_label

_PLURALS = word_set("police people men women children staff cattle troops two three several many few both they we you")
_SINGULAR_NAMES = word_set("netherlands philippines times news bahamas maldives olympics")
_PLURAL_AUXILIARIES = word_set("are were have do")
_SINGULAR_AUXILIARIES = word_set("is was has does")
_HAVE, _BE, _WILL = word_set("have has 've"), word_set("is are 's 're"), word_set("will 'll")
_PAST_BE = word_set("was were")
# Adverbs that change what is said; others may be left out.
HEDGES = word_set(
    "only nearly almost reportedly allegedly apparently possibly probably perhaps likely unlikely partly partially "
    "about around approximately roughly least most more less up over under still no longer too rather even just "
    "virtually effectively conditionally tentatively provisionally initially temporarily"
)
_FREE_ADVERBS = word_set(
    "sharply slightly marginally formally also now currently already recently today yesterday tomorrow earlier later "
    "officially further again strongly steadily modestly significantly substantially dramatically rapidly slowly "
    "quickly publicly privately meanwhile however therefore thus then additionally inevitably finally soon still "
    "here there immediately simultaneously jointly actively fully seriously directly effectively largely mainly mostly "
    "partly"
)
_PAST_ADVERBS = word_set("recently previously once formerly earlier originally")
_LONG = word_set("year decade century month summer winter spring autumn")
_PRESENT = 0.85  # P(present) of a past form, where no training says otherwise


def is_plural(tree: SentenceTree, subject: int) -> bool:
    """Whether a verb with this subject is plural."""
    word = tree.words[subject]
    own = [subject, *(k for c in tree.children[subject] if tree.relation(c) != "nmod" for k in tree.subtree(c))]
    if word.tag == "PROPN" or word.text[:1].isupper():  # Services of America Inc
        own = tree.subtree(subject)
    labels = [k for k in own if is_label(tree.words[k])]
    joined = [c for c in tree.children[subject] if tree.relation(c) == "conj" and "and" in _coordinators(tree, c)]
    if any(k < tree.first(c) for k in labels for c in joined):
        return True  # Alden Corp and Brook Corp
    if labels and (is_label(word) or word.tag == "PROPN" or max(labels) > subject):
        return False  # a company
    members = [c for c in tree.children[subject] if tree.relation(c) == "conj" and tree.words[c].text[:1].isupper()]
    if word.text[:1].isupper() and members and tree.words[members[-1]].lemma in _BODIES:
        return False  # the Securities and Exchange Commission
    if any(tree.relation(c) == "conj" and "or" not in _coordinators(tree, c) for c in tree.children[subject]):
        return True
    if word.key in _PLURALS:
        return True
    if word.tag == "NOUN":
        irregular = word.key.endswith(("men", "ia", "ae")) and word.key != word.lemma
        regular = word.key.endswith("s") and not word.key.endswith(("ss", "us", "is")) and word.key != word.lemma
        return irregular or regular
    if word.tag == "PROPN":
        article = any(tree.words[c].key == "the" for c in tree.children[subject])
        # "Engineers" has a capital only as the first word.
        bare = not tree.children[subject] or tree.words[1].key in {"for", "in", "from", "at"}
        alone = subject == 0 and bare and not word.key.endswith(("'s", "’s"))
        plural = word.key.endswith("s") and word.key != word.lemma
        team = article and word.key.endswith("s") and len(tree.children[subject]) == 1
        return (team and word.key not in _SINGULAR_NAMES) or ((article or alone) and plural)
    return word.tag == "NUM" and word.key != "one"


def may_be_plural(tree: SentenceTree, subject: int) -> bool:
    """Whether the first word of a sentence may be a plural or a name: *Wildfires*, *Siemens*."""
    word = tree.words[subject]
    if (
        word.tag == "NOUN"
        and word.key == word.lemma
        and not any(tree.relation(c) == "conj" for c in tree.children[subject])
    ):
        return word.key.endswith("s") and not word.key.endswith(("ss", "us", "is", "'s", "’s"))  # X-rays
    plain = word.key.endswith("s") and not word.key.endswith(("ss", "us", "is", "'s", "’s"))
    return subject == 0 and word.tag == "PROPN" and not tree.children[subject] and plain


def is_single(tree: SentenceTree, subject: int) -> bool:
    """Whether a noun is plainly singular, so that a plural verb can't be its own."""
    word = tree.words[subject]
    if word.key in _PLURALS or word.lemma in _COLLECTIVES or word.key.endswith("s"):
        return False
    return not any(tree.relation(c) in {"conj", "nummod"} for c in tree.children[subject])


_BODIES = word_set(
    "administration commission committee board agency association bank company council department ministry office "
    "service"
)
_COLLECTIVES = word_set(
    "datum group number majority pair pct percent total staff team crew range series rest half most data union club "
    "government band family party couple council committee public army trio duo"
)


def _coordinators(tree: SentenceTree, i: int) -> set[str]:
    return {tree.words[k].key for k in tree.function_words(i, "cc")}


def is_needed_adverb(word: Word) -> bool:
    """Whether an adverb may change what is said: *badly* advised, *reportedly* sold. Others may be left out."""
    return word.key in HEDGES or (word.tag in {"ADV", "ADJ", "PART"} and word.key not in _FREE_ADVERBS)


class VerbGroups:
    """The forms of the verb groups of a sentence."""

    def __init__(
        self, tree: SentenceTree, verbs: VerbForms | None, *, present_tense: bool, tight: bool = False
    ) -> None:
        """`tight`: where nothing else fits a budget, *is* goes before *not*."""
        self._tree = tree
        self._verbs = verbs
        self.present_tense = present_tense
        self._tight = tight

    def positions(self, v: int) -> list[int]:
        """The words of a predicate's verb group but for the predicate: auxiliaries, negation, hedges, in order."""
        tree = self._tree
        found = tree.function_words(v, "aux", "cop")
        for c in tree.children[v]:
            word = tree.words[c]
            negation = word.key in NEGATIONS and word.relation == "advmod"
            hedge = word.relation == "advmod" and (tree.is_negated(v) or is_needed_adverb(word)) and c < v
            hedge = hedge and all(tree.words[k].tag == "ADV" for k in tree.subtree(c)[:-1])  # most likely
            if negation or (hedge and found and c > min(found)) or (hedge and c == v - 1):
                found += tree.subtree(c)
        return sorted(set(found))

    def form(self, v: int, plural: bool | None, *, reported: bool = False, whole: bool = False) -> Piece:
        """The finite group of a predicate as alternatives; `plural` is the subject's number, None if it is unknown.

        Of what someone is `reported` to have said, *would* is the future. `whole`: with all its auxiliaries.
        """
        tree = self._tree
        group = self.positions(v)
        if not self.is_verbal(v):
            return self._copula(group, reported=reported)
        rest = [v, *self._particles(v)]
        words = [self._said(k) for k in sorted([*group, v])] + [self._said(k) for k in rest[1:]]
        full = Leaf(tuple(words))
        if tree.is_negated(v) or any(tree.words[k].key.endswith(("n't", "n’t")) for k in group):
            return self._denied(v, words) if reported and self.present_tense else full
        auxiliaries = [k for k in group if tree.relation(k) == "aux"]
        hedges = [k for k in group if tree.relation(k) != "aux"]
        if not auxiliaries:
            return self._finite(v, hedges, rest, plural)
        if hedges or whole or not self.present_tense or any(self.is_condition(c) for c in tree.children[v]):
            return full
        return self._shortened(v, auxiliaries, rest, full, plural, reported=reported)

    def _denied(self, v: int, words: Sequence[Said]) -> Leaf:
        """What someone said would not be: it *will not* be, but for what depends on a condition."""
        if any(self.is_condition(c) for c in self._tree.children[v]):
            return Leaf(tuple(words))
        return Leaf(tuple(self._said(k.position, "will") if k.word.key == "would" else k for k in words))

    def saying(self, v: int, plural: bool | None) -> Piece:
        """The group of a verb of saying before or behind what is said: *says* for *told reporters*."""
        if self._tree.words[v].key not in {"told", "according"} or plural is None:
            return self.form(v, plural)
        if not self.present_tense:
            return Leaf((self._said(v, "said"),))
        return Leaf((self._said(v, "say" if plural else "says"),))

    def is_condition(self, c: int) -> bool:
        """Whether a dependent is a condition: *if the plan fails*."""
        marks = self._tree.function_words(c, "mark")
        return any(self._tree.words[k].key in {"if", "unless", "provided"} for k in marks)

    def to_be_done(self, v: int) -> int | None:
        """The verb of *is to recall* where the parse has *is* above it; headlines leave *is* out."""
        tree = self._tree
        if not self.present_tense or tree.words[v].key not in {"is", "are"}:
            return None
        found = [c for c in tree.children[v] if c > v and tree.relation(c) in {"xcomp", "ccomp"}]
        to = len(found) == 1 and tree.first(found[0]) == v + 1 and tree.words[v + 1].key == "to"
        return found[0] if to and tree.words[found[0]].tag == "VERB" else None

    def is_background(self, v: int) -> bool:
        """Whether a verb says what went on when something happened: *he was speaking at a meeting*."""
        auxiliaries = {self._tree.words[k].key for k in self._tree.function_words(v, "aux")}
        return self._tree.words[v].key.endswith("ing") and not auxiliaries.isdisjoint(_PAST_BE)

    def is_verbal(self, v: int) -> bool:
        """Whether a predicate is a verb; a noun behind *could* is one that the tagger missed."""
        tree = self._tree
        if tree.child(v, "cop") is not None:
            return False
        return tree.words[v].tag in {"VERB", "AUX"} or tree.child(v, "aux") is not None

    def _particles(self, v: int) -> list[int]:
        words = self._tree.words
        return [
            c
            for c in self._tree.children[v]  # "approved setting up": not the particle of "approved"
            if words[c].relation == "compound:prt" and c > v and (c == v + 1 or not words[c - 1].key.endswith("ing"))
        ]

    def _said(self, k: int, text: str | None = None, share: float = 1.0) -> Said:
        word = replace(self._tree.words[k], opening="", closing="")
        if text is not None:
            word = replace(word, text=text, key=text)
        return Said(word, self._tree.number, k, share)

    def _leaf(self, v: int, before: list[Said], text: str, rest: list[int], share: float = 1.0) -> Leaf:
        return Leaf((*before, self._said(v, text, share), *(self._said(k) for k in rest[1:])))

    def _finite(self, v: int, hedges: list[int], rest: list[int], plural: bool | None) -> Piece:
        """A past or present form without auxiliaries: as it is, or in the present."""
        word = self._tree.words[v]
        before = [self._said(k) for k in hedges if k < v]
        same = self._leaf(v, before, word.text, rest)
        third = word.key in {third_person(word.lemma), word.lemma + "s", word.lemma + "es"}
        if third or (word.key == word.lemma and plural):
            return same  # the present already; *hopes*, of which a lemmatizer makes *hop*
        base = base_form(word)
        if not self.present_tense or base in {None, "be", "have"} or word.key.endswith("ing") or plural is None:
            return same  # what was is no more
        assert base is not None
        share = self._present_share(v, plural=plural)
        present = base if plural else third_person(base)
        if word.key == word.lemma:  # cut, set, put: the form says nothing of the tense
            if word.lemma not in _SAME_PAST or self._is_ago(v):
                return same
            return self._leaf(v, before, present, rest, share)
        alternatives = [(self._leaf(v, before, present, rest, share), math.log(share))]
        if self._is_ago(v) or self._shares_object(v) or (self._tree.number and self._dated(v)):
            return same
        if not self._dated(v) and share > 0.2:
            alternatives[0] = (alternatives[0][0], 0.0)
            return alternatives[0][0]
        return options([*alternatives, (same, math.log(max(1 - share, 1e-3)))]) or same

    def _dated(self, v: int) -> bool:
        """Whether the clause names a year, which keeps the past."""
        return any(
            self._tree.words[k].key[:4].isdigit() and len(self._tree.words[k].key) == 4
            for c in self._tree.children[v]
            for k in self._tree.subtree(c)
            if self._tree.relation(c) in {"obl", "nmod"}
        )

    def _is_ago(self, v: int) -> bool:
        """Whether the clause says how long ago: *two weeks ago*, *recently*."""
        tree = self._tree
        times = [c for c in tree.children[v] if not tree.function_words(c, "case")]
        beside = [c for c in tree.children[v] if tree.relation(c) in {"advmod", "obl"}]
        past = any(tree.words[tree.first(c)].key in _PAST_ADVERBS for c in beside)
        past = past or any(tree.words[c].lemma in _LONG and self._is_past(c) for c in beside)
        return past or any(tree.words[k].key == "ago" for c in times for k in (c, *tree.children[c]))

    def _is_past(self, c: int) -> bool:
        """Whether a time is over: *last year*, *in recent months*."""
        return any(self._tree.words[k].key in {"last", "recent"} for k in self._tree.children[c])

    def _shares_object(self, v: int) -> bool:
        """Whether a second verb follows at once, in a form that stays: *killed or wounded two men*."""
        tree = self._tree
        seconds = [c for c in tree.children[v] if tree.relation(c) == "conj" and tree.first(c) == v + 1]
        return any(not tree.comma_before(v + 1) and not tree.function_words(c, "aux") for c in seconds)

    def _present_share(self, v: int, *, plural: bool) -> float:
        word = self._tree.words[v]
        if self._verbs is None:
            return _PRESENT
        same, third, base = self._verbs.probabilities(FiniteVerb(word, "several" if plural else "one"))
        return min(max((third + base) / max(same + third + base, 1e-9), 0.05), 0.98)

    def _shortened(
        self, v: int, auxiliaries: list[int], rest: list[int], full: Leaf, plural: bool | None, *, reported: bool
    ) -> Piece:
        """A group with auxiliaries: in full, or as headlines shorten it."""
        words = self._tree.words
        keys = [words[k].key for k in auxiliaries]
        if len(keys) == 2 and words[auxiliaries[0]].lemma == "be" and keys[1] == "to":
            return Leaf((self._said(auxiliaries[1]), self._said(v), *(self._said(k) for k in rest[1:])))
        verb = words[v]
        passive = any(words[k].relation == "aux:pass" for k in auxiliaries)
        ing = verb.key.endswith("ing")
        future = _WILL | {"would"} if reported else _WILL
        if keys[0] in future and len(keys) == 1:
            infinitive = (self._said(auxiliaries[0], "to"), self._said(v))
            return Leaf((*infinitive, *(self._said(k) for k in rest[1:])))
        if keys[0] in future and keys[1:] == ["be"] and (passive or ing):
            short = (self._said(auxiliaries[0], "to"), self._said(auxiliaries[1]), self._said(v))
            if ing and verb.lemma.isalpha() and verb.lemma != verb.key:  # will be facing: to face
                return Leaf((short[0], self._said(v, verb.lemma), *(self._said(k) for k in rest[1:])))
            return Leaf((*short, *(self._said(k) for k in rest[1:])))
        have = _HAVE | {"had"} if reported else _HAVE
        if verb.lemma == "have":
            return full  # has had the chance: no more
        if self._is_ago(v):
            return full
        if len(keys) == 1 and keys[0] in have and not ing and not passive and plural is not None:
            base = base_form(verb)
            if base is not None:
                present = base if plural else third_person(base)
                return self._leaf(v, [], present, rest)
        alone = Leaf(tuple(self._said(k) for k in rest))
        if len(keys) == 1 and keys[0] in (_BE | _PAST_BE if reported else _BE) and ing:
            return alone
        if passive and all(key in _BE | _PAST_BE | _HAVE | {"been"} for key in keys) and keys[0] != "had":
            return alone
        return full

    def _copula(self, group: list[int], *, reported: bool) -> Piece:
        """*Is* before its predicate; headlines have *to be* for *will be*."""
        tree = self._tree
        full = Leaf(tuple(self._said(k) for k in group))
        keys = [tree.words[k].key for k in group]
        if self.present_tense and (keys == ["will", "be"] or (reported and keys == ["would", "be"])):
            return Leaf((self._said(group[0], "to"), self._said(group[1])))
        if self._tight and keys[1:2] == ["not"] and keys[0] in {"is", "are"}:
            return Leaf(full.words[1:])
        return full


def base_form(word: Word) -> str | None:
    """The base form of a verb; None where the lemma does not fit the spelling, so that no other form can be made."""
    key, lemma = word.key, word.lemma
    if not lemma.isalpha() or len(lemma) < 2:
        return None
    if not key.endswith("ed") or len(key) < 5:
        return lemma if lemma[0] == key[0] or lemma in _SUPPLETIVE else None
    stem, vowels = key[:-2], tuple("aeiou")
    syllable = lemma == stem and sum(letter in vowels for letter in stem) == 1 and stem[-2:-1] in vowels
    if stem.endswith(("guid", "creat")) or (syllable and stem[-1] not in "wxy"):  # hoped is no form of hop
        return stem + "e"
    doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "seoz"
    if stem.endswith(_WITH_LL) and lemma in {stem, stem + "e", stem[:-1]}:  # recalled, and instal
        return stem
    if doubled and lemma in {stem, stem + "e"}:  # a learned lemmatizer has "totalle" for "totalled"
        return stem if (stem[-1] == "l" and len(stem) <= 5) or stem[-1] == "f" else stem[:-1]
    if lemma == stem + "e" and stem.endswith("ss"):
        return stem
    two_vowels = stem[-3:-2] in vowels and stem[-2:-1] in vowels and stem[-4:-3] != "q"
    if stem.endswith(("iat", "uat")) and lemma in {stem, stem + "e"}:  # initiated, evaluated
        return stem + "e"
    if lemma == stem + "e" and two_vowels and stem[-1] not in "svczgu":
        return stem  # loaned, explained
    if stem.endswith("e"):  # agreed, freed
        return key[:-1]
    if lemma == stem and not two_vowels and stem.endswith(_WITH_E) and not doubled:
        return stem + "e"  # traded, acquired
    fits = {stem, key[:-1], stem[:-1] if doubled else stem, key[:-3] + "y" if key.endswith("ied") else stem}
    return lemma if lemma in fits else None


_WITH_E = tuple(sorted(word_set("ad ud ir ur at iz ag ak ok ar av ov us is ic quot bl pl dl gl tl zl kl")))
_WITH_LL = tuple(sorted(word_set("call stall fall thrall appall fill still enroll unroll scroll stroll misspell")))
_SUPPLETIVE = word_set("be go")


def number_of_verb(tree: SentenceTree, v: int) -> bool | None:
    """Whether the verb's own form is plural (True) or singular (False); None if it may be both."""
    for k in tree.function_words(v, "aux", "cop"):
        key = tree.words[k].key
        if key in _PLURAL_AUXILIARIES:
            return True
        if key in _SINGULAR_AUXILIARIES:
            return False
    word = tree.words[v]
    if word.tag == "VERB" and not tree.function_words(v, "aux"):
        if word.key == third_person(word.lemma) and word.key != word.lemma:
            return False
        past = word.key.endswith("ed") or word.key in _IRREGULAR_PAST  # of a pipeline without lemmas
        if word.key == word.lemma and word.lemma not in _SAME_PAST and not past:
            return True
    return None


_IRREGULAR_PAST = word_set("said told rose fell won lost made took gave held sold bought met led grew became found got")
_SAME_PAST = word_set("cut set put hit shut let cost hurt bid bet split spread quit shed rid burst broadcast read beat")
