"""Presets of the papers: their settings, refusals and omissions, and features that match the papers' formulas."""

import json
import math
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.command import refused, widl
from tests.sample import TEXT_SETS, write_sample
from widl.cli.tune import HeadlineLists, TranslationLists
from widl.common.errors import InputError
from widl.common.presets import PRESETS, Setting
from widl.decoder import LanguageModel, RealizationOptions, Realizer, estimate_language_model
from widl.decoder.realization_options import PAPER_2005
from widl.experiments import word_order
from widl.experiments.config import read_config
from widl.experiments.headline_config import HeadlineExperimentConfig
from widl.experiments.translation import check_conditions, run_translation_experiment
from widl.experiments.translation_config import TranslationExperimentConfig
from widl.experiments.word_order import WordOrderConfig
from widl.expressions import parse_expression
from widl.headline import HeadlineOptions, Headliner
from widl.headline.options import PAPER_2006 as HEADLINE_2006
from widl.headline.paper_search import PAPER_LAYOUT
from widl.mert import TuningOptions
from widl.pipeline.demo import sample_corpus
from widl.pipeline.tuning import tuning_of
from widl.translation import TranslationOptions, Translator
from widl.translation.options import PAPER_2006 as TRANSLATION_2006
from widl.translation.search_errors import SearchErrors, search_errors

SETTINGS = [
    *(("paper-2006", TranslationOptions, setting) for setting in TRANSLATION_2006),
    *(("paper-2006", HeadlineOptions, setting) for setting in HEADLINE_2006),
    *(("paper-2005", RealizationOptions, setting) for setting in PAPER_2005),
]
LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:8]
OTHERS: dict[str, Any] = {
    "search": "cube",
    "k": 7,
    "beam": 0.5,
    "bound": "context",
    "table_limit": 20,
    "table_threshold": 0.1,
    "glossary": Path("terms.tsv"),
    "rare_words": 2,
    "segmentations": "all",
    "unknown": "pinyin",
    "system": "lead",
    "words": 8,
    "bytes": 75,
    "stack_size": 9,
}


@pytest.mark.parametrize(("preset", "options", "setting"), SETTINGS, ids=lambda value: getattr(value, "option", value))
def test_settings_are_made_and_contradictions_refused_by_name(preset: str, options: Any, setting: Setting) -> None:
    given = dict([setting.when]) if setting.when else {}
    built = options(preset=preset, **given)
    assert getattr(built, setting.option) == setting.default
    if setting.open:
        return
    other = OTHERS.get(setting.option, not setting.default)
    if other in setting.others:
        other = "beam"
    name = setting.option.replace("_", "-")
    with pytest.raises(InputError, match=rf"\b{name} .* contradicts the preset {preset}, which has "):
        options(preset=preset, **given | {setting.option: other})


def test_the_papers_tune_by_mert() -> None:
    assert tuning_of("paper-2006", TuningOptions()).algorithm == "mert"
    mira = TuningOptions(algorithm="mira")
    assert tuning_of("paper-2005", mira) == tuning_of(None, mira) == mira
    with pytest.raises(InputError, match=r"algorithm mira contradicts the preset paper-2006, which has mert"):
        tuning_of("paper-2006", mira)


def test_lists_for_tuning_are_made_as_in_the_preset() -> None:
    lists, expected = TranslationLists(preset="paper-2006"), TranslationOptions(preset="paper-2006")
    assert {name: getattr(lists, name) for name in vars(expected) if name != "nbest"} == {
        name: value for name, value in vars(expected).items() if name != "nbest"
    }
    assert HeadlineLists(preset="paper-2006").system == HeadlineOptions(preset="paper-2006").system
    with pytest.raises(InputError, match="table-limit 3 contradicts the preset paper-2006"):
        TranslationLists(preset="paper-2006", table_limit=3)


def test_what_a_paper_leaves_open_can_be_chosen() -> None:
    options = TranslationOptions(preset="paper-2006", k_unit="words", order="estimate", distortion_limit=4, nbest=3)
    assert (options.k_unit, options.order, options.distortion_limit, options.k) == ("words", "estimate", 4, 2)
    assert TranslationOptions(preset="paper-2006", search="astar").search == "astar"
    assert RealizationOptions(preset="paper-2005", search="astar-k", k=1).bound == "eq2"
    assert RealizationOptions(preset="paper-2005", search="astar-k").k == 2
    of_beam = RealizationOptions(preset="paper-2005", search="beam")
    assert (of_beam.beam, of_beam.stack_size) == (0.2, 0)


