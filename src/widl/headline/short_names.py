"""Shorter names that a text itself uses for the same person or company: *Kiplagat* for *runner Daniel Kiplagat*."""

from collections.abc import Sequence
from dataclasses import replace

from widl.headline.attributions import is_person
from widl.headline.lexicon import DAYS, MONTHS, word_set
from widl.headline.pieces import Said
from widl.headline.sentence_tree import SentenceTree
from widl.headline.words import TICKER, Word, is_label

_LABELS = word_set("inc corp ltd co plc ag sa nv gmbh kk spa bhd pty ab oy group")
_TITLES = word_set(
    "minister president vice-president secretary chairman chancellor governor senator treasurer premier king queen "
    "prince princess pope general admiral colonel judge justice director commissioner ambassador representative "
    "congressman mayor"
)
_KNOWN = {"united states": "US", "united kingdom": "UK", "united nations": "UN", "european union": "EU"}
"""Acronyms that stand for names in headlines although the text may not use them."""
_SMALL = word_set("a an the of and for in on &")
_OF_PLACES = word_set("north south east west new united saint st san los las el la great puerto costa saudi hong sri")


class ShortNames:
    """The names that stand alone somewhere in a document: runs of proper nouns between other words."""

    def __init__(self, sentences: Sequence[Sequence[Word]]) -> None:
        self._alone: set[tuple[str, ...]] = set()
        self._persons: set[str] = set()
        self._acronyms = {word.text for words in sentences for word in words if word.text.isupper()}
        self._common = {
            form for words in sentences for word in words if word.text.islower() for form in (word.key, word.lemma)
        }
        for words in sentences:
            begin = 0
            while begin < len(words):
                end = begin
                while (
                    end < len(words)
                    and _in_name(words[end])
                    and (end == begin or not words[end - 1].closing.strip("."))
                ):
                    end += 1
                described = begin > 0 and words[begin - 1].tag == "ADJ" and words[begin - 1].text[:1].isupper()
                if end > begin and not described and not _is_joined(words, begin, end):  # American Airlines
                    name = tuple(_name_key(word) for word in words[begin:end])
                    self._alone.add(name)
                    article = begin > 0 and words[begin - 1].tag == "DET"
                    if len(name) == 1 and not article and words[begin].relation in {"nsubj", "nsubj:pass"}:
                        self._persons.add(name[0])
                begin = max(end, begin + 1)

    def acronym(self, tree: SentenceTree, h: int) -> Said | None:
        """The acronym of the text, or that everybody knows, for the name of which a word is the head."""
        head = tree.words[h]
        if not head.text[:1].isupper() or tree.relation(h) in {"compound", "flat"}:
            return None
        begin = tree.first(h)
        for c in (h, *(c for c in tree.children[h] if c > h)):
            name = [word for word in tree.words[begin : tree.last(c) + 1 if c > h else h + 1] if not is_label(word)]
            known = _KNOWN.get(" ".join(word.key for word in name if word.key != "the"))
            if known is not None:
                known = next((form for form in self._acronyms if form.replace(".", "") == known), known)
                return Said(replace(head, text=known, key=known.lower(), opening="", closing=""), tree.number, h)
            initials = "".join(word.text[0] for word in name if word.key not in _SMALL)
            if initials in self._acronyms and len(initials) > 2:
                key = initials.lower()
                return Said(replace(head, text=initials, key=key, lemma=key, opening="", closing=""), tree.number, h)
        return None

    def of(self, tree: SentenceTree, positions: Sequence[int]) -> list[tuple[int, ...]]:
        """The positions of shorter names within a noun phrase, given by all its words.

        A company is called by the beginning of its name, a person by the last word, with the title or without.
        """
        if (person := self._described_person(tree, positions)) is not None:
            return [person, person[-1:]] if self._is_known(tree, person[-1]) else [person]
        inner = [tree.words[k] for k in positions[:-1]]
        if any("," in word.closing for word in inner):
            return []
        joined = [k for k in positions if tree.words[k].tag == "CCONJ"]
        if joined:
            return self._before_conjunction(tree, positions, joined[0])
        run = [k for k in positions if _in_name(tree.words[k]) and tree.words[k].key != TICKER]
        if run and run[0] - 1 in positions and _owns_name(tree.words[run[0] - 1]):  # Moody's Investors Service
            run = [run[0] - 1, *run]
        while run and run[-1] - run[0] + 1 > len(run):  # titles and descriptions stand before the name
            run = run[1:]
        if run and run[0] > positions[0] and tree.words[run[-1]].relation == "appos":
            described = tree.words[run[0] - 1]  # Holcim, for the cement firm Holcim
            whole = tree.last(run[-1]) == run[-1]  # not of a programme Top of the Pops
            return [tuple(run)] if whole and described.tag == "NOUN" and described.text.islower() else []
        if len(run) < 2 or run[-1] != max(k for k in positions if tree.words[k].key != TICKER):
            return []
        keys = [_name_key(tree.words[k]) for k in run]
        if _is_company(keys):
            for end in range(len(run) - 1, 0, -1):
                if tuple(keys[:end]) in self._alone and len(keys[0]) > 2:
                    return [tuple(run[:end])]
            return []
        return self._of_person(tree, positions, run, keys)

    @staticmethod
    def _described_person(tree: SentenceTree, positions: Sequence[int]) -> tuple[int, ...] | None:
        """*Ann Bell* for *Trade and Industry Minister Ann Bell*, *former Secretary of State Ann Bell*, *analyst Ann
        Bell*; a title in front of a plain name stays, as `_of_person` has it."""
        titles = [k for k in positions if _name_key(tree.words[k]) in _TITLES or is_person(tree.words[k])]
        joined = any(tree.words[k].tag in {"ADP", "CCONJ"} for k in positions)
        lower = any(is_person(tree.words[k]) and tree.words[k].text.islower() for k in titles)
        listed = positions[0] > 0 and tree.words[positions[0] - 1].tag == "CCONJ"
        if not titles or listed or not (joined or lower):
            return None
        name: list[int] = []
        for k in reversed(positions):
            above = tree.words[k].head == positions[-1] and tree.relation(k) in {"compound", "flat"}
            if k in titles or tree.children[k] != [] and name or not _in_name(tree.words[k]) or (name and not above):
                break
            name.insert(0, k)
        whole = bool(name) and name[0] > max(titles) and name == list(range(name[0], positions[-1] + 1))
        return tuple(name) if whole and 1 < len(name) < 5 else None

    def _before_conjunction(
        self, tree: SentenceTree, positions: Sequence[int], conjunction: int
    ) -> list[tuple[int, ...]]:
        """*Alden* for *Alden Oil and Gas Inc*."""
        before = [k for k in positions if k < conjunction]
        if not is_label(tree.words[positions[-1]]) or not all(_in_name(tree.words[k]) for k in before):
            return []
        keys = tuple(_name_key(tree.words[k]) for k in before)
        return [tuple(before[:end]) for end in range(1, len(before)) if keys[:end] in self._alone][:1]

    def _of_person(
        self, tree: SentenceTree, positions: Sequence[int], run: Sequence[int], keys: Sequence[str]
    ) -> list[tuple[int, ...]]:
        """*Minister Douglas* and *Douglas* for *Finance Minister Roger Douglas*."""
        titles = max((i + 1 for i, key in enumerate(keys) if key in _TITLES), default=0)
        name = keys[titles:]
        if not name or name[0] in _OF_PLACES or len(name) > 4 or any(tree.words[k].key == "the" for k in positions):
            return []
        titled = [(*run[:titles], run[-1]), tuple(run[titles:])] if titles and len(name) > 1 else []
        return [*titled, (run[-1],)] if self._is_known(tree, run[-1]) else titled

    def _is_known(self, tree: SentenceTree, k: int) -> bool:
        """Whether the text elsewhere calls a person by this word alone."""
        key = _name_key(tree.words[k])
        return key in self._persons and key not in DAYS | MONTHS

    def is_common(self, word: Word) -> bool:
        """Whether the text has a word of a name in small letters, too, so that it names nothing by itself."""
        return word.key in self._common or word.lemma in self._common


