"""Pairs that are useless for training, and odd-looking pairs that are not."""

from pathlib import Path

import py3langid.langid
import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.phrase_table.bitext import prepare_bitext
from widl.text.cleaning import Cleaning, content_faults, in_language
from widl.text.language_identification import LanguageIdentifier
from widl.text.source_and_target import TextSettings

CHINESE = "政府批准了这个计划。"
ENGLISH = "The government has approved the plan."


def fault(source: str, target: str, languages: str = "zh-en") -> str | None:
    return content_faults([(source, target)], *languages.split("-"))[0]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (CHINESE, ENGLISH, None),
        (CHINESE, "The gov\ufffdrnment", "broken characters"),
        ("æ”¿åºœæ‰¹å‡†äº†è¿™ä¸ªè®¡åˆ’ã€‚", ENGLISH, "broken characters"),
        (CHINESE, "A cafÃ© in Paris", "broken characters"),
        (CHINESE, CHINESE, "copy"),
        ("COVID-19 2020", "COVID-19 2020", "source not zh"),
        ("iPhone mini 的", ENGLISH, None),
        ("政府はこの計画を承認しました。", ENGLISH, "source not zh"),
        ("정부는 이 계획을 승인했다.", ENGLISH, "source not zh"),
        (CHINESE, "Правительство одобрило план.", "target not en"),
        (CHINESE, "Die Regierung hat dem neuen Plan gestern endlich zugestimmt.", "target not en"),
        ("12 345 678 901 ......", "1,234 | 56,789 | 2,345", "few letters"),
        (CHINESE, "| --- | --: | 12 | 34 | 5 a", "few letters"),
        (CHINESE, "https://example.org/some/page?with=letters", "few letters"),
        ("2019年5月3日至12日，纽约", "New York, 3-12 May 2019", None),
        (CHINESE, 'She wrote "政府" (zhengfu), the government.', None),
        ("<b>政府</b>批准了这个计划", "<b>The government</b> approved the plan", None),
    ],
)
def test_by_hand(source: str, target: str, expected: str | None) -> None:
    assert fault(source, target) == expected


def test_names_may_be_copied_in_an_alphabet_but_not_sentences() -> None:
    assert fault("New York", "New York", "de-en") is None
    assert fault("Der Plan ist gut", "Der Plan ist gut", "de-en") == "copy"
    assert fault("a b", "你好", "none-en") == "target not en"
    assert fault("a b", "你好", "none-none") is None


def test_scripts_of_other_alphabets() -> None:
    russian = ["Правительство одобрило план Windows.", "The plan", "1999", ""]
    assert in_language(russian, "ru") == [True, False, True, True]
    assert in_language(["Η κυβέρνηση ενέκρινε το σχέδιο.", "Правительство одобрило"], "el") == [True, False]
    assert in_language([], "el") == []


@pytest.fixture(scope="module")
def identifiers() -> tuple[LanguageIdentifier, py3langid.langid.LanguageIdentifier]:
    """Our identifier and py3langid's, which has two names for Serbian."""
    languages = ["de", "en", "fr", "ru", "sr"]
    theirs = py3langid.langid.LanguageIdentifier.from_model_file(py3langid.langid.MODEL_FILE, norm_probs=True)
    theirs.set_languages(languages)
    return LanguageIdentifier(languages), theirs


@given(lines=st.lists(st.text(max_size=40) | st.sampled_from(["", "Der Plan ist gut.", "LE PLAN", "the plan", "план"])))
def test_lines_together_are_identified_as_py3langid_identifies_each(identifiers, lines: list[str]) -> None:
    ours, theirs = identifiers
    probabilities = ours.probabilities(lines)
    assert probabilities.shape == (len(lines), len(ours.languages))
    for line, row in zip(lines, probabilities, strict=True):
        first_names = reversed(list(zip(ours.languages, row, strict=True)))
        assert dict(first_names) == pytest.approx(dict(theirs.rank(line)), abs=1e-4)


def test_languages_of_real_lines(identifiers, shared_data: Path) -> None:
    ours, theirs = identifiers
    lines = (shared_data / "mt/dev/dev.en").read_text(encoding="utf-8").splitlines()[:600]
    best = ours.probabilities(lines).argmax(axis=1)
    assert [ours.languages[place] for place in best] == [theirs.classify(line)[0] for line in lines]


def test_real_pairs_stay(shared_data: Path) -> None:
    """Published test sets: none of 1,012 + 1,997 good pairs is dropped."""
    for name in ("flores", "ntrex"):
        sides = [(shared_data / f"mt/test/{name}.{side}").read_text(encoding="utf-8") for side in ("zh", "en")]
        for source, target in zip(*(side.splitlines() for side in sides), strict=True):
            assert fault(source, target) is None, (source, target)
            assert fault(target, source) is not None


@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from(["zh-en", "de-ru", "none-none", "el-fr"]))
def test_any_text_is_judged(source: str, target: str, languages: str) -> None:
    source_language, target_language = languages.split("-")
    wrong = {f"source not {source_language}", f"target not {target_language}"}
    assert fault(source, target, languages) in {None, "broken characters", "copy", "few letters", *wrong}


def test_faults_are_counted_and_may_be_ignored(tmp_path: Path) -> None:
    (tmp_path / "a.zh").write_text(f"{CHINESE}\n{ENGLISH}\n{CHINESE}\n\n", encoding="utf-8")
    (tmp_path / "a.en").write_text(f"{ENGLISH}\n{ENGLISH}\n{CHINESE}\n\n", encoding="utf-8")
    report = prepare_bitext([tmp_path / "a"], tmp_path / "w").report
    assert report.dropped == {"copy": 2, "empty": 1}
    assert report.kept == 1
    report = prepare_bitext([tmp_path / "a"], tmp_path / "w", cleaning=Cleaning(content=False)).report
    assert (report.kept, report.dropped) == (3, {"empty": 1})
    blanks = TextSettings(source_language="none", target_language="none")
    assert prepare_bitext([tmp_path / "a"], tmp_path / "w", settings=blanks).report.dropped == {"copy": 2, "empty": 1}
