"""The acceptor of a WIDL-graph with its ε-edges, by the papers' rule for cuts (2005, §2.3), without weights."""

from collections import Counter

from widl.decoder.widl_graph import Edge, EdgeKind, WidlGraph

Cut = frozenset[int]
Arc = tuple[Cut, str, Cut]


def cut_acceptor(graph: WidlGraph) -> tuple[set[Cut], list[Arc]]:
    """All cuts that can be reached from the entry, and the arcs between them; an ε-arc has an empty label."""
    forks: dict[int, list[Edge]] = {}
    joins: dict[int, list[Edge]] = {}
    for edge in graph.edges:
        if edge.kind == EdgeKind.fork:
            forks.setdefault(edge.source, []).append(edge)
        elif edge.kind == EdgeKind.join:
            joins.setdefault(edge.target, []).append(edge)
    start = frozenset({graph.entry})
    cuts, arcs, rest = {start}, [], [start]
    while rest:
        cut = rest.pop()
        moves = [({e.source}, {e.target}, e.label if e.kind == EdgeKind.word else "") for e in graph.edges
                 if e.kind in (EdgeKind.word, EdgeKind.epsilon)]  # fmt: skip
        moves += [({source}, {e.target for e in edges}, "") for source, edges in forks.items()]
        moves += [({e.source for e in edges}, {target}, "") for target, edges in joins.items()]
        for sources, targets, label in moves:
            others = cut - sources
            # No vertex may be entered that is of lower rank than one that stays.
            ranks = [graph.vertices[v].rank for v in others]
            if sources <= cut and all(graph.vertices[v].rank >= max(ranks, default=0) for v in targets):
                behind = frozenset(others | targets)
                arcs.append((cut, label, behind))
                if behind not in cuts:
                    cuts.add(behind)
                    rest.append(behind)
    return cuts, arcs


def strings_of(graph: WidlGraph) -> set[str]:
    """The strings of the cut acceptor."""
    _, arcs = cut_acceptor(graph)
    found: set[str] = set()
    rest: list[tuple[Cut, tuple[str, ...]]] = [(frozenset({graph.entry}), ())]
    while rest:
        cut, words = rest.pop()
        if cut == {graph.exit}:
            found.add(" ".join(words))
        rest += [(behind, (*words, label) if label else words) for source, label, behind in arcs if source == cut]
    return found


def labels(arcs: list[Arc]) -> Counter[str]:
    """How often each label stands on an arc."""
    return Counter(label for _, label, _ in arcs)
