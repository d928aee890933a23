"""Where what a headline keeps of a sentence may end, so that no word group is torn."""

from collections.abc import Sequence

from widl.headline.lexicon import DAYS, TIME_UNITS, word_set
from widl.headline.noun_words import RANKING, WITH_INFINITIVE
from widl.headline.sentence_tree import SentenceTree
from widl.headline.verb_groups import is_needed_adverb
from widl.headline.words import TICKER, Word

NEEDING_INFINITIVE = word_set(
    "need reason way chance effort ability right attempt failure refusal willingness inability readiness tendency "
    "power authority permission licence mandate position"
)
_MEASURES = word_set("stg dlr ecu mark franc pound euro guilder crown year month week day")
CONDITIONS = word_set("if unless provided until till whether because lest except without")
ALL = word_set("all every each any no only")
MONEY = word_set(
    "yen dlr dlrs stg mark marks franc francs pound pounds dollar dollars euro euros guilder guilders crown crowns"
)
_RELATIVE = word_set("who whose which that")
_WITH_TO = word_set("thanks due according owing prior")
_OPENING_OBJECT = word_set("how what whether why")
_BEFORE_WITH = word_set("connection accordance line conjunction contrast addition relation comparison response")
_PARTICLES = word_set("out up off down away")
_WITH_PREPOSITION = word_set("away apart aside ahead instead because")
_MORE = word_set("more less fewer rather")
_FEW = 6  # words up to "than"
_MODALS = word_set("will would can could may might must should shall to")
_TRADING = word_set("buy sell purchase acquire repurchase")
_OPENS_DROPPED = word_set(
    "worth due effective payable which who that whose whom where when while but and or plus including such to today "
    "yesterday"
)
_TO_DO = WITH_INFINITIVE | word_set(
    "agree decide vote refuse promise pledge vow threaten fail try attempt intend hope opt choose"
)


def can_cut(tree: SentenceTree, i: int) -> bool:
    """Whether what is kept may end with word i, and word i + 1 be left out: no word group is torn there."""
    if i + 1 >= len(tree.words):
        return True
    last, following = tree.words[i], tree.words[i + 1]
    if following.key in {"as", "so"} and [word.key for word in tree.words[i + 2 : i + 4]] == ["long", "as"]:
        return False  # a condition
    if following.key == "of" and ")" in last.closing:
        return False  # five mln euros (six mln dollars) of purchases
    if tree.comma_before(i + 1):  # "a 40 mln stg, five-year facility", "a six-year, 150 mln ECU loan"
        if last.tag == "NUM" and following.tag == "NUM" and following.key[:4].isdigit() and len(following.key) == 4:
            return False  # due April 28, 2002
        measure = tree.words[i].key in _MEASURES or ("-" in tree.words[i].key and tree.words[i].text.islower())
        return not (measure and following.tag in {"ADJ", "NUM", "NOUN"})
    if following.key in {"of", "per", "not", "never", "nor"} or last.key in _WITH_TO:
        return False
    if _goes_on(tree, i):
        return False
    listed = [word.tag for word in (last, *tree.words[i + 2 : i + 4])] == ["NOUN"] * 3
    if following.tag == "CCONJ" and listed and not tree.comma_before(i + 3):
        return False  # oil and gas wells
    if tree.words[i].key in {"late", "early"} and following.tag == "DET":  # late this month
        return False
    if _in_amount(tree, i):
        return False
    if following.tag == "CCONJ" and last.tag == "VERB" and i + 2 < len(tree.words) and tree.words[i + 2].tag == "VERB":
        return False  # to achieve and maintain production
    if following.key == "and" and any(word.key == "between" for word in tree.words[max(0, i - 6) : i]):
        return False
    if following.tag == "CCONJ" and last.text[:1].isupper() and i + 2 < len(tree.words):
        return not tree.words[i + 2].text[:1].isupper()
    if following.key == "to" and following.tag == "PART":
        verbs = [k for k in range(i + 1) if tree.words[k].tag == "VERB" and tree.words[k].lemma in _TO_DO]
        lacking = bool(verbs) and not any(word.key == "to" for word in tree.words[verbs[-1] : i + 1])
        ranked = any(word.key in RANKING for word in tree.words[max(0, i - 5) : i]) and last.tag in {"NOUN", "PROPN"}
        if last.lemma in NEEDING_INFINITIVE or lacking or ranked:
            return False  # to allow the exchange to trade
    relative = any(tree.words[c].relation == "acl:relcl" and tree.first(c) == i + 1 for c in tree.children[i])
    relative = relative or (following.tag == "ADP" and any(word.key == "which" for word in tree.words[i + 2 : i + 3]))
    if (following.key in _RELATIVE and is_restricted_kind(tree, i)) or (relative and is_told_time(tree, i)):
        return False
    if (
        following.tag == "ADP"
        and not tree.is_time(following.head)
        and any(tree.words[c].key in ALL for c in tree.children[i])
    ):
        return False  # all children under twelve
    if following.relation in {"case", "mark"} and following.key != "of":
        return True
    if following.tag == "ADJ" and following.relation in {"amod", "advcl"} and following.head <= i:
        return True
    if following.tag == "ADV" and following.key.endswith("ly") and is_needed_adverb(following):
        return False  # use the net differently
    if following.tag in {"ADP", "SCONJ", "CCONJ", "ADV", "PART"} or following.key in _OPENS_DROPPED:
        return True
    if following.key == TICKER or _is_time_ahead(tree, i + 1):
        return True
    if following.tag == "VERB" and tree.relation(i + 1) in {"acl", "advcl"} and i + 2 < len(tree.words):
        return following.key.endswith("ing") or tree.words[i + 2].tag in {"ADP", "PART", "ADV"}
    return False