def test_features_are_the_papers_and_weights_have_no_others(trained: Path, tmp_path: Path) -> None:
    translator = Translator(trained, preset="paper-2006")
    *seven, unknown = PRESETS["paper-2006"].features["translation"]
    assert translator.features == list(translator.weights) == [*seven, unknown]
    assert (len(seven), unknown, translator.weights[unknown]) == (7, "unknown", -100.0)
    assert {"rule", "monotone_backward"} <= set(translator.left_out)
    assert not {*seven, "distortion", "unknown"} & set(translator.left_out)
    weights = tmp_path / "weights.toml"
    weights.write_text("".join(f"{name} = 0.5\n" for name in seven))
    expected = dict.fromkeys(seven, 0.5) | {unknown: -100.0}
    assert Translator(trained, preset="paper-2006", weights=weights).weights == expected
    weights.write_text(weights.read_text() + "distortion = 1.0\n")
    with pytest.raises(InputError, match="unknown feature 'distortion'"):
        Translator(trained, preset="paper-2006", weights=weights)
    five = PRESETS["paper-2006"].features["headline"]
    assert PAPER_LAYOUT.names == five
    assert len(five) == 5


def copied_with(model: Path, copy: Path, name: str, order: int) -> Path:
    """A model whose language model has another order."""
    shutil.copytree(model, copy)
    (copy / name).unlink()
    estimate_language_model([sample_corpus() / "train.en"], copy / name, order=order)
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["files"][name] = (copy / name).stat().st_size
    (copy / "manifest.json").write_text(json.dumps(manifest))
    return copy


@pytest.mark.parametrize("order", [2, 4])
def test_other_orders_than_the_trigram_are_refused(trained: Path, headlines: Path, tmp_path: Path, order: int) -> None:
    """Both presets, in Python and on the command line: one line with the model, its order and the paper's."""
    file = tmp_path / "other.arpa"
    estimate_language_model([sample_corpus() / "train.en"], file, order=order)
    told = rf"order {order} contradicts the preset {{}}, which has 3 \({{}}: a trigram model\); make a model of order 3"
    of_2005, of_2006 = told.format("paper-2005", "§4"), told.format("paper-2006", "§4 and §5")
    with pytest.raises(InputError, match=f"^lm: {of_2005}"):
        Realizer(file).realize_one("∥(a, b)", preset="paper-2005")
    for baseline in ((), ("--baseline", "G")):
        refusal = refused(widl("order", "--lm", file, "--preset", "paper-2005", *baseline, stdin=b"a b\n"))
        assert re.search(of_2005, refusal)
    config = tmp_path / "word-order.toml"
    config.write_text('bags = ["bags.txt"]\nlm = "other.arpa"\nmax_memory = 1000000\n')
    (tmp_path / "bags.txt").write_text("a b c\n")
    bags = widl("experiment", "word-order", config, "--preset", "paper-2005", "--output", tmp_path / "out")
    assert re.search(rf"other\.arpa: {of_2005}", refused(bags))
    model = copied_with(trained, tmp_path / "model", "lm0.binary", order)
    refusal = refused(widl("translate", model, "--preset", "paper-2006", stdin=LINES[0].encode()))
    assert re.search(rf"lm0\.binary: {of_2006}", refusal)
    stories = copied_with(headlines, tmp_path / "headlines", "general.binary", order)
    story = b'{"text": "The bank sold bills on Monday."}'
    refusal = refused(widl("headline", "generate", stories, "--preset", "paper-2006", "--quiet", stdin=story))
    assert re.search(of_2006, refusal)


