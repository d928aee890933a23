"""Given alignments understood straight from their definitions, character by character."""


def read_points(text: str, possible: bool) -> set[tuple[int, int]]:
    links = set()
    for point in text.split(" "):
        for mark in "-?:p":
            if mark in point:
                source, target = point.split(mark)
                if mark == "-" or possible:
                    links.add((int(source), int(target)))
    return links


def giza_lines(number: int, source: list[str], target: list[str], links: dict[int, int]) -> list[str]:
    """What GIZA++ writes for a pair of which target word j comes from source word links[j], or from none."""
    from_null = [j for j in range(len(target)) if j not in links]
    parts = [("NULL", from_null)]
    parts += [(word, [j for j in range(len(target)) if links.get(j) == i]) for i, word in enumerate(source)]
    words = "".join(f"{word} ({{ {''.join(f'{j + 1} ' for j in found)}}}) " for word, found in parts)
    head = f"# Sentence pair ({number}) source length {len(source)} target length {len(target)} alignment score : 1e-05"
    return [head, " ".join(target), words]
