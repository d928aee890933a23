"""Clusters of overlapping bigrams, straight from the definition."""


def clusters(marked: list[bool]) -> list[list[int]]:
    """Bigrams of neighbors that include a marked word; bigrams that share a word are merged until all are disjoint."""
    result = [{left, left + 1} for left in range(len(marked) - 1) if marked[left] or marked[left + 1]]
    if marked == [True]:
        result = [{0}]
    merged = True
    while merged:
        merged = False
        for item in result:
            for other in result:
                if item is not other and item & other:
                    result = [bigrams for bigrams in result if bigrams is not item and bigrams is not other]
                    result.append(item | other)
                    merged = True
                    break
            if merged:
                break
    return sorted(map(sorted, result))
