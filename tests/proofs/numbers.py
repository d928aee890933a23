"""Numbers, dates and times inside of sentences, translated by a whole model: is every printed value right?

`tests.reference.chinese_numbers` writes values in the notations of Chinese news, and knows all right English forms. The
printed line must have one of them, or the rules were silent; then the line has no digits but those of the notation.
"""

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.reference.chinese_numbers import Written, plain, says, written
from widl.pipeline.demo import sample_corpus
from widl.pipeline.training import train
from widl.pipeline.training_files import TrainingFiles
from widl.text.normalization import normalize_chinese
from widl.translation import SentenceReader, TranslationOptions, Translator

FRAMES = (
    "报告说，{}。", "警方正在调查{}的报告。", "总统说：“{}。”", "全国有{}", "他们从{}开始工作。",
    "委员会讨论了（{}）", "，{}以上", "达到{}，石油价格上涨。", "在{}的时候，他访问北京。",
    "公司将于{}宣布结果。", "{}", "大约{}左右，市长说。",
)  # fmt: skip
"""Sentences without other numbers."""
GROUP = 500
"""Lines of a group."""
_OPTIONS = TranslationOptions(pop_limit=20)


@cache
def sample_translator() -> Translator:
    """A model of the sample corpus, trained for this process."""
    corpus = sample_corpus()
    with TemporaryDirectory() as folder:
        train(TrainingFiles(bitext=[corpus / "train"], lm_text=[corpus / "mono.en"]), Path(folder) / "model")
        return Translator(Path(folder) / "model")


def check_numbers(translator: Translator, seed: int, group: int) -> Iterator[list[str]]:
    """The complaints about each line of a group of random notations inside of sentences."""
    draw = random.Random(f"{seed} {group}")
    numbers = [written(draw) for _ in range(GROUP)]
    lines = [draw.choice(FRAMES).format(number.notation) for number in numbers]
    reader = translator.reader(_OPTIONS)
    for line, number, translation in zip(lines, numbers, translator.translate(lines, _OPTIONS), strict=True):
        yield complaints(line, number, translation.text, translation.failure, reader)


def complaints(line: str, number: Written, text: str, failure: str, reader: SentenceReader) -> list[str]:
    """What is wrong with a printed line."""
    if failure:
        return [f"{line}: {failure}"]
    if says(text, number.forms):
        return []
    if any(span.given.origin == "rule" and span.given.alternatives for span in reader.read(line).given):
        return [f"{line}: {number.kind} {number.notation} is printed as {text!r}"]
    notation = plain(normalize_chinese(number.notation))
    digits = [found for found in re.findall(r"[0-9][0-9.,]*[0-9]|[0-9]", text) if found not in notation]
    return [f"{line}: nothing was read, but {digits[0]} is printed in {text!r}"] if digits else []
