"""The expression of a document's headlines: ∨ over the clauses of its sentences, each a tree in the order of the text.

The words of a kept unit stay; each unit below it that may be deleted is ∨{p, 1 − p}(it, ε), where p is the learned
probability that it stays (`widl.headline.deletion_model`), unless a guard requires it (`widl.headline.guards`).
Articles and verbs have forms (`widl.headline.word_forms`). Each choice has a vector of scores, `COMPONENTS`.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from copy import copy
from dataclasses import dataclass
from functools import partial

from widl.expressions import Expression, choice, seq, word
from widl.headline.document_trees import Clause, DocumentTrees, has_verb
from widl.headline.guards import GuardEffects
from widl.headline.length_options import LengthLimit
from widl.headline.phrase_counts import phrase_counts
from widl.headline.punctuation import Letters, SurfaceWord, in_letters, written_words_of
from widl.headline.shorter_forms import bypassed_verb, shorter_forms, standing_for, without_people
from widl.headline.units import UnitTree
from widl.headline.unwanted_terms import Unwanted
from widl.headline.word_forms import Form, given_names, is_given_name
from widl.headline.word_lists import is_common_word, speech_verbs
from widl.headline.words import NOUNS, Word, is_label, is_omitted_and

COMPONENTS = ("cuts", "forms", "kept", "words", "pairs", "place", "torn")
"""WIDL features of a headline.

cuts: ln of the probability of the deletions; forms: ln of the probability of the forms of articles and verbs; kept:
expected number of its words in the sentence as people shorten it, minus the actual number; words and pairs: expected
numbers of its words and word pairs in a headline, minus the actual numbers; place: minus the number of the sentence,
from 0; torn: minus the cost of cutting phrases off their heads, by counts over news (`widl.headline.phrase_counts`) and
soft guards.
"""

_NAMING = "compound"
"""The relation of a name's words to its last word, which may be *Inc*."""
_LINKING = frozenset({"case", "cc"})
"""Relations of words that stay in front of a unit that stands for another one."""
_MAX_CLAUSES = 6
_MAX_WORDS = 260
_MAX_HELD_UNITS = 2
_COST_OF_TEARING = 1.0  # cost of deleting a phrase that occurs with all uses of its head
_MIN_PROBABILITY = 1e-4  # of a clause, a form, a kept unit

Vector = list[float]


@dataclass(frozen=True)
class ClauseExpression:
    """The expression of a document's clauses, and the meaning of its words and choices."""

    expression: Expression
    written: Sequence[SurfaceWord]
    """The words in the order of the expression as written."""
    clauses: Sequence[Clause]
    begins: Sequence[int]
    """Index of the first word of each clause."""
    trees: DocumentTrees
    """The trees with their probabilities and guards."""

    @classmethod
    def of(
        cls, trees: DocumentTrees, limit: LengthLimit, unwanted: Unwanted | None = None, letters: Letters = "sentence"
    ) -> "ClauseExpression | None":
        """The expression of the clauses that fit a limit; None if no clause fits.

        In sentences without a fitting clause, parts of names, numbers and restrictive phrases may also be deleted. If
        no clause of any sentence fits, more guards are soft, and clauses with pronouns and claims may become headlines.

        Args:
            trees: The trees of the document's sentences.
            limit: The maximum length of a headline.
            unwanted: Terms that headlines do without. A clause that needs one is no headline; where words of a clause
                may be deleted, the search must avoid the terms.
            letters: The case of the printed words.
        """
        all_clauses = trees.clauses()

        def fits(trees: DocumentTrees, clause: Clause) -> bool:
            """Whether the shortest printed string of a clause fits."""
            shortest = list(shortest_words(trees, clause, unwanted))
            if unwanted and any(unwanted.has_word(said.word) for said in shortest):
                return False
            return limit.fits(in_letters(written_words_of(shortest, trees.sentences), letters))

        fitting = {trees.trees[clause.tree].sentence for clause in all_clauses if fits(trees, clause)}
        trees = trees.relaxed({tree.sentence for tree in trees.trees} - fitting)
        clauses = [clause for clause in all_clauses if fits(trees, clause)]
        if not clauses:
            trees = trees.relaxed()
            clauses = [clause for clause in trees.clauses() if fits(trees, clause)]
        return cls._of_clauses(trees, trees.after_empty_lead(clauses)) if clauses else None

    @classmethod
    def _of_clauses(cls, trees: DocumentTrees, clauses: Sequence[Clause]) -> "ClauseExpression":
        """The choice among the first of these clauses."""
        written: list[SurfaceWord] = []
        options = []
        used: list[Clause] = []
        begins: list[int] = []
        size = 0
        for clause in clauses[:_MAX_CLAUSES]:
            size += trees.trees[clause.tree].units[clause.top].size
            if used and size > _MAX_WORDS:
                break
            begins.append(len(written))
            expression, features = _ClauseWriter(trees, clause, written).clause()
            place = -float(trees.trees[clause.tree].sentence)
            features = _sum(features, _vector(cuts=math.log(max(clause.probability, _MIN_PROBABILITY)), place=place))
            options.append((expression, features))
            used.append(clause)
        return cls(_choice(*options), written, used, begins, trees)


