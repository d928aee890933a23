"""Where quotations begin and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.headline.parses import words
from widl.headline.quotations import find_quotations, outside

FOUND = [
    ('"He was innocent," his lawyer said. "We go," he said.', ['"He was innocent,"', '"We go,"']),
    ("“We won,” he said; “we are ready.”", ["“We won,”", "“we are ready.”"]),
    ("dealing with ``psycho'' neighbors", ["``psycho''"]),
    ('said " we will win " today', ['" we will win "']),
    ("«Rain» and „snow“ fell", ["«Rain»", "„snow“"]),
    ("\"He said 'no' to us,\" she said.", ["\"He said 'no' to us,\""]),
    ('"He said "no" to us," she said.', ['"He said "no" to us,"']),
    ("'He said \"no\" to us,' she said.", ["'He said \"no\" to us,'"]),
    ('"We will win. We are ready," he said.', ['"We will win. We are ready,"']),
    ("rock 'n' roll, 'Til dawn, O'Brien's 'yes'", ["'yes'"]),
    ("The '90s were the miners' time.", []),
    ("the players' wives' fund", []),
    ("a 5\" pipe and a 6' wall", []),
    ("He called it 'the miners' union' on Monday.", ["'the miners' union'"]),
    ("They are 'bad guys' here.", ["'bad guys'"]),
    ("can't, won't, it's", []),
]


@pytest.mark.parametrize(("text", "quotations"), FOUND)
def test_quotations(text: str, quotations: list[str]) -> None:
    found = find_quotations(text)
    assert [text[q.begin : q.end] for q in found] == quotations
    assert all(q.closed for q in found)


@pytest.mark.parametrize(
    ("text", "quotation"),
    [
        ('"We will win, he said.', '"We will win, he said.'),
        ('We will win," he said.', 'We will win,"'),
        ('"We will win, he said. "Never," she said.', '"We will win, he said. '),
        ("He left the 'miners' and the pilots' wives.", "'miners' and the pilots'"),
    ],
)
def test_a_quotation_that_lacks_a_mark(text: str, quotation: str) -> None:
    first = find_quotations(text)[0]
    assert text[first.begin : first.end] == quotation
    assert not first.closed


@given(st.text(alphabet="ab .,'\"“”‘’`«»„s", max_size=40))
def test_any_text_is_cut_in_pieces_that_make_it_up(text: str) -> None:
    assert "".join(piece for piece, _ in outside(text)) == text
    ends = [0, *(end for q in find_quotations(text) for end in (q.begin, *q.inside, q.end))]
    assert ends == sorted(ends)


def test_words_of_quotations() -> None:
    [sentence] = words('The "small but mighty" port, a so-called "rebel-held" area, was \'lost,\' he said.')
    assert [word.verbatim for word in sentence if word.quotation] == [
        '"small',
        "but",
        'mighty"',
        '"rebel-held"',
        "'lost'",
    ]


def test_asides_stay_in_a_quotation_alone() -> None:
    [sentence] = words('He said "we (the union) will win (a lot)" to the press (and others) today.')
    assert [word.verbatim for word in sentence if word.quotation] == '"we (the union) will win (a lot)"'.split()
    assert "others" not in [word.key for word in sentence]