def test_translation_features_are_the_papers_formulas(trained: Path) -> None:
    """h0 to h3: Σ ln of a table's probability, and ln a^d of movement in each; h4 trigrams; h5 words; h6 phrases."""
    weights = Translator(trained, preset="paper-2006").weights
    light = {name: 0.05 if name.startswith(("p_", "lex_")) else weight for name, weight in weights.items()}
    translator = Translator(trained, preset="paper-2006", weights=light)
    trigrams = LanguageModel.load(trained / "lm0.binary")
    options = TranslationOptions(preset="paper-2006", distortion_limit=4)
    moved = 0
    for line in LINES:
        result = translator.translate_one(line, options)
        [tiles] = translator.tiles(line, options)
        scores = {(begin, end, tuple(words)): logs for begin, end, words, logs in tiles.alternatives}
        end, movement, sums = 0, 0, [0.0] * 4
        for phrase in result.phrases:
            movement += abs(phrase.begin - end)
            end = phrase.end
            logs = scores[phrase.begin, phrase.end, phrase.words]
            sums = [total + log for total, log in zip(sums, logs, strict=False)]
        words = [word for phrase in result.phrases for word in phrase.words]
        moved += movement
        base = math.log(0.6)  # ln a
        by_hand = dict(zip(("p_fe", "p_ef", "lex_fe", "lex_ef"), (s + base * movement for s in sums), strict=True))
        by_hand |= {"lm0": sum(trigrams.score_words(words)), "word_count": len(words)}
        unknown = sum(phrase.unknown for phrase in result.phrases)
        by_hand |= {"phrase_count": len(result.phrases), "unknown": unknown}
        assert dict(result.features) == pytest.approx(by_hand, rel=1e-5)
        unknown = sum(phrase.unknown for phrase in result.phrases)
        score = sum(translator.weights[name] * value for name, value in by_hand.items()) - 100 * unknown
        assert result.score == pytest.approx(score, rel=1e-5)
    assert moved > 0


def test_figure_6_by_hand() -> None:
    """The figure's δ1 to δ4 and a trigram model, for the translation that it prints."""
    model = LanguageModel.estimate(["gunman was killed by police .", "the gunmen were killed by police ."])
    expression = parse_expression(
        "∥{expmove: 0.5}(∨{scores: 0.35 0.03 0.19 0.25, 0.35 0.10 0.32 0.36}(gunman, ×(the · gunmen)),"
        "∨{scores: 0.16 0.27 0.24 0.24, 0.10 0.33 0.10 0.16}(were, was), ×(by · police),"
        "∨{scores: 0.65 0.33 0.25 0.63, 0.23 0.50 0.53 0.26}(kill, killed), .)"
    )
    weights = {"widl1": 0.2, "widl2": 0.2, "widl3": 0.2, "widl4": 0.2, "lm0": 2.0, "word_count": -1.0}
    weights |= {"phrase_count": -0.1, "distortion": 0.8, "unknown": 0.0}
    best = Realizer([model], weights).realize_one(expression).best
    assert best.text == "gunman was killed by police ."
    # gunman 0-1, was 1-2, killed 3-4, by police 2-3, the period 4-5: jumps of 0, 0, 1, 2 and 1
    chosen = ([0.35, 0.03, 0.19, 0.25], [0.10, 0.33, 0.10, 0.16], [0.23, 0.50, 0.53, 0.26])
    for j in range(4):
        assert best.features[f"widl{j + 1}"] == pytest.approx(sum(math.log(row[j]) for row in chosen))
    assert best.features["distortion"] == pytest.approx(4 * math.log(0.5))
    assert best.features["lm0"] == pytest.approx(sum(model.score_words(best.text.split())))
    assert (best.features["word_count"], best.features["phrase_count"]) == (6, 5)


def test_both_systems_have_the_same_conditions(trained: Path) -> None:
    astar, pharaoh = TranslationOptions(preset="paper-2006"), TranslationOptions(preset="paper-2006", decoder="stack")
    translator = Translator(trained, preset="paper-2006")
    for line in LINES:
        [ours], [theirs] = translator.tiles(line, astar), translator.tiles(line, pharaoh)
        assert ours.alternatives == theirs.alternatives
    first, second = (translator.translate_one(LINES[0], options) for options in (astar, pharaoh))
    assert first.features.keys() == second.features.keys()
    assert astar.distortion_limit == pharaoh.distortion_limit


def write_config(folder: Path, model: Path, more: str = "", systems: str = "") -> Path:
    write_sample(folder, 5)
    path = folder / "config.toml"
    path.write_text(f'preset = "paper-2006"\nmodel = "{model}"\n{more}\n{TEXT_SETS}{systems}', encoding="utf-8")
    return path


