"""Jobs without file timestamps: a counter records the time of each write, and whole contents are compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Step:
    """Reads files (inputs and earlier steps' outputs) and comes after other steps."""

    name: str
    reads: Sequence[str] = ()
    after: Sequence[str] = ()


def output_of(step: Step, setting: str, files: Mapping[str, str]) -> str:
    """A step's output: its setting, and the first letters of all its inputs."""
    return setting + "".join(files[name][:1] for name in step.reads)


@dataclass
class SlowJob:
    """Acts like `widl.common.resumable_steps.Job` on files that are dictionary entries."""

    files: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Maps names to text and write time."""
    finished: dict[str, tuple[object, tuple[str, int]]] = field(default_factory=dict)
    """Inputs and output of each step."""
    clock: int = 0

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        self.clock += 1
        self.files[name] = text, self.clock

    def run(self, steps: Sequence[Step], settings: Mapping[str, str], stop: str = "") -> list[str]:
        """Runs the outdated steps, up to the middle of the step `stop`; returns the steps that were begun."""
        begun = []
        for step in steps:
            setting = settings[step.name]
            reads = {name: self.files[name] for name in step.reads}
            made_from = (setting, reads, {name: self.finished[name][0] for name in step.after})
            if self.finished.get(step.name) == (made_from, self.files.get(step.name)):
                continue
            begun.append(step.name)
            output = output_of(step, setting, {name: text for name, (text, _) in self.files.items()})
            if step.name == stop:
                self.write(step.name, output[:-1])
                break
            self.write(step.name, output)
            self.finished[step.name] = (made_from, self.files[step.name])
        return begun
