"""Units: the parts of a sentence that a headline keeps or deletes as a whole, as a tree in the order of the text.

A unit is a content word with its function words: *of the bank*, *has not been seen*, *and Japan*. Its dependents are
other units. A headline that keeps a unit keeps its ancestors, up to the headline's top unit.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from widl.headline.word_lists import word_set
from widl.headline.words import Word, is_label, is_title

FUNCTION_RELATIONS = word_set("case mark aux aux:pass cop cc cc:preconj det expl compound:prt punct")
"""Relations of words that are kept or deleted with their heads."""
_DENIED = word_set("amod nmod acl obl advmod nummod compound obj xcomp")
_DENIALS = word_set("not never n't hardly rarely seldom longer")
_QUANTITIES = word_set("some most many few several half none all much both each any more less either neither")


@dataclass(frozen=True, slots=True)
class Unit:
    """A content word and its function words. Other units are given by index in the tree."""

    head: int
    """Position of the content word in the sentence."""
    words: tuple[int, ...]
    """Positions of all words, in order."""
    parent: int | None
    children: tuple[int, ...]
    """Children in the order of their content words."""
    begin: int
    end: int
    """The subtree's words are exactly the positions [begin, end)."""
    depth: int

    @property
    def size(self) -> int:
        """Number of words in the subtree."""
        return self.end - self.begin


_Placed = tuple[int, int | None, int]
"""A unit by its content word, with the number of its parent and its depth."""


def _parents_first(roots: Sequence[int], below: Mapping[int, Sequence[int]]) -> list[_Placed]:
    """The units by depth; units of equal depth are in the order of their parents, then of the text."""
    order: list[_Placed] = []
    level: list[_Placed] = [(root, None, 0) for root in sorted(roots)]
    while level:
        first = len(order)
        order += level
        level = [
            (child, first + k, depth + 1) for k, (head, _, depth) in enumerate(level) for child in sorted(below[head])
        ]
    return order


def _spans(order: Sequence[_Placed], members: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, int]]:
    """The positions [begin, end) of each unit's subtree, by content word."""
    spans = {head: (words[0], words[-1] + 1) for head, words in members.items()}
    for head, parent, _ in reversed(order):
        if parent is not None:
            above, (begin, end) = order[parent][0], spans[head]
            spans[above] = min(spans[above][0], begin), max(spans[above][1], end)
    return spans


