"""The page of sizes and run times."""

from pathlib import Path

from tests.page import Page
from widl.experiments.run_times import run_times
from widl.experiments.sizes_page import Sizes, write_sizes_page
from widl.experiments.sizes_table import SizesOptions, bag_table, short


def test_all_figures_are_on_the_page(tmp_path: Path) -> None:
    bags = bag_table(range(2, 14))
    measured = list(run_times((4, 8), most_edges=2000))
    page = Page(write_sizes_page(Sizes(bags, measured), SizesOptions(), tmp_path / "new").read_text(encoding="utf-8"))
    for row in bags:
        for size in (row.strings, row.expression_nodes, row.lattice_states, row.lattice_edges, row.grammar_rules):
            assert short(size) in page.texts
    for times in measured:
        assert times.family in page.texts
        if times.bfs is not None:
            assert f"{times.bfs.edges:,}" in page.texts
    assert page.count("svg") == 2
    assert [attributes["id"] for tag, attributes in page.tags if tag == "section"] == ["bags", "times"]


def test_huge_bags_have_a_picture_too(tmp_path: Path) -> None:
    text = write_sizes_page(Sizes(bag_table([10, 1000])), SizesOptions(), tmp_path).read_text(encoding="utf-8")
    assert Page(text).count("svg") == 1
    assert "e301" in text
