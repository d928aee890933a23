"""Models from Moses configurations: supported parts, ignored parts, and errors."""

import math
from pathlib import Path

import pytest

from tests.refusals import Change, assert_refused, changes
from widl.common.errors import InputError
from widl.pipeline.moses_model import import_moses_model
from widl.text.source_and_target import TextSettings
from widl.translation import TranslationOptions, Translator

TABLE = """\
das haus ||| the house ||| 1 0.375 1 0.45 ||| 0-0 1-1 ||| 1 1 1
das ||| it ||| 0.5 0.5 0.2 0.15 ||| 0-0 ||| 4 10 2
das ||| the ||| 0.75 0.5 0.6 1e-04 ||| 0-0 ||| 8 10 6
das |||  ||| 0.25 0.5 0.2 0.6 |||  ||| 8 10 2
haus ||| house ||| 1 0.75 0.75 0.75 ||| 0-0 ||| 3 4 3
&apos;s ||| &apos;s ||| 1 1 1 1 ||| 0-0 ||| 3 4 3
"""
SECOND = "klein ||| small ||| 0.5\nklein ||| little ||| 0.25\ndas ||| this ||| 0.5\n"
# Header in IRSTLM's format.
LM = """
\\data\\
ngram  1=         6
ngram  2=         2

\\1-grams:
-1.0\t<unk>
-1.5\t<s>\t-0.3
-0.9\t</s>
-0.7\tthe\t-0.2
-0.8\thouse
-1.2\tsmall\t-0.1

\\2-grams:
-0.2\t<s> the
-0.3\tthe house

\\end\\
"""
INI = """\
# made by hand
[input-factors]
0
[mapping]
0 T 0
1 T 1
[distortion-limit]
4
[verbose]
1
[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=table.txt input-factor=0 table-limit=30
PhraseDictionaryMemory name=TranslationModel1 num-features=1 path=second.txt input-factor=0 output-factor=0
LexicalReordering name=LexicalReordering0 num-features=6 type=leftright-bidirectional-fe-allff path=reordering
Distortion
KENLM lazyken=0 name=LM0 factor=0 path=lm.arpa order=2
[weight]
UnknownWordPenalty0= 1
WordPenalty0= -1
PhrasePenalty0= 0.2
TranslationModel0= 0.2 0.1 0.3 0.15  # a remark
TranslationModel1= 0.7
LexicalReordering0= 0.3 0.3 0.3 0.3 0.3 0.3
Distortion0= 0.3
LM0= 0.5
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("table.txt", TABLE), ("second.txt", SECOND), ("lm.arpa", LM), ("moses.ini", INI)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def of_ini(folder: Path, content: str, **settings) -> tuple[Path, list[str]]:
    (folder / "moses.ini").write_text(content, encoding="utf-8")
    result = import_moses_model(folder / "moses.ini", folder / "model", overwrite=True, **settings)
    return folder / "model", [line.removeprefix(f"{folder}/") for line in result.left_out]


TOKENS = TranslationOptions(
    tokenized=True, table_threshold=0, unknown="copy", nbest=1000, distinct=False, search="astar"
)


def test_what_is_left_out_is_told(folder: Path) -> None:
    _, left_out = of_ini(folder, INI.replace("KENLM", "OpSequenceModel name=OSM0\nKENLM"))
    assert left_out == [
        "moses.ini:17: left out: LexicalReordering0: widl has one reordering model, msd-bidirectional-fe",
        "moses.ini:19: left out: OSM0: a feature that widl lacks",
    ]


def test_scores_are_those_of_moses_by_hand(folder: Path) -> None:
    """the |0| small |1| house |2| xyz |3|: Σ w h as Moses' features have it."""
    model, _ = of_ini(folder, INI)
    nbest = Translator(model).translate_one("das klein haus xyz", TOKENS).nbest
    result = {" ".join(c.words): c for c in reversed(nbest)}  # the best of each string
    candidate = result["the small house xyz"]
    ln = math.log
    table = 0.2 * (ln(0.75) + ln(1)) + 0.1 * (ln(0.5) + ln(0.75)) + 0.3 * (ln(0.6) + ln(0.75))
    table += 0.15 * (ln(1e-4) + ln(0.75))
    # <s> the, the small backed off, small house backed off, house xyz: without a back-off weight; xyz </s>.
    lm = ln(10) * (-0.2 + (-0.2 - 1.2) + (-0.1 - 0.8) + -1.0 + -0.9)
    other = 0.7 * ln(0.5) + 0.5 * lm + 0.2 * 4 + 4 - 100
    assert candidate.score == pytest.approx(table + other, abs=1e-5)
    assert [p.words for p in result["small house xyz"].phrases] == [(), ("small",), ("house",), ("xyz",)]
    assert result["house small the xyz"].features["distortion"] == -(2 + 2 + 2 + 2)


