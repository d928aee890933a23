"""Pairs of names from aligned text."""

from widl.pipeline.names import name_pairs


def test_names_are_paired_with_the_only_word_that_they_are_linked_to() -> None:
    source = ["罗西 访问 马里", "罗西 来 了", "罗西 说", "莫拉 广州", "莫拉"]
    target = ["Rossi visits Mali", "Mr Rossi came", "he said", "Mora Guangzhou", "the town"]
    links = ["0-0 1-1 2-2", "0-0 0-1 1-2", "0-0 1-1", "0-0 1-1", "0-0 0-1"]
    assert list(name_pairs(source, target, links)) == [("罗西", "Rossi"), ("马里", "Mali"), ("莫拉", "Mora")]


def test_a_rare_link_of_a_frequent_name_does_not_count() -> None:
    source, links = ["罗西"] * 10, ["0-0"] * 10
    assert list(name_pairs(source, ["Rossi"] * 8 + ["Paris"] * 2, links)) == [("罗西", "Rossi")]
