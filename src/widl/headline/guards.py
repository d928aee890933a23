"""Guards: which parts of a sentence may not be deleted, and which clauses may not become headlines, as patterns over
units.

The patterns are data, with reasons and examples: `guards.toml`. A guard holds if one of its patterns matches. A pattern
describes the content word of a unit, its function words, its head, and some unit beside or below:

    unit, head            the content word of the unit, and of the unit above
    grandhead             the content word of the unit above the unit above
    functions             some function word of the unit
    head_functions        some function word of the unit above
    child, below          some unit directly below, some unit below at all
    sibling               some other unit below the same head
    head_child            a sibling, the unit itself, or a function word of the unit above

Each is a table of properties of a word, with the values allowed:

    lemma, key, tag, form, relation    as in `widl.headline.words.Word`; the form is a finer tag
    comma        whether punctuation divides its unit from the unit above
    side         left or right of the head
    adjacent     whether it is beside a word of the unit above
    capitalized  whether the unit's content word has a capital
    title        whether it precedes names of persons, by counts over news (`widl.headline.phrase_counts`)
    torn         whether the word above often has such a phrase, by the same counts
    pair         whether it goes with the word above, as in *central bank*, by the same counts
    partitive    whether a quantity is a part of it: *six of its mines*
    denied       whether it modifies a word that a *not* denies
    quoted       whether its quotation continues outside of the unit

``not_`` before the name of a part requires that no such part exists, before the name of a property that the word has
none of the values.

The effect is one of

    keep        the unit stays where the unit above stays
    soft_below  like keep; units below it may be deleted at a cost
    all_below   like keep, and all units below it stay
    not_top     the unit may not be the top of a headline
    drop        no headline has the unit, except as a part of a quotation

followed by optional marks. A ``soft`` guard can be violated at a cost. A ``relaxed`` guard becomes soft if otherwise no
clause of a sentence fits the limit; a ``costly`` one then costs more. If no clause of any sentence fits, all guards
except ``strict`` guards become soft, and ``not_top relaxed`` is ignored.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, get_args

from widl.headline.phrase_counts import phrase_counts
from widl.headline.units import UnitTree
from widl.headline.word_lists import expanded, guards_text
from widl.headline.words import Word, is_title

Effect = Literal["keep", "soft_below", "all_below", "not_top", "drop"]
_MARKS = frozenset({"relaxed", "strict", "soft", "costly"})
_STRENGTH_OF_TORN = 0.55
"""Strength at which a phrase is never cut off."""

_PRICE = 3
_HIGH_PRICE = 6

Property = Callable[[UnitTree, int, Word], object]

Conditions = Sequence[tuple[Property, frozenset[object], bool]]
"""Properties of a word, some values, and whether the word must have one of these or none."""

Parts = Sequence[tuple[str, Conditions, bool]]
"""Parts of a tree, and whether there must be a word with these properties or none."""


@dataclass(frozen=True)
class Guard:
    """Patterns, their effect, and the reason for it; `examples` are sentences with the words that must stay."""

    name: str
    reason: str
    effect: Effect
    patterns: tuple[Parts, ...]
    examples: tuple[tuple[str, str], ...]
    relaxed: bool = False
    """Whether the guard becomes soft in a sentence whose clauses do not fit otherwise."""
    strict: bool = False
    """Whether it is never soft."""
    soft: bool = False
    """Whether the protected parts may be deleted at a cost."""
    costly: bool = False
    """Whether the cost is high once the guard is soft."""
    price: int = 1
    """Price of deleting a part that a soft guard protects: higher for the unit it matches than for units below."""

    def matches(self, places: "Places", number: int) -> bool:
        """Whether some pattern matches a unit."""
        return any(_match(places, number, parts) for parts in self.patterns)


@dataclass(frozen=True)
class GuardEffects:
    """The effects of guards on a tree's units."""

    kept_by: Mapping[int, Guard]
    """For each unit that must stay when its head does, the first guard that requires it."""
    no_top: Mapping[int, Guard]
    """For each unit that may not begin a headline, a guard that forbids it, if possible one that is never relaxed."""
    dropped: Set[int]
    """The units that no headline may contain."""

    def relaxed(self, *, entirely: bool) -> "GuardEffects":
        """A copy with relaxable guards soft or, if `entirely`, all guards that are not strict."""
        kept_by = {
            k: replace(g, soft=True, price=_PRICE if g.relaxed and not g.costly else _HIGH_PRICE)
            if not g.soft and (g.relaxed or entirely and not g.strict)
            else g
            for k, g in self.kept_by.items()
        }
        no_top = {k: g for k, g in self.no_top.items() if not (entirely and g.relaxed)}
        return GuardEffects(kept_by, no_top, self.dropped)


