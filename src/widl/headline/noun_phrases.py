"""Noun phrases as headlines shorten them: which modifiers may go, and which the meaning needs."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from widl.headline.attributions import is_person
from widl.headline.cuts import MONEY, can_cut
from widl.headline.lexicon import DAYS, MONTHS, PEOPLES, TIME_UNITS
from widl.headline.noun_needs import NounNeeds
from widl.headline.noun_words import (
    HEADS_OF_RELATIVES,
    LINKED_NOUNS,
    LONGEST_PARTICIPLE,
    MEASURED,
    NECESSARY_PREPOSITIONS,
    NEEDED_PREPOSITIONS,
    NEVER_ALONE,
    NEVER_LAST,
    OF_SOMETHING,
    OPENING_OF,
    QUANTIFIERS,
    QUOTED,
    RANKING,
    RESTRICTIVE,
    SET_OFF,
    SKIPPED,
    STAY,
    UNITS,
    VAGUE,
    is_other_person,
    is_referring,
)
from widl.headline.pieces import Leaf, Part, Piece, Row, Said, options, row, shortest, with_optional
from widl.headline.sentence_tree import SentenceTree
from widl.headline.short_names import ShortNames, with_short_owners
from widl.headline.words import TICKER, is_label

_CHANGING_PREFIXES = ("non", "anti", "pro-", "ex-", "un", "co-", "vice-")


class NounPhrases:
    """The noun phrases of a sentence as pieces."""

    def __init__(
        self,
        tree: SentenceTree,
        names: ShortNames,
        infinitive: Callable[[int, int], Piece | None],
        *,
        tight: bool = False,
    ) -> None:
        """`infinitive` makes the piece of a verb with what follows it, nested at most so deep.

        `tight`: more may go, as where nothing else fits a budget: nouns before nouns, *of* phrases of plurals.
        """
        self._tight = tight
        self.tree = tree
        self.needs = NounNeeds(tree, tight=tight)
        self._names = names
        self._infinitive = infinitive

    def said(self, positions: Iterable[int]) -> tuple[Said, ...]:
        """Words as the sentence has them."""
        return with_short_owners([Said(self.tree.words[k], self.tree.number, k) for k in positions])

    def plain(self, i: int) -> Piece | None:
        """All words of a subtree but articles; None if others stand between them."""
        tree = self.tree
        if not tree.is_contiguous(i) or any(tree.is_doubtful(k) for k in tree.subtree(i)):
            return None
        kept = [k for k in tree.subtree(i) if not self.needs.is_free_article(k)]
        if any(is_other_person(tree.words[k]) for k in kept):
            return None
        if len(kept) == 1 and tree.words[kept[0]].key in NEVER_ALONE:
            return None
        if kept and is_referring(tree.words[kept[-1]]):
            return None  # to cooperate with it
        if kept and tree.words[kept[-1]].key in NEVER_LAST:
            return None
        return Leaf(self.said(kept)) if kept else None

    def prepositional(self, i: int, *, depth: int = 2, after: int | None = None) -> Piece | None:
        """A noun phrase with the preposition before it, if that stands `after` the given position."""
        cases = [k for k in self.tree.function_words(i, "case", "mark") if after is None or k > after]
        phrase = self.phrase(i, depth=depth)
        if phrase is None or any(k > i for k in cases):
            return None
        if cases and after is None and max(cases) > self.tree.first(i) + len(cases) - 1:
            return self.plain(i)  # every two years up to 1996
        return row([Leaf(self.said(cases)), phrase]) if cases else phrase

    def phrase(
        self, h: int, *, all_conjuncts: bool = False, depth: int = 2, without: int | None = None
    ) -> Piece | None:
        """The noun phrase of a head without its preposition, and `without` a dependent; None if no form is safe."""
        tree = self.tree
        word = tree.words[h]
        if self.needs.is_no_noun(h) or is_other_person(word) or is_referring(word):
            return None
        skipped = [c for c in tree.children[h] if tree.relation(c) in SKIPPED and not self.needs.is_paired(c)]
        before = [c for c in tree.children[h] if c < h and c not in skipped and c != without]
        if (copula := tree.child(h, "cop")) is not None:  # its adverbs belong to the verb group
            before = [c for c in before if c > copula and tree.relation(c) != "advmod"]
        glued, after = self.needs.right_side(h)
        if any(tree.first(c) > h for c in before):
            return None
        core = self._core(h, before, glued)
        if core is None or self.needs.points_elsewhere(h) or self.needs.ends_in_and(h):
            return None
        parts = [Part(core)]
        end = max([h, *(tree.last(c) for c in glued)])
        conjuncts: list[int] = []
        rest: Piece | None = None
        gap = False
        restricted = self.needs.must_stay_restricted(h)
        for c in after:
            if tree.relation(c) == "conj":
                if all(is_label(tree.words[k]) or tree.words[k].tag == "CCONJ" for k in tree.subtree(c)):
                    end = tree.last(c)  # Merrill Lynch and Co Inc
                    continue
                conjuncts.append(c)
                continue
            if conjuncts:  # what follows a list belongs to its last member, or to all
                if not can_cut(tree, tree.first(c) - 1):
                    rest = self.prepositional(c, depth=depth - 1) if depth > 0 and tree.is_contiguous(c) else None
                    if rest is None:
                        return None
                break
            part, goes_on = self._modifier(h, c, depth, adjacent=tree.first(c) == end + 1)
            left = (part is None and not goes_on) or (part is not None and part.leans and gap)
            if left:
                needed = part is None or not part.optional
                if (needed and not can_cut(tree, tree.first(c) - 1)) or (
                    restricted and self.needs.stands_close(c) and self.needs.limits(c)
                ):
                    return None
                break
            gap = part is None
            same = tree.relation(c) == "appos" and not tree.comma_before(tree.first(c))
            if part is not None and len(parts) > 1 and same:  # in the banking group Barclays
                parts[-1] = replace(parts[-1], piece=Row((parts[-1].piece, part.piece)))
            elif part is not None:
                parts.append(part)
            end = tree.last(c)
        if conjuncts and len(parts) > 1:  # a list may go on with what the modifiers name: a pact with Smith and Sons
            parts = [replace(part, optional=False) for part in parts]
        phrase = self._or_acronym(h, with_optional(parts, most=2 if depth else 1))
        if not conjuncts or phrase is None:
            return phrase if all_conjuncts or phrase is None else self._or_measured(h, phrase, depth)
        made = self._list(h, phrase, conjuncts, all_conjuncts=all_conjuncts or rest is not None, depth=depth)
        return row([made, rest]) if made is not None else None

    def _or_acronym(self, h: int, phrase: Piece | None) -> Piece | None:
        """A name, or the acronym that the text itself uses for it."""
        acronym = self._names.acronym(self.tree, h) if phrase is not None else None
        if phrase is None or acronym is None:
            return phrase
        return options([(phrase, math.log(0.6)), (Leaf((acronym,)), math.log(0.4))])

    def _or_measured(self, h: int, phrase: Piece, depth: int) -> Piece:
        """A sum of money, or only what it is a sum of: *two mln dlrs of notes*, *notes*."""
        tree = self.tree
        counted = tree.child(h, "nummod") is not None and tree.child(h, "nmod:poss") is None
        money = tree.words[h].key in MONEY and tree.words[h].relation in MEASURED
        if not counted or not (money or (self._tight and self.needs.is_traded(h))):
            return phrase
        for c in tree.children[h]:
            if {tree.words[k].key for k in tree.function_words(c, "case")} == {"of"} and tree.first(c) == h + 1:
                inner = self.phrase(c, depth=max(depth, 2))
                if inner is not None:
                    return options([(phrase, math.log(0.6)), (inner, math.log(0.4))]) or phrase
        return phrase

    def _core(self, h: int, before: Sequence[int], glued: Sequence[int]) -> Piece | None:
        """Head, name, numbers and premodifiers: the forms without each set of those that may go."""
        tree = self.tree
        required, optional = {h}, []
        for c in [*before, *glued]:
            span = tree.subtree(c)
            if not tree.is_contiguous(c) or any(is_other_person(tree.words[k]) for k in span):
                return None
            if any(tree.relation(k) == "nsubj" for k in span):  # Smith reiterated profits …: a clause, misread
                return None
            kept = {k for k in span if not self.needs.is_free_article(k)}
            if self._may_go(h, c):
                optional.append(kept)
            else:
                required |= kept
        if all(is_label(tree.words[k]) for k in required):
            return None  # the name is elsewhere
        required -= self._labels(required)
        if not any(tree.words[k].tag not in {"DET", "ADP"} for k in required):
            return None
        optional = [kept for kept in optional if kept][:3]
        forms: dict[tuple[int, ...], float] = {}
        for chosen in range(1 << len(optional)):
            kept = set(required)
            prior = 0.0
            for number, words in enumerate(optional):
                stays = bool(chosen >> number & 1)
                kept |= words if stays else set()
                prior += math.log(0.55 if stays else 0.45)
            forms.setdefault(tuple(sorted(kept)), prior)
        alternatives: list[tuple[Piece, float]] = [(Leaf(self.said(form)), prior) for form, prior in forms.items()]
        whole = sorted({k for c in [*before, *glued] for k in tree.subtree(c)} | {h})
        of = any(tree.words[k].key == "of" for k in tree.function_words(h, "case"))
        joined = whole[0] > 1 and tree.words[whole[0] - 1].key == "and" and tree.words[whole[0] - 2].text[:1].isupper()
        if not of and not joined:
            alternatives += [(Leaf(self.said(short)), math.log(0.5)) for short in self._names.of(tree, whole)]
        return options(alternatives)

    def _may_go(self, h: int, c: int) -> bool:
        tree = self.tree
        word, relation = tree.words[c], tree.words[c].relation
        keys = {tree.words[k].key for k in tree.subtree(c)}
        if word.tag == "ADJ" and (self.needs.is_all(h) or tree.words[h].lemma in VAGUE or self.needs.is_degree(c)):
            return False  # any further decline, a slow start, by as much as 30%
        if word.key in PEOPLES and tree.words[h].tag == "NOUN":
            return False
        ranked = any(tree.words[k].key in RANKING for k in tree.children[h])
        if word.tag == "ADJ" and (tree.words[h].key in DAYS | MONTHS or self.needs.is_kind(h)):
            return False  # early March, sales of hybrid cars
        if relation in {"amod", "compound"} and self.needs.denials.restricts(h):
            return False  # no plans to close big branches
        if word.tag == "ADJ" and any(tree.words[k].key == "some" for k in tree.children[h]):
            return False  # some fine work
        if ranked and (word.tag == "ADJ" or "-" in word.key):
            return False  # the first full-scale production
        if tree.words[h].lemma in TIME_UNITS or any(tree.words[k].key == "only" for k in tree.children[h]):
            return False  # recent weeks, only a modest effect
        counting = "-" in word.key and word.key[0].isdigit() and not tree.children[c]  # 42-story
        hyphened = self._tight and word.tag != "NUM" and counting
        if keys & (RESTRICTIVE | UNITS) or (any(key[0].isdigit() for key in keys) and not hyphened):
            return False
        if hyphened and relation in {"amod", "compound"}:
            return True
        described = tree.words[h].tag == "PROPN" and word.tag == "NOUN" and word.text.islower()
        described = described and not any(tree.words[k].tag == "ADP" for k in tree.subtree(c))
        if self._tight and relation == "compound" and described and tree.first(c) == tree.first(h):
            return True  # engineering firm Balfour Beatty
        named = any(tree.words[k].tag == "PROPN" for k in (h, *tree.children[h]) if c < k <= h)
        if self._tight and relation == "nmod:poss" and word.tag == "PROPN" and named and tree.first(c) == tree.first(h):
            return True  # Alden's Brook Airlines
        if c and tree.words[c - 1].tag == "NUM" and (word.tag == "NOUN" or "-" in word.key):
            return False  # a 200 megawatt turbine, a 100 pct-owned unit
        torn = word.tag == "PROPN" and sum(tree.words[k].tag == "PROPN" for k in tree.children[h] if k < h) > 1
        if relation == "compound" and is_person(tree.words[h]) and tree.words[h].text.islower() and not torn:
            return True  # industry analysts
        prefixed = any(key.startswith(_CHANGING_PREFIXES) for key in keys)
        if prefixed or word.tag == "NUM":
            return False
        if relation == "nmod:poss":
            return word.tag == "PRON" and self.needs.is_free_article(c)
        if relation == "cc:preconj" or QUOTED & {*word.opening, *tree.words[h].closing}:
            return False  # neither … nor, "an advanced stage"
        if word.tag == "VERB" and "ing" in word.key:
            return False  # falling profits, the goal of phasing-out subsidies
        if relation == "amod" and word.tag == "PROPN":
            return False  # the Nordbanken group
        if relation == "nmod:desc":
            return tree.words[h].tag == "PROPN"
        if self._tight and relation == "compound" and word.tag in {"NOUN", "ADJ"}:
            of_head = c == h - 1  # "oil prices" are not prices
            named = word.text[:1].isupper() or tree.words[h].text[:1].isupper()
            behind = tree.words[min(c + 1, h)]  # "box office records" are not office records
            return not of_head and behind.tag == "ADJ" and not self.needs.is_all(h) and not named
        if relation == "compound" and word.tag in {"NOUN", "ADJ"} and "-" in word.key and word.text.islower():
            return tree.words[h].tag != "PROPN"  # Dragons team-mate Kevin Morgan
        named = word.text[:1].isupper() and tree.words[h].text[:1].isupper()
        return relation == "amod" and not named and not self.needs.is_kind(h)

    def _labels(self, positions: Iterable[int]) -> set[int]:
        """Words of a company's name that headlines leave out, if a name is left."""
        tree = self.tree
        positions = list(positions)
        labels = {
            k for k in positions if is_label(tree.words[k]) and (k == 0 or tree.words[k - 1].key not in {"and", "&"})
        }
        rest = [k for k in positions if k not in labels and tree.words[k].tag not in {"DET", "ADP"}]
        if len(rest) == 1 and (self._names.is_common(tree.words[rest[0]]) or tree.words[rest[0]].tag == "ADJ"):
            return {k for k in labels if tree.words[k].key == TICKER}
        return labels if rest else set()

    def _modifier(self, h: int, c: int, depth: int, *, adjacent: bool) -> tuple[Part | None, bool]:
        """A part behind the head. Without one: True to go on without it, False to end the phrase before it."""
        tree = self.tree
        word, relation, start = tree.words[c], self.needs.relation_behind(c), tree.first(c)
        cases = {tree.words[k].key for k in tree.function_words(c, "case", "mark")}
        if tree.words[start].key in OPENING_OF:
            cases = {tree.words[start].key}
        if tree.is_doubtful(c) or not tree.is_contiguous(c):
            return None, False
        can_go = can_cut(tree, start - 1)
        if relation == "acl:relcl" or (relation == "amod" and tree.children[c]):
            can_go = True  # "the price it will pay", "a plan certain to fail"
        if relation in SET_OFF or relation == "amod":
            return self._set_off(h, c, relation, can_go=can_go)
        if relation == "acl" and tree.comma_before(start) and tree.words[c].key.endswith("ing"):
            return None, True  # the opposition, already fighting a battle, …
        if relation == "acl":
            part = self._participle(c, depth) if "to" not in cases else self._infinitive(c, depth - 1)
            if part is None or len(shortest(part)) > LONGEST_PARTICIPLE:
                return None, False
            linked = tree.words[h].lemma in LINKED_NOUNS and "to" in cases
            needed = self.needs.needs_clause(h, start, cases) or self.needs.limits(c)
            return Part(part, can_go and not needed, 0.9 if linked else 0.4, leans=True), True
        time = tree.is_time(c)
        if not cases and not time and not adjacent:
            return None, False
        if tree.words[start].key in {"such", "including"} and can_go and not self.needs.is_exemplified(h, start):
            return None, True
        if cases and can_go and not time and tree.comma_before(start):  # "Acme Co, of Houston", "the sale, at Hall's"
            return None, True
        if depth <= 0:
            kept = not can_go or cases & NEEDED_PREPOSITIONS or self.needs.denials.restricts(h)
            plain = self.plain(c) if kept else None
            return (Part(plain), True) if plain is not None else (None, False)
        banned = self.needs.is_ban(h, cases) and not self._tight
        piece = self.plain(c) if banned or word.tag in {"VERB", "AUX"} else self.prepositional(c, depth=depth - 1)
        if piece is None:
            return None, False
        necessary = NECESSARY_PREPOSITIONS if self._tight else NEEDED_PREPOSITIONS
        needed = not time and (bool(cases & necessary) or tree.words[h].tag == "NUM" or not cases)
        leans = not tree.comma_before(start)
        limiting = self.needs.denials.restricts(h)  # to stop imports of tea
        if needed and cases == {"of"} and not limiting and self.needs.says_how_much(h, c, start, depth):
            return Part(piece, True, 0.7, leans), True
        needed = needed or (not self._tight and not time and self.needs.is_relational(h, cases))
        measured = tree.words[h].lemma in TIME_UNITS and tree.child(h, "cop") is not None  # is two weeks behind plan
        restricted = self.needs.is_restricted(h) or self.needs.is_owned_name(h, c)
        needed = needed or self.needs.denials.limits_time(h, cases)
        needed = needed or ((restricted or measured) and not time) or self.needs.is_extreme(h)
        stay = 0.2 if time else STAY.get(min(cases, default=""), 0.4)
        if cases == {"in"} and tree.words[h].lemma in OF_SOMETHING:
            stay = 0.9
        return Part(piece, can_go and not needed, stay, leans), True

    def _set_off(self, h: int, c: int, relation: str, *, can_go: bool) -> tuple[Part | None, bool]:
        """A relative clause, an apposition or an adjective behind the head."""
        tree, start = self.tree, self.tree.first(c)
        if relation == "amod" and self.needs.is_left_so(h):
            return Part(Leaf(self.said([c]))), True  # leaves rates unchanged
        plain = self.plain(c)
        needed = (Part(plain), True) if plain is not None else (None, False)
        if relation == "acl:relcl" and self.needs.relative(h, start):
            return needed
        counted = any(tree.words[k].key in QUANTIFIERS for k in tree.children[h])
        restricted = counted or self.needs.is_restricted(h) or tree.words[h].key in HEADS_OF_RELATIVES
        if not can_go or (restricted and not tree.comma_before(start)):
            return needed
        stays = plain is not None and self.needs.is_told_by_clause(h, c)
        return Part(plain, True, 0.6, leans=True) if plain is not None and stays else None, True

    def _participle(self, c: int, depth: int) -> Piece | None:
        """A participle behind a noun; what follows *covering* or the like may be shortened."""
        active = self.tree.words[c].key.endswith("ing") and self.tree.child(c, "obj") is not None
        return self._infinitive(c, depth - 1) if active and depth > 0 else self.plain(c)

    def _list(self, h: int, first: Piece, conjuncts: Sequence[int], *, all_conjuncts: bool, depth: int) -> Piece | None:
        """A list: all of it, or its first member alone."""
        tree = self.tree
        parts: list[Piece] = [first]
        cut = can_cut(tree, tree.first(conjuncts[0]) - 1)
        coordinators: set[str] = set()
        whole = True
        for c in conjuncts:
            before = tree.function_words(c, "cc")
            coordinators |= {tree.words[k].key for k in before}
            same = (tree.words[c].tag == "VERB") == (tree.words[h].tag == "VERB")
            phrase = self.prepositional(c, depth=depth - 1) if same and tree.is_contiguous(c) else None
            joined = row([Leaf(self.said(before)) if before else None, phrase]) if phrase is not None else None
            if joined is None or tree.is_doubtful(c):
                whole = False
                break
            parts.append(joined)
        paired = any(self.needs.is_paired(c) or tree.words[c].key == "between" for c in tree.children[h])
        names = tree.words[h].text[:1].isupper() and any(tree.words[c].text[:1].isupper() for c in conjuncts)
        # "Oil and gas properties": a bare noun may share the head of the next.
        bare = tree.words[h].key == tree.words[h].lemma and not tree.children[h]
        names = names or bare or tree.words[h].tag == "NUM" or self.needs.shares_head(h, conjuncts[0])
        single = cut and not all_conjuncts and not paired and not names and coordinators <= {"and", "&", ""}
        if self.needs.restates(h, conjuncts, coordinators) and cut:
            return first
        between = any(tree.words[k].key == "between" for k in tree.function_words(h, "case"))
        single = single or (not all_conjuncts and not between and self.needs.ends_in_label(conjuncts[0]))
        alternatives: list[tuple[Piece, float]] = []
        if whole and coordinators:
            alternatives.append((row(parts) or first, math.log(0.6) if single else 0.0))
        if single:
            alternatives.append((first, math.log(0.4) if alternatives else 0.0))
        return options(alternatives)
