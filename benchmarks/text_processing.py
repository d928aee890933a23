"""Lines a second of processor time of every stage between raw text and tokens, on one core.

python benchmarks/text_processing.py train.zh train.en
"""

import argparse
import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import TypeVar

from widl.common.files import read_lines
from widl.text.detokenization import Detokenizer
from widl.text.normalization import normalize_chinese, normalize_european
from widl.text.segmentation import ChineseSegmenter, MosesWordTokenizer
from widl.text.truecasing import Truecaser, capitalize_sentences

T = TypeVar("T")
R = TypeVar("R")


def measure(name: str, work: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """Print the speed of a stage; its results."""
    start = time.process_time()
    results = [work(item) for item in items]
    seconds = time.process_time() - start
    print(f"{name:28}{len(results) / seconds:12,.0f} lines/s{seconds:9.2f} s")
    return results


def timed(name: str, work: Callable[[], R]) -> R:
    """Print how long one call takes; its result."""
    start = time.process_time()
    result = work()
    print(f"{name:28}{'':20}{time.process_time() - start:9.2f} s")
    return result


def main() -> None:
    """Run every stage on the given files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chinese", type=Path)
    parser.add_argument("english", type=Path)
    parser.add_argument("--lines", type=int, default=50_000, help="how many lines of each to use")
    arguments = parser.parse_args()
    chinese = list(islice(read_lines(arguments.chinese), arguments.lines))
    english = list(islice(read_lines(arguments.english), arguments.lines))

    segmenter = timed("load rjieba", ChineseSegmenter)
    measure("normalise Chinese", normalize_chinese, chinese)
    measure("segment Chinese", segmenter.tokenize, chinese)
    tokenizer = timed("load sacremoses", MosesWordTokenizer)
    measure("normalise English", normalize_european, english)
    tokens = measure("tokenise English", tokenizer.tokenize, english)
    truecaser = timed("train truecaser", lambda: Truecaser.train(tokens))
    cased = measure("truecase", truecaser.apply, tokens)
    detokenizer = Detokenizer()
    output = measure("detokenise", lambda line: detokenizer.detokenize(capitalize_sentences(line)), cased)
    same = sum(map(str.__eq__, output, map(normalize_european, english)))
    print(f"round trips that give the normalised line: {same / len(output):.1%}")


if __name__ == "__main__":
    main()