def guarded(tree: UnitTree, guards: Sequence[Guard] | None = None) -> GuardEffects:
    """Apply guards to each unit; the default is the package's guards."""
    kept_by: dict[int, Guard] = {}
    no_top: dict[int, Guard] = {}
    dropped: set[int] = set()
    places = Places(tree)
    for guard in package_guards() if guards is None else guards:
        for number in range(len(tree)):
            if not guard.matches(places, number):
                continue
            if guard.effect == "drop":
                if not tree.tears_quotation(number):
                    dropped.add(number)
                continue
            if guard.effect == "not_top":
                if number not in no_top or no_top[number].relaxed:
                    no_top[number] = guard
                continue
            if tree.units[number].parent is not None:
                _hold(kept_by, number, guard)
            if guard.effect != "keep":
                below = guard if guard.effect == "all_below" else replace(guard, soft=True, price=1)
                for other in tree.below(number)[1:]:
                    _hold(kept_by, other, below)
    return GuardEffects({k: guard for k, guard in kept_by.items() if k not in dropped}, no_top, dropped)


def _hold(kept_by: dict[int, Guard], number: int, guard: Guard) -> None:
    """Note a guard; the first of the strictest counts."""
    held = kept_by.get(number)
    if held is None or _leniency(held) > _leniency(guard):
        kept_by[number] = guard


def _leniency(guard: Guard) -> tuple[bool, bool, bool]:
    return guard.soft, guard.relaxed, not guard.strict


@cache
def package_guards() -> tuple[Guard, ...]:
    """The guards of the package."""
    return parse_guards(guards_text())


def parse_guards(text: str) -> tuple[Guard, ...]:
    """Parses guards from TOML; a ValueError names a guard that does not follow the description above."""
    data = tomllib.loads(text)
    lists: dict[str, list[str]] = data.get("words", {})
    return tuple(_guard(name, entry, lists) for name, entry in data["guard"].items())


def _guard(name: str, entry: Mapping[str, Any], lists: Mapping[str, list[str]]) -> Guard:
    effect, *marks = entry["effect"].split()
    patterns = tuple(_pattern(name, pattern, lists) for pattern in entry.get("patterns", ()))
    if effect not in get_args(Effect) or not set(marks) <= _MARKS or not patterns:
        raise ValueError(f"guard {name!r}: expected an effect ({', '.join(get_args(Effect))}) and patterns")
    examples = tuple((text, stays) for text, stays in entry.get("examples", ()))
    marked = dict.fromkeys(marks, True)
    return Guard(name, entry["reason"], effect, patterns, examples, price=_PRICE if "soft" in marked else 1, **marked)


def _pattern(name: str, entry: Mapping[str, Any], lists: Mapping[str, list[str]]) -> Parts:
    parts: list[tuple[str, Conditions, bool]] = []
    for key, value in entry.items():
        part = key.removeprefix("not_")
        if part not in _PARTS or not {k.removeprefix("not_") for k in value} <= _PROPERTIES.keys():
            raise ValueError(f"guard {name!r}: found {key} = {value!r}; expected a part with properties of a word")
        conditions = [
            (
                _PROPERTIES[k.removeprefix("not_")],
                expanded(v, lists) if isinstance(v, list) else frozenset({v}),
                not k.startswith("not_"),
            )
            for k, v in value.items()
        ]
        parts.append((part, conditions, part == key))
    if not any(wanted for _, _, wanted in parts):
        raise ValueError(f"guard {name!r}: expected patterns that say what there must be, found {dict(entry)!r}")
    return sorted(parts, key=lambda part: not part[2])