def test_translation_experiment(trained: Path, tmp_path: Path) -> None:
    config = read_config(write_config(tmp_path, trained), TranslationExperimentConfig)
    assert [(system.name, system.options.decoder) for system in config.system] == [
        ("WIDL-Astar_2", "widl"),
        ("Pharaoh", "stack"),
    ]
    assert {(system.options.preset, system.distortion) for system in config.system} == {("paper-2006", "folded")}
    assert (config.tuning.metric, config.tuning.options.algorithm, config.tuning.replications) == ("bleu", "mert", 3)
    check_conditions(config)
    for more, systems, message in (
        ("tuning.metric = 'ter'", "", "metric ter contradicts the preset paper-2006, which has bleu"),
        ("tuning.algorithm = 'mira'", "", "algorithm mira contradicts the preset"),
        ("", "[[system]]\nname = 'a'\ntable_limit = 3\n", "table-limit 3 contradicts the preset"),
        ("", "[[system]]\nname = 'a'\ndistortion = 'own'\n", "distortion own contradicts the preset"),
    ):
        with pytest.raises(InputError, match=message):
            read_config(write_config(tmp_path, trained, more, systems), TranslationExperimentConfig)
    unequal = "[[system]]\nname = 'a'\ndistortion_limit = 4\n[[system]]\nname = 'b'\ndecoder = 'stack'\n"
    config = read_config(write_config(tmp_path, trained, systems=unequal), TranslationExperimentConfig)
    with pytest.raises(InputError, match="must differ in search alone, but one has other derivations"):
        check_conditions(config)


