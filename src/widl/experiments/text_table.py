"""Columns of text."""

from collections.abc import Iterator, Sequence


def aligned(lines: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first column to the left, the others to the right, two blanks between them.

    >>> print("\\n".join(aligned([["", "ID %"], ["A*", "67.1"], ["B_0.2", "9"]])))
           ID %
    A*     67.1
    B_0.2     9
    """
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    for line in lines:
        cells = [cell.rjust(width) for cell, width in zip(line, widths, strict=True)]
        yield "  ".join([line[0].ljust(widths[0]), *cells[1:]]).rstrip()
