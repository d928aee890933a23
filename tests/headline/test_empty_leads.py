"""Headlines of stories whose first sentence tells nothing."""

import pytest

from tests.headline.test_printed import candidates

NEWS = "Norvik Inc will close two mines near Oslo, Jo Ek said."


@pytest.mark.parametrize(
    "lead", ["Times are tough in the oil patch.", "It is a sad day.", "So many mines, so little time."]
)
def test_a_lead_without_news_is_no_headline(lead: str) -> None:
    assert all("mines" in headline and "Norvik" in headline for headline in candidates(f"{lead} {NEWS}"))


@pytest.mark.parametrize(
    ("lead", "headline"),
    [
        ("A mine closed in Peru.", "Mine closes in Peru"),  # an event
        ("The mine has closed.", "Mine closes"),
        ("Six mines are unsafe.", "Six mines are unsafe"),  # a number
        ("Jo Ek of Norvik Inc in Oslo is angry.", "Jo Ek of Norvik is angry"),  # names
    ],
)
def test_a_short_lead_with_news_stays(lead: str, headline: str) -> None:
    assert headline in candidates(f"{lead} {NEWS}")


def test_a_lead_without_a_sentence_behind_it_stays() -> None:
    assert candidates("Times are tough in the oil patch.")[0] == "Times are tough in oil patch"
