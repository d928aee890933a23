"""Clauses of a sentence as headlines may say them: subject, verb group and complements, in the order of the text.

A clause is a precedence of its subject, its verb group with negation, modality and particles, its complements, and the
adjuncts that stay; each is a disjunction over the forms that leave something out. Nothing changes sides, no relative
clause leaves its noun, and where the parse contradicts the order of words the clause ends or is given up.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from widl.headline.attributions import FinalAttribution, cut_at, final_attribution, is_person, is_saying, speaker_of
from widl.headline.cuts import CONDITIONS
from widl.headline.lexicon import word_set
from widl.headline.noun_phrases import NounPhrases
from widl.headline.noun_words import GENERIC, ORGANIZATIONS
from widl.headline.opinions import is_advice, is_judgement
from widl.headline.pieces import COMMA, Leaf, Piece, options, row, with_opening
from widl.headline.predicates import RESOLVED, RESOLVED_OWNERS, Predicates
from widl.headline.sentence_tree import NEGATIONS, SentenceTree
from widl.headline.short_names import ShortNames
from widl.headline.verb_groups import VerbGroups, is_plural, may_be_plural, number_of_verb
from widl.headline.verbs import VerbForms
from widl.headline.words import Word, is_label

_FORECASTERS = word_set("analyst economist trader broker dealer expert critic observer forecaster")
_DEMONSTRATIVES = word_set("this that these those such other another")
_SPEAKING = word_set("survey report study figure statement paper poll")
_UNITS = word_set("unit subsidiary division affiliate arm")
_ALLEGING = word_set("lawsuit suit complaint indictment petition claimant plaintiff prosecutor accuser")
_FORMS_OF_ADDRESS = word_set("mr mrs ms miss dr sir dame lord lady")
_ABSENT = word_set("no little few")


@dataclass(frozen=True)
class Clause:
    """A clause as a piece, the sentence that it comes from, and ln of its prior among a document's clauses."""

    piece: Piece
    sentence: int
    prior: float