class UnitTree:
    """The units of a sentence, parents before their children; each subtree is a contiguous span of the text."""

    def __init__(
        self,
        words: Sequence[Word],
        sentence: int = 0,
        *,
        retold: bool = False,
        counts: Mapping[str, int] | None = None,
    ) -> None:
        """`sentence`: the number of the sentence in its document; `retold`: whether its words have new heads, so that
        only its root may begin a headline; `counts`: how often the document has each lemma."""
        self.retold = retold
        self.counts = counts
        self.words = words
        self.sentence = sentence
        heads = _projective([word.head for word in words])
        dependents: list[list[int]] = [[] for _ in words]
        for i, head in enumerate(heads):
            if head != i:
                dependents[head].append(i)
        joins = [_joins(words, heads, dependents, i) for i in range(len(words))]
        content = [_content_word(joins, i) for i in range(len(words))]
        self.unit_of: list[int] = [0] * len(words)
        """The number of each word's unit."""
        self.units: list[Unit] = []
        members: dict[int, list[int]] = {}
        for i, head in enumerate(content):
            members.setdefault(head, []).append(i)
        below: dict[int, list[int]] = {head: [] for head in members}
        for head in members:
            if heads[head] != head:
                below[content[heads[head]]].append(head)
        order = _parents_first([head for head in members if heads[head] == head], below)
        numbers = {head: number for number, (head, _, _) in enumerate(order)}
        spans = _spans(order, members)
        for head, parent, depth in order:
            children = tuple(numbers[child] for child in sorted(below[head]))
            self.units.append(Unit(head, tuple(members[head]), parent, children, *spans[head], depth))
            for i in members[head]:
                self.unit_of[i] = numbers[head]

    def __len__(self) -> int:
        return len(self.units)

    def content(self, number: int) -> Word:
        """The content word of a unit."""
        return self.words[self.units[number].head]

    def subjects(self, number: int) -> list[int]:
        """The children of a unit that are its subjects, active or passive."""
        return [k for k in self.units[number].children if self.content(k).relation.startswith("nsubj")]

    def function_words(self, number: int, *relations: str) -> list[Word]:
        """The unit's function words of some relations, in order."""
        unit = self.units[number]
        return [self.words[i] for i in unit.words if i != unit.head and self.words[i].relation in relations]

    def positions(self, numbers: Iterable[int]) -> list[int]:
        """The positions of all words of some units, in order."""
        return sorted(i for number in numbers for i in self.units[number].words)

    def is_left(self, number: int) -> bool:
        """Whether a unit is to the left of its head."""
        unit = self.units[number]
        return unit.parent is not None and unit.head < self.units[unit.parent].head

    def is_divided(self, number: int) -> bool:
        """Whether punctuation divides a unit and its subtree from its head, by side."""
        unit = self.units[number]
        if self.is_left(number):
            return bool(self.words[unit.end - 1].closing.strip("'\"”"))
        if unit.parent is None or unit.begin == 0:
            return False
        if any(self._is_aside(k) and self.units[k].end == unit.begin for k in self.below(unit.parent)):
            return False  # the comma ends the aside
        return bool(self.words[unit.begin - 1].closing.strip("'\"”") or self.words[unit.begin].opening)

    def _is_aside(self, number: int) -> bool:
        """Whether a unit is an apposition or a clause between commas."""
        begin = self.units[number].begin
        asides = self.content(number).relation in {"appos", "acl", "acl:relcl"}
        return asides and begin > 0 and self.words[begin - 1].closing.endswith(",")

    def is_partitive(self, number: int) -> bool:
        """Whether a unit is what a quantity is part of: *of its offices* in *14 of its offices*."""
        first = self.units[number].words[0]
        if not first or self.words[first].key != "of":
            return False
        quantity = self.words[first - 1]
        return quantity.tag == "NUM" or quantity.lemma in _QUANTITIES

    def tears_quotation(self, number: int) -> bool:
        """Whether a unit with its subtree has a part of a quotation, and other units have the rest."""
        unit, numbers = self.units[number], [word.quotation for word in self.words]
        edges = [(i - 1, i) for i in (unit.begin, unit.end) if 0 < i < len(numbers)]
        return any(numbers[before] and numbers[before] == numbers[i] for before, i in edges)

    def is_denied(self, number: int) -> bool:
        """Whether a unit modifies a part of what a *not* denies: *new*, in *has not bought a new ship*."""
        path = [number]
        for above in self.above(number):
            relations = {self.content(k).relation.split(":")[0] for k in path}
            early = self.is_left(path[-1]) and (len(path) > 1 or self.content(number).relation == "advmod")
            if early or not relations <= _DENIED or self.content(number).relation == "obj":
                return False
            if any(
                not _DENIALS.isdisjoint({self.content(k).lemma, self.content(k).key})
                for k in self.units[above].children
                if k != path[-1]
            ):
                return True
            path.append(above)
        return False

    def keeps_article(self, i: int) -> bool:
        """Whether a word is an article that headlines need: *one of the mines*, *a week ago*, *a little*."""
        number = self.unit_of[i]
        parent = self.units[number].parent
        measures = parent is not None and self.content(parent).tag == "ADV"
        measures = measures or (i + 1 < len(self.words) and self.words[i + 1].key in {"little", "few"})
        return self.words[i].is_article and (measures or self.is_partitive(number))

    def with_labels(self, positions: Iterable[int]) -> set[int]:
        """Positions of words, and of the labels that headlines omit after these words: *Co*, in *Ford Motor Co*."""
        result = set(positions)
        for unit in self.units:
            names = (self.units[k].head for k in unit.children if self.content(k).relation == "compound")
            if is_label(self.words[unit.head]) and not result.isdisjoint((*unit.words, *names)):
                result.add(unit.head)
        return result

    def above(self, number: int) -> list[int]:
        """The ancestors of a unit, the nearest first."""
        units: list[int] = []
        while (parent := self.units[number].parent) is not None:
            units.append(parent)
            number = parent
        return units

    def below(self, number: int) -> list[int]:
        """A unit and its descendants, parents before their children."""
        units = [number]
        for other in units:
            units += self.units[other].children
        return units


def _projective(heads: list[int]) -> list[int]:
    """Heads without crossing edges: a word whose edge would cross another is attached higher."""
    heads = list(heads)
    for _ in range(len(heads)):
        crossing = next((i for i, head in enumerate(heads) if head != i and _crosses(heads, i)), None)
        if crossing is None:
            break
        heads[crossing] = heads[heads[crossing]]
    return heads


def _crosses(heads: Sequence[int], i: int) -> bool:
    head = heads[i]
    if heads[head] == head:
        # The head is a root and cannot attach higher; words of other roots in between must attach to it.
        return False
    for k in range(min(i, head) + 1, max(i, head)):
        at = k
        while at != head and heads[at] != at:
            at = heads[at]
        if at != head:
            return True
    return False


def _joins(words: Sequence[Word], heads: Sequence[int], dependents: Sequence[Sequence[int]], i: int) -> int:
    """The word that a function word, or a leading word of a name, stays with; other words map to themselves."""
    alone = all(words[k].relation in FUNCTION_RELATIONS for k in dependents[i])
    if words[i].relation in FUNCTION_RELATIONS and alone:
        return heads[i]
    following = i + 1
    if following < len(words) and alone and heads[following] == heads[i]:
        named = _is_part_of_name(words[i]) and (_is_part_of_name(words[following]) or is_title(words[following]))
        return following if named and not words[i].closing.strip(".") else i
    return i


def _is_part_of_name(word: Word) -> bool:
    """Whether a word and the next are kept together: no *Prime* or *O. Evans* from *Prime Minister Bob O. Evans*."""
    named = word.tag == "PROPN" and word.relation == "compound" and word.text[:1].isupper()
    return named and not is_title(word)


def _content_word(words: Sequence[int], i: int) -> int:
    while words[i] != i:
        i = words[i]
    return i
