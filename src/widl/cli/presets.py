"""`widl presets`."""

import sys

from widl.common.presets import PRESETS, Setting

_COMMANDS = {
    "TranslationOptions": "translate, tune translation, experiment translation",
    "HeadlineOptions": "headline generate, tune headline, experiment headline",
    "OptimizerOptions": "tune, experiment",
    "RealizationOptions": "order, realize, experiment word-order",
}
"""The commands that use each option set."""


def print_presets() -> None:
    """Print the settings of each preset: options with their place in the paper, features, metrics.

    widl translate model --preset paper-2006 < text.zh
    """
    for name, preset in PRESETS.items():
        sys.stdout.write(f"{name}: {preset.paper}\n")
        for kind, settings in preset.settings.items():
            sys.stdout.write(f"\n  {_COMMANDS[kind]}\n")
            sys.stdout.writelines(f"    {_described(setting):48} {setting.place}\n" for setting in settings)
        for task, features in preset.features.items():
            tuned = f", tuned for {preset.metrics[task]}" if task in preset.metrics else ""
            sys.stdout.write(f"\n  weights of {task}{tuned}\n    {' '.join(features)}\n")
        sys.stdout.write("\n")


def _described(setting: Setting) -> str:
    """An option with the values that a preset allows, and the option that it depends on."""
    left = ", unless given" if setting.open else ""
    where = "" if setting.when is None else " ({} {})".format(*setting.when)
    return f"{setting.option} = {setting.values}{left}{where}"