def test_the_options_that_it_writes(folder: Path) -> None:
    of_ini(folder, INI)
    assert (folder / "model.toml").read_text().splitlines()[1:] == [
        "tokenized = true",
        "table_threshold = 0.0",
        "table_limit = 30",
        "distortion_limit = 4",
        'unknown = "copy"',
    ]


def test_a_table_that_backs_off(folder: Path) -> None:
    model, _ = of_ini(folder, f"{INI}[decoding-graph-backoff]\n0\n1\n")
    texts = {c.text for c in Translator(model).translate_one("das klein", TOKENS).nbest}
    assert texts == {
        "the small",
        "small the",
        "it small",
        "small it",
        "small",
        "the little",
        "little the",
        "it little",
        "little it",
        "little",
    }
    model, _ = of_ini(folder, INI)
    assert "this small" in {c.text for c in Translator(model).translate_one("das klein", TOKENS).nbest}


def test_escapes(folder: Path) -> None:
    settings = TextSettings(source_language="none", target_language="none", moses_escapes=True)
    model, _ = of_ini(folder, INI, text=settings)
    translator = Translator(model)
    for line in ("das haus 's", "das haus &apos;s"):
        assert translator.translate_one(line).source == ("das", "haus", "&apos;s")
        assert translator.translate_one(line).text == "The house's"
        assert translator.translate_one(line, TranslationOptions(tokenized=True)).text == "the house &apos;s"


@changes(
    ("[verbose]", "[verbose", r"moses.ini:9: expected a section like \[feature\], found '\[verbose'"),
    ("path=lm.arpa", "", "moses.ini:19: LM0 has no path="),
    ("LM0= 0.5", "LM0= x", "moses.ini:28: expected a number, found 'x'"),
    ("num-features=1", "num-features=2", "moses.ini:16: TranslationModel1 needs 2 weights, but has 1"),
    ("input-factor=0", "input-factor=0,1", "moses.ini:15: TranslationModel0: a table of factors, which widl lacks"),
    ("Memory", "OnDisk", "moses.ini:15: TranslationModel0: PhraseDictionaryOnDisk can't be read"),
    ("PhraseDictionaryMemory", "ProbingPT", "moses.ini:15: TranslationModel0: ProbingPT can't be read"),
    ("PhraseDictionaryMemory", "Mmsapt", "moses.ini:15: TranslationModel0: Mmsapt can't be read; name the table's"),
    ("[verbose]\n1", "[search-algorithm]\n3", "moses.ini:10: search algorithm 3 uses rules; widl translates with"),
)
def test_a_configuration_that_makes_no_model(folder: Path, change: Change, monkeypatch) -> None:
    monkeypatch.chdir(folder)
    Path("moses.ini").write_text(INI, encoding="utf-8")
    before = sorted(folder.iterdir())
    assert_refused(Path("moses.ini"), change, lambda: import_moses_model("moses.ini", "model"))
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("second.txt", "0.25", "0.25 1", "second.txt:2: expected 1 scores, as on line 1, found 2"),
        ("lm.arpa", "\t</s>", "\tx", "lm.arpa:14: the 1-grams lack </s>"),
    ],
)
def test_bad_files(folder: Path, name: str, old: str, new: str, message: str, monkeypatch) -> None:
    monkeypatch.chdir(folder)
    Path(name).write_text((folder / name).read_text().replace(old, new), encoding="utf-8")
    before = sorted(folder.iterdir())
    with pytest.raises(InputError) as caught:
        import_moses_model("moses.ini", "model")
    assert str(caught.value) == message
    assert sorted(folder.iterdir()) == before


def test_an_import_that_is_done_says_so(folder: Path) -> None:
    """Repeating the command is no error: it adds missing files and keeps edited ones."""
    result = import_moses_model(folder / "moses.ini", folder / "model")
    text = (folder / "model.toml").read_text()
    assert import_moses_model(folder / "moses.ini", folder / "model") == result
    (folder / "model.toml").unlink()  # killed between the two
    assert import_moses_model(folder / "moses.ini", folder / "model") == result
    assert (folder / "model.toml").read_text() == text
    (folder / "model.toml").write_text("mine\n", encoding="utf-8")
    assert import_moses_model(folder / "moses.ini", folder / "model") == result
    assert (folder / "model.toml").read_text() == "mine\n"
    (folder / "moses.ini").write_text((folder / "moses.ini").read_text().replace("0.2", "0.3") + "\n")
    with pytest.raises(InputError, match="add --overwrite"):
        import_moses_model(folder / "moses.ini", folder / "model")


def test_options_of_the_same_name_stay(folder: Path) -> None:
    (folder / "model.toml").write_text("mine\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"model\.toml: exists, where the model's options go; add --overwrite"):
        import_moses_model(folder / "moses.ini", folder / "model")
    assert (folder / "model.toml").read_text() == "mine\n"
    assert not (folder / "model").exists()
