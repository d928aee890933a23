"""Glossaries, entities, unknown words, folded movement, several language models."""

import gzip
import json
import math
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.common.errors import InputError
from widl.decoder import LanguageModel, default_translation_weights, format_weights
from widl.decoder.features import REORDERING_FEATURES
from widl.decoder.lm_estimation import estimate_language_model
from widl.pipeline.demo import sample_corpus
from widl.text.source_and_target import SourceText, TargetText, TextSettings
from widl.text.truecasing import Truecaser
from widl.text.word_pieces import splits_word
from widl.translation import SentenceReader, TranslationOptions, Translator
from widl.translation.entities import chinese_number, find_entities
from widl.translation.glossary import Glossary
from widl.translation.line_parts import GivenTranslations
from widl.translation.manifest import read_manifest

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()


def read_glossary(path, **options) -> Glossary:
    return Glossary.read(path, normalize=str.strip, split=str.split, **options)


def found(glossary: Glossary, text: str) -> list[str]:
    return [text[begin:end] for begin, end, _ in glossary.find(text)]


@given(
    st.sets(st.text("ab1中国", min_size=1, max_size=4), max_size=6),
    st.text("ab1中国，", max_size=15),
)
def test_the_longest_term_at_each_place(terms: set[str], text: str) -> None:
    """Compares with the definition: left to right, the longest term that begins at a position and splits no word."""
    glossary = Glossary({term: GivenTranslations.evenly([[term]], exclusive=True) for term in terms})
    expected, at = [], 0
    while at < len(text):
        here = [t for t in terms if text.startswith(t, at)]
        fits = [t for t in here if not (splits_word(text, at) or splits_word(text, at + len(t)))]
        if fits:
            expected.append(max(fits, key=len))
            at += len(expected[-1])
        else:
            at += 1
    assert found(glossary, text) == expected


def test_a_glossary_file(tmp_path) -> None:
    path = tmp_path / "terms.tsv.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("北京\tBeijing\n\n北京大学\tPeking University\tBeida\r\n")
    glossary = read_glossary(path)
    assert len(glossary) == 2
    ((begin, end, part),) = glossary.find("在北京大学")
    assert (begin, end) == (1, 5)
    assert part.given == GivenTranslations(((("Peking", "University"), 0.5), (("Beida",), 0.5)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\n北京 Beijing\n", "terms.tsv:2: expected 'source<TAB>translation[<TAB>translation…]', nothing of it"),
        ("北京\t\n", "terms.tsv:1: expected 'source<TAB>translation"),
        ("北京\ta\nx\ty\n 北京\tb\n", "terms.tsv:3: '北京' is in line 1 already; put all its translations in one line"),
    ],
)
def test_bad_lines_of_a_glossary_are_named(tmp_path, text, message) -> None:
    path = tmp_path / "terms.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        read_glossary(path)


def test_terms_split_no_word_with_signs() -> None:
    glossary = Glossary(
        {term: GivenTranslations.evenly([[term]], exclusive=True) for term in ("AI", "C", "O", "T", "北京")}
    )
    assert found(glossary, "C++、C#、O'Brien、AT&T、#AI、@AI、AI_x") == []
    assert found(glossary, "AI、AI-3、C/O，T北京+AI。") == ["AI", "AI", "C", "O", "T", "北京", "AI"]


def test_terms_in_translations(translator, tmp_path) -> None:
    """Terms are found across rjieba's word boundaries, in full-width text, outside given spans; case is kept."""
    path = tmp_path / "terms.tsv"
    path.write_text("统说\tmcZorblax of QUUX\nＡＩ\tartificial Intelligence\n总统\tboss\n", encoding="utf-8")
    options = TranslationOptions(glossary=path, markup="exclusive")
    lines = ["总统说。", "统说AI，ＡＩ，FAIR", '<x translation="Foo">总统</x>说<zone>AI。</zone>']
    boss, zorblax, marked = translator.translate(lines, options)
    assert [p.words for p in boss.phrases if p.begin == 0] == [("boss",)]
    assert zorblax.text.startswith("mcZorblax of QUUX")
    assert zorblax.text.count("artificial Intelligence") == 2
    assert "FAIR" in zorblax.text
    assert "Foo" in marked.text
    assert "boss" not in marked.text
    assert "rtificial Intelligence" in marked.text
    (alone,) = translator.translate(["总统"], options)
    assert alone.best.words == ["boss"]