Part = tuple[Expression, Vector, SurfaceWord | None]
"""An expression, the features of its words that none of its choices counts, and its last word, if certain."""


Step = tuple[int, Callable[[SurfaceWord | None], Part]]
"""A position in the sentence, and what makes the part there from the preceding word, if that is certain."""


class _ClauseWriter:
    """Writes a clause as an expression."""

    def __init__(self, trees: DocumentTrees, clause: Clause, written: list[SurfaceWord]) -> None:
        """`written` gets the words in the order of the expression."""
        self._trees, self._written = trees, written
        self._tree, self._guards = trees.trees[clause.tree], trees.guards[clause.tree]
        self._top = clause.top
        self._stands_alone = False
        """Whether the words being written are a name in place of its description."""

    def clause(self) -> tuple[Expression, Vector]:
        """The expression, and the features of its words that its choices do not count."""
        return self._unit(self._top, None)[:2]

    def _unit(self, number: int, before: SurfaceWord | None) -> Part:
        """A unit and the units below it; in place of a verb such as *agree*, also what it leads to: *to pay*."""
        expression, features, last = self._whole_unit(number, before)
        passed = bypassed_verb(self._tree, self._guards, number) if number == self._top else None
        if passed is None or not (p := shorter_forms().verb(self._tree.content(number).lemma)):
            return expression, features, last
        short, of_short, _ = self._units(number, passed, before)
        stays = _sum(features, _vector(forms=math.log(1 - p)))
        return _choice((expression, stays), (short, _sum(of_short, _vector(forms=math.log(p))))), _vector(), None

    def _units(self, number: int, passed: int, before: SurfaceWord | None) -> Part:
        """The units below a verb without the verb; its infinitive stays."""
        children = [k for k in self._tree.units[number].children if k == passed or not self._never(k)]
        make = {k: self._unit if k == passed else self._child for k in children}
        return _sequence([(self._tree.units[k].begin, partial(make[k], k)) for k in children], before)

    def _whole_unit(self, number: int, before: SurfaceWord | None, omitted: Set[int] = frozenset()) -> Part:
        """A unit and the units below it, without some of its words."""
        tree = self._tree
        relation, unit = tree.content(number).relation, tree.units[number]
        beside = relation in {"conj", "parataxis"} or (relation == "ccomp" and tree.is_left(number))
        leads = number == self._top or (beside and unit.parent == self._top)
        forms = self._trees.forms.of_unit(tree, number, shortened=leads)
        changing = _changing(tree, unit.words, forms)
        group = range(min(changing), max(changing) + 1) if changing else range(0)
        steps: list[Step] = [
            (i, partial(self._word, SurfaceWord(tree.words[i], tree.sentence, i, self._stands_alone)))
            for i in _own_words(tree, number, self._top)
            if i not in group and i not in omitted
        ]
        children: list[Step] = [
            (tree.units[k].begin, partial(self._child, k)) for k in unit.children if not self._never(k)
        ]
        inside = [step for step in children if step[0] in group]
        steps += [step for step in children if step[0] not in group]
        if group:
            steps.append((group.start, partial(self._group, forms, group, inside)))
        return _sequence(steps, before)

    def _group(
        self,
        forms: Sequence[tuple[Form, float]],
        group: range,
        inside: Sequence[Step],
        before: SurfaceWord | None,
    ) -> Part:
        """The verb group of a unit in each of its forms, with the units inside it."""
        options = []
        last: SurfaceWord | None = None
        for form, p in forms:
            said = (SurfaceWord(word, self._tree.sentence, i) for i, word in form if i in group)
            words: list[Step] = [(word.position, partial(self._word, word)) for word in said]
            expression, features, last = _sequence([*words, *inside], before)
            options.append((expression, _sum(features, _vector(forms=math.log(min(max(p, _MIN_PROBABILITY), 1.0))))))
        if len(options) == 1:
            return *options[0], last
        return _choice(*options), _vector(), last

    def _word(self, said: SurfaceWord, before: SurfaceWord | None) -> Part:
        """A word of a unit."""
        omitted = said.word.is_article and self._trees.forms.keep_probability("article") < 0.5
        if omitted and not self._tree.keeps_article(said.position):
            return seq(), _vector(), before
        self._written.append(said)
        expression = word(said.word.key)
        if is_omitted_and(self._tree.words, said.position):
            return self._optional("and", expression, self._features(said, before)), _vector(), None
        # Articles are kept or dropped together: separate choices would fill the n-best list.
        return expression, self._features(said, before), said

    def _child(self, k: int, before: SurfaceWord | None) -> Part:
        """A unit below another one, with the choice to delete it."""
        if given := given_names(self._tree, k):
            steps: list[Step] = [(self._tree.units[name].begin, partial(self._unit, name)) for name in given]
            return self._optional("given", *_sequence(steps, before)[:2]), _vector(), before
        if is_given_name(self._tree, k):
            return seq(), _vector(), before  # the first one has written it
        expression, features, last = self._unit(k, before)
        held = _must_stay(self._tree, self._guards, k)
        shorter = self._bypassing(k, before)
        if held and not shorter:
            return expression, features, last
        keep = min(max(self._trees.shortened.keep_probability(self._tree, k), _MIN_PROBABILITY), 1 - _MIN_PROBABILITY)
        certain = 0.0 if held else math.log(keep)
        plain = math.log(1 - sum(p for p, _, _ in shorter))
        options = [(expression, _sum(features, _vector(cuts=certain, forms=plain)))]
        options += [(short, _sum(of_short, _vector(cuts=certain, forms=math.log(p)))) for p, short, of_short in shorter]
        if not held:
            options.append((seq(), _vector(cuts=math.log(1 - keep), torn=-self._tearing_cost(k))))
        return _choice(*options), _vector(), None

    def _bypassing(self, k: int, before: SurfaceWord | None) -> list[tuple[float, Expression, Vector]]:
        """What may stand for a unit, with its probability: a name for its description, what *of* joins to a noun that
        says little.

        *The largest airline, Acme* becomes *Acme*, *demand for the latest version of the game* becomes *demand for the
        game*, and *kills three people* becomes *kills three*.
        """
        found = standing_for(self._tree, self._guards, k)
        bypassing = [(p, *self._standing_for(k, other, before, named=named)) for other, p, named in found]
        if p := without_people(self._tree, self._guards, k):
            bypassing.append((p, *self._whole_unit(k, before, {self._tree.units[k].head})[:2]))
        return bypassing

    def _standing_for(
        self, k: int, other: int, before: SurfaceWord | None, *, named: bool
    ) -> tuple[Expression, Vector]:
        """A unit below unit k in its place, with its prepositions."""
        tree, unit = self._tree, self._tree.units[k]
        link = {i for i in tree.units[other].words if tree.words[i].relation == "case"}
        words = (i for i in unit.words if i != unit.head and tree.words[i].relation in _LINKING)
        steps: list[Step] = [(i, partial(self._word, SurfaceWord(tree.words[i], tree.sentence, i))) for i in words]
        inner = copy(self)
        inner._stands_alone = self._stands_alone or named
        steps.append((tree.units[other].begin, lambda word: inner._whole_unit(other, word, link)))
        return _sequence(steps, before)[:2]

    def _tearing_cost(self, k: int) -> float:
        """Cost of deleting unit k while its head stays."""
        guard, counts = self._guards.kept_by.get(k), phrase_counts()
        torn = _COST_OF_TEARING * counts.strength(self._tree, k) + counts.is_pair(self._tree, k)
        if guard is None:
            return torn
        # Deleting a guarded unit also deletes the guarded units below it; each of them adds to the cost.
        held = min(sum(below in self._guards.kept_by for below in self._tree.below(k)), _MAX_HELD_UNITS)
        return torn + held * guard.price

    def _optional(self, kind: str, expression: Expression, features: Vector) -> Expression:
        """A word of a kind that headlines may omit."""
        keep = self._trees.forms.keep_probability(kind)
        kept = expression, _sum(features, _vector(forms=math.log(keep)))
        return _choice(kept, (seq(), _vector(forms=math.log(1 - keep))))

    def _features(self, said: SurfaceWord, before: SurfaceWord | None) -> Vector:
        """The features of a word, given the preceding one."""
        headline, place = self._trees.headline, (said.sentence, said.position)
        pair = headline.pair(said.sentence, before.position, said.position) if before else 0.0
        return _vector(kept=self._trees.shortened.word(*place) - 1, words=headline.word(*place) - 1, pairs=pair - 1)

    def _never(self, k: int) -> bool:
        """Whether a unit is always deleted, such as an exclamation."""
        unit, word = self._tree.units[k], self._tree.content(k)
        if k in self._guards.dropped:
            return True
        links = word.tag in {"ADP", "SCONJ", "CCONJ"} and not unit.children and word.relation != "compound:prt"
        links = links and k not in self._guards.kept_by
        return (links or word.relation in {"discourse", "punct"}) and not self._tree.tears_quotation(k)


