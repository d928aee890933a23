"""Draws the explored part of a search in Graphviz' dot language."""

import math
from typing import TYPE_CHECKING

from widl.common.argument_types import checked
from widl.common.errors import InputError
from widl.decoder.search_record import KINDS, NONE, SearchRecord
from widl.expressions.drawing import BLUE, GRAY, GREEN, label_text, new_picture, shortened

if TYPE_CHECKING:
    import graphviz


@checked
def draw_search(record: SearchRecord | None, most: int = 200) -> "graphviz.Digraph":
    """The states that a search reached: one state for each set of realized words and language model context.

    Shows the last phase of a `record`: the best path found and the first states reached, `most` states in all. A state
    shows the score of its best path and, below, the bound on all strings through it. Solid: expanded; dashed:
    generated, but not expanded; green: on the best path found. Edges that led to no better path are thin.
    """
    if record is None:
        raise InputError("nothing to draw: the search was not recorded")
    reached = _LastPhase(record)
    best = reached.best_path()
    others = [state for state in reached.arrivals if state not in best]
    left_out = len(others) - max(0, most - len(best)) if len(others) + len(best) > most else 0
    drawn = best | set(others[: len(others) - left_out])
    picture = new_picture("search", rankdir="LR", nodesep="0.12", ranksep="0.5")
    picture.attr("node", shape="box", style="rounded", fontsize="9", height="0.3", margin="0.08,0.03")
    for state in reached.arrivals:
        if state in drawn:
            _draw_state(picture, reached, state, is_best=state in best)
    for event in reached.steps:
        source, target = int(record.sources[event]), int(record.states[event])
        if not {source, target} <= drawn:
            continue
        leads = reached.arrivals[target] == event
        on_best = leads and {source, target} <= best
        color = GREEN if on_best else "#57606a" if leads else "#c4cad0"
        picture.edge(
            f"s{source}",
            f"s{target}",
            label=label_text(f" {shortened(' '.join(record.words[record.labels[event]]))} "),
            color=color,
            fontcolor=color if on_best else "black" if leads else GRAY,
            penwidth="2.4" if on_best else "1" if leads else "0.6",
            fontsize="11",
        )
    if left_out or record.left_out:
        more = f"{left_out:,} more states" if left_out else f"{record.left_out:,} further events"
        picture.attr(label=label_text(f"{more} are not drawn"), labelloc="b")
    return picture


class _LastPhase:
    """The last phase of a search as a graph of states, without dead ends."""

    def __init__(self, record: SearchRecord) -> None:
        self.record = record
        self.arrivals: dict[int, int] = {}
        """For each state, in order of arrival, the event in which its best path arrived."""
        self.steps: list[int] = []
        """Events that lead from one state to another."""
        self.unfolded: set[int] = set()
        kinds = [KINDS[kind] for kind in record.kinds.tolist()]
        begin = max(event for event, kind in enumerate(kinds) if kind == "began")
        for event in range(begin, len(record)):
            state = int(record.states[event])
            if kinds[event] == "unfolded":
                self.unfolded.add(state)
            if kinds[event] not in ("made", "improved", "recombined"):
                continue
            if kinds[event] != "recombined" and (record.goals[event] or record.bounds[event] > -math.inf):
                self.arrivals[state] = event
            if record.sources[event] != NONE:
                self.steps.append(event)

    def best_path(self) -> set[int]:
        """The states of the best path; none if no path is complete."""
        goals = [state for state, event in self.arrivals.items() if self.record.goals[event]]
        state = max(goals, key=lambda goal: self.record.scores[self.arrivals[goal]], default=NONE)
        path: set[int] = set()
        while state != NONE:
            path.add(state)
            state = int(self.record.sources[self.arrivals[state]])
        return path

    def words(self, state: int) -> list[str]:
        """Words of the best path to a state."""
        labels: list[int] = []
        while (source := int(self.record.sources[self.arrivals[state]])) != NONE:
            labels.append(int(self.record.labels[self.arrivals[state]]))
            state = source
        return [word for label in reversed(labels) for word in self.record.words[label]]


def _draw_state(picture: "graphviz.Digraph", reached: _LastPhase, state: int, *, is_best: bool) -> None:
    record, event = reached.record, reached.arrivals[state]
    score, is_goal = float(record.scores[event]), bool(record.goals[event])
    style, color, fill, width = "rounded,filled", BLUE, "#eaf2fb", "1.2"
    if not (state in reached.unfolded or is_goal):
        style, color, fill, width = "rounded,dashed", GRAY, "white", "1"
    if is_best:
        color, fill, width = GREEN, "#dcf5e3", "2.2"
    picture.node(
        f"s{state}",
        label_text(f"{score:.2f}" if is_goal else f"{score:.2f}\n≤ {score + float(record.bounds[event]):.2f}"),
        style=style,
        color=color,
        fillcolor=fill,
        penwidth=width,
        peripheries="2" if is_goal else "1",
        fontcolor="black" if state in reached.unfolded or is_best else "#57606a",
        tooltip=label_text(" ".join(reached.words(state)) or "nothing yet"),
    )