def with_short_owners(words: Sequence[Said]) -> tuple[Said, ...]:
    """Words with *Ohio Edison's* for *Ohio Edison Co's*, and *Eli Lilly's* for *Eli Lilly and Co's*."""
    kept: list[Said] = []
    for said in words:
        bare = said.word.text.removesuffix("'s").removesuffix("’s")
        owner = bare != said.word.text and is_label(replace(said.word, text=bare, key=bare.lower(), tag="PROPN"))
        while owner and len(kept) > 1 and kept[-1].word.key in {"and", "&"}:
            kept.pop()
        if owner and kept and kept[-1].word.tag == "PROPN" and not kept[-1].word.key.endswith("s"):
            name = kept[-1].word
            ending = said.word.text[len(bare) :]
            word = replace(name, text=name.text + ending, key=name.key + ending, closing=said.word.closing)
            kept[-1] = replace(kept[-1], word=word)
        else:
            kept.append(said)
    return tuple(kept)


def _is_joined(words: Sequence[Word], begin: int, end: int) -> bool:
    """Whether *and* or *of* ties a name to the next, as in *Standard and Poor's*."""
    after = end + 1 < len(words) and words[end].key in {"and", "&", "of"} and _in_name(words[end + 1])
    before = begin > 1 and words[begin - 1].key in {"and", "&", "of"} and _in_name(words[begin - 2])
    return after or before


def _in_name(word: Word) -> bool:
    return word.tag == "PROPN" and word.text[:1].isupper() and word.relation != "nmod:poss"


def _owns_name(word: Word) -> bool:
    """Whether a name begins with someone's: *Moody's Investors Service*."""
    return word.tag == "PROPN" and word.relation == "nmod:poss" and word.key.endswith(("'s", "’s"))


def _name_key(word: Word) -> str:
    return word.key.rstrip(".")


def _is_company(keys: Sequence[str]) -> bool:
    return not _LABELS.isdisjoint(keys)