def _sequence(steps: Iterable[Step], before: SurfaceWord | None) -> Part:
    """Parts in the order of the text."""
    parts: list[Expression] = []
    total = _vector()
    for _, step in sorted(steps, key=lambda step: step[0]):
        part, features, before = step(before)
        parts.append(part)
        total = _sum(total, features)
    return seq(*parts), total, before


def _own_words(tree: UnitTree, number: int, top: int) -> list[int]:
    """The positions of a unit's words that headlines with this top unit may have."""
    unit, words = tree.units[number], tree.words
    return [
        i
        for i in unit.words
        if words[i].quotation
        or not (
            (number == top and _introduces(words[i]))
            or _is_spare_label(tree, i)
            or (i > unit.head and _lost_link(words[i]))
            or _introduces_report(tree, number, words[i])
        )
    ]


def _introduces_report(tree: UnitTree, number: int, word: Word) -> bool:
    """Whether a word is the *that* after a verb of saying or thinking, which headlines omit; not in *tells us that*."""
    parent = tree.units[number].parent
    if parent is None or word.key != "that" or word.relation != "mark" or tree.is_left(number):
        return False
    above = tree.content(parent)
    spoken = above.tag == "VERB" and above.lemma in speech_verbs()
    told = any(tree.content(k).relation in {"obj", "iobj"} for k in tree.units[parent].children)
    return spoken and not told and tree.content(number).relation == "ccomp"


