"""`widl headline` from documents to headlines, on made-up news."""

import gzip
import json
import shutil
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.command import refused
from tests.core_options import plain_weights, search_options
from tests.pipeline.news import stories, write_stories
from widl.cli.headline import _located
from widl.common.errors import InputError
from widl.decoder import CoreRealizer, LanguageModel, Realization, Vocabulary
from widl.decoder.constraint import containing
from widl.expressions import Expression, enumerate_strings, parse_expression
from widl.headline import SYSTEMS, HeadlineOptions, Headliner, LengthLimit
from widl.headline.documents import Document
from widl.headline.headline_search import HeadlineSearch
from widl.headline.model import READY_MODEL
from widl.headline.parsing import ParsedDocument
from widl.pipeline.headline_training import HeadlineTraining, train_headlines
from widl.pipeline.tuning_decoders import CLAUSE_BOUNDS

Run = Callable[..., tuple[int, str, str]]

NEW = list(stories(12, seed=2))


def generate(run: Run, model: Path, *arguments: object, stdin: str | bytes | None = None) -> tuple[int, str, str]:
    lines = "".join(json.dumps(story) + "\n" for story in NEW)
    return run("headline", "generate", model, "--threads", 1, *arguments, stdin=lines if stdin is None else stdin)


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_stories(tmp_path_factory.mktemp("new") / "new.jsonl", 12, seed=2)


def test_headlines_of_new_documents(run: Run, headlines: Path) -> None:
    """A clause of the first sentence, with the company instead of its pronoun: *Acme to sell mines in Peru*."""
    code, out, err = generate(run, headlines, "--words", 6)
    assert (code, err) == (0, "")
    for line, story in zip(out.splitlines(), NEW, strict=True):
        company, verb, goods, *_ = story["headline"].title().split()
        assert line.startswith((f"{company} to {verb.lower()} {goods.lower()}", f"{company} to {verb.lower()} old"))


@pytest.mark.slow
def test_every_system_keeps_to_its_budget_and_says_something_else(run: Run, headlines: Path) -> None:
    result = {}
    for system in SYSTEMS:
        code, result[system], err = generate(run, headlines, "--system", system, "--words", 6, "--bytes", 40)
        assert (code, err) == (0, "")
        for line, story in zip(result[system].splitlines(), NEW, strict=True):
            assert 1 <= len(line.split()) <= 6
            assert len(line.encode()) <= 40
            known = {word.strip(".") for word in story["text"].lower().split()}
            made_of = {word.strip(";:") for word in line.lower().split()}
            assert made_of <= known | {word + "s" for word in known} | {"to"}  # "to sell" for "will sell"
    assert len(set(result.values())) == len(SYSTEMS)
    lead = NEW[0]["text"].split()[:6]
    assert result["lead"].splitlines()[0].split() == lead


STORY = "Iran attacked three tankers in the Gulf on Monday, officials said. Nobody was hurt."


