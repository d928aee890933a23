"""What `widl translate` tells at its end."""

from dataclasses import dataclass

import typer

from widl.common.arguments import counted


@dataclass
class Summary:
    """What a run's lines have in common that the user should know."""

    lines: int = 0
    failures: int = 0
    faults: int = 0
    unknown: int = 0
    """Lines with a word that the model has no translation of."""
    incomplete: int = 0
    """Lines whose list of candidates or lattice a budget has cut."""
    traditional: int = 0
    """Lines in traditional characters."""
    foreign: int = 0
    """Lines without a character of the source language's script."""

    _SUMMARIZED = 10  # lines; who reads fewer sees for themselves

    def print(self, *, quiet: bool, unknown: str) -> None:
        """A line for each; exit code 1 if a line failed."""
        if self.failures:
            typer.echo(f"{counted(self.failures, 'line')} could not be translated and passed through", err=True)
        if self.faults:
            typer.echo(f"{counted(self.faults, 'line')} with broken markup; the tags at fault were left out", err=True)
        if self.incomplete:
            typer.echo(
                f"{counted(self.incomplete, 'line')} with incomplete lists: a budget ran out; "
                "raise --max-seconds or --max-memory",
                err=True,
            )
        if not quiet and self.traditional:
            lines = counted(self.traditional, "line")
            typer.echo(f"{lines} in traditional characters, read as simplified ones", err=True)
        if not quiet and 2 * self.foreign > self.lines:
            typer.echo(
                f"{self.foreign:,} of {counted(self.lines, 'line')}: no Chinese characters, but the model translates "
                "from Chinese; is this the text's other side?",
                err=True,
            )
        elif not quiet and self.unknown and self.lines >= self._SUMMARIZED:
            hint = "; 'widl train --dictionary' adds a dictionary"
            hint = hint if unknown == "mark" else f"{hint}, --unknown mark shows them"
            typer.echo(f"{self.unknown:,} of {self.lines:,} lines have unknown words{hint}", err=True)
        if self.failures or self.faults:
            raise typer.Exit(1)