def _lost_link(word: Word) -> bool:
    """Whether a word after its head is an *and* whose second conjunct the parser lost."""
    return word.relation == "cc" and word.key == "and"


def _changing(tree: UnitTree, positions: Sequence[int], forms: Sequence[tuple[Form, float]]) -> set[int]:
    """The positions of words that some form changes or omits."""
    words = [dict(form) for form, _ in forms]
    return {i for i in positions if any(form.get(i) is not tree.words[i] for form in words)}


def _choice(*options: tuple[Expression, Vector]) -> Expression:
    pairs = [(expression, [math.exp(min(0.0, value)) for value in vector]) for expression, vector in options]
    return choice(*pairs, scores=True)


def _sum(a: Sequence[float], b: Sequence[float]) -> Vector:
    return [x + y for x, y in zip(a, b, strict=True)]


def _vector(**values: float) -> Vector:
    """The values of some components; the others are 0."""
    return [values.get(name, 0.0) for name in COMPONENTS]


def shortest_words(trees: DocumentTrees, clause: Clause, unwanted: Unwanted | None = None) -> Iterator[SurfaceWord]:
    """The words of a clause that must stay, without its articles; its verb in a form without unwanted words, if any."""
    tree = trees.trees[clause.tree]
    units, standing = _shortest_units(tree, trees.guards[clause.tree], clause.top)
    alone = {i for number in standing for i in tree.units[number].words}
    forms = [dict(form) for form, _ in trees.forms.of_unit(tree, clause.top)]
    avoided = unwanted or Unwanted(())
    of_top = min(forms, key=lambda form: (any(map(avoided.has_word, form.values())), len(form)))
    passed = {parent for number in standing if (parent := tree.units[number].parent) is not None}
    for i in sorted(i for number in (*units, *passed) for i in _own_words(tree, number, clause.top)):
        is_top, links = tree.unit_of[i] == clause.top, tree.words[i].relation in _LINKING
        omitted = tree.words[i].is_article and not tree.keeps_article(i)
        omitted |= links if i in alone else tree.unit_of[i] in passed and not links
        if not omitted and (not is_top or i in of_top):
            yield SurfaceWord(of_top[i] if is_top else tree.words[i], tree.sentence, i, i in alone)