def test_sets_of_a_preset_have_equally_many_references_of_one_case(trained: Path, tmp_path: Path) -> None:
    path = write_config(tmp_path, trained)
    two = path.read_text().replace('references = ["dev.en"]', 'references = ["dev.en", "dev.en"]', 1)
    path.write_text(two)
    message = "test.zh: 1 reference, but dev has 2; the preset paper-2006 compares sets with equally many"
    with pytest.raises(InputError, match=re.escape(message)):
        run_translation_experiment(read_config(path, TranslationExperimentConfig), tmp_path / "out")
    lower = (tmp_path / "dev.en").read_text(encoding="utf-8").lower()
    (tmp_path / "lower.en").write_text(lower, encoding="utf-8")
    for name in ("dev.en", "test.en"):
        path = write_config(tmp_path, trained)
        path.write_text(path.read_text().replace(name, "lower.en"))
        with pytest.raises(InputError, match=r"lower\.en: in lower case throughout, while references of .* upper case"):
            run_translation_experiment(read_config(path, TranslationExperimentConfig), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_papers_memory_must_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bags.txt").write_text("rain fell on hills\n")
    path = tmp_path / "config.toml"
    path.write_text("bags = ['bags.txt']\ntexts = ['bags.txt']\n")
    config = read_config(path, WordOrderConfig, preset="paper-2005")
    monkeypatch.setattr(word_order, "available_memory", lambda: 1_500_000_000)
    with pytest.raises(InputError, match=r"may take 2\.1 GB, as in the paper \(§4\), and 1\.5 GB are free"):
        word_order.run_word_order_experiment(config, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def slow_errors(translator: Translator, lines: list[str], search: TranslationOptions) -> tuple[int, int]:
    """Errors and proved lines, with each line translated separately."""
    errors = proved = 0
    for line in lines:
        exact = TranslationOptions(preset="paper-2006", search="astar", distortion_limit=4)
        best, result = (translator.translate_one(line, options) for options in (exact, search))
        proved += bool(best.optimal)
        errors += bool(best.optimal) and result.score < best.score - 1e-5
    return errors, proved


def test_search_errors_are_those_of_single_lines(trained: Path) -> None:
    translator = Translator(trained, preset="paper-2006")
    lines = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:12]
    stacks: dict[str, Any] = {"decoder": "stack", "beam": 0.5, "stack_size": 2}
    uneven = translator.weights | {"lm0": 3.0, "p_ef": 0.1}
    counted = []
    for more in (stacks, {}, {"order": "estimate"}):
        options = TranslationOptions(preset="paper-2006", **more)
        for weights in (translator.weights, uneven):
            result = search_errors(translator, lines, options, weights)
            limited = TranslationOptions(preset="paper-2006", distortion_limit=4, **more)
            slow = slow_errors(translator.reweighted(weights), lines, limited)
            assert (result.errors, result.proved, result.lines) == (*slow, 12)
            counted.append(result.errors)
    assert max(counted) > 0  # small stacks, and ordering by estimate, make errors
    assert str(SearchErrors(3, 12, 30)) == "25.0 % of 12 of 30 lines"


def test_tuning_prints_search_errors(run: Any, trained: Path, tmp_path: Path) -> None:
    write_config(tmp_path, trained, "")
    files = ["--source", tmp_path / "dev.zh", "--reference", tmp_path / "dev.en", "--max-iterations", "2"]
    files += ["--job", tmp_path / "job"]
    code, out, _ = run("tune", "translation", trained, "--preset", "paper-2006", *files, "-o", tmp_path / "w.toml")
    assert code in (0, 1)
    assert re.findall(r"search errors at distortion limit 4, (.*): [0-9.]+ % of 5 of 5 lines", out) == [
        "start weights",
        "tuned weights",
    ]


def test_headline_and_word_order_experiments(headlines: Path, tmp_path: Path) -> None:
    documents = tmp_path / "test.jsonl"
    documents.write_text(json.dumps({"text": "Rain fell.", "headline": "Rain"}) + "\n")
    path = tmp_path / "config.toml"
    path.write_text(f"model = '{headlines}'\ntest = ['test.jsonl']\n")
    config = read_config(path, HeadlineExperimentConfig, preset="paper-2006")
    assert [system.name for system in config.system][-2:] == ["WIDL-Astar", "WIDL-Astar-limited"]
    learned, limited = (system.options for system in config.system[-2:])
    assert (learned.words, limited.words, config.metrics.first_words) == (0, 10, 10)
    assert (config.tuning.metric, config.tuning.options.algorithm) == ("rouge1x2_recall", "mert")
    path.write_text(f"preset = 'paper-2006'\nmodel = '{headlines}'\ntest = ['test.jsonl']\nbytes = 75\n")
    with pytest.raises(InputError, match="bytes 75 contradicts the preset"):
        read_config(path, HeadlineExperimentConfig)
    with pytest.raises(InputError, match="has the preset paper-2006, the command line paper-2005"):
        read_config(path, HeadlineExperimentConfig, preset="paper-2005")
    (tmp_path / "bags.txt").write_text("rain fell on hills\n")
    path.write_text("bags = ['bags.txt']\ntexts = ['bags.txt']\nsystem = [{name = 'a', search = 'astar'}]\n")
    with pytest.raises(InputError, match="the preset paper-2005 has its own; remove one"):
        read_config(path, WordOrderConfig, preset="paper-2005")


def test_command_line(run: Any, demo: Path, tmp_path: Path) -> None:
    code, out, _ = run("presets")
    assert code == 0
    assert "p_fe p_ef lex_fe lex_ef lm0 word_count phrase_count" in out
    assert all(f"{name}: " in out for name in PRESETS)
    config = tmp_path / "options.toml"
    config.write_text('preset = "paper-2006"\n')
    typed = run("translate", demo / "model", "--preset", "paper-2006", "--json", stdin=LINES[0])
    assert typed[2].startswith("preset paper-2006: features of this model not used: dictionary, name, pinyin, rule")
    untimed = [
        {**json.loads(out), "seconds": 0}
        for out in (typed[1], run("translate", demo / "model", "--config", config, "--json", stdin=LINES[0])[1])
    ]
    assert untimed[0] == untimed[1]
    with pytest.raises(InputError, match="distortion own contradicts the preset paper-2006"):
        Translator(demo / "model", preset="paper-2006", distortion="own")
    lm = demo / "model" / "lm0.binary"
    assert run("order", "--preset", "paper-2005", "--lm", lm, stdin="The Police rose .\n")[1].split() == sorted(
        run("order", "--preset", "paper-2005", "--lm", lm, stdin="the police rose")[1].split(),
        key=run("order", "--preset", "paper-2005", "--lm", lm, stdin="the police rose")[1].split().index,
    )
    config.write_text("widl = 1.0\nlm0 = 1.0\nword_count = 0.0\nphrase_count = 0.0\n")
    for command in ("order", "realize"):
        refused = run(command, "--preset", "paper-2005", "--lm", lm, "--weights", config, stdin="a b")
        assert refused[0] == 2
        assert "weights contradicts the preset paper-2005" in refused[2]


def test_a_translator_and_its_options_have_one_preset(trained: Path) -> None:
    with pytest.raises(InputError, match="options of no preset, but the model was opened with preset paper-2006"):
        Translator(trained, preset="paper-2006").translate_one(LINES[0], TranslationOptions())
    with pytest.raises(InputError, match="options of paper-2006, but the model was opened with preset none"):
        Translator(trained).translate_one(LINES[0], preset="paper-2006")
    with pytest.raises(InputError, match="language_models contradict the preset"):
        Translator(trained, preset="paper-2006", language_models=[trained / "lm0.binary"])


def test_headlines_have_the_presets_system(headlines: Path) -> None:
    headliner = Headliner(headlines, system="widl-paper")
    text = "The bank said on Monday that it will sell bills. The bills are for banks."
    by_preset = headliner.generate_one(text, preset="paper-2006")
    assert by_preset.text == headliner.generate_one(text, system="widl-paper").text
    assert set(by_preset.best.features) == set(PRESETS["paper-2006"].features["headline"])