def _goes_on(tree: SentenceTree, i: int) -> bool:
    """Whether a name, a verb or the like goes on behind word i."""
    last, following = tree.words[i], tree.words[i + 1]
    if following.tag == "ADP" and following.text[:1].isupper() and last.text[:1].isupper() and last.key != "u.s.":
        return True  # a film, View From Below
    if last.key in _WITH_PREPOSITION and following.tag == "ADP":
        return True  # steer away from the rocks
    if is_ranked_time(tree, i) and following.tag in {"ADP", "SCONJ", "PRON", "DET"}:
        return True  # on the last Saturday before Christmas
    if last.key in _BEFORE_WITH and i and tree.words[i - 1].key == "in" and following.key in {"with", "to"}:
        return True
    # Expected to turn out at rallies, to assess how far …, declared effective.
    completed = following.key in _PARTICLES | _OPENING_OBJECT or following.key == "effective"
    return last.tag == "VERB" and completed


def _in_amount(tree: SentenceTree, i: int) -> bool:
    """Whether an amount goes on behind word i."""
    last, following = tree.words[i], tree.words[i + 1]
    if following.key in {"in", "worth"} and last.key in MONEY and tree.words[last.head].lemma in _TRADING:
        return True  # who buys a million yen in bonds does not buy yen
    if last.text[:1] in set("£$€") and (following.key == "in" or following.tag == "NOUN"):
        return True  # £50bn in spending cuts, a £2m bid
    if last.tag != "NUM":
        return False
    behind = tree.words[i + 2 : i + 3]
    if following.key == "to" and _is_year(last) and not any(map(_is_year, behind)):
        return False  # in 1986 to two mln tonnes
    ranges = following.key in {"to", "and", "or"} and any(word.tag == "NUM" for word in behind)
    return ranges or following.key in MONEY or following.tag == "NOUN"  # 4,000 to 5,000 tonnes


def is_restricted_kind(tree: SentenceTree, i: int) -> bool:
    """Whether a noun means a kind that a relative clause restricts: *may jail parents who keep children away*.

    What happens to all parents is another thing than what happens to some, unless it has happened.
    """
    word = tree.words[i]
    modal = any(before.key in _MODALS for before in tree.words[:i])
    modal = modal or any(tree.words[k].key in _MODALS for k in tree.function_words(word.head, "aux"))
    bare = not any(tree.words[c].relation in {"det", "nummod", "nmod:poss"} for c in tree.children[i])
    plural = word.tag == "NOUN" and word.key != word.lemma and word.key.endswith(("s", "men", "ople"))
    return bare and plural and modal


def is_ranked_time(tree: SentenceTree, i: int) -> bool:
    """Whether a time is the last or the like of something: *the last day that …*, but *last week*."""
    word = tree.words[i]
    before = {tree.words[c].key for c in tree.children[i]}
    if tree.child(i, "nummod") is not None:
        return False  # over the next three years
    return (word.lemma in TIME_UNITS or word.key in DAYS) and "the" in before and not before.isdisjoint(RANKING)


def _is_year(word: Word) -> bool:
    return len(word.key) == 4 and word.key.isdigit() and word.key[:2] in {"18", "19", "20"}


def is_told_time(tree: SentenceTree, i: int) -> bool:
    """Whether a noun is a time that only a relative clause tells: *a year in which …*."""
    articles = {tree.words[c].key for c in tree.children[i]}
    return tree.words[i].lemma in TIME_UNITS and bool(articles & {"a", "an"})


def _is_time_ahead(tree: SentenceTree, i: int) -> bool:
    """Whether a time begins here: *today*, *this autumn*, *last week*."""
    return any(tree.is_time(k) for k in range(i, min(i + 2, len(tree.words))) if tree.first(k) >= i)


def has_condition(words: Sequence[Word]) -> bool:
    """Whether one of the words opens a condition."""
    return any(word.key in CONDITIONS - {"because", "whether", "except", "without"} for word in words)


def breaks_off(words: Sequence[Word], kept: Sequence[int]) -> bool:
    """Whether words break off in a clause whose verb is further on: *reveals that most users*, *after files*."""
    inside = [words[k] for k in kept]
    marks = [i for i, word in enumerate(inside) if word.key in {"that", "which", "who", "whether", "how"}]
    torn = any(word.relation == "mark" and word.head > kept[-1] for word in inside)
    return (
        torn
        or _lacks_than(words, kept)
        or (bool(marks) and not any(word.tag in {"VERB", "AUX"} for word in inside[marks[-1] :]))
    )


def _lacks_than(words: Sequence[Word], kept: Sequence[int]) -> bool:
    """Whether a comparison goes on behind: *gets more things right*, than it gets wrong."""
    more = any(words[k].key in _MORE or (words[k].tag in {"ADJ", "ADV"} and words[k].key.endswith("er")) for k in kept)
    for i in range(kept[-1], min(kept[-1] + _FEW, len(words) - 1)):
        if not more or "," in words[i].closing:
            return False
        if words[i + 1].key == "than":
            return True
    return False
