"""Reordering models in Moses configurations: read with their weights, ignored, or refused."""

from math import log
from pathlib import Path

import pytest

from tests.reference.arpa import arpa_text
from widl.common.errors import InputError
from widl.pipeline.moses_model import MosesImport, import_moses_model
from widl.translation import TranslationOptions, Translator

TABLE = """\
a ||| A ||| 1 1 1 1
b ||| B ||| 1 1 0.5 1
b c ||| X ||| 1 1 1 1
c ||| C ||| 1 1 0.5 1
c |||  ||| 1 1 0.25 1
"""
# Backward monotone, swap, discontinuous; then forward.
SCORES = """\
a ||| A ||| 0.60 0.10 0.30 0.55 0.15 0.30
b ||| B ||| 0.20 0.70 0.10 0.25 0.65 0.10
b c ||| X ||| 0.40 0.35 0.25 0.45 0.05 0.50
c |||  ||| 0.50 0.40 0.10 0.15 0.25 0.60
c ||| C ||| 0.12 0.28 0.60 0.22 0.38 0.40
"""
LM = arpa_text(["-1\t<unk>", "-99\t<s>", "-1\t</s>", "-1\tA", "-1\tB", "-1\tC", "-1\tX"])
TYPE = "wbe-msd-bidirectional-fe-allff"
INI = f"""\
[feature]
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=table
LexicalReordering name=LexicalReordering0 num-features=6 type={TYPE} input-factor=0 output-factor=0 path=scores
Distortion
KENLM name=LM0 path=lm.arpa
[weight]
WordPenalty0= 0
PhrasePenalty0= 0
TranslationModel0= 0 0 0 0
LexicalReordering0= 0.3 0.4 0.5 0.6 0.7 0.8
Distortion0= 0
LM0= 0
"""
# Scores of Moses' hypotheses: the first phrase is monotone if it begins the sentence, otherwise discontinuous; each
# later one counts its own backward score and the forward score of the one before; the last phrase's forward score is
# not counted.
ORDERS = {
    "A B C": [0.60 * 0.20 * 0.12, 1, 1, 0.55 * 0.25, 1, 1],
    "B C A": [0.12, 1, 0.10 * 0.30, 0.25, 1, 0.40],
    "C B A": [1, 0.70 * 0.10, 0.60, 1, 0.38 * 0.65, 1],
    "X A": [1, 0.10, 0.25, 1, 0.05, 1],
    # The empty translation of c between B and A.
    "B A": [0.50, 1, 0.10 * 0.30, 0.25, 1, 0.60],
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("table", TABLE),
        ("scores", SCORES),
        ("lm.arpa", LM.replace("1=7", "1=7\nngram 2=1").replace("\\end\\", "\\2-grams:\n-1\t<s> A\n\n\\end\\")),
    ):
        Path(name).write_text(text, encoding="utf-8")


def imported(ini: str) -> MosesImport:
    Path("moses.ini").write_text(ini, encoding="utf-8")
    return import_moses_model("moses.ini", "model")


@pytest.mark.parametrize("search", ["astar", "stack"])
def test_scores_are_those_of_moses_by_hand(search: str) -> None:
    assert imported(INI).left_out == []
    translator = Translator("model")
    options = TranslationOptions(
        tokenized=True,
        table_threshold=0,
        nbest=1000,
        distinct=False,
        search=search,
        decoder="stack" if search == "stack" else "widl",
    )
    result = [item for item in translator.translate_one("a b c", options).nbest if len(item.phrases) > 1]
    checked = set()
    for item in result:
        text = " ".join(item.words)
        # Select the derivation of "B A" that translates c second.
        if text in ORDERS and (text != "B A" or [phrase.begin for phrase in item.phrases] == [1, 2, 0]):
            scores = [log(p) for p in ORDERS[text]]
            assert list(item.features.values())[-6:] == pytest.approx(scores, abs=1e-6)
            weights = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
            assert item.score == pytest.approx(sum(w * h for w, h in zip(weights, scores, strict=True)), abs=1e-4)
            checked.add(text)
    assert checked == set(ORDERS)


@pytest.mark.parametrize("kind", ["leftright-bidirectional-fe", "hier-msd-bidirectional-fe", "msd-fe", ""])
def test_what_is_left_out(kind: str) -> None:
    messages = "moses.ini:5: left out: LexicalReordering0: widl has one reordering model, msd-bidirectional-fe"
    assert imported(INI.replace(TYPE, kind)).left_out == [messages]
    translator = Translator("model")
    assert not any(name.endswith("ward") for name in translator.features)


def test_a_second_model_and_a_second_table() -> None:
    second = INI.replace(
        "Distortion\n",
        f"LexicalReordering name=Other num-features=6 type={TYPE} path=scores\nDistortion\n"
        "PhraseDictionaryMemory name=More num-features=4 path=table\n",
        1,
    ).replace("Distortion0=", "Other= 1 1 1 1 1 1\nMore= 0 0 0 0\nDistortion0=")
    assert imported(second).left_out == [
        "moses.ini:6: left out: Other: widl has one reordering model, msd-bidirectional-fe",
    ]


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("moses.ini", "path=scores", "path=nowhere", "moses.ini:5: no such file: nowhere"),
        ("moses.ini", " 0.8", "", "moses.ini:5: LexicalReordering0 needs 6 weights, but has 5"),
        (
            "scores",
            " 0.10\n",
            "\n",
            "scores:2: expected the 6 scores of msd-bidirectional-fe, the only reordering model that is read, found 5",
        ),
    ],
)
def test_what_makes_no_model(file: str, old: str, new: str, message: str) -> None:
    texts = {"moses.ini": INI, "scores": SCORES}
    texts[file] = texts[file].replace(old, new, 1)
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")
    before = sorted(Path().iterdir())
    with pytest.raises(InputError) as caught:
        import_moses_model("moses.ini", "model")
    assert str(caught.value) == message
    assert sorted(Path().iterdir()) == before
