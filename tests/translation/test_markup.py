"""Markup of input lines: parsed correctly, refused with clear messages, and obeyed by every search."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.tiles import Option, Orders
from widl.pipeline.demo import sample_corpus
from widl.text.source_and_target import SourceText, TargetText, TextSettings
from widl.text.truecasing import Truecaser
from widl.translation import SEARCHES_OF_DECODERS, Sentence, SentenceReader, TranslationOptions
from widl.translation.copied_text import find_tags
from widl.translation.html_tags import with_zones
from widl.translation.line_parts import Edge
from widl.translation.markup import parse_markup

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()


def reader(source_language: str = "zh", **options) -> SentenceReader:
    settings = TextSettings(source_language=source_language)
    return SentenceReader(SourceText(settings), TargetText(settings, Truecaser({})), **options)


MARKED = {language: reader(language, markup="exclusive") for language in ("zh", "de", "none")}


def test_parts_by_hand() -> None:
    parts, _ = parse_markup(
        'a &lt; <zone>b<wall/><x translation="U.S.||US" prob=" 0.5||1">c&#20013;</x></zone><ne english="d e">d</ne>',
        str.split,
    )
    assert [(part.text, part.edge) for part in parts] == [
        ("a < ", None),
        ("", Edge.ZONE_BEGINS),
        ("b", None),
        ("", Edge.WALL),
        ("c中", None),
        ("", Edge.ZONE_ENDS),
        ("d", None),
    ]
    assert parts[4].given.alternatives == ((("U.S.",), 0.5), (("US",), 1.0))
    assert parts[6].given.alternatives == ((("d", "e"), 1.0),)
    (part, *_), _ = parse_markup('<x translation="a||b">c</x>', str.split, exclusive=False)
    even = part.given
    assert even.alternatives == ((("a",), 0.5), (("b",), 0.5))
    assert not even.exclusive


@pytest.mark.parametrize(
    ("line", "column", "message", "text"),
    [
        ("中文<zone>你好", 3, "<zone> is not closed", "中文 你好"),
        ("中文</zone>", 3, "</zone> closes a tag that is not open", "中文"),
        ('<zone>c<x translation="a">b</zone>', 8, "<x> is not closed before </zone>", "c b"),
        ("1 < 2", 3, "a < of the text is written &lt;", "1 < 2"),
        ('<x translation="a" porb="1">c</x>', 1, "unknown attribute 'porb'; known are translation, english, prob", "c"),
        ('<x translation="a||b" prob="1">c</x>', 1, "2 translations, but 1 probabilities", "c"),
        ('<x translation="a"><zone>b</zone></x>', 20, "<zone> inside of <x>", "b"),
    ],
)
def test_a_tag_that_is_wrong_is_named_and_left_out(line: str, column: int, message: str, text: str) -> None:
    """The rest of the line is still used: its other tags and its text."""
    _, faults = parse_markup(line, str.split)
    assert faults[0].startswith(f"broken markup at character {column}: ")
    assert message in faults[0]
    for around in ("", '<x translation="good">好</x>'):
        sentence = MARKED["none"].read(f"{around} {line}")
        assert sentence.tokens == tuple(f"{'好' * bool(around)} {text}".split())
        assert message in sentence.fault
        assert [item.given.alternatives for item in sentence.given if item.given.alternatives[0][0] != ("a",)] == (
            [((("good",), 1.0),)] if around else []
        )


def test_several_faults_are_one_line() -> None:
    sentence = MARKED["none"].read('a</x> <x translation="b" prob="0">c</x> d</y>')
    assert sentence.fault == "broken markup at character 2: </x> closes a tag that is not open (and 2 more)"


def given_of(line: str, language: str = "none") -> list[tuple[int, int, tuple]]:
    return [(item.begin, item.end, item.given.alternatives) for item in MARKED[language].read(line).given]


def test_spans_nest() -> None:
    line = '<x translation="A">a <y translation="B" prob="2.5">b</y> c</x> d'
    assert given_of(line) == [(1, 2, ((("B",), 2.5),)), (0, 3, ((("A",), 1.0),))]
    assert MARKED["none"].read(line).fault == ""


def test_text_of_ampersands_and_comments() -> None:
    assert MARKED["none"].read("R&D &amp; &nosuch; <!-- <x> -->a").tokens == ("R&D", "&", "&nosuch;", "a")


def test_nested_spans_are_translated_in_every_way(translator) -> None:
    line = '<x translation="Ex">总统<y translation="Why">访问</y></x>北京。'
    options = TranslationOptions(markup="exclusive", nbest=1000, search="astar", distortion_limit=0, names=False)
    result = translator.translate_one(line, options)
    assert (result.fault, result.failure) == ("", "")
    spans = {tuple((p.begin, p.end) for p in c.phrases if p.words[0] in ("Ex", "Why")) for c in result.nbest}
    assert spans == {((0, 2),), ((1, 2),)}


def test_phrases_must_contain_what_is_given(translator) -> None:
    def best(line: str, **options) -> str:
        return translator.translate_one(line, TranslationOptions(markup="constraint", **options)).text

    free = translator.translate_one("总统访问北京。", TranslationOptions(search="astar", nbest=200))
    assert free.text != best('总统<x translation="visit">访问</x>北京。') or "visit" in free.text
    for words in ("visit", "visited", "to visit"):
        result = translator.translate_one(
            f'总统<x translation="{words}">访问</x>北京。', TranslationOptions(markup="constraint", nbest=50)
        )
        assert all(f" {words} " in f" {' '.join(c.words)} " for c in result.nbest)
    # A span without phrases uses the given translation alone.
    assert "Zorblax" in best('总统<x translation="Zorblax">访问</x>北京。')


def test_edges_part_words_and_quotation_marks_find_their_partners() -> None:
    """rjieba treats 北京大学 as one word; the two keyboard quotes form a pair although tags come between them."""
    sentence = MARKED["zh"].read('他说"<zone>北京</zone>大学"。')
    assert sentence.tokens == ("他", "说", "“", "北京", "大学", "”", "。")
    assert sentence.zones == ((3, 4),)
    sentence = MARKED["de"].read("Dr. <x translation='a b'>Mayer</x> geht<wall/> heim.")
    assert sentence.tokens == ("Dr.", "Mayer", "geht", "heim", ".")
    assert [(item.begin, item.end) for item in sentence.given] == [(1, 2)]
    assert sentence.walls == (3,)


def test_walls_at_edges_of_their_zone_part_nothing() -> None:
    zone = MARKED["none"].read("a <wall/> <zone> <wall/> b <wall/> c <wall/> </zone> d <wall/>")
    assert (zone.zones, zone.walls) == (((1, 3),), (1, 2))
    assert MARKED["none"].read("a <zone><wall/> </zone> b").zones == ()


@st.composite
def marked_lines(draw: st.DrawFn) -> tuple[str, list[str], set, set, set]:
    """A line with markup, its words, and given spans, zones and walls by word numbers."""
    words: list[str] = []
    spans, zones, walls = set(), set(), set()

    def block(depth: int) -> str:
        text, own_walls, start = "", [], len(words)
        for kind in draw(st.lists(st.sampled_from(["word", "word", "x", "wall", "zone"]), max_size=5)):
            begin = len(words)
            if kind == "wall":
                own_walls.append(begin)
                text += "<wall/>"
            elif kind == "zone" and depth < 3:
                text += f"<zone>{block(depth + 1)}</zone>"
                if begin < len(words):
                    zones.add((begin, len(words)))
            else:
                new = draw(st.lists(st.sampled_from(["a", "b&", "<c", "d"]), min_size=1, max_size=2))
                words.extend(new)
                inner = " ".join(new).replace("&", "&amp;").replace("<", "&lt;")
                if kind == "x":
                    spans.add((begin, len(words)))
                text += f"<x translation='t'>{inner}</x>" if kind == "x" else f" {inner} "
        walls.update(wall for wall in own_walls if start < wall < len(words))
        return text

    line = block(0)
    return line, words, spans, zones, walls


@given(marked_lines())
def test_markup_is_read_as_it_was_written(case: tuple) -> None:
    line, words, spans, zones, walls = case
    sentence = MARKED["none"].read(line)
    assert sentence.fault == ""
    assert list(sentence.tokens) == words
    assert {(item.begin, item.end) for item in sentence.given} == spans
    assert set(sentence.zones) == zones
    assert set(sentence.walls) == walls


_TAGS = "< > </ /> zone wall x & &lt; &amp; ; <zone> </zone> <wall/> </x> <b> ]]> <![CDATA[ <!-- --> <?a?>"
SIGNS = [*_TAGS.split(), *"\"'中. \ufdd0\uffff\0", " translation='a'", "<x translation='a'>", "<!DOCTYPE a>"]
SIGNS += ["www.a.b", "Mr.", "1,5", "百分之五", "3月5日"]


@given(st.sampled_from(["zh", "de", "none"]), st.lists(st.sampled_from(SIGNS), max_size=12).map("".join) | st.text())
def test_whatever_a_line_holds_it_is_read(language: str, line: str) -> None:
    """No text between the parts is lost; given spans are disjoint and within the sentence."""
    for markup in ("none", "exclusive"):
        options = {"entities": "exclusive"} if language == "zh" else {}
        sentence = reader_of(language, markup, **options).read(line)
        assert all(token.split() == [token] for token in sentence.tokens)
        covered = [i for item in sentence.given for i in range(item.begin, item.end)]
        assert len(covered) == len(set(covered))
        assert all(0 <= i < len(sentence.tokens) for i in covered)


READERS: dict[tuple, SentenceReader] = {}


def reader_of(language: str, markup: str, **options) -> SentenceReader:
    key = (language, markup, *options)
    if key not in READERS:
        READERS[key] = reader(language, markup=markup, **options)
    return READERS[key]


def random_markup(line_tokens: list[str], rng: random.Random) -> tuple[str, Orders, list[tuple[int, int, str]]]:
    """Zones, walls and forced spans at token boundaries; tokens are separated by spaces."""
    size = len(line_tokens)
    forced: list[tuple[int, int, str]] = []
    a, b = sorted(rng.sample(range(size + 1), 2))
    c, d = sorted(rng.sample(range(a, b + 1), 2)) if b - a > 2 else (a, b)
    wall = rng.randrange(size + 1)
    edges = {a, b, c, d, wall}
    before = dict.fromkeys(range(size + 1), "")
    for begin in (a, c):
        before[begin] += "<zone>"
    if rng.random() < 0.8:
        begin = rng.randrange(size)
        end = min([begin + rng.randint(1, 9), size, *(edge for edge in edges if edge > begin)])
        forced.append((begin, end, "Zorblax of Quux"))
    text = ""
    for i in range(size + 1):
        text += "</zone>" * [b, d].count(i)
        if wall == i:
            text += "<wall/>"
        text += before[i]
        if any(i == begin for begin, _, _ in forced):
            text += '<x translation="Zorblax of Quux">'
        text += f" {line_tokens[i]} ".replace("&", "&amp;").replace("<", "&lt;") if i < size else ""
        if any(i + 1 == end for _, end, _ in forced):
            text += "</x>"
    return text, Orders(((a, b), (c, d)), (wall,)), forced


@pytest.mark.parametrize(
    ("decoder", "search"), [(d, s) for d, names in SEARCHES_OF_DECODERS.items() for s in names if s != "bfs"]
)
def test_forced_spans_zones_and_walls_hold_in_translations(translator, decoder, search) -> None:
    rng = random.Random(f"{decoder} {search}")
    lines, expected = [], []
    while len(lines) < 12:
        tokens = next(translator.translate([rng.choice(LINES)])).source[:14]
        text, orders, forced = random_markup(list(tokens), rng)
        sentence = translator.reader(TranslationOptions(markup="exclusive")).read(text)
        assert sentence.fault == ""
        if sentence.tokens == tokens:  # rjieba agrees with the given word boundaries
            lines.append(text)
            expected.append((orders, forced))
    for limit in (0, 2, 6, None):
        options = TranslationOptions(
            decoder=decoder, search=search, markup="exclusive", distortion_limit=limit, nbest=3, max_states=3000
        )
        for result, (orders, forced) in zip(translator.translate(lines, options), expected, strict=True):
            assert (result.failure, result.fault) == ("", "")
            for item in result.nbest:
                path = [Option(p.begin, p.end, p.words, ()) for p in item.phrases]
                assert sorted(i for p in path for i in range(p.begin, p.end)) == list(range(len(result.source)))
                assert orders.keep(path, len(result.source))
                for begin, end, words in forced:
                    assert Option(begin, end, tuple(words.split()), ()) in path
                    assert words in result.text


def test_inclusive_translations_compete(translator) -> None:
    line = '<x translation="Zorblax||Quux" prob="1e-30||1e-20">总统</x>说。'
    (exclusive,) = translator.translate([line], TranslationOptions(markup="exclusive"))
    (inclusive,) = translator.translate([line], TranslationOptions(markup="inclusive"))
    assert "Quux" in exclusive.text
    assert not {"Zorblax", "Quux"} & set(inclusive.best.words)
    unknown = '<x translation="Zorblax">魑魅魍魉</x>说。'
    (inclusive,) = translator.translate([unknown], TranslationOptions(markup="inclusive"))
    assert "Zorblax" in inclusive.best.words
    assert exclusive.features["p_fe"] < math.log(1e-20)


def test_lines_of_a_thousand_words(translator) -> None:
    """A zone longer than a piece, forced spans across the usual split points, and every kind of limit."""
    word = "总统 "
    zones = f"<zone>{word * 100}<zone>{word * 400}</zone></zone>"
    line = f"{word * 150}{zones}<x translation='A B'>{word * 90}</x>{word * 260}"
    for limit in (6, None):
        options = TranslationOptions(markup="exclusive", distortion_limit=limit, pop_limit=30)
        (result,) = translator.translate([line], options)
        assert (result.failure, result.fault, len(result.source)) == ("", "", 1000)
        path = [Option(p.begin, p.end, p.words, ()) for p in result.phrases]
        assert Orders(((150, 650), (250, 650))).keep(path, 1000)
        assert Option(650, 740, ("A", "B"), ()) in path
    line = f"总统<x translation='A B'>{word * 1500}</x>说"
    (result,) = translator.translate([line], TranslationOptions(markup="exclusive"))
    assert (result.failure, len(result.source), result.source[1]) == ("", 3, "总统" * 1500)
    assert "A B" in result.text


@given(st.data())
def test_cuts(data: st.DataObject) -> None:
    """The pieces together are the line; no given span is split, and a split zone makes its edges split points."""
    size = data.draw(st.integers(0, 30))
    tokens = tuple(data.draw(st.sampled_from("ab，。")) for _ in range(size))
    line = "".join(tokens)
    text, a, b, c, d = line, *sorted(data.draw(st.integers(0, size)) for _ in range(4))
    text = " ".join(line[:a]) + "<zone>" + " ".join(line[a:b])
    text += f"<zone>{' '.join(line[b:c])}</zone>" if data.draw(st.booleans()) else ""
    text = f"{text} {' '.join(line[c:d])}</zone><wall/> {' '.join(line[d:])}"
    sentence = MARKED["none"].read(text)
    start = data.draw(st.integers(0, len(sentence.tokens)))
    if start < len(sentence.tokens):
        edges = [edge for zone in sentence.zones for edge in zone if edge > start]
        end = min([start + data.draw(st.integers(1, 12)), len(sentence.tokens), *edges])
        words = [*sentence.tokens]
        before, inner, behind = (" ".join(some) for some in (words[:start], words[start:end], words[end:]))
        given_line = MARKED["none"].read(f"{before}<x translation='t'>{inner}</x>{behind}")
        sentence = Sentence(sentence.tokens, given_line.given, sentence.zones, sentence.walls)
    longest = data.draw(st.integers(1, 12))
    pieces = sentence.split(longest)
    assert sum((piece.tokens for piece in pieces), ()) == sentence.tokens
    assert all(piece.tokens for piece in pieces) or not sentence.tokens
    cuts, at = {0}, 0
    walls, zones, spans = set(), set(), set()
    for piece in pieces:
        walls |= {at + wall for wall in piece.walls}
        zones |= {(at + begin, at + end) for begin, end in piece.zones}
        spans |= {(at + item.begin, at + item.end) for item in piece.given}
        at += len(piece.tokens)
        cuts.add(at)
    assert walls == set(sentence.walls) - cuts
    assert zones == {(a, b) for a, b in sentence.zones if not any(a < i < b for i in cuts)}
    assert spans == {(item.begin, item.end) for item in sentence.given}
    for item in sentence.given:
        assert not any(item.begin < i < item.end for i in cuts)
    for begin, end in sentence.zones:
        if any(begin < i < end for i in cuts):
            assert end - begin > longest
            assert {begin, end} <= cuts
    for piece in pieces:
        assert len(piece.tokens) <= longest or any(item.end - item.begin > 1 for item in piece.given)


def test_tags_without_markup_pass_through(translator) -> None:
    (result,) = translator.translate(["<b>总统</b>说<a href=\"http://x.y/?a=1,2\" title='a b'>。</a> 1 < 2 <br/>"])
    assert "<b>president</b>" in result.text.lower()
    assert ">.</a>" in result.text
    assert "<a href=\"http://x.y/?a=1,2\" title='a b'>" in result.text
    assert "<br/>" in result.text
    assert [p.unknown for p in result.phrases if p.words == ("<br/>",)] == [True]
    sentence = reader().read("<i>总统<br><b>说</i></b>")
    assert sentence.tokens == ("<i>", "总统", "<br>", "<b>", "说", "</i>", "</b>")
    assert (sentence.zones, sentence.walls) == (((0, 6),), (1, 5))
    marked = MARKED["zh"].read("&lt;b&gt;总统<zone>&lt;b&gt;说&lt;/b&gt;</zone>&lt;/b&gt;")
    assert set(marked.zones) == {(0, 6), (2, 5)}
    assert list(find_tags("1<2 and 3>2, <中文> <-> <>")) == []


@pytest.mark.slow
def test_many_tags_are_read_in_their_number() -> None:
    count = 20_000
    parts = with_zones([part for _, _, part in find_tags("<b>" * count + "</b>" * count)])
    zones = sum(part.edge is not None and part.edge.value == "zone begins" for part in parts)
    assert zones == count
    tokens = tuple("ab" * count)
    nested = tuple((i, len(tokens) - i) for i in range(count))
    pieces = Sentence(tokens, zones=nested, walls=tuple(range(1, count))).split(100)
    assert sum(len(piece.tokens) for piece in pieces) == len(tokens)
