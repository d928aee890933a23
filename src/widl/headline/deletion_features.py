"""Features of units, used to learn which units headlines keep and which unit is their top."""

from bisect import bisect
from collections.abc import Iterator

from widl.headline.phrase_counts import phrase_counts
from widl.headline.units import UnitTree
from widl.headline.word_lists import word_set

_STRENGTHS = (0.01, 0.03, 0.06, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8)
_LINKS = ("case", "mark", "cc")
_NAMING = word_set("NOUN PROPN")
_OF_WORDS = word_set("w hr hrl wr wl h fi posl nl pw xw a1 a2 a3 a4 al")


def has_words(feature: str) -> bool:
    """Whether a feature contains content words, or prepositions with much context."""
    return feature.partition("=")[0] in _OF_WORDS


def unit_features(tree: UnitTree, number: int) -> list[str]:
    """The features of a unit and of the edge to its parent: relations, words, tags, path, size, punctuation."""
    relation = tree.content(number).relation
    parent = tree.units[number].parent
    siblings = tree.units[parent].children if parent is not None else (number,)
    features = [*_word_features(tree, number), *_place_features(tree, number)]
    features += sorted({f"sib={tree.content(k).relation}|{relation}" for k in siblings if k != number})
    features += sorted({f"kid={tree.content(k).relation}|{relation}" for k in tree.units[number].children})
    features += _path_features(tree, number)
    features += _counted_features(tree, number)
    features += _document_features(tree, number)
    features += _subtree_features(tree, number)
    return features


def _subtree_features(tree: UnitTree, number: int) -> Iterator[str]:
    """What goes with the unit: names, numbers, whether they stand elsewhere in the sentence, and the topic's words."""
    relation = tree.content(number).relation
    linked = f"{relation}|{_link(tree, number)}"
    unit = tree.units[number]
    inside = tree.words[unit.begin : unit.end]
    outside = {word.lemma for word in (*tree.words[: unit.begin], *tree.words[unit.end :])}
    names = [word for word in inside if word.tag == "PROPN"]
    lost = sum(word.lemma not in outside for word in names)
    yield f"sn={min(len(names), 3)}|{linked}"
    yield f"sl={min(lost, 2)}|{linked}"
    yield f"sls={min(lost, 2)}|{min(unit.size.bit_length(), 5)}|{relation}"
    yield f"sd={any(word.tag == 'NUM' for word in inside)}|{linked}"
    if tree.counts is not None:
        topic = max((tree.counts.get(word.lemma, 0) for word in inside if word.tag in _NAMING), default=0)
        beside = max((tree.counts.get(word.lemma, 0) for word in tree.words if word.tag in _NAMING), default=0)
        yield f"st1={min(topic, 4)}|{linked}"
        yield f"st2={topic >= beside}|{min(lost, 1)}|{relation}"


def _document_features(tree: UnitTree, number: int) -> Iterator[str]:
    """How often the content word occurs in the document, if known, and how it is written."""
    word = tree.content(number)
    shape = "A" if word.text.isupper() else "a" if word.text.islower() else "Aa"
    if tree.counts is not None:
        count = min(tree.counts.get(word.lemma, 0), 5)
        yield f"c={count}|{shape}"
        yield f"cr={count}|{word.relation}"
        yield f"cs={count}|{word.tag}|{min(tree.sentence, 1)}"


def _counted_features(tree: UnitTree, number: int) -> Iterator[str]:
    """How strongly the head requires the unit, according to counts in news text."""
    relation, counts = tree.content(number).relation, phrase_counts()
    strength = bisect(_STRENGTHS, counts.strength(tree, number))
    yield f"st={strength}|{relation}"
    yield f"std={strength}|{tree.is_divided(number)}|{tree.content(number).tag}"
    yield f"pair={counts.is_pair(tree, number)}|{relation}"


