"""Speed of search alone, and distance from proof: paired runs of two builds of the core.

    python benchmarks/search_speed.py MODEL_DIR --source dev.zh [--sentences 100] [--cores OLD.so NEW.so] [--searches …]

Each core runs in a separate process, on the same tiles, made beforehand. A core is a compiled `widl._core`; the default
is the installed one alone. The processes take turns, `--repeat` times for each search. Times are CPU seconds of a
process on one thread, with medians reported; every turn must give the same scores, or the benchmark fails.
"""

import argparse
import importlib.util
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

SEARCHES: dict[str, dict[str, object]] = {
    "cube 20": {"pop_limit": 20},
    "cube 50": {"pop_limit": 50},
    "cube 100": {"pop_limit": 100},
    "cube 200": {"pop_limit": 200},
    "cube 400": {"pop_limit": 400},
    "cube 1000": {"pop_limit": 1000},
    "cube 1500": {"pop_limit": 1500},
    "cube 5000": {"pop_limit": 5000},
    "cube 400, 100-best": {"pop_limit": 400, "nbest": 100},
    "stack 100": {"decoder": "stack"},
    "beam 100": {"search": "beam"},
    "A*_2": {"search": "astar-k"},
    "A*, limit 4": {"search": "astar", "distortion_limit": 4},
}


def main() -> None:
    """Prints a row for each search and core."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=100, help="spread evenly over the file; 0: all")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument(
        "--cores", nargs="*", type=Path, default=[None], help="compiled cores, the one to compare with first"
    )
    parser.add_argument("--searches", nargs="*", default=["cube 100", "cube 400", "cube 1500"], metavar="NAME or JSON")
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options)
        return
    workers = [start(options, core) for core in options.cores]
    print(f"{options.sentences} sentences; {processor()}, one thread, median of {options.repeat} turns")
    print(
        f"{'search':24}{'core':>12}{'ms/line':>10}{'times':>8}{'score':>12}{'gap: mean':>11}{'median':>8}{'proved':>8}"
        f"{'states':>10}"
    )
    for name in options.searches:
        runs: list[list[dict[str, float]]] = [[] for _ in workers]
        for _ in range(options.repeat):
            for worker, results in zip(workers, runs, strict=True):
                results.append(ask(worker, name))
        row(name, options.cores, runs)
    for worker in workers:
        worker.communicate("")


def row(name: str, cores: list[Path | None], runs: list[list[dict[str, float]]]) -> None:
    """The medians of each core's turns."""
    seconds = [statistics.median(one["seconds"] for one in results) for results in runs]
    for core, results, median in zip(cores, runs, seconds, strict=True):
        found = results[0]
        assert all(one["score"] == found["score"] for one in results), f"{name}: other scores in each turn"
        label = core.stem[:11] if core else "installed"
        print(
            f"{name[:23]:24}{label:>12}{1000 * median:10.2f}{seconds[0] / median:8.2f}{found['score']:12.4f}"
            f"{found['mean_gap']:11.2f}{found['median_gap']:8.2f}{found['proved']:8.0%}{found['states']:10,.0f}",
            flush=True,
        )


def start(options: argparse.Namespace, core: Path | None) -> subprocess.Popen[str]:
    """Starts a process that searches with this core."""
    command = [sys.executable, __file__, str(options.model), "--source", str(options.source)]
    command += ["--sentences", str(options.sentences), "--work"]
    command += ["--cores", str(core.resolve())] if core else []
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert worker.stdout is not None
    assert worker.stdout.readline() == "ready\n"
    return worker


def ask(worker: subprocess.Popen[str], name: str) -> dict[str, float]:
    """Runs one turn of a search."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(name + "\n")
    worker.stdin.flush()
    answer: dict[str, float] = json.loads(worker.stdout.readline())
    return answer


def work(options: argparse.Namespace) -> None:
    """Makes the tiles, then runs the searches requested by the other process."""
    if options.cores[0] is not None:
        spec = importlib.util.spec_from_file_location("widl._core", options.cores[0])
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["widl._core"] = module
        spec.loader.exec_module(module)
    from widl.common.files import read_lines
    from widl.translation import TranslationOptions, Translator

    translator = Translator(options.model)
    lines = list(read_lines(options.source))
    if options.sentences:
        lines = lines[:: max(1, len(lines) // options.sentences)][: options.sentences]
    tiles = [piece for line in lines for piece in translator.tiles(line)]
    print("ready", flush=True)
    for request in sys.stdin:
        name = request.rstrip("\n")
        search = TranslationOptions(**(SEARCHES[name] if name in SEARCHES else json.loads(name))).core_options()
        begin = time.process_time()
        found = list(translator._realizer.realize(tiles, translator._vector, search))
        seconds = time.process_time() - begin
        gaps = [one.bound - one.score for one in found]
        answer = {
            "seconds": seconds / len(found),
            "score": statistics.mean(one.score for one in found),
            "mean_gap": statistics.mean(gaps),
            "median_gap": statistics.median(gaps),
            "proved": statistics.mean(one.optimal for one in found),
            "states": statistics.mean(one.statistics.states for one in found),
        }
        print(json.dumps(answer), flush=True)


def processor() -> str:
    """The machine's processor, if the system reports it."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.processor()


if __name__ == "__main__":
    main()
