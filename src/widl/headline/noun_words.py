"""Words that decide which parts of noun phrases may go."""

from widl.headline.lexicon import word_set
from widl.headline.words import Word

RELATIONAL = {
    "on": word_set("rating ban tax limit curb restriction sanction embargo tariff duty attack ceiling"),
    "in": word_set("role part involvement stake interest reduction decline drop participation confidence investment"),
    "for": word_set("bid offer responsibility quota application commitment replacement substitute successor"),
    "to": word_set(
        "end prelude alternative answer access threat response return contribution damage opposition export sale "
        "shipment"
    ),
    "with": word_set("merger talk negotiation meeting"),
    "between": word_set("difference gap agreement talk"),
    "from": word_set("proceeds revenue dividend withdrawal import"),
    "at": word_set("profit loss sale sales revenue earnings turnover output production worker employee staff strike"),
}
QUOTED = frozenset('"“”')
MEASURED = frozenset({"obj", "nmod", "obl"})
SKIPPED = frozenset({"case", "cc", "mark", "punct", "conj", "aux", "cop", "nsubj", "expl", "csubj"})
LEAVING = word_set("leave keep hold make find declare consider")
LONGEST_PARTICIPLE = 8
LONGEST_CLAUSE = 9
GROUPS = word_set(
    "member part group number pair majority kind sort type share half third quarter pct percent total series lack end "
    "beginning rest most head chairman president secretary minister leader board bank house state department"
)
COUNTED = word_set("share unit note bond warrant debenture")
AMOUNTS = word_set(
    "dividend loss profit deficit surplus loan rise fall increase decrease cut gain offering income earnings payout "
    "issue contract bid offer charge stake facility budget credit debt grant value price output order"
)
POSSESSIVES = word_set("its his her their")
OF_SOMETHING = word_set("reduction increase decline rise fall drop stake interest growth decrease change cut share")
OPENING_OF = word_set("instead regardless ahead because")  # of
SET_OFF = frozenset({"acl:relcl", "appos", "parataxis", "advcl:relcl", "advcl", "punct"})
WITH_INFINITIVE = word_set(
    "expect want allow ask urge require order force enable cause permit tell invite persuade tip encourage"
)
MASSES = word_set("debt stock oil sugar coffee gas paper gold copper wheat corn equity cash securities property land")
NEVER_LAST = word_set(
    "least most than as such saying to of and or partly only mainly mostly largely about around nearly almost even just"
)
NEVER_ALONE = word_set("effective due payable compared according based including provided subject up down because")
COUNTING = word_set("few lot number third quarter fifth tenth dozen half hundred thousand million pct percent majority")
MEASURES = word_set("speed rate level height depth age temperature size length weight")
VAGUE = word_set(
    "start year result position shape condition step state manner trend mood footing note movement demand growth "
    "progress reception outlook prospect"
)
UNITS = word_set("dlr stg mark franc pound euro guilder crown peso rupee ringgit")
GENERIC = word_set("company firm agency unit fund partnership concern")
ORGANIZATIONS = GENERIC | word_set(
    "club team side group band bank airline party union charity broadcaster studio school giant maker retailer"
)
WEIGHTS = word_set("tonne ton barrel bushel ounce litre gallon cargo")
HEADS_OF_RELATIVES = word_set(
    "way those that one ones anyone everyone someone anything what who people something he she"
)
QUANTIFIERS = word_set("no any every each all only most few some least first last")
# Without these a noun means something else, or something larger.
RESTRICTIVE = word_set(
    "no neither either any all some every each both half few several many most more less least only such other another "
    "same last next first second third fourth fifth sixth seventh eighth ninth tenth successive consecutive straight "
    "former ex- acting deputy vice alleged suspected accused proposed possible potential probable "
    "likely would-be fake false mock false planned attempted failed unsuccessful prospective projected estimated "
    "expected hypothetical preliminary provisional tentative partial conditional future previous interim temporary "
    "joint mln bln billion million thousand hundred primary main prime chief net gross pretax pre-tax common preferred "
    "pct percent national domestic fiscal unchanged higher lower fewer own "
    "non- anti- pro- counterfeit stolen dead late opposed unable able due total combined minimum maximum record latest "
    "better worse larger smaller bigger greater female male foreign civil top"
)
RANKING = word_set("first last latest next only second third best")
_REFERRING = word_set("them it him this himself herself itself themselves")
LINKED_NOUNS = word_set(
    "agreement plan offer decision effort right attempt permission ability intention intent bid proposal failure "
    "refusal move need deal authority option pledge promise commitment talks order contract willingness threat vote"
)
STAY = {"in": 0.5, "for": 0.6, "on": 0.5, "to": 0.7, "with": 0.5, "from": 0.45, "by": 0.6, "at": 0.4}
_OTHER_PERSONS = word_set("i me my we us our ours you your yours")
NEEDED_PREPOSITIONS = word_set(
    "of outside without except than between besides minus versus vs under over above below per as"
)
NECESSARY_PREPOSITIONS = word_set("of without except than per as")  # where nothing else fits


def is_other_person(word: Word) -> bool:
    """Whether a word is a pronoun for someone whom a headline would not name; *US* is none."""
    return word.key in _OTHER_PERSONS and not _is_acronym(word)


def is_referring(word: Word) -> bool:
    """Whether a word is a pronoun for something before it; *IT* is none."""
    return word.key in _REFERRING and not _is_acronym(word)


def _is_acronym(word: Word) -> bool:
    return len(word.text) > 1 and word.text.isupper()
