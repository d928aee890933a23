"""Search beside Moses on the same tiles: what Moses needs to search them, and its n-best lists read back.

    python benchmarks/peers.py export MODEL INPUT DIR [--lines N] [--options 20] [--beam-prob 0.01]
        [--distortion-limit 6] [--weights FILE]
    python benchmarks/peers.py search MODEL DIR [--search cube:100 --search stack:100 --search astar …]
    python benchmarks/peers.py compare DIR [--moses NAME:NBEST:SECONDS …] [--elsewhere NAME:NATS:WORDS …]

`export` writes a phrase table, moses.ini and the input. Every source word has a name of its own, ``LINE.POSITION``, so
that each span of each line has just its own translations, the best --options of those that --beam-prob keeps:
segmentations, dictionary and words passed through included. Left out are empty lines, long ones that are searched in
pieces, and those with a bar in one of these translations, which Moses reads as the end of a factor. A reordering model
takes no part. Then, with Moses at hand,

    moses -f DIR/moses.ini -n-best-list DIR/cube.nbest 1 -search-algorithm 1 -cube-pruning-pop-limit 1000 \\
        -stack 1000 < DIR/input > /dev/null

`search` runs our searches on the same tiles, one thread, and keeps scores and CPU seconds, tokenising and tiling
included. `compare` prints for each the mean model score, lines below the best of all, proofs, and source words a CPU
second; a Moses score that is not Σ λ h of its own features, or above a proven best, is an error. Seconds of Moses are
those that it was measured to take, without loading. `--elsewhere` has the figures of a run whose lists are not at hand:
nats below what `cube:100` scored there, and source words a CPU second; they take part in no check.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice, takewhile
from pathlib import Path
from statistics import fmean

from widl import InputError, LanguageModel, TranslationOptions, Translator
from widl._core import Tiles
from widl.common.files import read_lines, write_text
from widl.common.hashing import write_json

Point = tuple[str, float, float]
"""A search's name, mean model score and source words a CPU second."""

TOLERANCE = 1e-3  # Moses counts in floats
SEARCHES = ["cube:100", "cube:400", "cube:1500", "stack:100", "astar"]


@dataclass
class Run:
    """A search of all lines: scores, which of them are proved to be the best, and CPU seconds in all."""

    name: str
    scores: list[float]
    proved: list[bool]
    seconds: float


@dataclass
class Exported:
    """What was exported, and how."""

    lines: list[str]
    words: int
    options: int
    beam_prob: float
    distortion_limit: int
    weights: dict[str, float]

    def search_options(self, search: str) -> TranslationOptions:
        """Of ``cube:100`` and the like: a search, and how many states it keeps."""
        name, _, size = search.partition(":")
        same = TranslationOptions(
            distortion_limit=self.distortion_limit,
            table_limit=self.options,
            table_threshold=self.beam_prob,
            reordering=False,
        )
        if name == "cube" and size.isdecimal():
            return replace(same, pop_limit=int(size))
        if name == "stack" and size.isdecimal():
            return replace(same, decoder="stack", stack_size=int(size))
        if name == "beam" and size.isdecimal():
            return replace(same, search="beam", stack_size=int(size))
        if name == "astar" and not size:
            return replace(same, search="astar")
        raise InputError(f"--search {search}: expected cube:N, stack:N, beam:N or astar")


