r"""Measures each choice in the 2006 paper's translation system: it is undone, with the same weights.

    python benchmarks/undone_choices.py MODEL --weights out/systems/WIDL-cube/weights.json --sets mt/nist/nist02 …

The choices are those that Soricut & Marcu (2006, §5) leave open. A set NAME has NAME.zh and references NAME.ref0.en, ….
Weights are of the experiment's first tuning, and all lines are decoded by cube pruning. Prints lower-cased BLEU of
sacrebleu (13a) on each set.
"""

import argparse
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import sacrebleu

from widl.common.files import read_lines
from widl.translation import TranslationOptions, Translator, movement_features

CHOSEN: dict[str, Any] = {
    "search": "cube",
    "pop_limit": 300,
    "distortion_limit": 4,
    "entities": "constraint",
    "names": True,
}
UNDONE: dict[str, dict[str, Any]] = {
    "the preset with limit 4 and rules": {},
    "no rules for numbers, dates and names": {"entities": "none", "names": False},
    "no rules for names": {"names": False},
    "limit of movement 6 for 4": {"distortion_limit": 6},
    "no movement": {"distortion_limit": 0},
}
OF_THE_PRESET: dict[str, Any] = {
    "table_limit": 10,
    "reordering": False,
    "rare_words": 0,
    "segmentations": "one",
    "unknown": "copy",
}


def main() -> None:
    """Prints a row for each choice."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--weights", type=Path, required=True, help="tuned weights of an experiment")
    parser.add_argument("--sets", nargs="+", required=True)
    arguments = parser.parse_args()
    weights = json.loads(arguments.weights.read_text(encoding="utf-8"))[0]["weights"]
    preset = Translator(arguments.model, weights=weights, preset="paper-2006")
    for name, undone in UNDONE.items():
        show(name, preset, TranslationOptions(**({"preset": "paper-2006"} | CHOSEN | undone)), arguments.sets)
    with patch.object(movement_features, "_COST", 1.0):
        other = Translator(arguments.model, weights=weights, preset="paper-2006")
    show("a of a^d is 1/e for 0.6", other, TranslationOptions(preset="paper-2006", **CHOSEN), arguments.sets)
    raw = with_raw_scores(arguments.model, weights)
    show("raw scores of the table in δ", raw, TranslationOptions(**(CHOSEN | OF_THE_PRESET)), arguments.sets)


def with_raw_scores(model: Path, weights: Mapping[str, float]) -> Translator:
    """The paper's features without its distributions: all other features of the model have weight 0."""
    whole = Translator(model, distortion="folded")
    return whole.reweighted({name: weights.get(name, 0.0) for name in whole.features})


def show(name: str, translator: Translator, options: TranslationOptions, sets: list[str]) -> None:
    """Prints BLEU of all sets under some options."""
    scores = []
    for test in sets:
        folder, stem = Path(test).parent, Path(test).name
        references = [list(read_lines(file)) for file in sorted(folder.glob(f"{stem}.ref?.en"))]
        outputs = [result.text for result in translator.translate(read_lines(Path(f"{test}.zh")), options)]
        scores.append(sacrebleu.corpus_bleu(outputs, references, lowercase=True).score)
    assert all(map(math.isfinite, scores))
    print(f"{name}: {' '.join(f'{score:.2f}' for score in scores)}", flush=True)


if __name__ == "__main__":
    main()