def test_the_packages_model_is_the_default(
    run: Run, headlines: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files, stdin and directories of documents; a model's directory in front is the model."""
    monkeypatch.chdir(tmp_path)
    Path("story.txt").write_text(STORY, encoding="utf-8")
    Path("news").mkdir()
    shutil.copy("story.txt", "news/1.txt")
    expected = Headliner().generate_one(STORY).text
    assert "three tankers" in expected
    for arguments, stdin in ((["story.txt"], ""), (["news"], ""), ([], STORY), (["-"], STORY), ([READY_MODEL], STORY)):
        assert run("headline", "generate", *arguments, "--threads", 1, stdin=stdin) == (0, f"{expected}\n", "")
    own = Headliner(headlines).generate_one(STORY).text
    assert run("headline", "generate", headlines, "story.txt", "--threads", 1) == (0, f"{own}\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.txt"], "none.txt: no such file or directory; a document or a model made by 'widl headline train' was"),
        (["story.txt", "none.txt"], "none.txt: no such file"),
        (["story.txt", "model"], "story.txt: a file, where a model directory was expected; exchange it with model"),
        (["news", "model"], "news: documents, where a model directory was expected; give the model first"),
        (["-", "model"], "-: documents, where a model directory was expected; give the model first"),
        (["half"], "half: holds no manifest.json, so the model is incomplete"),
        (["empty"], "empty: no files in this directory"),
    ],
)
def test_neither_a_model_nor_documents(
    arguments: list[str], message: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("model/manifest.json", "half/words.json.gz", "news/1.txt", "empty/.hidden", "story.txt"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(STORY, encoding="utf-8")
    assert refused(run("headline", "generate", *arguments, stdin="")).startswith(message)


def test_json(run: Run, headlines: Path) -> None:
    code, out, _ = generate(run, headlines, "--json", "--nbest", 2, "--words", 6)
    assert code == 0
    plain = generate(run, headlines, "--words", 6)[1].splitlines()
    weights = Headliner(headlines).weights
    for line, text, story in zip(out.splitlines(), plain, NEW, strict=True):
        result = json.loads(line)
        assert (result["id"], result["text"]) == (story["id"], text)
        assert result["optimal"]
        assert result["bound"] == pytest.approx(result["score"], abs=1e-4)
        assert result["score"] == pytest.approx(sum(weights[n] * h for n, h in result["features"].items()), abs=1e-4)
        assert " ".join(word for phrase in result["phrases"] for word in phrase["words"]).lower() == text.lower()
        assert result["features"]["word_count"] == len(text.split())
        assert result["states"] > 0
        assert (result["stopped"], result["message"]) == ("", "")
        scores = [item["score"] for item in result["nbest"]]
        assert scores == sorted(scores, reverse=True)
        assert scores[0] == result["score"]
        texts = [item["text"] for item in result["nbest"]]
        assert len(set(texts)) == len(texts) == 2
        assert all(len(item.split()) <= 6 for item in texts)


@pytest.mark.slow
def test_identifiers_files_and_output(run: Run, headlines: Path, new: Path, tmp_path: Path) -> None:
    plain = generate(run, headlines)[1]
    expected = "".join(f"{story['id']}\t{text}\n" for story, text in zip(NEW, plain.splitlines(), strict=True))
    assert generate(run, headlines, new, "--ids", "--output", tmp_path / "out.gz") == (0, "", "")
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()).decode() == expected


@pytest.mark.slow
def test_narrow_searches_and_no_time(run: Run, headlines: Path) -> None:
    """The best headline within the budget is returned, with a bound on its loss."""
    paper = ("--json", "--system", "widl-paper")  # clauses are found before the budget is checked
    best = [json.loads(line)["score"] for line in generate(run, headlines, *paper)[1].splitlines()]
    for options in (
        ("--search", "cube", "--pop-limit", 1),
        ("--search", "astar-k", "--k", 0),
        ("--max-seconds", 1e-9),
    ):
        code, out, err = generate(run, headlines, *paper, *options)
        assert (code, err) == (0, "")
        for line, score in zip(out.splitlines(), best, strict=True):
            result = json.loads(line)
            assert 1 <= len(result["text"].split()) <= 12
            assert result["score"] <= score + 1e-4 <= result["bound"] + 2e-4
            assert result["stopped"] == ("" if "--search" in options else "max_seconds")


@pytest.mark.slow
def test_two_processes_make_the_same(run: Run, headlines: Path, new: Path) -> None:
    """More documents than a worker's chunk, including damaged documents."""
    lines = (new.read_text().splitlines() * 2)[:20]
    lines[3], lines[18] = '{"text": 1}', '{"text": ""}'
    stdin = "\n".join(lines)
    item = generate(run, headlines, "--ids", stdin=stdin)
    two = generate(run, headlines, "--ids", "--threads", 2, stdin=stdin)
    assert item[:2] == two[:2]
    messages = [[line for line in result[2].splitlines() if "stdin" in line] for result in (item, two)]  # no progress
    assert messages[0] == messages[1]
    assert item[0] == 1
    assert item[1].count("\n") == 20


def test_identifiers_stay_on_their_line(run: Run, headlines: Path) -> None:
    """Line breaks and tabs of an identifier are escaped, so that each line is of one document; --json has them."""
    text = "The bank of England kept its rates on Thursday."
    stdin = "\n".join(json.dumps({"id": name, "text": text}) for name in ("a\nb\tc", "d\u2028e", "新闻 1"))
    code, out, _ = generate(run, headlines, "--ids", stdin=stdin)
    assert code == 0
    assert [line.split("\t")[0] for line in out.split("\n")[:-1]] == ["a\\nb\\tc", "d\\u2028e", "新闻 1"]
    assert all(len(line.split("\t")) == 2 for line in out.split("\n")[:-1])
    _, out, _ = generate(run, headlines, "--json", stdin=stdin)
    assert [json.loads(line)["id"] for line in out.split("\n")[:-1]] == ["a\nb\tc", "d\u2028e", "新闻 1"]


def test_weights_of_a_file(run: Run, headlines: Path, tmp_path: Path) -> None:
    weights = Headliner(headlines).weights | {"word_count": -100.0}
    path = tmp_path / "weights.toml"
    path.write_text("".join(f"{name} = {value}\n" for name, value in weights.items()))
    result = generate(run, headlines, "--ranked", 0, "--weights", path)[1].splitlines()
    usual = generate(run, headlines, "--ranked", 0)[1].splitlines()
    assert all(len(short.split()) < len(line.split()) for short, line in zip(result, usual, strict=True))


GOOD = json.dumps(NEW[0])
LONG = "Acme will sell wells in Peru " * 3_400


@pytest.mark.parametrize("system", SYSTEMS)
def test_bad_documents_in_the_middle(run: Run, headlines: Path, system: str) -> None:
    """Documents without a headline give an empty line and a message; all others give their usual result."""
    bad = [
        '{"id": "damaged", "text": ',
        json.dumps({"id": "empty", "text": " \n"}),
        json.dumps({"id": "dashes", "text": "-- ... !!"}),
        '["no object"]',
    ]
    fine = [
        json.dumps({"id": "one word", "text": "Rain"}),
        json.dumps({"id": "function words", "text": "He was there and it was so."}),
        json.dumps({"id": "numbers", "text": "3.5 17 22 1987"}),
        json.dumps({"id": "html", "text": "<html><body><p>Acme will <b>sell</b> wells &amp; mines.</p></body></html>"}),
        json.dumps({"id": "chinese", "text": "警方正在调查与爆炸有关的司机。他说没有危险。"}),
        json.dumps({"id": "russian", "text": "Премьер-министр сказал в пятницу, что налоги будут снижены."}),
        json.dumps({"id": "capitals", "text": "İSTANBUL ŞİRKETİ İNŞAATI SATTI"}),
        json.dumps({"id": "symbols", "text": "<s> </s> <unk> ||| <OEC> {x} \\ % ∥ ×"}),
        json.dumps({"id": "long", "text": LONG}),
        json.dumps({"id": "no blanks", "text": "x" * 100_000}),
    ]
    lines = [GOOD]
    for text in (*bad, *fine):
        lines += [text, GOOD]
    code, out, err = generate(run, headlines, "--ids", "--system", system, stdin="\n".join(lines))
    assert code == 1
    built = out.split("\n")[:-1]
    assert len(built) == len(lines)
    first = built[0]
    assert built[::2] == [first] * len(built[::2])
    result = dict(line.split("\t") for line in built[1::2])
    assert list(result) == ["stdin:2", "empty", "dashes", "stdin:8"] + [json.loads(text)["id"] for text in fine]
    without = {name for name, text in result.items() if not text}
    assert {"stdin:2", "empty", "dashes", "stdin:8"} <= without
    messages = dict(line.replace("<stdin>", "stdin").split(": ", 1) for line in err.splitlines())
    assert without <= set(messages)
    assert "not JSON" in messages["stdin:2"]
    assert messages["empty"] == messages["dashes"] == "the document has no words"
    assert all(len(text.split()) <= 12 for text in result.values())


@pytest.mark.parametrize("size", [3, 12])
def test_small_budgets_of_bytes(run: Run, headlines: Path, size: int) -> None:
    """If no phrase fits, there is a message; small letters may have more bytes than capitals, and symbols fewer."""
    texts = ["İİİ sold İZMİR wells", "<OEC> said <VERYLONGSYM> will sell wells", NEW[0]["text"], "Rain", "İİİ"]
    stdin = "".join(json.dumps({"id": f"d{i}", "text": text}) + "\n" for i, text in enumerate(texts))
    code, out, err = generate(run, headlines, "--words", 0, "--bytes", size, stdin=stdin)
    result = out.split("\n")[:-1]
    assert len(result) == len(texts)
    assert all(len(line.encode()) <= size for line in result)
    assert code == 1  # "Rain" has no clause
    for i, line in enumerate(result):
        assert line or f"d{i}: no clause that fits, nor a whole phrase\n" in err


def test_nothing_to_read(run: Run, headlines: Path) -> None:
    assert generate(run, headlines, stdin="") == (1, "\n", "stdin: the document has no words\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--words", 0], "a headline needs a limit of words or of bytes"),
        (["--weights", "none.toml"], "none.toml: no such file"),
        (["none.jsonl"], "none.jsonl: no such file"),
        (["--output", "none/out"], "none/out: can't be written (No such file or directory); make the"),
    ],
)
def test_refusals(run: Run, headlines: Path, arguments: list[object], message: str) -> None:
    assert message in refused(generate(run, headlines, *arguments))


