r"""δ of ∥ divided by its sum, in translation: what changes for short lines (Soricut & Marcu 2006, §5).

    python benchmarks/normalized_movement.py MODEL --weights out/systems/WIDL-cube/weights.json \
        --source test.zh --references test.ref0.en …

The preset's expressions have a^d of each order of tiles as it is, so a segmentation into many tiles has a larger sum
than one into few. Here both are searched exactly, without a limit of movement: as they are, and with a^d divided by its
sum over the orders of each segmentation, in h0 to h3. Of the lines of up to 8 source words it prints how many best
translations differ, and BLEU of both. With --eq2 LINES, the first lines that Equation 2 allows are searched with that
bound, too, which must find the same scores.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import sacrebleu

from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.decoder import RealizationResult, Realizer
from widl.expressions import Expression
from widl.translation import TranslationOptions, Translator
from widl.translation.movement_features import FOLDED_BASE
from widl.translation.tiles_expression import LONGEST_NESTED

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.reference.normalized_tiles import normalized_tiles

PROBABILITIES = 4
TOLERANCE = 1e-3


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--weights", type=Path, help="tuned weights, of an experiment or in TOML")
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--references", type=Path, nargs="+", required=True)
    parser.add_argument("--eq2", type=int, default=0, help="lines searched under Equation 2")
    arguments = parser.parse_args()
    options = TranslationOptions(preset="paper-2006")
    weights = arguments.weights
    if weights is not None and weights.suffix == ".json":  # of each tuning
        weights = json.loads(weights.read_text(encoding="utf-8"))[0]["weights"]
    translator = Translator(arguments.model, weights=weights, preset="paper-2006")
    realizer = Realizer(translator.language_models, translator.expression_weights)
    lines = list(read_lines(arguments.source))
    references = [list(read_lines(file)) for file in arguments.references]
    short = [k for k, line in enumerate(lines) if 0 < len(translator.tokens(line, options)) <= LONGEST_NESTED]
    flat = [translator.expressions(lines[k], options)[0] for k in short]
    divided = [normalized_tiles(tiles, FOLDED_BASE, PROBABILITIES) for tiles in flat]
    texts = []
    for expressions in (flat, divided):
        results = list(realizer.realize(expressions))
        assert all(result.optimal for result in results)
        texts.append([translator.target.text(result.text.split()) for result in results])
    changed = sum(one != other for one, other in zip(*texts, strict=True))
    kept = [[file[k] for k in short] for file in references]
    scores = [sacrebleu.corpus_bleu(output, kept, lowercase=True).score for output in texts]
    print(f"{len(short)} of {len(lines)} lines have up to {LONGEST_NESTED} words; {changed} best translations change")
    print(f"BLEU, lower-cased: a^d as it is {scores[0]:.2f}, divided by its sum {scores[1]:.2f}")
    if arguments.eq2:
        print(under_equation_2(realizer, flat, arguments.eq2))


def under_equation_2(realizer: Realizer, flat: Sequence[Expression], most: int) -> str:
    """Searches the first expressions that Equation 2 allows, with it and with the bound of tiles."""

    def pairs() -> Iterator[tuple[RealizationResult, RealizationResult]]:
        for tiles in flat:
            try:
                yield realizer.realize_one(tiles), realizer.realize_one(tiles, bound="eq2")
            except InputError:
                continue

    found = list(islice(pairs(), most))
    assert all(abs(own.score - paper.score) < TOLERANCE for own, paper in found if paper.optimal)
    states = [sum(result.states for result in results) for results in zip(*found, strict=True)]
    proved = sum(paper.optimal for _, paper in found)
    return f"Equation 2: {proved} of {len(found)} lines proved, {states[1]} states, by the bound of tiles {states[0]}"


if __name__ == "__main__":
    main()
