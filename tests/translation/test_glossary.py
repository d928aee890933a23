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
