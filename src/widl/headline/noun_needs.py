"""What a noun needs behind it, so that the rest still says what the text says."""

from collections.abc import Collection, Sequence

from widl.headline.cuts import ALL, NEEDING_INFINITIVE, is_restricted_kind, is_told_time
from widl.headline.denials import Denials
from widl.headline.lexicon import ARTICLES, DAYS, MONTHS, PEOPLES, TIME_UNITS, word_set
from widl.headline.noun_words import (
    AMOUNTS,
    COUNTED,
    COUNTING,
    GROUPS,
    LEAVING,
    LONGEST_CLAUSE,
    MASSES,
    MEASURES,
    OF_SOMETHING,
    ORGANIZATIONS,
    POSSESSIVES,
    RANKING,
    RELATIONAL,
    WEIGHTS,
    WITH_INFINITIVE,
)
from widl.headline.sentence_tree import SentenceTree
from widl.headline.verb_needs import TAKING_OF
from widl.headline.words import is_label

_PARTS = word_set("half most many some few majority minority third quarter fifth tenth rest number percent pct % none")
_BODIES = word_set("council government parliament court university ministry mayor governor bishop authority")
_BANS = word_set("ban tax limit curb restriction embargo tariff duty ceiling")
_POINTING = word_set("this that these those")
_HANDLING = word_set("buy sell purchase export import ship offer order deliver donate lose damage destroy")
_COUNTS = word_set("number majority proportion percentage share total average thousand group list host series")
_WHOLE = word_set("all every each any no most")
_COUNTING = word_set("number majority proportion percentage")
_COMING = word_set("will may can must to")
_RATES = word_set("rate pace level speed")
_DEGREES = word_set("much many little few average median")


