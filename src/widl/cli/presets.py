"""`widl presets`."""

import sys
from collections.abc import Sequence

from widl.common.presets import PRESETS, Setting
from widl.decoder.realization_options import PAPER_2005
from widl.headline import options as headline
from widl.translation import options as translation


def print_presets() -> None:
    """Print the settings of each preset: options with their place in the paper, features, metrics.

    widl translate model --preset paper-2006 < text.zh
    """
    for name, preset in PRESETS.items():
        sys.stdout.write(f"{name}: {preset.paper}\n")
        for commands, settings in _SETTINGS[name].items():
            sys.stdout.write(f"\n  {commands}\n")
            sys.stdout.writelines(f"    {_described(setting):48} {setting.place}\n" for setting in settings)
        for task, features in preset.features.items():
            tuned = f", tuned for {preset.metrics[task]}" if task in preset.metrics else ""
            sys.stdout.write(f"\n  weights of {task}{tuned}\n    {' '.join(features)}\n")
        sys.stdout.write("\n")


_SETTINGS: dict[str, dict[str, Sequence[Setting]]] = {
    "paper-2006": {
        "translate, tune translation, experiment translation": translation.PAPER_2006,
        "tune, experiment": tuple(filter(None, [PRESETS["paper-2006"].algorithm])),
        "headline generate, tune headline, experiment headline": headline.PAPER_2006,
    },
    "paper-2005": {"order, realize, experiment word-order": PAPER_2005},
}
"""The settings of each preset, by the commands that have them."""


def _described(setting: Setting) -> str:
    """An option with the values that a preset allows, and the option that it depends on."""
    left = ", unless given" if setting.open else ""
    where = "" if setting.when is None else " ({} {})".format(*setting.when)
    return f"{setting.option} = {setting.values}{left}{where}"