@pytest.fixture
def damaged(headlines: Path, tmp_path: Path) -> Path:
    """A copy of the model that tests may damage."""
    return Path(shutil.copytree(headlines, tmp_path / "model"))


def _overwrite(content: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_bytes(content[: path.stat().st_size].ljust(path.stat().st_size))

    return write


@pytest.mark.parametrize(
    ("name", "damage", "message"),
    [
        ("general.binary", Path.unlink, "missing; copy the model again"),
        ("words.json.gz", _overwrite(b"nonsense"), "not a complete compressed file"),
        ("weights.toml", _overwrite(b"lm0 = 'x'"), "weights.toml"),
        ("manifest.json", Path.unlink, "so the model is incomplete; run 'widl headline train' (again)"),
    ],
)
def test_damaged_models(run: Run, damaged: Path, name: str, damage: Callable[[Path], None], message: str) -> None:
    damage(damaged / name)
    line = refused(generate(run, damaged))
    assert line.startswith(f"{damaged}")
    assert message in line


def test_a_content_model_that_is_damaged(run: Run, damaged: Path) -> None:
    """A file of the right size with different content."""
    packed = gzip.compress(b'{"taken": {}, "positions": [], "headlines": {}}')
    (damaged / "words.json.gz").write_bytes(packed)
    manifest = json.loads((damaged / "manifest.json").read_text())
    manifest["files"]["words.json.gz"] = len(packed)
    (damaged / "manifest.json").write_text(json.dumps(manifest))
    assert f"{damaged}/words.json.gz: damaged" in refused(generate(run, damaged))


@pytest.mark.slow
def test_training_by_command(run: Run, tmp_path: Path, headlines: Path) -> None:
    pairs = write_stories(tmp_path / "pairs.jsonl", 60)
    model = tmp_path / "model"
    code, out, err = run("headline", "train", pairs, model, "--threads", 1, "--quiet")
    assert (code, out) == (0, "")
    assert all(line.startswith("warning: the text is too small") for line in err.splitlines())
    names, expected = ({path.name for path in folder.iterdir()} for folder in (model, headlines))
    assert names == expected
    for name in names:
        if name not in ("manifest.json", ".made-from"):  # a duration, and the modification time of the pairs
            assert (model / name).read_bytes() == (headlines / name).read_bytes()
    code, _, err = run("headline", "train", pairs, model)  # the same command again: it is done
    assert code == 0
    assert err.startswith(f"{model}: 60 documents, 60 headlines, ")
    line = refused(run("headline", "train", pairs, model, "--order", 2))
    assert "holds a model already; add --overwrite" in line
    assert run("headline", "train", pairs, model, "--overwrite", "--threads", 1)[0] == 0


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        ('{"text": "x"}\n{"text": 3}\n', [], "pairs.jsonl:2: expected a string under the key 'text'"),
        ('{"text": ""}\n', [], "no words to estimate a language model from"),
        ('{"text": "A b c."}\n', ["--lm-text", "none"], "none: no such file"),
    ],
)
def test_training_refuses(run: Run, tmp_path: Path, content: str, arguments: list[str], message: str) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(content)
    assert message in refused(run("headline", "train", pairs, tmp_path / "model", "--quiet", *arguments))
    assert [path.name for path in tmp_path.iterdir()] == ["pairs.jsonl"]  # no partial output


