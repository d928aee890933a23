"""Rare words of training text, split into more common ones."""

from collections import Counter
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from widl.pipeline.rare_words import split_rare_words

# 集团 and 公司 five times, 集团公司 twice; 升旗 is not common.
TEXT = ["集团 公司 在 市"] * 5 + ["集团公司 和 升旗仪式", "集团公司 市"] + ["仪式 x"] * 5


def cut(tmp_path: Path, lines: list[str], most: int, protected: tuple[str, ...] = ()) -> list[str]:
    path = tmp_path / "corpus"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    tokens = split_rare_words(path, most, protected)
    result = path.read_text(encoding="utf-8").splitlines()
    assert tokens == sum(len(line.split()) for line in result)
    assert [entry.name for entry in path.parent.iterdir()] == ["corpus"]
    return result


def test_by_hand(tmp_path) -> None:
    assert cut(tmp_path, TEXT, 2)[5:7] == ["集团 公司 和 升旗仪式", "集团 公司 市"]
    assert cut(tmp_path, TEXT, 1) == TEXT
    assert cut(tmp_path, TEXT, 2, ("集团公司",)) == TEXT


def test_names_are_not_cut_into_characters(tmp_path) -> None:
    characters = ["张 光 军 市 厦门"] * 5
    assert cut(tmp_path, [*characters, "张光军 厦门市"], 2)[-1] == "张光军 厦门 市"


@given(st.lists(st.text("集团公司市 ", min_size=1, max_size=12).map(str.strip), max_size=12), st.integers(0, 3))
def test_only_rare_words_change_and_into_common_ones(tmp_path_factory, lines, most) -> None:
    folder = tmp_path_factory.mktemp("rare")
    lines = ["集团 公司 市 公"] * 5 + [" ".join(line.split()) for line in lines if line]
    counts = Counter(token for line in lines for token in line.split())
    for before, after in zip(lines, cut(folder, lines, most), strict=True):
        assert before.replace(" ", "") == after.replace(" ", "")
        left = after.split()
        for token in before.split():
            pieces = [left.pop(0)]
            while len("".join(pieces)) < len(token):
                pieces.append(left.pop(0))
            assert "".join(pieces) == token
            if len(pieces) > 1:
                assert counts[token] <= most
                assert all(counts[piece] >= 5 for piece in pieces)
                assert sum(len(piece) == 1 for piece in pieces) <= 1
