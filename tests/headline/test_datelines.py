"""Datelines, bylines and credits: every form of them goes, and sentences that look like them stay."""

import pytest

from widl.headline.datelines import without_dateline, without_datelines

PLACES = ["LONDON", "NEW YORK", "KABUL, Afghanistan", "SAN JOSE, Calif.", "Washington", "St. Louis", "RIO DE JANEIRO"]
AGENCIES = ["(AP)", "(CNN)", "(Reuters)", "(Dow Jones)", "(Agence France-Presse)", "(dpa)", "(BUSINESS WIRE)", "[AFP]"]
DASHES = [" -- ", " - ", "--", " — ", "— ", "- ", " – ", " _ ", ": "]
DATES = ["", ", March 3", ", Oct. 19, 2006", ", 3 March 2019"]
BEGINS = ["A storm hit us.", '"We won," he said.', "30 people died.", "The bank closed."]


@pytest.mark.parametrize("place", ["", *PLACES])
@pytest.mark.parametrize("agency", AGENCIES)
@pytest.mark.parametrize("dash", DASHES)
def test_a_dateline_with_an_agency(place: str, agency: str, dash: str) -> None:
    for date in DATES if place else ("",):
        for text in BEGINS:
            assert without_dateline(f"{place}{date} {agency}{dash}{text}".lstrip()) == text


@pytest.mark.parametrize(
    "dateline",
    [
        "(CNN)",
        "29/10/2004 ",
        "3.5.19 ",
        "(AP) ",
        "Washington (CNN)",
        "CHICAGO (CBS) ",
        "UPDATE 1-LONDON, March 5 (Reuters) - ",
        "Oslo, Norway (Agence France-Presse) ",
        "NEW YORK--(BUSINESS WIRE)--",
        "SAN JOSE, Calif.--(BUSINESS WIRE)--",
        "LONDON, March 3, 2019 /PRNewswire/ -- ",
        "Dec 3 (Reuters) - ",
        "BERLIN—",
        "BERLIN--",
        "By Jane Doe LONDON (Reuters) - ",
        "BY JANE DOE NEW YORK (AP) -- ",
        "Updated: 10:30 a.m. EST ",
        "Published 5 March 2019 ",
        "HARRISBURG, Pa., March 24, 2014 ",
        "BERLIN ",
        "RIO DE JANEIRO ",
        "BAGHDAD, Iraq ",
        "New Delhi, Mar 1 ",
        "MOSCOW. March 3 (Interfax) - ",
        "UNITED NATIONS, Sept. 1 (AP) _ ",
    ],
)
def test_a_dateline(dateline: str) -> None:
    assert without_dateline(f"{dateline}A storm hit us.") == "A storm hit us."


CREDITS = [
    "By JANE DOE",
    "BY JANE DOE\nSTAFF WRITER",
    "by jane doe",
    "By Jane van der Berg and J. Smith, Associated Press",
    "by jane doe | Reuters",
    "By A. C. Green",
    "By Reuters Staff",
    "Published 5 March 2019, 10:30 GMT",
    "Updated: 10:30 a.m. EST",
    "Updated 2 hours ago",
    "PUBLISHED: 12:01 EST, 5 March 2019 | UPDATED: 14:20 EST, 5 March 2019",
    "Last updated on March 5, 2019 at 10:30 pm IST",
    "Posted by Jane Doe on March 5, 2019",
    "Published Tuesday",
    "5 March 2019",
    "Reporting by Jane Doe; editing by John Smith",
    "reporting by jane doe; editing by john smith",
    "REPORTING BY JANE DOE",
    "Additional reporting by Jane Doe in London; Writing by John Smith; Editing by Ann Lee.",
    "(Reporting by Jane Doe; Editing by John Smith)",
    "Edited by Jo Smith",
]


def test_a_slug_before_a_dateline_goes_with_it() -> None:
    slug = "OLY--Women's Marathon RUN,0058 BULLETIN ATHENS, Greece (AP) -- "
    assert without_datelines(f"{slug}Ada Holm won the marathon.") == "Ada Holm won the marathon."
    spoken = "Holm told THE TIMES (AP) she won."
    assert without_datelines(spoken) == spoken


@pytest.mark.parametrize("credit", CREDITS)
def test_a_credit_is_no_part_of_a_text(credit: str) -> None:
    assert without_datelines(f"{credit}\nRain fell.") == "Rain fell."
    assert without_datelines(f"Rain fell.\n{credit.partition(chr(10))[0]}") == "Rain fell."
    assert without_datelines(credit) == ""


