"""The two papers item by item, of which docs/papers.md is made: commands, and whether it comes out as there."""

from collections.abc import Mapping
from dataclasses import dataclass

THE_SAME = "the same"


@dataclass(frozen=True)
class Item:
    """A numbered item of a paper, or what a section says.

    commands: run in a folder with `EXPRESSIONS` and what the page lists. differs: how the outcome does; empty where it
    is as there. see: a page or test with more.
    """

    name: str
    what: str
    commands: tuple[str, ...]
    differs: str = ""
    see: str = ""
    gives: tuple[str, ...] = ()
    """What the commands print of what the paper prints."""

    @property
    def verdict(self) -> str:
        """As the page has it."""
        return f"differs: {self.differs}" if self.differs else THE_SAME


EXPRESSIONS: Mapping[str, str] = {
    "idl-1.widl": "∥(finally, ∨(×(the · prisoners), ×(the · captives)) · were · released)",
    "section-2.widl": "∥{1 2: 0.80, perms: 0.15, shuffles: 0.05}(a · b, c)",
    "figure-1.widl": (
        "∥{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}(×(turkish · government), "
        "∨{0.65, 0.35}(×(rebels · fighting), ×(attacked · rebels)), in · iraq)"
    ),
    "six-keywords.widl": "∥(" + ", ".join(["∨(a, b, c, d)"] * 6) + ")",
    "figure-6.widl": (
        "∥{expmove: 0.5}("
        "∨{scores: 0.35 0.03 0.19 0.25, 0.35 0.10 0.32 0.36, 0.30 0.87 0.49 0.39}(gunman, ×(the · gunmen), gunmen), "
        "∨{scores: 0.13 0.14 0.18 0.07, 0.47 0.15 0.30 0.46, 0.14 0.11 0.18 0.07, 0.16 0.27 0.24 0.24, "
        "0.10 0.33 0.10 0.16}(×(have · been), being, ×(had · been), were, was), ×(by · police), "
        "∨{scores: 0.65 0.33 0.25 0.63, 0.23 0.50 0.53 0.26, 0.12 0.16 0.22 0.11}(kill, killed, killing), .)"
    ),
}
"""The papers' expressions, by the file that commands read."""

_REALIZE = "widl realize idl-1.widl --lm lm.binary --preset paper-2005"
_TABLES_OF_2005 = ("widl experiment word-order word-order.toml --preset paper-2005",)
_HEADLINES = "widl headline generate headlines documents.jsonl --preset paper-2006"
_TRANSLATE = "widl translate model dev.zh --preset paper-2006"

OF_2005 = (
    Item(
        "Equation 1",
        "the example IDL-expression of §2.1",
        ("widl enumerate idl-1.widl",),
        gives=(
            "finally the prisoners were released\n",
            "the captives finally were released\n",
            "the prisoners were finally released\n",
        ),
    ),
    Item("Equation 2", "admissible heuristic of a state", (_REALIZE,), see="[bounds](design.md#bounds)"),
    Item(
        "Figure 1",
        "IDL-graph of that expression",
        ("widl realize idl-1.widl --lm lm.binary --draw idl-1.dot --picture graph",),
        "22 vertices, in the paper 23. It has one ε-edge more behind *released*, where no part follows for · to join.",
    ),
    Item(
        "Figure 2",
        "cuts of the graph, (a) to (d), and (e), which is none",
        ("widl enumerate --cuts idl-1.widl",),
        gives=("vs\tv0 v2\tε\n", "v0 v2\tv1 v2\tfinally\n", "v0 v2\tv0 v3\tε\n"),
    ),
    Item(
        "Figure 3",
        "the equivalent acceptor",
        ("widl enumerate --cuts --draw figure-3.dot idl-1.widl",),
        "10 arcs with *finally*, in the paper 11. The eleventh leaves the vertex that Figure 1 has more.",
        "[acceptors](expressions.md#acceptors)",
    ),
    Item("Figure 4", "algorithm IDL-NGLM-BFS", (f"{_REALIZE} --search bfs",), see="[searches](design.md#searches)"),
    Item("Figure 5", "algorithm IDL-NGLM-A*", (f"{_REALIZE} --search astar",)),
    Item("Figure 6", "algorithm IDL-NGLM-BEAM", (f"{_REALIZE} --search beam",)),
    Item(
        "Section 4, A*_k",
        "the greedy version of A*",
        (f"{_REALIZE} --search astar-k",),
        see="[readings](word-order.md#readings-of-the-paper)",
    ),
    Item(
        "Section 4, L and G",
        "inverse lexicographic and greedy baseline",
        ("widl order --lm lm.binary --baseline G bags.txt", "widl order --lm lm.binary --baseline L bags.txt"),
    ),
    Item(
        "Theorem 1",
        "the searches find the most probable path",
        (f"{_REALIZE} --json",),
        see="[certificates](certificates.md)",
        gives=('"optimal": true',),
    ),
    Item("Theorem 2", "run time, linear in the acceptor's states", ("widl experiment sizes --bags 2-6",)),
    Item(
        "Table 1",
        "generation systems by size and run time",
        ("widl experiment sizes --bags 2-6",),
        see="[sizes](experiments.md#sizes)",
    ),
    Item(
        "Table 2",
        "bags of 3 to 7 words",
        _TABLES_OF_2005,
        "A* has ID 67.2 and BLEU 77.7, there 67.1 and 79.2; beams err more often.",
        "[word order](results.md#word-order)",
    ),
    Item(
        "Table 3",
        "bags of 10 to 25 words",
        _TABLES_OF_2005,
        "exact search has BLEU 48.4; the best there, B_0.1, 52.6.",
        "[word order](results.md#word-order)",
    ),
)