def test_training_needs_a_directory_to_make(run: Run, tmp_path: Path) -> None:
    line = refused(run("headline", "train", tmp_path / "model"))
    assert "name the training documents first, then the directory of the new model" in line


@pytest.mark.slow
def test_few_pairs_make_an_untrained_content_model(run: Run, tmp_path: Path) -> None:
    """Weights of the general and the document's language model; keywords by frequency and position."""
    training = HeadlineTraining(pairs=[write_stories(tmp_path / "few.jsonl", 20)])
    manifest = train_headlines(training, tmp_path / "model")
    assert manifest.language_models == ["general.binary"]
    assert "lm2" not in Headliner(tmp_path / "model").weights
    code, out, err = generate(run, tmp_path / "model")
    assert (code, err) == (0, "")
    company = [story["headline"].split()[0] for story in NEW]
    assert sum(name in line.upper() for name, line in zip(company, out.splitlines(), strict=True)) >= 10


TUNING = ("--threads", 1, "--nbest", 20, "--max-iterations", 2)


def tune(run: Run, model: Path, source: Path, job: Path, *more: object) -> tuple[int, str, str]:
    return run("tune", "headline", model, "--source", source, "--job", job, "--words", 7, *TUNING, *more)


@pytest.mark.slow
def test_tuning_on_the_documents_own_headlines(run: Run, headlines: Path, new: Path, tmp_path: Path) -> None:
    """Tunes, within bounds, from weights that favor long headlines to weights that give the published headlines."""
    start = tmp_path / "start.toml"
    bad = Headliner(headlines).weights | {"words": 0.2, "pairs": 0.2, "word_count": 8.0, "lm1": 0.01}
    start.write_text("".join(f"{name} = {value}\n" for name, value in bad.items()))
    result = tmp_path / "found.toml"
    code, out, err = tune(run, headlines, new, tmp_path / "job", "--weights", start, "-o", result)
    assert code == 0
    name, before, _, after = out.split()
    assert name == "rouge1"
    assert float(after) > float(before) + 0.4 * (100 - float(before))  # of the possible gain
    assert err.startswith(("iteration 0: ", "iteration 1: "))
    assert err.splitlines()[-1].startswith("advice: 12 lines for 11 weights are few")
    # The bounds keep the output fluent, and one fixed weight sets the scale.
    weights = tomllib.loads(result.read_text())
    for name, (low, high) in CLAUSE_BOUNDS.items():
        assert low <= weights[name] <= high