class Places:
    """The words of the parts of a tree, each with the number of its unit; found once for all guards."""

    def __init__(self, tree: UnitTree) -> None:
        self.tree = tree
        self._found: dict[tuple[str, int], list[tuple[int, Word]]] = {}

    def words(self, part: str, number: int) -> list[tuple[int, Word]]:
        """The words that a part of a pattern can match."""
        found = self._found.get((part, number))
        if found is None:
            found = self._found[part, number] = _PARTS[part](self.tree, number)
        return found


# Plain loops: they run some ten thousand times for a document.
def _match(places: Places, number: int, parts: Parts) -> bool:
    """Whether a unit has all required parts, and none of the forbidden ones."""
    for part, conditions, wanted in parts:
        if _some(places.tree, places.words(part, number), conditions) != wanted:
            return False
    return True


def _some(tree: UnitTree, words: Iterable[tuple[int, Word]], conditions: Conditions) -> bool:
    """Whether some word has all properties."""
    for unit, word in words:
        for property, values, wanted in conditions:
            if (property(tree, unit, word) in values) != wanted:
                break
        else:
            return True
    return False


def _contents(tree: UnitTree, numbers: Iterable[int]) -> list[tuple[int, Word]]:
    return [(number, tree.content(number)) for number in numbers]


def _functions(tree: UnitTree, numbers: Iterable[int]) -> list[tuple[int, Word]]:
    units = ((number, tree.units[number]) for number in numbers)
    return [(number, tree.words[i]) for number, unit in units for i in unit.words if i != unit.head]


def _head(tree: UnitTree, number: int) -> tuple[int, ...]:
    """The unit above, if there is one."""
    parent = tree.units[number].parent
    return () if parent is None else (parent,)


def _beside(tree: UnitTree, number: int) -> list[int]:
    """The children of the unit above."""
    return [k for head in _head(tree, number) for k in tree.units[head].children]


_PARTS: Mapping[str, Callable[[UnitTree, int], list[tuple[int, Word]]]] = {
    "unit": lambda tree, number: [(number, tree.content(number))],
    "functions": lambda tree, number: _functions(tree, [number]),
    "head": lambda tree, number: _contents(tree, _head(tree, number)),
    "head_functions": lambda tree, number: _functions(tree, _head(tree, number)),
    "grandhead": lambda tree, number: _contents(tree, tree.above(number)[1:2]),
    "child": lambda tree, number: _contents(tree, tree.units[number].children),
    "below": lambda tree, number: _contents(tree, tree.below(number)[1:]),
    "sibling": lambda tree, number: _contents(tree, (k for k in _beside(tree, number) if k != number)),
    "head_child": lambda tree, number: _contents(tree, _beside(tree, number)) + _functions(tree, _head(tree, number)),
}
"""The words that a part of a pattern can match."""


def _adjacent(tree: UnitTree, number: int) -> bool:
    unit = tree.units[number]
    return any(
        unit.begin - 1 in tree.units[head].words or unit.end in tree.units[head].words for head in _head(tree, number)
    )


_PROPERTIES: Mapping[str, Property] = {
    "lemma": lambda _tree, _number, word: word.lemma,
    "key": lambda _tree, _number, word: word.key,
    "tag": lambda _tree, _number, word: word.tag,
    "form": lambda _tree, _number, word: word.form,
    "relation": lambda _tree, _number, word: word.relation,
    "comma": lambda tree, number, _word: tree.is_divided(number),
    "side": lambda tree, number, _word: "left" if tree.is_left(number) else "right",
    "adjacent": lambda tree, number, _word: _adjacent(tree, number),
    "capitalized": lambda tree, number, _word: tree.content(number).text[:1].isupper(),
    "title": lambda tree, number, _word: is_title(tree.content(number)),
    "torn": lambda tree, number, _word: phrase_counts().strength(tree, number) >= _STRENGTH_OF_TORN,
    "pair": lambda tree, number, _word: phrase_counts().is_pair(tree, number),
    "partitive": lambda tree, number, _word: tree.is_partitive(number),
    "denied": lambda tree, number, _word: tree.is_denied(number),
    "quoted": lambda tree, number, _word: tree.tears_quotation(number),
}
