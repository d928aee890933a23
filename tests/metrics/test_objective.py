"""Metrics: the numbers of sacrebleu and rouge-score, to 1e-9."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from tests.mert.problems import distorted, random_sentence
from tests.oracles import oracle
from widl._core import Metric
from widl.common.errors import InputError
from widl.metrics import MetricOptions, Objective, parse_objective
from widl.metrics.bleu import Bleu
from widl.metrics.metric import READS
from widl.metrics.rouge import ROOT_OF_RECALLS, rouge_tokenizer
from widl.pipeline.tuning import HeadlineTask

WORDS = [*"The the cat sat. don't 12,5 (hi) 猫 坐在 running “ &quot; - a-b".split(" "), "x\u00a0y"]
LINES = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


@st.composite
def corpora(draw):
    """Hypotheses and two streams of references, the second with gaps."""
    size = draw(st.integers(1, 4))
    hypotheses = draw(st.lists(LINES, min_size=size, max_size=size))
    first = draw(st.lists(LINES, min_size=size, max_size=size))
    second = draw(st.lists(st.none() | LINES, min_size=size, max_size=size))
    return hypotheses, [first, second]


def score(name, hypotheses, references, **options):
    objective = Objective(name, references, MetricOptions(**options))
    statistics = objective.statistics(np.arange(len(hypotheses)), hypotheses)
    assert statistics.shape == (len(hypotheses), objective.metric.statistics)
    return objective.values(statistics.sum(axis=0))[name]


@given(st.sampled_from(["13a", "zh", "none", "char", "intl"]), corpora(), st.booleans())
def test_bleu(tokenize, corpus, lowercase):
    hypotheses, references = corpus
    expected = BLEU(lowercase=lowercase, tokenize=tokenize, force=True).corpus_score(hypotheses, references)
    result = score("bleu", hypotheses, references, tokenize=tokenize, lowercase=lowercase)
    assert result == pytest.approx(expected.score, abs=1e-9)


@given(st.lists(corpora(), min_size=1, max_size=3), st.data())
def test_several_sets_have_the_mean_of_their_scores(sets, data):
    """Sentences in any order, some of them not at all."""
    hypotheses = [line for lines, _ in sets for line in lines]
    references = [[line for _, streams in sets for line in streams[k]] for k in (0, 1)]
    objective = Objective("bleu-0.5*ter", references, sets=[len(lines) for lines, _ in sets])
    single = [Objective("bleu-0.5*ter", streams) for _, streams in sets]
    chosen = data.draw(st.permutations(range(len(hypotheses))))[: data.draw(st.integers(1, len(hypotheses)))]
    totals = objective.statistics(np.array(chosen), [hypotheses[number] for number in chosen]).sum(axis=0)
    expected, begin = [], 0
    for (lines, _), own in zip(sets, single, strict=True):
        rows = [number - begin for number in chosen if begin <= number < begin + len(lines)]
        statistics = own.statistics(np.array(rows, dtype=np.int64), [lines[row] for row in rows])
        expected.append(own.score(statistics.sum(axis=0)))
        begin += len(lines)
    assert objective.score(totals) == pytest.approx(sum(expected) / len(sets), abs=1e-9)
    values = objective.values(totals)
    assert values["bleu"] - 0.5 * values["ter"] == pytest.approx(objective.score(totals), abs=1e-9)
    reported = [one.reported(lines) for (lines, _), one in zip(sets, single, strict=True)]
    for name, value in objective.reported(hypotheses).items():
        assert value == pytest.approx(sum(one[name] for one in reported) / len(sets), abs=1e-9)


def test_sets_of_another_number_of_sentences_are_refused():
    with pytest.raises(InputError, match="sets of 3 sentences, but references of 2"):
        Objective("bleu", [["a", "b"]], sets=[1, 2])


PIECES = [*"aΣ0.,-& \u00a0\u3000\n(!猫’", "&amp;", "&lt;", "<skipped>"]


@pytest.mark.parametrize("tokenize", ["13a", "intl", "zh"])
@given(st.lists(st.sampled_from(PIECES)).map("".join), st.booleans())
@example("a-\nb", False)
def test_tokens(tokenize, text, lowercase):
    # Word-by-word tokenization must give the same result as tokenizing the line.
    bleu = Bleu([[text]], MetricOptions(tokenize=tokenize, lowercase=lowercase), threads=1)
    tokens = BLEU(tokenize=tokenize).tokenizer((text.lower() if lowercase else text).rstrip()).split()
    assert bleu.tokenize(text).split() == tokens


@pytest.mark.parametrize("smooth", ["exp", "none", "floor", "add-k"])
def test_bleu_of_all_kinds_of_statistics(smooth):
    random = np.random.default_rng(1)
    metric = Metric()
    value = {"floor": 0.1, "add-k": 1.0}.get(smooth, 0.0)
    metric.add_bleu(1.0, smoothing=smooth, smooth_value=value)
    for _ in range(500):
        length = int(random.integers(0, 300_000 if random.random() < 0.1 else 8))
        total = [max(0, length - n) for n in range(4)]
        correct = [int(random.integers(0, t + 1)) if random.random() < 0.8 else 0 for t in total]
        closest = int(random.integers(0, 2 * length + 2))
        totals = np.array([*correct, *total, length, closest], dtype=np.float64)
        expected = BLEU.compute_bleu(
            list(correct), list(total), length, closest, smooth, None if smooth in ("exp", "none") else value
        )
        assert metric.score(totals) == pytest.approx(expected.score, abs=1e-9)


@given(corpora(), st.booleans(), st.sampled_from([0, 2]))
def test_chrf(corpus, lowercase, words):
    hypotheses, references = corpus
    expected = CHRF(word_order=words, lowercase=lowercase).corpus_score(hypotheses, references).score
    result = score("chrf++" if words else "chrf", hypotheses, references, lowercase=lowercase)
    assert result == pytest.approx(expected, abs=1e-9)


@given(corpora())
def test_ter(corpus):
    hypotheses, references = corpus
    assert score("ter", hypotheses, references) == pytest.approx(
        TER().corpus_score(hypotheses, references).score, abs=1e-9
    )


@pytest.mark.parametrize(("size", "vocabulary", "count"), [(12, 4, 150), (30, 12, 20), (70, 5, 2), (90, 60, 3)])
def test_ter_of_longer_texts(size, vocabulary, count):
    # Few distinct words allow many shifts; 70 words of 5 types allow more shifts than are tried.
    random = np.random.default_rng(size)
    words = [f"w{i}" for i in range(vocabulary)]
    lines = [" ".join(random.choice(words, random.integers(0, size + 1))) for _ in range(count)]
    references = [" ".join(random.choice(words, random.integers(size // 6, size + 1))) for _ in range(count)]
    objective = Objective("ter", [references])
    result = objective.statistics(np.arange(count), lines)
    expected = TER()._extract_corpus_statistics(lines, [references])
    assert result.tolist() == [list(map(float, row)) for row in expected]


def test_ter_of_ten_thousand_lines():
    """TER is reported without sacrebleu's count, which is slow: each line's statistics, and the score of all."""
    random = np.random.default_rng(74)

    def lines(longest: int) -> list[str]:
        return [" ".join(random.choice(WORDS, random.integers(0, longest))) for _ in range(10_000)]

    references = [lines(9), [None if random.random() < 0.5 else line for line in lines(9)]]
    hypotheses = [
        line if random.random() < 0.3 else distorted(line, random, 0.4) if random.random() < 0.7 else other
        for line, other in zip(references[0], lines(12), strict=True)
    ]
    objective = Objective("ter", references, threads=2)
    theirs = TER()
    expected = np.array(theirs._extract_corpus_statistics(hypotheses, references), dtype=np.float64)
    assert np.array_equal(objective.statistics(np.arange(10_000), hypotheses), expected)
    reported = objective.reported(hypotheses)["ter"]
    assert reported == pytest.approx(theirs._compute_score_from_stats(expected.sum(axis=0).tolist()).score, abs=1e-9)


D, E = ([f"{letter}{i}" for i in range(60)] for letter in "de")


@pytest.mark.parametrize(
    ("hypothesis", "reference", "edits"),
    [
        # Without this limit, there would be fewer edits.
        pytest.param(D[:5] + D[20:35] + D[5:20] + D[35:40], D[:40], 30, id="a thousand shifts tried"),
        pytest.param(D[12:24] + D[:12], D[:24], 2, id="ten words a shift"),
        pytest.param([*E[:55], "x", "y"], ["x", "y", *D[:55]], 57, id="fifty positions"),
        pytest.param(D, E[:30] + D, 39, id="25 words from the diagonal"),
    ],
)
def test_limits_of_ter(hypothesis, reference, edits):
    objective = Objective("ter", [[" ".join(reference)]])
    result = objective.statistics(np.array([0]), [" ".join(hypothesis)])
    assert result.tolist() == [[edits, len(reference)]]
    assert TER()._extract_corpus_statistics([" ".join(hypothesis)], [[" ".join(reference)]]) == [
        [edits, len(reference)]
    ]


@pytest.mark.parametrize("kind", ["rouge1", "rouge2", "rougeL"])
@given(corpora(), st.booleans())
def test_rouge(kind, corpus, stem):
    hypotheses, references = corpus
    scorer = oracle("rouge_score.rouge_scorer").RougeScorer([kind], use_stemmer=stem)
    scores = [
        scorer.score_multi([line for line in lines if line is not None], hypothesis)[kind]
        for hypothesis, *lines in zip(hypotheses, *references, strict=True)
    ]
    f, recall = np.mean([s.fmeasure for s in scores]), np.mean([s.recall for s in scores])
    assert score(kind, hypotheses, references, stem=stem) == pytest.approx(100 * f, abs=1e-9)
    assert score(f"{kind}_recall", hypotheses, references, stem=stem) == pytest.approx(100 * recall, abs=1e-9)


FAMILIES = {"bleu": "bleu", "chrf": "chrf", "ter": "ter"} | dict.fromkeys(
    ("rouge1", "rouge2_recall", "rougeL", ROOT_OF_RECALLS), "rouge"
)
SWITCHES = ("lowercase", "stem", "any_script", "jackknife", "pooled")


@pytest.mark.parametrize(
    ("metric", "option"),
    [
        (metric, option)
        for metric, family in FAMILIES.items()
        for option in (None, *SWITCHES)
        if option is None or option in READS[family]
    ],
)
@settings(max_examples=20)
@given(corpora())
def test_reported_scores_are_those_of_the_statistics(metric, option, corpus):
    """The scores that sacrebleu and rouge-score report equal the scores of the core's counts, which tuning uses."""
    hypotheses, references = corpus
    objective = Objective(metric, references, MetricOptions(**({option: True} if option else {})))
    counted = objective.values(objective.statistics(np.arange(len(hypotheses)), hypotheses).sum(axis=0))
    assert objective.reported(hypotheses) == pytest.approx(counted, abs=1e-9)


