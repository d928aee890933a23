"""Symmetrization straight from its definition (Och & Ney 2003; Koehn et al. 2005, Fig. 1).

Links are (source, target) pairs. The published pseudocode leaves the order of visits open; here, as in Moses' symal,
links are ordered by target position, then source position.
"""

Links = set[tuple[int, int]]

STRAIGHT = [(-1, 0), (0, -1), (1, 0), (0, 1)]
DIAGONAL = [(-1, -1), (-1, 1), (1, -1), (1, 1)]


def symmetrize(forward: Links, reverse: Links, method: str) -> Links:
    if method == "union":
        return forward | reverse
    links = forward & reverse
    if method == "intersection":
        return links
    union = forward | reverse
    grow(links, union, STRAIGHT + (DIAGONAL if "diag" in method else []))
    if "final" in method:
        for direction in (forward, reverse):
            final(links, direction, both=method.endswith("and"))
    return links


def by_target(link: tuple[int, int]) -> tuple[int, int]:
    return link[1], link[0]


def grow(links: Links, union: Links, neighbors: list[tuple[int, int]]) -> None:
    grew = True
    while grew:
        grew = False
        previous = (-1, -1)
        # A round visits links added after the current one; links added before it wait for the next round.
        while later := [link for link in links if by_target(link) > previous]:
            source, target = min(later, key=by_target)
            previous = by_target((source, target))
            for d_target, d_source in neighbors:
                new = (source + d_source, target + d_target)
                if (
                    new in union
                    and new not in links
                    and (all(new[0] != s for s, _ in links) or all(new[1] != t for _, t in links))
                ):
                    links.add(new)
                    grew = True


def final(links: Links, direction: Links, both: bool) -> None:
    for new in sorted(direction - links, key=by_target):
        source_free = all(new[0] != s for s, _ in links)
        target_free = all(new[1] != t for _, t in links)
        if (source_free and target_free) if both else (source_free or target_free):
            links.add(new)