# Forms besides those of `spelled`.
NUMBERS = {
    "两万亿": 2 * 10**12, "三百五": 350, "两千三": 2300, "一万二": 12_000, "三亿五": 350_000_000, "十万三": 103_000,
    "三万二千五": 32_500, "两千零五": 2005, "十二": 12, "二十点五": 20.5, "1,234.5": 1234.5, "零": 0,
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), NUMBERS.items())
def test_chinese_numbers(text, value) -> None:
    assert float(chinese_number(text)) == value


LONG = ["万亿" * 5000, "一亿" + "亿" * 800, "1" * 40 + "亿", "1" * 5000, "9" * 20 + "多万亿"]


@pytest.mark.parametrize("number", [*LONG, *("百分之" + number for number in LONG)])
@pytest.mark.parametrize("counted", ["", "公里", "元"])
def test_endless_numbers_stay_as_they_are(number: str, counted: str) -> None:
    assert not [part for _, _, part in find_entities(f"{number}{counted}。")]


@pytest.mark.parametrize("text", ["三五", "百", "千万", "万一", "十十", "百千", "一十百", "亿", "零百", "三万五万"])
def test_what_is_no_number(text) -> None:
    assert chinese_number(text) is None


def spelled(value: int) -> str:
    """A number below 10^12 in Chinese, with 零 for each skipped place."""

    def four(n: int) -> str:
        text, gap = "", False
        for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
            digit = n // unit % 10
            if digit:
                text += ("零" if gap and text else "") + "一二三四五六七八九"[digit - 1] + name
            gap = not digit
        return text

    text = ""
    for unit, name in ((10**8, "亿"), (10**4, "万"), (1, "")):
        group = value // unit % 10**4
        if group:
            text += ("零" if text and group < 1000 else "") + four(group) + name
    return text or "零"


@given(st.integers(0, 10**12 - 1) | st.integers(0, 9999))
def test_numbers_are_read_as_they_are_spelled(value: int) -> None:
    assert chinese_number(spelled(value)) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("二〇一九年三月五日", ["March 5 , 2019"]),
        ("2019年12月31号的", ["December 31 , 2019"]),
        ("2019年3月", ["March 2019"]),
        ("十月二十一日", ["October 21"]),
        ("3月5日至7日", ["March 5"]),
        ("元月三十日，巴黎3月18日电", ["January 30", "March 18"]),
        ("百分之二十点五和百分之3", ["20.5 percent", "3 percent"]),
        ("3.5万人，1200万，12亿，3.25万亿", ["35,000 people", "12 million", "1.2 billion", "3.25 trillion"]),
        ("三百五十位，一人", ["350", "one person"]),
        ("12,345万", ["123.45 million"]),
        ("1.2345678亿", ["123,456,780"]),
        ("三万多，19万余人次，30多亿", ["more than 30,000", "more than 190,000 visits", "more than 3 billion"]),
        ("一百余名，20多", ["more than 100", "more than 20"]),
        ("5,000亿日圆，3亿年", ["500 billion yen", "300 million"]),
        ("三斤，十五公里，1米，0.5米", ["three jin", "15 kilometers", "1 meter", "0.5 meters"]),
        # No numbers, or only numbers within words.
        ("周一天气，一次性，第三天，三个，一多半，很多，几千多", []),
        ("十分，千万，万一，一些，三五个，第十二届，二十一世纪，几十万，十几，百分之百万分", []),
        ("三分之二十，5，,百分之二十", []),
        ("2019年代，13月5日，3月，2019年", []),
    ],
)
def test_entities(text, expected) -> None:
    given = [part.given for _, _, part in find_entities(text)]
    assert [" ".join(item.alternatives[0][0]) for item in given] == expected
    for item in given:
        others = {" ".join(words) for words, _ in item.alternatives[1:]}
        date = re.match(r"[A-Z][a-z]+ (\d{4}$)?", (plain := " ".join(item.alternatives[0][0])))
        if plain.startswith("more than"):
            assert plain.replace("more than", "over") in others
            continue
        assert others == ({f"{'in' if date[1] else 'on'} {plain}"} if date else set())


