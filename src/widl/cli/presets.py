"""`widl presets`."""

import json
import sys
from itertools import groupby

from widl.cli.commands import Commands
from widl.cli.parameters import Json
from widl.common import presets

app = Commands()

_COMMANDS = {
    "TranslationOptions": "translate, tune translation, experiment translation",
    "HeadlineOptions": "headline generate, tune headline, experiment headline",
    "OptimizerOptions": "tune, experiment",
    "RealizationOptions": "order, realize, experiment word-order",
}
"""By option set, the commands that have its options."""


@app.command(name="presets")
def print_presets(as_json: Json = False) -> None:
    """Print what each preset sets: options with their place in the paper, features, metrics.

    \b
      widl translate model --preset paper-2006 < text.zh
    """
    for name, preset in presets.PRESETS.items():
        rows = [row[1:] for row in presets.lines() if row[0] == name]
        if as_json:
            record = {"preset": name, "paper": preset.paper, "features": preset.features, "metrics": preset.metrics}
            options = [{"options": kind, "sets": sets, "place": place} for kind, sets, place in rows]
            sys.stdout.write(json.dumps(record | {"settings": options}, ensure_ascii=False) + "\n")
            continue
        sys.stdout.write(f"{name}: {preset.paper}\n")
        for kind, of_kind in groupby(rows, key=lambda row: row[0]):
            sys.stdout.write(f"\n  {_COMMANDS[kind]}\n")
            sys.stdout.writelines(f"    {sets:48} {place}\n" for _, sets, place in of_kind)
        for task, features in preset.features.items():
            tuned = f", tuned for {preset.metrics[task]}" if task in preset.metrics else ""
            sys.stdout.write(f"\n  weights of {task}{tuned}\n    {' '.join(features)}\n")
        sys.stdout.write("\n")