class ClauseGrammar:
    """The clauses of one sentence."""

    def __init__(
        self,
        words: Sequence[Word],
        number: int,
        names: ShortNames,
        verbs: VerbForms | None,
        *,
        present_tense: bool,
        by_prefix: bool = False,
        tight: bool = False,
        company: Piece | None = None,
    ) -> None:
        """A grammar of words with their heads and relations.

        `by_prefix`: where no predicate can be made by its parts, take the words behind the verb as they stand.
        `tight`: leave out more of noun phrases.
        `company`: the name of *the company*, from the first sentence.
        """
        self._by_prefix = by_prefix
        self._company = company
        attribution = final_attribution(words)
        self.tree = SentenceTree(words if attribution is None else cut_at(words, attribution.begin), number)
        self.nouns = NounPhrases(self.tree, names, lambda i, depth: self.predicates.infinitive(i, depth), tight=tight)
        self.groups = VerbGroups(self.tree, verbs, present_tense=present_tense, tight=tight)
        self.predicates = Predicates(self.tree, self.nouns, self.groups)
        self._said: Piece | None = None
        self._is_opinion = self._is_forecast = False
        self._has_speaker = attribution is not None and words[attribution.verb].lemma != "rule"  # what courts rule, is
        if attribution is not None:
            self._is_opinion = attribution.is_opinion(words)
            self._is_forecast = any(
                word.lemma in _FORECASTERS and word.text.islower() for word in words[attribution.begin :]
            )
            whole = SentenceTree(words, number)
            nouns = NounPhrases(whole, names, lambda i, depth: None, tight=tight)  # noqa: ARG005
            groups = VerbGroups(whole, verbs, present_tense=present_tense)
            self._said = self._said_at_end(whole, nouns, groups, attribution)

    @staticmethod
    def _said_at_end(
        tree: SentenceTree, nouns: NounPhrases, groups: VerbGroups, attribution: FinalAttribution
    ) -> Piece | None:
        """*, officials say*."""
        verb = attribution.verb
        subject = speaker_of(tree, attribution)
        if subject is None:
            return None
        known = None if tree.words[verb].key == "according" else number_of_verb(tree, verb)
        speaker = nouns.phrase(subject, all_conjuncts=True)
        form = groups.saying(verb, is_plural(tree, subject) if known is None else known)
        if speaker is not None and (tree.words[subject].lemma in _SPEAKING or is_person(tree.words[subject])):
            alone = Leaf(nouns.said([subject]))  # survey predicts, sources say
            speaker = options([(speaker, math.log(0.6)), (alone, math.log(0.4))])
        said = None if speaker is None else row([speaker, form])
        return None if said is None else with_opening(said, COMMA)

    def clauses(self) -> Iterator[Clause]:
        """The clauses that can stand alone as headlines, with and without who says so at the sentence's end."""
        for root, clause in self._stated():
            opinion = self._is_opinion or (self._has_speaker and self._judges(root)) or self._is_advice(root)
            if not opinion:
                yield clause
            attributed = row([clause.piece, self._said]) if self._said is not None else None
            if attributed is not None:
                yield replace(clause, piece=attributed, prior=clause.prior + math.log(0.5))

    def _judges(self, v: int) -> bool:
        """Whether a clause is an opinion, which needs its speaker."""
        return is_judgement(self.tree, v, forecast=self._is_forecast, spoken=self._has_speaker)

    def _is_advice(self, v: int) -> bool:
        """Whether a sentence further down says what should be, which someone says in the sentences before."""
        return self.tree.number > 0 and is_advice(self.tree, v)

    def _stated(self) -> Iterator[tuple[int, Clause]]:
        tree = self.tree
        for root in tree.roots:
            if tree.words[root].tag not in {"VERB", "AUX", "ADJ", "NOUN", "PROPN", "NUM"}:
                continue
            yield from ((root, clause) for clause in self._of_predicate(root))

    def _of_predicate(self, v: int) -> Iterator[Clause]:
        tree = self.tree
        subject = tree.subject(v)
        reported = self._reported(v)
        if subject is None:
            yield from self._absence(v)
        if reported is not None and subject is not None:
            torn = self.predicates.torn(v, subject) or self._is_bare_label(subject)
            speaker = None if torn else self._named(subject)
            yield from self._reported_clauses(v, reported, subject, speaker)
        elif subject is not None and not any(tree.relation(c) == "ccomp" and c < v for c in tree.children[v]):
            piece = self._whole(v, subject)
            if piece is not None:
                yield Clause(piece, tree.number, self._prior(subject))
        for c in tree.children[v]:
            if tree.relation(c) == "conj" and tree.words[c].tag == "VERB" and tree.subject(c) is not None:
                yield from self._of_predicate(c)

    def _is_bare_label(self, subject: int) -> bool:
        """Whether nothing of a company's name stands before its label: the name is elsewhere."""
        return is_label(self.tree.words[subject]) and self.tree.first(subject) == subject

    def _prior(self, subject: int) -> float:
        """A noun with *the* further down refers to what the headline doesn't name."""
        word = self.tree.words[subject]
        definite = any(self.tree.words[c].key == "the" for c in self.tree.children[subject])
        vague = definite and word.tag == "NOUN" and (self.tree.number > 0 or word.lemma in GENERIC)
        return math.log(0.3) if vague else 0.0

    def _is_body(self, subject: int) -> bool:
        """Whether *the club* or the like is that of the speaker, who says which."""
        keys = {self.tree.words[k].key for k in self.tree.subtree(subject)}
        return self.tree.words[subject].lemma in ORGANIZATIONS and keys == {"the", self.tree.words[subject].key}

    def _absence(self, v: int) -> Iterator[Clause]:
        """*There is no sign of growth* as *no sign of growth*."""
        tree = self.tree
        there = any(tree.words[c].key == "there" for c in tree.children[v] if tree.words[c].relation == "expl")
        keys = {tree.words[c].key for c in tree.children[v]}
        if there and keys & _ABSENT and tree.words[v].tag == "NOUN" and keys.isdisjoint({"not", "never", "n't"}):
            phrase = self.nouns.phrase(v, all_conjuncts=True)
            if phrase is not None:
                yield Clause(phrase, tree.number, 0.0)

    def _reported(self, v: int) -> int | None:
        """The clause that a verb of saying reports."""
        tree = self.tree
        if not is_saying(tree.words[v]) or tree.is_negated(v):
            return None
        return next((c for c in tree.children[v] if tree.relation(c) == "ccomp" and tree.words[c].tag != "PRON"), None)

    def _reported_clauses(self, v: int, inner: int, subject: int, speaker: Piece | None) -> Iterator[Clause]:
        """What is said, with and without who says it. A pronoun for the speaker becomes the speaker."""
        tree = self.tree
        inner_subject = tree.subject(inner)
        if inner_subject is None:  # the parser often takes *it* for an expletive
            inner_subject = next((c for c in tree.children[inner] if tree.words[c].relation == "expl"), None)
            if inner_subject is not None and tree.words[inner_subject].key == "there":
                yield from self._existence(v, inner, inner_subject, subject, speaker)
                return
            if inner_subject is not None and tree.words[inner_subject].key != "it":
                inner_subject = None
        if inner_subject is None or tree.words[v].tag != "VERB":
            return
        past = number_of_verb(tree, v) is None
        pronoun = tree.words[inner_subject].tag == "PRON"
        if pronoun and tree.words[inner_subject].key in RESOLVED and inner_subject < inner:
            others = self._others(inner_subject) if self._may_mean(inner_subject, subject) else None
            if speaker is not None and tree.words[subject].tag != "PRON" and others is not None:
                several = self._number_of_pronoun(inner_subject) or bool(others)
                own = row([speaker, *others])
                assert own is not None
                piece = self._clause(inner, own, plural=several, start=inner_subject, reported=past)
                if piece is not None:
                    yield Clause(piece, tree.number, self._prior(subject))
        elif not pronoun:
            owned = self._owned(inner_subject, subject, speaker)
            if owned is not None:
                number = self._number(inner, inner_subject)
                piece = self._clause(inner, owned, plural=number, start=inner_subject, reported=past)
                if piece is not None:
                    yield Clause(piece, tree.number, self._prior(subject))
            piece = self._whole(inner, inner_subject, reported=past)
            if piece is None:
                return
            said = self._attribution(v, subject, speaker)
            of_itself = self._company is not None and self._named(inner_subject) is self._company
            attributed = row([said, piece]) if said is not None and not of_itself else None
            if attributed is not None:
                yield Clause(attributed, tree.number, self._prior(subject) + math.log(0.5))
            # What something is, is the speaker's opinion.
            opinion = self._judges(inner) and (attributed is not None or tree.words[subject].tag == "PRON")
            opinion = opinion or tree.words[subject].lemma in _ALLEGING
            if not self._is_owned(inner_subject) and not opinion and not self._is_body(inner_subject):
                yield Clause(piece, tree.number, self._prior(inner_subject) + math.log(0.5))
        for c in tree.children[inner]:
            if tree.relation(c) == "conj" and tree.words[c].tag == "VERB" and tree.subject(c) is not None:
                yield from self._of_predicate(c)

    def _existence(self, v: int, inner: int, there: int, subject: int, speaker: Piece | None) -> Iterator[Clause]:
        """*Officials say there are signs of growth*."""
        said = self._attribution(v, subject, speaker)
        if said is None or self.predicates.torn(inner, there):
            return
        predicate = self.predicates.predicate(inner, plural=None, whole=True)
        piece = row([said, Leaf(self.nouns.said([there])), predicate]) if predicate is not None else None
        if piece is not None:
            yield Clause(piece, self.tree.number, self._prior(subject))

    def _may_mean(self, pronoun: int, speaker: int) -> bool:
        """Whether a pronoun may stand for the speaker: *analysts said it would …* is about another."""
        tree = self.tree
        if tree.words[pronoun].key == "they":  # "the head of the panel said they …" is about others
            return is_plural(tree, speaker)
        if tree.words[pronoun].key != "it":
            return True
        named = {tree.words[k].key.rstrip(".") for k in tree.subtree(speaker)}
        if not named.isdisjoint(_FORMS_OF_ADDRESS):
            return False  # Mr Smith said it was …
        beside = [speaker, *(c for c in tree.children[speaker] if tree.relation(c) in {"compound", "flat", "appos"})]
        company = any(is_label(tree.words[k]) for k in beside)
        return company or not (is_plural(tree, speaker) or any(is_person(tree.words[k]) for k in beside))

    def _others(self, pronoun: int) -> list[Piece] | None:
        """What is joined with a pronoun, *it and Acme*; None if that can't be said."""
        tree = self.tree
        pieces: list[Piece] = []
        for c in tree.children[pronoun]:
            coordinators = tree.function_words(c, "cc")
            phrase = self.nouns.phrase(c, all_conjuncts=True) if tree.relation(c) == "conj" else None
            if phrase is None or not coordinators:
                return None
            pieces += [Leaf(self.nouns.said(coordinators)), phrase]
        return pieces

    def _owned(self, noun: int, speaker: int, piece: Piece | None) -> Piece | None:
        """What belongs to the speaker, by name: *Acme said its board* has *Acme board*."""
        tree = self.tree
        owner = tree.child(noun, "nmod:poss")
        if piece is None or owner is None or owner != tree.first(noun):
            return None
        if tree.words[speaker].tag != "PROPN" or tree.words[noun].tag != "NOUN":
            return None
        if tree.words[owner].key not in {"its", "their"}:
            return None
        if tree.words[noun].lemma in _UNITS:  # Acme said its (Brook Inc) unit
            return row([piece, Leaf(self.nouns.said([noun]))])
        owned = self.nouns.phrase(noun, all_conjuncts=True, depth=1, without=owner)
        return None if owned is None else row([piece, owned])

    def _is_owned(self, noun: int) -> bool:
        """Whether a noun has a pronoun for its owner, whom the headline would not name."""
        tree = self.tree
        owned = any(tree.relation(c) == "nmod" and tree.words[c].tag == "PRON" for c in tree.children[noun])
        of_owned = any(tree.words[k].key in RESOLVED_OWNERS for k in tree.subtree(noun) if k > noun)
        return (owned and tree.words[noun].tag == "NOUN") or of_owned

    def _attribution(self, v: int, subject: int, speaker: Piece | None) -> Piece | None:
        """*Officials say*."""
        if speaker is None or self.tree.words[subject].tag == "PRON" or subject > v:
            return None
        return row([speaker, self.groups.saying(v, self._number(v, subject))])

    def _number(self, v: int, subject: int) -> bool | None:
        """Whether the verb is plural: by its own form in the text, else by its subject; None if neither tells."""
        known = number_of_verb(self.tree, v)
        if known is None and may_be_plural(self.tree, subject):
            return None
        return is_plural(self.tree, subject) if known is None else known

    def _number_of_pronoun(self, pronoun: int) -> bool:
        return self.tree.words[pronoun].key in {"they", "we"}

    def _whole(self, v: int, subject: int, *, reported: bool = False) -> Piece | None:
        """A clause with its own subject."""
        tree = self.tree
        word = tree.words[subject]
        if (tree.number and self.groups.is_background(v)) or tree.words[tree.first(subject)].tag == "SCONJ":
            return None
        if subject > v or word.tag in {"PRON", "DET"} or tree.child(v, "expl") is not None or self._is_gapped(v):
            return None
        if self.tree.function_words(subject, "case"):
            return None
        if word.key.endswith(("'s", "’s")) or self._is_bare_label(subject):
            return None
        phrase = self._named(subject)
        participle = next((c for c in tree.children[subject] if tree.words[c].relation == "acl"), subject)
        if phrase is not None and self.predicates.needs.is_denied(v) and tree.first(participle) == participle > subject:
            phrase = self.nouns.plain(subject)  # fans wearing masks will not be let in
        if phrase is None or self.nouns.needs.is_bare_number(subject):
            return None
        return self._clause(v, phrase, plural=self._number(v, subject), start=subject, reported=reported)

    def _is_gapped(self, v: int) -> bool:
        """Whether a clause shares the auxiliary of the one before it, or its condition: *… and elections called*."""
        tree, head = self.tree, self.tree.words[v].head
        if tree.relation(v) != "conj":
            return False
        shared = tree.child(head, "aux") is not None and tree.child(v, "aux", "cop") is None
        participle = tree.words[v].key != tree.words[v].lemma and not tree.words[v].key.endswith("s")
        return (shared and participle) or self._condition_before(head, tree.subject(head) or head) is not None

    def _named(self, subject: int) -> Piece | None:
        """A subject as a headline names it; None for *the plan* of a sentence that the headline does not have."""
        tree = self.tree
        word = tree.words[subject]
        if tree.relation(subject) == "csubj":  # not giving evidence, Smith said …
            return None if tree.comma_before(tree.last(subject) + 1) else self.nouns.plain(subject)
        keys = {tree.words[c].key for c in tree.children[subject]}
        asides = {c for c in tree.children[subject] if c > subject and tree.comma_before(tree.first(c))}
        close = {tree.words[c].key for c in tree.children[subject] if c not in asides}
        if tree.number and word.tag == "NOUN" and close == {"the"}:
            return self._company if word.lemma in GENERIC else None
        if tree.number and self.nouns.needs.names_nobody(subject):
            return None
        owner = tree.child(subject, "nmod:poss")
        of_generic = owner is not None and tree.words[owner].lemma.removesuffix("'s") in GENERIC
        numbered = bool(keys & {"both", "two", "three"}) and not keys - {"the", "both", "two", "three"}
        if (tree.number or tree.first(subject) == 0) and keys & RESOLVED_OWNERS:
            return None
        owners = [k for k in tree.subtree(subject) if tree.words[k].key in RESOLVED_OWNERS]
        if tree.number and owners and all(tree.words[k].tag != "PROPN" for k in range(tree.first(subject), owners[0])):
            return None  # two thirds of its staff
        if tree.number and (of_generic or numbered or keys & _DEMONSTRATIVES):
            return None
        return self.nouns.phrase(subject, all_conjuncts=True)

    def company_name(self) -> Piece | None:
        """The name of the company that the sentence is about."""
        tree = self.tree
        for root in tree.roots:
            subject = tree.subject(root)
            if subject is not None and any(is_label(tree.words[k]) for k in (subject, *tree.children[subject])):
                plain = not any(tree.relation(c) in {"conj", "case"} for c in tree.children[subject])
                return self.nouns.phrase(subject, all_conjuncts=True) if plain else None
        return None

    def _clause(
        self, v: int, subject: Piece, *, plural: bool | None, start: int, reported: bool = False
    ) -> Piece | None:
        if self.predicates.torn(v, start):
            return None
        predicate = self.predicates.predicate(v, plural=plural, reported=reported)
        if predicate is None and self._by_prefix:
            predicate = self.predicates.verbatim(v, plural=plural, reported=reported)
        if predicate is None:
            return None
        condition = self._condition_before(v, start)
        if condition is not None and condition < 0:
            return None
        last = self.nouns.plain(condition) if condition is not None else None
        if condition is not None and last is None:
            return None
        return row([subject, predicate, last])

    def _condition_before(self, v: int, start: int) -> int | None:
        """The condition before the subject, which the clause must keep; -1 if there are several."""
        tree = self.tree
        found = [
            c
            for c in tree.children[v]
            if c < start
            and (
                any(tree.words[k].key in CONDITIONS for k in tree.function_words(c, "mark", "case"))
                or (tree.words[c].key in NEGATIONS)
            )
        ]
        if not found:
            return None
        return found[0] if len(found) == 1 else -1