def _shortest_units(tree: UnitTree, guards: GuardEffects, top: int) -> tuple[list[int], set[int]]:
    """The units that must stay below a top unit, and those among them that stand for the unit above them."""
    units, standing = [top], set[int]()
    for number in units:
        for k in tree.units[number].children:
            if not _must_stay(tree, guards, k) or is_given_name(tree, k):
                continue
            found = standing_for(tree, guards, k)
            standing |= {other for other, _, _ in found[:1]}
            units.append(found[0][0] if found else k)
    return units, standing


def _must_stay(tree: UnitTree, guards: GuardEffects, number: int) -> bool:
    """Whether a unit stays where the unit above stays: a guard keeps it, it stands for a label, or it has the verb."""
    guard = guards.kept_by.get(number)
    held = guard is not None and not guard.soft
    return held or _stands_for_label(tree, number) or _carries_verb(tree, number)


def _carries_verb(tree: UnitTree, number: int) -> bool:
    """Whether a unit has the verb of a sentence whose top is a noun: *the bank named a chairman*, parsed as *named*."""
    parent = tree.units[number].parent
    if parent is None or tree.units[parent].parent is not None or has_verb(tree, parent):
        return False
    beside = [k for k in tree.units[parent].children if tree.content(k).relation in {"acl", "xcomp"}]
    return number in beside[:1] and tree.content(parent).tag in NOUNS and not tree.subjects(parent)


def _is_spare_label(tree: UnitTree, i: int) -> bool:
    """Whether a word is a label after a name: *Co*, in *Ohio Edison Co*."""
    unit = tree.units[tree.unit_of[i]]
    beside = [*map(tree.content, unit.children), *(tree.words[k] for k in unit.words if k != i)]
    named = any(word.relation == _NAMING for word in beside)
    name = [word.key for word in tree.words[unit.begin : i] if word.tag == "PROPN"]
    return is_label(tree.words[i]) and named and not (len(name) == 1 and is_common_word(name[0]))  # News Corp


def _stands_for_label(tree: UnitTree, number: int) -> bool:
    """Whether a unit is the name before a label above it, or all there is before it: *Acme*, not *maker*, in *car
    maker Acme Inc*.
    """
    parent = tree.units[number].parent
    if parent is None or tree.content(number).relation != _NAMING or not is_label(tree.content(parent)):
        return False
    beside = [tree.content(k) for k in tree.units[parent].children]
    named = any(word.relation == _NAMING and word.tag == "PROPN" for word in beside)
    return tree.content(number).tag == "PROPN" or not named


def _introduces(word: Word) -> bool:
    """Whether a word links a clause to the words before it: *that*, *and*. Headlines drop it at the beginning."""
    return word.relation in {"cc", "mark"} and word.key != "to"
