"""Tiles joined two by two, bottom-up (Soricut & Marcu 2006, section 5), beside tiles joined all at once.

    python benchmarks/nested_tiles.py MODEL SOURCE REFERENCE [SOURCE REFERENCE …] [--lines 100] [--preset paper-2006]

First how many orders of n tiles each allows: any, those of a limit of movement, those of binary bracketings. Then the
first lines of 4 to 8 source words of the texts, translated exactly with both expressions under the model's weights:
model scores, and BLEU of both. Lines that either search does not prove within a minute are left out, and counted.
"""

import argparse
import itertools
import math
from functools import cache
from pathlib import Path

from sacrebleu.metrics.bleu import BLEU

from widl.decoder import LanguageModel, Realizer, enumerate_strings, tiles
from widl.translation import TranslationOptions, Translator
from widl.translation.written_tiles import LONGEST_NESTED, nested_tiles


def within(order: tuple[int, ...], limit: int) -> bool:
    """Whether no jump between words of an order is longer than a limit."""
    return all(abs(begin - end) <= limit for begin, end in zip(order, (0, *(one + 1 for one in order)), strict=False))


@cache
def nested_orders(length: int) -> int:
    """Orders of so many words, a tile each, that joining two by two allows."""
    flat = tiles(length, {(i, i + 1): str(i) for i in range(length)}, expmove=0.5)
    return len({one.string for one in enumerate_strings(nested_tiles(flat))})


def main() -> None:
    """Print the three tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("texts", type=Path, nargs="+", metavar="SOURCE REFERENCE")
    parser.add_argument("--lines", type=int, default=100)
    parser.add_argument("--preset", choices=["paper-2006"])
    arguments = parser.parse_args()

    print("tiles  any order  limit 4  limit 6  two by two")
    for length in range(2, 7):
        orders = list(itertools.permutations(range(length)))
        limited = [sum(within(order, limit) for order in orders) for limit in (4, 6)]
        print(f"{length:5}  {len(orders):9}  {limited[0]:7}  {limited[1]:7}  {nested_orders(length):10}")

    translator = Translator(arguments.model, preset=arguments.preset)
    options = TranslationOptions(preset="paper-2006") if arguments.preset else TranslationOptions(reordering=False)
    models = [LanguageModel.load(path) for path in sorted(arguments.model.glob("lm*.binary"))]
    realizer = Realizer(models, translator.expression_weights)
    scores: list[tuple[float, float]] = []
    outputs: list[tuple[str, str]] = []
    references: list[str] = []
    unproved = 0
    for source, reference in zip(arguments.texts[::2], arguments.texts[1::2], strict=True):
        pairs = zip(source.read_text("utf-8").splitlines(), reference.read_text("utf-8").splitlines(), strict=True)
        for line, wanted in pairs:
            if len(scores) == arguments.lines:
                break
            if not 4 <= len(translator.tokens(line, options)) <= LONGEST_NESTED:
                continue
            found = []
            for expression in (
                *translator.expressions(line, options),
                *map(nested_tiles, translator.expressions(line, options)),
            ):
                found.append(realizer.realize_one(expression, max_seconds=60))
            if not all(one.optimal for one in found):
                unproved += 1
                continue
            flat, nested = found
            scores.append((flat.score, nested.score))
            outputs.append((translator.text(flat.text.split()), translator.text(nested.text.split())))
            references.append(wanted)
    print(f"\n{len(scores)} lines of 4 to {LONGEST_NESTED} words, {unproved} not proved")
    same = sum(a == b for a, b in outputs)
    higher = sum(nested > flat + 1e-6 for flat, nested in scores)
    lower = sum(nested < flat - 1e-6 for flat, nested in scores)
    print(f"the same text {same}; model score of two by two higher {higher}, lower {lower}")
    for name, column in (("flat", 0), ("two by two", 1)):
        mean = math.fsum(score[column] for score in scores) / max(1, len(scores))
        bleu = BLEU(lowercase=True).corpus_score([one[column] for one in outputs], [references]).score
        print(f"{name:10}  mean score {mean:.3f}  BLEU {bleu:.2f}")


if __name__ == "__main__":
    main()