@given(st.text("0123456789〇一二十百千万亿年月日号点%百分之，,.第", max_size=12))
def test_entities_whatever_the_text(text) -> None:
    last = 0
    for begin, end, part in find_entities(text):
        assert last <= begin < end <= len(text)
        assert all(word.isascii() and word for words, _ in part.given.alternatives for word in words)
        last = end


def test_entities_in_translations(translator) -> None:
    (result,) = translator.translate(["总统2019年3月5日说，百分之二十。"])
    assert "March 5, 2019" in result.text
    assert "20 percent" in result.text
    (result,) = translator.translate(["总统1949年3月5日说。"])
    assert "March 5, 1949" in result.text
    (result,) = translator.translate(["总统1949年3月5日说。"], TranslationOptions(entities="none"))
    assert "March 5, 1949" not in result.text
    german = TextSettings(source_language="de")
    with pytest.raises(InputError, match="entity rules exist for zh to en only"):
        SentenceReader(SourceText(german), TargetText(german, Truecaser({})), entities="constraint")


def test_unknown_words(translator) -> None:
    """Only words of the source language are dropped or marked; names and addresses are kept."""
    line = "总统魑魅说Zorblax-9，a@b.org。"
    texts = {}
    for unknown in ("copy", "drop", "mark"):
        (result,) = translator.translate([line], TranslationOptions(unknown=unknown))
        texts[unknown] = result.text
        assert "Zorblax-9" in result.text
        assert "a@b.org" in result.text
    assert "魑" in texts["copy"]
    assert not re.search("[魑魅]", texts["drop"])
    assert re.search("UNK魑", texts["mark"])
    given = TranslationOptions(markup="exclusive", unknown="drop")
    (result,) = translator.translate(['总统<x translation="魑魅">说</x>'], given)
    assert "魑魅" in result.text
    with pytest.raises(InputError, match="unknown: expected one of 'pinyin', 'copy', 'drop' or 'mark', found 'no'"):
        TranslationOptions(unknown="no")  # type: ignore[arg-type]


def test_folded_movement(trained, translator) -> None:
    """Same translations as with a movement feature that replaces the weighted WIDL features."""
    shared = {"p_fe": 0.1, "p_ef": 0.04, "lex_fe": 0.03, "lex_ef": 0.02}
    weights, cost = translator.weights | shared, -math.log(0.6)
    item = translator.reweighted(weights | {"distortion": cost * sum(shared.values())})
    folded = {name: value for name, value in weights.items() if name != "distortion"}
    other = Translator(trained, weights=folded, distortion="folded")
    options = TranslationOptions(nbest=5)
    moved = False
    for a, b in zip(item.translate(LINES, options), other.translate(LINES, options), strict=True):
        assert a.texts == b.texts
        assert a.score == pytest.approx(b.score, rel=1e-9)
        for x, y in zip(a.nbest, b.nbest, strict=True):
            assert list(y.features) == other.features == [name for name in item.features if name != "distortion"]
            assert y.features["lex_ef"] == pytest.approx(
                x.features["lex_ef"] + cost * x.features["distortion"], rel=1e-6
            )
            moved = moved or x.features["distortion"] < 0
    assert moved
    with pytest.raises(InputError, match="unknown feature 'distortion'"):
        Translator(trained, weights=weights, distortion="folded")
    with pytest.raises(InputError, match="distortion is own or folded, not 'both'"):
        Translator(trained, distortion="both")


