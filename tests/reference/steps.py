"""What must be made again, from scratch: a step is stale if anything it was made from, or left, is not as it was."""

from collections.abc import Mapping, Sequence

Graph = Mapping[str, Sequence[str]]
"""By step, the steps and inputs that it reads, in an order in which they can be made."""


def contents(graph: Graph, inputs: Mapping[str, str], settings: Mapping[str, str]) -> dict[str, str]:
    """What every step's output is: its settings, and the first letters of all that it reads."""
    found = dict(inputs)
    for step, reads in graph.items():
        found[step] = settings[step] + "".join(found[name][:1] for name in reads)
    return found


def stale(
    graph: Graph,
    before: tuple[Mapping[str, str], Mapping[str, str]],
    now: tuple[Mapping[str, str], Mapping[str, str]],
    damaged: set[str],
) -> set[str]:
    """Steps to make: of (inputs, settings) as they were at the last whole run, and as they are now."""
    old, new = contents(graph, *before), contents(graph, *now)
    return {
        step
        for step, reads in graph.items()
        if step in damaged or before[1][step] != now[1][step] or any(old[name] != new[name] for name in reads)
    }