class Exporter:
    """Writes the tiles of lines as Moses reads them."""

    def __init__(self, model: Path, weights: Path | None, options: int) -> None:
        self.translator = Translator(model, weights=weights)
        self.weights, self.most = self.translator.weights, options
        layout = self.translator.layout
        self.of_tiles = layout.widl
        manifest = json.loads((model / "manifest.json").read_text())
        self.paths = [(model / name).resolve() for name in manifest["language_models"]]
        self.models = [LanguageModel.load(path) for path in self.paths]

    def table(self, tiles: Tiles, line: str) -> Iterator[str]:
        """The lines of a sentence: of each span the best alternatives, by score and probability out of context."""
        spans: dict[tuple[int, int], list[tuple[float, str]]] = {}
        for i, (begin, end, words, scores) in enumerate(tiles.alternatives):
            unknown = tiles.is_unknown(i)
            total = sum(self.weights[name] * score for name, score in zip(self.of_tiles, scores, strict=True))
            total += self.weights["word_count"] * len(words) + self.weights["unknown"] * unknown
            for m, model in enumerate(self.models):
                total += self.weights[f"lm{m}"] * sum(model.score_words(words, begin=False, end=False))
            source = " ".join(f"{line}.{position}" for position in range(begin, end))
            columns = " ".join(repr(math.exp(score)) for score in (*scores, float(unknown)))
            spans.setdefault((begin, end), []).append((-total, f"{source} ||| {' '.join(words)} ||| {columns}\n"))
        for _, found in sorted(spans.items()):
            yield from (text for _, text in sorted(found, key=lambda item: item[0])[: self.most])

    def ini(self, folder: Path, distortion_limit: int) -> str:
        """moses.ini. Moses' distance is positive, its word penalty negative, and scores are natural logs as ours."""
        count = len(self.of_tiles) + 1
        table = (folder / "phrase-table.gz").resolve()
        features = [
            "Distortion",
            "WordPenalty",
            "PhrasePenalty",
            "UnknownWordPenalty",
            f"PhraseDictionaryMemory name=Tiles num-features={count} path={table} input-factor=0 output-factor=0 "
            "table-limit=0",
            *(
                f"KENLM name=LM{m} factor=0 path={path} order={self.models[m].order}"
                for m, path in enumerate(self.paths)
            ),
        ]
        of_tiles = " ".join(repr(self.weights[name]) for name in (*self.of_tiles, "unknown"))
        weights = [
            f"Distortion0= {self.weights['distortion']!r}",
            f"WordPenalty0= {-self.weights['word_count']!r}",
            f"PhrasePenalty0= {self.weights['phrase_count']!r}",
            "UnknownWordPenalty0= 1",
            f"Tiles= {of_tiles}",
            *(f"LM{m}= {self.weights[f'lm{m}']!r}" for m in range(len(self.models))),
        ]
        sections = {
            "input-factors": ["0"],
            "mapping": ["0 T 0"],
            "distortion-limit": [str(distortion_limit)],
            "feature": features,
            "weight": weights,
        }
        return "".join(f"[{name}]\n" + "\n".join(lines) + "\n\n" for name, lines in sections.items())


def export(arguments: argparse.Namespace) -> None:
    """The command."""
    exporter = Exporter(arguments.model, arguments.weights, arguments.options)
    lines = list(islice(read_lines(arguments.input), arguments.lines))
    arguments.dir.mkdir(parents=True, exist_ok=True)
    words = 0
    kept: list[str] = []
    with (
        write_text(arguments.dir / "phrase-table.gz") as table,
        write_text(arguments.dir / "input") as source,
    ):
        for line in lines:
            pieces = exporter.translator.tiles(
                line, TranslationOptions(table_threshold=arguments.beam_prob, reordering=False)
            )
            name = str(len(kept))
            entries = list(exporter.table(pieces[0], name)) if len(pieces) == 1 else []
            if not entries or any("|" in entry.split(" ||| ")[1] for entry in entries):
                continue
            table.writelines(entries)
            source.write(" ".join(f"{name}.{position}" for position in range(len(pieces[0]))) + "\n")
            words += len(pieces[0])
            kept.append(line)
    with write_text(arguments.dir / "moses.ini") as file:
        file.write(exporter.ini(arguments.dir, arguments.distortion_limit))
    exported = Exported(
        kept, words, arguments.options, arguments.beam_prob, arguments.distortion_limit, exporter.weights
    )
    write_json(arguments.dir / "exported.json", asdict(exported))
    print(f"{len(kept)} lines of {words} words in {arguments.dir}; {len(lines) - len(kept)} left out")


def search(arguments: argparse.Namespace) -> None:
    """The command: our searches, on the lines and limits that were exported."""
    exported = _exported(arguments.dir)
    translator = Translator(arguments.model, weights=exported.weights)
    list(translator.translate(exported.lines[:1]))  # files are opened when they are first used
    for one in arguments.search or SEARCHES:
        begin = time.process_time()
        found = list(translator.translate(exported.lines, exported.search_options(one)))
        seconds = time.process_time() - begin
        run = Run(one, [line.score for line in found], [line.optimal for line in found], seconds)
        write_json(arguments.dir / f"widl.{one.replace(':', '-')}.json", asdict(run))
        print(
            f"{one}: {fmean(run.scores):.4f}, {seconds:.2f} CPU s, {exported.words / seconds:,.0f} words/s", flush=True
        )


def read_moses(path: Path, name: str, seconds: float, weights: Mapping[str, Sequence[float]], count: int) -> Run:
    """The best score of each line in Moses' n-best list; InputError for one that is not Σ λ h of its features."""
    best = [-math.inf] * count
    for number, line in enumerate(read_lines(path), 1):
        fields = line.split(" ||| ")
        if len(fields) < 4 or not fields[0].isdecimal() or int(fields[0]) >= count:
            raise InputError(f"{path}:{number}: expected 'LINE ||| text ||| features ||| score' of {count} lines")
        total, feature, place = 0.0, "", 0
        for token in fields[2].split():
            if token.endswith("="):
                feature, place = token[:-1], 0
            else:
                total += weights[feature][place] * float(token)
                place += 1
        score = float(fields[3])
        if abs(total - score) > TOLERANCE * max(1.0, abs(score)):
            raise InputError(f"{path}:{number}: the score {score} is not that of its features, {total:.4f}")
        best[int(fields[0])] = max(best[int(fields[0])], score)
    if missing := [i for i, score in enumerate(best) if score == -math.inf]:
        raise InputError(f"{path}: no derivation of line {missing[0]}; Moses was given another input")
    return Run(name, best, [False] * count, seconds)


