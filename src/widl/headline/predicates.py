"""Predicates of clauses: a verb group with its complements, and those of the adjuncts behind it that stay.

A part is left out only where that tears no word group, and one that may belong to the part before it stays only with
that. Where the parse contradicts the order of words, a predicate ends, or there is none.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from widl.headline.cuts import CONDITIONS, breaks_off, can_cut
from widl.headline.denials import is_denying
from widl.headline.lexicon import DAYS, TIME_UNITS, word_set
from widl.headline.noun_phrases import NounPhrases
from widl.headline.noun_words import RANKING, is_other_person, is_referring
from widl.headline.pieces import Leaf, Part, Piece, object_first, options, row, with_optional
from widl.headline.predicate_words import (
    ASIDES,
    CLAUSE_MARKS,
    DIRECTIONS,
    UNFINISHED,
    VAGUE,
)
from widl.headline.sentence_tree import NEGATIONS, SentenceTree
from widl.headline.subject_order import SubjectOrder
from widl.headline.verb_groups import HEDGES, VerbGroups, is_needed_adverb, is_plural, number_of_verb
from widl.headline.verb_needs import TAKING_CLAUSES, TRANSITIVE, VerbNeeds

RESOLVED = word_set("it he she they")
RESOLVED_OWNERS = word_set("its his her their")
_LONGEST_PLAIN = 9
_LONGEST_VERBATIM = 12
_GOOD_ENDS = frozenset({"NOUN", "PROPN", "NUM"})
_OPTIONAL_PARTS = 3
_Dependent: TypeAlias = tuple[Piece | None, bool, float] | None


class Predicates:
    """The predicates of a sentence as pieces."""

    def __init__(self, tree: SentenceTree, nouns: NounPhrases, groups: VerbGroups) -> None:
        self.tree = tree
        self.nouns = nouns
        self.groups = groups
        self._order = SubjectOrder(tree, groups)
        self.needs = VerbNeeds(tree)

    def predicate(
        self, v: int, *, plural: bool | None, reported: bool = False, depth: int = 2, whole: bool = False
    ) -> Piece | None:
        """The verb group, `whole` or as headlines shorten it, and what follows it."""
        tree = self.tree
        future = self.groups.to_be_done(v)
        if future is not None:
            return self.infinitive(future, depth)
        nominal = not self.groups.is_verbal(v)
        has_group = not nominal or bool(self.groups.positions(v))
        if ":" in tree.words[v].closing:
            return None  # added: "The …
        group = self.groups.form(v, plural, reported=reported, whole=whole) if has_group else None
        if not nominal:
            alone = not tree.function_words(v, "aux")
            if tree.words[v].tag == "AUX" or (alone and tree.words[v].key.endswith("ing")):
                return None
            if alone and self.needs.is_participle(v):
                return None
            tail = self._tail(v, depth)
            return None if tail is None or group is None else self._chosen(group, tail)
        phrase = self._complement(v, depth) if tree.child(v, "cop") is not None and group is not None else None
        return None if phrase is None or self.needs.lacks_standard(v, phrase) else row([group, phrase])

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
        if any(tree.relation(c) == "xcomp" for c in before):
            return None  # said it was clear the high mark …: a clause, misread
        kept = sorted({v, *(k for c in before for k in tree.subtree(c))})
        kept = [k for k in kept if not (tree.words[k].tag == "DET" and tree.words[k].key in {"a", "an", "the"})]
        tail = self._tail(v, depth)
        if tree.words[v].tag == "ADJ" and (tree.words[v].key.endswith("er") or tree.words[v].key in VAGUE):
            tail = self._with_first(v, tail)  # prominent in the manifesto
        if tail and any(tree.words[k].key in RANKING for k in kept) and self.needs.has_infinitive(v):
            tail = [replace(part, optional=False) for part in tail]  # the latest to resign
        unfinished = tree.words[v].key in UNFINISHED and not any(not part.optional for part in tail or ())
        return None if tail is None or unfinished else self._chosen(Leaf(self.nouns.said(kept)), tail)

    @staticmethod
    def _chosen(head: Piece, tail: Sequence[Part]) -> Piece | None:
        """A verb with those of its dependents that stay."""
        return with_optional([Part(head), *tail], _OPTIONAL_PARTS)

    def _tail(self, v: int, depth: int) -> list[Part] | None:
        """The complements and adjuncts behind the verb; None if a needed one has no safe form."""
        tree = self.tree
        parts: list[Part] = []
        end = self.needs.behind_group(v) - 1
        after = sorted((c for c in tree.children[v] if c > v), key=tree.first)
        taken = set(self.groups.positions(v))
        stopped = has_object = gap = False
        last: int | None = None
        relations: list[str] = []
        for c in after:
            if c in taken or tree.words[c].relation in {"compound:prt", "punct", "aux", "cop"}:
                end = max(end, c)
                continue
            if tree.first(c) <= v:
                return None
            limiting = self.needs.limits_denial(v, c)
            if not stopped and (self.needs.ends_before(c) or not tree.is_contiguous(c)):
                if limiting or not can_cut(tree, tree.first(c) - 1):
                    return None
                stopped = True
            if stopped:
                if limiting or tree.relation(c) in {"obj", "xcomp"} or self.groups.is_condition(c):
                    return None
                continue
            part = self._part(v, c, depth, first=not parts)
            can_go = can_cut(tree, tree.first(c) - 1)
            if part is None or part[0] is None:
                needed = limiting or (part is not None and not part[1])
                if needed or not can_go:
                    return None
                stopped = part is None
                gap = True
                end = tree.last(c)
                continue
            piece, optional, stay = part[0], part[1], part[2]
            leans = self._leans(c, adjacent=tree.first(c) == end + 1)
            if leans is None or (leans and gap) or self.needs.may_be_of_another(c, last):
                if limiting or not can_go:
                    return None
                stopped = True
                continue
            gap = False
            last = c
            relations.append(tree.relation(c))
            optional = optional and can_go and not self.needs.completes_state(c)
            parts.append(Part(piece, optional, stay, leans and bool(parts)))
            has_object = has_object or tree.relation(c) in {"obj", "ccomp", "xcomp", "conj"}
            end = tree.last(c)
        parts = object_first(parts, relations)
        if self.needs.lacks_object(v, has_object=has_object) or self.needs.lacks_infinitive(v, parts):
            return None
        if self.needs.lacks_place(v, parts):
            return None
        if stopped and (
            tree.words[v].lemma in TAKING_CLAUSES | {"tell", "advise", "inform"}
            or (not parts and self.needs.needs_object(v))
        ):
            return None
        return parts

    def _leans(self, c: int, *, adjacent: bool) -> bool | None:
        """Whether a part may belong to the one before it, which it needs then; None if the clause ends before."""
        tree = self.tree
        relation = tree.relation(c)
        if adjacent and self.needs.completes_state(c):
            return True
        if relation in {"obj", "iobj", "ccomp", "xcomp", "conj", "advmod"}:
            return False
        if tree.is_time(c) and tree.words[c].lemma in TIME_UNITS and tree.child(c, "nummod") is not None:
            return True  # "to its lowest level in three years"
        if tree.is_time(c):  # "from 48 billion in April": the month of the figure before it
            return tree.words[c].key not in DAYS and self.needs.is_compared(tree.first(c) - 1)
        if relation == "advcl" and {tree.words[k].key for k in tree.function_words(c, "mark", "case")} & CLAUSE_MARKS:
            return False
        marked = bool(tree.function_words(c, "case", "mark"))
        if not marked and not adjacent:
            return None
        return not tree.comma_before(tree.first(c)) or not marked

    def _part(self, v: int, c: int, depth: int, *, first: bool) -> _Dependent:
        """A dependent behind the verb: its piece, whether it may go, and P(stays).

        Without a piece: (None, True, …) if the clause is whole without it, (None, False, …) if it needs it; None where
        the clause has to end before it.
        """
        tree = self.tree
        word, relation = tree.words[c], tree.relation(c)
        keys = {tree.words[k].key for k in tree.function_words(c, "case", "mark")}
        if relation == "obj" and not first and word.lemma in TIME_UNITS:  # offered vaccines this autumn
            return self.nouns.plain(c), True, 0.25
        if relation == "obj" and any(tree.relation(k) == "obj" for k in tree.children[v] if v < k < c):
            measure = tree.child(c, "nummod", "compound") is not None and tree.words[tree.first(c)].tag == "NUM"
            return (self.nouns.phrase(c), True, 0.6) if measure else None  # raised prices 32 cts
        if relation == "obj" and tree.words[v].lemma in TAKING_CLAUSES:
            return None, False, 0.0
        if word.key == "record" and relation in {"xcomp", "obl", "nmod"} and not keys:
            return None  # payable August 14, record July 1
        if relation == "cc":  # of a second clause that is not said
            return None
        if relation in {"obj", "iobj"}:
            return self.nouns.phrase(c), False, 1.0
        if relation == "xcomp":
            return self._open_complement(c, depth, keys, first=first)
        if relation == "ccomp":
            return self._subordinate(c, depth), False, 1.0
        if relation == "conj":
            return self._second_predicate(v, c, depth)
        if relation in {"advcl", "acl"}:
            if not keys:  # a participle beside the clause, which may belong to anything before it
                return None, True, 0.0
            needed = self.needs.needs_clause(v, c, keys, first=first) or self.nouns.needs.dates_extreme(v, c)
            piece = self.infinitive(c, depth) if "to" in keys else self._adverbial(c, depth)
            return (piece, not needed, 0.4) if piece is not None or needed else None
        if relation == "advmod":
            if word.tag == "VERB" and not tree.comma_before(c):  # following a report
                return self.infinitive(c, depth), True, 0.3
            direction = first and word.key in DIRECTIONS
            close = {tree.words[k].tag for k in tree.subtree(c)} <= {"ADV", "ADJ"}
            close = close and not tree.comma_before(tree.first(c))  # growing too fast
            needed = direction or word.key in HEDGES | NEGATIONS or (close and is_needed_adverb(word))
            return self.nouns.plain(c), not needed, 0.3
        if tree.is_time(c):
            telling = self.needs.takes(v, keys) or (bool(keys & CONDITIONS) and tree.is_negated(v))  # not until May
            telling = telling or self.nouns.needs.dates_extreme(v, c)
            telling = telling or (self.needs.is_denied(v) and word.key not in DAYS)
            telling = telling or (first and not keys and any(tree.words[k].key == "the" for k in tree.children[c]))
            return self.nouns.prepositional(c, depth=1), not telling, 0.25
        if relation in {"obl", "nmod"}:
            if "than" in keys and tree.first(c) > self.needs.behind_group(v):
                return None, False, 0.0  # at a faster rate in March than in May
            aside = tree.comma_before(tree.first(c))
            if (aside and keys == {"with"}) or (keys == {"at"} and self.nouns.needs.lacks_measure(c)):
                return None, True, 0.0  # …, with piracy rising; at a rate exceeding that of last year
            return self.nouns.prepositional(c), not self.needs.needs_phrase(v, c, keys, first=first), 0.5
        plain = self.nouns.plain(c)
        return None if plain is None else (plain, True, 0.3)

    def _open_complement(self, c: int, depth: int, keys: set[str], *, first: bool) -> _Dependent:
        """An infinitive or what a verb says its subject or object is."""
        tree, word = self.tree, self.tree.words[c]
        if word.tag == "NOUN" and tree.comma_before(tree.first(c)):
            return None
        before = [k for k in tree.children[word.head] if word.head < k < c and tree.relation(k) == "xcomp"]
        if before and word.tag in {"NOUN", "PROPN"}:
            return None, False, 0.0  # named winners of the 2004 Acme Awards
        if "to" in keys and not first and self.needs.follows_linked_noun(c):
            if tree.relation(max(k for k in tree.children[tree.words[c].head] if k < c)) != "obj":
                return None, True, 0.0  # overreacted to a decision last week to proceed
            return self.infinitive(c, depth), True, 0.7  # sign an agreement to cooperate
        if (
            "to" in keys
            and tree.words[word.head].lemma == "have"
            and tree.first(c) > self.needs.behind_group(word.head)
        ):
            return None, False, 0.0  # have until May to settle it: not *have to*
        if any(tree.words[k].key != "to" for k in tree.function_words(c, "aux")):
            return None, False, 0.0  # "action started this month will delay": a participle, not the verb
        aside = word.key in ASIDES and (not first or tree.comma_before(tree.first(c)))
        return self.infinitive(c, depth), aside, 0.2 if aside else 1.0

    def infinitive(self, c: int, depth: int, *, without: int | None = None) -> Piece | None:
        """*To* with a verb and what follows it, or the complement of *become* and the like; `without` its subject."""
        tree = self.tree
        word = tree.words[c]
        if depth < 0 or tree.subject(c) != without or tree.child(c, "cop") is not None:
            return self._short_plain(c) if without is None else None
        if word.tag != "VERB" and without is None:
            return self.nouns.prepositional(c) if word.tag in {"NOUN", "PROPN"} else self._short_plain(c)
        tail = self._with_first(c, self._tail(c, depth - 1))  # to aid in recovery
        left = [x for x in tree.children[c] if x < c and x != without and tree.relation(x) != "cc"]
        before = sorted(k for x in left for k in tree.subtree(x))
        torn = before != list(range(c - len(before), c))
        nouns = [k for k in before if tree.words[k].tag in {"NOUN", "PROPN"}]
        if tail is None or torn or any(k != c - 1 or tree.words[k].relation != "compound" for k in nouns):
            return self._short_plain(c) if without is None else None
        particles = [x for x in tree.children[c] if tree.words[x].relation == "compound:prt" and x > c]
        return self._chosen(Leaf(self.nouns.said(sorted([*before, c, *particles]))), tail)

    def _with_first(self, v: int, tail: list[Part] | None) -> list[Part] | None:
        """What follows a predicate; what stands right behind it stays, unless it says when."""
        close = self.tree.first(self.needs.first_dependent(v)) == self.needs.behind_group(v)
        if tail and tail[0].optional and close and not self.needs.is_dated(v):
            tail[0] = replace(tail[0], optional=False)
        return tail

    def _short_plain(self, c: int) -> Piece | None:
        plain = self.nouns.plain(c)
        torn = self.tree.last(c) == c and self.needs.lacks_object(c, has_object=False)  # agrees to buy
        return plain if isinstance(plain, Leaf) and len(plain.words) <= _LONGEST_PLAIN and not torn else None

    def _subordinate(self, c: int, depth: int) -> Piece | None:
        """A clause that is the verb's object: *says prices fall*, *expects that …*; *that* goes."""
        tree = self.tree
        subject = tree.subject(c)
        if depth <= 0 or subject is None or subject > c:
            return self._short_plain(c)
        marks = [k for k in tree.function_words(c, "mark") if tree.words[k].key != "that"]
        if marks and marks[0] - 1 in tree.children[c] and marks[0] - 1 == tree.first(c):
            marks = [marks[0] - 1, *marks]  # even if
        if any(k > subject for k in marks):  # expects the meeting to be brief
            owner = self.nouns.phrase(subject, all_conjuncts=True, depth=1)
            action = self.infinitive(c, depth, without=subject) if owner is not None else None
            return self._short_plain(c) if action is None else row([owner, action])
        pronoun = tree.words[subject].tag == "PRON"
        if pronoun and (tree.words[subject].key not in RESOLVED or self._order.means_another(c, subject)):
            return None
        noun = Leaf(self.nouns.said([subject])) if pronoun else self.nouns.phrase(subject, all_conjuncts=True, depth=1)
        if noun is None or self.torn(c, subject):
            return None
        predicate = self.predicate(c, plural=None, depth=depth - 1, whole=True)
        opening = Leaf(self.nouns.said(marks)) if marks else None
        return None if predicate is None else row([opening, noun, predicate])

    def _adverbial(self, c: int, depth: int) -> Piece | None:
        """A clause of time, reason or manner, in the words of the text."""
        tree = self.tree
        subject = tree.subject(c)
        marks = tree.function_words(c, "mark", "case")
        if any(tree.words[k].key in CONDITIONS for k in marks):
            return self._short_plain(c)  # a shorter condition is another one
        if subject is not None:
            return self._subordinate(c, depth) if tree.words[c].tag == "VERB" else self._short_plain(c)
        if tree.words[c].tag != "VERB" or not (marks or tree.words[c].key.endswith("ing")):
            return self._short_plain(c)
        return self.infinitive(c, depth)

    def _second_predicate(self, v: int, c: int, depth: int) -> _Dependent:
        """*And* with a second predicate of the same subject."""
        tree = self.tree
        either = any(tree.words[k].key == "or" for k in tree.function_words(c, "cc"))
        if either and tree.subject(c) is None and tree.words[c].tag == "VERB":
            return None, False, 0.0  # must raise taxes or cut spending
        if tree.subject(c) is not None or tree.words[c].tag != "VERB" or depth < 2 or tree.words[v].tag != "VERB":
            return None
        coordinators = tree.function_words(c, "cc")
        if tree.first(c) == v + 1 and tree.child(v, "obj") is None:  # to build and sell ships: they share the object
            second = self.infinitive(c, depth)
            if second is None or not coordinators:
                return None, False, 0.0
            return row([Leaf(self.nouns.said(coordinators)), second]), False, 1.0
        both = {tree.words[k].key for k in coordinators}
        if not both <= {"and", "but"} or not both:
            return (None, False, 0.0) if both else None
        number = number_of_verb(tree, v)
        subject = tree.subject(v)
        if number is None and subject is not None and tree.words[subject].tag != "PRON":
            number = is_plural(tree, subject)
        if tree.function_words(v, "aux") and not tree.function_words(c, "aux"):  # they share it
            return None
        predicate = self.predicate(c, plural=number, depth=1, whole=True)
        if predicate is None:
            return None
        return row([Leaf(self.nouns.said(coordinators)), predicate]), True, 0.25

    def verbatim(self, v: int, *, plural: bool | None, reported: bool) -> Piece | None:
        """The verb group and the words behind it as they stand, up to any place where nothing is torn."""
        tree = self.tree
        if not self.groups.is_verbal(v) or any(word.key in CONDITIONS for word in tree.words[v:]):
            return None
        if not tree.function_words(v, "aux") and (self.needs.is_participle(v) or tree.words[v].key.endswith("ing")):
            return None
        begin = max([self.needs.behind_group(v), *(k + 1 for k in self.groups.positions(v))])  # is not up
        first = tree.words[begin] if begin < len(tree.words) else None
        telling = tree.words[v].lemma in TAKING_CLAUSES | {"tell"}
        if first is None or telling or self.needs.lacks_object(v, has_object=True) or self.needs.forces_nothing(v):
            return None
        if any(tree.relation(c) == "conj" and not tree.function_words(c, "cc") for c in tree.children[v]):
            return None  # the best kept secret was told
        clause = tree.child(v, "ccomp") or 0  # expects sales to be lower
        if first.tag in {"ADP", "ADV"} and tree.words[v].lemma in TRANSITIVE:
            return None
        denying = is_denying(tree.words[tree.first(v) : begin + _LONGEST_VERBATIM])
        ends = [
            end
            for end in range(begin, min(begin + _LONGEST_VERBATIM, len(tree.words)))
            if tree.words[end].tag in _GOOD_ENDS and end > clause and can_cut(tree, end)
            if not denying or end + 1 == len(tree.words) or tree.comma_before(end + 1)
        ]
        group = self.groups.form(v, plural, reported=reported)
        kept = [[k for k in range(begin, end + 1) if not self.nouns.needs.is_free_article(k)] for end in ends]
        needed = {"to"} if self.needs.needs_infinitive(v) else set()
        kept = [k for k in kept if k and needed <= {tree.words[i].key for i in k}]
        kept = [k for k in kept if not any(map(self._is_unnamed, k)) and not breaks_off(tree.words, k)]
        rows = [Leaf(self.nouns.said(k)) for k in kept]
        made = options([(leaf, -math.log(len(rows))) for leaf in rows])
        return None if made is None else row([group, made])

    def _is_unnamed(self, k: int) -> bool:
        return is_other_person(self.tree.words[k]) or is_referring(self.tree.words[k])

    def torn(self, v: int, subject: int) -> bool:
        """Whether the order of words contradicts the parse of a subject and its verb."""
        return self._order.contradicts(v, subject)
