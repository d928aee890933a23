"""Clauses of a sentence as headlines may say them: subject, verb group and complements, in the order of the text.

A clause is a precedence of its subject, its verb group with negation, modality and particles, its complements, and the
adjuncts that stay; each is a disjunction over the forms that leave something out. Nothing changes sides, no relative
clause leaves its noun, and where the parse contradicts the order of words the clause ends or is given up.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from widl.headline.attributions import SAYING, without_final_attribution
from widl.headline.lexicon import word_set
from widl.headline.noun_phrases import NounPhrases, can_cut
from widl.headline.pieces import Leaf, Part, Piece, options, row, with_optional
from widl.headline.sentence_tree import NEGATIONS, SUBJECTS, SentenceTree
from widl.headline.short_names import ShortNames
from widl.headline.verb_groups import HEDGES, VerbGroups, is_plural, is_single, number_of_verb
from widl.headline.verbs import VerbForms
from widl.headline.words import Word

_CONDITIONS = word_set("if unless provided until till whether because lest except without")
_RESOLVED = word_set("it he she they")
_NEEDED_CASES = word_set("to for with on of into against about out off over as between like")
_TRANSITIVE = word_set(
    "cut raise lower reduce downgrade upgrade affirm assign acquire buy sell place withdraw rate name appoint set put"
)
_TAKING_CLAUSES = word_set("say state note")
_GENERIC = word_set("company firm agency unit fund partnership concern")
_LONGEST_PLAIN = 9
_LONGEST_VERBATIM = 12
_GOOD_ENDS = frozenset({"NOUN", "PROPN", "NUM"})
_OPTIONAL_PARTS = 3


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
    ) -> None:
        """`by_prefix`: where no predicate can be made by its parts, take the words behind the verb as they stand."""
        self._by_prefix = by_prefix
        attributed = without_final_attribution(words)
        self.tree = SentenceTree(attributed.words, number)
        self.nouns = NounPhrases(self.tree, names, lambda i, depth: self._infinitive(i, depth))
        self.groups = VerbGroups(self.tree, verbs, present_tense=present_tense)

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
            torn = self._torn(v, subject)
            speaker = None if torn else self.nouns.phrase(subject, all_conjuncts=True)
            yield from self._reported_clauses(v, reported, subject, speaker)
        elif subject is not None:
            piece = self._whole(v, subject)
            if piece is not None:
                yield Clause(piece, tree.number, self._prior(subject))
        for c in tree.children[v]:
            if tree.relation(c) == "conj" and tree.words[c].tag == "VERB" and tree.subject(c) is not None:
                yield from self._of_predicate(c)

    def _prior(self, subject: int) -> float:
        """A noun with *the* further down refers to what the headline doesn't name."""
        word = self.tree.words[subject]
        definite = any(self.tree.words[c].key == "the" for c in self.tree.children[subject])
        vague = definite and word.tag == "NOUN" and (self.tree.number > 0 or word.lemma in _GENERIC)
        return math.log(0.3) if vague else 0.0

    def _reported(self, v: int) -> int | None:
        """The clause that a verb of saying reports."""
        tree = self.tree
        if tree.words[v].lemma not in SAYING or tree.is_negated(v):
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
        if pronoun and tree.words[inner_subject].key in _RESOLVED and inner_subject < inner:
            if speaker is not None and tree.words[subject].tag != "PRON":
                piece = self._clause(inner, speaker, plural=self._number_of_pronoun(inner_subject), start=inner_subject, reported=True)
                if piece is not None:
                    yield Clause(piece, tree.number, self._prior(subject))
        elif not pronoun:
            owned = self._owned(inner_subject, subject, speaker)
            if owned is not None:
                number = self._number(inner, inner_subject)
                piece = self._clause(inner, owned, plural=number, start=inner_subject, reported=True)
                if piece is not None:
                    yield Clause(piece, tree.number, self._prior(subject))
            piece = self._whole(inner, inner_subject, reported=True)
            if piece is None:
                return
            if not self._is_owned(inner_subject):
                yield Clause(piece, tree.number, self._prior(inner_subject) + math.log(0.5))
            said = self._attribution(v, subject, speaker)
            if said is not None:
                yield Clause(row([said, piece]) or piece, tree.number, self._prior(subject) + math.log(0.5))
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

    def _whole(self, v: int, subject: int, *, reported: bool = False) -> Piece | None:
        """A clause with its own subject."""
        tree = self.tree
        if subject > v or tree.words[subject].tag in {"PRON", "DET"} or tree.child(v, "expl") is not None:
            return None
        phrase = self.nouns.phrase(subject, all_conjuncts=True)
        if phrase is None:
            return None
        return self._clause(v, phrase, plural=self._number(v, subject), start=subject, reported=reported)

    def _clause(
        self, v: int, subject: Piece, *, plural: bool | None, start: int, reported: bool = False
    ) -> Piece | None:
        tree = self.tree
        if self._torn(v, start):
            return None
        predicate = self._predicate(v, plural=plural, reported=reported)
        if predicate is None and self._by_prefix:
            predicate = self._verbatim(v, plural=plural, reported=reported)
        if predicate is None:
            return None
        condition = self._condition_before(v, start)
        if condition is not None and condition < 0:
            return None
        last = self.nouns.plain(condition) if condition is not None else None
        if condition is not None and last is None:
            return None
        return row([subject, predicate, last])

    def _torn(self, v: int, subject: int) -> bool:
        """Whether something stands between subject and verb that neither owns, or the verb has two subjects."""
        tree = self.tree
        subjects = [c for c in tree.children[v] if tree.words[c].relation in SUBJECTS]
        if number_of_verb(tree, v) and tree.words[subject].tag in {"PROPN", "NOUN"} and is_single(tree, subject):
            return True
        if len(subjects) > 1 or tree.words[v].relation == "dep" or not self._begins_at(v, tree.first(subject)):
            return True
        group = {v, *self.groups.positions(v)}
        between = range(tree.last(subject) + 1, min(group))
        for k in between:
            if tree.words[k].head != v and not any(k in tree.subtree(c) for c in tree.children[v] if c > subject):
                return True
            if tree.words[k].tag == "VERB":
                return True
        return tree.last(subject) > v or not tree.is_contiguous(subject)

    def _verbatim(self, v: int, *, plural: bool | None, reported: bool) -> Piece | None:
        """The verb group and the words behind it as they stand, up to any place where nothing is torn."""
        tree = self.tree
        if not self.groups.is_verbal(v) or any(word.key in _CONDITIONS for word in tree.words[v:]):
            return None
        begin = self._behind_group(v)
        first = tree.words[begin] if begin < len(tree.words) else None
        if first is None or tree.words[v].lemma in _TAKING_CLAUSES | {"tell"}:
            return None
        if first.tag == "ADP" and tree.words[v].lemma in _TRANSITIVE:
            return None
        ends = [
            end
            for end in range(begin, min(begin + _LONGEST_VERBATIM, len(tree.words)))
            if tree.words[end].tag in _GOOD_ENDS and can_cut(tree, end)
        ]
        group = self.groups.form(v, plural, reported=reported)
        kept = [[k for k in range(begin, end + 1) if not self.nouns.is_free_article(k)] for end in ends]
        persons = {"i", "we", "me", "us", "my", "our", "you", "your"}
        rows = [Leaf(self.nouns.said(k)) for k in kept if k and not any(tree.words[i].key in persons for i in k)]
        made = options([(leaf, -math.log(len(rows))) for leaf in rows])
        return None if made is None else row([group, made])

    def _begins_at(self, v: int, start: int) -> bool:
        """Whether a subject that starts here starts there by the order of words, too: *all but* one diplomat does not."""
        tree = self.tree
        if start == 0 or tree.comma_before(start):
            return True
        before = tree.words[start - 1]
        if before.tag == "CCONJ":
            return tree.relation(v) == "conj"
        if before.key in {"that", "while", "as", "when", "because", "if", "after", "before", "since"}:
            return True
        # After the verb of saying, its adverbs or times: "said on Monday prices …".
        head = tree.words[v].head
        between = [c for c in tree.children[head] if c != v and head < tree.first(c) < start]
        adverbial = all(tree.relation(c) in {"obl", "advmod", "iobj", "obj", "mark", "nmod"} for c in between)
        return head != v and adverbial and (start - 1 == head or any(start - 1 in tree.subtree(c) for c in between))

    def _condition_before(self, v: int, start: int) -> int | None:
        """The condition before the subject, which the clause must keep; -1 if there are several."""
        tree = self.tree
        found = [
            c
            for c in tree.children[v]
            if c < start
            and (
                any(tree.words[k].key in _CONDITIONS for k in tree.function_words(c, "mark", "case"))
                or (tree.words[c].key in NEGATIONS)
            )
        ]
        if not found:
            return None
        return found[0] if len(found) == 1 else -1

    def _predicate(self, v: int, *, plural: bool | None, reported: bool = False, depth: int = 2) -> Piece | None:
        """The verb group and what follows it."""
        tree = self.tree
        nominal = not self.groups.is_verbal(v)
        group = self.groups.form(v, plural, reported=reported) if not nominal or self.groups.positions(v) else None
        if not nominal:
            alone = not tree.function_words(v, "aux")
            if tree.words[v].tag == "AUX" or (alone and tree.words[v].key.endswith("ing")):
                return None
            tail = self._tail(v, depth)
            return None if tail is None or group is None else self._chosen(group, tail)
        if tree.child(v, "cop") is None or group is None:
            return None
        phrase = self._complement(v, depth)
        return None if phrase is None else row([group, phrase])

    def _complement(self, v: int, depth: int) -> Piece | None:
        """What *is* says of the subject: an adjective or noun with what belongs to it."""
        tree = self.tree
        if tree.words[v].tag in {"NOUN", "PROPN", "NUM"} and not any(
            tree.relation(c) in {"advcl", "obl", "xcomp", "ccomp", "conj"} for c in tree.children[v] if c > v
        ):
            return self.nouns.prepositional(v, after=tree.child(v, "cop"))
        cop = tree.child(v, "cop")
        before = [
            c
            for c in tree.children[v]
            if cop is not None and cop < c < v and c not in self.groups.positions(v) and tree.relation(c) != "aux"
        ]
        kept = sorted({v, *(k for c in before for k in tree.subtree(c))})
        kept = [k for k in kept if not (tree.words[k].tag == "DET" and tree.words[k].key in {"a", "an", "the"})]
        tail = self._tail(v, depth)
        return None if tail is None else self._chosen(Leaf(self.nouns.said(kept)), tail)

    @staticmethod
    def _chosen(head: Piece, tail: Sequence[Part]) -> Piece | None:
        """A verb with those of its dependents that stay."""
        return with_optional([Part(head), *tail], _OPTIONAL_PARTS)

    def _tail(self, v: int, depth: int) -> list[Part] | None:
        """The complements and adjuncts behind the verb; None if a needed one has no safe form."""
        tree = self.tree
        parts: list[Part] = []
        end = self._behind_group(v) - 1
        after = sorted((c for c in tree.children[v] if c > v), key=tree.first)
        taken = set(self.groups.positions(v))
        stopped = False
        for c in after:
            if c in taken or tree.words[c].relation in {"compound:prt", "punct", "aux", "cop"}:
                end = max(end, c)
                continue
            if tree.first(c) <= v:
                return None
            if not stopped and (self._ends_before(c) or not tree.is_contiguous(c)):
                if not can_cut(tree, tree.first(c) - 1):
                    return None
                stopped = True
            if stopped:
                if tree.relation(c) in {"obj", "xcomp"}:
                    return None
                continue
            part = self._part(v, c, depth, first=not parts)
            can_go = can_cut(tree, tree.first(c) - 1)
            if part is None or part[0] is None:
                needed = part is not None and not part[1]
                if needed or not can_go:
                    return None
                stopped = part is None
                end = tree.last(c)
                continue
            piece, optional, stay = part
            leans = self._leans(c, adjacent=tree.first(c) == end + 1)
            if leans is None:
                if not can_go:
                    return None
                stopped = True
                continue
            parts.append(Part(piece, optional and can_go, stay, leans and bool(parts)))
            end = tree.last(c)
        if stopped and (tree.words[v].lemma in _TAKING_CLAUSES | {"tell"} or (not parts and self._needs_object(v))):
            return None
        return parts

    def _needs_object(self, v: int) -> bool:
        """Whether a verb with nothing behind it would be torn off: an active one."""
        tree = self.tree
        return tree.words[v].tag == "VERB" and not any(tree.words[c].relation == "aux:pass" for c in tree.children[v])

    def _leans(self, c: int, *, adjacent: bool) -> bool | None:
        """Whether a part may belong to the one before it, so that it needs that; None if the clause has to end before."""
        tree = self.tree
        relation = tree.relation(c)
        if relation in {"obj", "iobj", "ccomp", "xcomp", "conj", "advmod"} or tree.is_time(c):
            return False
        if relation == "advcl" and tree.function_words(c, "mark"):
            return False
        marked = bool(tree.function_words(c, "case", "mark"))
        if not marked and not adjacent:
            return None
        return not tree.comma_before(tree.first(c)) or not marked

    def _ends_before(self, c: int) -> bool:
        """Whether a clause ends before this dependent: an aside, a list, what the parser could not attach."""
        tree = self.tree
        return tree.relation(c) in {"parataxis", "dep", "list"} or tree.is_doubtful(c)

    def _part(self, v: int, c: int, depth: int, *, first: bool) -> tuple[Piece | None, bool, float] | None:
        """A dependent behind the verb: its piece, whether it may go, and P(stays).

        Without a piece: (None, True, …) if the clause is whole without it, (None, False, …) if it needs it; None where
        the clause has to end before it.
        """
        tree = self.tree
        word, relation = tree.words[c], tree.relation(c)
        keys = {tree.words[k].key for k in tree.function_words(c, "case", "mark")}
        if relation == "obj" and any(tree.relation(k) == "obj" for k in tree.children[v] if v < k < c):
            return None
        if relation == "obj" and tree.words[v].lemma in _TAKING_CLAUSES:
            return None, False, 0.0
        if relation in {"obj", "iobj"}:
            return self.nouns.phrase(c), False, 1.0
        if relation == "xcomp":
            return self._infinitive(c, depth), False, 1.0
        if relation == "ccomp":
            return self._subordinate(c, depth), False, 1.0
        if relation == "conj":
            return self._second_predicate(v, c, depth)
        if relation in {"advcl", "acl"}:
            if not keys:  # a participle beside the clause, which may belong to anything before it
                return None, True, 0.0
            condition = bool(keys & _CONDITIONS)
            piece = self._infinitive(c, depth) if "to" in keys else self._adverbial(c, depth)
            return (piece, not condition, 0.4) if piece is not None or condition else None
        if relation == "advmod":
            needed = word.key in HEDGES | NEGATIONS or first and word.key in {"up", "down", "out", "off", "ahead"}
            return self.nouns.plain(c), not needed, 0.3
        if tree.is_time(c):
            return self.nouns.prepositional(c, depth=1), True, 0.25
        if relation in {"obl", "nmod"}:
            measure = first and not keys and not tree.comma_before(tree.first(c))
            direct = first and bool(keys & _NEEDED_CASES) and tree.first(c) == self._behind_group(v)
            piece = self.nouns.prepositional(c)
            return piece, not (measure or direct or keys == {"of"} or keys & {"without", "except", "into"}), 0.5
        plain = self.nouns.plain(c)
        return None if plain is None else (plain, True, 0.3)

    def _behind_group(self, v: int) -> int:
        particles = [c for c in self.tree.children[v] if self.tree.words[c].relation == "compound:prt"]
        return max([v, *particles]) + 1

    def _infinitive(self, c: int, depth: int) -> Piece | None:
        """*To* with a verb and what follows it, or the complement of *become* and the like."""
        tree = self.tree
        word = tree.words[c]
        if depth < 0 or tree.subject(c) is not None or tree.child(c, "cop") is not None:
            return self._short_plain(c)
        if word.tag != "VERB":
            return self.nouns.prepositional(c) if word.tag in {"NOUN", "PROPN"} else self._short_plain(c)
        tail = self._tail(c, depth - 1)
        before = sorted(k for x in tree.children[c] if x < c for k in tree.subtree(x))
        torn = before != list(range(c - len(before), c))
        if tail is None or torn or any(tree.words[k].tag in {"NOUN", "PROPN"} for k in before):
            return self._short_plain(c)
        particles = [x for x in tree.children[c] if tree.words[x].relation == "compound:prt" and x > c]
        return self._chosen(Leaf(self.nouns.said(sorted([*before, c, *particles]))), tail)

    def _short_plain(self, c: int) -> Piece | None:
        plain = self.nouns.plain(c)
        return plain if isinstance(plain, Leaf) and len(plain.words) <= _LONGEST_PLAIN else None

    def _subordinate(self, c: int, depth: int) -> Piece | None:
        """A clause that is the verb's object: *says prices fall*, *expects that …*; *that* goes."""
        tree = self.tree
        subject = tree.subject(c)
        if depth <= 0 or subject is None or subject > c:
            return self._short_plain(c)
        marks = [k for k in tree.function_words(c, "mark") if tree.words[k].key != "that"]
        pronoun = tree.words[subject].tag == "PRON"
        if pronoun and tree.words[subject].key not in _RESOLVED:
            return None
        noun = Leaf(self.nouns.said([subject])) if pronoun else self.nouns.phrase(subject, all_conjuncts=True, depth=1)
        if noun is None or self._torn(c, subject):
            return None
        predicate = self._predicate(c, plural=None, depth=depth - 1)
        opening = Leaf(self.nouns.said(marks)) if marks else None
        return None if predicate is None else row([opening, noun, predicate])

    def _adverbial(self, c: int, depth: int) -> Piece | None:
        """A clause of time, reason or manner, in the words of the text."""
        tree = self.tree
        subject = tree.subject(c)
        marks = tree.function_words(c, "mark", "case")
        if subject is not None:
            piece = self._subordinate(c, depth) if tree.words[c].tag == "VERB" else self._short_plain(c)
            return piece
        if tree.words[c].tag != "VERB" or not (marks or tree.words[c].key.endswith("ing")):
            return self._short_plain(c)
        return self._infinitive(c, depth)

    def _second_predicate(self, v: int, c: int, depth: int) -> tuple[Piece | None, bool, float] | None:
        """*And* with a second predicate of the same subject."""
        tree = self.tree
        if tree.subject(c) is not None or tree.words[c].tag != "VERB" or depth < 2 or tree.words[v].tag != "VERB":
            return None
        coordinators = tree.function_words(c, "cc")
        if tree.first(c) == v + 1 and tree.child(v, "obj") is None:  # to build and sell ships: they share the object
            return self.nouns.plain(c), False, 1.0
        both = {tree.words[k].key for k in coordinators}
        if not both <= {"and", "but"} or not both:
            return (None, False, 0.0) if both else None
        number = number_of_verb(tree, v)
        subject = tree.subject(v)
        if number is None and subject is not None and tree.words[subject].tag != "PRON":
            number = is_plural(tree, subject)
        shares_auxiliary = bool(tree.function_words(v, "aux")) and not tree.function_words(c, "aux")
        if shares_auxiliary:
            return None
        predicate = self._predicate(c, plural=number, depth=1)
        if predicate is None:
            return None
        return row([Leaf(self.nouns.said(coordinators)), predicate]), True, 0.25

