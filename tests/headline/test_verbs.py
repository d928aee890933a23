"""Verbs in the present tense: finiteness, forms, and the forms' frequency in headlines."""

import pytest

from tests.headline.parses import words
from widl.headline.units import UnitTree
from widl.headline.word_forms import WordForms, finite_forms

PRICES = "Prices rose sharply and Iran attacked the rebels."


@pytest.mark.parametrize(
    ("text", "verb", "expected"),
    [
        (PRICES, "rose", ("several", ("rose", "rises", "rise"))),
        (PRICES, "attacked", ("one", ("attacked", "attacks", "attack"))),
        (PRICES, "prices", None),
        ("They have attacked the port.", "attacked", None),
        ("The port was attacked by rebels.", "attacked", None),
        ("The man was held and released on Friday.", "released", None),
        ("The reporter was seized by rebels, but then released.", "released", None),
        ("He says that rebels attacked the port.", "attacked", None),
        ("The general wants to attack the port.", "attack", None),
        ("The rebels are attacking the port.", "attacking", None),
    ],
)
def test_finite_verbs_and_their_subjects(text: str, verb: str, expected: object) -> None:
    [result] = words(text)
    assert finite_forms(result, next(i for i, word in enumerate(result) if word.key == verb)) == expected


def test_counts_and_probabilities_by_hand() -> None:
    [result] = words(PRICES)
    headlines: list[set[str]] = [{"prices", "rise"}, {"rise"}, {"attacks", "rose"}]
    forms = WordForms.trained([(headline, [UnitTree(result)]) for headline in headlines])
    assert forms.verbs == {"several": [1, 0, 2], "one": [0, 1, 0]}
    rose, attacked = (next(i for i, word in enumerate(result) if word.key == key) for key in ("rose", "attacked"))
    assert forms.is_present(result, rose)
    assert forms.is_present(result, attacked)
    assert not forms.is_present(result, 0)
    assert not WordForms({}, {}).is_present(result, rose)  # all forms are equal: the verb stays


AGREEING = [
    ("The Browns started the season well.", "start"),
    ("The Houston Astros won the game.", "win"),
    ("The Netherlands won the match.", "wins"),
    ("Borealis Industries won the contract.", "wins"),
    ("Borealis Eagles won the match.", "won"),
    ("The miner and the pilot won the prize.", "win"),
    ("Standard & Poor's won the prize.", "wins"),
    ("The firm won the prize in 1966.", "won"),
    ("The firm won in a case that began years ago.", "wins"),
    ("They've won the prize.", "won"),
    ("The pitcher took a drug during the 2003 season.", "took"),
    ("The pilot kept flying for two years.", "kept"),
    ("The court banned the pilot for two years.", "bans"),
    ("Shares paused as investors waited.", "pause"),
    ("Norvik Airlines won the prize.", "wins"),
    ("Norvik Electronics won the case that it filed.", "wins"),
    ("Norvik Electronics won the case that they filed.", "win"),
    ("Norvik Electronics won the case.", "won"),
    ("Employers likely added jobs in May.", "added"),
    ("The whip, Rep. David Bonior, a Democrat of Michigan, met reporters.", "meets"),
    ("John Smoltz, Adam LaRoche, and J.D. Drew saved the Atlanta Braves from another quick playoff exit.", "save"),
]


