"""`widl serve` under load on this machine: throughput beside the library's, time of requests, growth of the process.

    python benchmarks/serving.py MODEL LINES [--clients 1 4 16] [--requests 2000] [--lines-a-request 4]

For each number of clients: requests of the lines in turn, each client's next one when its last is answered; lines a
second, and their share of what the library translates in one process with as many threads as the service has (medians
of three runs, in turns); median and 99th percentile of a request's milliseconds; growth of the service's memory
between its first tenth of requests and its last. Every answer is compared with the library's.
"""

import argparse
import http.client
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from statistics import median, quantiles

from widl import Translator
from widl.common.files import read_lines


def resident(pid: int) -> int:
    """Bytes of memory that a process has in use."""
    status = Path(f"/proc/{pid}/status").read_text()
    return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


def library(translator: Translator, lines: Sequence[str], threads: int) -> tuple[float, list[str]]:
    """Lines a second, and translations."""
    begin = time.perf_counter()
    texts = [line.text for line in translator.translate(lines, threads=threads)]
    return len(lines) / (time.perf_counter() - begin), texts


class Load:
    """Clients of a service, each with a connection of its own."""

    def __init__(self, host: str, lines: Sequence[str], expected: Sequence[str], size: int) -> None:
        self.host, self.size = host, size
        self.lines, self.expected = lines, expected

    def client(self, number: int, clients: int, requests: int) -> list[float]:
        """Seconds of each request."""
        connection = http.client.HTTPConnection(self.host, timeout=600)
        seconds = []
        for request in range(number, requests, clients):
            chosen = [(request * self.size + i) % len(self.lines) for i in range(self.size)]
            body = json.dumps({"lines": [self.lines[i] for i in chosen]})
            begin = time.perf_counter()
            connection.request("POST", "/translate", body, {"Content-Type": "application/json"})
            answer = json.loads(connection.getresponse().read())
            seconds.append(time.perf_counter() - begin)
            if [one["text"] for one in answer["translations"]] != [self.expected[i] for i in chosen]:
                raise SystemExit(f"request {request}: another translation than the library's")
        return seconds

    def run(self, clients: int, requests: int) -> tuple[float, list[float]]:
        """Lines a second, and seconds of all requests."""
        begin = time.perf_counter()
        with ThreadPoolExecutor(clients) as pool:
            found = pool.map(lambda number: self.client(number, clients, requests), range(clients))
            seconds = [second for each in found for second in each]
        return self.size * len(seconds) / (time.perf_counter() - begin), seconds


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("input", type=Path)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 4, 16])
    parser.add_argument("--requests", type=int, default=2000, help="of each run")
    parser.add_argument("--lines-a-request", type=int, default=4)
    parser.add_argument("--lines", type=int, default=500)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    lines = list(islice(read_lines(arguments.input), arguments.lines))
    translator = Translator(arguments.model)
    _, expected = library(translator, lines, arguments.threads)
    command = [sys.executable, "-c", "from widl.cli import main; main()", "serve", str(arguments.model), "--port", "0"]
    command += ["--threads", str(arguments.threads)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        assert service.stdout is not None
        load = Load(service.stdout.readline().strip().rpartition("/")[2], lines, expected, arguments.lines_a_request)
        print(f"{'clients':>7} {'lines/s':>9} {'of library':>10} {'p50 ms':>8} {'p99 ms':>8} {'growth':>8}")
        for clients in arguments.clients:
            load.run(clients, max(arguments.requests // 10, clients))
            before, rates, shares, seconds = resident(service.pid), [], [], []
            for _ in range(3):
                alone, _ = library(translator, lines, arguments.threads)
                rate, times = load.run(clients, arguments.requests)
                rates.append(rate)
                shares.append(rate / alone)
                seconds += times
            growth = resident(service.pid) / before - 1
            print(
                f"{clients:7} {median(rates):9,.0f} {median(shares):10.2f} {1000 * median(seconds):8.1f} "
                f"{1000 * quantiles(seconds, n=100)[98]:8.1f} {growth:8.1%}",
                flush=True,
            )
        service.terminate()


if __name__ == "__main__":
    main()
