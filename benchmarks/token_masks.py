"""Speed of token masks: an object with twelve keys in any order, 32,000 tokens, walks of random allowed tokens.

    python benchmarks/token_masks.py [--keys 12] [--tokens 32000] [--walks 20] [--seed 1]

Prints the time to build the constraint, the median and the longest time of a mask, and the memory used by both.
"""

import argparse
import random
import resource
import statistics
import time

from widl.decoder import TokenConstraint
from widl.expressions import interleave, lock, word


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("keys", 12), ("tokens", 32_000), ("walks", 20), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    vocabulary = {bytes([byte]) for byte in range(256)}
    while len(vocabulary) < given.tokens:
        vocabulary.add(bytes(rng.choices(b'abcdefghijklmnopqrstuvwxyz0123456789 ":', k=rng.randint(2, 8))))
    properties = [lock(word(f'"key{number}":'), word("<value>")) for number in range(given.keys)]
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.perf_counter()
    constraint = TokenConstraint(interleave(*properties), sorted(vocabulary), slots={"<value>": r'"[^"\\]*"|-?[0-9]+'})
    print(f"built in {time.perf_counter() - start:.2f} s")
    seconds = []
    for _ in range(given.walks):
        state = constraint.start()
        for _ in range(200):
            start = time.perf_counter()
            constraint.mask(state)
            seconds.append(time.perf_counter() - start)
            allowed = constraint.allowed(state)
            if not allowed:
                break
            state = constraint.advance(state, rng.choice(allowed))
    used = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    median, longest = 1e6 * statistics.median(seconds), 1e3 * max(seconds)
    print(f"{len(seconds):,} masks: median {median:.0f} µs, longest {longest:.1f} ms")
    print(f"{used:.0f} MB")


if __name__ == "__main__":
    main()