OF_2006 = (
    Item(
        "Section 2.1",
        "examples of the four operators",
        ("widl enumerate section-2.widl",),
        gives=("0.8\ta b c\n", "0.15\tc a b\n", "0.05\ta c b\n"),
    ),
    Item(
        "Equation 1",
        "the log-linear probability of a string",
        ("widl enumerate --lm lm.binary --weights weights.toml figure-6.widl",),
    ),
    Item(
        "Equation 2", "the string searched for", ("widl realize --lm lm.binary --weights weights.toml figure-6.widl",)
    ),
    Item("Theorem 1", "space linear in the atoms", ("widl enumerate --size figure-1.widl",)),
    Item(
        "Figure 1",
        "a WIDL-expression and probabilities of its strings",
        ("widl enumerate --shuffle-count paper figure-1.widl",),
        see="[Figure 1](expressions.md#figure-1-of-the-2006-paper)",
        gives=(
            "0.13\trebels fighting turkish government in iraq\n",
            "0.049\tin iraq attacked rebels turkish government\n",
            "0.00541666666667\tin turkish government iraq rebels fighting\n",
        ),
    ),
    Item(
        "Figure 2",
        "(a) its WIDL-graph, (b) its acceptor with ∥-stacks",
        (
            "widl realize figure-1.widl --lm lm.binary --draw figure-2a.dot --picture graph",
            "widl enumerate --cuts --paper figure-1.widl",
        ),
        gives=("[vs, {}]\t[v0 v6 v20, {⟨δ1⟩}]\tε\t1\n",),
    ),
    Item("Figure 3", "algorithm WIDL-NGLM-A*", ("widl realize --lm lm.binary --search astar figure-1.widl",)),
    Item(
        "Figure 4",
        "keywords, phrases and the headline made of them",
        (f"{_HEADLINES} --expression",),
        see="[test](../tests/headline/test_paper_system.py)",
    ),
    Item("Section 4, system", "the WIDL-based headline system", (_HEADLINES,), see="[systems](headlines.md#systems)"),
    Item(
        "Section 4, size",
        "6 keywords, 4 phrases each, 3 million realizations",
        ("widl enumerate --count six-keywords.widl",),
        gives=("2949120\n",),
    ),
    Item(
        "Section 4, DUC",
        "DUC 2003, one reference, ten words",
        ("widl experiment headline headline.toml --preset paper-2006",),
        "other documents; its own are not public.",
        "[DUC](experiments.md#duc)",
    ),
    Item(
        "Table 1",
        "headline systems",
        ("widl experiment headline headline.toml --preset paper-2006",),
        "Reuters: √(R1·R2) 21.8, Lead10 20.2, Keywords 14.9.",
        "[headlines](results.md#headlines), [Rouge₂](experiments.md#which-rouge-2-the-2006-paper-means)",
    ),
    Item("Figure 5", "headlines made", (f"{_HEADLINES} --letters capitals",)),
    Item(
        "Figure 6",
        "a Chinese sentence, its expression and translation",
        (f"{_TRANSLATE} --expression", "widl realize --lm lm.binary --weights weights.toml figure-6.widl"),
        see="[the figure's translation](expressions.md#figure-6-of-the-2006-paper)",
        gives=("gunman was killed by police .\n",),
    ),
    Item(
        "Section 5, joining",
        "tiles joined bottom-up by ∥",
        (_TRANSLATE,),
        "search has the flat interleave, which allows more orders. `--expression --tiling nested` joins up to 8 words: "
        "the same text in 96 of 100 lines.",
        "[tiles](expressions.md#tiles)",
    ),
    Item(
        "Section 5, size",
        "10^50 candidates",
        ("widl experiment sizes --model model --bags 2-3 --limit 2 dev.zh",),
        "other sentences.",
        "[sizes](experiments.md#sizes)",
    ),
    Item(
        "Section 5, A*_k",
        "WIDL-NGLM-A*_2",
        (_TRANSLATE,),
        see="[readings](#parity)",
    ),
    Item(
        "Section 5, features",
        "h0 to h6, s, b, MERT",
        ("widl tune translation model --preset paper-2006 --source dev.zh --reference dev.en -o tuned.toml",),
        see="[presets](#presets)",
    ),
    Item(
        "Section 5, BLEU",
        "0.2570, Pharaoh 0.2635",
        ("widl experiment translation translation.toml --preset paper-2006",),
        "with equal weights 0.00 and −0.01, with own ones, of three tunings, −0.20 and −0.09.",
        "[parity](#parity)",
    ),
)

PAPERS: Mapping[str, tuple[Item, ...]] = {"Soricut and Marcu (2005)": OF_2005, "Soricut and Marcu (2006)": OF_2006}

_HEAD = """# The papers, item by item

The tests run all commands, in a folder with the papers' expressions (`.widl`), models, text and configurations.
"""


def page() -> str:
    """The page's tables, in Markdown."""
    parts = [_HEAD]
    for paper, items in PAPERS.items():
        rows = [_row(item) for item in items]
        head = [f"## {paper}", "", "| item | | commands | outcome |", "| --- | --- | --- | --- |"]
        parts.append("\n".join([*head, *rows, ""]))
    return "\n".join(parts)


def _row(item: Item) -> str:
    commands = "; ".join(f"`{command}`" for command in item.commands)
    outcome = " · ".join(part for part in (_cell(item.verdict), item.see) if part)
    return f"| {_cell(item.name)} | {_cell(item.what)} | {commands} | {outcome} |"


def _cell(text: str) -> str:
    return text.replace("A*", "A\\*")
