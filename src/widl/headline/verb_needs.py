"""What a verb needs behind it, and which past forms are no finite verbs."""

from collections.abc import Collection, Sequence

from widl.headline.cuts import CONDITIONS
from widl.headline.denials import Denials
from widl.headline.lexicon import DAYS, MONTHS, word_set
from widl.headline.noun_words import LINKED_NOUNS, WITH_INFINITIVE
from widl.headline.pieces import Part, Piece, shortest
from widl.headline.predicate_words import BESIDE, NEEDED_CASES, NEVER_FREE
from widl.headline.sentence_tree import SentenceTree

TRANSITIVE = word_set(
    "cut raise lower reduce downgrade upgrade affirm assign acquire buy sell place rate name appoint put "
    "admit deny expect find believe think hope want propose announce receive approve complete award disclose obtain "
    "include contain"
)
_COMPARING = word_set("from against than with versus vs after")
COMPLETE = word_set("begin start end die resign resume collapse open close")
"""Verbs that say enough alone."""
_FAR = 14
_LIMITING = word_set("before after during until")
_OF_EVENTS = word_set("when as after")
_FORCING = word_set("force enable encourage persuade")
_LOOSE = word_set("in at after before despite because amid following during with without when as since for")
_CATENATIVE = word_set("fail manage refuse seek try attempt intend aim tend")
_NAMING = word_set("call deem label brand dub term")
TAKING_CLAUSES = word_set("say state note")
_WITH_PREPOSITION = {
    "describe": word_set("as"),
    "regard": word_set("as"),
    "lead": word_set("to"),
    "pull": word_set("from out into to off down up"),
    "push": word_set("below above to into out off through over"),
    "send": word_set("to into below above down"),
    "drive": word_set("to into below above out from"),
    "bring": word_set("to into"),
    "turn": word_set("to into"),
    "supply": word_set("with to"),
    "provide": word_set("with"),
    "charge": word_set("with"),
    "replace": word_set("with by"),
    "accuse": word_set("of"),
    "acquit": word_set("of"),
    "convict": word_set("of"),
    "deprive": word_set("of"),
    "remind": word_set("of"),
    "rob": word_set("of"),
    "strip": word_set("of"),
    "suspect": word_set("of"),
    "prevent": word_set("from"),
    "ban": word_set("from"),
    "bar": word_set("from"),
    "discourage": word_set("from"),
    "exempt": word_set("from"),
    "exclude": word_set("from"),
    "protect": word_set("from against"),
    "stop": word_set("from"),
    "blame": word_set("for on"),
    "link": word_set("to with"),
    "value": word_set("at"),
    "base": word_set("on in"),
    "involve": word_set("in"),
    "leave": word_set("with"),
    "put": word_set("in on into to at under forward"),
    "abide": word_set("by"),
    "look": word_set("at for into to like"),
    "agree": word_set("in"),
    "come": word_set("after from to in into as with amid under"),
    "engage": word_set("in"),
    "identify": word_set("as"),
    "fall": word_set("within into under"),
    "hold": word_set("at above below"),
    "stand": word_set("at"),
    "include": word_set("in"),
    "participate": word_set("in"),
    "result": word_set("in from"),
    "invest": word_set("in"),
}
"""Verbs that say little without one of these prepositions, also behind an object."""
TAKING_OF = frozenset(verb for verb, prepositions in _WITH_PREPOSITION.items() if "of" in prepositions)


