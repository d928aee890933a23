"""Clusters of overlapping bigrams, straight from the definition."""


def clusters(marked: list[bool]) -> list[list[int]]:
    """Bigrams of neighbors that include a marked word; bigrams that share a word are merged until all are disjoint."""
    found = [{left, left + 1} for left in range(len(marked) - 1) if marked[left] or marked[left + 1]]
    if marked == [True]:
        found = [{0}]
    merged = True
    while merged:
        merged = False
        for one in found:
            for other in found:
                if one is not other and one & other:
                    found = [bigrams for bigrams in found if bigrams is not one and bigrams is not other]
                    found.append(one | other)
                    merged = True
                    break
            if merged:
                break
    return sorted(map(sorted, found))