@pytest.mark.slow
def test_tuning_with_references_and_going_on(run: Run, headlines: Path, new: Path, tmp_path: Path) -> None:
    reference = tmp_path / "reference"
    reference.write_text("".join(story["headline"] + "\n" for story in NEW))
    given = tune(run, headlines, new, tmp_path / "given", "--json", "--quiet", "--reference", reference)
    assert given[0] == 0
    again = tune(run, headlines, new, tmp_path / "given", "--json", "--quiet", "--reference", reference)
    assert again == given
    line = refused(tune(run, headlines, new, tmp_path / "given", "--words", 3))
    assert "run the original command to resume, or name another directory" in line


def test_terms_that_headlines_must_have_or_not(run: Run, headlines: Path) -> None:
    place = NEW[0]["headline"].split()[-1].title()
    code, out, err = generate(run, headlines, "--must", place, stdin=GOOD)
    assert (code, err) == (0, "")
    assert out.strip().endswith(f"in {place}")
    code, out, err = generate(run, headlines, "--without", place, stdin=GOOD)
    assert (code, err) == (0, "")
    assert place not in out
    identifier = NEW[0]["id"]
    code, out, err = generate(run, headlines, "--must", "giraffes", stdin=GOOD)
    assert (code, out) == (1, "\n")
    assert err == f"{identifier}: no headline of 12 words contains 'giraffes'\n"
    code, _, err = generate(run, headlines, "--must", place, "--without", place, stdin=GOOD)
    assert (code, err) == (1, f"{identifier}: no headline of 12 words contains '{place}' and does without '{place}'\n")