@pytest.mark.parametrize(
    "credit",
    [
        "(Reporting by Jane Doe; Editing by John Smith)",
        "Reporting by Jane Doe; editing by John Smith",
        "(Additional reporting by Jane Doe in Oslo)",
    ],
)
def test_a_credit_behind_a_sentence(credit: str) -> None:
    assert without_datelines(f"Rain fell on Monday. {credit}") == "Rain fell on Monday."


@pytest.mark.parametrize(
    "text",
    [
        "By Monday, all 300 miners had left the mine.",
        "By Monday Chile had signed.",
        "Reporting by the New York Times led to the arrest of two officials.",
        "Edited by a machine, the book sold well.",
        "Published accounts show a loss of 5 million.",
        "Updated F-16s are good.",
        "Published in May, the book sold well.",
        "May 5 was a holiday.",
        "The bank (AP) closed.",
        "Acme Corp (ACM) shares rose.",
        "NASA should use it.",
        "A MAN in his 20s has died.",
        "TOYOTA has raised its forecast.",
        "IN A long speech, he left.",
        "AFTER A long strike, the port opened.",
        "ALL OF A sudden, rain fell.",
        "ARSENAL pulled clear.",
        "U.S. stocks rose.",
        "[Updated] Rain fell.",
    ],
)
def test_a_sentence_stays(text: str) -> None:
    assert without_datelines(text) == text


@pytest.mark.parametrize(
    "before",
    [
        "PUBLISHED:\n. 12:34 EST, 3 May 2012\n.\n",
        "PUBLISHED:\n.\n06:34 EST, 3 May 2012\n.\n|\n.\nUPDATED:\n.\n07:21 EST, 3 May 2012\n.\n",
        "By .\nAnn Lee and Jo Li .\nPUBLISHED: .\n12:05 EST, 3 May 2012 .\n| .\nUPDATED: .\n12:10 EST, 3 May 2012 .\n",
        "By\n.\nAnn Lee\n.\n",
        "Published on 3 May 2012 by Ann Lee\n",
        "Published on 3 May 2012 by Ann Lee ",
        "By Ann Lee PUBLISHED: 12:05 EST, 3 May 2012 | UPDATED: 12:10 EST, 3 May 2012 ",
        "Story highlights\nThe mine has closed after a flood, officials say\nTwo men died\n",
        "STORY HIGHLIGHTS\nMine closes\n(CNN) -- ",
        "Story Highlights Mine closes (CNN) -- ",
        "Key points:\n",
    ],
)
def test_what_stands_above_a_story(before: str) -> None:
    assert without_datelines(f"{before}The mine in Essen closed on Monday.") == "The mine in Essen closed on Monday."


@pytest.mark.parametrize(
    "text",
    [
        "Published results show that the mine is empty.",
        "Highlights of the game were shown.\nThe crowd left.",
        "The Story Highlights section closed.",
        "Updated plans for the mine were shown on Monday.",
    ],
)
def test_what_looks_like_it_stays(text: str) -> None:
    assert without_datelines(text) == text


def test_a_sentence_behind_a_lone_by_stays() -> None:
    assert without_datelines("By\nall means, the mine must close.") == "all means, the mine must close."


CAPTIONS = ["Bristol", "Cole Inquiry", "Athens, capital of Greece", "Climate change", "Hugo Chávez", "APEC2005"]
REMAINS = ["250px", "Archive-unreviewed", "Publish Archive-unreviewed", "Template:Crime and law", "right right", "left"]


@pytest.mark.parametrize("caption", [*CAPTIONS, *REMAINS])
@pytest.mark.parametrize("text", ["The bank closed on Monday.", "An old bank closed on Monday."])
def test_what_a_wiki_has_before_a_sentence_goes(caption: str, text: str) -> None:
    assert without_dateline(f"{caption} {text}") == text


@pytest.mark.parametrize("name", ["Microsoft", "2008 COMPUTEX", "Space", "Bernard Kouchner"])
def test_a_caption_that_the_sentence_repeats_goes(name: str) -> None:
    assert without_dateline(f"{name} {name} opened a fair.") == f"{name} opened a fair."


@pytest.mark.parametrize(
    "text",
    [
        "Sirhan Sirhan was stabbed. His lawyer said Sirhan Sirhan is well.",
        "Serie A leader Juventus lost.",
        "Vitamin A deficiency kills.",
        "In The Hague, a judge freed two men.",
        "Mahatma Gandhi, The father of India, was honored.",
        "Publish or perish is the rule.",
        "The bank closed. The mine is open.",
        "Left behind, the miners went home.",
    ],
)
def test_sentences_that_look_like_captions_stay(text: str) -> None:
    assert without_dateline(text) == text