@pytest.mark.parametrize("option", ["tokenize", "first_words", *SWITCHES])
@pytest.mark.parametrize("metric", FAMILIES)
def test_an_option_is_read_by_a_metric_or_refused(metric: str, option: str) -> None:
    """Reading it changes the signature or the counts; what neither shows is refused."""
    values = {"tokenize": "none", "first_words": 2}
    options = MetricOptions(**{option: values.get(option, True)})
    if option in READS[FAMILIES[metric]]:
        Objective(metric, [["a b"]], options)
        Objective(f"0.5*{metric}+0.5*bleu" if metric != "bleu" else "0.5*bleu-0.5*ter", [["a b"]], options)
        return
    name = option.replace("_", "-")
    with pytest.raises(InputError, match=f"^{name}: metric {metric} does not read it; leave it out$"):
        Objective(metric, [["a b"]], options)


@given(st.text() | st.lists(st.sampled_from(["Dying", "flies,", "SKIES", "i\u0307stanbul", "1990s"])).map(" ".join))
def test_words_of_rouge(text):
    theirs = oracle("rouge_score.tokenizers").DefaultTokenizer
    for stem in (False, True):
        assert rouge_tokenizer(stem)(text) == theirs(stem).tokenize(text)


def test_words_of_any_script_and_the_warning_that_rouge_lacks_them(caplog: pytest.LogCaptureFixture) -> None:
    references = [["今天 天气 很 好", "die Mühle am Fluß", "क्या हाल है"]]
    same = list(references[0])
    assert score("rouge1", same, references) < 50
    assert caplog.messages == ["3 of 3 references have letters that ROUGE drops (ß ü क य ल); any-script counts them"]
    caplog.clear()
    assert score("rouge2", same, references, any_script=True) == pytest.approx(100)
    assert score("rouge1", ["今天 很 好"], [["今天天气很好"]], any_script=True) == pytest.approx(100 * 2 * 4 / (4 + 6))
    assert "script:any" in Objective("rouge1", references, MetricOptions(any_script=True)).signatures()["rouge1"]
    score("rouge1", ["plain"], [["plain"]])
    assert caplog.messages == []
    assert rouge_tokenizer(any_script=True)("क्या हाल") == ["क्या", "हाल"]


