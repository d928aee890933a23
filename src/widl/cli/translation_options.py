"""Messages that commands on translation models share."""

from widl.cli.parameters import notify
from widl.translation import Translator


def report_removed_features(translator: Translator, *, quiet: bool) -> None:
    """Reports on stderr which features of the model its preset removes."""
    if translator.left_out and not quiet:
        names = ", ".join(translator.left_out)
        notify(f"preset {translator.preset}: features of this model not used: {names}")