@pytest.mark.parametrize(("text", "form"), AGREEING)
def test_the_present_agrees_with_its_subject(text: str, form: str) -> None:
    tree = UnitTree(words(text)[0])
    forms = WordForms({}, {"one": [0, 1, 0], "several": [0, 0, 1]})
    top = next(number for number, unit in enumerate(tree.units) if unit.parent is None)
    [(result, _)] = forms.of_unit(tree, top)
    assert [word.text for i, word in result if i == tree.units[top].head] == [form]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The bank said it would sell its unit.", "will"),
        ("The bank said it was looking for a buyer.", "is"),
        ("The bank said its unit was in good shape.", "is"),
        ("The bank said it had sold its unit.", "has"),
        ("The bank said a man was shot.", "was"),
        ("The bank said it would have sold its unit.", "would"),
        ("The bank said it was founded in 1910.", "was"),
        ("The bank said it planned to sell its unit.", "plans"),
        ("The bank said it sold its unit.", "sold"),
        ("The bank reaffirmed it would sell its unit.", "will"),
        ("The union predicted layoffs were more likely in May.", "are"),
        ("The union warned talks would fail.", "will"),
        ("The bank said it would raise fees, forcing customers out.", "will"),
        ("The bank said it would sell its unit if prices fell.", "would"),
    ],
)
def test_what_somebody_said_has_the_tense_of_what_he_says(text: str, said: str) -> None:
    tree = UnitTree(words(text)[0])
    forms = WordForms({}, {"one": [0, 1, 0]})
    messages = next(number for number in range(len(tree)) if tree.content(number).relation == "ccomp")
    (result, _), *_ = forms.of_unit(tree, messages, shortened=False)
    assert said in [word.text for _, word in result]


@pytest.mark.parametrize(
    ("text", "verbs"),
    [
        ("The court cleared the mayor of fraud in 1992, but fined a clerk.", {"cleared": "cleared", "fined": "fined"}),
        ("The court cleared the mayor and fined a clerk.", {"cleared": "clears", "fined": "fines"}),
        ("The court has cleared the mayor and fined a clerk.", {"cleared": "clears", "fined": "fines"}),
        ("Shares opened lower as miners sold their stakes.", {"opened": "open", "sold": "sell"}),
        ("The port closed when miners were marching.", {"closed": "closes", "were": "are"}),
        ("The port closed after a miner was shot.", {"closed": "closes", "was": "was"}),
        ("The port closed in 1992 as miners sold it.", {"closed": "closed", "sold": "sold"}),
        ("The port closed as a mine was sold.", {"closed": "closes", "was": "is"}),
        ("Shares rose as investors rushed back.", {"rose": "rise", "rushed": "rush"}),
        ("The firm has closed its plant in Ohio and moved jobs to Peru.", {"closed": "closes", "moved": "moves"}),
        ("The port has grown since it reopened.", {"reopened": "reopened"}),
        ("The port failed to win a case it had earlier lost.", {"failed": "fails"}),
        ("The firm had closed its plant in Ohio and moved jobs to Peru.", {"had": "had", "closed": "closed"}),
        ("The firm had closed its plant in Ohio and moved jobs to Peru.", {"moved": "moved"}),
        ("The firm has still not closed its plant in Ohio and moved jobs to Peru.", {"closed": "closed"}),
        ("The firm has still not closed its plant in Ohio and moved jobs to Peru.", {"moved": "moved"}),
        ("A majority of voters oppose the plan.", {"oppose": "oppose"}),
        ("Europe has still not found a way.", {"has": "has", "found": "found"}),
    ],
)
def test_verbs_of_a_sentence_change_their_tense_together_or_not_at_all(text: str, verbs: dict[str, str]) -> None:
    tree = UnitTree(words(text)[0])
    forms = WordForms({"have": [0, 9]}, {number: [0, 1, 0] for number in ("one", "several", "none")})
    found = {}
    for number in range(len(tree)):
        form, _ = forms.of_unit(tree, number)[-1]
        found |= {tree.words[i].key: word.key for i, word in form}
    assert {past: found.get(past) for past in verbs} == verbs


@pytest.mark.parametrize("one", [(0, 1), (1, 0)])
def test_a_verb_without_a_subject_has_the_tense_of_the_verb_before_it(one: tuple[int, int]) -> None:
    """In headlines as the model counts them, past forms without a subject are participles."""
    tree = UnitTree(words("The court cleared the mayor but found a clerk guilty.")[0])
    forms = WordForms({}, {"one": [*one, 0], "none": [1, 0, 0]})
    found = {tree.words[i].key: w.key for n in range(len(tree)) for i, w in forms.of_unit(tree, n)[-1][0]}
    assert (found["cleared"], found["found"]) == (("clears", "finds") if one[1] else ("cleared", "found"))