def _word_features(tree: UnitTree, number: int) -> list[str]:
    """Words, tags and relations of the unit and its ancestors."""
    unit = tree.units[number]
    word = tree.words[unit.head]
    above = tree.content(unit.parent) if unit.parent is not None else None
    higher = tree.units[unit.parent].parent if unit.parent is not None else None
    head_lemma, head_tag, head_relation = (above.lemma, above.tag, above.relation) if above else ("^", "^", "^")
    relation, link = word.relation, _link(tree, number)
    linked = f"{relation}|{link}"
    kind = "N" if word.tag == "PROPN" else "d" if any(map(str.isdigit, word.text)) else word.tag
    article = next((other.lemma for other in tree.function_words(number, "det")), "-")
    return [
        "bias",
        f"w={word.lemma}",
        f"r={relation}",
        f"f={word.form}",
        f"rl={linked}",
        f"rh={relation}|{head_relation}",
        f"rht={relation}|{head_tag}|{word.tag}",
        f"hr={head_lemma}|{relation}",
        f"hrl={head_lemma}|{linked}",
        f"wr={word.lemma}|{relation}",
        f"wl={word.lemma}|{link}",
        f"rgh={relation}|{head_relation}|{tree.content(higher).relation if higher is not None else '^'}",
        f"kind={kind}|{linked}",
        f"det={article}|{relation}",
        f"h={head_lemma}",
        f"hf={above.form if above else '^'}|{relation}",
        f"wf={word.form}|{linked}",
        f"subject={_subject(tree, number)}|{relation}",
    ]


def _place_features(tree: UnitTree, number: int) -> list[str]:
    """Position of the unit in the text, the sentence and the tree, its neighboring words and punctuation, and its
    size."""
    unit, words = tree.units[number], tree.words
    count, relation = len(words), words[unit.head].relation
    linked = f"{relation}|{_link(tree, number)}"
    before = (words[unit.begin - 1].closing or words[unit.begin].opening)[:1] or "_" if unit.begin else "^"
    after = words[unit.end - 1].closing[:1] or "_"
    side, nearer = ("L" if tree.is_left(number) else "R"), _nearer_siblings(tree, number)
    size, place = min(unit.size.bit_length(), 6), min(5 * unit.begin // count, 4)
    return [
        f"s={min(tree.sentence, 3)}|{min(unit.depth, 2)}",
        f"dr={min(unit.depth, 6)}|{relation}",
        f"d={min(unit.depth, 6)}",
        f"pos={place}|{relation}",
        f"posl={place}|{linked}",
        f"side={side}|{relation}",
        f"sz={size}|{relation}",
        f"szl={size}|{linked}",
        f"fi={words[unit.begin].lemma}|{relation}",
        f"end={unit.end == count}|{relation}",
        f"cb={before}|{relation}",
        f"ca={after}|{relation}",
        f"cba={before}{after}|{relation}",
        f"nb={nearer}|{side}|{relation}",
        f"nl={nearer}|{side}|{linked}",
        f"n={min(count // 5, 9)}|{relation}",
        f"rest={min((count - unit.size).bit_length(), 6)}|{relation}",
        f"p={words[unit.begin - 1].form if unit.begin else '^'}|{relation}",
        f"x={words[unit.end].form if unit.end < count else '$'}|{relation}",
        f"pw={words[unit.begin - 1].key if unit.begin else '^'}",
        f"xw={words[unit.end].key if unit.end < count else '$'}",
        f"kids={min(len(unit.children), 4)}|{relation}",
    ]


def _subject(tree: UnitTree, number: int) -> str:
    """Kind of word that is the unit's subject; pronouns are kept distinct."""
    words = map(tree.content, tree.subjects(number))
    return next((word.lemma if word.tag == "PRON" else word.tag for word in words), "-")


def _link(tree: UnitTree, number: int) -> str:
    """The prepositions and conjunctions of a unit."""
    return " ".join(word.lemma for word in tree.function_words(number, *_LINKS)) or "-"


def _nearer_siblings(tree: UnitTree, number: int) -> int:
    """Number of siblings on the same side of the head that are nearer to it."""
    unit = tree.units[number]
    if unit.parent is None:
        return 0
    parent = tree.units[unit.parent]
    between = range(min(unit.head, parent.head) + 1, max(unit.head, parent.head))
    return min(sum(tree.units[k].head in between for k in parent.children), 4)


def _path_features(tree: UnitTree, number: int) -> Iterator[str]:
    relation = tree.content(number).relation
    path = [relation]
    at = tree.units[number].parent
    while at is not None and len(path) < 5:
        word = tree.content(at)
        yield f"a{len(path)}={word.relation}|{word.lemma}"
        yield f"al={relation}|{len(path)}|{word.relation}|{_link(tree, at)}"
        path.append(word.relation)
        at = tree.units[at].parent
    yield "path=" + ">".join(path[:4])
    yield "path5=" + ">".join(path)
