"""Jobs without hashes: all that a step read and left is kept whole, and compared letter by letter."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Step:
    """Reads files (inputs and earlier steps' outputs) and comes after other steps."""

    name: str
    reads: Sequence[str] = ()
    after: Sequence[str] = ()


def output_of(step: Step, setting: str, files: Mapping[str, str]) -> str:
    """What a step writes: its setting, and the first letters of all that it reads."""
    return setting + "".join(files[name][:1] for name in step.reads)


@dataclass
class SlowJob:
    """What `widl.jobs.Job` does, to files that are entries of a dictionary."""

    files: dict[str, str] = field(default_factory=dict)
    finished: dict[str, tuple[object, str]] = field(default_factory=dict)
    """Of each step, what it was made from, and its output."""

    def run(self, steps: Sequence[Step], settings: Mapping[str, str], stop: str = "") -> list[str]:
        """Do what must be done, up to the middle of the step `stop`; the steps that were begun."""
        begun = []
        for step in steps:
            setting = settings[step.name]
            reads = {name: self.files[name] for name in step.reads}
            made_from = (setting, reads, {name: self.finished[name][0] for name in step.after})
            if self.finished.get(step.name) == (made_from, self.files.get(step.name)):
                continue
            begun.append(step.name)
            output = output_of(step, setting, self.files)
            if step.name == stop:
                self.files[step.name] = output[:-1]
                break
            self.files[step.name] = output
            self.finished[step.name] = (made_from, output)
        return begun