class NounNeeds:
    """Looks at the words behind the nouns of a sentence."""

    def __init__(self, tree: SentenceTree, *, tight: bool) -> None:
        self._tree = tree
        self._tight = tight
        self.denials = Denials(tree)

    def relation_behind(self, c: int) -> str:
        """The relation of what stands behind a noun: *the latest to be evicted* is no relative clause, and *a ban on
        smoking* has a noun."""
        word = self._tree.words[c]
        if word.relation == "acl:relcl" and self._tree.words[self._tree.first(c)].key == "to":
            return "acl"
        noun = word.relation == "acl" and word.tag == "NOUN" and self._tree.function_words(c, "case", "mark")
        return "nmod" if noun else word.relation

    def is_no_noun(self, h: int) -> bool:
        """Whether the head of a noun phrase is a clause, or an adjective without an article."""
        tree = self._tree
        word = tree.words[h]
        if word.tag == "ADJ":
            return word.text.islower() and not any(tree.relation(c) == "det" for c in tree.children[h])
        return word.tag == "VERB" and (not word.key.endswith("ing") or tree.subject(h) is not None)

    def needs_clause(self, h: int, start: int, cases: set[str]) -> bool:
        """Whether a noun needs the infinitive or participle behind it: *all men arrested*, *the power to detain*."""
        tree = self._tree
        if "to" in cases and tree.words[h].lemma in NEEDING_INFINITIVE:
            return True
        if "to" in cases and tree.words[tree.words[h].head].lemma in WITH_INFINITIVE:
            return True
        ranked = "to" in cases and any(tree.words[k].key in RANKING for k in tree.children[h])
        return (self.is_all(h) or ranked) and not tree.comma_before(start)

    def is_relational(self, h: int, cases: set[str]) -> bool:
        """Whether a noun tells little without what follows it with such a preposition: *a ban on imports*, *a rise in
        prices leads to …*."""
        word = self._tree.words[h]
        changed = cases == {"in"} and word.lemma in OF_SOMETHING and self._tree.relation(h) == "nsubj"
        return changed or any(word.lemma in RELATIONAL.get(case, ()) for case in cases)

    def is_bare_number(self, h: int) -> bool:
        """Whether a number counts what the sentence names elsewhere: *18 were waiting*."""
        word = self._tree.words[h]
        alone = not any(c > h for c in self._tree.children[h])
        return word.tag == "NUM" and alone and word.text[:1] not in set("$£€") and word.key != "one"

    def is_ban(self, h: int, cases: set[str]) -> bool:
        """Whether all that follows a noun says what it is about: *a ban on smoking in cars with children*."""
        return cases == {"on"} and self._tree.words[h].lemma in _BANS

    def says_how_much(self, h: int, c: int, start: int, depth: int) -> bool:
        """Whether an *of* phrase may go: *shares of stock*, *a dividend of two cents*, *dlrs of debt of a bank*;
        of bodies, where nothing else fits, of what place they are."""
        tree = self._tree
        head = tree.words[h]
        counted = any(tree.relation(k) == "nummod" for k in tree.children[h]) and head.lemma in COUNTED
        numbered = any(tree.words[k].tag == "NUM" for k in tree.subtree(c))
        measured = head.lemma in WEIGHTS or (numbered and head.lemma in MEASURES)
        if self._tight and head.lemma in _BODIES and tree.words[c].tag == "PROPN":
            return True
        if head.tag != "NOUN" or measured or (head.lemma in GROUPS and not counted):
            return False
        if head.relation == "obj" and tree.words[head.head].lemma in TAKING_OF:
            return False  # accuses sprinters of sloth
        amount = any(tree.relation(k) == "nummod" for k in tree.subtree(c)) and head.lemma in AMOUNTS
        nested = depth == 1 and (tree.words[start - 1].key != tree.words[start - 1].lemma or head.key in MASSES)
        behind = {word.key for word in tree.words[tree.last(h) + 1 : tree.last(h) + 4]}
        coming = tree.relation(h) == "nsubj" and not behind.isdisjoint(_COMING)  # the parks of five towns are to close
        several = self._tight and not coming and head.key != head.lemma and head.key.endswith("s")
        several = several and head.lemma not in COUNTING
        return counted or amount or nested or several

    def shares_head(self, h: int, c: int) -> bool:
        """Whether the next of a list has no article of its own: *a bond and guarantee facility*."""
        article = self._tree.child(h, "det")
        indefinite = article is not None and self._tree.words[article].key in {"a", "an"}
        return indefinite and self._tree.child(c, "det") is None

    def is_all(self, h: int) -> bool:
        """Whether a noun phrase speaks of all or none, so that what restricts it can't go: *all cars with a
        defect*, *one of the players in the squad*, *half of the teachers who left*."""
        words = self._tree.words
        above = words[words[h].head]
        one_of = above.key == "one" and words[h].relation == "nmod"
        the = any(words[c].key == "the" for c in self._tree.children[h])
        one_of = one_of or (the and words[h].relation == "nmod" and (above.key in _PARTS or above.tag == "NUM"))
        every = one_of or any(words[c].key in ALL | {"most"} for c in self._tree.children[h])
        return every and words[h].lemma not in TIME_UNITS

    def must_stay_restricted(self, h: int) -> bool:
        """Whether a noun phrase without what restricts it would say more than the text: *all*, *number of*, *no*."""
        of_all = any(self._tree.words[c].key in _WHOLE for c in self._tree.children[h])
        counting = self._tree.words[h].lemma in _COUNTING
        counting = counting or (self.is_counted(h) and self._tree.words[self._tree.words[h].head].lemma in _COUNTING)
        return of_all or counting or self.denials.restricts(h)

    def is_restricted(self, h: int) -> bool:
        """Whether what stands behind a noun says of which, or of how many, something is said."""
        return self.is_all(h) or self.is_counted(h) or self.must_stay_restricted(h)

    def limits(self, c: int) -> bool:
        """Whether a participle or the like says which of a kind are denied; not of one thing that was *made* before."""
        tree = self._tree
        h = tree.words[c].head
        if not self.must_stay_restricted(h):
            return False
        one = any(tree.words[k].key in {"a", "an"} for k in tree.children[h])
        done = tree.relation(c) == "acl" and tree.words[c].key.endswith(("ed", "en", "ade"))
        return not (one and done)

    def stands_close(self, c: int) -> bool:
        """Whether a part behind a noun belongs to it closely, and does not say when."""
        tree = self._tree
        return not tree.comma_before(tree.first(c)) and not tree.is_time(c) and tree.relation(c) != "dep"

    def ends_in_and(self, h: int) -> bool:
        """Whether *and* hangs on a noun without what it joins: *between Smith and surviving members*, misread."""
        tree = self._tree
        joining = any(c > h and tree.relation(c) == "cc" for c in tree.children[h])
        return joining and not any(tree.relation(c) in {"conj", "appos"} for c in tree.children[h])

    def is_paired(self, c: int) -> bool:
        """Whether a word opens a list of which all must stay: *neither … nor*."""
        return self._tree.words[c].relation == "cc:preconj" or self._tree.words[c].key in {"both", "either", "neither"}

    def is_left_so(self, h: int) -> bool:
        """Whether a noun is what someone leaves or makes as an adjective behind it says."""
        words = self._tree.words
        return self._tree.relation(h) == "obj" and words[words[h].head].lemma in LEAVING

    def is_told_by_clause(self, h: int, c: int) -> bool:
        """Whether a short relative clause says what is new of a noun: *technology that cleans water*."""
        tree = self._tree
        start = tree.first(c)
        opened = tree.words[start].key in {"that", "who", "which"} and tree.words[c].relation == "acl:relcl"
        if not opened or tree.comma_before(start) or start != h + 1 or tree.words[h].tag != "NOUN":
            return False
        clause = tree.subtree(c)
        return len(clause) <= LONGEST_CLAUSE and all(tree.words[k].tag != "PRON" for k in clause if k > start)

    def is_exemplified(self, h: int, start: int) -> bool:
        """Whether *such as* says which of a kind are meant: *companies such as Acme have become rich*."""
        bare = not any(self._tree.relation(c) in {"det", "nummod"} for c in self._tree.children[h])
        return bare and self._tree.words[start].key == "such" and self._tree.relation(h) == "nsubj"

    def is_kind(self, h: int) -> bool:
        """Whether a bare plural behind a preposition or as a subject means all of a kind, which an adjective restricts:
        *sales of hybrid cars*, *controls on economic migrants*."""
        tree = self._tree
        word = tree.words[h]
        bare = not any(tree.words[c].relation in {"det", "nummod", "nmod:poss"} for c in tree.children[h])
        plural = word.tag == "NOUN" and word.key != word.lemma and word.key.endswith(("s", "men", "ople"))
        return bare and plural and (tree.relation(h) == "nsubj" or bool(tree.function_words(h, "case")))

    def is_traded(self, h: int) -> bool:
        """Whether tonnes or the like are what someone trades, so that they may go: *sales of ten tonnes of tea*."""
        words = self._tree.words
        cases = {words[k].key for k in self._tree.function_words(h, "case")}
        handled = words[h].relation == "obj" and words[words[h].head].lemma in _HANDLING
        return words[h].lemma in WEIGHTS and (handled or cases == {"of"})

    def lacks_measure(self, h: int) -> bool:
        """Whether *at a rate* or the like says nothing without what follows."""
        bare = all(self._tree.relation(c) in {"case", "det"} for c in self._tree.children[h] if c < h)
        return bare and self._tree.words[h].lemma in _RATES

    def names_nobody(self, subject: int) -> bool:
        """Whether *the Kenyan*, *the London-based company* or *the rest of the band* is one that was named before."""
        tree = self._tree
        named = any(tree.words[k].tag == "PROPN" and k < subject + 2 for k in tree.children[subject])
        for k in tree.subtree(subject):
            keys = {tree.words[c].key for c in tree.children[k]}
            people = k == subject and (tree.words[k].key in PEOPLES or tree.words[k].key.endswith("-year-old"))
            group = tree.words[k].lemma in ORGANIZATIONS and (k == subject or keys <= {"the", "of"})
            if "the" in keys and (people or (group and not named)):
                return True
        return False

    def is_owned_name(self, h: int, c: int) -> bool:
        """Whether a name may own what a phrase behind it names: *the Commission for Chile's report*."""
        tree = self._tree
        owner = tree.child(c, "nmod:poss")
        return tree.words[h].tag == "PROPN" and owner is not None and tree.words[owner].tag == "PROPN"

    def is_counted(self, h: int) -> bool:
        """Whether a noun is what is counted, so that what restricts it can't go: *the number of people in work*."""
        tree = self._tree
        of = {tree.words[k].key for k in tree.function_words(h, "case")} == {"of"}
        return of and tree.words[tree.words[h].head].lemma in _COUNTS

    def points_elsewhere(self, h: int) -> bool:
        """Whether *these powers* or the like refers to what the headline does not say."""
        words = self._tree.words
        pointing = any(words[c].tag == "DET" and words[c].key in _POINTING for c in self._tree.children[h])
        return pointing and words[h].lemma not in TIME_UNITS and words[h].key not in MONTHS | DAYS

    def is_degree(self, c: int) -> bool:
        """Whether an adjective says how much, or that nothing is more: *as much as 30%*, *the highest income*."""
        key = self._tree.words[c].key
        return key in _DEGREES or (key.endswith("est") and key != "latest")

    def is_extreme(self, h: int) -> bool:
        """Whether something is the highest or the like, so that what says of what can't go: *its lowest level in
        three years*, *the highest income in Europe*."""
        words = self._tree.words
        ranked = {words[k].key for k in self._tree.children[h] if words[k].tag == "ADJ"}
        return any(key.endswith("est") or key in {"best", "worst"} for key in ranked)

    def dates_extreme(self, v: int, c: int) -> bool:
        """Whether a time beside a verb is of the highest or the like: *fell to its lowest level in three years*."""
        words = self._tree.words
        marks = {words[k].key for k in self._tree.function_words(c, "case", "mark")}
        if words[c].lemma not in TIME_UNITS and "since" not in marks:
            return False
        for k in (k for k in self._tree.children[v] if v < k < c):
            numbered = "in" in marks and self._tree.child(c, "nummod") is not None  # its first in five years
            first = (numbered or marks & {"for", "since"}) and any(
                words[i].key == "first" for i in self._tree.children[k]
            )
            if first or self.is_extreme(k):
                return True
        return False

    def restates(self, h: int, conjuncts: Sequence[int], coordinators: Collection[str]) -> bool:
        """Whether a figure is given again in another measure: *seven mln dlrs, or 20 cts a share*."""
        tree = self._tree
        again = len(conjuncts) == 1 and coordinators == {"or"} and tree.comma_before(tree.first(conjuncts[0]))
        return again and all(any(tree.words[k].tag == "NUM" for k in tree.subtree(i)) for i in (h, conjuncts[0]))

    def ends_in_label(self, conjunct: int) -> bool:
        """Whether *Inc* or the like stands before *and*, so that it joins companies and is not part of a name."""
        tree = self._tree
        begin = tree.first(conjunct)
        joined = tree.words[begin].key == "and" and not tree.comma_before(begin)
        return joined and begin > 1 and is_label(tree.words[begin - 1])

    def relative(self, h: int, start: int) -> bool:
        """Whether a noun can't do without its relative clause: *may jail parents who …*, *after a year in which …*."""
        tree = self._tree
        if tree.comma_before(start):
            return False
        return is_restricted_kind(tree, h) or is_told_time(tree, h)

    def right_side(self, h: int) -> tuple[list[int], list[int]]:
        """Dependents right of the head: those that belong to its core (rest of a name, a number), and the others."""
        tree = self._tree
        glued: list[int] = []
        after: list[int] = []
        end = h
        for c in sorted(c for c in tree.children[h] if c > h):
            relation = tree.words[c].relation
            close = tree.first(c) == end + 1 and not tree.comma_before(tree.first(c))
            if (
                close
                and not after
                and (
                    relation in {"flat", "fixed", "compound", "nummod", "goeswith", "nmod:unmarked", "compound:prt"}
                    or relation in {"advmod"}
                    and tree.words[c].key in {"earlier", "ago", "later", "old"}
                    or relation == "appos"
                    and tree.words[c].tag == "PROPN"
                )
                and not (tree.is_time(c) and relation == "nmod:unmarked")
            ):
                glued.append(c)
                end = tree.last(c)
            else:
                after.append(c)
        return glued, after

    def _is_named_after(self, k: int) -> bool:
        """Whether an article stands between two capitals of one name."""
        before, after = self._tree.words[k - 1], self._tree.words[k + 1 : k + 2]
        capitals = before.text[:1].isupper() and any(word.text[:1].isupper() for word in after)
        return capitals and before.tag == "PROPN" and not before.closing and k > 1

    def is_free_article(self, k: int) -> bool:
        """Whether an article or a possessive pronoun goes: not in *cents a share*, *a third*, nor as part of a name."""
        tree = self._tree
        word = tree.words[k]
        if word.key in POSSESSIVES:  # whose it is, the headline may not say
            if k > 1 and tree.words[k - 1].key == "of" and tree.words[k - 2].tag in {"NUM", "DET", "PRON"}:
                return False  # one of its units
            ranked = tree.words[k + 1 : k + 2]
            if any(w.key in RANKING or (w.tag == "ADJ" and w.key.endswith("est")) for w in ranked):
                return False  # its first robot
            return word.relation == "nmod:poss" and k + 1 < len(tree.words) and tree.words[k + 1].key != "own"
        if word.key in {"a", "an"} and tree.words[word.head].lemma in TIME_UNITS:  # after a year
            return False
        if word.key not in ARTICLES or word.tag not in {"DET", "PRON"}:
            return False
        if k > 1 and tree.words[k - 1].key == "of" and tree.words[k - 2].tag == "NUM":
            return False  # seven of the men
        head = tree.words[word.head]
        following = tree.words[k + 1 : k + 2]
        if k > 0 and word.key == "the" and head.tag == "PROPN" and self._is_named_after(k):
            return False  # Ivan the Terrible
        inside = k > 0 and not word.opening and ":" not in tree.words[k - 1].closing
        if word.text == "The" and inside and any(after.text[:1].isupper() for after in following):
            return False  # the film The Long Night
        if word.key != "the" and (head.relation.endswith(":unmarked") or head.key in COUNTING):
            return False
        return not (word.key == "the" and head.key in {"same", "first", "second", "third", "only"})