def read_weights_of(ini: Path) -> dict[str, list[float]]:
    """The [weight] section."""
    lines = [line.strip() for line in read_lines(ini)]
    section = lines[lines.index("[weight]") + 1 :]
    return {
        name: [float(value) for value in values.split()]
        for line in takewhile(bool, section)
        for name, _, values in [line.partition("=")]
    }


def compare(arguments: argparse.Namespace) -> None:
    """The command: a table."""
    exported = _exported(arguments.dir)
    weights = read_weights_of(arguments.dir / "moses.ini")
    runs = [Run(**json.loads(path.read_text())) for path in sorted(arguments.dir.glob("widl.*.json"))]
    for given in arguments.moses or []:
        name, path, seconds = given.rsplit(":", 2)
        runs.append(read_moses(Path(path), name, float(seconds), weights, len(exported.lines)))
    check_proofs(runs)
    known = read_elsewhere(arguments.elsewhere or [], runs)
    best = [max(scores) for scores in zip(*(run.scores for run in runs), strict=True)]
    print(f"{'search':24} {'mean score':>12} {'below best':>11} {'proved':>7} {'CPU s':>9} {'words/s':>9}")
    for run in sorted(runs, key=lambda run: run.seconds):
        below = sum(score < top - TOLERANCE for score, top in zip(run.scores, best, strict=True))
        print(
            f"{run.name:24} {fmean(run.scores):12.4f} {below:11} {sum(run.proved):7} {run.seconds:9.2f} "
            f"{exported.words / run.seconds:9,.0f}"
        )
    for name, score, speed in known:
        print(f"{name:24} {score:12.4f} {'':11} {'':7} {'':9} {speed:9,.0f}  (elsewhere)")


def read_elsewhere(given: Sequence[str], runs: Sequence[Run]) -> list[Point]:
    """Names, scores as far below ours of `cube:100` as they were there, and speeds."""
    ours = [fmean(run.scores) for run in runs if run.name == "cube:100"]
    if given and not ours:
        raise InputError("--elsewhere counts from cube:100, of which there is no run; search with it first")
    found = []
    for one in given:
        try:
            name, nats, speed = one.rsplit(":", 2)
            found.append((name, ours[0] - float(nats), float(speed)))
        except ValueError:
            raise InputError(f"--elsewhere {one}: expected NAME:NATS:WORDS, like moses2 400:4.13:2070") from None
    return found


def check_proofs(runs: Sequence[Run]) -> None:
    """InputError where a score is above one that is proved to be the best."""
    for run in runs:
        for i, (score, proved) in enumerate(zip(run.scores, run.proved, strict=True)):
            higher = max(runs, key=lambda other: other.scores[i])
            if proved and higher.scores[i] > score + TOLERANCE * max(1.0, abs(score)):
                raise InputError(
                    f"line {i}: {higher.name} has {higher.scores[i]:.4f}, above {score:.4f}, proved by {run.name}; "
                    "the models differ, or a proof is wrong"
                )


def _exported(folder: Path) -> Exported:
    path = folder / "exported.json"
    if not path.exists():
        raise InputError(f"{path}: not there; run `export` first")
    return Exported(**json.loads(path.read_text()))


def main(given: Sequence[str] | None = None) -> int:
    """The command; 2 for wrong input."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("export")
    for name in ("model", "input", "dir"):
        one.add_argument(name, type=Path)
    one.add_argument("--lines", type=int)
    one.add_argument("--options", type=int, default=20, help="translations of a span")
    one.add_argument("--beam-prob", type=float, default=0.01, help="of the best p(e|f) of a span")
    one.add_argument("--distortion-limit", type=int, default=6)
    one.add_argument("--weights", type=Path)
    one.set_defaults(run=export)
    one = commands.add_parser("search")
    one.add_argument("model", type=Path)
    one.add_argument("dir", type=Path)
    one.add_argument(
        "--search", action="append", metavar="NAME:STATES", help=f"of {', '.join(SEARCHES)}, by default all"
    )
    one.set_defaults(run=search)
    one = commands.add_parser("compare")
    one.add_argument("dir", type=Path)
    one.add_argument("--moses", action="append", metavar="NAME:NBEST:SECONDS")
    one.add_argument("--elsewhere", action="append", metavar="NAME:NATS:WORDS")
    one.set_defaults(run=compare)
    arguments = parser.parse_args(given)
    try:
        arguments.run(arguments)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