def test_no_distortion_limit(translator) -> None:
    """Any order is allowed; exact search scores at least as high as with a limit, and reports its proof."""
    options = {"search": "astar", "max_states": 20_000}
    free = list(translator.translate(LINES[:15], TranslationOptions(distortion_limit=None, **options)))
    near = list(translator.translate(LINES[:15], TranslationOptions(distortion_limit=2, **options)))
    assert all(not (f.optimal and f.score < n.score - 1e-6) for f, n in zip(free, near, strict=True))
    assert any(f.optimal for f in free)
    for decoder in ("widl", "stack"):
        found = list(translator.translate(LINES[:15], TranslationOptions(distortion_limit=None, decoder=decoder)))
        assert all(f.score <= item.bound + 1e-6 for f, item in zip(found, free, strict=True))


@pytest.fixture
def second_lm(tmp_path):
    text = tmp_path / "news.text"
    text.write_text("the president said .\nthe police said the driver left .\n" * 5, encoding="utf-8")
    estimate_language_model([text], tmp_path / "news.arpa", order=2)
    return tmp_path / "news.arpa"


def test_a_further_language_model(trained, second_lm, tmp_path) -> None:
    weights = tmp_path / "two.toml"
    weights.write_text(format_weights(default_translation_weights(2)))
    two = Translator(copy_of(trained, tmp_path, "two"), weights=weights, language_models=[second_lm])
    assert two.features.index("lm1") == two.features.index("lm0") + 1
    (result,) = two.translate(["总统说。"], TranslationOptions(nbest=2))
    own = trained / read_manifest(trained).language_models[0]
    scores = [LanguageModel.load(path).score_words(result.best.words) for path in (own, second_lm)]
    assert result.features["lm0"] == pytest.approx(sum(scores[0]), abs=1e-4)
    assert result.features["lm1"] == pytest.approx(sum(scores[1]), abs=1e-4)
    assert result.score == pytest.approx(sum(two.weights[name] * h for name, h in result.features.items()), rel=1e-6)
    with pytest.raises(InputError, match="no weight for lm1"):
        Translator(trained, language_models=[second_lm])


def copy_of(trained: Path, tmp_path: Path, name: str) -> Path:
    return Path(shutil.copytree(trained, tmp_path / name))


@pytest.mark.slow
def test_on_the_command_line(run, model, tmp_path) -> None:
    source, terms = tmp_path / "a.zh", tmp_path / "terms.tsv"
    source.write_text('<x translation="Foo">总统</x>说。\n总统<zone>说。\n统说\n', encoding="utf-8")
    terms.write_text("统说\tBar\n", encoding="utf-8")
    named = default_translation_weights(1)
    code, out, err = run("translate", model, source, "--markup", "exclusive", "--glossary", terms, "--json")
    assert code == 1
    foo, broken, bar = map(json.loads, out.splitlines())
    assert foo["phrases"][0]["words"] == ["Foo"]
    of_chinese = ["name", "pinyin", "rule", "split"]
    expected = [*list(named)[:4], *of_chinese, *list(named)[4:], *REORDERING_FEATURES, "crossing"]
    assert list(foo["features"]) == expected
    assert broken["fault"].startswith("broken markup at character ")
    assert bar["text"] == "Bar"
    assert "fault" not in foo
    assert err.splitlines() == [
        f"{source}:2: {broken['fault']}",
        "1 line with broken markup; the broken tags were ignored",
    ]
    code, out, _ = run("translate", copy_of(model, tmp_path, "plain"), stdin="总统<zone>说。\n")
    assert (code, "<zone>" in out) == (0, True)