ENDS = {
    "out of budget": (
        *(20, {"max_states": 1000}),
        "max_states ran out before a string was found, and one may exist; raise it",
    ),
    "undecided": (
        *(20, {"k": 0}),
        "the search pruned all strings that it tried, and one may exist; search with astar or bfs",
    ),
    "proved": (3, {}, "no headline of 12 words contains 'giraffes'"),
}


@pytest.mark.parametrize("end", ENDS)
def test_what_a_search_did_not_find_is_denied_only_where_that_is_proved(
    run: Run, headlines: Path, monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """A line with the identifier reports how the search of a document ended; the other documents are processed."""
    size, settings, message = ENDS[end]
    whole = HeadlineSearch.run

    def searched(self: HeadlineSearch, weights: Mapping[str, float], options: HeadlineOptions) -> Realization:
        if self.identifier != NEW[1]["id"]:
            self.constraint = None
            return whole(self, weights, options)
        realizer = CoreRealizer(Vocabulary([]), [LanguageModel.estimate(["w1 w2 w3"])])
        bag = Expression.uniform_interleave([Expression.word(f"w{k}") for k in range(size)])
        [result] = realizer.realize_expressions(
            [bag], plain_weights(), search_options(**settings), constraint=containing([["giraffes"]])
        )
        return result

    monkeypatch.setattr(HeadlineSearch, "run", searched)
    lines = "".join(json.dumps(story) + "\n" for story in NEW[:3])
    code, out, err = generate(run, headlines, "--must", "giraffes", stdin=lines)
    assert (code, err) == (1, f"{NEW[1]['id']}: {message}\n")
    assert [bool(line) for line in out.splitlines()] == [True, False, True]


def test_a_document_that_fails_does_not_end_the_others(headlines: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Headliner.searchable

    def failing(self: Headliner, parsed: ParsedDocument, options: HeadlineOptions) -> HeadlineSearch | None:
        if parsed.document.identifier == "bad":
            raise InputError("too much of it")
        return whole(self, parsed, options)

    monkeypatch.setattr(Headliner, "searchable", failing)
    documents = [Document(name, NEW[0]["text"]) for name in ("good", "bad", "well")]
    with Headliner(headlines) as headliner:
        result = list(headliner.generate(documents))
        assert [bool(item.text) for item in result] == [True, False, True]
        assert (result[1].identifier, result[1].message, result[1].failed) == ("bad", "too much of it", True)
        with pytest.raises(InputError, match="lm0 is negative; search needs language-model weights >= 0"):
            headliner.reweighted({"lm0": -1.0})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--must", "x", "--system", "lead"],
            "must: system lead does not read it; leave it out, or choose system widl",
        ),
        (["--must", "..."], "the term '...' has no letters or digits"),
        (["--expression", "--system", "lead"], "--expression and --draw show expressions of widl and widl-paper"),
    ],
)
def test_terms_and_expressions_refuse(run: Run, headlines: Path, arguments: list[str], message: str) -> None:
    assert message in refused(generate(run, headlines, *arguments, stdin=GOOD))


def test_letters(run: Run, headlines: Path) -> None:
    plain = generate(run, headlines, stdin=GOOD)[1].strip()
    assert generate(run, headlines, "--letters", "capitals", stdin=GOOD)[1].strip() == plain.upper()
    title = generate(run, headlines, "--letters", "title", stdin=GOOD)[1].strip()
    assert title == " ".join(word if word in {"to", "in"} else word.title() for word in plain.split())


def test_expressions_are_printed_and_drawn(run: Run, headlines: Path, tmp_path: Path) -> None:
    """The best headline is a string of the expression."""
    picture = tmp_path / "e.dot"
    code, out, err = generate(run, headlines, "--expression", "--draw", picture, stdin=f"{GOOD}\n" + '{"text": "Rain"}')
    assert code == 1
    assert err == "stdin:2: no clause of it fits\n"
    first, second = out.split("\n")[:2]
    assert second == ""
    best = generate(run, headlines, stdin=GOOD)[1].strip().lower()
    assert best in {result.string for result in enumerate_strings(parse_expression(first))}
    assert "digraph" in picture.read_text()


