"""Made-up documents and model summaries in the layout of DUC's packages."""

from collections.abc import Sequence
from pathlib import Path

FIRMS = ["Acme", "Borealis", "Candle", "Dunmore", "Eastway", "Foxglove", "Granite", "Harbour"]
PLACES = ["Norway", "Chile", "Ghana", "Texas", "Peru", "Spain", "Kenya", "Japan"]
PEOPLE = "ABCD"


def name(number: int) -> str:
    return f"APW1998101{number}.02{number}0"


def write_documents(folder: Path, numbers: Sequence[int], docset: str = "d30001t") -> Path:
    """Writes ``folder/d30001t/APW…``, one article each, with a headline that systems must not read."""
    (folder / docset).mkdir(parents=True, exist_ok=True)
    for number in numbers:
        firm, place = FIRMS[number % 8], PLACES[number % 8]
        (folder / docset / name(number)).write_text(
            f"<DOC>\n<DOCNO> {name(number)} </DOCNO>\n<DOCTYPE> NEWS </DOCTYPE>\n<TXTTYPE> NEWSWIRE </TXTTYPE>\n"
            f"<HEADLINE>\nSECRET ANSWER {number}\n</HEADLINE>\n<TEXT>\n"
            f"OSLO, Norway (AP) _ {firm} &AMP; Sons agreed to buy a tin mine\nin {place} for {20 + number} million "
            f"dollars &QL; on Monday.\n<P>\nThe company will pay in cash, said a spokesman.\n</P>\n</TEXT>\n</DOC>\n",
            encoding="latin-1",
        )
    return folder


def summaries(number: int) -> list[str]:
    """The references of a document, keyed by the letters of their authors."""
    firm, place = FIRMS[number % 8], PLACES[number % 8]
    return [
        f"{firm} and Sons agreed to buy tin mine in {place}",
        f"{firm} to buy mine in {place}",
        f"Tin mine in {place} sold for {20 + number} million dollars",
        f"{place}: mine changes hands",
    ]


def write_models(folder: Path, numbers: Sequence[int], docset: str = "D30001") -> Path:
    """Writes ``folder/D30001.P.10.T.A.APW…`` to ``D``, with summaries of other lengths and of document sets."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in numbers:
        for letter, text in zip(PEOPLE, summaries(number), strict=True):
            (folder / f"{docset}.P.10.T.{letter}.{name(number)}").write_text(f"<SUM> {text} </SUM>\n")
        (folder / f"{docset}.P.100.T.A.{name(number)}").write_text("a longer summary, not of this task\n")
    (folder / f"{docset}.M.010.T.A").write_text("of several documents\n")
    return folder
