"""The options of a combination."""

from typing import Annotated

from widl.common.options import option, option_set


@option_set
class CombinationOptions:
    """How outputs are combined."""

    skeletons: Annotated[
        int, option("Outputs that give the order of words, those most like the others; 0: all.", ge=0)
    ] = 3
    support: Annotated[
        int, option("A name, number or negation is of the skeleton, or of so many outputs at least.", ge=1)
    ] = 2
    nbest: Annotated[int, option("Number of candidates.", ge=1)] = 1
    max_seconds: Annotated[float, option("Budget of a line's search; 0: none.", ge=0)] = 10.0
    max_states: Annotated[int, option("States of a line's search; 0: no limit.", ge=0)] = 0
    must: Annotated[tuple[str, ...], option("Words that the result has, somewhere in a row.", metavar="TERM")] = ()
    without: Annotated[tuple[str, ...], option("A word that the result does not have.", metavar="WORD")] = ()
