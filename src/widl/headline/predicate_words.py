"""Words that decide which parts of predicates may go."""

from widl.headline.lexicon import word_set

NEEDED_CASES = word_set("to for with on of into against about out off over as between like back")
CLAUSE_MARKS = word_set("after before while when since as to because if unless until although though so by following")
UNFINISHED = word_set("likely unlikely able unable due ready reluctant willing expected set bound")
VAGUE = word_set("prominent responsible similar close open subject available important involved present absent")
ASIDES = word_set("effective due payable subject")
DIRECTIONS = word_set("up down out off ahead aside away back apart forward")
BESIDE = word_set("despite because amid following after as since")
NEVER_FREE = word_set("without except into below above")
