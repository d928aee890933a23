"""Clauses of a sentence as headlines may say them: subject, verb group and complements, in the order of the text.

A clause is a precedence of its subject, its verb group with negation, modality and particles, its complements, and the
adjuncts that stay; each is a disjunction over the forms that leave something out. Nothing changes sides, no relative
clause leaves its noun, and where the parse contradicts the order of words the clause ends or is given up.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from widl.headline.attributions import is_saying, without_final_attribution
from widl.headline.lexicon import word_set
from widl.headline.noun_phrases import NounPhrases
from widl.headline.pieces import Piece, row
from widl.headline.predicates import CONDITIONS, RESOLVED, Predicates
from widl.headline.sentence_tree import NEGATIONS, SentenceTree
from widl.headline.short_names import ShortNames
from widl.headline.verb_groups import VerbGroups, is_plural, number_of_verb
from widl.headline.verbs import VerbForms
from widl.headline.words import Word, is_label

_GENERIC = word_set("company firm agency unit fund partnership concern")


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
    ) -> None:
        """A grammar of words with their heads and relations.

        `by_prefix`: where no predicate can be made by its parts, take the words behind the verb as they stand.
        `tight`: leave out more of noun phrases.
        """
        self._by_prefix = by_prefix
        self.tree = SentenceTree(without_final_attribution(words), number)
        self.nouns = NounPhrases(
            self.tree, names, lambda i, depth: self.predicates.infinitive(i, depth), tight=tight
        )
        self.groups = VerbGroups(self.tree, verbs, present_tense=present_tense)
        self.predicates = Predicates(self.tree, self.nouns, self.groups)

    def clauses(self) -> Iterator[Clause]:
        """The clauses that can stand alone as headlines."""
        tree = self.tree
        for root in tree.roots:
            if tree.words[root].tag not in {"VERB", "AUX", "ADJ", "NOUN", "PROPN", "NUM"}:
                continue
            yield from self._of_predicate(root)

    def _of_predicate(self, v: int) -> Iterator[Clause]:
        tree = self.tree
        subject = tree.subject(v)
        reported = self._reported(v)
        if reported is not None and subject is not None:
            torn = self.predicates.torn(v, subject) or self._is_bare_label(subject)
            speaker = None if torn else self.nouns.phrase(subject, all_conjuncts=True)
            yield from self._reported_clauses(v, reported, subject, speaker)
        elif subject is not None:
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
        vague = definite and word.tag == "NOUN" and (self.tree.number > 0 or word.lemma in _GENERIC)
        return math.log(0.3) if vague else 0.0

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
            if inner_subject is not None and tree.words[inner_subject].key != "it":
                inner_subject = None
        if inner_subject is None or tree.words[v].tag != "VERB":
            return
        pronoun = tree.words[inner_subject].tag == "PRON"
        if pronoun and tree.words[inner_subject].key in RESOLVED and inner_subject < inner:
            if speaker is not None and tree.words[subject].tag != "PRON":
                piece = self._clause(
                    inner, speaker, plural=self._number_of_pronoun(inner_subject), start=inner_subject, reported=True
                )
                if piece is not None:
                    yield Clause(piece, tree.number, self._prior(subject))
        elif not pronoun:
            owned = self._owned(inner_subject, subject, speaker)
            if owned is not None:
                number = self._number(inner, inner_subject)
                piece = self._clause(inner, owned, plural=number, start=inner_subject, reported=True)
                if piece is not None:
                    yield Clause(piece, tree.number, self._prior(subject))
            piece = self._whole(inner, inner_subject)
            if piece is None:
                return
            said = self._attribution(v, subject, speaker)
            attributed = row([said, piece]) if said is not None else None
            if attributed is not None:
                yield Clause(attributed, tree.number, self._prior(subject) + math.log(0.5))
            # What something is, is the speaker's opinion.
            opinion = tree.child(inner, "cop") is not None and attributed is not None
            if not self._is_owned(inner_subject) and not opinion:
                yield Clause(piece, tree.number, self._prior(inner_subject) + math.log(0.5))
        for c in tree.children[inner]:
            if tree.relation(c) == "conj" and tree.words[c].tag == "VERB" and tree.subject(c) is not None:
                yield from self._of_predicate(c)

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
        owned = self.nouns.phrase(noun, all_conjuncts=True, depth=1, without=owner)
        return None if owned is None else row([piece, owned])

    def _is_owned(self, noun: int) -> bool:
        """Whether a noun has a pronoun for its owner, whom the headline would not name."""
        tree = self.tree
        owned = any(tree.relation(c) == "nmod" and tree.words[c].tag == "PRON" for c in tree.children[noun])
        return owned and tree.words[noun].tag == "NOUN"

    def _attribution(self, v: int, subject: int, speaker: Piece | None) -> Piece | None:
        """*Officials say*."""
        if speaker is None or self.tree.words[subject].tag == "PRON" or subject > v:
            return None
        return row([speaker, self.groups.form(v, self._number(v, subject))])

    def _number(self, v: int, subject: int) -> bool:
        """Whether the verb is plural: by its own form in the text, else by its subject."""
        known = number_of_verb(self.tree, v)
        return is_plural(self.tree, subject) if known is None else known

    def _number_of_pronoun(self, pronoun: int) -> bool:
        return self.tree.words[pronoun].key in {"they", "we"}

    def _whole(self, v: int, subject: int) -> Piece | None:
        """A clause with its own subject."""
        tree = self.tree
        word = tree.words[subject]
        if subject > v or word.tag in {"PRON", "DET"} or tree.child(v, "expl") is not None:
            return None
        if self.tree.function_words(subject, "case"):
            return None
        if word.key.endswith(("'s", "’s")) or self._is_bare_label(subject):
            return None
        phrase = self.nouns.phrase(subject, all_conjuncts=True)
        if phrase is None:
            return None
        return self._clause(v, phrase, plural=self._number(v, subject), start=subject)

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