def test_recall_of_the_first_of_equal_references():
    # Both have F = 0.5 for "a b"; recall is 1/2 with one and 2/6 with the other.
    references = ["a x"], ["a b c d e f"]
    assert score("rouge1_recall", ["a b"], references) == pytest.approx(50)
    assert score("rouge1_recall", ["a b"], references[::-1]) == pytest.approx(100 / 3)


def test_combinations():
    random = np.random.default_rng(5)
    references = [[random_sentence(random) for _ in range(6)]]
    texts = [distorted(line, random, 0.5) for line in references[0]]
    objective = Objective("0.5*bleu - 0.25*ter + 2*chrf++ + rouge2_recall", references)
    totals = objective.statistics(np.arange(6), texts).sum(axis=0)
    values = objective.values(totals)
    bleu, ter = BLEU().corpus_score(texts, references).score, TER().corpus_score(texts, references).score
    assert (values["bleu"], values["ter"]) == (pytest.approx(bleu), pytest.approx(ter))
    expected = 0.5 * bleu - 0.25 * ter + 2 * values["chrf++"] + values["rouge2_recall"]
    assert objective.score(totals) == pytest.approx(expected)
    assert objective.signatures()["bleu"].startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp")


@pytest.mark.parametrize("name", ["bleu", "ter", "rougeL"])
def test_statistics_do_not_depend_on_threads(name):
    random = np.random.default_rng(8)
    references = [[random_sentence(random) for _ in range(5)]]
    sentences = random.integers(0, 5, 3000)
    texts = [distorted(references[0][i], random, 0.6) for i in sentences]
    alone, together = (Objective(name, references, threads=threads) for threads in (1, 3))
    assert np.array_equal(alone.statistics(sentences, texts), together.statistics(sentences, texts))