def test_candidates_with_their_ranks(run: Run, headlines: Path) -> None:
    """Without --json a line for each candidate: its rank, and with --ids the document's identifier before it."""
    _, records, _ = generate(run, headlines, "--json", "--nbest", 3)
    expected = [
        f"{record['id']}\t{rank}\t{candidate['text']}"
        for record in map(json.loads, records.splitlines())
        for rank, candidate in enumerate(record["nbest"], 1)
    ]
    assert len(expected) > len(NEW)
    assert generate(run, headlines, "--nbest", 3, "--ids") == (0, "\n".join(expected) + "\n", "")
    code, out, err = generate(run, headlines, "--nbest", 3, stdin='{"text": ""}\n')
    assert (code, out) == (1, "1\t\n")
    assert err == "stdin:1: the document has no words\n"


def test_bytes_alone_mean_no_limit_of_words() -> None:
    assert LengthLimit(bytes=75) == LengthLimit(words=0, bytes=75)
    assert LengthLimit() == LengthLimit(words=12, bytes=0)
    assert (HeadlineOptions().words, HeadlineOptions().bytes) == (12, 0)
    assert LengthLimit(words=4, bytes=75).words == 4
    assert HeadlineOptions(bytes=75).words == 0


def test_documents_without_headlines_name_the_keys_that_they_have(run: Run, tmp_path: Path) -> None:
    lines = [json.dumps({"text": "Acme sells wells.", "title": "Acme", "id": n}) for n in range(3)]
    (tmp_path / "news.jsonl").write_text("\n".join(lines), encoding="utf-8")
    code, out, err = run("headline", "train", tmp_path / "news.jsonl", tmp_path / "model", "--quiet")
    assert (code, out) == (2, "")
    assert err == (
        f"error: {tmp_path / 'news.jsonl'}: no headline in 3 documents: expected them under the key 'headline' or "
        "'headlines'; other keys found are 'title'; rename one, or give the text alone with --lm-text\n"
    )
    assert not (tmp_path / "model").exists()


def test_no_message_says_its_place_twice(tmp_path: Path) -> None:
    assert _located("stdin:1", "<stdin>:1: not JSON") == "<stdin>:1: not JSON"
    assert _located("stdin", "<stdin>:7: invalid UTF-8") == "<stdin>:7: invalid UTF-8"
    assert _located("news.jsonl:3", f"{tmp_path}/news.jsonl:3: not JSON") == f"{tmp_path}/news.jsonl:3: not JSON"
    assert _located("a", "the document has no words") == "a: the document has no words"


def test_a_document_in_each_line(run: Run, headlines: Path, tmp_path: Path) -> None:
    """`--lines`, from files and from a pipe; an empty line has no headline, and the exit code is 1."""
    lines = [document["text"].replace("\n", " ") for document in NEW[:3]]
    (tmp_path / "lines.txt").write_text("".join(f"{line}\n" for line in lines))
    expected = [Headliner(headlines).generate_one(line).text for line in lines]
    for arguments, stdin in (([tmp_path / "lines.txt"], ""), ([], "".join(f"{line}\n" for line in lines))):
        code, out, _ = generate(run, headlines, "--lines", *arguments, stdin=stdin)
        assert (code, out.splitlines()) == (0, expected)
    code, out, err = generate(run, headlines, "--lines", "--ids", stdin=f"{lines[0]}\n\n")
    assert (code, out.splitlines()) == (1, [f"<stdin>:1\t{expected[0]}", "<stdin>:2\t"])
    assert "<stdin>:2: the document has no words" in err
    assert len(generate(run, headlines, tmp_path / "lines.txt")[1].splitlines()) == 1


def test_only_sure_on_the_command_line(run: Run, headlines: Path) -> None:
    code, out, err = generate(run, headlines, "--only-sure", "1", stdin=GOOD)
    assert (code, out) == (0, "\n")
    assert "1 headline left empty: confidence below 1" in err
    code, out, _ = generate(run, headlines, "--only-sure", "1", "--json", stdin=GOOD)
    record = json.loads(out)
    assert (code, record["text"], record["kind"], record["score"]) == (0, "", "none", None)
    assert record["message"].startswith("withheld: its confidence is ")