class VerbNeeds:
    """Looks at the words behind the verbs of a sentence."""

    def __init__(self, tree: SentenceTree) -> None:
        self._tree = tree
        self._denials = Denials(tree)

    def behind_group(self, v: int) -> int:
        """The position behind a verb and its particles."""
        particles = [c for c in self._tree.children[v] if self._tree.words[c].relation == "compound:prt"]
        return max([v, *particles]) + 1

    def takes(self, v: int, prepositions: Collection[str]) -> bool:
        """Whether a verb says little without one of these prepositions."""
        return not _WITH_PREPOSITION.get(self._tree.words[v].lemma, frozenset()).isdisjoint(prepositions)

    def is_participle(self, v: int) -> bool:
        """Whether a past form is a participle with its agent, *a statement released by officials*."""
        words = self._tree.words
        behind = self.behind_group(v)
        agent = behind < len(words) and words[behind].key == "by" and behind + 1 < len(words)
        if words[v].key == "ended" and behind < len(words) and words[behind].key in MONTHS:
            return True
        has_object = any(self._tree.relation(c) in {"obj", "ccomp", "xcomp"} for c in self._tree.children[v] if c > v)
        agents = [c for c in self._tree.children[v] if self._is_agent(c)]
        if agents and not has_object and words[v].key != words[v].lemma:
            return True
        return agent and words[behind + 1].tag not in {"NUM", "ADV"} and words[v].key != words[v].lemma

    def _is_agent(self, c: int) -> bool:
        """Whether a dependent is *by* someone, and not by how much or when."""
        tree = self._tree
        by = any(tree.words[k].key == "by" for k in tree.function_words(c, "case"))
        measured = tree.words[c].tag == "NUM" or tree.child(c, "nummod") is not None or tree.is_time(c)
        return by and not measured and tree.words[c].tag in {"NOUN", "PROPN"}

    def is_denied(self, v: int) -> bool:
        """Whether a clause denies, so that what restricts it can't go: *no company may be owned by one person*."""
        return self._denials.denies(v) or self._denials.covers(v)

    def limits_denial(self, v: int, c: int) -> bool:
        """Whether a phrase or clause says to what a denial is limited: *will not rise before June*."""
        tree = self._tree
        if tree.relation(c) not in {"obl", "nmod", "advcl"} or tree.comma_before(tree.first(c)):
            return False
        keys = {tree.words[k].key for k in tree.function_words(c, "case", "mark")}
        if tree.is_time(c) and not (self._denials.denies(v) or keys & _LIMITING):
            return False  # threatens to stop sales from June
        if self._is_event(v, c):
            return False
        return keys.isdisjoint(BESIDE) and tree.words[c].key not in DAYS and self.is_denied(v)

    def _is_event(self, v: int, c: int) -> bool:
        """Whether a clause tells when something was: *nobody was hurt when a bus left the road*."""
        tree = self._tree
        word = tree.words[c]
        past = word.tag == "VERB" and word.key != word.lemma and not word.key.endswith(("s", "ing"))
        modal = any(tree.words[k].lemma not in {"be", "have", "do"} for k in tree.function_words(v, "aux"))
        return past and not modal and tree.words[tree.first(c)].key in _OF_EVENTS

    def needs_clause(self, v: int, c: int, prepositions: set[str], *, first: bool) -> bool:
        """Whether a verb needs an adverbial clause, the `first` thing behind it or not: a condition."""
        tree = self._tree
        modal = {tree.words[k].key for k in tree.function_words(v, "aux")}
        if prepositions & (CONDITIONS if tree.is_negated(v) else CONDITIONS - {"because"}):
            return True
        if self.limits_denial(v, c):
            return True
        if ("when" in prepositions and "would" in modal) or self.takes(v, prepositions):
            return True
        adjacent = tree.first(c) == self.behind_group(v)
        if "to" in prepositions and adjacent and tree.child(v, "aux:pass") is None:
            return True  # committed to fund, met to discuss
        close = first and adjacent and not tree.comma_before(tree.first(c))
        return close and not prepositions.isdisjoint(NEEDED_CASES)  # plans on selling

    def needs_phrase(self, v: int, c: int, prepositions: set[str], *, first: bool) -> bool:
        """Whether a verb needs a phrase, the `first` thing behind it or not: *rose 2 %*, *left for Peru*."""
        tree = self._tree
        aside = tree.comma_before(tree.first(c))
        if prepositions == {"of"} or prepositions & NEVER_FREE or (first and not prepositions and not aside):
            return True
        if tree.words[v].lemma == "leave" and "for" in prepositions:
            return True
        if self.limits_denial(v, c):
            return True
        close = first and tree.first(c) == self.behind_group(v) and tree.words[v].lemma not in COMPLETE
        direct = (close and bool(prepositions & NEEDED_CASES)) or self.takes(v, prepositions)
        return direct and not any(k > c and tree.relation(k) in {"xcomp", "ccomp"} for k in tree.children[v])

    def has_infinitive(self, v: int) -> bool:
        """Whether an infinitive hangs on a predicate."""
        tree = self._tree
        return any(tree.words[k].key == "to" for c in tree.children[v] for k in tree.function_words(c, "mark"))

    def needs_infinitive(self, v: int) -> bool:
        """Whether an infinitive behind a verb tells what it says of its object: *wants everyone to have …*."""
        words = self._tree.words
        told = any(word.key == "to" and word.tag == "PART" for word in words[v + 1 : v + _FAR])
        return told and words[v].lemma in WITH_INFINITIVE

    def forces_nothing(self, v: int) -> bool:
        """Whether *force* or the like has no infinitive: *a knee has forced Smith out of the team*, misread."""
        active = self._tree.child(v, "aux:pass") is None
        return active and self._tree.words[v].lemma in _FORCING and not self.needs_infinitive(v)

    def lacks_infinitive(self, v: int, parts: Sequence[Part]) -> bool:
        """Whether *enable* or the like has nothing with *to* behind its object, or *say* nothing at all."""
        word = self._tree.words[v]
        if word.lemma in TAKING_CLAUSES:
            return not parts and word.key.endswith("ing")
        told = any(said.word.key == "to" for part in parts for said in shortest(part.piece))
        if word.lemma in _CATENATIVE and self.has_infinitive(v) and not told:
            return True  # failed this year to reverse the trend
        if word.lemma not in WITH_INFINITIVE - {"expect", "order", "require", "want", "cause"}:
            return False
        passive = self._tree.child(v, "aux:pass") is not None
        return not passive and not told

    def lacks_object(self, v: int, *, has_object: bool) -> bool:
        """Whether a verb that needs an object has none by the parse, which then has missed it."""
        tree = self._tree
        if tree.words[v].lemma in TAKING_CLAUSES | {"tell"} and not has_object:
            return True
        if tree.words[v].lemma == "do" and any(tree.words[c].key == "so" for c in tree.children[v]):
            return True  # what was done stands before
        active = tree.words[v].tag == "VERB" and tree.child(v, "aux:pass") is None
        if active and self.lacks_name(v):
            return True
        return active and not has_object and tree.words[v].lemma in TRANSITIVE

    def lacks_name(self, v: int) -> bool:
        """Whether *call* or the like has lost what its object is called: that may hang on the object."""
        tree = self._tree
        noun = tree.child(v, "obj")
        if tree.words[v].lemma == "have" and tree.function_words(v, "aux"):  # has had a bag stolen
            done = [word for word in tree.words[v + 1 : v + _FAR] if word.tag == "VERB" and word.relation != "conj"]
            return any(not word.key.endswith("ing") and word.key != word.lemma for word in done)
        if tree.words[v].lemma not in _NAMING or noun is None or self.behind_group(v) > v + 1:  # call off
            return False
        inside = any(tree.words[k].tag in {"VERB", "ADJ"} for k in tree.subtree(noun) if k > noun)
        behind = tree.words[tree.last(noun) + 1 :][:1]
        quoted = any(word.opening for word in tree.words[noun + 1 :])  # calls the fight between them "bitter"
        return inside or quoted or any(word.tag in {"ADJ", "DET", "NOUN"} for word in behind)

    def lacks_standard(self, v: int, complement: Piece) -> bool:
        """Whether *higher than thought* has lost what it is compared with."""
        words = self._tree.words
        more = words[v].key.endswith("er") or any(words[c].key in {"more", "less"} for c in self._tree.children[v])
        told = any(said.word.key == "than" for said in shortest(complement))
        return more and not told and any(word.key == "than" for word in words[v + 1 :])

    def lacks_place(self, v: int, parts: Sequence[Part]) -> bool:
        """Whether *put* does not say where: *has put tax cuts and more spending at the centre*, misread."""
        tree = self._tree
        if tree.words[v].lemma != "put" or tree.child(v, "aux:pass") or self.behind_group(v) > v + 1:
            return False
        said = {said.word.key for part in parts for said in shortest(part.piece)}
        return said.isdisjoint(_WITH_PREPOSITION["put"])

    def needs_object(self, v: int) -> bool:
        """Whether a verb with nothing behind it would be torn off: an active one."""
        tree = self._tree
        return tree.words[v].tag == "VERB" and not any(tree.words[c].relation == "aux:pass" for c in tree.children[v])

    def follows_linked_noun(self, c: int) -> bool:
        """Whether an infinitive may say what a noun before it is about: *an agreement this week to cooperate*."""
        tree = self._tree
        nouns = [k for k in tree.children[tree.words[c].head] if k < c and tree.relation(k) in {"obj", "obl"}]
        return any(tree.words[k].lemma in LINKED_NOUNS for k in nouns)

    def first_dependent(self, v: int) -> int:
        """The first dependent behind a verb; itself if there is none."""
        behind = (c for c in self._tree.children[v] if c > v and self._tree.first(c) > v)
        return min(behind, key=self._tree.first, default=v)

    def is_dated(self, v: int) -> bool:
        """Whether the first dependent behind a verb says when."""
        return self._tree.is_time(self.first_dependent(v))

    def is_compared(self, i: int) -> bool:
        """Whether a phrase that ends here names what something is compared with."""
        tree = self._tree
        while tree.words[i].tag not in {"ADP", "SCONJ", "VERB", "AUX"} and i > 0 and not tree.comma_before(i):
            i -= 1
        return tree.words[i].key in _COMPARING

    def may_be_of_another(self, c: int, before: int | None) -> bool:
        """Whether a prepositional phrase may belong to a clause or phrase within the part before it, which may go."""
        tree = self._tree
        keys = {tree.words[k].key for k in tree.function_words(c, "case", "mark")}
        since = "since" in keys  # their first win over England since 1993
        if before is None or not keys or (tree.is_time(c) and not since) or tree.relation(c) not in {"obl", "nmod"}:
            return False
        inside = [k for k in tree.subtree(before) if k > before]
        if any(tree.words[k].tag == "VERB" and tree.relation(k) in {"acl", "advcl", "ccomp"} for k in inside):
            return True
        if tree.comma_before(tree.first(c)) and not keys & _LOOSE:
            return True
        return any(tree.words[k].tag == "ADP" and (since or tree.words[k].key in keys - {"of"}) for k in inside)

    def completes_state(self, c: int) -> bool:
        """Whether an infinitive follows a preposition with a bare noun, which it completes: *on course to win*."""
        tree = self._tree
        begin = tree.first(c)
        noun = tree.words[begin - 1]
        if tree.words[begin].key != "to" or noun.tag != "NOUN" or tree.comma_before(begin):
            return False
        plain = {tree.words[k].tag for k in tree.children[begin - 1] if k < begin} <= {"ADP", "DET"}
        inside = {tree.words[k].key for k in tree.function_words(begin - 1, "case")} <= {"on", "in", "at"}
        return noun.key == noun.lemma and plain and inside and bool(tree.function_words(begin - 1, "case"))

    def ends_before(self, c: int) -> bool:
        """Whether a clause ends before this dependent: an aside, a list, what the parser could not attach."""
        tree = self._tree
        begin = tree.first(c)
        joined = tree.relation(c) in {"obj", "obl", "xcomp"} and tree.words[begin - 1].tag == "CCONJ"
        return joined or tree.relation(c) in {"parataxis", "dep", "list"} or tree.is_doubtful(c)