def test_parsing():
    assert parse_objective("bleu") == [(1.0, "bleu")]
    assert parse_objective(" 2 * chrf++ + .5*rougeL_recall") == [(2.0, "chrf++"), (0.5, "rougeL_recall")]
    assert parse_objective("-ter") == [(-1.0, "ter")]
    assert parse_objective("1*ter") == [(1.0, "ter")]


@pytest.mark.parametrize(
    "text", ["", "blue", "bleu ter", "0.5", "bleu+", "1.2.3*bleu", "bleu-bleu", "bleu_recall", "bleu+x"]
)
def test_bad_objectives(text):
    with pytest.raises(InputError, match=r"^(metric|no metric)"):
        parse_objective(text)


@pytest.mark.parametrize(
    ("references", "options", "message"),
    [
        ([], {}, "no references"),
        ([["a"], ["b", "c"]], {}, "references of 1 and 2 lines"),
        ([["a"]], {"tokenize": "14b"}, "unknown tokenizer '14b'; choose one of"),
    ],
)
def test_bad_references_and_options(references, options, message):
    with pytest.raises(InputError, match=message):
        Objective("bleu", references, MetricOptions(**options))


@pytest.mark.parametrize("options", [MetricOptions(), MetricOptions(tokenize="zh"), MetricOptions(tokenize="intl")])
def test_sacrebleu_keeps_no_lines(options: MetricOptions) -> None:
    """Its caches live as long as the process; thousands of tuning runs would fill them."""
    references = [["the cat sat .", "a dog"]]
    for name in ("bleu", "ter"):
        objective = Objective(name, references, options if name == "bleu" else None)
        objective.statistics(np.array([0, 1]), ["the cat .", "dogs"])
    tokenizers = (BLEU(tokenize=options.tokenize or "13a").tokenizer, TER().tokenizer)
    caches = [
        method.cache_info().currsize
        for tokenizer in tokenizers
        for item in (tokenizer, *vars(tokenizer).values())
        for method in vars(type(item)).values()
        if hasattr(method, "cache_info")
    ]
    assert len(caches) >= 2
    assert caches == [0] * len(caches)


@pytest.mark.parametrize(
    ("metric", "scores"), [(HeadlineTask.metric, [100, 1000 / 14, 75]), ("rouge2_recall", [100, 100, 50])]
)
def test_the_default_of_headlines_does_not_pay_for_filling_the_budget(metric: str, scores: list[float]) -> None:
    """The outputs: all five words of the reference, these and four more, only three of them."""
    texts = ["bank closes branches in Peru", "bank closes branches in Peru after a long talk", "bank closes branches"]
    objective = Objective(metric, [["bank closes branches in Peru"]])
    result = [objective.score(objective.statistics(np.array([0]), [text]).sum(axis=0)) for text in texts]
    assert result == pytest.approx(scores)
