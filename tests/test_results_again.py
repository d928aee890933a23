"""`make results`: results are made again from a configuration, and every figure is compared."""

import sys
from pathlib import Path

import pytest
from benchmarks import results

from tests.command import refused

ROOT = Path(__file__).resolve().parents[1]
TEXT = ["the dog sees a cat", "a cat hears the dog", "the tree and a house", "the cat sees the house"]


@pytest.mark.slow
def test_results_are_compared_to_the_digit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, configurations = tmp_path / "data", tmp_path / "configurations"
    (data / "lm").mkdir(parents=True)
    configurations.mkdir()
    (data / "lm" / "text.txt").write_text("".join(f"{line}\n" for line in TEXT * 3))
    (data / "lm" / "bags.txt").write_text("".join(f"{line}\n" for line in TEXT))
    config = configurations / "small.toml"
    config.write_text('bags = ["lm/bags.txt"]\ntexts = ["lm/text.txt"]\nrows = ["L", "astar"]\nresamples = 10\n')
    expected = configurations / "small.expected.tsv"
    expected.write_text("# word-order\n")

    def again(*arguments: object) -> tuple[int, str, str]:
        options = ["--configurations", configurations, "--output", tmp_path / "made"]
        monkeypatch.setattr(sys, "argv", ["results.py", *map(str, [*arguments, *options])])
        code = results.main()
        return code, *capsys.readouterr()

    assert again(data, "--update") == (0, "", "")
    kind, figures = results.expected_of(expected)
    assert kind == "word-order"
    assert figures["bags", "A*", "proved %"] == "100.0"
    assert not [key for key in figures if "seconds" in key[2]]
    assert list(results.differences(figures, figures)) == []
    expected.write_text(expected.read_text(encoding="utf-8").replace("A*\tproved %\t100.0", "A*\tproved %\t99.9"))
    code, out, _ = again(data)
    assert code == 1
    assert out.splitlines() == [
        f"small: {len(figures)} figures, 1 differ",
        "  bags, A*, proved %: expected 99.9, found 100.0",
    ]
    expected.write_text("# word-order\nbags\t7\n")
    assert "expected table, row, column and figure" in refused(again(data))
    assert "no such directory; name that of the texts: make results DATA=FOLDER" in refused(again(tmp_path / "none"))


def test_configurations_have_what_they_are_compared_with() -> None:
    folder = ROOT / "docs" / "configurations"
    for file in folder.glob("*.expected.tsv"):
        assert file.with_name(file.name.replace(".expected.tsv", ".toml")).exists()
        assert len(results.expected_of(file)[1]) > 20


def test_what_is_missing_on_either_side_differs() -> None:
    before, now = {("t", "r", "a"): "1"}, {("t", "r", "b"): "2"}
    assert list(results.differences(before, now)) == [
        "t, r, a: expected 1, found nothing",
        "t, r, b: expected nothing, found 2",
    ]
